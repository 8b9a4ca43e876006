"""What changed is told so that a person sees it at a glance, and nothing of either text is lost."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cogmem.inspect.past import FOLDED, MOST, acts_of, compared, lines_of, stretches

TEXTS = st.lists(st.sampled_from(["the", "server", "heron", "stork", ",", " ", "\n", "8080"])).map(
    " ".join
)


@given(TEXTS, TEXTS)
def test_the_pieces_of_two_texts_make_both_of_them_again(before: str, after: str) -> None:
    pieces = compared(before, after)
    words = "".join(text for tag, text in pieces if tag != "new").split()
    assert words == before.split()
    assert "".join(text for tag, text in pieces if tag != "gone").split() == after.split()


def test_only_the_words_that_differ_are_marked() -> None:
    assert compared("The server is called heron.", "The server is called stork.") == [
        ("same", "The server is called "),
        ("gone", "heron"),
        ("new", "stork"),
        ("same", "."),
    ]


def test_a_phrase_that_took_the_place_of_another_is_one_piece() -> None:
    assert compared("Ship on red days.", "Ship any fine evening.") == [
        ("same", "Ship "),
        ("gone", "on red days"),
        ("new", "any fine evening"),
        ("same", "."),
    ]


def test_a_very_long_text_is_shown_whole_before_and_after() -> None:
    long = "word " * MOST
    assert compared(long, "short") == [("gone", long), ("new", "short")]


def _change(action: str, before: object, after: object, **more: object) -> dict[str, object]:
    texts = {
        "before": json.dumps(before) if before else None,
        "after": json.dumps(after) if after else None,
    }
    return {"change": 1, "act": "act_1", "record": "memory", "action": action, **texts, **more}


def test_what_only_the_index_needs_is_not_told() -> None:
    change = _change("update", {"terms": "a", "priority": 1}, {"terms": "b", "priority": 4})
    assert lines_of(change) == [("priority", [("gone", "1"), ("same", " → "), ("new", "4")])]


def test_the_rows_of_one_act_are_told_together() -> None:
    rows = [
        _change("insert", None, {"relation": "merged_from"}, record="link"),
        _change("update", {"state": "active"}, {"state": "archived"}),
        _change("insert", None, {"content": "Ship it."}, act="act_0"),
    ]
    acts = acts_of(rows)
    assert [len(act["lines"]) for act in acts] == [2, 1]
    assert acts[0]["lines"][1] == ("tie", [("new", "merged from")])
    assert acts[1]["lines"] == [("text", [("new", "Ship it.")])]


def test_uses_that_were_only_counted_are_one_line_of_a_history() -> None:
    def act(name: str, *columns: str) -> dict[str, object]:
        return {"name": name, "lines": [(column, []) for column in columns]}

    used = [act(f"use {number}", "times recalled") for number in range(FOLDED)]
    acts = [act("b", "text"), *used, act("a", "text"), *used[:-1]]
    told = stretches(acts)
    assert [one["is_folded"] for one in told] == [False, True, False, False]
    assert [name["name"] for one in told for name in one["acts"]] == [one["name"] for one in acts]
