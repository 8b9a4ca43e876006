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
from cogmem.file.cells import KEYS
from cogmem.file.pristine import POLICY, pristine
from cogmem.records import LAYER_TABLE, Record, given_instant, in_iso, json_numbers, most_rows
from cogmem.scope import Scope
from cogmem.space import Area
from cogmem.text.cell import mapped
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.space import Instant
    from cogmem.store.forget import KeptReceipt

_LISTED = "`cogmem log` lists them, with --everywhere those of all users, projects and sessions"
_DECISIONS = 3  # of an undo that others overtake, before they have to wait for it
# What cogmem notes by itself as memories are read, told and dated: nobody means it by "the last change".
ASIDE = frozenset(("recall", "used", "told", "date"))
# Columns that mere use moves: an undo takes back its own share of a count and leaves a later stamp.
COUNTERS = frozenset(("reinforcement_count", "access_count", "success_count", "failure_count"))
STAMPS = frozenset(
    ("accessed_at", "reinforced_at", "used_at", "updated_at", "tokens", "token_counter")
)


class LoggedAct(Record):
    """One transaction: who did what when, and what it touched of what the viewer sees.

    `content` is what the memory said after it, `was` what it said before if that differs, `changed` the
    columns that an update set. `uid` is the memory, the first of them where `memories` are several. Of a setting,
    kind or rule `content` is the name, of a setting with its value.
    """

    SHOWN = ("id", "act", "verb", "actor", "at", "uid", "was", "content")
    id: int
    act: str | None
    verb: str | None
    actor: str | None
    reason: str | None
    run: str | None
    undoes: str | None
    at: datetime | None  # None: a client that says no time
    rows_changed: int
    memories: int
    uid: str | None
    is_undone: bool
    content: str | None
    was: str | None
    changed: str | None


class RowChange(Record):
    """One row that a change inserted, updated or deleted: its columns before and after. `uid` is its memory's; of a
    setting, kind or rule it is the name."""

    change: int
    record: str
    uid: str | None
    action: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def as_dict(self) -> dict[str, Any]:
        row = super().as_dict()
        for side in ("before", "after"):
            row[side] = None if row[side] is None else in_iso(row[side])
        return row


class Undone(Record):
    """What an undo did: the act that names it, the rows set back, what that says, and what stood in the way."""

    act: str | None
    target: str
    rows: int
    uids: list[str]
    conflicts: list[str]
    said: list[str]  # a sentence for each memory or row of policy


def changes_of(db: Database, name: str, scope: Scope) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the row changes behind a change number, an act or a job run: (its lasting name, changes).

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


def told_row(row: Sequence[Any]) -> RowChange:
    """Return one row of the history, from the columns that a query for changes gives."""
    number, record, row_key, uid, action, before, after = row[:7]
    was, became = (mapped(side) if side else None for side in (before, after))
    return RowChange(number, record, uid or row_key, action, was, became)


class _Overtaken(Conflict):
    """Somebody wrote between the decision and its write."""


def undo(
    db: Database, name: str, scope: Scope, *, now: int, force: bool = False, dry_run: bool = False
) -> Undone:
    """Take back one change, act or run. With conflicts nothing is changed, unless forced."""
    for _ in range(_DECISIONS):
        try:
            return _undone(db, name, scope, now, force, dry_run)
        except _Overtaken:
            continue
    with db.together():  # others write without a pause: they wait for this one decision
        return _undone(db, name, scope, now, force, dry_run)


def _undone(db: Database, name: str, scope: Scope, now: int, force: bool, dry_run: bool) -> Undone:
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
    said = _said(db, changes)
    if conflicts and not force and not dry_run:
        raise Conflict(
            f"{target} cannot be taken back whole, because later changes built on it: "
            + "; ".join(conflicts[:5])
            + ("; …" if len(conflicts) > 5 else "")
            + ". Nothing was changed; undo those first, or use --force to take back the rest"
        )
    if dry_run or not steps:
        return Undone(None, target, len(steps), uids, conflicts, said)
    try:
        written = db.write(
            [("history.still_latest", {"latest": latest}), *steps],
            verb="undo",
            at=now,
            undoes=target,
        )
    except Conflict as overtaken:
        raise _Overtaken(str(overtaken)) from overtaken
    return Undone(written.act, target, len(steps), uids, conflicts, said)


def _said(db: Database, changes: Sequence[Sequence[Any]]) -> list[str]:
    """Return what taking changes back means, a sentence for each memory or row of policy. The latest come first."""
    was: dict[str, dict[str, Any]] = {}
    became: dict[str, dict[str, Any]] = {}
    policy: dict[str, str] = {}
    for _, record, row_key, uid, action, before, after, _ in changes:
        if record in POLICY:
            again = "gone again" if action == "insert" else "as it was"
            if record == "setting" and before:
                again = f"“{mapped(before)['value']}” again"
            policy[f"the {record.replace('_', ' ')} {row_key}"] = again
        if record != "memory":
            continue
        if uid not in became:
            there = {} if action == "delete" else db.row(record, KEYS[record], row_key) or {}
            became[uid] = {**there, **mapped(after)} if there else {}
            was[uid] = dict(became[uid])
        was[uid] = {**was[uid], **mapped(before)} if before else {}
    said = [_sentence(was[uid], became[uid]) for uid in was]
    return said + [f"{what} is {again}" for what, again in policy.items()]


def _sentence(was: dict[str, Any], became: dict[str, Any]) -> str:
    """Return what a memory is again that was one thing and became another."""
    if not was:
        return f"“{became.get('content', '')}” is gone again"
    said = f"“{became.get('content') or was.get('content', '')}”"
    if not became:
        return f"{said} is back"
    changed = [name for name in was if not _same(was[name], became.get(name))]
    if "content" in changed:
        return f"{said} is “{was['content']}” again"
    if "state" in changed:
        return f"{said} is {was['state']} again"
    own = ", ".join(name for name in changed if name not in COUNTERS | STAMPS).replace("_", " ")
    return f"{said} has its {own or 'counts'} back"


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
    """Return the steps that set the rows back, what stands in the way, and the uids of the memories."""
    way = _WayBack(db, force)
    for _, record, row_key, uid, action, before, after, _ in changes:
        way.take_back(_Change(record, row_key, uid, action, before, after))
    return way.steps, way.conflicts, list(way.uids)


class _Change:
    """One change of a row, as the history tells it."""

    def __init__(
        self, record: str, row_key: str, uid: str, action: str, before: str, after: str
    ) -> None:
        self.record = record
        self.row_key = row_key
        self.place = (record, row_key)
        self.key = KEYS.get(record, "name")
        self.uid = uid
        self.action = action
        self.was: dict[str, Any] = mapped(before)
        self.became: dict[str, Any] = mapped(after)
        self.names_a_table = record.isidentifier()
        self.is_damaged = bool(
            not self.names_a_table or (before and not self.was) or (after and not self.became)
        )

    def __str__(self) -> str:
        if not self.names_a_table:  # the damaged word may hold anybody's text
            return "a change"
        return f"{self.uid or self.record + ' ' + self.row_key} ({self.record})"


class _WayBack:
    """Takes changes back one by one, the latest first, on a simulated state that the next ones see."""

    def __init__(self, db: Database, force: bool) -> None:
        self.steps: list[Step] = []
        self.conflicts: list[str] = []
        self.uids: dict[str, None] = {}
        self._db = db
        self._force = force
        self._rows: dict[tuple[str, str], dict[str, Any] | None] = {}

    def take_back(self, change: _Change) -> None:
        if change.is_damaged:
            self.conflicts.append(
                f"what the history says of {change} is damaged: `cogmem file check` names the place"
            )
            return
        now_there = self._row(change.record, change.key, change.row_key)
        if change.action == "delete":
            if self._may_come_back(change, now_there):
                self._set(change, now_there, change.was)
        elif change.action == "insert":
            if now_there is not None and self._may_go(change, now_there):
                self._set(change, now_there, None)
        elif now_there is None:
            self.conflicts.append(f"{change} is gone")
        else:
            self._set(change, now_there, self._as_before(change, now_there))

    def _may_come_back(self, change: _Change, now_there: dict[str, Any] | None) -> bool:
        if now_there is None:
            return change.record != "link" or self._can_tie(change.was)
        was = change.was
        if all(name in now_there and _same(now_there[name], was[name]) for name in was):
            return False  # back already
        if change.record in LAYER_TABLE.values():
            return True  # the trigger made a default row when its memory came back: fill it
        self.conflicts.append(f"{change} is there again")
        return False

    def _can_tie(self, tie: dict[str, Any]) -> bool:
        """Tell whether a tie that comes back has both its ends, and stands there by no other number."""
        ends = [str(tie[name]) for name in ("from_id", "to_id") if tie[name] is not None]
        if any(self._row("memory", "id", end) is None for end in ends):
            return False
        same = {name: tie[name] for name in ("from_id", "relation", "to_id", "message_id")}
        others = self._db.read("history.tied", same)
        return all(self._row("link", "id", str(number)) is None for (number,) in others)

    def _row(self, record: str, key: str, row_key: str) -> dict[str, Any] | None:
        """Return a row as it is by now."""
        place = record, row_key
        if place not in self._rows:
            self._rows[place] = self._db.row(record, key, row_key)
        return self._rows[place]

    def _may_go(self, change: _Change, now_there: dict[str, Any]) -> bool:
        if self._changed(str(change), now_there, change.became) and not self._force:
            return False
        if change.record == "memory":
            table, came = pristine().layer_row(change.became)
            is_known = (table, change.row_key) in self._rows
            there = None if is_known else self._db.row(table, "memory_id", change.row_key)
            self._changed(f"{change.uid} ({table})", there or came, came)
        return True

    def _as_before(self, change: _Change, now_there: dict[str, Any]) -> dict[str, Any]:
        """Return the row with what this change made of it taken back, and what came later kept."""
        was, became = change.was, change.became
        changed = self._changed(str(change), now_there, became)
        back = {name: value for name, value in was.items() if name not in changed}
        for name in back:
            if name in COUNTERS:  # what was counted since stays counted
                least = int(name == "reinforcement_count")
                back[name] = max(now_there[name] - became[name] + was[name], least)
            elif name in STAMPS and not _same(now_there[name], became[name]):
                back[name] = now_there[name]
        return {**now_there, **back}

    def _changed(self, what: str, now_there: dict[str, Any], became: dict[str, Any]) -> list[str]:
        """Tell what a later change has made of a row, and note it. Being used is none that stands in the way."""
        used = COUNTERS | STAMPS
        changed = [
            name
            for name, value in became.items()
            if name not in used and not _same(now_there[name], value)
        ]
        if changed:
            self.conflicts.append(f"{what} was changed since: {', '.join(changed)}")
        return changed

    def _set(
        self, change: _Change, now_there: dict[str, Any] | None, target: dict[str, Any] | None
    ) -> None:
        """Add the step that makes the row so, in the simulated state as well; its layer's row follows."""
        record, row_key = change.place
        if change.uid:
            self.uids[change.uid] = None
        there = now_there is not None
        self.steps.append(self._db.restore_row(record, change.key, row_key, target, present=there))
        self._rows[change.place] = target
        if record == "memory" and target is None:
            for child in LAYER_TABLE.values():
                self._rows[child, row_key] = None
        elif record == "memory" and now_there is None and target is not None:
            self._rows[LAYER_TABLE[target["layer"]], row_key] = {"memory_id": target["id"]}


def _same(stored: Any, recorded: Any) -> bool:
    # JSON of older SQLite versions keeps 15 digits of a real number.
    if isinstance(stored, float) and isinstance(recorded, int | float):
        return abs(stored - recorded) <= 1e-12 * max(abs(stored), abs(recorded))
    return bool(stored == recorded)


def change_name(name: str | int) -> str:
    """Return the name of a change, an act or a run; a number must be one that the file can hold."""
    said = storable(str(name), "the name")
    if said.isdigit() and not (said.isascii() and len(said) < 19):
        raise UnknownName(f"there is no change {said}: `cogmem log` lists them")
    return said


class History(Area):
    """What was changed, the newest first: `mem.history`."""

    def log(
        self,
        *,
        uid: str | None = None,
        act: str | None = None,
        run: str | None = None,
        verb: str | None = None,
        before: int | None = None,
        since: Instant = None,
        until: Instant = None,
        limit: int = 20,
        everywhere: bool = False,
    ) -> list[LoggedAct]:
        """Transactions, the newest first. Who sees a memory sees its changes.

        uid: only changes of this memory
        act: only this act
        run: only this run of jobs
        verb: only learn, update, undo …
        before: only what came before this change (its number)
        since: only what was changed at or after this instant
        until: only what was changed before it

        >>> [act.verb for act in mem.history.log(limit=2)]
        ['learn', 'learn']
        """
        at = self.space.instant(None)
        names = {"uid": uid, "act": act, "run": run, "verb": verb}
        asked: dict[str, Any] = {
            name: said if said is None else storable(said, name) for name, said in names.items()
        }
        asked |= {"before": before, "since": given_instant(since, "since", at)}
        asked |= {"until": given_instant(until, "until", at), "limit": most_rows(limit)}
        viewer = self.space.looking(everywhere).viewer()
        rows = self.space.db.rows("history.log", {**viewer, **asked})
        return [LoggedAct(**{**row, "is_undone": bool(row["is_undone"])}) for row in rows]

    def diff(self, name: str | int, *, everywhere: bool = False) -> list[RowChange]:
        """Return what a change, act or run did to memories in sight, row by row.

        name: the act, run or number of a change

        >>> act = mem.learn("The cache is warm.").act
        >>> [row.action for row in mem.history.diff(act)]
        ['insert']
        """
        scope = self.space.looking(everywhere)
        return [*map(told_row, reversed(changes_of(self.space.db, change_name(name), scope)[1]))]

    def receipts(self, *, limit: int = 100) -> list[KeptReceipt]:
        """Return what was forgotten, the latest first: how many rows, never what they said.

        >>> mem.history.receipts()
        []
        """
        from cogmem.store.forget import KeptReceipt

        rows = self.space.db.rows("forget.receipts", {"limit": most_rows(limit)})
        return [KeptReceipt(**{**row, "removed": mapped(row["removed"])}) for row in rows]

    # -- for other stages --------------------------------------------------------------------------

    def latest(self) -> int:
        """Return the number of the latest change, whoever's it is."""
        return int(self.space.db.read("history.latest")[0][0])
