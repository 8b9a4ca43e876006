"""A session store of the Claude Agent SDK, with the SDK's own suite where it is there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import cogmem
from cogmem.frameworks.claude_sdk import TranscriptStore
from cogmem.tokens import counting


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
