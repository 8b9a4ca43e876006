"""Learns the weights by which two statements cannot both hold: `make fit-contrast DATA=dir`.

Yes and no come from `pairs/`; talk among friends and in meetings, of DATA, adds pairs that share a telling word and
do not contradict each other. First each half is judged by weights that never saw it, then all of it is learned.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from cogmem.language.contradiction import difference
from cogmem.language.contrast import Beside, figures
from cogmem.language.judge import AGAINST, matter_of, read_both, states
from cogmem.text.data import FOLDER

PAIRS = Path(__file__).resolve().parent / "pairs"
LOOKED_AT, UNSEEN = ("tuned", "later"), ("held", "fresh")
TALK = ("friendsqa", "qmsum")  # whose licences allow that weights are learned from them
LINES = 4000  # of each
BESIDE = 3  # earlier lines that a line is held against
WEIGHT_OF_TALK = 300.0  # pairs that all of it counts for
PENALTY = 0.1

Row = tuple[bool, dict[str, float]]


def pairs(names: tuple[str, ...]) -> list[Row]:
    """The pairs of some files, as figures."""
    rows, is_clash = [], False
    for name in names:
        for line in (PAIRS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                is_clash = line == "# clash"
            else:
                rows.append((is_clash, figures(Beside(*read_both(*line.split("|"))))))
    return rows


def talk(folder: Path) -> list[Row]:
    """Lines of talk beside earlier ones that share a telling word."""
    rows: list[Row] = []
    for name in TALK:
        by_word: dict[str, list[str]] = defaultdict(list)
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            texts = [item["text"] for line in file for item in json.loads(line)["items"]]
        for text in filter(states, texts[:LINES]):
            matter = matter_of(text)
            earlier = {one: None for word in matter for one in by_word[word][-BESIDE:]}
            rows += [
                (False, figures(Beside(*read_both(one, text))))
                for one in list(earlier)[:BESIDE]
                if difference(one, text) is not None
            ]
            for word in matter:
                by_word[word].append(text)
    return rows


def fitted(rows: list[Row], beside: list[Row]) -> dict[str, float]:
    """The weights of a logistic regression, by Newton's method."""
    names = [
        "bias",
        *sorted({name for _, one in rows for name, value in one.items() if value} - {"bias"}),
    ]
    table = np.array([[one.get(name, 0.0) for name in names] for _, one in rows + beside])
    wanted = np.array([float(is_clash) for is_clash, _ in rows + beside])
    counts = np.ones(len(wanted))
    counts[len(rows) :] = min(1.0, WEIGHT_OF_TALK / max(1, len(beside)))
    weights = np.zeros(len(names))
    held = PENALTY * np.eye(len(names))
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (counts * (chance - wanted)) + held @ weights
        bend = (table.T * (counts * chance * (1 - chance))) @ table + held
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, weights.tolist(), strict=True))


def report(name: str, rows: list[Row], weights: dict[str, float]) -> None:
    """Print how many are told right."""
    limit = np.log(AGAINST / (1 - AGAINST))
    told = [
        (is_clash, sum(weights.get(key, 0.0) * value for key, value in one.items()) >= limit)
        for is_clash, one in rows
    ]
    wrong, missed = told.count((False, True)), told.count((True, False))
    print(f"{name}: {len(rows)} pairs, {wrong} wrongly against each other, {missed} missed")


def main() -> None:
    """Report what unseen pairs get, then learn from all."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    beside = talk(asked.data)
    first, second = pairs(LOOKED_AT), pairs(UNSEEN)
    half = len(beside) // 2
    weights = fitted(first, beside[:half])
    report("unseen pairs", second, weights)
    report("unseen talk", beside[half:], weights)
    weights = fitted(first + second, beside)
    report("all pairs", first + second, weights)
    if asked.write:
        rows = [f"{name}\t{value:.3f}\n" for name, value in weights.items() if abs(value) >= 0.02]
        head = "# Weights of the figures of language/contrast.py, learned by `make fit-contrast`.\n"
        Path(f"{FOLDER}/contrast.txt").write_text(head + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
