"""What a day brought: what was told, learned and changed, what waits, and how the file is."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

from cogmem.records import Record, given_instant
from cogmem.text.lines import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from cogmem.space import Instant
    from cogmem.store.history import LoggedAct
    from cogmem.turn.turns import TurnBrief

DAYS = 14  # of growth
MONTH = 30  # days ahead
MOST = 500  # turns and acts that are read
LISTED = 50  # memories that fade next
DAY_MS = 86_400_000
LEARNED = frozenset(("learn", "capture", "import", "remember", "extract"))


class Today(Record):
    """One day of a memory.

    `turns` are those that were given something, `silent` counts the others; `learned` and `changed` are acts.
    `waiting` counts what a person may decide: candidates and contradictions. `growth` is a row for each of the last
    days (day, learned, gone, living), `fading` what fades within a month if nobody uses it, the next first.
    `warnings` are the file's own; `always_tokens` of `budget` tokens stood in every prompt of the latest turn,
    `always_beyond` counts the memories that always apply and found no room there.
    """

    SHOWN = ("since", "silent", "warnings")
    since: datetime | None
    at: datetime | None
    turns: list[TurnBrief]
    silent: int
    learned: list[LoggedAct]
    changed: list[LoggedAct]
    waiting: dict[str, int]
    growth: list[dict[str, Any]]
    fading: list[dict[str, Any]]
    last_night_at: datetime | None
    last_backup: str
    warnings: list[str]
    always_tokens: int
    always_beyond: int
    budget: int

    def fading_by_day(self) -> list[int]:
        """Return how many memories fade on each of the next days, those that are due on the first."""
        days = [0] * MONTH
        for one in self.fading:
            ahead = (one["fades_at"] - int(self.raw("at"))) // DAY_MS
            days[min(max(ahead, 0), MONTH - 1)] += 1
        return days


def today(mem: Any, since: Instant, everywhere: bool, now: Instant) -> Today:
    """Put a day together; default: since midnight UTC."""
    last_at, night = mem.db.read("jobs.clock")[0][:2]
    at = mem.instant(now)
    if now is None:  # a file that knows a later instant than this clock is asked about that one
        at = max(at, last_at or 0)
    start = given_instant(since, "since", at)
    start = at - at % DAY_MS if start is None else start
    turns = mem.turns.list(limit=MOST, everywhere=everywhere)
    turns = [one for one in turns if start <= int(one.raw("at") or 0) <= at]
    acts = mem.history.log(since=start, until=at + 1, limit=MOST, everywhere=everywhere)
    from cogmem.file.backups import kept
    from cogmem.store.history import ASIDE

    aside = ASIDE | {"tried"}
    acts = [one for one in acts if one.verb not in aside and not one.is_undone]

    viewer, ends = mem.looking(everywhere).viewer(), {"until": at + MONTH * DAY_MS, "limit": LISTED}
    copies = kept(mem.path)
    (always, budget) = (mem.db.read("today.always") or [(0, 0)])[0]
    grown = mem.db.rows("today.growth", {"since": at - DAYS * DAY_MS, "until": at})
    return Today(
        since=start,
        at=at,
        turns=[one for one in turns if one.shown],
        silent=sum(not one.shown for one in turns),
        learned=_each_once(one for one in acts if one.verb in LEARNED),
        changed=[one for one in acts if one.verb not in LEARNED],
        waiting={
            "candidates": mem.count(state="candidate", everywhere=everywhere),
            "contradictions": len(mem.facts.conflicts(everywhere=everywhere)),
        },
        growth=_every_day(grown, at),
        fading=mem.db.rows("today.fading", {**viewer, **ends}),
        last_night_at=night if (night or 0) <= at else None,
        last_backup=os.path.basename(copies[0]) if copies else "",
        warnings=mem.file.warnings(),
        always_tokens=always or 0,
        always_beyond=sum(one.is_beyond for one in mem.turns.always(now=at)),
        budget=budget or 0,
    )


def _each_once(acts: Iterable[LoggedAct]) -> list[LoggedAct]:
    """Leave out earlier acts on the same memory: what was heard and heard again is learned once."""
    seen: set[str] = set()
    found = []
    for act in acts:
        if act.memories != 1 or not act.uid or act.uid not in seen:
            found.append(act)
            seen.add(act.uid or "")
    return found


def _every_day(rows: list[dict[str, Any]], until: int) -> list[dict[str, Any]]:
    by_day = {row["day"]: row for row in rows}
    found: list[dict[str, Any]] = []
    last = datetime.fromtimestamp(until / 1000, UTC).date()
    day = datetime.fromisoformat(rows[0]["day"]).date() if rows else last
    while rows and day <= last:
        quiet = {"learned": 0, "gone": 0, "living": found[-1]["living"] if found else 0}
        found.append(by_day.get(str(day)) or {"day": str(day), **quiet})
        day += timedelta(days=1)
    return found


def health(day: Today) -> str:
    """Return the file's health in one line."""
    at = day.at or datetime.now(UTC)
    night = day.last_night_at
    told = [
        "no night has run yet" if night is None else f"last night {_ago(at, night)}",
        f"last backup {_day(day.last_backup)}" if day.last_backup else "no backup yet",
    ]
    if day.budget:
        over = f", {day.always_beyond} beyond it" if day.always_beyond else ""
        share = 100 * day.always_tokens / day.budget
        told.append(f"Always takes {share:.0f} % of the budget{over}")
    told.append(counted(len(day.warnings), "warning") if day.warnings else "no warnings")
    return " · ".join(told)


def _day(backup: str) -> str:
    """Return the day in the name of a backup: …20270301T030000Z."""
    digits = backup.removesuffix(".db").removesuffix("-held")[-16:][:8]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def _ago(at: datetime, then: datetime) -> str:
    hours = int((at - then).total_seconds() // 3600)
    if hours < 1:
        return "within the hour"
    return f"{hours} h ago" if hours < 48 else f"{hours // 24} days ago"
