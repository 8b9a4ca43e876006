"""Something said, a correction, a question now, a question about before: stories that must come out right.

`make test-everything` walks both halves, `make test` every second story of the one that was not looked at;
`benchmarks/hearing/stories.py` reports each half, with and without the record of what was said.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/hearing"))

import stories  # type: ignore[import-not-found]  # noqa: E402

if TYPE_CHECKING:
    import cogmem


@pytest.mark.parametrize(
    ("name", "every", "least"),
    [
        pytest.param("tuned", 1, 0.9, marks=pytest.mark.long),
        pytest.param("held", 1, 0.75, marks=pytest.mark.long),
        ("held", 2, 0.85),
    ],
)
def test_a_correction_corrects_and_the_past_is_answered(
    name: str, every: int, least: float
) -> None:
    told = stories.outcomes(name, recorded=True, every=every)
    wrong = [story.said for story, outcome in told if not outcome.right]
    assert len(wrong) <= (1 - least) * len(told), wrong


def contents(memory: cogmem.Memory, now: int) -> list[str]:
    return [row.content for row in memory.facts.at(now, now=now)]


def test_a_statement_is_history_when_it_is_set_right(memory: cogmem.Memory) -> None:
    first = memory.capture("The printer is on the second floor", now=NOW)
    assert [one.outcome for one in first.learned] == ["inserted"]
    memory.learn("The printer is on the fourth floor now", source="user_explicit", now=NOW + DAY)
    assert contents(memory, NOW + 2 * DAY) == ["The printer is on the fourth floor now"]
    then = memory.facts.at(NOW + DAY // 2, now=NOW + 2 * DAY)
    assert [row.content for row in then] == ["The printer is on the second floor"]


def test_what_is_only_half_a_statement_counts_where_it_sets_something_right(
    memory: cogmem.Memory,
) -> None:
    later = "our shop is in Porto now"
    assert not [one for one in memory.capture("we eat in Porto now", now=NOW).learned if one.uid]
    memory.learn("Our shop is in Braga", source="user_explicit", now=NOW)
    heard = memory.capture(later, now=NOW + DAY)
    assert [one.outcome for one in heard.learned] == ["superseded"]
    assert contents(memory, NOW + 2 * DAY) == [later]


def test_a_message_that_a_later_statement_sets_right_is_not_shown(memory: cogmem.Memory) -> None:
    talk = memory.conversation("first")
    talk.append("user", "The timeout of the gateway is 30 seconds", at=NOW)
    memory.learn("The timeout of the gateway is 60 seconds", now=NOW + DAY)
    shown = memory.activate("What is the timeout of the gateway?", now=NOW + 2 * DAY).text
    assert "60 seconds" in shown
    assert "30 seconds" not in shown
    before = memory.activate("What was the timeout of the gateway before?", now=NOW + 2 * DAY).text
    assert "30 seconds" in before
