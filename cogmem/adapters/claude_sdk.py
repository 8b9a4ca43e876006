"""A session store of the Claude Agent SDK: transcripts kept in the memory file.

    options = ClaudeAgentOptions(session_store=TranscriptStore(mem))

Every entry comes back as it was given; what people and the agent said in it is found by recall.
"""

from __future__ import annotations

import asyncio

from cogmem.adapters.items import Items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.memory import Memory

PREFIX = "claude-sdk"
PART = " :: "  # between the parts of a name


class TranscriptStore:
    """What the SDK calls a SessionStore, without the summaries that it can do without."""

    def __init__(self, mem: Memory) -> None:
        self.mem = mem

    async def append(self, key: Mapping[str, str], entries: Sequence[Any]) -> None:
        """Append entries; one whose uuid is there already is passed over."""
        if entries:
            await asyncio.to_thread(self._append, key, entries)

    async def load(self, key: Mapping[str, str]) -> list[Any] | None:
        """All entries of a key; None when nothing was ever written under it."""
        return await asyncio.to_thread(lambda: Items(self.mem, _name(key)).latest() or None)

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """The sessions of a project, with the instant of their latest entry in ms."""
        return await asyncio.to_thread(self._sessions, project_key)

    async def delete(self, key: Mapping[str, str]) -> None:
        """Forget a session with its subagents, or one subagent's part."""
        await asyncio.to_thread(self._delete, key)

    async def list_subkeys(self, key: Mapping[str, str]) -> list[str]:
        """The subpaths of a session."""
        return await asyncio.to_thread(self._subpaths, key)

    def _append(self, key: Mapping[str, str], entries: Sequence[Any]) -> None:
        items = Items(self.mem, _name(key))
        known = {entry.get("uuid") for entry in items.latest()} - {None}
        fresh = []
        for entry in entries:
            uuid = entry.get("uuid")
            if uuid is None or uuid not in known:
                fresh.append(entry)
                known.add(uuid)
        if fresh:
            items.add(fresh)

    def _sessions(self, project_key: str) -> list[dict[str, Any]]:
        found = []
        for row in self.mem.conversations(limit=-1):
            parts = row["name"].split(PART)
            if parts[:2] == [PREFIX, project_key] and len(parts) == 3:
                found.append({"session_id": parts[2], "mtime": row["last_at"] or row["created_at"]})
        return found

    def _subpaths(self, key: Mapping[str, str]) -> list[str]:
        start = _name({**key, "subpath": ""}) + PART
        names = [row["name"] for row in self.mem.conversations(limit=-1)]
        return [name[len(start) :] for name in names if name.startswith(start)]

    def _delete(self, key: Mapping[str, str]) -> None:
        below = [] if key.get("subpath") else self._subpaths(key)
        for subpath in below:
            Items(self.mem, _name({**key, "subpath": subpath})).clear()
        Items(self.mem, _name(key)).clear()


def _name(key: Mapping[str, str]) -> str:
    parts = [PREFIX, key["project_key"], key["session_id"], key.get("subpath") or ""]
    return PART.join(parts if parts[-1] else parts[:-1])
