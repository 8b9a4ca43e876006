"""An import beside memories that are there: what it meets is joined, kept or named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conftest import NOW
from lived import fresh, lines, live_a_little

import cogmem

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., cogmem.Memory]


def test_what_is_here_stays_as_it_is(memory: cogmem.Memory) -> None:
    mine = memory.learn("The host is heron.", key="host", now=NOW)
    memory.conversation("talk").append("user", "Mine.", at=NOW)
    memory.file.label_project(
        type("Project", (), {"id": "p", "label": "ours", "root": "", "remote": ""})(), now=NOW
    )
    with fresh() as other:
        other.learn("The host is egret.", key="host", now=NOW)
        other.learn("Lunch is at noon.", now=NOW)
        other.conversation("talk").append("user", "Theirs.", at=NOW)
        other.conversation("more").append("user", "More.", at=NOW)
        out = lines(other)
    for _ in range(2):
        result = memory.file.import_(out, as_is=True, now=NOW + 1)
    assert result.added == {}
    assert result.skipped == {
        "memory: key taken here": 1,
        "memory: already here": 1,
        "conversation: already here": 2,
        "message: its conversation was left out": 2,
    }
    assert memory.get(mine.uid).content == "The host is heron."
    assert [row[0] for row in memory.db.ask("select text from message order by id")] == [
        "Mine.",
        "More.",
    ]
    assert memory.file.import_(['{"content": "lunch is  at NOON."}'], now=NOW + 2).skipped == {
        "memory: same text already here": 1
    }


def test_ties_follow_their_memories_and_messages_to_new_numbers(memory: cogmem.Memory) -> None:
    for number in range(5):
        memory.learn(f"Here before, number {number}.", now=NOW)
        memory.conversation("mine").append("user", f"Mine {number}.", at=NOW)
    with fresh() as other:
        live_a_little(other)
        out = lines(other)
    result = memory.file.import_(out, as_is=True, now=NOW + 50)
    assert result.bad == []
    ties = memory.db.ask(
        "select a.content, b.content, m.text from link l join memory a on a.id = l.from_id"
        " left join memory b on b.id = l.to_id left join message m on m.id = l.message_id"
        " where l.relation in ('related', 'evidence') order by l.id"
    )
    assert [(row[0][:13], row[1], row[2]) for row in ties] == [
        ("The cache lies"[:13], "Moved to heron.", None),
        ("The cache lies"[:13], None, "What is heron?"),
    ]
    superseded = memory.db.ask(
        "select n.content from fact f join memory n on n.id = f.superseded_by"
    )
    assert superseded == [("Moved to egret.",)]
    again = memory.file.import_(out, as_is=True, now=NOW + 51)
    assert again.added.keys() <= {"kind", "kind_alias", "setting", "gate_weight", "scope"}


def test_an_import_can_be_moved_into_one_scope(memory: cogmem.Memory) -> None:
    with fresh() as other:
        live_a_little(other)
        memory.file.import_(
            lines(other), as_is=True, owner={"user": "eve", "project": "p9"}, now=NOW
        )
    assert set(memory.db.ask("select user, project from memory")) == {("eve", "p9")}
    assert set(memory.db.ask("select user, project from conversation")) == {("eve", "p9")}


def test_caps_hold_for_imports(memory: cogmem.Memory) -> None:
    notes = [
        json.dumps({"content": f"Note {number}.", "kind": "user_note", "created_at": number})
        for number in range(85)
    ]
    memory.file.import_(notes, now=NOW)
    states = memory.db.ask("select state, count(*) from memory group by state order by state")
    assert states == [("archived", 5), ("candidate", 80)]
    assert memory.db.ask("select max(created_at) from memory where state = 'archived'") == [(4,)]
    facts = [
        json.dumps({"content": f"{number} " + "x" * 1500, "kind": "about_user"})
        for number in range(4)
    ]
    assert memory.file.import_(facts, now=NOW).skipped == {"memory: profile is full here": 2}
