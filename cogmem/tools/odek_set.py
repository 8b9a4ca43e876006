"""The tool of an assistant with two small collections of facts, and episodes: memory."""

from __future__ import annotations

from typing import Any

from cogmem.tools import forms
from cogmem.tools.gokin_set import memory
from cogmem.tools.toolset import Spec

_SPEAKERS = {"user": "user", "assistant": "agent"}


def system_prompt(mem: Any, query: str = "", session: str = "", lines: int = 20) -> str:
    """Return what such an assistant puts into its system prompt: the facts, the last lines of the session,
    and the three past sessions that resemble a query. No model is asked."""
    from cogmem.conversation.sessions import context_block

    past = context_block(mem.sessions.find(limit=0), query) if query.strip() else ""
    prompt: str = mem.collections().system_prompt(_buffer(mem, session, lines), past)
    return prompt


def _buffer(mem: Any, session: str, lines: int) -> list[str]:
    """Return the lines that a program kept for the session, else the last ones of its recorded talk."""
    from cogmem.conversation.sessions import buffer_line

    if not session or lines < 1:
        return []
    kept: list[str] = mem.sessions.notes(session, capacity=lines).lines()
    return (
        kept
        or [
            buffer_line(_SPEAKERS[one.role], one.text, one.raw("at"))
            for one in mem.conversation(session).recent(2 * lines)
            if one.role in _SPEAKERS and one.text
        ][-lines:]
    )


TOOLS = (
    Spec(
        "memory",
        "Keep facts about the user and the environment that are always shown: add, replace or remove one"
        " (target user or env), read both, consolidate one. search finds earlier sessions, view shows one"
        " (target episodes). Save durable facts only, one to an entry.",
        forms.CollectionAction,
        memory,
    ),
)
