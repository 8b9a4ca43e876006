"""The place of a message: its conversation and its seq in one number, as `place` of schema/predicates.sql has it.

Neighbours differ by one, so that what stands before and after a message is arithmetic.
"""

from __future__ import annotations

BITS = 24  # that the seq takes: what is above them is the conversation
SEQS = 1 << BITS  # messages that a conversation can hold


def conversation_of(place: int) -> int:
    """Return the conversation of a place."""
    return place >> BITS


def seq_of(place: int) -> int:
    """Return the seq of a place."""
    return place & (SEQS - 1)
