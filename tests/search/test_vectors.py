"""Vectors: made in the background, resumed, shared by equal texts, and only ever compared with their like."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from hypothesis import given
from hypothesis import strategies as st

from cogmem.errors import InvalidInput
from cogmem.language.cue import read_cue
from cogmem.scope import Scope
from cogmem.search import vectors
from cogmem.search.messages import evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    import cogmem


class Letters:
    """An embedder that a test can follow: how often each of six letters stands in a text."""

    model = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.seen += texts
        return [[1 + text.lower().count(letter) for letter in "abcdef"] for text in texts]


def embed(mem: cogmem.Memory, embedder: vectors.Embedder, limit: int = 1_000) -> int:
    return vectors.embed_missing(mem.db, embedder, limit=limit, now=NOW)


def test_memories_and_messages_get_vectors_and_nothing_is_embedded_twice(
    memory: cogmem.Memory,
) -> None:
    memory.learn("A cabbage.", now=NOW)
    memory.conversation("a").append("user", "A bad bee.", speaker="Ann", at=NOW)
    letters = Letters()
    assert embed(memory, letters) == 2
    assert letters.seen == ["A cabbage.", "Ann: A bad bee."]
    assert embed(memory, letters) == 0
    memory.conversation("b").append("user", "A bad bee.", speaker="Ann", at=NOW)
    assert embed(memory, letters) == 0, "equal texts share a vector"
    memory.conversation("a").edit(0, "A good bee.", at=NOW)
    assert embed(memory, letters) == 1, "an edit has one of its own"


def test_embedding_stops_at_its_limit_and_goes_on_with_the_latest(memory: cogmem.Memory) -> None:
    talk = memory.conversation("a")
    for number in range(100):
        talk.append("user", f"Number {number}.", at=NOW)
    letters = Letters()
    assert embed(memory, letters, limit=40) == 40
    assert letters.seen[0] == "user: Number 99."
    assert embed(memory, letters) == 60
    assert len(letters.seen) == 100


def test_what_was_embedded_before_a_fault_stays(memory: cogmem.Memory) -> None:
    talk = memory.conversation("a")
    for number in range(50):
        talk.append("user", f"Number {number}.", at=NOW)

    class Failing(Letters):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            if self.seen:
                raise RuntimeError("the machine that embeds is gone")
            return super().embed(texts)

    with pytest.raises(RuntimeError):
        embed(memory, Failing())
    assert embed(memory, Letters()) == 50 - vectors.BATCH


def test_what_is_forgotten_while_it_is_embedded_leaves_no_vector(memory: cogmem.Memory) -> None:
    uid = memory.learn("Herons wade.", now=NOW).uid
    memory.learn("Terns dive.", now=NOW)

    class Slow(Letters):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            memory.forget(uid, now=NOW)
            return super().embed(texts)

    embed(memory, Slow())
    assert memory.db.ask("select count(*) from embedding") == [(1,)]


def test_another_model_s_vectors_stand_beside_and_are_not_compared(memory: cogmem.Memory) -> None:
    memory.learn("A cabbage.", now=NOW)
    (name,) = memory.db.ask("select content_hash from memory")[0]

    class Words(Letters):
        model = "words"

    embed(memory, Letters())
    assert vectors.Nearness(memory.db, Words(), "cabbage").to([name]) == {}
    embed(memory, Words())
    assert memory.db.ask("select count(*) from embedding") == [(2,)]
    assert list(vectors.Nearness(memory.db, Words(), "cabbage").to([name, "?"])) == [name]


def test_the_prompt_is_embedded_only_if_there_is_something_to_compare(
    memory: cogmem.Memory,
) -> None:
    letters = Letters()
    near = vectors.Nearness(memory.db, letters, "abc")
    assert near.to(["x"]) == {}
    assert letters.seen == []
    memory.learn("abc", now=NOW)
    embed(memory, Letters())
    name = memory.db.ask("select content_hash from memory")[0][0]
    assert near.to([name]) == {name: pytest.approx(1.0)}
    near.to([name])
    assert letters.seen == ["abc"]


def test_vectors_survive_a_rebuild_and_go_with_what_is_forgotten(memory: cogmem.Memory) -> None:
    memory.conversation("a").append("user", "A bad bee.", at=NOW)
    embed(memory, Letters())
    memory.file.rebuild()
    assert embed(memory, Letters()) == 0


class Meaning:
    """An embedder that knows three subjects."""

    model = "meaning"
    SUBJECTS = ("heron stork bird beak", "piano cello tune song", "bread flour oven bake")

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            [
                0.1 + sum(word in text.lower() for word in subject.split())
                for subject in self.SUBJECTS
            ]
            for text in texts
        ]


def ask(mem: cogmem.Memory, question: str, scope: Scope, near: bool = True) -> list[str]:
    meant = vectors.Nearness(mem.db, Meaning(), question) if near else None
    found = evidence(mem.db, read_cue(question), scope, NOW, limit=20, near=meant)
    return [one.text for one in found]


def test_a_message_that_means_the_same_comes_in_without_a_common_word(
    memory: cogmem.Memory,
) -> None:
    for name, words in (("a", "The oven is hot."), ("b", "A stork!"), ("c", "Piano at nine.")):
        memory.conversation(name).append("user", words, at=NOW)
    embed(memory, Meaning())
    assert ask(memory, "Which bird was it?", Scope(), near=False) == []
    assert ask(memory, "Which bird was it?", Scope()) == ["A stork!"]


def test_meaning_lifts_one_of_two_equal_matches(memory: cogmem.Memory) -> None:
    for name, words in (("a", "The blue oven."), ("b", "A blue stork."), ("c", "Blue flour.")):
        memory.conversation(name).append("user", words, at=NOW)
    embed(memory, Meaning())
    assert ask(memory, "the blue bird", Scope())[0] == "A blue stork."


@pytest.mark.parametrize("few", [True, False])
def test_meaning_brings_in_nothing_that_the_viewer_must_not_hear(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    monkeypatch.setattr("cogmem.search.messages.WHOLE", 1_000 if few else 0)
    for user in ("ann", "bob"):
        talk = memory.conversation(f"of {user}", user=user)
        talk.append("user", f"A stork of {user}.", at=NOW)
        talk.append("user", f"Bread of {user}.", at=NOW)
    embed(memory, Meaning())
    assert set(ask(memory, "the stork bird", Scope(user="ann"))) <= {
        "A stork of ann.",
        "Bread of ann.",
    }
    assert set(ask(memory, "beak", Scope(user="ann"))) <= {"A stork of ann."}


def test_when_the_prompt_cannot_be_embedded_words_alone_do(memory: cogmem.Memory) -> None:
    memory.conversation("a").append("user", "A stork stands.", at=NOW)
    embed(memory, Meaning())

    class Gone(Meaning):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            raise ConnectionError(f"no route for {len(texts)} text")

    near = vectors.Nearness(memory.db, Gone(), "stork")
    found = evidence(memory.db, read_cue("stork"), Scope(), NOW, limit=9, near=near)
    assert [one.text for one in found] == ["A stork stands."]
    assert near.fault == "meaning could not embed the prompt: no route for 1 text"


@pytest.mark.parametrize("vector", [[0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], []])
def test_a_vector_without_a_direction_is_refused(vector: list[float]) -> None:
    with pytest.raises(InvalidInput, match="without a direction"):
        vectors.packed(vector)


def test_an_embedder_that_drops_a_text_is_refused(memory: cogmem.Memory) -> None:
    class Forgetful(Letters):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return super().embed(texts)[1:]

    memory.learn("A cabbage.", now=NOW)
    with pytest.raises(InvalidInput, match="0 vectors for 1 text"):
        embed(memory, Forgetful())
    assert memory.db.ask("select count(*) from embedding") == [(0,)]


@given(
    st.lists(
        st.lists(st.floats(-5, 5).filter(lambda x: abs(x) > 0.01), min_size=3, max_size=3),
        min_size=1,
        max_size=5,
    )
)
def test_cosines_are_the_same_with_and_without_numpy(rows: list[list[float]]) -> None:
    stored = [vectors.packed(row) for row in rows]
    assert all(len(vector) == 12 for vector in stored)
    fast = vectors.cosines(stored[0], stored)
    kept = sys.modules.get("numpy")
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        slow = vectors.cosines(stored[0], stored)
    finally:
        if kept is not None:
            sys.modules["numpy"] = kept
        else:
            del sys.modules["numpy"]
    assert fast == pytest.approx(slow, abs=1e-6)
    assert slow[0] == pytest.approx(1.0, abs=1e-6)


# -- in a turn and a search --------------------------------------------------------------------------


class Senses:
    """An embedder for which some words mean the same."""

    model = "senses"
    groups = (("boat", "ship", "vessel"), ("tea", "drink"), ("parser", "grammar"))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            [0.01 + sum(text.lower().count(word) for word in group) for group in self.groups]
            for text in texts
        ]


def test_with_an_embedder_what_means_the_same_is_recalled_and_shown(memory: cogmem.Memory) -> None:
    memory.learn("The ship leaves on Monday.", now=NOW)
    memory.learn("Mara prefers green tea.", now=NOW)
    memory.conversation("a").append("user", "Our vessel was painted blue.", at=NOW)
    # Without one, the table of near words lets a search find them, and a turn stays silent.
    assert "ship" not in memory.activate("Anything about the boat?", now=NOW).text
    memory.embedder = Senses()
    assert memory.models.embed(now=NOW) == 3
    assert memory.models.embed(now=NOW) == 0
    found = memory.recall("boat", now=NOW)
    assert {one.content for one in found} == {
        "The ship leaves on Monday.",
        "Our vessel was painted blue.",
    }
    text = memory.activate("Anything about the boat?", now=NOW).text
    assert "The ship leaves" in text
    assert "Our vessel was painted blue." in text
    assert "green tea" not in text


def test_meaning_never_shows_what_another_user_or_project_owns(memory: cogmem.Memory) -> None:
    memory.learn("The ship leaves on Monday.", user="ann", now=NOW)
    memory.learn("The vessel is ours.", project="p2", now=NOW)
    memory.conversation("a", user="ann").append("user", "A ship is a ship.", at=NOW)
    memory.embedder = Senses()
    memory.models.embed(now=NOW)
    assert memory.recall("boat", user="bob", now=NOW) == []
    assert memory.activate("boat", user="bob", project="p1", now=NOW).items == []
    assert len(memory.recall("boat", user="ann", now=NOW)) == 2


def test_without_an_embedder_the_call_says_how_to_get_one(memory: cogmem.Memory) -> None:
    with pytest.raises(InvalidInput, match="no embedder is set"):
        memory.models.embed()
