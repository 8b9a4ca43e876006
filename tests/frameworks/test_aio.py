"""AsyncMemory: the same memory, awaited."""

from __future__ import annotations

import asyncio
import inspect
import threading
from pathlib import Path

import pytest

import cogmem
from cogmem.errors import CogmemError


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def test_calls_areas_and_values_are_those_of_a_memory(path: str) -> None:
    async def day() -> None:
        async with cogmem.AsyncMemory(path, user="ann") as mem:
            learned = await mem.learn("Deploys need a green build.", kind="policy")
            turn = await mem.activate("How do I deploy?")
            assert "green build" in turn.text
            assert (await mem.get(learned.uid)).user == "ann"
            assert (await mem.history.log())[0].uid == learned.uid
            assert await mem.file.check() == []
            assert (await mem.path).endswith("memory.db")
            with pytest.raises(CogmemError):
                await mem.get("nobody")

    asyncio.run(day())
    with cogmem.open(path, user="ann") as mem:
        assert mem.stats().memories == 1


def test_many_at_once_are_done_one_after_another(path: str) -> None:
    async def day() -> list[str]:
        async with cogmem.AsyncMemory(path) as mem:
            texts = [
                f"Server {name} runs in hall {number}." for number, name in enumerate("abcdefgh")
            ]
            learned = await asyncio.gather(*(mem.learn(text) for text in texts))
            assert len({one.uid for one in learned}) == 8
            return [row.content for row in await mem.list()]

    assert len(asyncio.run(day())) == 8


def test_it_completes_and_explains_itself_as_a_memory_does(path: str) -> None:
    mem = cogmem.AsyncMemory(path)
    assert {"learn", "activate", "history", "close"} <= set(dir(mem))
    assert inspect.signature(mem.learn) == inspect.signature(cogmem.Memory.learn)
    assert mem.learn.__doc__ == cogmem.Memory.learn.__doc__
    with pytest.raises(AttributeError):
        _ = mem.no_such_thing
    asyncio.run(mem.close())
    assert not Path(path).exists(), "nothing was asked, so nothing was opened"


def test_a_cancelled_call_that_waits_is_not_made_and_the_next_one_is(path: str) -> None:
    async def day() -> None:
        async with cogmem.AsyncMemory(path) as mem:
            gate = threading.Event()
            blocked = asyncio.ensure_future(mem._run(gate.wait))
            await asyncio.sleep(0.02)
            waiting = asyncio.ensure_future(mem.learn("Never said."))
            await asyncio.sleep(0.02)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            gate.set()
            await blocked
            await mem.learn("Said.")
            assert [row.content for row in await mem.list()] == ["Said."]

    asyncio.run(day())


def test_a_cancelled_query_that_runs_is_broken_off(path: str) -> None:
    endless = (
        "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    )

    async def day() -> None:
        async with cogmem.AsyncMemory(path) as mem:
            await mem.learn("Said.")
            running = asyncio.ensure_future(mem._run(lambda: mem._memory.db.ask(endless)))
            await asyncio.sleep(0.1)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert (await asyncio.wait_for(mem.stats(), 30)).memories == 1

    asyncio.run(day())


def test_a_memory_that_cannot_be_opened_says_so_where_it_is_awaited(tmp_path: Path) -> None:
    (tmp_path / "note.db").write_text("this is no database, it is a text of some length")

    async def day() -> None:
        async with cogmem.AsyncMemory(tmp_path / "note.db"):
            pass

    with pytest.raises(CogmemError):
        asyncio.run(day())
