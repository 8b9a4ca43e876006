"""An import beside memories that are there: what it meets is joined, kept or named.

Modules: import_rows, import_memories.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conftest import NOW
from hypothesis import strategies as st

import cogmem
from cogmem.exchange import form
from cogmem.file.pristine import pristine
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., cogmem.Memory]


def fresh(driver: str = "apsw", path: str = ":memory:", **options: Any) -> cogmem.Memory:
    return cogmem.open(path, driver=driver, counter=counting.Simple(), **options)


def lines(mem: cogmem.Memory, **options: Any) -> list[str]:
    return list(mem.file.export(**options))


def row(table: str, **given: Any) -> tuple[str, dict[str, Any]]:
    """A step that inserts a whole row."""
    return pristine().insert(table), form.whole(pristine(), table, given)


def live_a_little(mem: cogmem.Memory) -> None:
    """Something in every table that goes out."""
    mem.store.add_kind(
        {
            "name": "gotcha",
            "layer": "semantic",
            "meaning": "It surprises.",
            "weight": 1.0 / 3,
            "default_priority": 2,
            "half_life_days": 10.5,
            "is_baseline": 0,
            "is_pinned": 0,
            "is_shared": 0,
            "needs_person": 0,
            "max_rows": None,
            "max_characters": None,
            "capacity_policy": "refuse",
        },
        actor="test",
        now=NOW,
    )
    mem.db.write(
        [("store.set_alias", {"vocabulary": "", "alias": "trap", "kind": "gotcha"})],
        verb="kind",
        actor="test",
        at=NOW,
    )
    mem.store.set_setting("budget_tokens", "900", actor="test", now=NOW)
    weight = {"table": "gate_weight", "name": "memory.bias", "weight": -20.0 / 3, "meaning": "x"}
    mem.file.import_([json.dumps(weight)], as_is=True, now=NOW)
    mem.learn("The cache lies — 缓存 ünï\u2028code\ttab.", "trap", tags=["a b", "ü"], now=NOW + 1)
    mem.learn("Moved to heron.", topic="host", valid_from=NOW, user="ann", now=NOW + 2)
    mem.learn("Moved to egret.", topic="host", valid_from=NOW + 9, user="ann", now=NOW + 3)
    gone = mem.learn("Nobody needs this.", now=NOW + 4)
    mem.remove(gone.uid, now=NOW + 5)
    mem.learn("Only in this project.", path="src/**", project="p1", now=NOW + 6)
    old = mem.learn("Out of use.", now=NOW + 6)
    mem.archive(old.uid, now=NOW + 7)
    mem.episode("It broke", "failure", session_name="s", turns=3, happened_at=NOW - 5, now=NOW + 8)
    mem.procedure("release", ["bump", "tag"], context="on Mondays", now=NOW + 9)
    mem.tried("release", success=False, now=NOW + 10)
    mem.recall("cache", now=NOW + 11)
    talk = mem.conversation("talk", user="ann")
    for number, word in enumerate(["Hello", "What is heron?", "A server."]):
        talk.append(["user", "user", "assistant"][number], word, at=NOW + number)
    mem.activate("heron", session="s", now=NOW + 12)
    rows = mem.db.ask("select id from memory order by id limit 2")
    first, second = rows[0][0], rows[1][0]
    mem.db.write(
        [
            row("link", from_id=first, relation="related", to_id=second, created_at=NOW),
            row("link", from_id=first, relation="evidence", message_id=2, created_at=NOW),
            row(
                "document",
                path="/x/AGENTS.md",
                name="AGENTS.md",
                scope="project",
                project="p1",
                hash="00",
                size=3,
                body="# A",
                memory_id=second,
                modified_at=NOW,
                seen_at=NOW,
            ),
            row("document_section", document_id=1, position=0, heading="A", content="Words."),
        ],
        verb="test",
        actor="test",
        at=NOW + 13,
    )
    mem.file.label_project(
        type("Project", (), {"id": "p1", "label": "one", "root": "/x", "remote": ""})(),
        now=NOW + 14,
    )


json_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)

odd_lists = st.sampled_from(["[]", '["a","b"]', '["a", "b"]', '[ "a" ]', "[1, 2.50, null]"])

odd_objects = st.sampled_from(["{}", '{"a":1}', '{"a": 1}', '{"a": 1e400}', '{"a": 1, "a": 2}'])

instants = st.integers(0, 4_000_000_000_000)

rows = st.fixed_dictionaries(
    {
        "content": json_text.map(lambda text: f"x{text}"), "kind": st.sampled_from(["fact", "policy", "note"]),
        "created_at": instants, "updated_at": instants, "reinforced_at": instants,
    },
    optional={
        "uid": st.integers(0, 2**64 - 1).map(lambda number: f"mem_{number:016x}"),
        "tags": odd_lists, "data": odd_objects, "path_glob": json_text, "terms": json_text,
        "user": json_text, "project": json_text, "session": json_text, "runtime": json_text,
        "priority": st.integers(1, 4), "trust": st.floats(0, 1), "polarity": st.sampled_from([1, -1]),
        "state": st.sampled_from(["candidate", "active", "deleted"]), "tokens": st.integers(0, 99),
        "reinforcement_count": st.integers(1, 9), "accessed_at": instants, "expires_at": instants,
        "fact": st.fixed_dictionaries(
            {}, optional={"topic": json_text, "confidence": st.floats(0, 1), "valid_to": instants}
        ),
    },
)  # fmt: skip


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
