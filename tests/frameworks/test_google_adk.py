"""Google ADK: a memory service that keeps users and apps apart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cogmem.errors import UnknownMemory

pytest.importorskip("google.adk", reason="only with google-adk: make test-frameworks")

from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai.types import Content, Part

from cogmem.frameworks.google_adk import MemoryService

if TYPE_CHECKING:
    import cogmem


HERE = {"app_name": "desk", "user_id": "ada"}


def event(author: str, text: str, number: int) -> Event:
    role = "user" if author == "user" else "model"
    return Event(
        id=f"e{number}",
        author=author,
        invocation_id="i",
        content=Content(role=role, parts=[Part(text=text)]),
        timestamp=1_700_000_000.0 + number,
    )


def session(*events: Event, **place: Any) -> Session:
    return Session(**{"id": "s1", **HERE, **place}, events=list(events))


TALK = [event("user", "The staging host is called heron.", 1), event("desk", "Good to know.", 2)]


def found(service: MemoryService, query: str, **place: str) -> list[MemoryEntry]:
    return asyncio.run(service.search_memory(**{**HERE, **place}, query=query)).memories


def test_a_session_may_be_added_again_and_again(mem: cogmem.Memory) -> None:
    service = MemoryService(mem)
    tool = Event(id="e3", author="desk", timestamp=1.0, content=Content(parts=[Part(text="")]))

    async def work() -> None:
        await service.add_session_to_memory(session(*TALK))
        await service.add_session_to_memory(session(*TALK, tool, event("user", "Never mind.", 4)))
        await service.add_events_to_memory(**HERE, events=TALK, session_id="s1")
        await service.add_events_to_memory(**HERE, events=[event("user", "A loose end.", 5)])

    asyncio.run(work())
    talk = mem.conversation("google-adk :: s1", user="ada", runtime="desk").messages()
    assert [message.text for message in talk] == [
        "The staging host is called heron.",
        "Good to know.",
        "Never mind.",
    ]
    (entry, *_) = found(service, "what is the staging host called?")
    assert entry.content.parts is not None
    assert entry.content.parts[0].text == "The staging host is called heron."
    assert (entry.author, entry.timestamp) == ("user", "2023-11-14T22:13:21+00:00")


def test_another_user_and_another_app_find_nothing_of_it(mem: cogmem.Memory) -> None:
    service = MemoryService(mem)
    asyncio.run(service.add_session_to_memory(session(*TALK)))
    assert found(service, "staging host")
    assert found(service, "staging host", user_id="bob") == []
    assert found(service, "staging host", app_name="door") == []
    mem.learn("The shared printer is called otter.")
    assert found(service, "shared printer", user_id="bob"), "what everyone shares is there"


def test_memories_are_learned_and_taken_back(mem: cogmem.Memory) -> None:
    service = MemoryService(mem)
    note = MemoryEntry(content=Content(parts=[Part(text="Ada takes her coffee black.")]))

    async def work() -> None:
        await service.add_memory(**HERE, memories=[note])
        await service.add_session_to_memory(session(*TALK))

    asyncio.run(work())
    (learned,) = found(service, "coffee")
    (said, *_) = found(service, "staging host")
    for entry in (learned, said):
        asyncio.run(service.delete_memory(**HERE, memory_id=entry.id))
    assert found(service, "coffee") == []
    asyncio.run(service.add_session_to_memory(session(*TALK)))
    assert [one for one in found(service, "staging host") if one.id == said.id] == []
    assert all("heron" not in str(one) for one in found(service, "staging host heron"))
    asyncio.run(service.delete_memory(**HERE))
    for unknown in ("mem_0000000000000000", "msg_x"):
        with pytest.raises(UnknownMemory):
            asyncio.run(service.delete_memory(**HERE, memory_id=unknown))
