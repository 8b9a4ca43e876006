"""How the answers of a part become figures: shares with their intervals, tokens, time, bytes."""

from __future__ import annotations

import random
import statistics
from typing import Any

from shown import COUNTER

Answers = list[tuple[str, float]]  # for each ask: the block, and the seconds that it took
DRAWS = 1_000


def interval(values: list[float]) -> list[float]:
    """The mean in percent, and the ends between which 95 of 100 redrawn samples have theirs."""
    chance = random.Random(5)
    means = sorted(statistics.mean(chance.choices(values, k=len(values))) for _ in range(DRAWS))
    ends = (statistics.mean(values), means[DRAWS // 40], means[-DRAWS // 40 - 1])
    return [round(100 * one, 1) for one in ends]


def figures(
    called: str, shares: dict[str, list[float]], answers: Answers, times_text: float
) -> dict[str, Any]:
    """One system on one part; `times_text` is the size of its files in that of the text."""
    return {
        "called": called,
        "asks": len(answers),
        "shares": {what: interval(values) for what, values in shares.items() if values},
        "tokens": round(statistics.mean([COUNTER.count(block) for block, _ in answers])),
        "ms": round(1000 * statistics.median([seconds for _, seconds in answers]), 2),
        "bytes": round(times_text, 2),
    }
