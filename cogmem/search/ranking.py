"""A score from a row of figures: one weighted sum, with weights that are data.

`cogmem/data/ranking.txt` has a line for each figure; `make train-ranking` writes it. What is ranked
must share a room, so a candidate is worth its sum for what it costs: `PRICE` times the log of its
tokens goes off. The hash of the file stands in the ledger, so a turn says which weights ranked it.
"""

from __future__ import annotations

import os
from _operator import mul
from math import exp, log

from cogmem.search.figures import NAMES
from cogmem.text.lines import hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PLACE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "ranking.txt")
PRICE = 0.8  # how strongly length is charged
CHEAP = 40  # tokens; nothing costs less
TOLD = 6  # figures that say why a candidate stands where it does


class Weights:
    """One file of weights, in the order of the figures."""

    __slots__ = ("hash", "of")

    def __init__(self, text: str) -> None:
        read: dict[str, float] = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, weight = line.split()
                read[name] = float(weight)
        self.of = tuple(read.get(name, 0.0) for name in NAMES)
        self.hash = hash_of(text)


_read: list[Weights] = []


def weights() -> Weights:
    """Return the weights that this version ships, read once in a process."""
    if not _read:
        with open(PLACE, encoding="utf-8") as file:
            _read.append(Weights(file.read()))
    return _read[0]


def carried(row: Sequence[float]) -> dict[str, float]:
    """Return what carried a candidate or held it back: its figures times their weights, the largest first."""
    parts = sorted(
        zip(NAMES, map(mul, row, weights().of), strict=True), key=lambda one: -abs(one[1])
    )
    return {name: round(part, 2) for name, part in parts[:TOLD] if part}


def worth(rows: Iterable[Sequence[float]]) -> list[float]:
    """Add up what the figures of each row weigh."""
    of = weights().of
    return [sum(map(mul, row, of)) for row in rows]


def likeliest(worths: Sequence[float], most: int) -> list[int]:
    """Return the numbers of the rows that are worth most so far, in their order."""
    least = sorted(worths)[-most] if len(worths) > most else float("-inf")
    return [number for number, value in enumerate(worths) if value >= least][:most]


def scores(worths: Sequence[float], tokens: Sequence[int]) -> list[float]:
    """Return what candidates are worth for their length; the best one 1, and half of it is half as likely."""
    sums = [
        value - PRICE * log(cost if cost > CHEAP else CHEAP)
        for value, cost in zip(worths, tokens, strict=True)
    ]
    best = max(sums, default=0.0)
    return [exp(value - best) for value in sums]
