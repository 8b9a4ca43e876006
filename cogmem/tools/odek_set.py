"""The tool of an assistant with two small collections of facts, and episodes: memory."""

from __future__ import annotations

from cogmem.tools import forms
from cogmem.tools.gokin_set import memory
from cogmem.tools.toolset import Spec

TOOLS = (
    Spec(
        "memory",
        "Keep facts about the user and the environment that are always shown: add, replace or remove one"
        " (target user or env), read both, consolidate one. search finds earlier sessions, view shows one"
        " (target episodes). Save durable facts only, one to an entry.",
        forms.FactAction, memory,
    ),
)  # fmt: skip
