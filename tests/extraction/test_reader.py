"""The scopes and options of one extraction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from extracted import GO, SAID

import cogmem
from cogmem.errors import InvalidInput, UnknownName
from cogmem.models.recorded import Scripted

if TYPE_CHECKING:
    from cogmem.extraction.work import Extracted


TEA = {"category": "preferences", "content": "Mara prefers green tea.", "keywords": ["tea"]}


def answer(*items: dict[str, Any]) -> str:
    return json.dumps({"memories": list(items)})


def verdicts(*items: dict[str, Any]) -> str:
    return json.dumps({"results": list(items)})


def allow(memory: cogmem.Memory, calls: int = 1000) -> None:
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", str(calls), actor="person", now=NOW)


@pytest.fixture
def mem(memory: cogmem.Memory) -> cogmem.Memory:
    allow(memory)
    return memory


def taught(
    mem: cogmem.Memory, *answers: Any, said: Any = SAID, now: int = NOW, **how: Any
) -> Extracted:
    return mem.extraction.run(said, model=Scripted(*answers), now=now, **how)


def held(mem: cogmem.Memory, item: dict[str, Any], **place: Any) -> str:
    """A memory that an earlier extraction left."""
    return taught(mem, answer(item), **place).learned[0].uid


RUST = {**GO, "content": "Project Heron is written in Rust."}


def test_f42_the_session_is_left_out_unless_it_is_wanted(mem: cogmem.Memory) -> None:
    held(mem, GO, user="ann", session="s1")
    assert mem.list(everywhere=True, now=NOW)[0].session == ""
    uid = held(
        mem,
        {**GO, "content": "Heron needs a database."},
        user="ann",
        session="s1",
        strip_session=False,
    )
    row = mem.store.get(uid, mem.scope.replacing(everywhere=True), NOW)
    assert (row.user, row.session) == ("ann", "s1")
    uid = held(
        mem, {**GO, "content": "Heron has a queue."}, user="ann", session="ann", strip_session=False
    )
    assert mem.store.get(uid, mem.scope.replacing(everywhere=True), NOW).session == ""
    uid = held(mem, {**GO, "content": "Heron has tests."}, user="ann", session="s1", timeline="t9")
    assert mem.store.get(uid, mem.scope.replacing(everywhere=True), NOW).session == "t9"


def test_f42_shared_kinds_lose_user_and_session_and_what_a_person_likes_stays_theirs(
    mem: cogmem.Memory,
) -> None:
    habit = {**TEA, "category": "pattern", "content": "Builds break when the cache is stale."}
    row = mem.get(held(mem, habit, user="ann", session="s1", strip_session=False), now=NOW)
    assert (row.user, row.session) == ("", "")
    uid = held(mem, TEA, user="ann", session="s1", strip_session=False)
    seen = {one.uid: one.user for one in mem.list(everywhere=True, now=NOW)}
    assert seen[uid] == "ann"


def test_f42_stripping_the_session_looks_into_every_session_of_the_user(mem: cogmem.Memory) -> None:
    held(mem, GO, user="ann", session="s1", strip_session=False)

    def offered(**how: Any) -> int:
        done = taught(
            mem, answer(RUST), verdicts({"index": 0, "action": "skip"}), user="ann", **how
        )
        return len(done.proposals[0].offered)

    assert offered(session="s2") == 1
    assert offered(session="s2", strip_session=False) == 0
    assert offered(session="s1", strip_session=False) == 1


def test_f42_each_call_may_set_any_option(mem: cogmem.Memory) -> None:
    done = taught(mem, answer(GO, TEA), kinds=["preference"])
    assert [one.outcome for one in done.proposals] == ["dropped", "inserted"]
    assert "not among the kinds" in done.proposals[0].reason
    uid = held(mem, GO, user="ann", scoped=False)
    assert mem.get(uid, now=NOW).user == ""
    done = taught(
        mem, answer(*[{**GO, "content": f"Heron has part {n}."} for n in range(5)]), most=2
    )
    assert [one.outcome for one in done.proposals].count("dropped") == 3
    with pytest.raises(InvalidInput, match="no option colour"):
        taught(mem, answer(GO), colour="red")
    with pytest.raises(UnknownName, match="nonsense"):
        taught(mem, answer(GO), kinds=["nonsense"])


def test_f35_f41_another_user_s_memories_are_never_offered(mem: cogmem.Memory) -> None:
    held(mem, GO, user="ann")
    done = taught(
        mem, answer(RUST), verdicts({"index": 0, "action": "delete", "target_id": 1}), user="bob"
    )
    assert done.proposals[0].offered == []
    assert done.calls == 1
    assert {row.user for row in mem.list(everywhere=True, now=NOW)} == {"ann", "bob"}
