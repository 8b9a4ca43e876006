"""Train and judge what capture hears: `python benchmarks/hearing/train.py [DATA] [--write]`.

Two scores are learned (cogmem/language/worth.py). The first is taught by the sentences of this folder, the second by
them and by sessions of real work in the folder DATA (realwork-dev*.json.gz), whose sentences are marked as worth
keeping, or were kept by an earlier cogmem and marked good or not.

The corpus holds sentences as people say them to agents and assistants, a file for each language and
side: `*_lasting.txt` what is to be kept, by kind, `*_passing.txt` what is not, by why not. `\\n` is a
line end; in a longer message `[[…]]` marks the part that lasts. A line belongs to one of two halves
by its checksum. The figures are of both halves, each judged by weights that saw only the other; the
weights that ship are trained on all of it. The rules of `capture_rule` were written with the corpus
in sight, so their share is no blind test; `held` and `fresh` were written before any result was looked at
and are judged by what ships.

`forms` teaches the shapes that sentences have; nothing is judged by what it makes. Needs numpy and
scipy. The weights are those of a multinomial logistic regression with an elastic net, in
hundredths, the near-zero ones dropped.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from math import exp
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from forms import sentences
from logistic import fitted
from typed_lines import folded, sessions

from cogmem.hear.capture import Rules, compile_rules
from cogmem.hear.rules import RULE_COLUMNS
from cogmem.language import worth
from cogmem.language.clauses import segments
from cogmem.language.languages import words_of
from cogmem.language.mood import is_not_own_talk

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from work import Said, in_time, telling

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TELLING = ROOT / "cogmem/language/sorts/telling/words.txt"
WORDS = ROOT / "cogmem/data/lasting.txt"
WORTH = ROOT / "cogmem/data/worth.txt"
FORMED = 2  # the half of what forms make
KINDS = ("nothing", *worth.KINDS)
LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "zh", "ja")
L1 = L2 = 0.08
ROUNDS = 400
MADE = 0.3  # how much a made sentence counts beside a real one
SMALLEST = 20  # hundredths below which a weight is dropped


class Line(NamedTuple):
    """One line of the corpus: a message, its kind ("nothing" where it is to be left alone) and place."""

    language: str
    kind: str
    why: str
    text: str
    start: int
    end: int
    half: int


def corpus(folder: Path = HERE / "corpus") -> Iterator[Line]:
    """Every line of the corpus."""
    for file in sorted(folder.glob("*.txt")):
        language, _, side = file.stem.partition("_")
        heading = ""
        for raw in file.read_text(encoding="utf-8").splitlines():
            if raw.startswith("## "):
                heading = raw[3:].strip()
            elif raw.strip():
                text, start, end = marked(raw)
                kind = heading if side == "lasting" else "nothing"
                half = crc32(text.encode()) & 1
                yield Line(language, kind, heading, text, start, end, half)


def earlier() -> Iterator[Line]:
    """The earlier corpus of the rules: messages with what is to be captured, in several languages."""
    kinds = {"constraint": "rule", "preference": "wish", "correction": "correction"}
    for row in (ROOT / "tests/fixtures/capture_corpus.jsonl").read_text("utf-8").splitlines():
        told = json.loads(row)
        text, expected = told["text"], told["expect"]
        half = crc32(text.encode()) & 1
        if not expected:
            yield Line("en", "nothing", "earlier", text, 0, len(text), half)
        elif len(expected) == 1 and expected[0]["family"] in kinds:
            start = max(text.find(expected[0]["text"]), 0)
            end = start + len(expected[0]["text"])
            yield Line("en", kinds[expected[0]["family"]], "earlier", text, start, end, half)


def taught() -> Iterator[Line]:
    """Every sentence that the forms make; it belongs to no half, as nothing is judged by it."""
    for language, side, heading, form in sentences():
        text, start, end = marked(form)
        kind = heading if side == "lasting" else "nothing"
        yield Line(language, kind, heading, text, start, end, FORMED)


def marked(raw: str) -> tuple[str, int, int]:
    """A line as the message that it is, and where the part lies that lasts."""
    text = raw.replace("\\n", "\n")
    if "[[" not in text:
        return text, 0, len(text)
    start, end = text.index("[["), text.index("]]") - 2
    return text.replace("[[", "").replace("]]", ""), start, end


def shipped_rules() -> Rules:
    """The built-in rules, compiled."""
    connection = sqlite3.connect(":memory:")
    for name in ("05_kind", "08_capture_rule"):
        connection.executescript((ROOT / f"schema/tables/{name}.sql").read_text(encoding="utf-8"))
    return compile_rules(connection.execute(f"select {RULE_COLUMNS} from capture_rule").fetchall())


def examples(lines: list[Line]) -> tuple[list[set[str]], list[int]]:
    """The stretches that the scorer would judge, as features, with the number of their kind."""
    marks: list[set[str]] = []
    kinds: list[int] = []
    for line in lines:
        if is_not_own_talk(line.text):
            continue
        is_whole = (line.start, line.end) == (0, len(line.text))
        for clause, first, last, features in worth.units(segments(line.text)):
            start, end = clause.start + first, clause.start + last
            lasts = line.kind != "nothing" and start < line.end and end > line.start
            if lasts and is_whole and "part" in features:
                continue  # half a statement proves nothing
            if lasts and not is_whole and end - start > line.end - line.start + 8:
                continue
            marks.append(features)
            kinds.append(KINDS.index(line.kind) if lasts else 0)
    return marks, kinds


def trained(lines: list[Line]) -> list[str]:
    """The lines of weights, by accelerated proximal gradient descent."""
    import numpy as np
    from scipy.sparse import csr_matrix

    marks, kinds = examples(lines)
    seen = Counter(mark for row in marks for mark in row)
    names = sorted(mark for mark, count in seen.items() if count >= (3 if mark[0] in "=^" else 2))
    place = {name: number for number, name in enumerate(names)}
    rows = [[place[mark] for mark in sorted(row) if mark in place] for row in marks]
    ends = np.cumsum([0, *map(len, rows)])
    table = csr_matrix(
        (np.ones(ends[-1], np.float32), np.concatenate([np.array(row) for row in rows]), ends),
        (len(rows), len(names)),
    )
    turned = table.T.tocsr()
    wanted = np.eye(len(KINDS), dtype=np.float32)[kinds]
    steep = np.ones(len(names), np.float32)
    for _ in range(20):
        steep = turned @ (table @ steep)
        steep /= np.linalg.norm(steep)
    step = 1 / (0.5 * float(np.linalg.norm(turned @ (table @ steep))) + L2)
    weights = np.zeros((len(names), len(KINDS)), np.float32)
    ahead, speed = weights.copy(), 1.0
    for _ in range(ROUNDS):
        sums = table @ ahead
        chances = np.exp(sums - sums.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        moved = ahead - step * (turned @ (chances - wanted) + L2 * ahead)
        moved = np.sign(moved) * np.maximum(np.abs(moved) - step * L1, 0)
        faster = (1 + (1 + 4 * speed * speed) ** 0.5) / 2
        ahead = moved + (speed - 1) / faster * (moved - weights)
        weights, speed = moved, faster
    rounded = {name: [round(100 * float(w)) for w in weights[place[name]]] for name in names}
    return [
        f"{name}\t{' '.join(map(str, row))}"
        for name, row in rounded.items()
        if max(map(abs, row)) >= SMALLEST
    ]


def heard(rules: Rules, line: Line) -> str:
    """How a line is heard: active, candidate, or '' for not at all."""
    found = [one for one in rules.match(line.text) if one.text]
    if line.kind != "nothing":
        found = [one for one in found if one.start < line.end and one.end > line.start]
    states = {one.state for one in found}
    return "active" if "active" in states else "candidate" if states else ""


def report(title: str, heard_lines: list[tuple[Line, str]]) -> None:
    """Print how much of each kind is heard, in each language, and how much that should not be."""
    print(title)
    for kind in KINDS:
        states = [how for line, how in heard_lines if line.kind == kind]
        by_language = []
        for language in LANGUAGES:
            here = [
                bool(how)
                for line, how in heard_lines
                if (line.kind, line.language) == (kind, language)
            ]
            by_language.append(
                f"{language} {sum(here) / len(here):.2f}" if here else f"{language} –"
            )
        if states:
            share = sum(map(bool, states)) / len(states)
            sure = states.count("active") / len(states)
            print(f"  {kind:<11}{len(states):5}  heard {share:.3f}  at once {sure:.3f}  ", end="")
            print(" ".join(by_language))


def write_telling() -> None:
    """Write down the words of each language's file that no other language's file has."""
    owners: dict[str, set[str]] = {}
    spaced = [language for language in LANGUAGES if not words_of(language).unspaced]
    for language in spaced:
        for phrase in words_of(language).sorts:
            for word in phrase.split():
                if word.isalpha() and len(word) > 2:
                    owners.setdefault(word, set()).add(language)
    rows = [
        f"{language}: {' '.join(sorted(word for word, of in owners.items() if of == {language}))}"
        for language in spaced
    ]
    TELLING.parent.mkdir(exist_ok=True)
    TELLING.write_text("\n".join(rows) + "\n", encoding="ascii")


Row = tuple[dict[str, float], int]  # the figures of a stretch, and whether it is worth keeping


def made_rows(lines: list[Line], weights: worth.Weights) -> list[Row]:
    """The figures of the corpora's sentences, each a message of its own."""
    found: list[Row] = []
    for line in lines:
        clauses = [] if is_not_own_talk(line.text) else segments(line.text)
        around = worth.Around(clauses, line.text, "")
        for clause, first, last, marks in worth.units(clauses):
            start, end = clause.start + first, clause.start + last
            lasts = line.kind != "nothing" and start < line.end and end > line.start
            if lasts and "part" in marks and (line.start, line.end) == (0, len(line.text)):
                continue
            sure = worth.looks(marks, weights)[1]
            found.append((around.figures(clause, first, last, marks, sure), int(lasts)))
    return found


def holds(one: str, other: str) -> bool:
    """Whether one of two texts stands in the other."""
    return one in other or other in one


def real_rows(project: dict[str, Any], weights: worth.Weights) -> list[Row]:
    """The figures of what people typed at work, and whether a reader marked it as worth keeping."""
    order = {message.ref: number for number, message in enumerate(in_time(project))}
    said = [Said(raw, order) for raw in project["hear"]]
    kept = [(folded(one["content"]), one["mark"] == "good") for one in project.get("heard", [])]
    found: list[Row] = []
    before: dict[str, str] = {}
    for message in in_time(project):
        if message.role == "user":
            clauses = [] if is_not_own_talk(message.text) else segments(message.text)
            around = worth.Around(clauses, message.text, before.get(message.session, ""))
            for clause, first, last, marks in worth.units(clauses):
                start, end = clause.start + first, clause.start + last
                text = folded(message.text[start:end])
                is_worth = any(
                    message.ref in one.refs
                    and (
                        (message.ref == one.raw["ref"] and holds(text, folded(one.raw["span"])))
                        or (len(telling(text)) > 1 and one.is_in(text))
                    )
                    for one in said
                )  # fmt: skip
                is_worth = is_worth or any(
                    is_good and (text in one or one in text) for one, is_good in kept
                )
                sure = worth.looks(marks, weights)[1]
                found.append((around.figures(clause, first, last, marks, sure), int(is_worth)))
        before[message.session] = message.text
    return found


def weighed(real: list[list[Row]], made: list[Row]) -> dict[str, float]:
    """The weights of the named figures."""
    rows = [*(row for part in real for row in part), *made]
    share = [1.0] * (len(rows) - len(made)) + [MADE] * len(made)
    return fitted([row for row, _ in rows], [is_worth for _, is_worth in rows], share, held=3.0)


def told(title: str, rows: list[Row], weights: dict[str, float]) -> None:
    """Print how much of the surest stretches is worth keeping."""
    sums = [sum(weights.get(name, 0) * value for name, value in row.items()) for row, _ in rows]
    chances = sorted(
        [
            (1 / (1 + exp(-one - weights["bias"])), is_worth)
            for one, (_, is_worth) in zip(sums, rows, strict=True)
        ],
        reverse=True,
    )
    every = sum(is_worth for _, is_worth in rows)
    parts = []
    for most in (20, 40, 80, 160):
        right = sum(is_worth for _, is_worth in chances[:most])
        parts.append(
            f"{most}: {right / most:.2f} of them, {right / max(1, every):.2f} of all,"
            f" from {chances[:most][-1][0]:.2f}"
        )
    print(f"{title} ({every} of {len(rows)})", " | ".join(parts))


def main() -> None:
    """Judge each half by weights of the other, each project by the other; with --write ship those of all."""
    folder = next((one for one in sys.argv[1:] if not one.startswith("-")), "")
    lines, formed = [*corpus(), *earlier()], list(taught())
    made: list[Row] = []
    halves = []
    for half in (0, 1):
        weights = worth.Weights(
            "\n".join(trained([*(line for line in lines if line.half != half), *formed]))
        )
        halves.append(weights)
        made += made_rows([line for line in lines if line.half == half], weights)
    every = trained([*lines, *formed])
    whole = worth.Weights("\n".join(every))
    real = (
        [real_rows(project, whole) for project in sessions(Path(folder)).values()] if folder else []
    )
    if len(real) > 1:
        for number, rows in enumerate(real):
            others = [part for place, part in enumerate(real) if place != number]
            told(f"project {number}, taught by the others", rows, weighed(others, made))
            told(f"project {number}, its last third", rows[len(rows) * 2 // 3 :],
                 weighed([rows[: len(rows) * 2 // 3], *others], made))  # fmt: skip
    second = weighed(real, made)
    print(sorted(((round(w, 2), n) for n, w in second.items()), key=lambda one: -abs(one[0])))
    if "--write" in sys.argv:
        write_telling()
        WORDS.write_text("\n".join(every) + "\n", encoding="utf-8")
        rows = [f"{name}\t{weight:.3f}" for name, weight in second.items()]
        WORTH.write_text(
            "# What makes a sentence worth keeping; see NOTICE.\n" + "\n".join(rows) + "\n",
            encoding="utf-8",
        )
        worth.lasting.cache_clear()
        worth.worth.cache_clear()
    judged: list[tuple[Line, str]] = []
    rules = shipped_rules()
    for half, weights in enumerate(halves):
        worth.lasting = lambda weights=weights: weights
        judged += [(line, heard(rules, line)) for line in lines if line.half == half]
    report("both halves, each judged by weights of the other", judged)
    worth.lasting = lambda: whole
    for name in ("held", "fresh", "apart"):
        report(
            f"{name}, with what ships", [(line, heard(rules, line)) for line in corpus(HERE / name)]
        )


if __name__ == "__main__":
    main()
