"""What a person takes back is over: what they name, or what they said last; undo brings it back.

Modules: taken_back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW

if TYPE_CHECKING:
    import cogmem

PNPM = "Always use pnpm for this project"


def said(memory: cogmem.Memory, *texts: str) -> str:
    """What stands in Always after a talk."""
    talk = memory.conversation("talk")
    for number, text in enumerate(texts):
        talk.append("user", text, at=NOW + number * 1000)
        memory.capture_conversation("talk", now=NOW + number * 1000)
        talk.append("assistant", "Done.", at=NOW + number * 1000 + 1)
    return memory.activate("What is 2 + 2?", now=NOW + 100_000).stable


@pytest.mark.parametrize(
    ("order", "back"),
    [
        (PNPM, "forget what I said about pnpm"),
        (PNPM, "ok, you can forget what I told you about pnpm"),
        (PNPM, "forget that"),
        (PNPM, "Please forget that we use pnpm."),
        ("Never deploy on Fridays", "forget the rule about Fridays"),
        ("Benutze immer pnpm", "vergiss, was ich über pnpm gesagt habe"),
        ("Benutze immer pnpm", "vergiss das wieder"),
        ("Usa siempre pnpm", "olvida lo que dije sobre pnpm"),
        ("Utilise toujours pnpm", "oublie ce que j'ai dit sur pnpm"),
        ("Nunca uses npm", "esquece o que eu disse sobre npm"),
        ("一直用 pnpm", "忘掉我说的关于 pnpm 的话"),
        ("Всегда используй pnpm", "забудь, что я говорил про pnpm"),
    ],
)
def test_what_is_taken_back_is_told_no_more(memory: cogmem.Memory, order: str, back: str) -> None:
    assert order in said(memory, order)
    assert order not in said(memory, order, back)
    assert [one.content for one in memory.list(now=NOW + 100_000)] in ([], [order])


@pytest.mark.parametrize(
    "other",
    [
        "forget it, let's go on",
        "don't forget what I said about pnpm",
        "never forget what I said about pnpm",
        "did you forget what I said about pnpm?",
        "you forgot pnpm again",
        "forget the last change",
        "forget what I said about the button",
        "vergiss nicht, was ich über pnpm gesagt habe",
    ],
)
def test_what_only_speaks_of_forgetting_takes_nothing_back(
    memory: cogmem.Memory, other: str
) -> None:
    assert PNPM in said(memory, PNPM, other)


def test_what_was_said_last_is_taken_back_and_nothing_before_it(memory: cogmem.Memory) -> None:
    told = said(memory, PNPM, "Never deploy on Fridays", "forget that")
    assert PNPM in told
    assert "Fridays" not in told


def test_an_order_of_the_moment_is_forgotten_without_a_rule(memory: cogmem.Memory) -> None:
    assert PNPM in said(memory, PNPM, "rename the button", "forget that")


def test_it_counts_without_a_record_and_undo_takes_it_out(memory: cogmem.Memory) -> None:
    memory.capture(PNPM, now=NOW)
    memory.capture("forget what I said about pnpm", now=NOW + 1000)
    assert PNPM not in memory.activate("What is 2 + 2?", now=NOW + 2000).stable
    memory.undo(memory.history.log(limit=1)[0].act, now=NOW + 3000)
    assert PNPM in memory.activate("What is 2 + 2?", now=NOW + 4000).stable


def test_what_many_statements_name_is_not_taken_back(memory: cogmem.Memory) -> None:
    for number in range(5):
        memory.learn(f"Service {number} is built with pnpm and Node", now=NOW + number)
    memory.capture("forget what I said about pnpm", now=NOW + 1000)
    held = memory.activate("Which services are built with pnpm?", now=NOW + 2000).text
    assert held.count("is built with pnpm") > 0


def test_what_was_taken_back_is_not_told_by_the_line_that_said_it(memory: cogmem.Memory) -> None:
    said = ("We use pnpm in this repo", "forget what I said about pnpm")
    for number, text in enumerate(said):
        at = NOW + number * DAY
        memory.conversation(f"talk {number}").append("user", text, at=at)
        memory.capture_conversation(f"talk {number}", now=at)
    told = memory.activate("install the packages with pnpm", session="new", now=NOW + 2 * DAY)
    assert f"user: {said[0]}" not in told.text
    assert not any(said[0] in one.line for one in told.chosen)
