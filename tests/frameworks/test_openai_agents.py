"""A session of the OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from talks import OF_AN_AGENT as TALK

from cogmem.frameworks.items import Items
from cogmem.frameworks.openai_agents import AgentSession

if TYPE_CHECKING:
    import cogmem


def test_an_agent_session_keeps_the_sdk_s_promises(mem: cogmem.Memory) -> None:
    async def work() -> None:
        session = AgentSession(mem, "one")
        await session.add_items([])
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items(TALK)
        assert await session.get_items() == TALK
        assert await session.get_items(limit=2) == TALK[-2:]
        assert await session.pop_item() == TALK[-1]
        await asyncio.gather(*(AgentSession(mem, f"n{n}").add_items(TALK) for n in range(8)))
        assert await AgentSession(mem, "n7").get_items() == TALK
        await session.clear_session()
        assert await session.get_items() == []

    asyncio.run(work())


def test_the_agents_sdk_takes_the_session(mem: cogmem.Memory) -> None:
    agents = pytest.importorskip("agents", reason="only with openai-agents")
    from agents.memory.session import Session

    assert isinstance(AgentSession(mem, "one"), Session)
    from agents.memory import SessionSettings

    session = AgentSession(mem, "one", SessionSettings(limit=1))

    async def work() -> Any:
        await session.add_items(TALK)
        return await session.get_items()

    assert asyncio.run(work()) == TALK[-1:]
    assert agents


def test_settings_may_come_as_a_dictionary(mem: cogmem.Memory) -> None:
    pytest.importorskip("agents", reason="only with openai-agents")
    assert AgentSession(mem, "one", {"limit": 2}).session_settings.limit == 2
    assert AgentSession(mem, "one").session_settings.limit is None
    with pytest.raises(TypeError, match="limitt"):
        AgentSession(mem, "one", {"limitt": 2})


def test_an_item_is_taken_back_by_its_place(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    items.add(TALK)
    items.take(1)
    items.take(0)
    assert items.latest() == TALK[2:]
