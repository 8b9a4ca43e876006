"""What depends on a fact that is over is marked wherever it is shown, until somebody confirms or changes it.

Modules: language.doubt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st

from cogmem.errors import InvalidInput
from cogmem.language.doubt import gone_words
from cogmem.language.judge import read_both
from cogmem.language.statement import read

if TYPE_CHECKING:
    import cogmem

MARK = "check: heron was replaced on"


@pytest.fixture
def moved(memory: cogmem.Memory) -> cogmem.Memory:
    """Staging was heron, and two things rest on that."""
    memory.learn("Our staging host is heron", key="auto.staging", now=NOW)
    memory.learn("The deploy script copies the build to heron", now=NOW)
    steps = ["stop writers", "ssh heron", "start writers"]
    memory.procedure("deploy-staging", steps, description="How to deploy staging", now=NOW)
    memory.learn("The deploy script is written in bash", now=NOW)
    assert memory.learn("We replaced heron with crane", now=NOW + DAY).outcome == "superseded"
    return memory


def shown(memory: cogmem.Memory, prompt: str) -> list[str]:
    return memory.activate(prompt, now=NOW + 2 * DAY).text.splitlines()


def test_what_names_what_is_over_is_marked(moved: cogmem.Memory) -> None:
    lines = shown(moved, "what does the deploy script do?")
    assert any("copies the build" in line and MARK in line for line in lines)
    assert not any("bash" in line and "check" in line for line in lines)
    told = {row.content: row.why for row in moved.facts.doubts()}
    assert set(told) == {"The deploy script copies the build to heron", "How to deploy staging"}
    assert all(why.startswith(MARK) for why in told.values())
    found = moved.recall("deploy script", now=NOW + 2 * DAY)
    assert MARK in next(row.text for row in found if "copies" in row.content)


def test_every_door_tells_the_doubt(moved: cogmem.Memory) -> None:
    now = NOW + 2 * DAY
    uid = next(row.uid for row in moved.facts.doubts() if row.content == "How to deploy staging")
    assert MARK in moved.get(uid, now=now).line
    listed = {row.uid for row in moved.list(limit=0, now=now) if MARK in row.line}
    assert listed == {row.uid for row in moved.facts.doubts()}
    assert MARK in str(moved.get(uid, now=now).as_dict()["ending"])
    turn = moved.activate("How do I deploy staging?", now=now).text
    assert "ssh heron" in turn
    assert MARK in turn


def test_undoing_the_change_takes_the_doubt_back(moved: cogmem.Memory) -> None:
    act = moved.db.ask("select act from change where verb = 'learn' order by id desc limit 1")[0][0]
    moved.undo(act, now=NOW + 2 * DAY)
    assert moved.facts.doubts() == []
    assert not any("check" in line for line in shown(moved, "what does the deploy script do?"))


def test_a_confirmed_one_is_shown_without_a_mark(moved: cogmem.Memory) -> None:
    rows = {row.content: row.uid for row in moved.facts.doubts()}
    moved.facts.confirm(rows["How to deploy staging"], now=NOW + 2 * DAY)
    moved.learn("The deploy script copies the build to heron", now=NOW + 2 * DAY)
    assert moved.facts.doubts() == []


def test_a_changed_one_is_in_doubt_no_more(moved: cogmem.Memory) -> None:
    row = moved.facts.doubts()[0]
    moved.update(row.uid, content="The deploy script copies the build to crane", now=NOW + 2 * DAY)
    assert row.uid not in {one.uid for one in moved.facts.doubts()}


def test_what_was_told_to_depend_needs_no_name(memory: cogmem.Memory) -> None:
    lease = memory.learn("The lease of the shop runs until 2029", now=NOW).uid
    plan = memory.learn("We build a new kitchen for the shop in spring", now=NOW).uid
    memory.facts.depend(plan, lease, now=NOW)
    memory.facts.retire(lease, now=NOW + DAY)
    assert [row.uid for row in memory.facts.doubts()] == [plan]
    with pytest.raises(InvalidInput, match="itself"):
        memory.facts.depend(plan, plan)


def test_another_users_memories_are_left_alone(memory: cogmem.Memory) -> None:
    memory.learn("Our staging host is heron", now=NOW)
    with memory.as_user("bob") as bob:
        bob.learn("My deploy script copies the build to heron", now=NOW)
    memory.learn("Staging moved to crane", now=NOW + DAY)
    assert memory.facts.doubts() == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_gone_stands_in_the_older_text(old: str, new: str) -> None:
    words = gone_words(old, new)
    assert len(words) <= 2
    assert set(words) <= {word.said for word in read(old).words} | {
        word.said for word in read_both(old, new)[0].words
    }
