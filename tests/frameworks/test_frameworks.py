"""Stores of agent frameworks over the conversation record; each framework's own suite where it has one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import cogmem
from cogmem.frameworks.claude_sdk import TranscriptStore
from cogmem.frameworks.items import Items, role_of
from cogmem.frameworks.openai_agents import AgentSession
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator

TALK = [
    {"role": "user", "content": "The staging host is called heron."},
    {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": None},
    {"type": "function_call", "call_id": "c1", "name": "ping", "arguments": '{"host": "heron"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "pong"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "It answers.", "annotations": []}]},
]  # fmt: skip


@pytest.fixture
def mem() -> Iterator[cogmem.Memory]:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        yield memory
        assert memory.file.check() == []


def test_items_come_back_whole_and_in_order(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    items.add(TALK[:2])
    items.add(TALK[2:])
    assert items.latest() == TALK
    assert Items(mem, "talk").latest(2) == TALK[-2:]
    assert items.latest(0) == []
    assert items.latest(99) == TALK
    assert Items(mem, "another").latest() == []
    assert [role_of(item) for item in TALK] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
    ]


def test_what_is_taken_back_is_gone_and_what_follows_stands(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    assert items.pop() is None
    items.add(TALK)
    assert items.pop() == TALK[-1]
    assert items.pop() == TALK[-2]
    items.add(TALK[:1])
    assert items.latest() == [*TALK[:3], TALK[0]]
    assert items.latest(2) == [TALK[2], TALK[0]]
    items.clear()
    assert items.latest() == []
    items.add(TALK)
    assert items.latest() == TALK


def test_what_was_said_in_a_framework_is_recalled(mem: cogmem.Memory) -> None:
    Items(mem, "talk").add(TALK)
    assert any("heron" in one.content for one in mem.recall("what is the staging host called?"))
    assert "heron" in mem.activate("what is the staging host called?").volatile


def test_secrets_stay_out_of_the_record(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    items.add([{"role": "user", "content": "my key is AKIAIOSFODNN7EXAMPLZ"}])
    assert "AKIAIOSFODNN7EXAMPLZ" not in str(items.latest())


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


def test_sessions_are_listed_with_what_was_asked_in_them(mem: cogmem.Memory) -> None:
    pytest.importorskip("claude_agent_sdk", reason="only with claude-agent-sdk")

    async def work() -> tuple[list[Any], list[Any]]:
        store = TranscriptStore(mem)
        for name in ("a", "b"):
            said = {"role": "user", "content": f"Where is {name}?"}
            await store.append(
                {"project_key": "p", "session_id": name},
                [{"type": "user", "uuid": name, "message": said}],
            )
        return await store.list_session_summaries("p"), await store.list_sessions("p")

    summaries, sessions = asyncio.run(work())
    assert {one["session_id"]: one["data"]["first_prompt"] for one in summaries} == {
        "a": "Where is a?",
        "b": "Where is b?",
    }
    assert [one["mtime"] for one in summaries] == [one["mtime"] for one in sessions]


def test_a_transcript_store_keeps_what_it_was_given(mem: cogmem.Memory) -> None:
    entry = {"type": "user", "uuid": "1", "message": {"role": "user", "content": "Call it heron."}}
    key = {"project_key": "p", "session_id": "s"}

    async def work() -> None:
        store = TranscriptStore(mem)
        assert await store.load(key) is None
        await store.append(key, [entry, {"type": "title", "title": "x"}])
        await store.append(key, [entry, {"type": "title", "title": "x"}])
        assert await store.load(key) == [
            entry,
            {"type": "title", "title": "x"},
            {"type": "title", "title": "x"},
        ]
        await store.append({**key, "subpath": "subagents/a"}, [entry])
        assert await store.list_subkeys(key) == ["subagents/a"]
        (listed,) = await store.list_sessions("p")
        assert listed["session_id"] == "s"
        assert listed["mtime"] > 1_000_000_000_000
        await store.delete(key)
        assert await store.list_sessions("p") == []
        assert await store.list_subkeys(key) == []

    asyncio.run(work())


def test_an_entry_that_another_process_wrote_is_passed_over(mem: cogmem.Memory) -> None:
    key = {"project_key": "p", "session_id": "s"}
    entries = [{"type": "user", "uuid": str(n), "message": {"content": str(n)}} for n in range(3)]

    async def work() -> Any:
        here, there = TranscriptStore(mem), TranscriptStore(mem)
        await here.append(key, entries[:1])
        await there.append(key, entries[:2])
        await here.append(key, entries)
        await there.append(key, entries)
        kept = await here.load(key)
        await there.delete(key)
        await here.append(key, entries[:1])
        return kept, await here.load(key)

    assert asyncio.run(work()) == (entries, entries[:1])


def test_the_claude_agent_sdk_s_own_conformance_suite_passes() -> None:
    testing = pytest.importorskip("claude_agent_sdk.testing", reason="only with claude-agent-sdk")
    held = []

    def fresh() -> TranscriptStore:
        held.append(cogmem.open(":memory:", counter=counting.Simple()))
        return TranscriptStore(held[-1])

    try:
        asyncio.run(testing.run_session_store_conformance(fresh))
    finally:
        for memory in held:
            memory.close()


def test_a_langchain_history_keeps_messages_of_every_type(mem: cogmem.Memory) -> None:
    messages = pytest.importorskip("langchain_core.messages", reason="only with langchain-core")
    from cogmem.frameworks.langchain import ChatHistory

    said = [
        messages.SystemMessage("Be brief."),
        messages.HumanMessage("The staging host is called heron.", name="ada", id="m1"),
        messages.AIMessage(
            "", tool_calls=[{"name": "ping", "args": {"host": "heron"}, "id": "c1"}]
        ),
        messages.ToolMessage("pong", tool_call_id="c1"),
        messages.AIMessage([{"type": "text", "text": "It answers."}], additional_kwargs={"k": [1]}),
    ]
    history = ChatHistory(mem, "talk")
    history.add_messages(said[:3])
    history.add_messages(said[3:])
    assert ChatHistory(mem, "talk").messages == said
    assert any("heron" in one.content for one in mem.recall("staging host"))
    history.clear()
    assert history.messages == []


try:
    from langchain_tests.integration_tests import RetrieversIntegrationTests
except ImportError:

    @pytest.mark.skip(reason="only with langchain-tests")
    def test_langchain_s_own_retriever_suite_passes() -> None: ...

else:
    from cogmem.frameworks.langchain import MemoryRetriever

    class TestRetriever(RetrieversIntegrationTests):  # type: ignore[misc,unused-ignore]
        """langchain-tests' suite for retrievers."""

        @property
        def retriever_constructor(self) -> type[MemoryRetriever]:
            return MemoryRetriever

        @property
        def retriever_constructor_params(self) -> dict[str, Any]:
            memory = cogmem.open(":memory:", counter=counting.Simple())
            for number, word in enumerate(("otters", "lichen", "sextants", "marzipan", "ferries")):
                memory.learn(f"Harbour fact {number} is about {word} and what they cost in winter.")
            return {"memory": memory}

        @property
        def retriever_query_example(self) -> str:
            return "which harbour fact tells what they cost?"
