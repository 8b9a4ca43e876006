"""Facts and their two clocks: when something holds, and when cogmem came to hold it.

Modules: revise, corrected.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Clock


def held(memory: cogmem.Memory, at: int, known_at: int | None = None) -> list[str]:
    return sorted(
        row.content for row in memory.facts.at(at, known_at=known_at, now=NOW + 999 * DAY)
    )


def test_a_newer_fact_on_a_topic_closes_the_older_one(memory: cogmem.Memory, clock: Clock) -> None:
    old = memory.learn("The theme is dark", topic="editor.theme", now=clock.at)
    new = memory.learn("The theme is light", topic="editor.theme", now=clock.pass_days(9))
    assert (new.outcome, new.other) == ("superseded", old.uid)
    row = memory.get(old.uid, now=clock.at)
    assert (row.detail["valid_to"], row.detail["superseded_by"]) == (clock.at, new.uid)
    assert held(memory, clock.at) == ["The theme is light"]
    assert held(memory, clock.at - DAY) == ["The theme is dark"]
    assert memory.db.ask("select content, now_held from superseded") == [
        ("The theme is dark", "The theme is light")
    ]
    shown = memory.activate("Which theme is it, light or dark?", now=clock.at)
    assert "light" in shown.text
    assert "The theme is dark" not in shown.text


def test_a_fact_may_come_back_and_the_past_keeps_its_order(
    memory: cogmem.Memory, clock: Clock
) -> None:
    for theme in ("dark", "light", "dark"):
        memory.learn(f"The theme is {theme}", topic="theme", now=clock.pass_days(1))
    assert [held(memory, NOW + day * DAY) for day in (1, 2, 3)] == [
        ["The theme is dark"],
        ["The theme is light"],
        ["The theme is dark"],
    ]
    assert len(memory.list(now=clock.at)) == 3


def test_topics_of_other_scopes_and_paths_are_left_alone(memory: cogmem.Memory) -> None:
    for place in ({"user": "mara"}, {"project": "p"}, {"path": "src/**"}, {"user": "bo"}, {}):
        assert memory.learn("It is tea", topic="drink", now=NOW, **place).outcome == "inserted"  # type: ignore[arg-type]
    memory.learn("It is coffee", topic="drink", user="bo", now=NOW)
    assert memory.db.ask("select count(*) from superseded") == [(1,)]


def test_what_is_learned_late_of_an_earlier_time_is_over_already(memory: cogmem.Memory) -> None:
    now_held = memory.learn("Lives in Kyoto", topic="home", valid_from=NOW - 10 * DAY, now=NOW)
    past = memory.learn("Lives in Bonn", topic="home", valid_from=NOW - 90 * DAY, now=NOW)
    assert past.outcome == "inserted"
    assert memory.get(past.uid, now=NOW).detail["superseded_by"] == now_held.uid
    assert held(memory, NOW) == ["Lives in Kyoto"]
    assert held(memory, NOW - 50 * DAY) == ["Lives in Bonn"]


def test_a_correction_was_true_all_along(memory: cogmem.Memory, clock: Clock) -> None:
    wrong = memory.learn("The port is 8080", key="port", topic="port", now=NOW)
    learned = memory.facts.correct(
        "port", "The port is 8081", reason="misread", now=clock.pass_days(5)
    )
    assert (learned.outcome, learned.other) == ("superseded", wrong.uid)
    for day in (0, 4, 6):
        assert held(memory, NOW + day * DAY) == ["The port is 8081"]
    assert held(memory, NOW + DAY, known_at=NOW + DAY) == ["The port is 8080"]
    assert memory.get("port", now=clock.at).uid == learned.uid
    assert memory.history.log(limit=1)[0].reason == "misread"
    memory.undo(learned.act, now=clock.at)
    assert memory.get("port", now=clock.at).uid == wrong.uid
    assert held(memory, NOW + DAY) == ["The port is 8080"]


def test_a_retired_fact_holds_no_more_and_answers_for_its_time(
    memory: cogmem.Memory, clock: Clock
) -> None:
    uid = memory.learn("The trial runs", now=NOW).uid
    memory.facts.retire(uid, ends=NOW + 3 * DAY, now=clock.pass_days(7))
    assert held(memory, NOW + 2 * DAY) == ["The trial runs"]
    assert held(memory, NOW + 3 * DAY) == []
    assert "trial" not in memory.activate("Does the trial run?", now=clock.at).text


def test_one_fact_supersedes_another_by_hand(memory: cogmem.Memory, clock: Clock) -> None:
    old = memory.learn("Mara leads the team", now=NOW).uid
    new = memory.learn("The team is led by Bo since spring", now=clock.pass_days(2)).uid
    memory.facts.supersede(old, new, now=clock.at)
    assert held(memory, clock.at) == ["The team is led by Bo since spring"]
    with pytest.raises(InvalidInput, match="superseded by"):
        memory.facts.retire(old, now=clock.at)
    with pytest.raises(InvalidInput, match="its own place"):
        memory.facts.supersede(new, new, now=clock.at)


def test_only_living_facts_are_corrected(memory: cogmem.Memory) -> None:
    episode = memory.episode("It broke", now=NOW).uid
    with pytest.raises(InvalidInput, match="only facts"):
        memory.facts.correct(episode, "It held", now=NOW)
    fact = memory.learn("It holds", now=NOW).uid
    with pytest.raises(InvalidInput, match="nothing to correct"):
        memory.facts.correct(fact, "it  holds", now=NOW)
    memory.remove(fact, now=NOW)
    with pytest.raises(InvalidInput, match="brings it back first"):
        memory.facts.retire(fact, now=NOW)


def test_a_guess_does_not_close_what_a_person_said(memory: cogmem.Memory) -> None:
    said = memory.learn("The theme is dark", topic="theme", now=NOW).uid
    learned = memory.learn("The theme is light", topic="theme", source="inferred", now=NOW)
    assert learned.outcome == "inserted"
    assert any("a person said it" in note for note in learned.notes)
    assert memory.get(said, now=NOW).detail["superseded_by"] is None
    assert [pair.reason for pair in memory.facts.conflicts()] == ["topic"]


# -- contradictions ----------------------------------------------------------------------------------


def test_z29_contradictions_are_listed_and_settled(memory: cogmem.Memory, clock: Clock) -> None:
    tabs = memory.learn("Indent the code of this repository with tabs", now=clock.at).uid
    spaces = memory.learn("Indent the code of this repository with spaces", now=clock.tick()).uid
    pair = memory.facts.conflicts()[0]
    assert (pair.uid, pair.other_uid, pair.reason) == (spaces, tabs, "alike")
    memory.facts.settle(tabs, spaces, keep=spaces, now=clock.tick())
    assert memory.facts.conflicts() == []
    assert held(memory, clock.at) == ["Indent the code of this repository with spaces"]


def test_z29_two_that_both_hold_are_no_longer_listed(memory: cogmem.Memory) -> None:
    one = memory.learn("The invoices are sent weekly to them", now=NOW).uid
    two = memory.learn("The invoices are sent monthly to them", now=NOW).uid
    assert len(memory.facts.conflicts()) == 1
    memory.facts.settle(one, two, now=NOW)
    assert memory.facts.conflicts() == []
    with pytest.raises(InvalidInput, match="one of the two"):
        memory.facts.settle(one, two, keep=memory.learn("Something else", now=NOW).uid, now=NOW)


def test_two_facts_that_a_shell_wrote_on_one_topic_are_a_conflict(memory: cogmem.Memory) -> None:
    for word in ("tea", "coffee"):
        memory.learn(f"It is {word}", key=word, now=NOW)
    memory.db.write([("update fact set topic = 'drink'", {})], verb="t", at=NOW)
    assert [(pair.reason, pair.topic) for pair in memory.facts.conflicts()] == [("topic", "drink")]
    memory.facts.settle("tea", "coffee", now=NOW)
    assert memory.facts.conflicts() == []


def test_a_viewer_sees_no_conflict_of_another_user(memory: cogmem.Memory) -> None:
    memory.learn("Always indent the code with tabs here", user="mara", now=NOW)
    memory.learn("Always indent the code with spaces here", user="mara", now=NOW)
    assert memory.facts.conflicts() == []
    assert len(memory.facts.conflicts(everywhere=True)) == 1


# -- always ------------------------------------------------------------------------------------------


def test_writers_at_once_leave_one_fact_on_a_topic(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    open_memory(path).close()

    def write(number: int) -> None:
        with open_memory(path) as mem:
            for turn in range(5):
                mem.learn(f"Number {number} of round {turn}", topic="count", now=NOW + turn)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_memory(path) as mem:
        living = "select count(*) from fact where superseded_by is null and valid_to is null"
        assert mem.db.ask(living) == [(1,)]
        assert mem.db.ask("select count(*) from memory") == [(20,)]
        assert mem.file.check() == []


@settings(max_examples=examples(30))
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 3), st.none() | st.integers(0, 9)),
        min_size=1,
        max_size=10,
    )
)
def test_at_no_instant_do_two_facts_hold_on_one_topic_and_undo_restores_them(
    steps: list[tuple[str, int, int | None]],
) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        every = "select m.uid, m.content, f.* from memory m join fact f on f.memory_id = m.id order by 1"
        acts, states = [], [mem.db.ask(every)]
        for number, (topic, word, begins) in enumerate(steps):
            learned = mem.learn(
                f"{topic} is {word}",
                topic=topic,
                now=NOW + number,
                valid_from=None if begins is None else NOW - begins * DAY,
            )
            acts.append(learned.act)
            states.append(mem.db.ask(every))
        for day in range(-10, 2):
            topics = [row.detail["topic"] for row in mem.facts.at(NOW + day * DAY, now=NOW + DAY)]
            assert len(topics) == len(set(topics))
        for act, state in zip(reversed(acts), reversed(states[:-1]), strict=True):
            mem.undo(act, now=NOW)
            assert mem.db.ask(every) == state
