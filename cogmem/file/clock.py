"""The hybrid clock: instants of a machine that never go back, with a count for what falls into one millisecond.

A file's clock is the larger of its machine's time and the newest act that it knows, and one more for each act. So
what somebody does after he has seen an act comes after it, whatever his machine says. A machine that is ahead carries
the others with it, which costs nothing but the order of what was done unseen at the same time. One that is more than
a year ahead is not believed: its acts wait outside until their time comes.
"""

from __future__ import annotations

MOST_AHEAD_MS = 400 * 86_400_000  # more than any clock that somebody looks at is ahead
WORTH_SAYING_MS = 2 * 86_400_000  # more than a wrong time zone does
_BITS = 16


def instant(clock: int) -> int:
    """Return the instant of a clock, in ms."""
    return clock >> _BITS


def is_ahead(clock: int, now: int, by: int = MOST_AHEAD_MS) -> bool:
    """Tell whether an act is of a time that no sound clock can have reached."""
    return instant(clock) > now + by
