"""Extraction from the record: stretch by stretch, each dealt with once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from extracted import GO, SAID

import cogmem
from cogmem.models.recorded import Scripted
from cogmem.night import tasks

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


def contents(mem: cogmem.Memory, **filters: Any) -> set[str]:
    return {row.content for row in mem.list(limit=0, now=NOW + DAY, **filters)}


def held(mem: cogmem.Memory, item: dict[str, Any], **place: Any) -> str:
    """A memory that an earlier extraction left."""
    return taught(mem, answer(item), **place).learned[0].uid


RUST = {**GO, "content": "Project Heron is written in Rust."}


def test_the_record_is_read_once_stretch_by_stretch_with_what_went_before(
    mem: cogmem.Memory,
) -> None:
    talk = mem.conversation("monday", user="ann")
    for n in range(6):
        talk.append("user", f"Statement {n}: " + "so it is " * 20, at=NOW + n)
    model = Scripted(lambda _, __: answer({**GO, "content": f"Heron has part {len(model.asked)}."}))
    done = mem.extraction.conversation(
        "monday", user="ann", model=model, characters=400, now=NOW + 10
    )
    assert len(done) == 3
    shown = [one["prompt"] for one in model.asked if "<talk>" in one["prompt"]]
    assert [prompt.count("<context>") for prompt in shown] == [0, 1, 1]
    assert ["Statement 1" in prompt for prompt in shown] == [True, False, False]
    assert mem.extraction.conversation("monday", user="ann", model=model, now=NOW + 20) == []
    talk.append("user", "One more thing.", at=NOW + 30)
    assert len(mem.extraction.conversation("monday", user="ann", model=model, now=NOW + 40)) == 1
    assert {row.user for row in mem.list(everywhere=True, now=NOW)} == {"ann"}


def test_a_memory_is_tied_to_the_message_that_says_it(mem: cogmem.Memory) -> None:
    talk = mem.conversation("monday")
    talk.append("user", "Good morning to you.", at=NOW)
    talk.append("user", "Project Heron is written in Go.", at=NOW)
    (done,) = mem.extraction.conversation("monday", model=Scripted(answer(GO)), now=NOW + 1)
    rows = mem.file.query(
        "select g.seq from link l join memory m on m.id = l.from_id join message g on g.id = l.message_id"
        f" where m.uid = '{done.learned[0].uid}' and l.relation = 'evidence'"
    ).rows
    assert [row[0] for row in rows] == [1]


def test_dates_count_from_when_it_was_said_also_in_a_later_try(mem: cogmem.Memory) -> None:
    event = {"category": "events", "content": "Heron was released yesterday.", "keywords": []}
    mem.conversation("monday").append("user", "Heron was released yesterday.", at=NOW - 100 * DAY)
    mem.extraction.conversation("monday", model=Scripted(answer(event)), now=NOW)
    said = [{"role": "user", "content": "Heron was shown yesterday.", "at": NOW - 100 * DAY}]
    mem.extraction.run(said, model=Scripted(RuntimeError()), now=NOW)
    mem.model = Scripted(answer({**event, "content": "Heron was shown yesterday."}))
    mem.models.fill(now=NOW + DAY)
    rows = mem.list(kind="events", now=NOW)
    assert len(rows) == 2
    for row in rows:
        assert row.detail["happened_at"] == NOW - 100 * DAY
        assert "2026-10-06" in row.content


def test_a_stretch_whose_call_failed_is_read_by_the_next_try(mem: cogmem.Memory) -> None:
    mem.conversation("monday").append("user", "Project Heron is written in Go.", at=NOW)
    for _ in range(2):
        (done,) = mem.extraction.conversation("monday", model=Scripted(RuntimeError()), now=NOW + 1)
        assert done.waiting
    assert len(tasks.list_tasks(mem.db)) == 1
    mem.model = Scripted(answer(GO))
    assert mem.models.fill(now=NOW + DAY).filled == 1
    assert contents(mem) == {GO["content"]}
    assert (
        mem.extraction.conversation("monday", model=Scripted(answer(TEA)), now=NOW + 2 * DAY) == []
    )


def test_nothing_worth_keeping_marks_the_stretch_as_read(mem: cogmem.Memory) -> None:
    mem.conversation("monday").append("user", "Hello there, how are you?", at=NOW)
    (done,) = mem.extraction.conversation("monday", model=Scripted(answer()), now=NOW + 1)
    assert (done.by, done.learned, done.waiting) == ("model", [], "")
    assert mem.extraction.conversation("monday", model=Scripted(answer(GO)), now=NOW + 2) == []


def test_a_stretch_that_another_process_took_meanwhile_is_left_to_it(mem: cogmem.Memory) -> None:
    mem.conversation("monday").append("user", "Project Heron is written in Go.", at=NOW)

    def slow(_: str, __: Any) -> str:
        mem.extraction.conversation("monday", model=Scripted(answer(GO)), now=NOW + 1)
        return answer({**GO, "content": "Something that is not to be stored twice."})

    assert mem.extraction.conversation("monday", model=Scripted(slow), now=NOW + 2) == []
    assert contents(mem) == {GO["content"]}


def test_a_memory_that_was_changed_meanwhile_is_left_as_it_is(mem: cogmem.Memory) -> None:
    old = held(mem, GO)

    def slow(_: str, __: Any) -> str:
        mem.update(old, content="Project Heron is written in Zig.", now=NOW + 1)
        return verdicts({"index": 0, "action": "delete", "target_id": 1})

    done = taught(mem, answer(RUST), slow, now=NOW + 2)
    assert "changed meanwhile" in done.proposals[0].reason
    assert contents(mem) == {"Project Heron is written in Zig.", RUST["content"]}


def test_no_call_is_made_within_a_transaction(mem: cogmem.Memory) -> None:
    model = Scripted(answer(GO))
    with mem.db.together():
        done = mem.extraction.run(SAID, model=model, now=NOW)
    assert model.asked == []
    assert "within a transaction" in done.fault
    busy: list[bool] = []

    def look(_: str, __: Any) -> str:
        busy.append(bool(mem.db.connection.in_transaction))
        return answer(GO)

    mem.extraction.run(SAID, model=Scripted(look), now=NOW)
    assert busy == [False]
