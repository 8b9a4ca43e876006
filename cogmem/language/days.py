"""The days that a prompt names: "yesterday", "in May", "on 7 May 2023", "two weeks ago".

Loaded only for a prompt that has a word of time in it: calendars cost a new process more than the
rest of its cue does.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from cogmem.language import worded_days
from cogmem.language.worded_days import CENTURIES, MONTHS, whole_months

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)

WEEKDAYS = {
    name: number
    for number, name in enumerate(
        "monday tuesday wednesday thursday friday saturday sunday".split()
    )
}
# "may" and "march" are also verbs: a bare month counts only after one of these.
BEFORE_MONTH = frozenset(
    "in during since of by around early late mid until from through im seit en em nel desde depuis sinds".split()
)
BEFORE_YEAR = frozenset("in during since of by around year from through until".split())
UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
DAYS_BACK = {"today": 0, "tonight": 0, "yesterday": 1, "day before yesterday": 2}
COUNTED = {
    word: number
    for number, words in enumerate(
        "a an one|two couple|three few|four|five|six|seven|eight|nine|ten".split("|"), 1
    )
    for word in words.split()
}

# The words that a date can begin with; numbers apart.
OPENERS = frozenset(
    (*MONTHS, *COUNTED, *DAYS_BACK, "day", "last", "past", "previous", "this", "on")
)


def days(
    passages: Iterable[list[str]], now: datetime | int
) -> tuple[tuple[tuple[int, int], ...], set[str]]:
    """Half-open ranges of ms UTC that words in lower case name, and the words that named them."""
    moment = _EPOCH + _MS * now if isinstance(now, int) else now
    spans: dict[tuple[int, int], None] = {}
    used: set[str] = set()
    for words in passages:
        found, named = _dates(words, moment.date())
        others, named_there = worded_days.dates(words, moment.date())
        found, named = found + others, named | named_there
        if not all(map(str.isascii, words)):
            from cogmem.language import cjk_days

            others, named_there = cjk_days.dates(words, moment.date())
            found, named = found + others, named | named_there
        used |= named
        spans.update(dict.fromkeys(_instants(first, last, moment) for first, last in found))
    return tuple(spans), used


def _dates(words: list[str], today: date) -> tuple[list[tuple[date, date]], set[str]]:
    """Return the days a text names, first and last inclusive, and the words that named them."""
    found: list[tuple[date, date]] = []
    used: set[str] = set()
    i = 0
    while i < len(words):
        if not may_begin(words[i]):
            i += 1
            continue
        for length in range(min(4, len(words) - i), 0, -1):
            group = words[i : i + length]
            before = words[i - 1] if i else ""
            span = _written(group, before, today) or _relative(group, today)
            if span:
                found.append(span)
                used.update(group)
                i += length - 1
                break
        i += 1
    return found, used - set(COUNTED)


def _written(group: list[str], before: str, today: date) -> tuple[date, date] | None:
    """2024-03-15 · 2024-03 · 7 May 2023 · May 7th, 2023 · May 2023 · in May · in 2022"""
    if len(group) == 1:
        word = group[0]
        if word[:4].isdigit() and word[4:5] == "-":
            parts = word[:10].split("-")
            if len(parts) == 2 or (len(parts) == 3 and parts[2].isdigit()):
                return _day_or_month(parts[0], parts[1], parts[2] if len(parts) == 3 else "")
        if word in MONTHS and before in BEFORE_MONTH:
            month = MONTHS[word]
            return whole_months(today.year - (month > today.month), month, 1)
        is_year = len(word) == 4 and word.isdigit() and word[:2] in CENTURIES
        if is_year and before in BEFORE_YEAR:
            return date(int(word), 1, 1), date(int(word), 12, 31)
        return None
    parts = [word for word in group if word != "of"]
    if len(group) > 3 and len(parts) == len(group):
        return None
    months = [word for word in parts if word in MONTHS]
    others = [word for word in parts if word not in MONTHS]
    if len(months) != 1 or not others or (parts[-1] in MONTHS and len(others) != 1):
        return None
    month = MONTHS[months[0]]
    last = others[-1]
    year = int(last) if len(last) == 4 and last.isascii() and last.isdecimal() else 0
    if year and len(others) == 1:
        return whole_months(year, month, 1) if parts[0] in MONTHS else None
    day = ordinal(others[0])
    if not day or len(others) > (2 if year else 1):
        return None
    if year:
        return _day(year, month, day)
    # A day without a year is the last one that has been.
    this = _day(today.year, month, day)
    return this if this and this[0] <= today else _day(today.year - 1, month, day)


def _relative(group: list[str], today: date) -> tuple[date, date] | None:
    """yesterday · last week · this month · on Friday · two weeks ago · the past ten days"""
    one = timedelta(days=1)
    phrase = " ".join(group)
    if phrase in DAYS_BACK:
        day = today - one * DAYS_BACK[phrase]
        return day, day
    if len(group) == 2:
        which, unit = group
        if which in ("last", "past", "previous", "this"):
            return _period(unit, 0 if which == "this" else 1, today)
        if which == "on" and unit.rstrip("s") in WEEKDAYS:
            return _period(unit.rstrip("s"), 1, today)
        return None
    if len(group) != 3:
        return None
    first, second, third = group
    days = UNIT_DAYS.get((second if third == "ago" else third).rstrip("s"), 0)
    length = days * count(first if third == "ago" else second)
    length = min(length, today.toordinal() - 1)
    if third == "ago" and length:
        # "Three weeks ago" is said of days near that one.
        middle = today - one * length
        slack = one * min(days // 2, middle.toordinal() - 1)
        return middle - slack, min(middle + slack, today)
    if first in ("last", "past") and length:
        return today - one * length, today
    return None


def _period(unit: str, back: int, today: date) -> tuple[date, date] | None:
    one = timedelta(days=1)
    if unit in ("night", "evening", "morning", "afternoon"):
        return today - one * back, today - one * back
    if unit in WEEKDAYS:
        since = (today.weekday() - WEEKDAYS[unit]) % 7 or 7 * back
        return today - one * since, today - one * since
    monday = today - one * today.weekday()
    if unit == "week":
        return monday - one * 7 * back, monday + one * (6 - 7 * back)
    if unit == "weekend":
        saturday = monday + one * (5 - 7 * back)
        return saturday, saturday + one
    if unit == "month":
        return whole_months(today.year - (today.month == back), (today.month - back) or 12, 1)
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    if unit in MONTHS:
        month = MONTHS[unit]
        return whole_months(
            today.year - (month > today.month or (back and month == today.month)), month, 1
        )
    return None


def _day_or_month(year: str, month: str, day: str) -> tuple[date, date] | None:
    if not (month.isdigit() and 1 <= int(month) <= 12 and int(year)):
        return None
    return _day(int(year), int(month), int(day)) if day else whole_months(int(year), int(month), 1)


def _day(year: int, month: int, day: int) -> tuple[date, date] | None:
    try:
        return (date(year, month, day),) * 2
    except ValueError:
        return None


def _instants(first: date, last: date, now: datetime) -> tuple[int, int]:
    """From the first midnight to the end of the last day, in the zone of `now`."""
    start = datetime.combine(first, time.min, now.tzinfo)
    end = datetime.combine(last, time.max, now.tzinfo)
    return (start - _EPOCH) // _MS, (end - _EPOCH) // _MS + 1


def in_calendar(used: Iterable[str]) -> list[str]:
    """Return, of the words that named days, those that a text about such days has as well: names and numbers,
    and not "last week". What is done on Wednesdays was not said on one."""
    return sorted(
        word
        for word in used
        if word in MONTHS
        or word.rstrip("s") in WEEKDAYS
        or word[:1].isdecimal()
        or ("月" in word and word[0] in "一二三四五六七八九十")
    )


def may_begin(word: str) -> bool:
    """Tell whether the words of a day may begin with this one."""
    return word in OPENERS or word[:1].isdecimal()


def ordinal(word: str) -> int:
    """Return a day of the month (7, 7th); 0 for what is none."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) <= 2 else 0


def count(word: str) -> int:
    """Return a small number, in words or digits; 0 for what is none."""
    return COUNTED.get(word) or (int(word) if word.isdecimal() and len(word) <= 3 else 0)
