"""Changes many memories in one act: remove, archive, restore, tag, untag, set a priority.

The caller says which; this module says what would happen, and then does it in one transaction that
re-checks every row and that one undo takes back. It never does so unasked: a rehearsal is the default.

To remove by a piece of text is guarded besides: a short pattern, or one that fits more than was
thought, is how memories are lost by hand. So it has three characters at least, more than ten
memories want a word of consent, and more than fifty are refused.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.records import Record, Remembered, priority_number
from cogmem.space import Area
from cogmem.text import lines
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.scope import Scope
    from cogmem.space import Instant
    from cogmem.store.store import Store

ACTIONS = ("remove", "archive", "restore", "tag", "untag", "priority")
_STATES = {"remove": "deleted", "archive": "archived", "restore": "active"}
_NEEDS_VALUE = ("tag", "untag", "priority")
MOST = 1000  # memories in one act, unless the caller says otherwise
SHORTEST = 3  # characters of a pattern to remove by
UNASKED = 10  # memories that hold it and go without consent
REMOVED = 50  # of them at most


class Changed(Record):
    """What was done to many memories, or would be: those that change, and the act (None: none)."""

    action: str
    value: str
    memories: list[Remembered]
    act: str | None

    def as_dict(self) -> dict[str, object]:
        return {
            "action": self.action,
            "value": self.value,
            "act": self.act,
            "memories": [
                {"uid": row.uid, "kind": row.kind, "content": row.content} for row in self.memories
            ],
        }


class Removal(Record):
    """What a removal took, or would take: the memories as they were, and the act (None: none)."""

    pattern: str
    memories: list[Remembered]
    act: str | None

    def as_dict(self) -> dict[str, object]:
        return {
            "pattern": self.pattern,
            "act": self.act,
            "memories": [{"uid": row.uid, "content": row.content} for row in self.memories],
        }


class Suspect(Record):
    """A memory that looks like junk, and why; `other_uid` is what it repeats, where it repeats something."""

    uid: str
    kind: str
    content: str
    reason: str
    other_uid: str


def choose(
    rows: Iterable[Remembered], text: str, source: str, weaker_than: float
) -> list[Remembered]:
    """Return those that hold a piece of text, come from a source and are weaker than a strength."""
    wanted = text.casefold()
    return [
        row
        for row in rows
        if (
            not wanted
            or any(wanted in word.casefold() for word in (row.content, row.key, *row.tags))
        )
        and (not source or row.source == source)
        and (weaker_than <= 0 or row.strength < weaker_than)
    ]


def change_many(
    store: Store,
    rows: Iterable[Remembered],
    action: str,
    value: str = "",
    *,
    actor: str,
    now: int,
    dry_run: bool,
    most: int = MOST,
    reason: str = "",
) -> Changed:
    """Do one thing to all of them, or say what it would change."""
    if action not in ACTIONS:
        raise InvalidInput(f"{action!r} cannot be done to many: use {', '.join(ACTIONS)}")
    if (action in _NEEDS_VALUE) != bool(value):
        raise InvalidInput(
            f"{action} needs a value: which {'priority' if action == 'priority' else 'tag'}?"
            if action in _NEEDS_VALUE
            else f"{action} takes no value"
        )
    if action in ("tag", "untag"):
        value = lines.one_line(guard.normalise(value))
    change = _change(action, value)
    moved = [(row, changes) for row in rows if (changes := change(row))]
    if len(moved) > most:
        raise InvalidInput(
            f"{len(moved):,} memories would change, and at most {most:,} may at once: "
            "narrow the choice, or allow more (most=…, --most)"
        )
    memories = [row for row, _ in moved]
    if dry_run or not moved:
        return Changed(action, value, memories, None)
    why = reason or f"{action} {value}".strip() + f": {len(moved)} at once"
    steps: list[Step] = []
    for row, changes in moved:
        if action in _STATES:
            steps.append(("store.still", {"uid": row.uid, "seen": store.seen(row.uid)}))
            state = {
                "uid": row.uid,
                "state": _STATES[action],
                "now": now,
                "archived_at": now if action == "archive" else None,
                "archive_reason": "" if action == "restore" else why,
            }
            steps.append(("store.set_state", state))
        else:
            steps += store.rewrite_steps(row, changes, now)
    written = store.db.write(steps, verb=action, actor=actor, at=now, reason=why)
    return Changed(action, value, memories, written.act)


def _change(action: str, value: str) -> Callable[[Remembered], dict[str, Any]]:
    """row → what would change of it; nothing, if it is so already."""
    if action in _STATES:
        return lambda row: {} if row.state == _STATES[action] else {"state": _STATES[action]}
    if action == "priority":
        number = priority_number(value)
        return lambda row: {} if row.priority == number else {"priority": number}
    if action == "tag":
        return lambda row: {} if value in row.tags else {"tags": [*row.tags, value]}
    return lambda row: (
        {"tags": [tag for tag in row.tags if tag != value]} if value in row.tags else {}
    )


def remove_matching(
    store: Store,
    scope: Scope,
    pattern: str,
    *,
    actor: str,
    now: int,
    dry_run: bool,
    confirm: bool,
    reason: str = "",
) -> Removal:
    """Remove what holds the pattern, whatever its case."""
    pattern = pattern.strip()
    if len(pattern) < SHORTEST:
        raise InvalidInput(
            f"{pattern!r} is too short: a pattern has {SHORTEST} characters at least"
        )
    wanted = {**scope.viewer(), "pattern": pattern}
    count = store.db.read("many.count_holding", wanted)[0][0]
    if count > REMOVED:
        raise InvalidInput(
            f"{count} memories hold {pattern!r}, and at most {REMOVED} are removed at once: "
            "name a longer piece of text"
        )
    rows = [
        Remembered(row)
        for row in store.db.rows("many.holding", {**wanted, "now": now, "limit": REMOVED})
    ]
    if dry_run or not rows:
        return Removal(pattern, rows, None)
    if count > UNASKED and not confirm:
        raise InvalidInput(
            f"{count} memories hold {pattern!r}: look at them in a dry run and confirm "
            "(confirm=True, --yes)"
        )
    why = reason or f"{len(rows)} that hold one text"
    steps = []
    for row in rows:
        steps.append(("store.still", {"uid": row.uid, "seen": store.seen(row.uid)}))
        change = {"uid": row.uid, "state": "deleted", "archived_at": None, "archive_reason": why}
        steps.append(("store.set_state", {**change, "now": now}))
    written = store.db.write(steps, verb="remove", actor=actor, at=now, reason=why)
    return Removal(pattern, rows, written.act)


class Many(Area):
    """What is done to many memories in one act: `mem.many`."""

    def change(
        self,
        action: str,
        value: str = "",
        *,
        dry_run: bool = True,
        matching: str = "",
        source: str = "",
        weaker_than: float = 0,
        uids: Sequence[str] = (),
        most: int = 1000,
        everywhere: bool = False,
        reason: str = "",
        layer: str | None = None,
        kind: str | None = None,
        state: str | None = None,
        tag: str | None = None,
        path: str | None = None,
        since: Instant = None,
        until: Instant = None,
        now: Instant = None,
    ) -> Changed:
        """Remove, archive, restore, tag, untag or set the priority of all that filters choose.

        A dry run (the default) says what would change; otherwise it is one act, which one `undo` takes
        back.

        action: remove, archive, restore, tag, untag or priority
        value: the tag or the priority
        matching: only what holds this text
        source: only what came from this source
        weaker_than: only what is weaker than this strength
        uids: only these
        most: how many may change at once
        layer: episodic, semantic or procedural
        kind: one kind; `cogmem setting kind list` shows all
        state: candidate, active, archived, deleted or expired
        tag: only what has this tag
        path: only what is about this path
        since: only what is as new as this instant
        until: only what is older than this instant

        >>> [row.key for row in mem.many.change("tag", "infra", kind="fact").memories]
        ['staging']
        """
        at = self.space.instant(now)
        rows = self.space.list(
            layer=layer,
            kind=kind,
            state="archived" if state is None and action == "restore" else state,
            tag=tag,
            path=path,
            since=since,
            until=until,
            limit=0,
            everywhere=everywhere,
            now=at,
        )
        return change_many(
            self.space.store,
            choose(
                [row for row in rows if row.uid in uids] if uids else rows,
                matching,
                source,
                weaker_than,
            ),
            action,
            value,
            actor=self.space.actor,
            now=at,
            dry_run=dry_run,
            most=most,
            reason=reason,
        )

    def remove(
        self,
        pattern: str,
        *,
        dry_run: bool = True,
        confirm: bool = False,
        reason: str = "",
        now: Instant = None,
    ) -> Removal:
        """Remove all memories in sight that hold a piece of text; a dry run (the default) lists them.

        More than ten need confirm=True, more than fifty are refused. One `undo` brings all back.

        pattern: a piece of text, of three characters at least
        confirm: whether more than ten may go

        >>> len(mem.many.remove("heron").memories)
        1
        """
        return remove_matching(
            self.space.store,
            self.space.scope,
            storable(pattern, "the pattern"),
            actor=self.space.actor,
            now=self.space.instant(now),
            dry_run=dry_run,
            confirm=confirm,
            reason=reason,
        )

    def suspects(self, *, everywhere: bool = False) -> list[Suspect]:
        """Return memories that look like junk, each with the reason, less what somebody said to keep.

        >>> mem.many.suspects()
        []
        """
        viewer = self.space.scope.replacing(everywhere=everywhere).viewer()
        return [Suspect(**row) for row in self.space.db.rows("many.suspects", viewer)]
