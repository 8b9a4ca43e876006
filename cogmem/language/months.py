"""Whole months, as days, seasons and quarters need them."""

from __future__ import annotations

from datetime import date


def months_from(day: date, away: int, count: int = 1) -> tuple[date, date]:
    """Return the first and the last day of so many months, the first of them `away` months from that of a day."""
    year, month = divmod(day.year * 12 + day.month - 1 + away, 12)
    return whole_months(year, month + 1, count)


def whole_months(year: int, month: int, count: int) -> tuple[date, date]:
    """Return the first and the last day of so many months, from a month on."""
    later, before = divmod(month + count - 2, 12)
    last = date(year + later, before + 1, 1)
    length = 31 if last.month == 12 else (last.replace(month=last.month + 1) - last).days
    return date(year, month, 1), last.replace(day=length)
