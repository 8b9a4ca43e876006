"""The days that a prompt names: "yesterday", "im Mai", "7 de mayo de 2023", "two weeks ago", "прошлой весной".

The words stand in the file of each language, below `[days]` (`table`); scripts without spaces have `cjk_days`. What
names no year is the last one that has begun, and seasons are those of the northern half of the earth. Loaded only for
a prompt that has a word of time in it: calendars cost a new process more than the rest of its cue does.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from cogmem.language.months import months_from, whole_months
from cogmem.language.table import words_of_days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Days = tuple[date, date]
    _Read = tuple[Days | None, int, int]  # the days, and from where to where their words go

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_DAY = timedelta(days=1)
CENTURIES = ("19", "20")


def _words(*names: str) -> frozenset[str]:
    known = words_of_days()
    return frozenset(word for name in names for word in known.get(name, ()))


def _numbered(names: Iterable[str]) -> dict[str, int]:
    """Return the words of classes, with the places of their classes."""
    return {word: at for at, name in enumerate(names, 1) for word in _words(name)}


UNITS = {
    word: length
    for name, length in {"day": 1, "week": 7, "month": 30, "year": 365}.items()
    for word in _words(name)
}
WEEKENDS, PARTS_OF_DAY = _words("weekend"), _words("part-of-day")
WEEKDAYS = _numbered(f"weekday-{number}" for number in range(1, 8))
SEASONS = _numbered(("spring", "summer", "autumn", "winter"))
IN_SEASON = _words("in-season")  # these say "in" by their ending
# "Configured in Spring" is not about a season, and no more about a case.
NEEDS_MORE = frozenset("spring summer autumn fall winter".split())
QUARTERS = {f"q{number}": number for number in range(1, 5)}
THIRDS = _numbered(("early", "mid", "late"))  # of a year
MONTHS_ALONE = _numbered(f"month-{month}-alone" for month in range(1, 13))  # wherever they stand
# Only Italian and the Slavic and Turkic languages say it so: "a march on Rome" is English.
MONTHS_AFTER_A = _numbered(f"month-{month}-after-a" for month in range(1, 13))
MONTHS = _numbered(f"month-{month}" for month in range(1, 13)) | MONTHS_ALONE | MONTHS_AFTER_A
BEFORE_YEAR, AFTER_YEAR, OF = _words("before-year"), _words("after-year"), _words("of")
# "may" and "march" are also verbs: a bare month counts only after one of these.
BEFORE_MONTH, BEFORE_SEASON, BEFORE_DAY = map(
    _words, ("before-month", "before-season", "before-day")
)
# What says "last" stands ahead of its word ("this may last"), in some languages also behind it.
LAST, BEHIND, THIS, THAT = map(_words, ("last", "behind", "this", "that"))
UNTIL = _words("until")  # "hasta el viernes" is to come
AGO_BEFORE, AGO_AFTER = _words("ago-before"), _words("ago-after")  # and "il y a"
BEFORE_AN = ("l", "un", "cet")  # "l'an dernier"; elsewhere it is an article or a preposition
COUNTED = _numbered(str(number) for number in range(1, 13))
NAMED = _numbered(("today", "yesterday", "before-yesterday"))

# The words that such a date has in it; numbers apart.
OPENERS = frozenset(
    word.partition(" ")[0]
    for words in (UNITS, WEEKENDS, PARTS_OF_DAY, WEEKDAYS, SEASONS, QUARTERS, MONTHS, NAMED)
    for word in words
)


def days(
    passages: Iterable[list[str]], now: datetime | int
) -> tuple[tuple[tuple[int, int], ...], set[str]]:
    """Half-open ranges of ms UTC that words in lower case name, and the words that named them."""
    moment = _EPOCH + _MS * now if isinstance(now, int) else now
    spans: dict[tuple[int, int], None] = {}
    used: set[str] = set()
    for words in passages:
        found, named = dates(words, moment.date())
        if not all(map(str.isascii, words)):
            from cogmem.language import cjk_days

            others, named_there = cjk_days.dates(words, moment.date())
            found, named = found + others, named | named_there
        used |= named
        spans.update(dict.fromkeys(_instants(first, last, moment) for first, last in found))
    return tuple(spans), used


def dates(words: list[str], today: date) -> tuple[list[Days], set[str]]:
    """Return the days a text names, first and last inclusive, and the words that named them.

    Seasons and quarters stay words of the prompt, and so do numbers in words: what was said of them may have them.
    """
    parts = [part for word in words for part in word.replace("’", "'").split("'") if part]
    found: list[Days] = []
    used: set[str] = set()
    at = 0
    while at < len(parts):
        span, first, end = _read(parts, at, today)
        if span:
            found.append(span)
            used.update(parts[first:end])
            parts[first:end] = [""] * (end - first)  # no day is read into two dates
        at = max(at + 1, end)
    return found, used - COUNTED.keys() - SEASONS.keys() - QUARTERS.keys()


_NONE: _Read = (None, 0, 0)


def _read(words: list[str], at: int, today: date) -> _Read:
    """Return the days that a word names, with those around it that belong to it."""
    word = words[at]
    if word in OPENERS:
        for size in (3, 2, 1):
            if (days_back := NAMED.get(" ".join(words[at : at + size]))) is not None:
                day = today - _DAY * (days_back - 1)
                return (day, day), at, at + size
        if word in MONTHS:
            read = _month(words, at, today)
            if read[0]:
                return read
        if word in WEEKDAYS or word in WEEKENDS or word in PARTS_OF_DAY:
            return _of_week(words, at, today)
        if word in QUARTERS:
            month = 3 * QUARTERS[word] - 2
            year, end = _year(words, at, today, month)
            return whole_months(year, month, 3), at, end
        if word in SEASONS:
            return _season(words, at, today)
        if word in UNITS:
            return _unit(words, at, today)
    if not word[:1].isdecimal():
        return _NONE
    if word[:4].isdecimal() and word[4:5] == "-":
        return _iso(word[:10].split("-")), at, at + 1
    return _bare_year(words, at) if _is_year(word) else _NONE


def _iso(parts: list[str]) -> Days | None:
    """2024-03-15 · 2024-03"""
    if len(parts) > 3 or not all(map(str.isdecimal, parts)):
        return None
    year, month = int(parts[0]), int(parts[1])
    if len(parts) == 3:
        return _day(year, month, int(parts[2]))
    return whole_months(year, month, 1) if year and 1 <= month <= 12 else None


def _month(words: list[str], at: int, today: date) -> _Read:
    """7 May 2023 · le 7 mai · May 7th, 2023 · 7 de mayo de 2023 · May 2023 · in May · last May · en mars dernier"""
    month = MONTHS[words[at]]
    before, after = _beside(words, at)
    first = _without_of(words, at)
    day, end = ordinal(words[first]) if first >= 0 else 0, at + 1
    if not day:
        first = at
        if day := ordinal(after):
            end = at + 2
    behind = end + (words[end : end + 1] != [] and words[end] in OF)
    year = words[behind] if behind < len(words) else ""
    if len(year) == 4 and year.isascii() and year.isdecimal() and int(year):
        end = behind + 1
        span = _day(int(year), month, day) if day else whole_months(int(year), month, 1)
        return span, first, end
    if day:  # without a year it is the last one that has been
        this = _day(today.year, month, day)
        past = this if this and this[0] <= today else _day(today.year - 1, month, day)
        return past, first, end
    word = words[at]
    is_last = before in LAST or after in BEHIND
    alone = word in MONTHS_ALONE or (word in MONTHS_AFTER_A and before == "a")
    if not (is_last or alone or before in THIS or before in BEFORE_MONTH):
        return _NONE
    past_year = today.year - (month > today.month or (is_last and month == today.month))
    first = at - (before in LAST or before in THIS)
    return whole_months(past_year, month, 1), first, end + (after in BEHIND)


def _of_week(words: list[str], at: int, today: date) -> _Read:
    """On Friday · letzten Montag · lundi dernier · last weekend · last night · this morning"""
    word = words[at]
    before, after = _beside(words, at)
    is_last = before in LAST or after in BEHIND
    number = WEEKDAYS.get(word)
    is_on = number and before in BEFORE_DAY and UNTIL.isdisjoint(words[at - 2 : at - 1])
    if not (is_last or before in THIS or is_on):
        return _NONE
    back = int(before not in THIS)
    first, end = at - (before in LAST or before in THIS or before in BEFORE_DAY), at + 1
    end += after in BEHIND
    if number:
        day = today - _DAY * ((today.weekday() - number + 1) % 7 or 7 * back)
        return (day, day), first, end
    if word in PARTS_OF_DAY:
        return (today - _DAY * back, today - _DAY * back), first, end
    saturday = today + _DAY * (5 - today.weekday() - 7 * back)
    return (saturday, saturday + _DAY), first, end


def _unit(words: list[str], at: int, today: date) -> _Read:
    """Last week · la semana pasada · vor zwei Wochen · два месяца назад · the past ten days"""
    length = UNITS[words[at]]
    before, after = _beside(words, at)
    ahead = words[max(0, at - 4) : at]
    if words[at] == "an" and before not in BEFORE_AN:
        return _NONE
    number = count(before)
    further = ahead[-2] if number and len(ahead) > 1 else ""
    il_y_a = ahead[: len(ahead) - bool(number)][-3:] == ["il", "y", "a"]
    if after in AGO_AFTER or further in AGO_BEFORE or il_y_a:
        # "Three weeks ago" is said of days near that one; "rok temu" counts one.
        back = min(length * (number or 1), today.toordinal() - 400)
        middle, slack = today - _DAY * back, _DAY * (length // 2)
        first = at - bool(number) - (further in AGO_BEFORE) - 3 * il_y_a
        return (middle - slack, min(middle + slack, today)), first, at + 1 + (after in AGO_AFTER)
    if number and further in LAST:
        return (
            (today - _DAY * min(length * number, today.toordinal() - 1), today),
            at - 2,
            at + 1,
        )
    is_last = before in LAST or after in BEHIND
    if length == 1 or not (is_last or before in THIS):
        return _NONE
    first, end = at - (before in LAST or before in THIS), at + 1 + (after in BEHIND)
    if length == 365:
        year = today.year - is_last
        return (date(year, 1, 1), date(year, 12, 31)), first, end
    if length == 30:
        return months_from(today, -is_last), first, end
    monday = today - _DAY * (today.weekday() + 7 * is_last)
    return (monday, monday + 6 * _DAY), first, end


def _season(words: list[str], at: int, today: date) -> _Read:
    word = words[at]
    month = 3 * SEASONS[word]
    year, end = _year(words, at, today, month)
    ahead = words[max(0, at - 2) : at]
    before, after = _beside(words, at)
    is_last = before in LAST or after in BEHIND
    is_in = before in BEFORE_SEASON and word not in NEEDS_MORE
    is_in = is_in or ahead in (["in", "the"], ["during", "the"], ["in", "de"], ["en", "el"])
    if end > at + 1:
        return whole_months(year, month, 3), at, end
    if not (is_last or is_in or before in THIS or before in THAT or word in IN_SEASON):
        return _NONE
    year = today.year - (month > today.month)
    is_now = whole_months(year, month, 3)[1] >= today
    return whole_months(year - (is_now and is_last), month, 3), at, at + 1


def _bare_year(words: list[str], at: int) -> _Read:
    """ "en 2024", "2025 году", "Anfang 2026"; a bare number may be anything."""
    year = int(words[at])
    before, after = _beside(words, at)
    ahead = [word for word in words[max(0, at - 3) : at] if word not in OF][-1:]
    if third := THIRDS.get(ahead[0] if ahead else ""):
        return whole_months(year, 4 * third - 3, 4), at, at + 1
    if before in BEFORE_YEAR or not BEFORE_YEAR.isdisjoint(ahead) or after in AFTER_YEAR:
        return (date(year, 1, 1), date(year, 12, 31)), at, at + 1
    return _NONE


def _beside(words: list[str], at: int) -> tuple[str, str]:
    return words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""


def _without_of(words: list[str], at: int) -> int:
    """Return the place before a word, or before the "of" before it."""
    return at - 1 - (at > 0 and words[at - 1] in OF)


def _year(words: list[str], at: int, today: date, month: int) -> tuple[int, int]:
    """Return the year behind a word, or the last one in which its month has begun, and where that ends."""
    for behind in range(at + 1, min(at + 3, len(words))):
        if _is_year(words[behind]):
            return int(words[behind]), behind + 1
        if words[behind] not in OF:
            break
    return today.year - (month > today.month), at + 1


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word.isascii() and word[:2] in CENTURIES


def _day(year: int, month: int, day: int) -> Days | None:
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
        or word in WEEKDAYS
        or word[:1].isdecimal()
        or ("月" in word and word[0] in "一二三四五六七八九十")
    )


def ordinal(word: str) -> int:
    """Return a day of the month (7, 7th, 1er); 0 for what is none."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th", "er") else word
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) <= 2 else 0


def count(word: str) -> int:
    """Return a small number, in words or digits; 0 for what is none."""
    return COUNTED.get(word) or (
        int(word) if word.isdecimal() and word.isascii() and len(word) <= 3 else 0
    )
