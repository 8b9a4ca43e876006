"""The days that a Chinese, Japanese or Korean prompt names: 去年3月, 三月下旬, 昨日, 지난주, 2025年1月25日.

Loaded only for a prompt in such a script that has a word of time in it. As in `days`, what names no
year is the last one that has been.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from cogmem.language.months import months_from, whole_months
from cogmem.text.data import words as lists

DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
NUMBER = r"(?:\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九两])"
_LISTS = lists("cjk")


def _placed(name: str) -> dict[str, int]:
    """Return the words of a list, with the number of bars before each."""
    several = enumerate(_LISTS[name].split("|"))
    return {word: at for at, words in several for word in words.split()}


YEARS, DAYS, WEEKS, MONTHS = map(_placed, ("years", "days", "weeks", "months"))  # how many back
AGO = {word: (1, 7, 30, 365)[at] for word, at in _placed("units").items()}
THIRDS = {word: ((1, 10), (11, 20), (21, 31))[at] for word, at in _placed("thirds").items()}
SEASONS = {word: 3 + 3 * at for word, at in _placed("seasons").items()}

_YEAR = rf"(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}})\s?[年년]|(?P<last>{'|'.join(YEARS)})的?"
_DAY = rf"(?P<day>{NUMBER})\s?[日号일]|(?P<third>{'|'.join(THIRDS)})"
_WRITTEN = re.compile(
    rf"(?:{_YEAR})?\s?(?P<month>{NUMBER})\s?[月월](?!亮)份?\s?(?:{_DAY})?"
    rf"|{_YEAR.replace('year', 'only').replace('last', 'whole')}"
)
_NAMED = re.compile("|".join(sorted((*DAYS, *WEEKS, *MONTHS), key=len, reverse=True)))
_SEASON = re.compile(
    rf"(?P<back>{'|'.join(YEARS)}|지난\s?|(?P<year>\d{{4}})\s?[年년])[的の]?\s?(?P<season>{'|'.join(SEASONS)})(?:天|季)?"
    rf"|(?P<alone>{'|'.join(SEASONS)})(?:天|季)"
)
_AGO = re.compile(rf"(?P<count>{NUMBER}|\d{{3}})\s?(?P<unit>{'|'.join(AGO)})\s?(?:之前|以前|前|전)")


def dates(words: list[str], today: date) -> tuple[list[tuple[date, date]], set[str]]:
    """Return the days, first and last inclusive, and the pieces of text that named them."""
    text = " ".join(words)
    found: list[tuple[date, date]] = []
    used: set[str] = set()
    for pattern, read in ((_SEASON, _season), (_AGO, _ago), (_NAMED, _named), (_WRITTEN, _written)):
        rest = []
        end = 0
        for match in pattern.finditer(text):
            span = read(match, today)
            if span:
                found.append(span)
                used.update(match.group().split())
                rest.append(text[end : match.start()])
                end = match.end()
        text = " ".join([*rest, text[end:]])
    return found, used


def number(text: str) -> int:
    """Return a number of one or two digits, in either writing."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return DIGITS[text]
    return 10 * (DIGITS[tens] if tens else 1) + (DIGITS[ones] if ones else 0)


def _written(match: re.Match[str], today: date) -> tuple[date, date] | None:
    year_in = match["year"] or match["only"]
    back = YEARS.get(match["last"] or match["whole"] or "")
    year = int("".join(str(DIGITS.get(c, c)) for c in year_in)) if year_in else 0
    if back is not None:
        year = today.year - back
    try:
        if not match["month"]:
            return (date(year, 1, 1), date(year, 12, 31)) if year else None
        month = number(match["month"])
        day = number(match["day"]) if match["day"] else 0
        if not year:
            ahead = (month, day or 1) > (today.month, today.day)
            year = today.year - ahead
        if day:
            return (date(year, month, day),) * 2
        last = whole_months(year, month, 1)[1].day
        first, end = THIRDS.get(match["third"] or "", (1, last))
        return date(year, month, first), date(year, month, min(end, last))
    except ValueError:  # month 13, day 31 of a short month, year 0
        return None


def _season(match: re.Match[str], today: date) -> tuple[date, date]:
    month = SEASONS[match["season"] or match["alone"]]
    latest = today.year - (month > today.month)
    year = int(match["year"] or today.year - YEARS.get(match["back"] or "", today.year - latest))
    year = max(1, min(year, 9998))
    return whole_months(year, month, 3)


def _named(match: re.Match[str], today: date) -> tuple[date, date]:
    word = match.group()
    if word in DAYS:
        return (today - timedelta(days=DAYS[word]),) * 2
    if word in WEEKS:
        monday = today - timedelta(days=today.weekday() + 7 * WEEKS[word])
        return monday, monday + timedelta(days=6)
    return months_from(today, -MONTHS[word])


def _ago(match: re.Match[str], today: date) -> tuple[date, date] | None:
    unit = AGO[match["unit"]]
    if unit == 365 and match["count"].isdecimal() and len(match["count"]) > 2:
        return None
    back = number(match["count"]) * unit if len(match["count"]) < 3 else int(match["count"]) * unit
    if not 0 < back < today.toordinal() - unit:
        return None
    middle = today - timedelta(days=back)
    slack = timedelta(days=unit // 2)
    return middle - slack, min(middle + slack, today)
