"""A backlog of talk: a night hears so much of it, says what waits, and the next ones go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogmem.hear import catch_up

if TYPE_CHECKING:
    import cogmem

NOW = 1_800_000_000_000
DAY = 86_400_000
COUNT = 7


@pytest.fixture(autouse=True)
def _short_nights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catch_up, "A_NIGHT", 3)
    monkeypatch.setattr(catch_up, "CHUNK", 2)


def _talk(memory: cogmem.Memory, *, conversations: int = 1) -> None:
    for number in range(COUNT):
        talk = memory.conversation(f"c{number % conversations}")
        talk.append("user", f"Please always call bird number {number} by its name.", at=NOW - DAY)


def _note(memory: cogmem.Memory, at: int, *, hear_all: bool = False) -> str:
    night = memory.nightly(now=at, hear_all=hear_all)
    return str(next(job.note for job in night.jobs if job.job == "10_capture"))


@pytest.mark.parametrize("conversations", [1, 3])
def test_nights_go_on_until_all_is_heard_once(memory: cogmem.Memory, conversations: int) -> None:
    _talk(memory, conversations=conversations)
    first = _note(memory, NOW)
    assert first.startswith("3 messages read, 3 memories captured; 4 more wait to be heard")
    told = memory.file.doctor(now=NOW).warnings
    assert any("4 older messages wait to be heard" in warning for warning in told)
    assert _note(memory, NOW) == "it ran in 2027-01-15"
    assert _note(memory, NOW + DAY).startswith("3 messages read, 3 memories captured; 1 more waits")
    assert _note(memory, NOW + 2 * DAY) == "1 message read, 1 memory captured"
    assert len(memory.list(kind="preference", now=NOW)) == COUNT
    assert not any("to be heard" in one for one in memory.file.doctor(now=NOW).warnings)


def test_all_is_heard_at_once_where_somebody_wants_it(memory: cogmem.Memory) -> None:
    _talk(memory)
    _note(memory, NOW)
    assert _note(memory, NOW, hear_all=True) == "4 messages read, 4 memories captured"


def test_a_file_with_a_backlog_is_due_the_next_day(memory: cogmem.Memory) -> None:
    _talk(memory)
    due = memory.nightly(now=NOW).raw("due_at")
    assert due == (NOW // DAY + 1) * DAY


def test_a_rehearsed_night_hears_as_much_as_the_real_one(memory: cogmem.Memory) -> None:
    _talk(memory)
    night = memory.nightly(now=NOW, dry_run=True)
    assert len([one for one in night.jobs[0].changes or () if one.record == "memory"]) == 3
    assert _note(memory, NOW).startswith("3 messages read, 3 memories")
