"""Which prompts ask for what was, and which only have a word of time in them."""

from __future__ import annotations

from pathlib import Path

from conftest import DAY, NOW

from cogmem.language.asked_past import AskedPast, asked_past
from cogmem.language.cue import read_cue

PROMPTS = Path(__file__).parents[1] / "fixtures" / "past_prompts.tsv"


def test_a_prompt_asks_for_the_past_or_leaves_it() -> None:
    wrong = []
    for line in PROMPTS.read_text(encoding="utf-8").splitlines():
        wanted, prompt = line.split("\t")
        asks = asked_past(prompt, read_cue(prompt, NOW).spans, NOW) is not None
        if asks != (wanted == "asks"):
            wrong.append(line)
    assert wrong == []


def test_a_day_that_is_over_asks_for_what_held_then() -> None:
    then = (NOW - 40 * DAY, NOW - 30 * DAY)
    asked = asked_past("Who was on call in December?", (then,), NOW)
    assert asked is not None
    assert asked.covers(None, NOW - 35 * DAY)
    assert asked.covers(NOW - 32 * DAY, NOW - 10 * DAY)
    assert not asked.covers(None, NOW - 41 * DAY)
    assert not asked.covers(NOW - 20 * DAY, NOW)
    assert asked_past("Who is on call tomorrow?", ((NOW, NOW + DAY),), NOW) is None


def test_what_was_never_true_is_no_past() -> None:
    assert not AskedPast().covers(NOW, NOW)
    assert not AskedPast().covers(None, 0)
    assert AskedPast().covers(None, NOW)
