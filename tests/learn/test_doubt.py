"""What depends on a fact that is over is marked wherever it is shown, until somebody confirms or changes it.

Modules: language.doubt.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput
from cogmem.language.doubt import gone_words
from cogmem.language.judge import read_both
from cogmem.language.statement import read

if TYPE_CHECKING:
    from pathlib import Path

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


def test_files_and_pages_tell_the_doubt(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with cogmem.open(path) as memory:
        memory.learn("Our staging host is heron", now=NOW)
        memory.learn("The deploy script copies the build to heron", now=NOW)
        memory.learn("We replaced heron with crane", now=NOW + DAY)
        sheet = "".join(memory.file.export(form="csv"))
        lines = list(memory.file.export())
        page = memory.store.db.rows("inspect.doubted", {"user": "", "project": "", "limit": 10})
    assert [MARK in row for row in sheet.splitlines() if "copies the build" in row] == [True]
    row = next(json.loads(line) for line in lines if "copies the build" in line)
    assert MARK in row["line"]
    assert MARK in page[0]["why"]
    with cogmem.open(str(tmp_path / "other.db")) as other:
        other.file.import_(lines)
        assert [MARK in row.why for row in other.facts.doubts()] == [True]


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


def test_the_newer_of_two_tells_the_older_until_somebody_settles_it(memory: cogmem.Memory) -> None:
    old = memory.learn("The office door is red", source="observed", now=NOW).uid
    new = memory.learn("The office door is green", source="observed", now=NOW + DAY).uid
    told = "The office door is green (earlier: The office door is red)"
    assert memory.get(new, now=NOW + DAY).line == told
    assert [line for line in shown(memory, "What is the office door?") if "door" in line] == [
        f"- {told}"
    ]
    assert [row.uid for row in memory.facts.conflicts()] == [new]
    memory.facts.settle(new, old, keep=new, now=NOW + 2 * DAY)
    assert "earlier" not in memory.get(new, now=NOW + 2 * DAY).line


def test_confirming_the_newer_one_ends_the_older(memory: cogmem.Memory) -> None:
    memory.learn("The build takes about ten minutes", now=NOW)
    waits = memory.learn("The build takes about three minutes", source="tool", now=NOW + DAY)
    assert waits.outcome == "candidate"
    memory.restore(waits.uid, now=NOW + 2 * DAY)
    assert memory.facts.conflicts() == []
    lines = shown(memory, "How long does the build take?")
    assert [line for line in lines if "minutes" in line] == [
        "- The build takes about three minutes [from a tool]"
    ]


def test_what_ends_later_casts_doubt_later(memory: cogmem.Memory) -> None:
    lease = memory.learn("The lease of the shop is cheap", now=NOW).uid
    plan = memory.learn("We build a new kitchen in spring", now=NOW).uid
    memory.facts.depend(plan, lease, now=NOW)
    memory.facts.retire(lease, ends=NOW + 9 * DAY, now=NOW + DAY)
    assert memory.facts.doubts() == []
    memory.learn("Tea is at four", now=NOW + 10 * DAY)
    assert [row.why for row in memory.facts.doubts()] == [
        "check: “The lease of the shop is cheap” was over on 24 January 2027"
    ]


def test_what_a_key_held_before_casts_doubt_until_somebody_confirms(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Staging is heron", key="staging", now=NOW)
    uid = memory.learn("The deploy script copies the build to heron", now=NOW).uid
    memory.learn("Staging is heron", key="staging", now=NOW + DAY)
    assert memory.facts.doubts() == []
    changed = memory.learn("Staging is crane", key="staging", now=NOW + 2 * DAY)
    (doubt,) = memory.facts.doubts()
    assert (doubt.uid, doubt.newer_content) == (uid, "Staging is crane")
    assert doubt.why == "check: heron was replaced on 17 January 2027"
    memory.undo(changed.act, now=NOW + 3 * DAY)
    assert memory.facts.doubts() == []
    memory.learn("Staging is crane", key="staging", now=NOW + 4 * DAY)
    memory.facts.confirm(uid, now=NOW + 5 * DAY)
    assert memory.facts.doubts() == []


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


@pytest.mark.parametrize(
    ("reason", "decision", "end"),
    [
        (
            "The harbour office writes at the same time as the shop",
            "We take Postgres because the harbour office writes at the same time as the shop",
            "The harbour office no longer writes at the same time as the shop",
        ),
        (
            "Der Zoll liest die Liste um Mitternacht",
            "Wir frieren die Liste ein, weil der Zoll sie um Mitternacht liest",
            "Der Zoll liest die Liste um Mitternacht nicht mehr",
        ),
    ],
)
def test_where_the_reason_is_over_the_decision_is_in_doubt_and_undo_takes_it_back(
    memory: cogmem.Memory, reason: str, decision: str, end: str
) -> None:
    memory.learn(reason, now=NOW)
    memory.learn(decision, now=NOW + 1)
    ended = memory.learn(end, now=NOW + DAY)
    assert ended.outcome == "superseded"
    assert [row.content for row in memory.facts.doubts()] == [decision]
    assert "check: " in next(row.line for row in memory.list(limit=0) if row.content == decision)
    memory.undo(ended.act, now=NOW + 2 * DAY)
    assert memory.facts.doubts() == []


def test_what_has_a_key_of_its_own_is_asked_about_and_marked_until_somebody_settles_it(
    memory: cogmem.Memory,
) -> None:
    old = memory.learn("Staging is heron", key="staging", now=NOW).uid
    new = memory.learn("We replaced heron with crane", now=NOW + DAY).uid
    said = "check: “We replaced heron with crane” was said on"
    assert said in memory.activate("Which server is staging on?", now=NOW + 2 * DAY).text
    assert memory.get("staging", now=NOW + 2 * DAY).ending.startswith(said)
    assert [one.uid for one in memory.facts.conflicts()] == [new]
    settled = memory.facts.settle(old, new, now=NOW + 3 * DAY)
    assert memory.get("staging", now=NOW + 3 * DAY).ending == ""
    memory.undo(settled, now=NOW + 3 * DAY)
    assert memory.get("staging", now=NOW + 3 * DAY).ending.startswith(said)
    memory.learn("Staging is heron", key="staging", now=NOW + 4 * DAY)
    assert memory.get("staging", now=NOW + 4 * DAY).ending == ""
    program = memory.learn("The staging server is called stork", key="other", now=NOW + 5 * DAY)
    assert program.notes == []


@pytest.mark.parametrize("is_talk", [True, False])
def test_a_memory_of_several_says_that_one_is_gone_and_keeps_the_others(
    memory: cogmem.Memory, is_talk: bool
) -> None:
    memory.learn("We have two dogs, Rufus and Bella", now=NOW)
    said = "We gave Rufus to my sister, he missed the garden"
    if is_talk:
        memory.capture(said, now=NOW + DAY)
    else:
        memory.learn(said, now=NOW + DAY)
    text = memory.activate("Which dogs do we have?", now=NOW + 2 * DAY).text
    assert f"Rufus and Bella (check: “{said}” was said on" in text
    both = memory.activate("Which dogs did we give to my sister?", now=NOW + 2 * DAY).text
    assert "Bella" in both
