"""Similar texts are found, the same texts are joined, and contradictions are never merged.

Modules: contradiction, text.tags.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.errors import InvalidInput
from cogmem.language import contradiction, similarity

FIXTURES = Path(__file__).parents[1] / "fixtures"


def pairs(name: str) -> list[tuple[str, str, str]]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [(row["sort"], row["a"], row["b"]) for row in map(json.loads, lines)]


CONTRADICTIONS = pairs("contradictions.jsonl")
DUPLICATES = pairs("duplicates.jsonl")
SENTENCES = sorted({text for _, a, b in CONTRADICTIONS + DUPLICATES for text in (a, b)})


def verdict(stored: str, new: str, **thresholds: float) -> similarity.Verdict:
    return similarity.classify(new, [("m1", stored, similarity.embed(stored))], **thresholds)


# --- contradictions and duplicates ----------------------------------------------------------------


def test_the_fixtures_are_large_enough_to_mean_something() -> None:
    assert len(set(CONTRADICTIONS)) >= 300
    assert len(set(DUPLICATES)) >= 100
    alike = sum(similarity.exact_cosine(a, b) >= 0.7 for _, a, b in CONTRADICTIONS)
    assert alike >= 0.9 * len(CONTRADICTIONS), "most contradictions must look alike to count"


def test_o12_no_contradiction_is_ever_merged() -> None:
    for _, a, b in CONTRADICTIONS:
        for stored, new in ((a, b), (b, a)):
            assert verdict(stored, new).action in ("judge", "add"), (stored, new)
            assert contradiction.difference(stored, new), (stored, new)


def test_most_duplicates_are_joined() -> None:
    joined = [verdict(a, b).action in ("merge", "reinforce") for _, a, b in DUPLICATES]
    assert sum(joined) >= 0.86 * len(DUPLICATES)


def test_joining_a_duplicate_keeps_one_of_the_texts() -> None:
    for _, a, b in DUPLICATES:
        if verdict(a, b).action == "merge":
            assert similarity.merge_text(a, b) in (a, b)


def test_o12_user_likes_go_and_user_likes_python_are_judged() -> None:
    assert similarity.exact_cosine("User likes Go", "User likes Python") == pytest.approx(2 / 3)
    assert verdict("User likes Go", "User likes Python").action == "judge"


def test_o12_the_exact_cosines_of_known_pairs() -> None:
    assert similarity.exact_cosine("Uses Go", "Uses Rust") == pytest.approx(0.5)
    pair = ("User prefers Go", "User also likes Python")
    assert similarity.exact_cosine(*pair) == pytest.approx(1 / sqrt(12))


def test_o12_a_merge_needs_the_exact_cosine_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stored, new = "The build is slow", "The build is slow because the linker is old"
    assert verdict(stored, new).action == "merge"
    monkeypatch.setattr(similarity, "exact_cosine", lambda *_: 0.69)
    refused = verdict(stored, new)
    assert refused.action == "judge"
    assert "0.69" in refused.reason


@pytest.mark.parametrize(
    ("stored", "new", "reason"),
    [
        ("Use tabs in Go files", "Never use tabs in Go files", "one denies what the other says"),
        ("Tabs over spaces, always", "Spaces over tabs, always", "in another order"),
        (
            "Retry after 5 seconds again",
            "Retry after 9 seconds again",
            "“5_s” stands against “9_s”",
        ),
        ("The gate is open", "The gate is open on Sundays", "only one of them says “sunday”"),
    ],
)
def test_the_verdict_says_what_keeps_two_texts_apart(stored: str, new: str, reason: str) -> None:
    assert reason.casefold() in (contradiction.difference(stored, new) or "").casefold()


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(SENTENCES), st.data())
def test_exchanging_one_word_keeps_texts_apart(text: str, data: st.DataObject) -> None:
    words = text.split()
    place = data.draw(st.integers(0, len(words) - 1))
    if not contradiction.terms(words[place]):
        return
    other = data.draw(st.sampled_from(["zebra", "Zagreb", "17", "zig_zag.py", "v9"]))
    changed = " ".join([*words[:place], other, *words[place + 1 :]])
    assert contradiction.difference(text, changed)
    assert contradiction.difference(changed, text)


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(SENTENCES), st.data())
def test_a_negation_anywhere_keeps_texts_apart(text: str, data: st.DataObject) -> None:
    words = text.split()
    place = data.draw(st.integers(0, len(words)))
    negation = data.draw(st.sampled_from(["not", "never", "no", "without", "nicht", "unless"]))
    changed = " ".join([*words[:place], negation, *words[place:]])
    assert verdict(text, changed).action in ("judge", "add")
    assert verdict(changed, text).action in ("judge", "add")


PIECES = (
    "not",
    "Never",
    "n't",
    "n’t",
    "NO",
    "no",
    "can",
    "cannot",
    "Kein",
    "\u212aein",
    "e",
    "avoid",
    "s",
    "Nie",
    "mals",
    "nicht",
    "jangan",
    "-",
    "'",
    " ",
    " ",
    ".",
    ",",
    "*",
    "(",
    "—",
    "x",
    "1",
    "is",
    "the",
    "remember ",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_text_without_the_letters_of_a_denial_denies_nothing(text: str) -> None:
    denies = any(term in contradiction._DENYING for term in contradiction.terms(text)[:1])
    denies |= any(t in contradiction._DENYING and t != "no" for t in contradiction.terms(text))
    assert contradiction._may_deny(text) or not denies


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_a_difference_is_the_same_from_both_sides(a: str, b: str) -> None:
    assert contradiction.difference(a, a) is None
    assert (contradiction.difference(a, b) is None) == (contradiction.difference(b, a) is None)


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_get_a_verdict(a: str, b: str) -> None:
    a, b = (text.encode(errors="replace").decode() for text in (a, b))
    found = verdict(a, b)
    assert found.action in ("reinforce", "merge", "judge", "add")
    assert -1.001 <= found.similarity <= 1.001
    assert similarity.merge_text(a, b)[:1] in (a.strip()[:1], b.strip()[:1], ".")


# --- the classifier -------------------------------------------------------------------------------


def test_o08_without_anything_comparable_the_text_is_added() -> None:
    assert similarity.classify("User likes Go", []) == (
        "add",
        "",
        0.0,
        "nothing comparable is stored",
    )
    assert verdict("", "User likes Go").action == "add"
    assert verdict("User likes Go", "!!!").action == "add"


def test_o08_thresholds_divide_reinforce_merge_judge_and_add() -> None:
    assert verdict("User likes Go", "user likes Go.").action == "reinforce"
    assert (
        verdict("The build is slow", "The build is slow since the linker is old").action == "merge"
    )
    assert verdict("User likes Go", "User likes Python").action == "judge"
    assert verdict("User likes Go", "Invoices are sent on Mondays in spring").action == "add"


def test_o08_custom_thresholds_are_used() -> None:
    assert verdict("User likes Go", "User likes Python", add=0.69).action == "add"
    assert (
        verdict("The build is slow", "The build is slow since a week", merge=0.99).action == "judge"
    )
    assert verdict("User likes Go", "user likes Go").action == "reinforce"


@pytest.mark.parametrize("merge", [0, -1, float("nan")])
@pytest.mark.parametrize("add", [0, -0.5, 0.7, 2, float("nan")])
def test_o08_invalid_thresholds_fall_back(merge: float, add: float) -> None:
    for new in ("User likes Go", "User likes Python", "Invoices are sent on Mondays"):
        stored = "User likes Go"
        assert verdict(stored, new, merge=merge, add=add) == verdict(stored, new)


def test_the_best_text_that_agrees_wins_over_a_closer_contradiction() -> None:
    stored = {
        "opposite": "Never deploy the shop on Fridays after lunch",
        "same": "Do not deploy the shop on Fridays after the lunch",
        "other": "The cat sleeps",
    }
    candidates = [(uid, text, similarity.embed(text)) for uid, text in stored.items()]
    assert similarity.classify(stored["opposite"], candidates).uid == "opposite"
    new = "Don't deploy the shop on Fridays after lunch"
    assert similarity.classify(new, candidates).uid in ("same", "opposite")
    assert similarity.classify(new, candidates).action in ("merge", "reinforce")
    allowed = "Deploy the shop on Fridays after lunch"
    assert similarity.classify(allowed, candidates).action == "judge"


# --- projections ----------------------------------------------------------------------------------


def test_o07_a_projection_has_256_dimensions_and_unit_length() -> None:
    for text in SENTENCES[:100]:
        projection = similarity.embed(text)
        values = memoryview(projection).cast("b")
        assert len(projection) == similarity.DIMENSIONS == 256
        assert sqrt(sum(value * value for value in values)) / 256 == pytest.approx(1, abs=0.02)
        assert similarity.cosine(projection, projection) == pytest.approx(1)


@pytest.mark.parametrize("text", ["", " ", "!?", "…", "a", "the"])
def test_o07_a_text_without_tokens_gives_zeros(text: str) -> None:
    assert similarity.embed(text) == bytes(256)
    assert similarity.cosine(similarity.embed(text), similarity.embed("User likes Go")) == 0


def test_o07_projections_are_the_same_in_every_process_and_machine() -> None:
    joined = b"".join(map(similarity.embed, ("User likes Go", "用户喜欢绿茶", "Größe 5", "go")))
    assert hashlib.sha256(joined).hexdigest()[:16] == "509094e4c3f36436"


def test_o07_a_row_is_drawn_with_the_odds_of_a_sixth() -> None:
    values: Counter[int] = Counter()
    for number in range(400):
        values.update(memoryview(similarity.embed(f"token{number}")).cast("b"))
    total = sum(values.values())
    signs = [
        sum(n for value, n in values.items() if (value > 0) - (value < 0) == s) for s in (-1, 0, 1)
    ]
    for count, odds in zip(signs, (1 / 6, 2 / 3, 1 / 6), strict=True):
        assert count / total == pytest.approx(odds, abs=0.01)


def test_o09_a_projection_does_not_depend_on_what_else_is_stored() -> None:
    before = [similarity.embed(text) for text in SENTENCES[:50]]
    for text in reversed(SENTENCES):
        similarity.embed(text + " and more")
    assert [similarity.embed(text) for text in SENTENCES[:50]] == before


def test_projected_cosines_are_close_to_the_exact_ones() -> None:
    errors = [
        abs(
            similarity.cosine(similarity.embed(a), similarity.embed(b))
            - similarity.exact_cosine(a, b)
        )
        for a, b in pairwise(SENTENCES)
    ]
    assert sum(errors) / len(errors) < 0.05
    assert max(errors) < 0.25


def test_a_projection_of_another_size_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InvalidInput, match="rebuild"):
        similarity.cosine(bytes(64), bytes(256))


def test_a_very_long_text_is_projected_without_overflow() -> None:
    assert similarity.cosine(similarity.embed("tea " * 200_000), similarity.embed("tea")) > 0.99


def test_tokens_are_words_in_any_script() -> None:
    assert similarity.tokens("The user's Cats (2) like C++ & Größe") == [
        "user",
        "cats",
        "2",
        "like",
        "grösse",
    ]
    assert similarity.tokens("用户喜欢 tea です") == ["用户", "户喜", "喜欢", "tea", "です"]
    assert similarity.tokens("茶 x") == ["茶"]
    assert similarity.exact_cosine("用户喜欢喝绿茶", "用户喜欢喝绿茶。") == pytest.approx(1)


# --- joining --------------------------------------------------------------------------------------


def test_o11_merge_text_keeps_the_fuller_text_or_joins_both() -> None:
    assert similarity.merge_text("User likes Go", "User likes Go") == "User likes Go"
    longer = "User likes Go and Rust"
    assert similarity.merge_text("User likes Go", longer) == longer
    assert similarity.merge_text(longer, "user likes go") == longer
    joined = similarity.merge_text("User likes Go", "User likes Python")
    assert joined == "User likes Go. User likes Python"
    assert (
        similarity.merge_text("User likes Go.", "He hates Java.") == "User likes Go. He hates Java."
    )
