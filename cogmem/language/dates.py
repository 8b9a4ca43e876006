"""Dates that a text names only relatively, anchored to the instant at which it was written.

"The release is next Friday" is true for a week and a riddle afterwards. `anchor` finds such phrases
and says which days they meant; `annotate` keeps the words and puts the date behind them:
"yesterday [2026-11-20]", "last week [2026-11-09 to 2026-11-15]".

A wrong date is worse than none, so what can be read two ways is handled with care:

- "next Friday" on a Wednesday is this week's to some people and next week's to others: both are
  given, "[2026-11-20 or 2026-11-27]". On a Saturday it can only be one.
- "on Friday", "in March", "on 5 March" need a word in their sentence that tells past from future
  ("we met", "is due"), and lie within half a year; nothing is said of what recurs ("every", "on
  Mondays", birthdays).
- "in three days" in a sentence of the past is how long something took.
- "may", "march" and "august" are months only with a capital and a preposition or a day; bare
  weekdays ("Monday blues", "sat") and dates with a year are left alone.
- Weeks and months ago are no exact days: "[around 2026-11-07]", "[2026-09]".

Weeks begin on Monday, and days are those of UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import cache

from cogmem.language.clauses import readable, regex
from cogmem.language.months import months_from
from cogmem.language.table import words_of_days
from cogmem.named import NamedTuple
from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

READ = 20_000  # characters of a text that are looked at
MOST = 200  # phrases that are anchored in one text


class Anchor(NamedTuple):
    """A phrase and the first day that it means; start and end count characters of the text."""

    start: int
    end: int
    phrase: str
    first: date
    rendered: str


class _Span(NamedTuple):
    """First and last day, and how they are written."""

    first: date
    last: date
    rendered: str


class _Clock:
    """The instant of writing, as days."""

    def __init__(self, at: int) -> None:
        self.now = datetime.fromtimestamp(at / 1000, UTC)
        self.today = self.now.date()
        self.monday = self.today - timedelta(days=self.today.weekday())


_ENDS_A_SENTENCE = ".!?;\n"


def anchor(text: str, at: int) -> list[Anchor]:
    """Find the relative dates of a text written at `at` (ms UTC)."""
    text = readable(text[:READ])
    if not _any_reader().search(text):  # as most texts: one look instead of one for each reader
        return []
    clock = _Clock(at)
    found: list[Anchor] = []
    for pattern, read in _readers():
        for match in pattern.finditer(text):
            start, end = match.span()
            if text[end : end + 2] in ("'s", "’s"):
                end += 2
            if not _stands_alone(text, start, end):
                continue
            try:
                span = read(match, clock, text)
            except (OverflowError, ValueError):  # a date beyond the calendar, or the 31st of June
                continue
            if span is not None and 1900 <= span.first.year <= span.last.year <= 2200:
                found.append(Anchor(start, end, text[start:end], span.first, span.rendered))
            if len(found) >= MOST:
                break
    # Where two overlap, the longer phrase is the one that was meant.
    found.sort(key=lambda one: (one.start, -one.end))
    apart: list[Anchor] = []
    for one in found:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return apart[:MOST]


def annotate(text: str, at: int) -> str:
    """Return the text with the date behind each relative one; a second time changes nothing."""
    pieces: list[str] = []
    last = 0
    for one in anchor(text, at):
        pieces += (text[last : one.end], f" [{one.rendered}]")
        last = one.end
    return "".join([*pieces, text[last:]])


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a phrase is a phrase, not part of a name, a path, code or a dated phrase."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "-_/@`#.$"):
        return False
    if text[end : end + 1] and (text[end].isalnum() or text[end] in "-_/@`("):
        return False
    dated = text[end : end + 8]
    return not (dated.startswith(" [around") or (dated.startswith(" [") and dated[2:6].isdigit()))


def _sentence(text: str, start: int, end: int) -> str:
    begin = max(text.rfind(mark, 0, start) for mark in _ENDS_A_SENTENCE) + 1
    stops = [stop for mark in _ENDS_A_SENTENCE if (stop := text.find(mark, end)) >= 0]
    return text[begin : min(stops, default=len(text))]


def _is_said(what: str, sentence: str) -> bool:
    """Tell whether something of a sort is said: what is past, what recurs …"""
    return _patterns()[what][0].search(sentence) is not None


def _is_past(sentence: str) -> bool:
    return _is_said("past", _patterns()["not past"][0].sub("", sentence))


def _direction(sentence: str, how: str, present_is_future: bool) -> int:
    """Return -1 for the past, 1 for the future, 0 where the sentence does not tell."""
    if _is_said("recurs", sentence):
        return 0
    how = how.lower()
    if how in ("since", "last"):
        return -1
    is_past = _is_past(sentence)
    if how in ("by", "until", "till", "next"):
        return not is_past
    is_future = _is_said("future", sentence)
    if not is_past and not is_future and present_is_future:
        is_future = _is_said("present", sentence)
    return is_future - is_past


def _one_day(day: date) -> _Span:
    return _Span(day, day, day.isoformat())


def _days(first: date, last: date) -> _Span:
    return _Span(first, last, f"{first.isoformat()} to {last.isoformat()}")


def _month_of(day: date, months: int = 0, count: int = 1) -> _Span:
    """Return `count` whole months, the first `months` after that of a day."""
    first, last = months_from(day, months, count)
    if count == 12:
        return _Span(first, last, f"{first.year}")
    rendered = f"{first.year}-{first.month:02}"
    if count > 1:
        rendered += f" to {last.year}-{last.month:02}"
    return _Span(first, last, rendered)


def _near(match: Any, clock: _Clock, _: str) -> _Span:
    """Read "yesterday", "tomorrow evening", "the day before yesterday", "tonight", "last night"."""
    words = match["near"].lower()
    days = _NEAR.get(words, 0)
    return _one_day(clock.today + timedelta(days=days))


_NEAR = {"the day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1}
_NEAR |= {"the day after tomorrow": 2}


def _weekday(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "last Monday", "this Friday", "next Friday"."""
    if _is_relative_to_another(match, text):
        return None
    which = match["which"].lower()
    here = clock.monday + timedelta(days=_weekday_in(match))
    if which == "last":
        return _one_day(here if here < clock.today else here - timedelta(days=7))
    if which == "this":
        return _one_day(here)
    if which != "next":
        return _one_day(here if here > clock.today else here + timedelta(days=7))
    after = here + timedelta(days=7)
    if here <= clock.today:
        return _one_day(after)
    return _Span(here, after, f"{here.isoformat()} or {after.isoformat()}")


def _on_weekday(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "on Friday", where its sentence says whether it has been or is to come."""
    direction = _direction(_sentence(text, *match.span()), "on", present_is_future=False)
    if not direction:
        return None
    away = (_weekday_in(match) - clock.today.weekday()) % 7
    return _one_day(clock.today + timedelta(days=(away or 7) if direction > 0 else away - 7))


def _is_relative_to_another(match: Any, text: str) -> bool:
    """Tell "the next week" of a story and "the last Friday of May" from those of the writer."""
    start, end = match.span()
    return text[max(0, start - 4) : start].lower() == "the " or text[end : end + 4] == " of "


def _unit(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "last week", "next month", "the end of the quarter"."""
    which, unit = match["which"].lower(), match["unit"].lower()
    edge = (match["edge"] or "").lower()
    if not edge and (which == "the" or _is_relative_to_another(match, text)):
        return None
    steps = {"last": -1, "next": 1}.get(which, 0)
    if unit in ("week", "weekend"):
        monday = clock.monday + timedelta(days=7 * steps)
        first = monday + timedelta(days=5) if unit == "weekend" else monday
        span = _days(first, monday + timedelta(days=6))
    elif unit == "month":
        span = _month_of(clock.today, steps)
    elif unit == "quarter":
        span = _month_of(clock.today, 3 * steps - (clock.today.month - 1) % 3, 3)
    else:
        span = _month_of(clock.today, 12 * steps - clock.today.month + 1, 12)
    if edge:
        return _one_day(span.last if "end" in edge else span.first)
    return span


def _count(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "two weeks ago", "3 days from now", "in an hour"."""
    words = match["number"].lower()
    number = 2 if "couple" in words else int(_numbered("{}", 12).get(words, words))
    unit = match["unit"].lower()
    way = match["way"].lower()
    if way == "in" and not _is_to_come(_sentence(text, *match.span()), words in ("a", "an")):
        return None
    steps = -number if way == "ago" else number
    if unit == "hour":
        then = clock.now + timedelta(hours=steps)
        return _Span(then.date(), then.date(), f"{then:%Y-%m-%d %H}:00")
    if unit == "day":
        return _one_day(clock.today + timedelta(days=steps))
    if unit == "week":
        day = clock.today + timedelta(days=7 * steps)
        if steps > 0:
            return _one_day(day)
        around = timedelta(days=3)
        return _Span(day - around, day + around, f"around {day.isoformat()}")
    if unit == "month":
        return _month_of(clock.today, steps)
    return _month_of(clock.today, 12 * steps - clock.today.month + 1, 12)


def _is_to_come(sentence: str, needs_proof: bool) -> bool:
    """Tell whether "in three days" names a day; "in a week" has to prove it: "twice in a week"."""
    if _is_past(sentence) or _is_said("lasts", sentence):
        return False
    return not needs_proof or _is_said("future", sentence)


def _month(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "in March" and "since May" as the nearest such month on the side that is meant."""
    how = match["how"].lower()
    month = _numbered("month-{}", 12)[match["month"].lower()]
    end = match.end()
    if text[end : end + 6].strip(" ,")[:1].isdigit():
        return None  # a day or a year follows: no bare month
    if how == "this":
        return _month_of(clock.today.replace(month=month, day=1))
    direction = _direction(_sentence(text, match.start(), end), how, present_is_future=True)
    if not direction:
        return None
    away = (month - clock.today.month) % 12
    if not away and direction < 0 and how != "last":
        return None  # of this month or of a year ago: both are said
    if direction < 0:
        away -= 12
    elif not away and how == "next":
        away = 12
    # A sentence may have its tense from elsewhere: half a year off, it is not believed.
    if abs(away) > 6 and how not in ("since", "last", "by", "until", "till", "next"):
        return None
    return _month_of(clock.today, away)


def _day_of_month(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "on 5 March" and "by June 3rd" as the nearest such day on the side that is meant."""
    end = match.end()
    follows = text[end : end + 6].strip(" ,")
    if follows[:4].isdigit() and len(follows) >= 4:
        return None
    direction = _direction(
        _sentence(text, match.start(), end), match["how"], present_is_future=True
    )
    if not direction:
        return None
    month, year = _numbered("month-{}", 12)[match["month"].lower()], clock.today.year
    nth = int(match["nth"])
    day = date(year, month, nth)
    if direction > 0 and day < clock.today:
        day = date(year + 1, month, nth)
    elif direction < 0 and day > clock.today:
        day = date(year - 1, month, nth)
    return _one_day(day) if abs((day - clock.today).days) <= 183 else None


def _weekday_in(match: Any) -> int:
    """Return the number of a weekday, 0 for Monday."""
    return _numbered("weekday-{}", 7)[match["weekday"].lower()] - 1


@cache
def _numbered(name: str, last: int) -> dict[str, int]:
    """Return the English words of so many classes of the table, each with the number of its class."""
    known = words_of_days("en")
    return {word: at for at in range(1, last + 1) for word in known[name.format(at)]}


@cache
def _patterns() -> dict[str, list[Any]]:
    """Compile the patterns, with the words of the table in them."""
    months = [name for name in _numbered("month-{}", 12) if name not in ("may", "march", "august")]
    words = {
        "WEEKDAYS": [name for name in _numbered("weekday-{}", 7) if name[-1] != "s"],
        "SHORTS": [name.capitalize() for name in months if len(name) < 4 or name == "sept"],
        "MONTHS": [name for name in months if len(name) > 3 and name != "sept"],
        "NUMBERS": [name for name in _numbered("{}", 12) if name not in ("couple", "few")],
    }
    found: dict[str, list[Any]] = {}
    for head, _, text in patterns("dates"):
        for name, several in words.items():
            text = text.replace(name, "|".join(several))
        found.setdefault(head, []).append(regex(text))
    return found


_READERS = {
    "near": _near,
    "weekday": _weekday,
    "on weekday": _on_weekday,
    "unit": _unit,
    "count": _count,
    "month": _month,
    "day of month": _day_of_month,
}


@cache
def _readers() -> list[tuple[Any, Callable[[Any, _Clock, str], _Span | None]]]:
    return [(one, read) for name, read in _READERS.items() for one in _patterns()[name]]


@cache
def _any_reader() -> Any:
    """Return one pattern that finds something wherever one of the readers does."""
    said = (pattern.pattern for pattern, _ in _readers())
    return regex("|".join(f"(?:{re.sub('[(][?]P<[a-z]+>', '(', one)})" for one in said))
