"""A session of the OpenAI Agents SDK, kept in the memory file.

    session = AgentSession(mem, "conversation-7")
    result = await Runner.run(agent, "What did I say about deploys?", session=session)

What is said there is found by recall and joins later turns. The work is done in a thread, so that
the event loop goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from cogmem.frameworks.items import Items
from cogmem.memory import Memory


class AgentSession:
    """What the SDK calls a Session; it asks for these names and no base class."""

    def __init__(self, mem: Memory, session_id: str, session_settings: Any = None) -> None:
        self.session_id = session_id
        self.session_settings = _settings(session_settings)
        self._items = Items(mem, session_id)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the items said so far; with a limit, the latest ones."""
        most = getattr(self.session_settings, "limit", None) if limit is None else limit
        return await asyncio.to_thread(self._items.latest, most)

    async def add_items(self, items: Sequence[Any]) -> None:
        """Append items."""
        if items:
            await asyncio.to_thread(self._items.add, items)

    async def pop_item(self) -> Any:
        """Take back the latest item; None when there is none."""
        return await asyncio.to_thread(self._items.pop)

    async def clear_session(self) -> None:
        """Forget all items."""
        await asyncio.to_thread(self._items.clear)


def _settings(given: Any) -> Any:
    """Settings as the SDK reads them, who may give a dictionary; without it they stay as they are."""
    try:
        from agents.memory.session_settings import (  # type: ignore[import-not-found,unused-ignore]
            SessionSettings,
            coerce_session_settings,
        )
    except ImportError:
        return given
    return SessionSettings() if given is None else coerce_session_settings(given)
