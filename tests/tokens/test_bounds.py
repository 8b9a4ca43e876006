"""The upper bound on o200k tokens is never below the count, and not far above it."""

from __future__ import annotations

import random
from itertools import pairwise

import o200k_whole
import pytest
from conftest import examples
from counted_texts import (
    AFTER_SPACE,
    CHINESE,
    CODE,
    EITHER,
    JAPANESE,
    LOWER,
    PROSE,
    SHELTERED,
    beyond,
    blanks,
    numbers,
    signs,
    words,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cogmem.text import lines
from cogmem.tokens import counting
from cogmem.tokens.bounds import Upper
from cogmem.tokens.counting import (
    Cjk,
    O200k,
    Simple,
    Typed,
)

o200k, upper, simple, typed, cjk = O200k(), Upper(), Simple(), Typed(), Cjk()


texts = st.lists(st.one_of(words, words, blanks, signs, numbers, beyond), max_size=12).map("".join)


@pytest.fixture(scope="module")
def table() -> bytes:
    return counting._shipped_table()


@pytest.fixture(scope="module")
def ranks(table: bytes) -> dict[bytes, int]:
    return counting._ranks(table)


@settings(max_examples=examples(800))
@given(texts)
@example("bqgkjvbqgk")  # letters whose pairs are no tokens
@example("\U00010ead\n/]_)^")  # a slash that belongs to the line before
@example("she said 'll 8 don't'llama 'x")
@example("x\xa0     foo 0  9")
@example("\u2160210236")  # figures of two kinds share a piece
def test_the_upper_bound_is_never_below_o200k(text: str) -> None:
    assert upper.count(text) >= o200k.count(text)


@settings(max_examples=examples(500))
@given(st.text(max_size=12))
def test_the_upper_bound_holds_for_any_unicode(text: str) -> None:
    assert upper.count(text) >= o200k.count(text)


def test_the_upper_bound_holds_for_every_token_beside_any_other(ranks: dict[bytes, int]) -> None:
    chance = random.Random(3)
    vocabulary = [token.decode() for token in ranks if is_text(token)]
    for token in chance.sample(vocabulary, 12_000):
        text = token + chance.choice(vocabulary)
        assert upper.count(text) >= o200k.count(text), ascii(text)


def test_the_upper_bound_holds_for_words_figures_and_signs_in_any_order() -> None:
    chance = random.Random(7)
    glue = ["", "", " ", " ", "\n", "'", "/", "-", ". ", "(", "3", " 12", "你", "\t"]
    listed = [*EITHER, *LOWER, *AFTER_SPACE, *o200k_whole.SIGNS, *SHELTERED, *map(str, range(999))]
    for _ in range(15_000):
        text = "".join(chance.choice(listed) + chance.choice(glue) for _ in range(4))
        assert upper.count(text) >= o200k.count(text), ascii(text)


def is_text(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "at_most"), [(PROSE, 1.7), (CODE, 1.5), (CHINESE, 1.8), (JAPANESE, 1.8)]
)
def test_the_upper_bound_is_no_more_than_twice_too_high_on_common_text(
    text: str, at_most: float
) -> None:
    assert upper.count(text) <= at_most * o200k.count(text)


@given(st.lists(st.tuples(words, blanks).map("".join), max_size=6))
def test_the_upper_bound_of_lines_is_at_least_that_of_the_block(parts: list[str]) -> None:
    made = [lines.line(lines.one_line(part)) for part in parts]
    assert sum(map(upper.count, made)) >= o200k.count("".join(made))


def test_every_listed_word_is_one_token_alone_after_a_space_and_after_a_sign(
    ranks: dict[bytes, int],
) -> None:
    for word in [*EITHER, *map(str.capitalize, EITHER), *LOWER]:
        assert word.encode() in ranks
        assert f" {word}".encode() in ranks
    assert all(f" {word}".encode() in ranks for word in AFTER_SPACE)
    chance = random.Random(5)
    for word in chance.sample([*EITHER, *map(str.capitalize, EITHER), *LOWER], 300):
        assert all(o200k.count(sign + word) <= 2 for sign in (*o200k_whole.SIGNS, "\t"))


def test_blanks_and_digits_are_the_tokens_that_the_bound_takes_them_for(
    ranks: dict[bytes, int],
) -> None:
    assert all(b" " * length in ranks for length in range(1, 80))
    assert all(b"\t" * length in ranks for length in range(1, 21))
    assert b"\n\n" in ranks
    assert all(str(number).zfill(3).encode() in ranks for number in range(1000))
    assert all(str(number).zfill(2).encode() in ranks for number in range(100))
    assert all(f" {letter}".encode() in ranks for case in o200k_whole.LETTERS for letter in case)


def test_listed_characters_merge_whole_and_nothing_breaks_them(ranks: dict[bytes, int]) -> None:
    chars = set(SHELTERED)
    assert all(merged_alone(char.encode(), ranks) == [char.encode()] for char in chars)
    assert list(o200k_whole.breakers(ranks, chars)) == []


def merged_alone(text: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """Byte pair encoding, the slow and plain way."""
    parts = [text[at : at + 1] for at in range(len(text))]
    while True:
        pairs = [(ranks.get(a + b, 1 << 30), at) for at, (a, b) in enumerate(pairwise(parts))]
        rank, at = min(pairs, default=(1 << 30, 0))
        if rank == 1 << 30:
            return parts
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


@pytest.mark.long
def test_the_list_of_whole_words_is_what_the_table_gives(ranks: dict[bytes, int]) -> None:
    assert o200k_whole.the_file(ranks) == o200k_whole.PATH.read_text(encoding="utf-8")
