"""Instants as people type them."""

from __future__ import annotations

from datetime import UTC, datetime

import click
import pytest

from cogmem.cli.instants import Instant, relative

NOW = datetime(2026, 3, 31, 15, 30, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "ahead", "meant"),
    [
        ("2d", False, "2026-03-29T15:30"),
        ("2d", True, "2026-04-02T15:30"),
        ("-2d", True, "2026-03-29T15:30"),
        ("+90m", False, "2026-03-31T17:00"),
        ("3 hours ago", True, "2026-03-31T12:30"),
        ("in 2 weeks", False, "2026-04-14T15:30"),
        ("1 month", True, "2026-04-30T15:30"),
        ("1y", False, "2025-03-31T15:30"),
        ("today", True, "2026-03-31T00:00"),
        ("Yesterday", True, "2026-03-30T00:00"),
        ("next friday", False, "2026-04-03T00:00"),
        ("last friday", True, "2026-03-27T00:00"),
        ("tue", False, "2026-03-24T00:00"),
        ("tuesday", True, "2026-04-07T00:00"),
        ("this friday", True, "2026-04-03T00:00"),
        ("last week", False, "2026-03-23T00:00"),
        ("this week", False, "2026-03-30T00:00"),
        ("next week", True, "2026-04-06T00:00"),
        ("last month", False, "2026-02-01T00:00"),
        ("next month", True, "2026-04-01T00:00"),
        ("now", False, "2026-03-31T15:30"),
    ],
)
def test_a_relative_instant_lies_where_the_option_looks(text: str, ahead: bool, meant: str) -> None:
    found = relative(text, NOW, ahead=ahead)
    assert found is not None
    assert found.isoformat(timespec="minutes")[:16] == meant


@pytest.mark.parametrize(
    "text", ["", "soon", "2 moons", "in 2d ago", "99999y", "2026-13-01", "fr day"]
)
def test_what_is_no_instant_is_refused_with_examples(text: str) -> None:
    with pytest.raises(click.BadParameter, match="next friday"):
        Instant().convert(text, None, None)


def test_a_written_instant_keeps_its_offset_and_is_utc_without_one() -> None:
    assert Instant().convert("2026-11-20", None, None) == datetime(2026, 11, 20, tzinfo=UTC)
    told = Instant().convert("2026-11-20T10:00:00+01:00", None, None)
    assert told.isoformat() == "2026-11-20T10:00:00+01:00"
