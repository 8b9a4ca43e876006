"""cogmem as a memory provider of agent-memory-benchmark (vectorize-io, MIT), in one file.

Copy it into that project's `src/memory_bench/memory/`, and add to its registry there:

    from .amb_provider import CogmemProvider
    REGISTRY["cogmem"] = CogmemProvider

COGMEM_BUDGET says how many tokens a context may have: 800 (the default), 4000, 15000. Every document is recorded as a
conversation, at its own time, and heard as from a host; a question is a turn of the user whose it is. No model is
asked, no network either: what a context costs is what `retrieve` returns.
"""

from __future__ import annotations

import os
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cogmem

if TYPE_CHECKING:
    # Of the project that this file is copied into.
    class Document:
        def __init__(self, id: str, content: str, **more: Any) -> None: ...

    class MemoryProvider: ...

else:
    try:
        from memory_bench.memory.base import MemoryProvider
        from memory_bench.models import Document
    except ImportError:  # on its own, for a test
        from types import SimpleNamespace as Document

        MemoryProvider = object

SPEAKER = re.compile(r"^\s*(?:\[[^\]]*\]\s*)?(\w[\w .'-]{0,30}):\s+(.+)$")


class CogmemProvider(MemoryProvider):
    """A memory file for all, in which every user sees what is theirs."""

    name = "cogmem"
    description = "One SQLite file, no model: a turn's block within a budget of tokens."
    kind = "local"
    provider = "cogmem"
    concurrency = 1

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget or int(os.environ.get("COGMEM_BUDGET", "800"))
        self._memory: cogmem.Memory | None = None

    def prepare(
        self, store_dir: Path, unit_ids: set[str] | None = None, reset: bool = True
    ) -> None:
        """Open the file of a run; what an earlier run left goes if that is asked for."""
        del unit_ids  # users are apart within the file
        folder = Path(store_dir)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "cogmem.db"
        if reset:
            for one in folder.glob("cogmem.db*"):
                if one.is_file():
                    one.unlink()
        self._memory = cogmem.open(file)

    @property
    def memory(self) -> cogmem.Memory:
        if self._memory is None:
            self.prepare(Path(tempfile.mkdtemp(prefix="cogmem-")))
        assert self._memory is not None
        return self._memory

    def cleanup(self) -> None:
        """Close the file."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def ingest(self, documents: list[Any]) -> None:
        """Record each document as a conversation, in order of time."""
        for number, one in enumerate(sorted(documents, key=lambda doc: doc.timestamp or "")):
            at = instant(one.timestamp)
            owner = {"user": one.user_id} if one.user_id else {}
            talk = self.memory.conversation(one.id or f"document {number}", **owner)
            for role, speaker, text in said(one):
                talk.append(role, text, speaker=speaker, at=at)
            self.memory.capture_conversation(one.id or f"document {number}", now=at, **owner)

    def retrieve(
        self,
        query: str,
        k: int = 10,
        user_id: str | None = None,
        query_timestamp: str | None = None,
    ) -> tuple[list[Any], dict[str, Any] | None]:
        """One context: the block of a turn, or none where nothing speaks to the question."""
        del k  # the budget bounds it
        owner = {"user": user_id} if user_id else {}
        turn = self.memory.activate(query, self.budget, now=instant(query_timestamp), **owner)
        raw = {"turn": turn.turn, "tokens": turn.tokens}
        return ([Document(id=turn.turn, content=turn.text)] if turn.text.strip() else []), raw


def said(one: Any) -> list[tuple[str, str, str]]:
    """Role, speaker and text of each message of a document."""
    if one.messages:
        return [
            (role_of(message), str(message.get("name") or message.get("role") or ""), text)
            for message in one.messages
            if (text := text_of(message.get("content")))
        ]
    found = []
    for line in one.content.splitlines():
        named = SPEAKER.match(line)
        speaker, text = named.groups() if named else ("", line)
        if text.strip():
            found.append(("assistant" if speaker.lower() == "assistant" else "user", speaker, text))
    return found


def role_of(message: dict[str, Any]) -> str:
    return "assistant" if message.get("role") == "assistant" else "user"


def text_of(content: Any) -> str:
    """The text of a message, whose content may be parts."""
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    return "\n".join(
        str(part["text"]) for part in parts if isinstance(part, dict) and "text" in part
    )


def instant(told: str | None) -> datetime | None:
    """When something was said; None, which is now, where nobody says it."""
    if not told:
        return None
    try:
        at = datetime.fromisoformat(told.replace("Z", "+00:00"))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
