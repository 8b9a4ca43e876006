"""Instants as people type them: 2026-11-20, 2d, "3 hours ago", "last week", "next friday".

A day without a clock time begins at midnight UTC, as everything that cogmem shows. A bare distance
(`2d`) or weekday lies where the option looks: `--since 2d` goes back, `--expires 2d` goes ahead.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import click

_UNITS = {
    **dict.fromkeys(("s", "sec", "second"), 1),
    **dict.fromkeys(("m", "min", "minute"), 60),
    **dict.fromkeys(("h", "hour"), 3600),
    **dict.fromkeys(("d", "day"), 86_400),
    **dict.fromkeys(("w", "week"), 7 * 86_400),
}
_MONTHS = {"mo": 1, "month": 1, "y": 12, "year": 12}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DISTANCE = re.compile(r"(?P<sign>[+-]|in +)?(?P<count>\d{1,5}) *(?P<unit>[a-z]+)(?P<ago> +ago)?")
_WEEKDAY = re.compile(r"(?P<which>next|last|this)? *(?P<day>[a-z]{3,9})")
EXAMPLES = "2026-11-20, 2026-11-20T10:00:00+01:00, 2d, '3 hours ago', 'last week' or 'next friday'"


class Instant(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions
    """An instant in ISO form, or relative to now; without an offset it is UTC."""

    name = "instant"

    def __init__(self, *, ahead: bool = False) -> None:
        self.ahead = ahead

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            found = relative(value, datetime.now(UTC), ahead=self.ahead)
            if found is None:
                self.fail(f"{value!r} is not an instant; write it like {EXAMPLES}", param, ctx)
            return found
        return at if at.tzinfo else at.replace(tzinfo=UTC)


class Time(Instant):
    """An instant, or words for a time, such as "in March": those stay words, which `recall` reads."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str):
            try:
                return super().convert(value, param, ctx)
            except click.BadParameter:
                return value
        return super().convert(value, param, ctx)


def relative(text: str, now: datetime, *, ahead: bool) -> datetime | None:
    """Return what a relative instant means at `now`; None: it is none."""
    said = " ".join(text.lower().split())
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}
    if said == "now":
        return now
    if said in days:
        return midnight + timedelta(days=days[said])
    try:
        found = _distance(said, now, ahead) or _calendar(said, midnight)
        return found or _weekday(said, midnight, ahead)
    except (OverflowError, ValueError):  # no such year
        return None


def _distance(said: str, now: datetime, ahead: bool) -> datetime | None:
    match = _DISTANCE.fullmatch(said)
    if match is None or (match["sign"] and match["ago"]):
        return None
    goes_ahead = not match["ago"] and (match["sign"] != "-" if match["sign"] else ahead)
    count = int(match["count"]) if goes_ahead else -int(match["count"])
    unit = match["unit"]
    unit = unit if unit in _UNITS or unit in _MONTHS else unit.removesuffix("s")
    if unit in _UNITS:
        return now + timedelta(seconds=count * _UNITS[unit])
    if unit not in _MONTHS:
        return None
    year, month = divmod(now.year * 12 + now.month - 1 + count * _MONTHS[unit], 12)
    for day in (now.day, 30, 29, 28):  # 31 January and a month is the end of February
        try:
            return now.replace(year=year, month=month + 1, day=min(day, now.day))
        except ValueError:
            continue
    return None


def _calendar(said: str, midnight: datetime) -> datetime | None:
    """Return the beginning of a week or month: `last week` is the Monday of it, `next month` its first day."""
    which, _, unit = said.partition(" ")
    step = {"last": -1, "this": 0, "next": 1}.get(which)
    if step is None or unit not in ("week", "month"):
        return None
    if unit == "week":
        return midnight - timedelta(days=midnight.weekday() - 7 * step)
    year, month = divmod(midnight.year * 12 + midnight.month - 1 + step, 12)
    return midnight.replace(year=year, month=month + 1, day=1)


def _weekday(said: str, midnight: datetime, ahead: bool) -> datetime | None:
    match = _WEEKDAY.fullmatch(said)
    found = [day for day in _DAYS if match and day.startswith(match["day"])]
    if match is None or not found:
        return None
    distance = (_DAYS.index(found[0]) - midnight.weekday()) % 7
    which = match["which"] or ("next" if ahead else "last")
    if which == "next":
        return midnight + timedelta(days=distance or 7)
    if which == "last":
        return midnight + timedelta(days=distance - 7)
    return midnight + timedelta(days=distance - (7 if distance and not ahead else 0))
