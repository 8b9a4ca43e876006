"""What is left of a turn after a month: what it showed, its prompt, and counts of what it left out.

Modules: ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest
from conftest import DAY, NOW

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

BIRDS = ("heron", "stork", "ibis", "crane", "egret", "bittern")
TURNS = 150
LEDGER = (
    "activation",
    "sqlite_autoindex_activation_1",
    "activation_by_time",
    "weighing",
    "weighing_by_session",
    "weighing_by_text",
    "left_out_before",
)


@pytest.fixture
def talked(memory: cogmem.Memory) -> cogmem.Memory:
    """Fifteen turns over memories that all say something of a server, each recorded as a host does."""
    for bird in BIRDS:
        for number in range(5):
            memory.learn(
                f"The {bird} server number {number} runs on machine {number}.", now=NOW - DAY
            )
    for number in range(15):
        bird = BIRDS[number % len(BIRDS)]
        prompt = f"Which machine does the {bird} server run on, {number} days after the move?"
        memory.activate(prompt, session=f"s{number}", now=NOW + number)
        memory.conversation(f"s{number}").append("user", prompt, at=NOW + number)
    return memory


def exposure(memory: cogmem.Memory) -> list[tuple[object, ...]]:
    return memory.db.ask(
        "select ref, times_shown, times_left_out, times_chosen_by_fit, tokens_shown from exposure"
        " where ref glob 'mem_*' order by ref"
    )


def test_a_folded_turn_still_says_what_it_showed_and_how_often_each_was_left_out(
    talked: cogmem.Memory,
) -> None:
    turn = talked.turns.list(limit=1)[0]
    whole = talked.turns.get(turn.turn)
    shown = [item for item in whole.items if item.stage == "chosen"]
    assert shown
    assert len(shown) < len(whole.items)
    counts = exposure(talked)
    talked.nightly(now=NOW + 31 * DAY)
    folded = talked.turns.get(turn.turn)
    assert [(i.ref, i.layer, i.tokens) for i in folded.items] == [
        (i.ref, i.layer, i.tokens) for i in shown
    ]
    assert folded.prompt == whole.prompt, "its conversation holds it"
    assert exposure(talked) == counts
    assert talked.why(shown[0].ref, turn.turn).shown
    if talked.path != ":memory:":
        again = talked.turns.replay(turn.turn)
        assert {item.ref for item in again.chosen} == {item.ref for item in shown}


def test_what_a_host_called_useful_is_kept_with_it(talked: cogmem.Memory) -> None:
    turn = talked.turns.list(limit=1)[0].turn
    ref = talked.turns.get(turn).items[0].ref
    assert talked.used(turn, [ref], useful=False) == 1
    talked.nightly(now=NOW + 31 * DAY)
    assert {item.ref: item.was_useful for item in talked.turns.get(turn).items}[ref] == 0
    assert talked.used(turn, [ref]) == 1
    assert {item.ref: item.was_useful for item in talked.turns.get(turn).items}[ref] == 1


def test_a_person_marks_an_item_through_the_view(talked: cogmem.Memory) -> None:
    talked.db.ask(
        "update activation_item set was_useful = 1 where stage = 'chosen' and activation_id = 1"
    )
    marked = talked.db.ask(
        "select distinct stage, was_useful from activation_item where was_useful"
    )
    assert marked == [("chosen", 1)]


def test_a_prompt_that_is_forgotten_leaves_its_folded_turn_too(talked: cogmem.Memory) -> None:
    turn = talked.turns.list(limit=1)[0].turn
    talked.nightly(now=NOW + 31 * DAY)
    talked.forget("msg_15", now=NOW + 31 * DAY)
    assert "14 days" not in talked.turns.get(turn).prompt


def test_a_turn_takes_a_few_hundred_bytes_after_a_month(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path, counter=counting.Simple()) as memory:
        for bird in BIRDS:
            for number in range(5):
                memory.learn(f"The {bird} server {number} runs on machine {number}.", now=NOW - DAY)
        for number in range(TURNS):
            bird, session = (
                BIRDS[number % len(BIRDS)],
                f"{number // 9:08}-5f1c-4b7e-9d3a-0123456789ab",
            )
            prompt = (
                f"Which machine does the {bird} server run on, {number} days after the move? " * 3
            )
            memory.activate(prompt, session=session, budget=90, now=NOW + number)
            memory.conversation(session).append("user", prompt, at=NOW + number)
        memory.nightly(now=NOW + 31 * DAY)
    with apsw.Connection(path) as db:
        (taken,) = db.execute(
            f"select sum(pgsize) from dbstat where name in {LEDGER} and 1"
        ).fetchone()
    assert taken < 350 * TURNS
