"""The hybrid clock: instants of a machine that never go back, with a count for what falls into one millisecond.

A file's clock is the larger of its machine's time and the newest act that it knows, and one more for each act. So
what somebody does after he has seen an act comes after it, whatever his machine says. A machine that is far ahead
would carry all others with it: its acts wait outside until their time comes, and `cogmem doctor` says so.
"""

from __future__ import annotations

MOST_AHEAD_MS = 2 * 86_400_000  # what a wrong time zone or a battery that died in a day may do
_BITS = 16


def instant(clock: int) -> int:
    """The instant of a clock, in ms."""
    return clock >> _BITS


def is_ahead(clock: int, now: int) -> bool:
    """Whether an act is of a time that no sound clock can have reached."""
    return instant(clock) > now + MOST_AHEAD_MS
