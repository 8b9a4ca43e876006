"""LlamaIndex: a block of its Memory, and a chat store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("llama_index.core", reason="only with llama-index-core: make test-frameworks")

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer, Memory
from sqlalchemy.ext.asyncio import create_async_engine

from cogmem.frameworks.llama_index import ChatStore, MemoryBlock

if TYPE_CHECKING:
    import cogmem


TALK = [
    ChatMessage(role="user", content="The logo is blue."),
    ChatMessage(role="assistant", content="Noted.", additional_kwargs={"model": "m"}),
    ChatMessage(role="tool", content="42", additional_kwargs={"tool_call_id": "c1"}),
]


def test_a_block_brings_what_fits_the_latest_message(mem: cogmem.Memory) -> None:
    mem.learn("The staging host is called heron.")

    async def work() -> list[ChatMessage]:
        engine = create_async_engine("sqlite+aiosqlite://")
        memory = Memory.from_defaults(
            session_id="monday",
            memory_blocks=[MemoryBlock(mem=mem, session="monday", priority=1)],
            insert_method="user",
            tokenizer_fn=str.split,
            async_engine=engine,
        )
        await memory.aput(ChatMessage(role="user", content="What is the staging host called?"))
        try:
            return await memory.aget()
        finally:
            await engine.dispose()

    sent = asyncio.run(work())
    assert sent[-1].role.value == "user"
    assert "heron" in (sent[-1].content or "")


def test_a_block_records_what_leaves_the_short_term_memory(mem: cogmem.Memory) -> None:
    block = MemoryBlock(mem=mem, session="monday")
    asyncio.run(block.aput(TALK, from_short_term_memory=True, session_id="monday"))
    assert [message.role for message in mem.conversation("monday").messages()] == [
        "user",
        "assistant",
        "tool",
    ]
    assert any("blue" in one.content for one in mem.recall("which colour has the logo"))


def test_a_block_that_must_be_shorter_keeps_whole_lines(mem: cogmem.Memory) -> None:
    for number in range(5):
        mem.learn(f"Host number {number} is called {'abcdefg'[number]}{number}.")
    block = MemoryBlock(mem=mem)

    async def work() -> tuple[str, str | None, str | None]:
        whole = await block.aget(
            [ChatMessage(role="user", content="which host number is called a0")]
        )
        count = mem.store.counter.count
        return (
            whole,
            await block.atruncate(whole, 10),
            await block.atruncate(whole, count(whole) + 50),
        )

    whole, shorter, nothing = asyncio.run(work())
    assert shorter
    assert whole.startswith(shorter)
    assert len(shorter) < len(whole)
    assert nothing is None


def test_a_chat_store_keeps_messages_of_every_sort(mem: cogmem.Memory) -> None:
    store = ChatStore(mem=mem)
    assert store.get_messages("a") == []
    assert store.delete_last_message("a") is None
    assert store.delete_messages("a") is None
    store.set_messages("a", TALK)
    store.add_message("b", TALK[0])
    assert store.get_messages("a") == TALK
    assert sorted(store.get_keys()) == ["a", "b"]
    assert store.delete_message("a", 9) is None
    assert store.delete_message("a", 1) == TALK[1]
    assert store.get_messages("a") == [TALK[0], TALK[2]]
    assert store.delete_message("a", -1) == TALK[2]
    store.set_messages("a", TALK[1:])
    assert store.get_messages("a") == TALK[1:]
    assert store.delete_last_message("a") == TALK[2]
    assert store.delete_messages("a") == [TALK[1]]
    assert store.get_keys() == ["b"]
    assert ChatStore(mem=mem).get_messages("b") == [TALK[0]]


def test_a_chat_store_serves_a_buffer_in_a_loop(mem: cogmem.Memory) -> None:
    async def work() -> list[ChatMessage]:
        buffer = ChatMemoryBuffer.from_defaults(
            chat_store=ChatStore(mem=mem), chat_store_key="a", tokenizer_fn=str.split
        )
        for message in TALK[:2]:
            await buffer.aput(message)
        return await buffer.aget()

    assert asyncio.run(work()) == TALK[:2]
