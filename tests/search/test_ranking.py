"""Figures tell what they say they tell, weights are read by name, near words are found by halves.

Modules: figures, near_words.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from hypothesis import given
from hypothesis import strategies as st

from cogmem.language.asking import Asks
from cogmem.search import figures as ranking
from cogmem.search.figures import (
    MEANING,
    NAMES,
    Standing,
    Worth,
    figures,
    likeness,
    meaning,
    scores,
)
from cogmem.search.near_words import ENGLISH, OTHERS, STEM, NearWords, near
from cogmem.text import data

if TYPE_CHECKING:
    import cogmem


def message(
    place: int, tokens: int = 20, *, asks: int = 0, rule: int = 0, who: str = "", traits: int = 0
) -> tuple[int, int, int, int, int, str, int, int]:
    return place, tokens, NOW, asks, rule, who, 1, traits


def row(name: str, places: list[int], rows: list[list[float]], place: int) -> float:
    return rows[places.index(place)][NAMES.index(name)]


def test_a_sum_of_terms_is_worth_what_they_are_worth_together() -> None:
    worth = Worth([3.0, 2.0, 5.0])
    assert worth[0b101] == pytest.approx(0.8)
    assert worth[0b111] == pytest.approx(1.0)
    assert worth[0] == 0.0


@given(
    st.lists(st.floats(0.1, 9.0), min_size=1, max_size=8), st.integers(0, 255), st.integers(0, 255)
)
def test_more_terms_are_never_worth_less(idf: list[float], some: int, others: int) -> None:
    worth = Worth(idf)
    all_terms = (1 << len(idf)) - 1
    assert worth[(some | others) & all_terms] >= worth[some & all_terms] - 1e-9


def test_what_stands_beside_a_match_is_told() -> None:
    about = {p: message(p) for p in range(10, 16)} | {10: message(10, asks=1)}
    places, rows = figures(Standing([(4.0, [10], [])]), about, Asks(""), frozenset(), (), {})
    assert set(places) == {10, 11, 12}  # nothing stands before it here
    assert row("asked", places, rows, 11) == 1.0
    assert row("spread", places, rows, 10) == pytest.approx(log(1.02))


def test_who_said_it_is_told_as_the_prompt_asks() -> None:
    about = {
        10: message(10, who="Ann"),
        11: message(11, who="Bob"),
        12: message(12, traits=1),
        13: message(13),
    }
    found = Standing([(4.0, [10, 11, 12, 13], [])])
    places, rows = figures(
        found, about, Asks("What did you recommend?"), frozenset({"ann"}), (), {}
    )
    assert [row("speaker", places, rows, p) for p in (10, 11)] == [1.0, 0.0]
    assert [row("voice", places, rows, p) for p in (10, 12, 13)] == [0.0, 1.0, -1.0]
    places, rows = figures(found, about, Asks("Where did I put my keys?"), frozenset(), (), {})
    assert [row("voice", places, rows, p) for p in (12, 13)] == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("prompt", "when", "how_many", "voice"),
    [
        ("When did Ann leave?", True, False, 0.0),
        ("How many days did I plan?", False, True, 1.0),
        ("What did you suggest for my flat?", False, False, -1.0),
        ("你建议什么时候去？", True, False, -1.0),
        ("", False, False, 0.0),
    ],
)
def test_a_prompt_says_what_it_wants(prompt: str, when: bool, how_many: bool, voice: float) -> None:
    asks = Asks(prompt)
    assert (asks.when, asks.how_many, asks.voice) == (when, how_many, voice)


def test_a_term_is_covered_by_the_nearest_word() -> None:
    assert likeness(["dentist"])["dentist"] == 1.0
    assert 0.3 <= likeness(["dentist"])["tooth"] < 1.0
    rows = [[0.0] * len(NAMES) for _ in range(3)]
    wanted = [(2.0, likeness(["dentist"])), (1.0, likeness(["cost"]))]
    meaning([1, 5, 9], rows, [["dentist"], ["tooth", "teeth"], ["harbour"]], wanted)
    exact, alike, nothing = (one[MEANING] for one in rows)
    assert exact == pytest.approx(2 / 3)
    assert nothing < alike < exact


def test_weights_stand_in_the_order_of_the_figures() -> None:
    shipped = dict(zip(NAMES, ranking.weights(), strict=True))
    assert shipped == {**dict.fromkeys(NAMES, 0.0), **data.weights("ranking")}
    assert shipped["spread"] > 0
    assert shipped["meaning"] > 0


def test_of_equal_figures_the_shorter_message_is_worth_more() -> None:
    best, short, long = scores([0.5] * 3, [30, 40, 400])
    assert best == short == 1.0
    assert 0 < long < 0.5


def test_near_words_are_those_of_the_table() -> None:
    table = NearWords(ENGLISH)
    assert table.count > 13_000
    stems = [stem for stem, _, _ in table.of("dentist")]
    assert {"dental", "tooth"} <= set(stems)
    likenesses = [like for _, _, like in table.of("dentist")]
    assert likenesses == sorted(likenesses, reverse=True)
    assert all(0.3 <= like <= 0.76 for like in likenesses)


def test_the_other_table_has_words_of_several_languages() -> None:
    table = NearWords(OTHERS)
    assert table.count > 30_000
    for stem, other in (("voitur", "vehicul"), ("coch", "automovil"), ("航班", "飞机")):
        assert other in [near_one for near_one, _, _ in table.of(stem)], stem
        assert other in [near_one for near_one, _, _ in near(stem)]
        assert other not in [near_one for near_one, _, _ in near(stem, english=True)]


@given(st.text(max_size=2 * STEM))
def test_a_stem_that_is_not_in_the_table_has_no_neighbours(stem: str) -> None:
    assert all(like > 0 for _, _, like in near(stem))


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("My new dentist is Dr. Alves.", "Who is my tooth doctor?"),
        ("Our automobile is a Volvo.", "What car do we drive?"),
        ("Our physician suggests swimming.", "What does the doctor recommend?"),
    ],
)
@pytest.mark.parametrize("said", [False, True])
def test_a_memory_without_a_shared_word_is_found(
    memory: cogmem.Memory, text: str, prompt: str, said: bool
) -> None:
    talk = memory.conversation("talk")
    for number, filler in enumerate(("The plant needs water.", "Deploys run on Friday.", text)):
        if said:
            talk.append("user", filler)
        else:
            memory.learn(filler, kind="fact", key=f"k{number}")
    assert any(text in one.content for one in memory.recall(prompt, limit=3))


def test_a_turn_says_which_weights_ranked_its_messages(memory: cogmem.Memory) -> None:
    memory.conversation("talk").append("user", "The heron server restarts every Sunday night.")
    said = memory.activate("When does the heron server restart?").turn
    nothing = memory.activate("ok").turn
    kept = {
        row["turn"]: row["weights"]
        for turn in (said, nothing)
        for row in memory.db.rows("explain.turn", {**memory.scope.hearer(), "turn": turn})
    }
    assert kept == {said: ranking.weights_hash(), nothing: ""}


def test_what_stands_beside_a_likely_message_is_told() -> None:
    about = {p: message(p) for p in (10, 11, 12, 20)}
    found = Standing([(4.0, [10, 11, 12, 20], [])])
    alike = {11: 1.0, 12: 0.4}
    places, rows = figures(found, about, Asks(""), frozenset(), (), alike)
    assert [row("alike", places, rows, p) for p in (10, 11, 12, 20)] == [0.0, 1.0, 0.4, 0.0]
    assert [row("alike_beside", places, rows, p) for p in (10, 11, 12, 20)] == [1.0, 0.4, 1.0, 0.0]
    places, rows = figures(found, about, Asks(""), frozenset(), (), {})
    assert not any(row("alike_beside", places, rows, p) for p in (10, 11, 12, 20))
