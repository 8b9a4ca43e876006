"""Times as multiples of a fixed piece of Python, so that a test of speed holds on a busy or slow machine.

A call and the yardstick take turns and the best of each counts, in processor time of this thread: waiting
for a busy machine is not time of the call. Milliseconds belong into benchmarks/.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _work() -> int:
    """About a millisecond where the limits were set."""
    words: dict[str, int] = {}
    for number in range(4_000):
        words[f"word {number & 255}"] = number
    return len(words)


def yardsticks(call: Callable[[], object], rounds: int = 9, repeats: int = 1) -> float:
    """How many yardsticks one call takes."""
    best = measure = float("inf")
    for _ in range(rounds):
        measure = min(measure, _seconds(_work))
        started = time.thread_time()
        for _ in range(repeats):
            call()
        best = min(best, (time.thread_time() - started) / repeats)
    return best / measure


def _seconds(call: Callable[[], object]) -> float:
    started = time.thread_time()
    call()
    return time.thread_time() - started
