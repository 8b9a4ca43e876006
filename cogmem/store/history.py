"""What was changed, by whom, and the way back.

The triggers of schema/derived/20_history.sql leave one `change` per row. This module reads them as
transactions ("acts") and applies them backwards: an undo is itself an act, so it can be undone too.
An undo touches only the columns that the original changed, and only when they still hold what it
left there; anything else is a conflict, which is reported and left alone. That a memory was recalled
meanwhile is none: counts keep what was added to them since.

Who sees a memory sees its changes. An undo may go further, into all projects and sessions of the one
who asks; what is another user's or runtime's it leaves alone, unless it is asked for everywhere.
"""

from __future__ import annotations

from cogmem.errors import Conflict, UnknownMemory, UnknownName
from cogmem.file.pristine import pristine
from cogmem.records import LAYER_TABLE, Record, json_numbers, most_rows
from cogmem.scope import Scope
from cogmem.space import Area
from cogmem.text.cell import mapped
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database, Step

_KEYS = {
    "memory": "id",
    "fact": "memory_id",
    "episode": "memory_id",
    "procedure": "memory_id",
    "link": "id",
}
_LISTED = "`cogmem log` lists them, with --everywhere those of all users, projects and sessions"
_DECISIONS = 3  # of an undo that others overtake, before they have to wait for it
# Columns that mere use moves: an undo takes back its own share of a count and leaves a later stamp.
COUNTERS = frozenset(("reinforcement_count", "access_count", "success_count", "failure_count"))
STAMPS = frozenset(
    ("accessed_at", "reinforced_at", "used_at", "updated_at", "tokens", "token_counter")
)


class Undone(Record):
    """What an undo did: the act that names it, the rows set back, and what stood in the way."""

    __slots__ = ("act", "conflicts", "rows", "target", "uids")

    def __init__(
        self, act: str | None, target: str, rows: int, uids: list[str], conflicts: list[str]
    ) -> None:
        self.act = act
        self.target = target
        self.rows = rows
        self.uids = uids
        self.conflicts = conflicts


def log(
    db: Database,
    scope: Scope,
    *,
    uid: str | None = None,
    act: str | None = None,
    run: str | None = None,
    verb: str | None = None,
    before: int | None = None,
    limit: int = 20,
) -> list[dict[str, Any]]:
    """Transactions, the newest first, with what of them this viewer sees."""
    return db.rows(
        "history.log",
        {
            **scope.viewer(),
            "uid": uid,
            "act": act,
            "run": run,
            "verb": verb,
            "before": before,
            "limit": most_rows(limit),
        },
    )


def changes_of(db: Database, name: str, scope: Scope) -> tuple[str, list[tuple[Any, ...]]]:
    """The row changes behind a change number, an act or a job run: (its lasting name, changes).

    What this viewer does not see is answered like what is not there.
    """
    viewer = scope.viewer()
    if name.isdigit():
        found = db.read("history.of_change", {**viewer, "id": int(name)})
        if not found:
            raise UnknownName(f"there is no change {name}: {_LISTED}")
        act = found[0][7]
        if act is None:  # made by a client that sets no context: every row stands alone
            return f"change {name}", found
        name = act
    if db.read("history.is_run", {"uid": name})[0][0]:
        return name, db.read("history.of_run", {**viewer, "run": name})
    found = db.read("history.of_act", {**viewer, "act": name})
    if not found:
        raise UnknownName(f"no change, act or run is called {name!r}: {_LISTED}")
    return name, found


def diff(db: Database, name: str, scope: Scope) -> list[dict[str, Any]]:
    """What an act or run changed, row by row, in the order in which it happened."""
    return [
        {
            "change": number,
            "record": record,
            "uid": uid,
            "action": action,
            "before": mapped(before) if before else None,
            "after": mapped(after) if after else None,
        }
        for number, record, _, uid, action, before, after, _ in reversed(
            changes_of(db, name, scope)[1]
        )
    ]


class _Overtaken(Conflict):
    """Somebody wrote between the decision and its write."""


def undo(
    db: Database,
    name: str,
    scope: Scope,
    *,
    actor: str,
    now: int,
    force: bool = False,
    dry_run: bool = False,
) -> Undone:
    """Take back one change, act or run. With conflicts nothing is changed, unless forced."""
    for _ in range(_DECISIONS):
        try:
            return _undone(db, name, scope, actor, now, force, dry_run)
        except _Overtaken:
            continue
    with db.together():  # others write without a pause: they wait for this one decision
        return _undone(db, name, scope, actor, now, force, dry_run)


def _undone(
    db: Database, name: str, scope: Scope, actor: str, now: int, force: bool, dry_run: bool
) -> Undone:
    latest = db.read("history.latest")[0][0]  # first: what comes after it may touch these rows
    target, changes = changes_of(db, name, Scope(everywhere=True))
    mine = {"runtime": scope.runtime, "user": scope.user}
    numbers = json_numbers(change[0] for change in changes)
    if not scope.everywhere and db.read("history.of_others", {**mine, "changes": numbers})[0][0]:
        raise UnknownMemory(
            f"{target} touches memories of another user or runtime. Nothing was changed; take it back "
            "as that one (--user), or use --everywhere (in Python everywhere=True)"
        )
    steps, conflicts, uids = _inverse(db, changes, force)
    if conflicts and not force:
        if dry_run:
            return Undone(None, target, len(steps), uids, conflicts)
        raise Conflict(
            f"{target} cannot be taken back whole, because later changes built on it: "
            + "; ".join(conflicts[:5])
            + ("; …" if len(conflicts) > 5 else "")
            + ". Nothing was changed; undo those first, or use --force to take back the rest"
        )
    if dry_run or not steps:
        return Undone(None, target, len(steps), uids, conflicts)
    try:
        written = db.write(
            [("history.still_latest", {"latest": latest}), *steps],
            verb="undo",
            actor=actor,
            at=now,
            undoes=target,
        )
    except Conflict as overtaken:
        raise _Overtaken(str(overtaken)) from overtaken
    return Undone(written.act, target, len(steps), uids, conflicts)


def rewind(db: Database, at: int) -> int:
    """Take a copy of a file back to an instant: its memories and policy as they were. Returns rows.

    For copies only: the record of conversations is cut where it was, and nothing can be undone.
    """
    steps, _, _ = _inverse(db, db.read("history.after", {"at": at}), True)
    db.write([*steps, ("history.unsay", {"at": at})], verb="forget", actor="rewind", at=at)
    return len(steps)


def _inverse(
    db: Database, changes: list[tuple[Any, ...]], force: bool
) -> tuple[list[Step], list[str], list[str]]:
    """The steps that set the rows back, on a simulated state that later steps see."""
    rows: dict[tuple[str, str], dict[str, Any] | None] = {}
    steps: list[Step] = []
    conflicts: list[str] = []
    uids: dict[str, None] = {}
    for _, record, row_key, uid, action, before, after, _ in changes:
        place = (record, row_key)
        key = _KEYS.get(record, "name")
        if place not in rows:
            rows[place] = db.row(record, key, row_key)
        now_there = rows[place]
        was: dict[str, Any] = mapped(before)
        became: dict[str, Any] = mapped(after)
        what = f"{uid or record + ' ' + row_key} ({record})"
        if (before and not was) or (after and not became):
            conflicts.append(
                f"what the history says of {what} is damaged: `cogmem check` names the place"
            )
            continue
        if action == "delete":
            if now_there is not None:
                if all(name in now_there and _same(now_there[name], was[name]) for name in was):
                    continue  # back already
                if record in LAYER_TABLE.values():
                    pass  # the trigger made a default row when its memory came back: fill it
                else:
                    conflicts.append(f"{what} is there again")
                    continue
            target = was
        elif now_there is None:
            if action == "insert":
                continue  # gone already
            conflicts.append(f"{what} is gone")
            continue
        elif action == "insert":
            changed = _changed(now_there, became)
            if changed:
                conflicts.append(f"{what} was changed since: {', '.join(changed)}")
                if not force:
                    continue
            if record == "memory":
                table, came = pristine(db.driver).layer_row(became)
                there = None if (table, row_key) in rows else db.row(table, "memory_id", row_key)
                changed = _changed(there or came, came)
                if changed:
                    conflicts.append(f"{uid} ({table}) was changed since: {', '.join(changed)}")
            target = None
        else:
            changed = _changed(now_there, became)
            if changed:
                conflicts.append(f"{what} was changed since: {', '.join(changed)}")
            back = {name: value for name, value in was.items() if name not in changed}
            for name in back:
                if name in COUNTERS:  # what was counted since stays counted
                    back[name] = max(now_there[name] - became[name] + was[name], _least(name))
                elif name in STAMPS and not _same(now_there[name], became[name]):
                    back[name] = now_there[name]
            target = {**now_there, **back}
        if uid:
            uids[uid] = None
        steps.append(db.restore_row(record, key, row_key, target, present=now_there is not None))
        rows[place] = target
        if record == "memory" and target is None:
            for child in LAYER_TABLE.values():
                rows[child, row_key] = None
        elif record == "memory" and now_there is None and target is not None:
            rows[LAYER_TABLE[target["layer"]], row_key] = {"memory_id": target["id"]}
    return steps, conflicts, list(uids)


def _changed(now_there: dict[str, Any], became: dict[str, Any]) -> list[str]:
    """What a later change has made of it. Being used is no change that stands in the way."""
    return [
        name
        for name, value in became.items()
        if name not in COUNTERS and name not in STAMPS and not _same(now_there[name], value)
    ]


def _least(counter: str) -> int:
    return 1 if counter == "reinforcement_count" else 0


def _same(stored: Any, recorded: Any) -> bool:
    # JSON of older SQLite versions keeps 15 digits of a real number.
    if isinstance(stored, float) and isinstance(recorded, int | float):
        return abs(stored - recorded) <= 1e-12 * max(abs(stored), abs(recorded))
    return bool(stored == recorded)


def change_name(name: str | int) -> str:
    """The name of a change, an act or a run; a number must be one that the file can hold."""
    said = storable(str(name), "the name")
    if said.isdigit() and not (said.isascii() and len(said) < 19):
        raise UnknownName(f"there is no change {said}: `cogmem log` lists them")
    return said


class History(Area):
    """What was changed, the newest first: `mem.history`."""

    def log(
        self, *, limit: int = 20, everywhere: bool = False, **filters: Any
    ) -> list[dict[str, Any]]:
        """Transactions, the newest first: filter by uid, act, run, verb, before (a change number).

        Who sees a memory sees its changes; `everywhere` looks into every scope.
        """
        texts = {
            name: storable(value, name) for name, value in filters.items() if isinstance(value, str)
        }
        return log(
            self.space.db, self.space.looking(everywhere), limit=limit, **{**filters, **texts}
        )

    def diff(self, name: str | int, *, everywhere: bool = False) -> list[dict[str, Any]]:
        """What a change, act or run did to memories in sight, row by row."""
        return diff(self.space.db, change_name(name), self.space.looking(everywhere))

    def latest(self) -> int:
        """The number of the latest change, whoever's it is."""
        return int(self.space.db.read("history.latest")[0][0])

    def receipts(self, *, limit: int = 100) -> list[dict[str, Any]]:
        """What was forgotten, the latest first: how many rows, never what they said."""
        from cogmem.store.forget import receipts

        return receipts(self.space.db, limit=limit)
