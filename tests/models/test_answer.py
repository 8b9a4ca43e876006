"""Answers of models are read however they are wrapped, cut off or broken."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.models.answer import LONGEST, read

TELLING = ("content",)

GO = {
    "category": "entity",
    "content": "Project Heron is written in Go.",
    "keywords": ["heron", "go"],
}

TEA = {"category": "preferences", "content": "Mara prefers green tea.", "keywords": ["tea"]}

WAYS = [
    json.dumps([GO, TEA]),
    json.dumps({"memories": [GO, TEA]}),
    json.dumps({"note": "ok", "found": [GO, TEA]}),
    f"```json\n{json.dumps([GO, TEA])}\n```",
    f"Here you are:\n```\n{json.dumps({'memories': [GO, TEA]}, indent=2)}\n```\nAnything else?",
    f"<think>The user said [something].</think>\n{json.dumps([GO, TEA])}",
    "\ufeff" + json.dumps([GO, TEA]),
    f"{json.dumps(GO)}\n{json.dumps(TEA)}\n",
    f"Sure!\n{json.dumps(GO)},\n\n{json.dumps(TEA)}",
    f"I found these: {json.dumps([GO, TEA])} and nothing else.",
    json.dumps({"memories": [GO, TEA]})[:-1],
    f"First {json.dumps(GO)} and then {json.dumps(TEA)}.",
    json.dumps({"memories": [GO, TEA]}).replace("}, {", "} {"),
]


@pytest.mark.parametrize("text", WAYS)
def test_f36_every_way_of_wrapping_json_is_read(text: str) -> None:
    assert read(text, TELLING) == [GO, TEA]


def test_f36_a_single_object_is_one_item_an_empty_list_is_none_and_talk_cannot_be_read() -> None:
    assert read(json.dumps(GO), TELLING) == [GO]
    for text in ('{"memories": []}', "[]", 'Nothing:\n```json\n{"memories": []}\n```'):
        assert read(text, TELLING) == []
    assert read("I am sorry, " * 100, TELLING) is None


@given(st.integers(0, 400))
def test_an_answer_that_is_cut_off_anywhere_gives_all_that_is_whole(cut: int) -> None:
    items = [{**GO, "content": f'Statement {n} with a }} and a " in it.'} for n in range(4)]
    text = json.dumps({"memories": items})
    cut = min(cut, len(text) - 3)
    found = read(text[:cut], TELLING)
    assert len(found or []) == sum(text[:cut].count(json.dumps(item)) for item in items)


@given(st.text(alphabet='{}[]",:\\ \nabcontent1`<think>/', max_size=300))
def test_no_answer_makes_reading_fail(text: str) -> None:
    assert all(isinstance(item, dict) for item in read(text, TELLING) or [])


@pytest.mark.alike
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
    found = read(text, TELLING)
    assert time.process_time() - started < 5
    assert len(found or []) <= LONGEST // 18 + 1
