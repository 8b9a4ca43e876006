"""The days that words of other languages than English name, and seasons, quarters and parts of a year in any.

"letztes Jahr", "en 2024", "au printemps", "два месяца назад", "last spring", "Q3 2025", "Anfang 2026". As in `days`,
what names no year is the last one that has begun. Seasons are those of the northern half of the earth.

The words stand in the file of each language (`table`). Loaded only for a prompt that has a word of time in it.
"""

from __future__ import annotations

from datetime import date, timedelta

from cogmem.language.table import words_of_days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Days = tuple[date, date]

DAY, WEEK, MONTH, YEAR = 1, 7, 30, 365


def _words(name: str) -> frozenset[str]:
    return frozenset(words_of_days().get(name, ()))


def _numbered(names: Iterable[str], step: int = 1) -> dict[str, int]:
    """Return the words of classes, with the places of their classes."""
    return {word: at * step for at, name in enumerate(names, 1) for word in _words(name)}


UNITS = {
    word: length
    for name, length in {"day": DAY, "week": WEEK, "month": MONTH, "year": YEAR}.items()
    for word in _words(name)
}
SEASONS = _numbered(("spring", "summer", "autumn", "winter"), 3)  # by the month in which it begins
IN_SEASON = _words("in-season")  # these say "in" by their ending
# "Configured in Spring" is not about a season, and no more about a case.
NEEDS_MORE = frozenset("spring summer autumn fall winter".split())
BEFORE_SEASON = _words("before-season")
MONTHS = _numbered(f"month-{month}" for month in range(1, 13))
# Those that name a month wherever they stand.
MONTHS_ALONE = _numbered(f"month-{month}-alone" for month in range(1, 13))
# Only Italian and the Slavic and Turkic languages say it so: "a march on Rome" is English.
MONTHS_AFTER_A = _numbered(f"month-{month}-after-a" for month in range(1, 13))
BEFORE_YEAR, AFTER_YEAR, OF = _words("before-year"), _words("after-year"), _words("of")
PARTS = _numbered(("early", "mid", "late"))  # of a year, by the third of it
LAST, THIS = _words("last"), _words("this")
ENGLISH = frozenset("last past previous".split())  # "this may last"
AGO_BEFORE, AGO_AFTER = _words("ago-before"), _words("ago-after")  # and "il y a"
BEFORE_AN = ("l", "un", "cet")  # "l'an dernier"; elsewhere it is an article or a preposition
COUNTED = _numbered(str(number) for number in range(1, 11))
NAMED = _numbered(("today", "yesterday", "before-yesterday"))
QUARTERS = {f"q{number}": number for number in range(1, 5)}
CENTURIES = ("19", "20")

# The words that such a date can begin with, or that stand in it; numbers apart.
OPENERS = frozenset((*UNITS, *SEASONS, *MONTHS_ALONE, *MONTHS_AFTER_A, *NAMED, *QUARTERS))


def dates(words: list[str], today: date) -> tuple[list[Days], set[str]]:
    """Return the days a text names, first and last inclusive, and the words that named them.

    Seasons and quarters stay words of the prompt: what was said of them may have them.
    """
    parts = [part for word in words for part in word.replace("’", "'").split("'") if part]
    found: list[Days] = []
    used: set[str] = set()
    for at, word in enumerate(parts):
        before = parts[at - 1] if at else ""
        after = parts[at + 1] if at + 1 < len(parts) else ""
        span: Days | None = None
        if word in NAMED:
            day = today - timedelta(days=NAMED[word] - 1)
            span = day, day
            used.add(word)
        elif word in MONTHS_ALONE or (word in MONTHS_AFTER_A and before == "a"):
            month = MONTHS_ALONE.get(word) or MONTHS_AFTER_A[word]
            span = whole_months(_year(parts, at, today, month), month, 1)
            used.add(word)
        elif word in MONTHS and not {before, after}.isdisjoint(LAST - ENGLISH):
            month = MONTHS[word]
            span = whole_months(_year(parts, at, today, month), month, 1)
        elif word in QUARTERS:
            month = 3 * QUARTERS[word] - 2
            span = whole_months(_year(parts, at, today, month), month, 3)
        elif word in SEASONS:
            span = _season(parts, at, today)
        elif word in UNITS:
            span = _unit(parts, at, today)
            if span:
                used |= {word, before, after} & (LAST | THIS | AGO_AFTER | AGO_BEFORE | {word})
        elif _is_year(word):
            span = _of_year(parts, at)
            if span:
                used.add(word)
        if span:
            found.append(span)
    return found, used


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word.isascii() and word[:2] in CENTURIES


def _of_year(parts: list[str], at: int) -> Days | None:
    """ "en 2024", "2025 году", "Anfang 2026"; a bare number may be anything."""
    year = int(parts[at])
    before = [part for part in parts[max(0, at - 3) : at] if part not in OF]
    third = PARTS.get(before[-1]) if before else None
    if third is not None:
        return whole_months(year, 4 * third - 3, 4)
    after = parts[at + 1] if at + 1 < len(parts) else ""
    if (before and before[-1] in BEFORE_YEAR) or after in AFTER_YEAR:
        return date(year, 1, 1), date(year, 12, 31)
    return None


def _year(parts: list[str], at: int, today: date, month: int) -> int:
    """Return the year that stands behind a month, or the last one in which it has begun."""
    behind = [part for part in parts[at + 1 : at + 3] if part not in OF]
    if behind and _is_year(behind[0]):
        return int(behind[0])
    back = _neighbour(parts, at) == "last" and month == today.month
    return today.year - (month > today.month or back)


def _neighbour(parts: list[str], at: int) -> str:
    """Tell whether "last" or "this" stands beside a word, on either side."""
    beside = {*parts[max(0, at - 1) : at], *parts[at + 1 : at + 2]}
    return "last" if beside & LAST else "this" if beside & THIS else ""


def _season(parts: list[str], at: int, today: date) -> Days | None:
    word = parts[at]
    month = SEASONS[word]
    behind = [part for part in parts[at + 1 : at + 3] if part not in OF]
    ahead = parts[max(0, at - 2) : at]
    which = _neighbour(parts, at)
    if behind and _is_year(behind[0]):
        return whole_months(int(behind[0]), month, 3)
    is_in = bool(ahead) and ahead[-1] in BEFORE_SEASON and word not in NEEDS_MORE
    is_in = is_in or ahead in (["in", "the"], ["during", "the"], ["in", "de"], ["en", "el"])
    if not (which or is_in or word in IN_SEASON):
        return None
    year = today.year - (month > today.month)
    is_now = whole_months(year, month, 3)[1] >= today
    return whole_months(year - (is_now and which == "last"), month, 3)


def _unit(parts: list[str], at: int, today: date) -> Days | None:
    """ "letztes Jahr", "la semana pasada", "vor zwei Wochen", "два месяца назад"."""
    days = UNITS[parts[at]]
    ahead = parts[max(0, at - 4) : at]
    if parts[at] == "an" and not (ahead and ahead[-1] in BEFORE_AN):
        return None
    count = _count(ahead[-1]) if ahead else 0
    is_ago = at + 1 < len(parts) and parts[at + 1] in AGO_AFTER
    is_ago = is_ago or (count > 0 and len(ahead) > 1 and ahead[-2] in AGO_BEFORE)
    is_ago = is_ago or ahead[:-1][-3:] == ["il", "y", "a"]
    if is_ago:
        count = count or 1  # "rok temu"
        middle = today - timedelta(days=min(days * count, today.toordinal() - 400))
        slack = timedelta(days=days // 2)
        return middle - slack, min(middle + slack, today)
    which = _neighbour(parts, at)
    if not which:
        return None
    back = int(which == "last")
    if days == YEAR:
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    if days == MONTH:
        year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
        return whole_months(year, month + 1, 1)
    if days == WEEK:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=6)
    return None


def _count(word: str) -> int:
    if word.isdecimal() and word.isascii() and len(word) <= 3:
        return int(word)
    return COUNTED.get(word, 0)


def whole_months(year: int, month: int, count: int) -> Days:
    """From the first of a month on, so many months."""
    later, before = divmod(month + count - 2, 12)
    first = date(year + later, before + 1, 1)
    length = 31 if first.month == 12 else (first.replace(month=first.month + 1) - first).days
    return date(year, month, 1), first.replace(day=length)
