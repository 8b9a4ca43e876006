"""A session store of the Claude Agent SDK: transcripts kept in the memory file.

    options = ClaudeAgentOptions(session_store=TranscriptStore(mem))

Every entry comes back as it was given; what people and the agent said in it is found by recall.
The work is done in a thread of whichever event loop the SDK runs on.
"""

from __future__ import annotations

from cogmem.frameworks.items import Items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from cogmem.memory import Memory

    T = TypeVar("T")

PREFIX = "claude-sdk"
PART = " :: "  # between the parts of a name


class TranscriptStore:
    """What the SDK calls a SessionStore."""

    def __init__(self, mem: Memory) -> None:
        self.mem = mem
        self._known: dict[str, tuple[int, set[Any]]] = {}  # how long a record was, and its uuids

    async def append(self, key: Mapping[str, str], entries: Sequence[Any]) -> None:
        """Append entries; one whose uuid is there already is passed over."""
        if entries:
            await _in_thread(self._append, key, entries)

    async def load(self, key: Mapping[str, str]) -> list[Any] | None:
        """Return all entries of a key; None when nothing was ever written under it."""
        return await _in_thread(lambda: Items(self.mem, _name(key)).latest() or None)

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """Return the sessions of a project, with the instant of their latest entry in ms."""
        return await _in_thread(self._sessions, project_key)

    async def list_session_summaries(self, project_key: str) -> list[Any]:
        """Return what lists of sessions show, so that the SDK need not load each transcript."""
        return await _in_thread(self._summaries, project_key)

    async def delete(self, key: Mapping[str, str]) -> None:
        """Forget a session with its subagents, or one subagent's part."""
        await _in_thread(self._delete, key)

    async def list_subkeys(self, key: Mapping[str, str]) -> list[str]:
        """Return the subpaths of a session."""
        return await _in_thread(self._subpaths, key)

    def _append(self, key: Mapping[str, str], entries: Sequence[Any]) -> None:
        name = _name(key)
        items = Items(self.mem, name)
        length, known = self._known.get(name, (-1, set()))
        if length != _length(items):  # first seen here, or another process wrote to it
            known = {entry.get("uuid") for entry in items.latest()} - {None}
        fresh = []
        for entry in entries:
            uuid = entry.get("uuid")
            if uuid is None or uuid not in known:
                fresh.append(entry)
                known.add(uuid)
        if fresh:
            items.add(fresh)
        self._known[name] = _length(items), known

    def _sessions(self, project_key: str) -> list[dict[str, Any]]:
        rows = [(row, row.name.split(PART)) for row in self.mem.conversations.list(limit=0)]
        return [
            {"session_id": parts[2], "mtime": row.raw("last_at") or row.raw("created_at")}
            for row, parts in rows
            if parts[:2] == [PREFIX, project_key] and len(parts) == 3
        ]

    def _summaries(self, project_key: str) -> list[Any]:
        from claude_agent_sdk import (  # type: ignore[import-not-found,unused-ignore]
            fold_session_summary,
        )

        found = []
        for session in self._sessions(project_key):
            key = {"project_key": project_key, "session_id": session["session_id"]}
            folded = fold_session_summary(None, key, Items(self.mem, _name(key)).latest())
            found.append({**folded, "mtime": session["mtime"]})
        return found

    def _subpaths(self, key: Mapping[str, str]) -> list[str]:
        start = _name({**key, "subpath": ""}) + PART
        names = [row.name for row in self.mem.conversations.list(limit=0)]
        return [name[len(start) :] for name in names if name.startswith(start)]

    def _delete(self, key: Mapping[str, str]) -> None:
        below = [] if key.get("subpath") else self._subpaths(key)
        for name in [*(_name({**key, "subpath": subpath}) for subpath in below), _name(key)]:
            self._known.pop(name, None)
            Items(self.mem, name).clear()


def _length(items: Items) -> int:
    """Tell how far a record has come, without counting it."""
    state = items.talk.state()
    return state.next_seq if state else 0


def _name(key: Mapping[str, str]) -> str:
    parts = [PREFIX, key["project_key"], key["session_id"], key.get("subpath") or ""]
    return PART.join(parts if parts[-1] else parts[:-1])


async def _in_thread(work: Callable[..., T], *given: Any) -> T:
    from anyio.to_thread import run_sync  # the SDK's own: it runs on asyncio and on trio

    return await run_sync(work, *given)
