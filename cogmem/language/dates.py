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

Weeks begin on Monday. Spans run from `from_ms` up to but not including `to_ms`.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from cogmem.language.clauses import readable, regex
from cogmem.language.months import whole_months
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

READ = 20_000  # characters of a text that are looked at
MOST = 200  # phrases that are anchored in one text


class Anchor(NamedTuple):
    """A phrase and the span that it means; start and end count characters of the text."""

    start: int
    end: int
    phrase: str
    from_ms: int
    to_ms: int
    rendered: str


class _Span(NamedTuple):
    """First and last day, how they are written, and the hours of the day that are meant."""

    first: date
    last: date
    rendered: str
    hours: tuple[int, int] = (0, 24)


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_COUNTED = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
)
_NUMBERS = {word: number for number, word in enumerate(_COUNTED, 1)}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2}
_HOURS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}

_NUMBER = (
    r"(?P<number>\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve)"
)
_WEEKDAY = f"(?P<weekday>{'|'.join(_DAYS)})"
# Only with a capital where the word means something else without one.
_MONTH = (
    r"(?P<month>(?-i:May|March|August)|january|february|april|june|july|september|october|november"
    r"|december"
)
_SHORT = r"|(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
_NTH = r"(?P<nth>\d{1,2})(?:st|nd|rd|th)?"
_WHICH = r"(?P<which>last|this coming|the coming|this|next)"
_HOW = r"(?P<how>on|by|until|till|since|from|before|after)"

# What links a phrase to the past or the future when the phrase itself does not say which.
_PAST = (
    r"\b(?:was|were|had|did|went|met|got|saw|came|made|took|told|said|bought|sent|ran|wrote|ate"
    r"|left|lost|found|gave|spent|began|broke|built|paid|sold|flew|drove|won|held|felt|heard|ago"
    r"|yesterday|\w+[^eb\W]ed)\b"
)
_FUTURE = (
    r"\b(?:will|won't|shall|going to|gonna|due|deadline|plan to|planned for|scheduled for|must"
    r"|have to|has to|let's|leaving|arriving|upcoming|tomorrow)\b|\w'll\b"
)
_PRESENT = r"\b(?:is|are|am|starts?|begins?|ends?|opens?|closes?|takes? place)\b"
_RECURS = (
    r"\b(?:every|each|always|usually|normally|generally|weekly|monthly|yearly|annual\w*|birthdays?"
    r"|anniversary|holidays?|often|never|any)\b"
)
_NOT_PAST = r"\b(?:hundred|sacred|kindred|naked|scheduled for|planned for|supposed to)\b"
# "You learn it in three days" says how long, not when.
_LASTS = r"\b(?:takes?|possible|doable|within|learn\w*|finish\w*|complete\w*|times|twice|once)\b"

_ENDS_A_SENTENCE = ".!?;\n"


class _Clock:
    """The instant of writing, as days."""

    def __init__(self, at: int) -> None:
        self.now = datetime.fromtimestamp(at / 1000, UTC)
        self.today = self.now.date()
        self.monday = self.today - timedelta(days=self.today.weekday())

    def ms(self, day: date, hours: float = 0) -> int:
        midnight = datetime.combine(day + timedelta(days=hours // 24), time(0), UTC)
        return round((midnight.replace(hour=int(hours % 24))).timestamp() * 1000)


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
                if span is None or not 1900 <= span.first.year <= span.last.year <= 2200:
                    continue
                opens, closes = span.hours
                from_ms, to_ms = clock.ms(span.first, opens), clock.ms(span.last, closes)
            except (OverflowError, ValueError):  # a date beyond the calendar, or the 31st of June
                continue
            found.append(Anchor(start, end, text[start:end], from_ms, to_ms, span.rendered))
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


@cache
def _tenses() -> tuple[Any, ...]:
    return tuple(map(regex, (_RECURS, _NOT_PAST, _PAST, _FUTURE, _PRESENT)))


def _direction(sentence: str, how: str, present_is_future: bool) -> int:
    """Return -1 for the past, 1 for the future, 0 where the sentence does not tell."""
    recurs, not_past, past, future, present = _tenses()
    if recurs.search(sentence):
        return 0
    how = how.lower()
    if how in ("since", "last"):
        return -1
    if how in ("by", "until", "till", "next"):
        return 1 if not past.search(not_past.sub("", sentence)) else 0
    is_past = past.search(not_past.sub("", sentence)) is not None
    is_future = future.search(sentence) is not None
    if not is_past and not is_future and present_is_future:
        is_future = present.search(sentence) is not None
    return is_future - is_past


def _one_day(day: date, hours: tuple[int, int] = (0, 24)) -> _Span:
    return _Span(day, day, day.isoformat(), hours)


def _days(first: date, last: date) -> _Span:
    return _Span(first, last, f"{first.isoformat()} to {last.isoformat()}")


def _month_of(day: date, months: int = 0, count: int = 1) -> _Span:
    """Return `count` whole months, the first `months` after that of a day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first, last = whole_months(year, month + 1, count)
    if count == 12:
        return _Span(first, last, f"{first.year}")
    rendered = f"{first.year}-{first.month:02}"
    if count > 1:
        rendered += f" to {last.year}-{last.month:02}"
    return _Span(first, last, rendered)


def _near(match: Any, clock: _Clock, _: str) -> _Span:
    """Read "yesterday", "tomorrow evening", "the day before yesterday"."""
    distance = {"yesterday": -1, "today": 0, "tomorrow": 1}
    words = match["near"].lower()
    days = distance.get(words, -2 if "before" in words else 2)
    hours = _HOURS.get((match["part"] or "").lower(), (0, 24))
    return _one_day(clock.today + timedelta(days=days), hours)


def _part(match: Any, clock: _Clock, _: str) -> _Span:
    """Read "tonight", "last night", "this morning"."""
    words = match["part"].lower()
    if words == "last night":
        return _one_day(clock.today - timedelta(days=1), (18, 30))
    return _one_day(clock.today, (18, 30) if words == "tonight" else _HOURS[words[5:]])


def _weekday(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "last Monday", "this Friday", "next Friday"."""
    if _is_relative_to_another(match, text):
        return None
    number = _DAYS.index(match["weekday"].lower())
    which = match["which"].lower()
    here = clock.monday + timedelta(days=number)
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
    away = (_DAYS.index(match["weekday"].lower()) - clock.today.weekday()) % 7
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
    number = _NUMBERS[words] if words in _NUMBERS else int(words)
    unit = match["unit"].lower()
    way = match["way"].lower()
    if way == "in" and not _is_to_come(_sentence(text, *match.span()), words in ("a", "an")):
        return None
    steps = -number if way == "ago" else number
    if unit == "hour":
        then = clock.now + timedelta(hours=steps)
        rendered = f"{then:%Y-%m-%d %H}:00"
        return _Span(then.date(), then.date(), rendered, (then.hour, then.hour + 1))
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
    _, not_past, past, future, _ = _tenses()
    if past.search(not_past.sub("", sentence)) or _lasts().search(sentence):
        return False
    return not needs_proof or future.search(sentence) is not None


@cache
def _lasts() -> Any:
    return regex(_LASTS)


def _month(match: Any, clock: _Clock, text: str) -> _Span | None:
    """Read "in March" and "since May" as the nearest such month on the side that is meant."""
    how = match["how"].lower()
    month = _month_number(match["month"])
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
    month, nth, year = _month_number(match["month"]), int(match["nth"]), clock.today.year
    day = date(year, month, nth)
    if direction > 0 and day < clock.today:
        day = date(year + 1, month, nth)
    elif direction < 0 and day > clock.today:
        day = date(year - 1, month, nth)
    return _one_day(day) if abs((day - clock.today).days) <= 183 else None


def _month_number(name: str) -> int:
    return [month[:3] for month in _MONTHS].index(name[:3].lower()) + 1


@cache
def _readers() -> tuple[tuple[Any, Callable[[Any, _Clock, str], _Span | None]], ...]:
    units = "(?P<unit>hour|day|week|month|year)s?"
    return (
        (
            regex(
                r"\b(?P<near>the day before yesterday|the day after tomorrow|yesterday|today"
                r"|tomorrow)(?: (?P<part>morning|afternoon|evening|night))?\b"
            ),
            _near,
        ),
        (regex(r"\b(?P<part>tonight|last night|this (?:morning|afternoon|evening))\b"), _part),
        (regex(rf"\b{_WHICH} {_WEEKDAY}\b"), _weekday),
        (regex(rf"\bon {_WEEKDAY}\b"), _on_weekday),
        (
            regex(
                r"\b(?P<edge>(?:the )?(?:end|start|beginning) of )?(?P<which>last|this|next|the)"
                r" (?P<unit>weekend|week|month|quarter|year)\b"
            ),
            _unit,
        ),
        (regex(rf"\b{_NUMBER} {units} (?P<way>ago|from now|from today)\b"), _count),
        (regex(rf"\b(?P<way>in) {_NUMBER} {units}(?:['’] time)?\b"), _count),
        (
            regex(
                rf"\b(?P<how>in|since|by|until|till|last|next|this|early in|late in) {_MONTH})\b"
            ),
            _month,
        ),
        (regex(rf"\b{_HOW}(?: the)? {_NTH}(?: of)? {_MONTH}{_SHORT})\b"), _day_of_month),
        (regex(rf"\b{_HOW} {_MONTH}{_SHORT})\.? {_NTH}\b"), _day_of_month),
    )


@cache
def _any_reader() -> Any:
    """Return one pattern that finds something wherever one of the readers does."""
    patterns = (pattern.pattern for pattern, _ in _readers())
    return regex("|".join(f"(?:{re.sub('[(][?]P<[a-z]+>', '(', one)})" for one in patterns))
