"""Relative dates: what they meant on the day they were written, and what is left alone."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.language import dates as when
from cogmem.language.dates import MOST, READ, anchor, annotate


def ms(*parts: int) -> int:
    return round(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type]


SATURDAY = ms(2026, 11, 21, 9, 30)
WEDNESDAY = ms(2026, 11, 18, 9, 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met her yesterday.", "I met her yesterday [2026-11-20]."),
        ("Yesterday's meeting went well", "Yesterday's [2026-11-20] meeting went well"),
        ("today, tomorrow", "today [2026-11-21], tomorrow [2026-11-22]"),
        ("the day before yesterday", "the day before yesterday [2026-11-19]"),
        ("the day after tomorrow", "the day after tomorrow [2026-11-23]"),
        ("tomorrow evening we eat out", "tomorrow evening [2026-11-22] we eat out"),
        ("this morning", "this morning [2026-11-21]"),
        ("last night", "last night [2026-11-20]"),
        ("next Friday", "next Friday [2026-11-27]"),
        ("last Friday", "last Friday [2026-11-20]"),
        ("last Saturday", "last Saturday [2026-11-14]"),
        ("this Monday", "this Monday [2026-11-16]"),
        ("this coming Monday", "this coming Monday [2026-11-23]"),
        ("last week", "last week [2026-11-09 to 2026-11-15]"),
        ("this weekend", "this weekend [2026-11-21 to 2026-11-22]"),
        ("next week", "next week [2026-11-23 to 2026-11-29]"),
        ("last month", "last month [2026-10]"),
        ("next quarter", "next quarter [2027-01 to 2027-03]"),
        ("this quarter", "this quarter [2026-10 to 2026-12]"),
        ("last year", "last year [2025]"),
        ("by the end of the month", "by the end of the month [2026-11-30]"),
        ("at the beginning of next year", "at the beginning of next year [2027-01-01]"),
        ("end of this week", "end of this week [2026-11-22]"),
        ("three days ago", "three days ago [2026-11-18]"),
        ("two weeks ago we moved", "two weeks ago [around 2026-11-07] we moved"),
        ("a couple of weeks ago", "a couple of weeks ago [around 2026-11-07]"),
        ("2 months ago", "2 months ago [2026-09]"),
        ("a year ago", "a year ago [2025]"),
        ("an hour ago", "an hour ago [2026-11-21 08:00]"),
        ("Call me in three days.", "Call me in three days [2026-11-24]."),
        ("We will be there in a week.", "We will be there in a week [2026-11-28]."),
        ("ten days from now", "ten days from now [2026-12-01]"),
        ("on Friday we met the supplier", "on Friday [2026-11-20] we met the supplier"),
        ("We will ship on Friday", "We will ship on Friday [2026-11-27]"),
        ("We will ship on Saturday", "We will ship on Saturday [2026-11-28]"),
        ("in May we moved house", "in May [2026-05] we moved house"),
        ("since May we live here", "since May [2026-05] we live here"),
        ("in october it was cold", "in october [2026-10] it was cold"),
        ("It is due in March", "It is due in March [2027-03]"),
        ("last December it snowed", "last December [2025-12] it snowed"),
        ("The exam is on 5 March.", "The exam is on 5 March [2027-03-05]."),
        ("The paper is due on Dec. 3rd", "The paper is due on Dec. 3rd [2026-12-03]"),
        ("the fair was on the 3rd of October", "the fair was on the 3rd of October [2026-10-03]"),
    ],
)
def test_a_relative_date_is_kept_and_dated(text: str, expected: str) -> None:
    assert annotate(text, SATURDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Monday blues",
        "On Mondays we rest, and the shop opens on Friday every week.",
        "We sat in the sun, as one may in march and in an august body.",
        "May I ask what the March hare said?",
        "We wrote it in three days and it worked.",
        "I go running twice in a week.",
        "You can learn this in three days.",
        "My birthday is on 5 March.",
        "It was on 5 March 2024, in June 2023, by June 3rd, 2025.",
        "the next-week-plan in /data/yesterday/today.log and `last week`",
        "The next week he left, and the last Friday of May came.",
        "See you on Friday?",
        "It was on 31 June.",
        "In November it was cold.",
        "What we planned ends on 3 December.",
        "500 years ago and in 999 years",
        "A weekend, a month, the year.",
        "last Friday [2026-11-20]",
    ],
)
def test_what_is_unsure_is_left_alone(text: str) -> None:
    assert annotate(text, SATURDAY) == text


def test_next_friday_before_this_week_s_friday_gives_both_readings() -> None:
    (found,) = anchor("The release is next Friday.", WEDNESDAY)
    assert found.rendered == "2026-11-20 or 2026-11-27"
    assert found.first == date(2026, 11, 20)
    assert annotate("next Wednesday", WEDNESDAY) == "next Wednesday [2026-11-25]"


def test_an_anchor_gives_place_words_and_its_first_day() -> None:
    (found,) = anchor("We met last week, didn't we?", SATURDAY)
    assert (found.start, found.end, found.phrase) == (7, 16, "last week")
    assert found.first == date(2026, 11, 9)
    (found,) = anchor("last night", SATURDAY)
    assert found.first == date(2026, 11, 20)
    (found,) = anchor("in 15 hours", SATURDAY)
    assert found.first == date(2026, 11, 22)


def test_the_longer_of_two_overlapping_phrases_is_taken() -> None:
    assert [a.phrase for a in anchor("the end of last month", SATURDAY)] == [
        "the end of last month"
    ]
    assert [a.phrase for a in anchor("yesterday and the day before yesterday", SATURDAY)] == [
        "yesterday",
        "the day before yesterday",
    ]


PHRASES = [
    *("yesterday", "today", "tomorrow night", "last night", "this morning", "next Friday", "was"),
    *("last Monday", "on Friday", "will", "the end of next month", "two weeks ago", "in 3 days"),
    *("999 years ago", "in May", "on 31 June", "by Feb 29", "last", "next", "week", "in a week"),
    *("[2026-01-01]", "'s", ".", ",", "é", "日本", "\ud800"),
]
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(PHRASES), max_size=15).map(" ".join)
INSTANTS = st.integers(ms(1970, 1, 2), ms(2100, 1, 1))


@given(TEXTS, INSTANTS)
def test_any_text_at_any_time_keeps_its_words_and_phrases_are_in_order(text: str, at: int) -> None:
    found = anchor(text, at)
    end = 0
    for one in found:
        assert end <= one.start < one.end <= len(text)
        end = one.end
    bare = text.encode("utf-8", "replace").decode()
    dated = annotate(bare, at)
    for one in anchor(bare, at):
        dated = dated.replace(f" [{one.rendered}]", "", 1)
    assert dated == bare or "[" in text


@given(TEXTS)
def test_one_look_finds_something_wherever_a_reader_does(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    some = any(pattern.search(text) for pattern, _ in when._readers())
    assert bool(when._any_reader().search(text)) == some


@given(TEXTS, INSTANTS)
def test_annotating_twice_changes_nothing(text: str, at: int) -> None:
    once = annotate(text, at)
    assert annotate(once, at) == once


def test_reading_is_bounded() -> None:
    assert len(anchor("yesterday " * 5_000, SATURDAY)) <= MOST
    assert anchor("x" * READ + " yesterday", SATURDAY) == []
