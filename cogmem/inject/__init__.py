"""Putting memories into a list of messages, for hosts that hand over the whole conversation.

Built on activate() and recall(): `Assembler` keeps a block of pinned and recalled memories before the
system text, `project_block` gives a project assistant its hot set and what is relevant to a turn.
"""

from __future__ import annotations

from cogmem.inject.assembler import Assembler, Entry
from cogmem.inject.hybrid import Hybrid
from cogmem.inject.messages import CLOSING, OPENING, before_system, query_from
from cogmem.inject.project import project_block

__all__ = [
    "CLOSING", "OPENING", "Assembler", "Entry", "Hybrid", "before_system", "project_block",
    "query_from",
]  # fmt: skip
