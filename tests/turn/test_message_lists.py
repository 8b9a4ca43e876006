"""What a host that hands over lists of messages gets of a turn, as flowcraft's assembler gave it.

Modules: turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


ASK = "what is the staging server called?"


def test_f43_f48_what_always_holds_stands_in_its_own_text_and_the_rest_fits_the_prompt(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Mara is a bird watcher.", kind="profile", priority=4, now=NOW)
    memory.learn("Deploys need a green build.", kind="policy", priority=4, now=NOW)
    memory.learn("The staging server is called heron.", now=NOW)
    memory.learn("Storks nest on chimneys.", now=NOW)
    turn = memory.activate(ASK, session="s", now=NOW + 1)
    assert "green build" in turn.stable
    assert "heron" in turn.volatile
    assert "Storks" not in turn.text
    assert turn.tokens <= turn.budget


def test_f44_what_stands_first_is_the_same_bytes_while_a_session_lasts(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Deploys need a green build.", kind="policy", priority=4, now=NOW)
    first = memory.activate(ASK, session="s", now=NOW + 1)
    memory.learn("Deploys need two reviewers.", kind="policy", priority=4, now=NOW + 2)
    assert memory.activate(ASK, session="s", now=NOW + 3).stable == first.stable
    assert memory.turns.frozen("s") == first.stable


def test_f45_the_prompt_asks_and_what_was_just_said_is_not_told_again(
    memory: cogmem.Memory,
) -> None:
    memory.conversation("other").append("user", "The staging server is called heron.", at=NOW)
    for number in range(8):  # what the last six said would be the session's own matter
        text = "Go on." if number else "The staging server was called stork."
        memory.conversation("s").append("user", text, at=NOW)
    turn = memory.activate(ASK, session="s", now=NOW + 1)
    assert "heron" in turn.volatile
    assert "stork" not in turn.volatile


class Letters:
    """An embedder that counts how often it is asked, and fails when it is told to."""

    model = "letters"
    is_broken = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.is_broken:
            raise RuntimeError("no network")
        self.asked += texts
        return [[1.0 + text.lower().count(letter) for letter in "abcdef"] for text in texts]


def test_f46_f47_the_vector_of_a_prompt_is_made_once_and_its_fault_leaves_the_words(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    letters = Letters()
    with open_memory(path, embedder=letters, counter=counting.Simple()) as memory:
        for kind in ("fact", "profile", "event", "policy"):
            memory.learn(f"The staging server of a {kind} is called heron.", kind=kind, now=NOW)
        memory.models.embed()
        letters.asked.clear()
        memory.activate(ASK, now=NOW + 1)
        assert letters.asked in ([ASK], [])
        letters.is_broken = True
        assert "heron" in memory.activate(ASK, now=NOW + 2).text
        assert memory.file.check() == []


def test_f03_f04_a_memory_without_a_file_keeps_its_talk_and_gives_the_latest() -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        talk = memory.conversation("a")
        talk.save([{"role": "user", "content": str(number)} for number in range(60)])
        assert [one.text for one in talk.recent(50)] == [str(number) for number in range(10, 60)]
