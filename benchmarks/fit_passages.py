"""Fits the weights by which passages of a conversation are judged (cogmem/data/passages.txt), on real work.

    python benchmarks/fit_passages.py --data DIR [--write] [--read N]

DIR holds realwork-*.json.gz and realwork-notes.jsonl. A passage that holds a phrase which helped a later session, or
something worth keeping, or that a reader's note tells best, was worth a line; all others were not. What is learned
from one project is tried on the other, both ways; and from the first two thirds of the first, with the other, on the
last third. Told are: lines of a session; the share of phrases, marked in earlier sessions, that stand in the lines
these left; the share of lines that hold something marked; processor time of a session. --write learns from both and
writes the weights; --read prints the lines of N sessions, to be judged by a reader.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from fitting import write

from cogmem.language import passages
from cogmem.language.passages import FEATURES, Passage

SETS = ("realwork-dev", "realwork-dev-2")
PULL = 20.0  # how strongly a weight is held at 0
HOLDS = 0.7  # share of a phrase's telling words
TELLS = 0.4  # share of the words of a note
OWN_WORDS = (
    0.2  # what a phrase weighs beside a passage that nobody marked: the marked ones are a sample
)
AGENT = 1.5  # added to the agent's: readers marked the person's words more often than they help
PLAIN = frozenset(
    "a an and are as at be been but by can could did do does don for from had has have he her his how i if in into is"
    " it its just let like me more my no not now of on one only or our out she should so some than that the their"
    " them then there these they this to too up us use was we were what when where which who why will with would"
    " you your".split()
)


def telling(text: str) -> frozenset[str]:
    """The words of a text that say something, without common endings."""
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(
        re.sub(r"(?<=\w{3})(?:ing|ed|es|s)$", "", word)
        for word in words
        if len(word) > 1 and word not in PLAIN
    )


def folded(text: str) -> str:
    return " ".join(re.sub(r"[*`]", "", text.lower()).split())


def holds(text: str, phrase: str) -> bool:
    """Whether a line says a phrase: word for word, or most of its telling words."""
    own, wanted = folded(text), folded(phrase)
    words = telling(phrase)
    return (
        wanted in own
        or (len(own) > 20 and own in wanted)
        or (bool(words) and len(words & telling(text)) >= HOLDS * len(words))
    )


class Session:
    """One session: its passages, which of them were worth a line, and the phrases that helped later."""

    def __init__(
        self,
        raw: dict[str, Any],
        marked: dict[str, list[str]],
        worth: dict[str, list[str]],
        notes: dict[str, list[str]],
    ) -> None:
        self.name = raw["id"]
        said = [(one["role"], one["text"]) for one in raw["messages"]]
        start = time.process_time()
        self.found = passages.passages(said)
        self.seconds = time.process_time() - start
        self.phrases = {
            phrase
            for number in range(len(said))
            for phrase in marked.get(f"{self.name}#{number}", ())
        }
        self.worth: dict[int, float] = defaultdict(float)
        by_message: dict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(self.found):
            by_message[one.number].append(place)
            ref = f"{self.name}#{one.number}"
            if any(
                holds(one.said, phrase) for phrase in (*marked.get(ref, ()), *worth.get(ref, ()))
            ):
                self.worth[place] = 1.0
        for number in range(len(said)):
            for note in notes.get(f"{self.name}#{number}", ()):
                words = telling(note)
                scored = [
                    (self._told(place, words) * (1.0 if near == number else 0.9), place)
                    for near in (number, number + 1, number - 1)
                    for place in by_message[near]
                ]
                if scored and max(scored)[0] >= TELLS:
                    self.worth[max(scored)[1]] = max(self.worth[max(scored)[1]], 0.8)

    def _told(self, place: int, words: frozenset[str]) -> float:
        own = telling(self.found[place].said)
        return len(words & own) / min(len(words), len(own) + 3) if len(own) > 3 else 0.0


def read(folder: Path, name: str) -> list[Session]:
    """The sessions of one project, with all that readers marked in them."""
    data = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))
    marked, worth, notes = (defaultdict[str, list[str]](list) for _ in range(3))
    for turn in data["turns"]:
        for phrase in turn["words"]:
            for ref in turn["gold"]:
                marked[ref].append(phrase)
    for one in data["hear"]:
        worth[one["ref"]].append(one["span"])
    for line in (folder / "realwork-notes.jsonl").read_text("utf-8").splitlines():
        note = json.loads(line)
        notes[note["ref"]].append(note["text"])
    return [Session(raw, marked, worth, notes) for raw in data["sessions"]]


def fit(sessions: list[Session]) -> dict[str, float]:
    """Logistic regression by Newton's method."""
    rows = [
        (one.marks, session.worth.get(place, 0.0))
        for session in sessions
        for place, one in enumerate(session.found)
    ]
    place = {name: at for at, name in enumerate(FEATURES)}
    x = np.zeros((len(rows), len(FEATURES)))
    for at, (marks, _) in enumerate(rows):
        for name, value in marks.items():
            x[at, place[name]] = value
    y = np.array([float(worth > 0) for _, worth in rows])
    w = np.array([max(worth, OWN_WORDS) if worth else 1.0 for _, worth in rows])
    held = np.diag([0.0, *([PULL] * (len(FEATURES) - 1))]) + 1e-9 * np.eye(len(FEATURES))
    beta = np.zeros(len(FEATURES))
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        step = np.linalg.solve(
            (x * (w * p * (1 - p))[:, None]).T @ x + held, x.T @ (w * (y - p)) - held @ beta
        )
        beta += step
        if float(np.abs(step).max()) < 1e-7:
            break
    table = dict(zip(FEATURES, map(float, beta), strict=True))
    table["agent"] += AGENT
    return table


def left(session: Session, table: dict[str, float], least: float = passages.LEAST) -> list[Passage]:
    """The lines that a session leaves by these weights."""
    passages.judge(session.found, table)
    return passages.best(session.found, least=least)


def told(name: str, sessions: list[Session], table: dict[str, float], least: float) -> str:
    """How well the lines of these sessions do."""
    phrases = stand = lines = good = empty = agents = 0
    start = time.process_time()
    for session in sessions:
        chosen = left(session, table, least)
        place = {id(one): at for at, one in enumerate(session.found)}
        lines += len(chosen)
        empty += not chosen
        agents += sum(one.role != "user" for one in chosen)
        good += sum(session.worth.get(place[id(one)], 0) > 0 for one in chosen)
        phrases += len(session.phrases)
        stand += sum(any(holds(one.text, phrase) for one in chosen) for phrase in session.phrases)
    spent = time.process_time() - start + sum(one.seconds for one in sessions)
    many = len(sessions)
    return (
        f"{name:18} least {least:.2f}  phrases {stand / phrases:.2f}  lines {lines / many:.1f}"
        f"  marked {good / max(1, lines):.2f}  agent's {agents / max(1, lines):.2f}  empty {empty / many:.2f}"
        f"  {1000 * spent / many:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--read", type=int, default=0)
    given = parser.parse_args()
    one, other = (read(given.data, name) for name in SETS)
    early, late = one[: len(one) * 2 // 3], one[len(one) * 2 // 3 :]
    for name, teaches, tried in (
        ("first to second", one, other), ("second to first", other, one), ("early to late", [*early, *other], late),
    ):  # fmt: skip
        table = fit(teaches)
        for least in (0.0, 0.1, passages.LEAST, 0.3):
            print(told(name, tried, table, least), flush=True)
    if given.read:
        table = fit(one)
        for session in random.Random(7).sample(other, given.read):
            print(f"\n{session.name[:8]}")
            for line in left(session, table):
                print(
                    f"  {line.chance:.2f} {line.role[0]}{line.number} {line.sort:9} {line.text}  {line.names}"
                )
    if given.write:
        table = fit([*one, *other])
        meaning = "What each feature of a passage adds to its worth: benchmarks/fit_passages.py"
        write("passages.txt", meaning, table)


if __name__ == "__main__":
    main()
