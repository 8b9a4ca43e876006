"""Writing well: the one way by which text becomes memory, and how memories are set right later.

admit → decide is the path that every entry point takes (`learn`). `revise` changes what is held.
"""

from __future__ import annotations

from cogmem.learn.admit import kept_against, profile_named
from cogmem.learn.alike import fill_projections
from cogmem.learn.decide import learn
from cogmem.learn.revise import correct, retire, revise, settle, supersede

__all__ = [
    "correct", "fill_projections", "kept_against", "learn", "profile_named", "retire", "revise",
    "settle", "supersede",
]  # fmt: skip
