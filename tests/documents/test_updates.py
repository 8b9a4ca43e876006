"""Updates: what changed is told once, at the tail of the next prompt of the sessions it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW

from cogmem.documents import sections

if TYPE_CHECKING:
    from pathlib import Path

    import cogmem


def test_k11_a_change_appears_once_at_the_tail_and_in_the_next_session_s_head(
    mem: cogmem.Memory, cwd: Path
) -> None:
    first = mem.activate("one", session="s", now=NOW + 1)
    mem.documents.save("Deploys", "Blue button first", "Then wait.", now=NOW + 2)
    mem.documents.note("# lint before tests", now=NOW + 3)
    mem.documents.write(str(cwd / "AGENTS.md"), "Short now.", now=NOW + 4)
    told = mem.activate("two", session="s", now=NOW + 5)
    for text in ("Blue button first", "lint before tests", "Short now."):
        assert text in told.volatile
        assert text not in told.stable
    silent = mem.activate("three", session="s", now=NOW + 6)
    assert "Changed since" not in silent.volatile
    assert first.stable == told.stable == silent.stable
    later = mem.activate("one", session="next", now=NOW + 7)
    assert "[Deploys](deploys.md) — Blue button first" in later.stable
    assert "Short now." in later.stable
    assert "Changed since" not in later.volatile


def test_k11_an_edit_by_hand_is_told_to_sessions_that_run(mem: cogmem.Memory, cwd: Path) -> None:
    mem.activate("one", session="s", now=NOW + 1)
    (cwd / "AGENTS.md").write_text("rewritten by hand")
    mem.documents.sync(now=NOW + 2)
    told = mem.activate("two", session="s", now=NOW + 3)
    assert f"{cwd / 'AGENTS.md'} was changed" in told.volatile
    (cwd / "AGENTS.md").unlink()
    mem.activate("one", session="other", now=NOW + 4)  # a session that begins looks at the disk
    assert "is gone" in mem.activate("three", session="s", now=NOW + 5).volatile


def test_k11_nobody_hears_of_another_project_s_or_user_s_files(mem: cogmem.Memory) -> None:
    mem.activate("one", session="s", project="elsewhere", now=NOW + 1)
    mem.activate("one", session="s", project="", now=NOW + 1)
    mem.activate("one", session="s", user="bob", now=NOW + 1)
    mem.documents.note("# here only", now=NOW + 2)
    heard = [
        "here only" in mem.activate("two", session="s", now=NOW + 3, **who).volatile
        for who in ({"project": "elsewhere"}, {"project": ""}, {"user": "bob"})
    ]
    assert heard == [False, False, True]  # a project's document is for all who work on it
    mem.documents.note("#user: for me everywhere", now=NOW + 4)
    assert "for me" in mem.activate("3", session="s", project="elsewhere", now=NOW + 5).volatile


def test_k11_a_session_that_ended_or_is_long_over_gets_no_note(mem: cogmem.Memory) -> None:
    mem.activate("one", session="old", now=NOW + 1)
    mem.documents.note("# late", now=NOW + 2 + sections.RUNNING_MS)
    assert mem.db.ask("select count(*) from pending_update") == [(0,)]


def test_k12_notes_that_wait_are_bounded(mem: cogmem.Memory) -> None:
    mem.activate("one", session="s", now=NOW + 1)
    most = 0
    for number in range(600):
        steps = sections.tell([f"note {number}"], "", "", NOW + 2)
        mem.db.write(steps, verb="documents", at=NOW + 2)
        if number % 25 == 0 or number > 250:
            most = max(most, mem.db.ask("select count(*) from pending_update")[0][0])
    kept = [row[0] for row in mem.db.ask("select note from pending_update order by id")]
    assert most == 256
    assert kept[-1] == "note 599"
    assert kept == [f"note {number}" for number in range(600 - len(kept), 600)]


def test_k12_a_note_is_short_and_many_at_once_become_one(mem: cogmem.Memory) -> None:
    mem.activate("one", session="s", now=NOW + 1)
    steps = sections.tell(["x" * 9_000, *(f"n{i}\nn" for i in range(40)), " "], "", "", NOW)
    mem.db.write(steps, verb="documents", at=NOW)
    notes = [row[0] for row in mem.db.ask("select note from pending_update order by id")]
    assert len(notes) == sections.NOTES_AT_ONCE
    assert max(map(len, notes)) <= sections.NOTE_LENGTH + 1
    assert notes[-1] == "34 more saved memories and documents were changed."
    assert not any("\n" in note for note in notes)
