"""Learns the weights by which recorded messages are ranked, and writes cogmem/data/ranking.txt.

    python benchmarks/train_ranking.py --data DIR [--write]

DIR holds *.jsonl.gz as for retrieval.py. What is learned ships, so only the sets of `LEARNS` teach,
whose licences allow it, and the conversations that made_talk.py makes; the others in DIR are
measured with the weights and teach nothing. Every conversation gets a memory file, every question
is asked with activate(), and the rows of figures that the search made are kept, with what is
evidence and what a candidate costs. What stands in ranking.txt changes nothing of that: the same
data gives the same weights. Two steps, the same number of questions from each set:

1. Start: a softmax over the candidates of a question, drawn towards a plain prior.
2. What is measured: evidence should score above the candidate at which 800 tokens are full. A smooth
   step at that score stands for "is in the block"; the weights stay near those of the first step.

A linear sum of few figures is all there is: trees learned the sets by heart and were worse on every
conversation that they had not seen. What is left out on purpose: age and place in the record, which
are habits of a data set. Learning again with the candidates whose words the learned weights would
have read gave the same within 0.3 points on every set.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import made_talk
import numpy as np
from retrieval import LEARNS, conversations, instant, record

import cogmem
from cogmem.search import figures as ranking
from cogmem.search import messages as finding
from cogmem.search.figures import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PLACE = Path(cogmem.__file__).parent / "data" / "ranking.txt"
PRIOR = {"spread": 2.0}  # what stood before anything was learned: words here and beside
# Told only where there are vectors, so nothing here teaches them. Made friends and FriendsQA, embedded,
# want 0.6 of the one for the other; the size is set by hand.
FIXED = {"alike": 3.0, "alike_beside": 1.8}
# What speaks for a message whenever it speaks at all: a weight below 0 would be a habit of the data.
FOR = frozenset(NAMES) - {
    "other",
    "assistant",
    "length",
    "long",
    "question",
    "name",
    "number",
    "time",
}
FROM_EACH = 500  # questions that a set counts for, however many it has
SHRINK = 400.0  # how strongly the first step is drawn to the prior
CONVERSATIONS = 70  # of a set with more, evenly taken
TOP = 80  # candidates of a question that teach, beside its evidence
ROOM, HEADING = 787, 2.4  # tokens of a block for messages; what a message costs beside its line
STEPS, RATE, STAY, SOFT = 150, 0.02, 0.03, 0.5


@dataclass
class Questions:
    """Candidates of the questions of one set, one after another."""

    name: str
    rows: list[NDArray[Any]] = field(default_factory=list)  # a matrix for each question
    tokens: list[NDArray[Any]] = field(default_factory=list)
    wanted: list[NDArray[Any]] = field(default_factory=list)  # 1.0: evidence
    evidence: list[int] = field(default_factory=list)  # how much there is, found or not
    apart: list[bool] = field(default_factory=list)  # of category adversarial


def collect(file: Path, folder: str) -> Questions:
    """Ask everything, and keep what the search told of each candidate."""
    told: list[tuple[list[int], list[list[float]], list[int]]] = []
    figures, scores, likeliest = finding.figures, finding.scores, finding.likeliest

    def noted_figures(*args: Any) -> Any:
        places, rows = figures(*args)
        told.append((places, rows, []))
        return places, rows

    def noted_scores(worths: Any, tokens: Any) -> Any:
        told[-1][2].extend(tokens)
        return scores(worths, tokens)

    found = Questions(file.name.removesuffix(".jsonl.gz"))
    whole = list(conversations(file))
    every = max(1, len(whole) // CONVERSATIONS)
    finding.figures, finding.scores = noted_figures, noted_scores
    finding.likeliest = first_of  # what is learned must not depend on what was learned before
    try:
        for number, conversation in enumerate(whole[::every]):
            with cogmem.open(f"{folder}/{found.name}-{number}.db") as mem:
                record(mem, conversation["items"])
                place = places_of(mem, conversation["items"])
                for question in conversation["questions"]:
                    told.clear()
                    mem.activate(question["text"], 800, now=instant(question["now"]))
                    gold = {place[name] for name in question["evidence"]}
                    places, rows, tokens = told[0] if told and told[0][2] else ([], [], [])
                    found.rows.append(np.array(rows, "f4").reshape(-1, len(NAMES)))
                    found.tokens.append(np.array(tokens, "f8"))
                    found.wanted.append(np.array([float(one in gold) for one in places]))
                    found.evidence.append(len(gold))
                    found.apart.append(question["category"] == "adversarial")
    finally:
        finding.figures, finding.scores, finding.likeliest = figures, scores, likeliest
    return found


def first_of(worths: Sequence[float], most: int) -> list[int]:
    """The numbers of the first rows, which are in the order of `spread`."""
    return [*range(min(most, len(worths)))]


def places_of(mem: cogmem.Memory, items: list[dict[str, Any]]) -> dict[str, int]:
    """Where each item went: its conversation and its seq in one number, as the index has it."""
    answer = mem.file.query("select name, id from conversation", rows=100_000)
    numbers = dict(answer.rows)
    seen: dict[str, int] = {}
    places = {}
    for item in items:
        seq = seen.get(item["session"], 0)
        seen[item["session"]] = seq + 1
        places[item["id"]] = numbers[item["session"]] << 24 | seq
    return places


class Sheet:
    """All that teaches, in one matrix."""

    def __init__(self, sets: list[Questions]) -> None:
        rows, tokens, wanted, starts, weights = [], [], [], [], []
        at = 0
        meaning = NAMES.index("meaning")
        for one in sets:
            teaching = [n for n, gold in enumerate(one.wanted) if gold.any() and not one.apart[n]]
            for n in teaching:
                said = one.rows[n][:, meaning]
                some = (np.arange(len(said)) < TOP) | (one.wanted[n] > 0)
                some |= said >= np.sort(said)[-min(20, len(said))]
                rows.append(one.rows[n][some])
                tokens.append(one.tokens[n][some])
                wanted.append(one.wanted[n][some])
                starts.append(at)
                weights.append(FROM_EACH / len(teaching))
                at += int(some.sum())
        matrix = np.concatenate(rows)
        self.mean, self.scale = matrix.mean(0), matrix.std(0)
        self.dead = self.scale < 1e-4  # figures that never change teach nothing
        self.scale[self.dead] = 1.0
        self.matrix = ((matrix - self.mean) / self.scale).astype("f4")
        self.matrix[:, self.dead] = 0
        self.tokens, self.wanted = np.concatenate(tokens), np.concatenate(wanted)
        self.starts = np.array(starts)
        self.ends = np.append(self.starts[1:], at)
        self.question = np.repeat(np.arange(len(starts)), self.ends - self.starts)
        self.weights = np.array(weights)


def softmax_step(sheet: Sheet, v: NDArray[Any], prior: NDArray[Any]) -> NDArray[Any]:
    """The gradient of the first step."""
    score = sheet.matrix @ v.astype("f4")
    score = score - np.maximum.reduceat(score, sheet.starts)[sheet.question]
    odds = np.exp(score.astype("f8"))
    share = odds / np.add.reduceat(odds, sheet.starts)[sheet.question]
    gold = sheet.wanted / np.add.reduceat(sheet.wanted, sheet.starts)[sheet.question]
    error = (sheet.weights[sheet.question] * (share - gold)).astype("f4")
    return (sheet.matrix.T @ error + SHRINK * (v - prior)) / sheet.weights.sum()


def block_step(sheet: Sheet, v: NDArray[Any], start: NDArray[Any]) -> NDArray[Any]:
    """The gradient of the second step: evidence against the candidate that no longer fits."""
    charge = ranking.PRICE * np.log(np.maximum(ranking.CHEAP, sheet.tokens))
    score = sheet.matrix @ v.astype("f4") - charge
    order = np.lexsort((-score, sheet.question))
    spent = np.cumsum(sheet.tokens[order] + HEADING)
    before = spent[sheet.starts] - sheet.tokens[order][sheet.starts] - HEADING
    full = spent - np.repeat(before, sheet.ends - sheet.starts) > ROOM
    rows = len(score)
    first = np.minimum.reduceat(np.where(full, np.arange(rows), rows), sheet.starts)
    cut = order[np.minimum(first, sheet.ends - 1)]
    inside = 1 / (1 + np.exp(-np.clip((score - score[cut][sheet.question]) / SOFT, -30, 30)))
    share = sheet.weights / np.add.reduceat(sheet.wanted, sheet.starts)
    pull = (
        share[sheet.question] * sheet.wanted * (sheet.tokens < ROOM) * inside * (1 - inside) / SOFT
    )
    push = pull.copy()
    np.subtract.at(push, cut, np.add.reduceat(pull, sheet.starts))
    return -(sheet.matrix.T @ push.astype("f4")) / sheet.weights.sum() + STAY * (v - start)


def descend(step: Any, sheet: Sheet, start: NDArray[Any], anchor: NDArray[Any], steps: int) -> Any:
    """Adam, over everything at once."""
    v, mean, square = start.copy(), np.zeros_like(start), np.zeros_like(start)
    least = np.array([0.0 if name in FOR else -np.inf for name in NAMES])
    for number in range(1, steps + 1):
        slope = step(sheet, v, anchor)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        rate = RATE * min(1.0, 4 * (1 - (number - 1) / steps))
        v -= rate * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-8)
        v = np.maximum(v, least)
    return v


def train(sets: list[Questions]) -> NDArray[Any]:
    """Weights in the order of the figures."""
    sheet = Sheet(sets)
    prior = np.array([PRIOR.get(name, 0.0) for name in NAMES]) * sheet.scale
    start = descend(softmax_step, sheet, prior, prior, 2 * STEPS)
    learned = descend(block_step, sheet, start, start, STEPS)
    weights = np.where(sheet.dead, 0.0, learned / sheet.scale)
    for name, weight in FIXED.items():
        weights[NAMES.index(name)] = weight
    return weights


def measured(one: Questions, weights: NDArray[Any], apart: bool = False) -> float | None:
    """r@800 as the block would be filled, without the file."""
    shares = []
    for n, rows in enumerate(one.rows):
        if one.apart[n] != apart:
            continue
        charge = ranking.PRICE * np.log(np.maximum(ranking.CHEAP, one.tokens[n]))
        left, got = float(ROOM), 0.0
        for candidate in np.argsort(-(rows @ weights - charge), kind="stable"):
            cost = one.tokens[n][candidate] + HEADING
            if cost <= left:
                left -= cost
                got += one.wanted[n][candidate]
        shares.append(got / max(1, one.evidence[n]))
    return 100 * float(np.mean(shares)) if shares else None


def written(weights: NDArray[Any], sets: list[Questions]) -> str:
    names = ", ".join(f"{one.name} ({len(one.rows)})" for one in sets)
    lines = [
        "# What each figure of a recorded message is worth: see cogmem/search/figures.py.",
        f"# Made by benchmarks/train_ranking.py from: {names}.",
    ]
    lines += [f"{name} {weight:.2f}" for name, weight in zip(NAMES, weights, strict=True)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--write", action="store_true", help="write cogmem/data/ranking.txt")
    options = parser.parse_args()
    files = sorted(Path(options.data).glob("*.jsonl.gz"))
    teaching = [file for file in files if file.name.startswith(LEARNS)]
    if not teaching:
        print(
            f"{options.data} holds no set that may teach ({', '.join(LEARNS)}): "
            "benchmarks/README.md says where they are from."
        )
        return 1
    with tempfile.TemporaryDirectory() as folder:
        sets = [collect(file, folder) for file in [*made_talk.write(Path(folder)), *teaching]]
        others = [collect(file, folder) for file in files if file not in teaching]
    now = np.array(ranking.weights())
    for left_out in range(len(sets)):  # a set is measured by weights that never saw it
        blind = measured(sets[left_out], train(sets[:left_out] + sets[left_out + 1 :]))
        print(f"{sets[left_out].name}: {measured(sets[left_out], now):.2f} now, {blind:.2f} blind")
    learned = train(sets)
    for one in [*sets, *others]:
        line = f"{one.name}: {measured(one, now):.2f} now, {measured(one, learned):.2f} learned"
        if any(one.apart):
            line += f", wrong name {measured(one, learned, apart=True):.2f}"
        print(line)
    if options.write:
        PLACE.write_text(written(learned, sets), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
