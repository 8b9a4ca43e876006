"""A second reader orders the best anew, and cannot hold up a turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.search import reranking
from cogmem.search.reranking import SecondReader


class Reader:
    """Likes texts that hold a word, and counts how often it is asked."""

    model = "likes-a-word"

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[int] = []

    def rerank(self, prompt: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002
        self.asked.append(len(texts))
        return [float(self.word in text) for text in texts]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    reranking._kept.clear()
    yield
    reranking._kept.clear()


def test_the_reader_s_order_is_that_of_messages_and_memories(tmp_path: Path) -> None:
    reader = Reader("Elm")
    with cogmem.open(tmp_path / "m.db", reranker=reader) as mem:
        talk = mem.conversation("a")
        talk.append("user", "The dentist called about a bill.", at=NOW)
        talk.append("user", "Elm was named, or so the dentist of my aunt says.", at=NOW)
        mem.learn("The dentist wants to be paid in cash.", now=NOW)
        mem.learn("Past the church, in Elm Street, a dentist has her practice.", now=NOW)
        found = mem.recall("Where is the dentist?", now=NOW)
        assert ["Elm" in one.content for one in found] == [True, True, False, False]
        assert sum(reader.asked) == 4
        assert mem.file.check() == []


def test_what_was_read_once_is_not_read_again(tmp_path: Path) -> None:
    reader = Reader("Elm")
    with cogmem.open(tmp_path / "m.db", reranker=reader) as mem:
        mem.learn("The dentist is in Elm Street.", now=NOW)
        mem.recall("Where is the dentist?", now=NOW)
        mem.recall("Where is the dentist?", now=NOW + 1)
    assert reader.asked == [1]


def test_scores_are_given_out_anew_and_none_is_made_up() -> None:
    second = SecondReader(Reader("b"), "which?")
    assert second.order({1: "a", 2: "b", 3: "c"}, {1: 0.9, 2: 0.5, 3: 0.4, 4: 0.3}) == {
        2: 0.9, 1: 0.5, 3: 0.4, 4: 0.3,
    }  # fmt: skip


def test_a_reader_that_is_late_or_fails_changes_nothing() -> None:
    wait = threading.Event()

    class Slow:
        model = "slow"

        def rerank(self, prompt: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002
            wait.wait(10)
            return [0.0, 1.0]

    class Broken:
        model = "broken"

        def rerank(self, prompt: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002
            return [1.0]

    score = {1: 0.9, 2: 0.5}
    late = SecondReader(Slow(), "which?", deadline=0.01)
    assert late.order({1: "a", 2: "b"}, score) == score
    assert "not ready within" in late.fault
    wait.set()
    broken = SecondReader(Broken(), "which?")
    assert broken.order({1: "a", 2: "b"}, score) == score
    assert "1 answers for 2 texts" in broken.fault


def test_only_the_best_are_read() -> None:
    reader = Reader("x")
    texts = {number: f"text {number}" for number in range(80)}
    SecondReader(reader, "which?").order(texts, {number: -float(number) for number in texts})
    assert reader.asked == [reranking.TOP]
