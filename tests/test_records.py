"""What a caller may give for an instant or a limit, and that it means the same everywhere."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from cogmem.errors import InvalidInput
from cogmem.records import milliseconds

if TYPE_CHECKING:
    import cogmem

DAY = 86_400_000
NOON = 1_795_521_600_000  # 2026-11-24 12:00 UTC
SAME = (
    NOON,
    "2026-11-24T12:00:00Z",
    "2026-11-24 12:00",
    "2026-11-24T13:00:00+01:00",
    datetime(2026, 11, 24, 12, tzinfo=UTC),
    datetime(2026, 11, 24, 13, tzinfo=timezone(timedelta(hours=1))),
    timedelta(0),
)


@pytest.mark.parametrize("given", SAME, ids=str)
def test_one_instant_in_any_form_is_the_same(given: object) -> None:
    assert milliseconds(given, now=NOON) == NOON


def test_a_date_begins_at_midnight_utc_and_a_timedelta_counts_from_now() -> None:
    assert milliseconds(date(2026, 11, 24)) == milliseconds("2026-11-24") == NOON - DAY // 2
    assert milliseconds(timedelta(days=-2), now=NOON) == NOON - 2 * DAY


@pytest.mark.parametrize("given", ["soon", "", True, 1.5, datetime(2026, 11, 24), object], ids=repr)
def test_what_is_no_instant_is_refused_with_what_would_be_one(given: object) -> None:
    with pytest.raises(InvalidInput, match="since"):
        milliseconds(given, "since", NOON)


def test_every_call_takes_them_alike(memory: cogmem.Memory) -> None:
    old = memory.learn("The heron wades in the pond.", now="2026-11-20T08:00Z").uid
    new = memory.learn(
        "The kiln is cold on Mondays.",
        now=NOON,
        expires_at=timedelta(days=30),
        valid_from="2026-11-01",
    ).uid
    for since in ("2026-11-22", date(2026, 11, 22), timedelta(days=-3), NOON - 3 * DAY):
        assert [row.uid for row in memory.list(since=since, now=NOON)] == [new]
        found = memory.recall("heron kiln", since=since, now=NOON)
        assert [one.uid for one in found] == [new]
    assert [row.uid for row in memory.list(until=timedelta(days=-3), now=NOON)] == [old]
    assert memory.get(new, now=NOON).raw("expires_at") == NOON + 30 * DAY
    assert [row.uid for row in memory.facts.at("2026-11-21", now=NOON)] == [new, old]
