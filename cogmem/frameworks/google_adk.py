"""Google ADK: a memory service over the memory file.

    runner = Runner(agent=agent, app_name="desk", session_service=…, memory_service=MemoryService(mem))

Sessions that are added become conversations. What one user said in one app is found for that user in
that app alone, beside what everyone shares. The work is done in a thread.
"""

# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

from asyncio import to_thread

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai.types import Content, Part

from cogmem.errors import UnknownMemory
from cogmem.frameworks.items import BESIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.memory import Memory
    from cogmem.search.recalled import Recalled

PREFIX = "google-adk"
MOST = 10  # as ADK's own service: all of them go into a prompt
UNNAMED = "events"  # a session that ADK gave no name


class MemoryService(BaseMemoryService):
    """Memory of agents that are built with ADK."""

    def __init__(self, mem: Memory) -> None:
        self.mem = mem

    async def add_session_to_memory(self, session: Any) -> None:
        """Record a session; what is there already is passed over, so it may be added again."""
        await to_thread(self._add, session.app_name, session.user_id, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Record some events of a session."""
        del custom_metadata
        await to_thread(self._add, app_name, user_id, session_id or UNNAMED, events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[Any],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Learn memories as they are given, as facts of this user and app."""
        del custom_metadata
        await to_thread(self._learn, app_name, user_id, [_text(one) for one in memories])

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """Return the memories and messages that fit a query best; what is returned is strengthened."""
        found = await to_thread(self.mem.recall, query, user=user_id, runtime=app_name, limit=MOST)
        return SearchMemoryResponse(memories=[_entry(one) for one in found])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Take a memory or message back, by the id that a search gave; adding it again is no use."""
        if memory_id:
            await to_thread(self._delete, app_name, user_id, memory_id)

    # -- in a thread -----------------------------------------------------------------------------

    def _add(self, app: str, user: str, session: str, events: Sequence[Any]) -> None:
        talk = self._talk(app, user, session)
        known = {
            part["item"].get("id")
            for message in talk.messages()
            for part in message.parts
            if part["type"] == BESIDE
        }
        fresh = {event.id: event for event in events if event.id not in known and _text(event)}
        talk.extend(
            [
                ("user" if one.author == "user" else "assistant",
                 [{"type": "text", "text": _text(one)}, {"type": BESIDE, "item": {"id": one.id}}],
                 one.author, round(one.timestamp * 1000), None)
                for one in fresh.values()
            ]
        )  # fmt: skip

    def _talk(self, app: str, user: str, session: str) -> Conversation:
        return self.mem.conversation(f"{PREFIX} :: {session}", user=user, runtime=app)

    def _learn(self, app: str, user: str, texts: Sequence[str]) -> None:
        for text in filter(None, texts):
            self.mem.learn(text, user=user, runtime=app, source="inferred")

    def _delete(self, app: str, user: str, name: str) -> None:
        if not name.startswith("msg_"):
            self.mem.as_user(user, runtime=app).remove(name, reason="deleted by the agent")
            return
        number = name.removeprefix("msg_")
        if not number.isdecimal():
            raise UnknownMemory(f"no message is called {name!r}: use an id that a search returned")
        found = self.mem.conversations.message(int(number), user=user, runtime=app)
        talk = self._talk(app, user, found.conversation.removeprefix(f"{PREFIX} :: "))
        for message in talk.messages(found.seq, found.seq + 1):
            # The event's id stays in its place, so that the session may be added again.
            talk.edit(message.seq, [part for part in message.parts if part["type"] == BESIDE])


def _text(one: Any) -> str:
    parts = (one.content.parts if one.content else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(found: Recalled) -> MemoryEntry:
    return MemoryEntry(
        id=found.uid,
        content=Content(
            role="user" if found.speaker == "user" else "model", parts=[Part(text=found.content)]
        ),
        author=found.speaker or None,
        timestamp=found.created_at.isoformat() if found.created_at else None,
    )
