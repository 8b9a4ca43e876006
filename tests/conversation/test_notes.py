"""What a session keeps beside its talk: a buffer of lines and one pinned text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from talks import SESSION

import cogmem
from cogmem.conversation.sessions import buffer_line, checked_session, short
from cogmem.errors import GuardRefused, InvalidInput

if TYPE_CHECKING:
    from cogmem import Memory

SECRET = "sk-" + "a1B2" * 10


def test_o14_a_line_of_the_buffer_is_one_clean_line() -> None:
    assert buffer_line("user", "line\n5\twith\rbreaks", NOW) == "08:00  user  line 5 with breaks"
    assert buffer_line("agent", " padded ", NOW) == "08:00  agent   padded "
    assert short("x" * 101) == "x" * 97 + "..."
    assert short("x" * 100) == "x" * 100


def test_o14_the_buffer_is_saved_with_its_session_and_restored_on_continue(
    path: str, driver: str
) -> None:
    with cogmem.open(path, driver=driver, session="s1") as memory:
        notes = memory.sessions.notes()
        for number in range(23):
            notes.say("user", f"line {number}", NOW)
        notes.say("agent", f"the key is {SECRET}", NOW)
    with cogmem.open(path, driver=driver, session="s1") as memory:
        lines = memory.sessions.notes().lines()
        assert len(lines) == 20
        assert lines[0] == "08:00  user  line 4"
        assert SECRET not in lines[-1]
        memory.sessions.notes().restore(["a", "b"], NOW)
        assert memory.sessions.notes().lines() == ["a", "b"]
        memory.sessions.notes().clear(NOW)
        assert memory.sessions.notes("s1").lines() == memory.sessions.notes("s2").lines() == []
        off = memory.sessions.notes(capacity=0)
        off.say("user", "x", NOW)
        assert off.lines() == []
        assert memory.file.check() == []


def test_g19_a_pin_is_one_text_that_is_replaced_and_cleared(memory: Memory) -> None:
    notes = memory.sessions.notes("s1")
    assert notes.pinned == ""
    assert notes.pin("Work on branch heron.", NOW) == notes.pinned == "Work on branch heron."
    notes.pin("Work on branch otter.", NOW)
    assert notes.pinned == "Work on branch otter."
    for wipe in ("clear", "", "CLEAR "):
        notes.pin("x", NOW)
        assert notes.pin(wipe, NOW) == notes.pinned == ""
    with pytest.raises(GuardRefused):
        notes.pin(f"use {SECRET}", NOW)
    with pytest.raises(InvalidInput, match="65,536 bytes"):
        notes.pin("x" * 65_537, NOW)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "a..b", "a\0b", "  "])
def test_o16_a_session_s_name_is_no_path(name: str, memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        checked_session(name)
    with pytest.raises(InvalidInput):
        memory.sessions.notes(name)
    assert memory.sessions.conclude(name, messages=SESSION) == []
