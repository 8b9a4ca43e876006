"""why(), why_not(), used() and replay(): every decision can be asked about.

Modules: ledger, turns.
"""

from __future__ import annotations

import pytest
from conftest import DAY, NOW

import cogmem
from cogmem.errors import UnknownMemory, UnknownName
from cogmem.scope import Scope


def test_why_names_the_stage_and_the_figures(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    turn = memory.activate("walrus", now=NOW).turn
    told = memory.why(uid, turn)
    assert (told.shown, told.stage, told.layer, told.strength) == (
        True,
        "chosen",
        "B",
        0.9,
    )
    assert "it fits the prompt (number 1, " in told.sentence
    assert "likely to help" in told.sentence


def test_why_names_what_carried_a_message(memory: cogmem.Memory) -> None:
    talk = memory.conversation("a")
    talk.append("user", "My new dentist is Dr Moreno in Elm Street.", at=NOW)
    talk.append("user", "The walrus swims.", at=NOW)
    turn = memory.activate("Who is my dentist?", now=NOW)
    told = memory.why(turn.items[0].ref, turn.turn)
    assert ", said in “a” on " in told.sentence
    carried = told.ranking
    assert carried["meaning"] > 0
    assert list(carried.values()) == sorted(carried.values(), key=abs, reverse=True)


def test_why_of_a_message_that_nothing_found_says_so(memory: cogmem.Memory) -> None:
    memory.conversation("a").append("user", "My new dentist is Dr Moreno in Elm Street.", at=NOW)
    memory.conversation("b", user="ada").append("user", "The walrus swims.", at=NOW)
    turn = memory.activate("Where is the kestrel?", now=NOW).turn
    assert memory.why("msg_1", turn).stage == "unseen"
    assert memory.why("msg_2", turn).stage == "scope"
    with pytest.raises(UnknownMemory):
        memory.why("msg_99", turn)


def test_why_never_says_of_a_silent_turn_that_it_showed_something(memory: cogmem.Memory) -> None:
    memory.conversation("a").append("user", "My new dentist is Dr Moreno in Elm Street.", at=NOW)
    memory.conversation("b").append("user", "The kettle is on.", at=NOW)
    asked = "Who is my dentist?"
    turn = memory.activate("So what about the dentist of mine?", session="b", now=NOW + 1)
    assert not turn.volatile
    told = memory.why("msg_1", turn.turn)
    assert not told.shown
    assert told.stage == "silent"
    assert memory.why_not("msg_1", asked, now=NOW).shown


def test_why_finds_what_stands_in_the_frozen_text(memory: cogmem.Memory) -> None:
    uid = memory.learn("Keep the build green.", kind="policy", now=NOW).uid
    memory.activate("x", session="s", now=NOW)
    turn = memory.activate("y", session="s", now=NOW + 1).turn
    assert memory.why(uid, turn).stage == "stable"


def test_why_not_tells_each_stage_apart(memory: cogmem.Memory) -> None:
    weak = memory.learn("The walrus hangar is old.", now=NOW - 300 * DAY).uid
    stages = {
        weak: "weak",
        memory.learn("The kestrel flies.", now=NOW).uid: "unseen",
        memory.learn("The walrus of Ada.", user="ada", now=NOW).uid: "scope",
        memory.learn("The walrus of the web.", source="web", now=NOW).uid: "state",
        memory.learn("The walrus swims.", now=NOW).uid: "chosen",
    }
    for uid, stage in stages.items():
        told = memory.why_not(uid, "where is the walrus?", now=NOW)
        assert told.stage == stage, told
        assert told.sentence
    assert memory.why_not(weak, "walrus", now=NOW).sentence.startswith("its strength 0.08")
    assert memory.why_not(list(stages)[-1], "walrus", budget=10, now=NOW).stage == "budget"
    assert memory.db.ask("select count(*) from activation") == [(0,)]


def test_unknown_names_are_named(memory: cogmem.Memory) -> None:
    turn = memory.activate("x", now=NOW).turn
    with pytest.raises(UnknownName, match="turn_nowhere"):
        memory.why("mem_0000000000000000", "turn_nowhere")
    with pytest.raises(UnknownMemory):
        memory.why("mem_0000000000000000", turn)


def test_what_a_host_calls_useful_is_strengthened(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    turn = memory.activate("walrus", now=NOW).turn
    assert memory.used(turn, [uid], now=NOW + 1) == 1
    assert memory.get(uid, now=NOW).access_count == 1
    assert memory.used(turn, [uid], useful=False, now=NOW + 2) == 1
    assert memory.db.ask("select was_useful from activation_item") == [(0,)]


def test_a_turn_replays_on_what_was_known_then(path: str, open_memory: object) -> None:
    with open_memory(path) as memory:  # type: ignore[operator]
        gone = memory.learn("The walrus swims.", now=NOW).uid
        memory.learn("Keep the walrus fed.", kind="policy", now=NOW)
        memory.conversation("c").append("user", "A walrus was here.", at=NOW)
        was = memory.activate("walrus", now=NOW + 1)
        memory.remove(gone, now=NOW + 10)
        memory.learn("The walrus flies.", now=NOW + 11)
        memory.update(
            "mem" if False else memory.list(kind="policy", now=NOW)[0].uid,
            content="Starve it.",
            now=NOW + 12,
        )
        memory.conversation("c").append("user", "The walrus left.", at=NOW + 13)
        assert memory.turns.replay(was.turn).text == was.text
        later = memory.turns.replay(was.turn, as_of=NOW + 11)
        assert "The walrus flies." in later.text
        assert "The walrus swims." not in later.text
        assert memory.file.check() == []


def test_a_turn_that_meets_a_lock_is_written_later(path: str) -> None:
    with cogmem.open(path) as memory, cogmem.open(path) as other:
        memory.learn("The walrus swims.", now=NOW)
        other.db.connection.execute("begin immediate")
        turn = memory.activate("walrus", now=NOW).turn
        other.db.connection.execute("rollback")
        assert other.db.ask("select count(*) from activation") == [(0,)]
        assert memory.why(memory.list(now=NOW)[0].uid, turn).shown
        memory.activate("walrus", now=NOW + 1)
    with cogmem.open(path) as memory:
        assert memory.db.ask("select count(*) from activation") == [(2,)]


def test_turns_are_listed_with_their_costs(memory: cogmem.Memory) -> None:
    memory.learn("The walrus swims.", now=NOW)
    got = memory.activate("walrus", session="s", now=NOW)
    (row,) = memory.turns.list()
    assert (row.turn, row.tokens, row.shown, row.session) == (
        got.turn,
        got.tokens,
        1,
        "s",
    )
    assert memory.turns.list(session="other") == []


def test_a_scope_without_rows_is_fine(memory: cogmem.Memory) -> None:
    memory.scope = Scope(user="nobody", project="p")
    assert memory.activate("walrus", now=NOW).text == ""


def test_the_curve_tells_what_other_settings_would_have_shown(memory: cogmem.Memory) -> None:
    assert {one.percent for one in memory.turns.curve()} == {None}
    memory.learn("The staging server is called heron.", now=NOW)
    for prompt in ("what is the staging server called?", "hello", "thanks", "go on"):
        memory.activate(prompt, now=NOW)
    curve = {one.setting: one for one in memory.turns.curve()}
    assert curve["balanced"].in_force
    assert (curve["balanced"].turns, curve["balanced"].turns_that_spoke) == (4, 1)
    spoke = [one.turns_that_spoke for one in curve.values()]
    assert spoke == sorted(spoke, reverse=True)
