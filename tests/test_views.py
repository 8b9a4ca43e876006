"""One open file, many users: `as_user` gives each the whole of a memory over the same connection.

Modules: memory, frameworks.aio.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import NOW
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.errors import CogmemError, InvalidInput, UnknownMemory

USERS = st.sampled_from(["ann", "bob", "cleo", ""])


def texts(memory: cogmem.Memory) -> set[str]:
    return {row.content for row in memory.list(now=NOW, limit=0)}


def test_a_view_sees_and_changes_its_user_s_memories_alone(memory: cogmem.Memory) -> None:
    ann, bob = memory.as_user("ann"), memory.as_user("bob")
    held = ann.learn("Ann keeps bees.", key="hobby", now=NOW)
    bob.learn("Bob keeps goats.", key="hobby", now=NOW)
    assert texts(ann) == {"Ann keeps bees."}
    assert ann.get("hobby", now=NOW).content == "Ann keeps bees."
    assert bob.count(now=NOW) == 1
    for change in (
        lambda: bob.get(held.uid, now=NOW),
        lambda: bob.update(held.uid, content="Mine.", now=NOW),
        lambda: bob.remove(held.uid, now=NOW),
        lambda: bob.forget(held.uid, now=NOW),
    ):
        with pytest.raises(UnknownMemory):
            change()
    with pytest.raises(CogmemError):
        bob.undo(held.act, now=NOW)
    assert "goats" not in ann.activate("What do I keep?", now=NOW).text
    assert not [line for line in bob.history.log() if held.uid in str(line)]
    ann.update("hobby", content="Ann keeps bees and hens.", now=NOW)
    assert texts(bob) == {"Bob keeps goats."}


@given(st.lists(st.tuples(USERS, st.integers(0, 9)), max_size=12))
def test_views_and_memories_opened_for_a_user_see_the_same(said: list[tuple[str, int]]) -> None:
    with cogmem.open(":memory:") as memory:
        for user, number in said:
            memory.as_user(user).learn(f"Fact {number} of {user or 'everyone'}.", now=NOW)
        for user in ("ann", "bob", ""):
            named = {f"Fact {n} of {u or 'everyone'}." for u, n in said if u in (user, "")}
            seen = texts(memory.as_user(user))
            assert seen == named or (not user and seen >= named)


def test_a_view_opens_nothing_and_closes_nothing(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db") as memory:
        memory.learn("The staging server is heron.", now=NOW)
        descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        views = [memory.as_user(f"user{number}") for number in range(500)]
        if descriptors:
            assert len(os.listdir("/proc/self/fd")) == descriptors
        with views[0] as view:
            view.learn("I keep bees.", now=NOW)
        views[1].close()
        assert views[0].count(now=NOW) == 2
        assert memory.file.check() == []


def test_threads_may_have_views_of_one_file(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db") as memory:

        def live(number: int) -> set[str]:
            view = memory.as_user(f"user{number}")
            for day in range(5):
                view.learn(f"User {number} wrote line {day}.", now=NOW + day)
                view.activate(f"What did I write on {day}?", session=f"s{number}", now=NOW + day)
            return texts(view)

        with ThreadPoolExecutor(8) as pool:
            for number, seen in enumerate(pool.map(live, range(8))):
                assert seen == {f"User {number} wrote line {day}." for day in range(5)}
        assert memory.file.check() == []


def test_an_awaited_memory_has_views_too(tmp_path: Path) -> None:
    async def lived() -> tuple[int, int]:
        async with cogmem.AsyncMemory(tmp_path / "m.db") as memory:
            ann, bob = memory.as_user("ann"), memory.as_user("bob")
            await asyncio.gather(ann.learn("I keep bees."), bob.learn("I keep goats."))
            await ann.close()
            return await ann.count(), await bob.count()

    assert asyncio.run(lived()) == (1, 1)


def test_none_is_nobody_in_particular_and_a_wrong_word_is_named(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db", user=None, project=None) as memory:
        assert memory.scope.project == ""
        with pytest.raises(TypeError, match="usr: no call takes this; whom it is for is said by"):
            memory.learn("Deploys need a green build.", usr="ann")  # type: ignore[call-arg]


def test_a_view_exports_its_own_and_does_not_show_the_whole_file(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db") as memory:
        memory.as_user("bob").learn("Bob keeps goats.", now=NOW)
        ann = memory.as_user("ann")
        ann.learn("Ann keeps bees.", now=NOW)
        told = "\n".join(ann.file.export())
        assert "bees" in told
        assert "goats" not in told
        for whole in (
            lambda: ann.file.query("select * from memory"),
            lambda: ann.file.backup(tmp_path / "copy.db"),
            lambda: list(ann.file.export(everywhere=True)),
        ):
            with pytest.raises(InvalidInput, match="is about the whole file"):
                whole()
        assert "goats" in "\n".join(memory.file.export())
