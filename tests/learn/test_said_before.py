"""What a person said before, and no memory holds, is ended by what they say now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import DAY, NOW

from cogmem.learn.decide import learn
from cogmem.records import Draft

if TYPE_CHECKING:
    import cogmem

OLD = "She likes gardening books. I live in Leiden at the moment, so order something that ships there."


def said(memory: cogmem.Memory, session: str, text: str, at: int) -> None:
    talk = memory.conversation(session)
    talk.append("user", text, at=at)
    memory.capture_conversation(session, now=at)
    talk.append("assistant", "Noted.", at=at + 1)


def test_who_moved_lives_no_more_where_they_once_said(memory: cogmem.Memory) -> None:
    said(memory, "a", OLD, NOW)
    assert not any("Leiden" in row.content for row in memory.list(limit=0))
    said(memory, "b", "We relocated to Porto yesterday! Boxes everywhere.", NOW + 9 * DAY)
    rows = {row.content: row for row in memory.list(limit=0)}
    (old,) = [row for text, row in rows.items() if "Leiden" in text]
    (new,) = [row for text, row in rows.items() if "Porto" in text]
    assert old.detail["superseded_by"] == new.uid
    assert old.detail["valid_from"] == NOW
    text = memory.activate("Which city do I live in?", session="q", now=NOW + 12 * DAY).text
    assert "Porto" in text
    assert "Leiden" not in text


def test_what_a_backfill_finds_makes_nothing_true_that_it_would_end(memory: cogmem.Memory) -> None:
    said(memory, "a", OLD, NOW)
    batch = memory.backfilled.new_batch()
    for data, held in (({"batch": batch}, False), ({}, True)):
        draft = Draft(
            "We relocated to Porto yesterday!",
            "fact",
            memory.scope,
            source="observed",
            said_at=NOW + 9 * DAY,
            data={"rule": "said once", **data},
        )
        learn(memory.store, draft, now=NOW + 10 * DAY, profile="capture")
        assert any("Leiden" in row.content for row in memory.list(limit=0)) is held
        if not held:
            memory.backfilled.undo(batch, now=NOW + 11 * DAY)
            assert memory.db.ask("select count(*) from memory") == [(0,)]


def test_what_another_person_said_is_not_looked_at(memory: cogmem.Memory) -> None:
    said(memory.as_user("bob"), "a", OLD, NOW)
    said(memory, "b", "We relocated to Porto yesterday!", NOW + 9 * DAY)
    assert not any("Leiden" in row.content for row in memory.list(limit=0))


def test_talk_without_a_change_brings_nothing_back(memory: cogmem.Memory) -> None:
    said(memory, "a", OLD, NOW)
    said(memory, "b", "Porto is lovely in spring, I hear.", NOW + 9 * DAY)
    assert not any("Leiden" in row.content for row in memory.list(limit=0))
