"""The place of a message: its conversation and its seq in one number, as `place` of schema/predicates.sql has it.

Neighbours differ by one, so that what stands before and after a message is arithmetic.
"""

from __future__ import annotations

_BITS = 24  # that the seq takes
SEQS = 1 << _BITS  # messages that a conversation can hold


def conversation_of(place: int) -> int:
    """The conversation of a place."""
    return place >> _BITS


def seq_of(place: int) -> int:
    """The seq of a place."""
    return place & (SEQS - 1)
