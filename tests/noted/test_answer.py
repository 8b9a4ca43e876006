"""Answers of models are read however they are wrapped, cut off or broken."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.noted.answer import LONGEST, read

if TYPE_CHECKING:
    pass

TELLING = ("content",)

GO = {
    "category": "entity",
    "content": "Project Heron is written in Go.",
    "keywords": ["heron", "go"],
}

TEA = {"category": "preferences", "content": "Mara prefers green tea.", "keywords": ["tea"]}

WAYS = {
    "json": [
        json.dumps([GO, TEA]),
        json.dumps({"memories": [GO, TEA]}),
        json.dumps({"note": "ok", "found": [GO, TEA]}),
        f"```json\n{json.dumps([GO, TEA])}\n```",
        f"Here you are:\n```\n{json.dumps({'memories': [GO, TEA]}, indent=2)}\n```\nAnything else?",
        f"<think>The user said [something].</think>\n{json.dumps([GO, TEA])}",
        "\ufeff" + json.dumps([GO, TEA]),
    ],
    "lines": [
        f"{json.dumps(GO)}\n{json.dumps(TEA)}\n",
        f"Sure!\n{json.dumps(GO)},\n\n{json.dumps(TEA)}",
    ],
    "brackets": [
        f"I found these: {json.dumps([GO, TEA])} and nothing else.",
        json.dumps({"memories": [GO, TEA]})[:-1],
    ],
    "salvage": [
        f"First {json.dumps(GO)} and then {json.dumps(TEA)}.",
        json.dumps({"memories": [GO, TEA]}).replace("}, {", "} {"),
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_f36_every_way_of_wrapping_json_is_read(way: str) -> None:
    for text in WAYS[way]:
        reading = read(text, TELLING)
        assert reading.items == [GO, TEA], text
        assert reading.way == way, text
        assert reading.is_whole, text


def test_f36_a_single_object_is_one_item_and_an_empty_list_is_none() -> None:
    assert read(json.dumps(GO), TELLING).items == [GO]
    assert read('{"memories": []}', TELLING).way == "json"
    assert read("[]", TELLING).items == []


def test_f36_an_answer_that_cannot_be_read_shows_its_first_two_hundred_characters() -> None:
    reading = read("I am sorry, " * 100, TELLING)
    assert reading.way == ""
    assert len(reading.preview) == 200


@given(st.integers(0, 400))
def test_an_answer_that_is_cut_off_anywhere_gives_all_that_is_whole(cut: int) -> None:
    items = [{**GO, "content": f'Statement {n} with a }} and a " in it.'} for n in range(4)]
    text = json.dumps({"memories": items})
    cut = min(cut, len(text) - 3)
    reading = read(text[:cut], TELLING)
    whole = sum(text[:cut].count(json.dumps(item)) for item in items)
    assert len(reading.items) == whole
    assert not reading.is_whole or whole == 4


@given(st.text(alphabet='{}[]",:\\ \nabcontent1`<think>/', max_size=300))
def test_no_answer_makes_reading_fail(text: str) -> None:
    reading = read(text, TELLING)
    assert all(isinstance(item, dict) for item in reading.items)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"a":' * 200_000,
        '{"content":' * 100_000,
        "{" * 1_000_000,
        '{"content": "' + "x" * 10_000_000,
        "\\" * 1_000_000,
        '[{"content": "x"},' * 60_000,
        json.dumps([{"content": "y" * 9_000_000}]),
    ],
    ids=["lists", "objects", "items", "braces", "ten-megabytes", "slashes", "many", "one-long"],
)
def test_deep_and_huge_answers_are_read_in_bounded_time(text: str) -> None:
    started = time.process_time()
    reading = read(text, TELLING)
    assert time.process_time() - started < 5
    assert len(reading.items) <= LONGEST // 18 + 1
