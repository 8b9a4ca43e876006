"""What memories earned: followed, set right, told at an act; counted once, whatever runs again.

Modules: earned.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import ran

import cogmem

if TYPE_CHECKING:
    import pytest

NOW = 1_800_000_000_000
HOUR = 3_600_000
DAY = 24 * HOUR


def ask(mem: cogmem.Memory, prompt: str, reply: str, at: int) -> list[str]:
    """The first turn of a session, as a host has it: prompt, memory, answer."""
    session = f"s{at}"
    talk = mem.conversation(session)
    turn = mem.activate(prompt, session=session, now=at)
    talk.append("user", prompt, at=at)
    talk.append("assistant", reply, at=at + 60_000)
    return [item.ref for item in turn.items if item.layer != "A"]


def counts(mem: cogmem.Memory) -> dict[str, tuple[int, int, int, int]]:
    return {
        one.content: (one.shown, one.followed, one.corrected, one.at_act)
        for one in mem.turns.earned(everywhere=True)
    }


def test_what_the_agent_did_next_follows_a_memory_or_does_not(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("The staging server is heron behind the bastion.", now=NOW)
        assert ask(
            mem, "Which is the staging server?", "It is heron, behind the bastion.", NOW + HOUR
        )
        assert ask(mem, "What runs on the staging server?", "Nothing that I know.", NOW + 2 * HOUR)
        mem.nightly(now=NOW + DAY)
        text = "The staging server is heron behind the bastion."
        assert counts(mem) == {text: (2, 1, 0, 0)}
        mem.nightly(now=NOW + DAY + HOUR, force=True)
        assert counts(mem) == {text: (2, 1, 0, 0)}, "a turn is counted once"
        ask(mem, "Which is the staging server?", "Heron behind the bastion.", NOW + DAY + 2 * HOUR)
        mem.nightly(now=NOW + 2 * DAY)
        assert counts(mem)[text] == (3, 2, 0, 0)
        assert mem.file.query("select followed from earned").rows == [(2,)]
        assert mem.file.check() == []


def test_what_a_person_sets_right_after_it_was_shown_is_asked_about(path: str) -> None:
    with cogmem.open(path) as mem:
        uid = mem.learn("The staging server is heron.", key="staging", now=NOW).uid
        for number, name in enumerate(("crane", "stork"), 1):
            at = NOW + number * HOUR
            assert ask(mem, "Which is the staging server?", "I look it up.", at) == [uid]
            mem.update(uid, content=f"The staging server is {name}.", now=at + 120_000)
        mem.nightly(now=NOW + DAY)
        assert counts(mem) == {"The staging server is stork.": (2, 0, 2, 0)}
        [asked] = [one for one in mem.many.suspects() if one.uid == uid]
        assert asked.reason == "set right 2 times after it was shown"


def test_what_was_told_at_an_act_counts(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Never run make deploy on a Friday.", kind="policy", now=NOW)
        told = mem.at_act(command="make deploy", session="s", now=NOW + HOUR)
        assert told.text
        mem.nightly(now=NOW + DAY)
        assert counts(mem) == {"Never run make deploy on a Friday.": (0, 0, 0, 1)}


def test_the_command_lists_it_and_says_what_to_do_where_nothing_is_counted(path: str) -> None:
    def run() -> str:
        command = [sys.executable, "-m", "cogmem", "--db", path, "turn", "earned"]
        return ran(command, check=True).stdout

    with cogmem.open(path) as mem:
        mem.learn("The staging server is heron behind the bastion.", now=NOW)
        ask(mem, "Which is the staging server?", "It is heron, behind the bastion.", NOW + HOUR)
    assert "a night counts" in run()
    with cogmem.open(path) as mem:
        mem.nightly(now=NOW + DAY)
    assert "heron" in run()


@settings(max_examples=examples(16), deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6))
def test_nights_between_turns_change_no_count(
    tmp_path_factory: pytest.TempPathFactory, days: list[tuple[bool, bool]]
) -> None:
    path = str(tmp_path_factory.mktemp("earned") / "m.db")
    with cogmem.open(path) as mem:
        mem.learn("The staging server is heron behind the bastion.", now=NOW)
        followed = 0
        for number, (follows, with_night) in enumerate(days, 1):
            reply = "Heron behind the bastion." if follows else "I do not know."
            shown = ask(mem, "Which is the staging server?", reply, NOW + number * DAY)
            followed += follows and bool(shown)
            if with_night:
                mem.nightly(now=NOW + number * DAY + 3 * HOUR)
        mem.nightly(now=NOW + (len(days) + 1) * DAY, force=True)
        [(shown_times, times, _, _)] = counts(mem).values()
        assert times == followed
        assert times <= shown_times <= len(days)
