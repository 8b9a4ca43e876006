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
    from typing import Any, Unpack

    from cogmem.file.db import Step
    from cogmem.space import Instant
    from cogmem.store.store import Filters, Store

ACTIONS = ("remove", "archive", "restore", "tag", "untag", "priority")
_STATES = {"remove": "deleted", "archive": "archived", "restore": "active"}
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
        rows = [{"uid": row.uid, "kind": row.kind, "content": row.content} for row in self.memories]
        return {"action": self.action, "value": self.value, "act": self.act, "memories": rows}


class Removal(Record):
    """What a removal took, or would take: the memories as they were, and the act (None: none)."""

    pattern: str
    memories: list[Remembered]
    act: str | None

    def as_dict(self) -> dict[str, object]:
        rows = [{"uid": row.uid, "content": row.content} for row in self.memories]
        return {"pattern": self.pattern, "act": self.act, "memories": rows}


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
        if any(wanted in word.casefold() for word in (row.content, row.key, *row.tags))
        and (not source or row.source == source)
        and (weaker_than <= 0 or row.strength < weaker_than)
    ]


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


def _moved(store: Store, rows: Iterable[Remembered], state: str, why: str, now: int) -> list[Step]:
    """Return the steps that give memories another state, each only if it is as it was seen."""
    steps: list[Step] = []
    for row in rows:
        change = {"uid": row.uid, "state": state, "reason": why, "now": now}
        steps.append(("store.still", {"uid": row.uid, "seen": store.seen(row.uid)}))
        steps.append(("store.set_state", change))
    return steps


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
        now: Instant = None,
        **filters: Unpack[Filters],
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

        >>> [row.key for row in mem.many.change("tag", "infra", kind="fact").memories]
        ['staging']
        """
        at, store = self.space.instant(now), self.space.store
        if action not in ACTIONS:
            raise InvalidInput(f"{action!r} cannot be done to many: use {', '.join(ACTIONS)}")
        if value and action in _STATES:
            raise InvalidInput(f"{action} takes no value")
        if not value and action not in _STATES:
            which = "priority" if action == "priority" else "tag"
            raise InvalidInput(f"{action} needs a value: which {which}?")
        if action in ("tag", "untag"):
            value = lines.one_line(guard.normalise(value))
        if action == "restore" and filters.get("state") is None:
            filters["state"] = "archived"
        rows = self.space.list(limit=0, everywhere=everywhere, now=at, **filters)
        chosen = [row for row in rows if row.uid in uids] if uids else rows
        change = _change(action, value)
        fitting = choose(chosen, matching, source, weaker_than)
        moved = [(row, changes) for row in fitting if (changes := change(row))]
        if len(moved) > most:
            raise InvalidInput(
                f"{len(moved):,} memories would change, and at most {most:,} may at once: "
                "narrow the choice, or allow more (most=…, --most)"
            )
        memories = [row for row, _ in moved]
        if dry_run or not moved:
            return Changed(action, value, memories, None)
        why = reason or f"{action} {value}".strip() + f": {len(moved)} at once"
        if action in _STATES:
            steps = _moved(store, memories, _STATES[action], why, at)
        else:
            steps = [step for row, new in moved for step in store.rewrite_steps(row, new, at)]
        written = store.db.write(steps, verb=action, at=at, reason=why)
        return Changed(action, value, memories, written.act)

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
        at, db = self.space.instant(now), self.space.db
        pattern = storable(pattern, "the pattern").strip()
        if len(pattern) < SHORTEST:
            raise InvalidInput(
                f"{pattern!r} is too short: a pattern has {SHORTEST} characters at least"
            )
        wanted = {**self.space.scope.viewer(), "pattern": pattern}
        count = db.read("many.count_holding", wanted)[0][0]
        if count > REMOVED:
            raise InvalidInput(
                f"{count} memories hold {pattern!r}, and at most {REMOVED} are removed at once: "
                "name a longer piece of text"
            )
        held = db.rows("many.holding", {**wanted, "now": at, "limit": REMOVED})
        rows = [Remembered(row) for row in held]
        if dry_run or not rows:
            return Removal(pattern, rows, None)
        if count > UNASKED and not confirm:
            raise InvalidInput(
                f"{count} memories hold {pattern!r}: look at them in a dry run and confirm "
                "(confirm=True, --yes)"
            )
        why = reason or f"{len(rows)} that hold one text"
        steps = _moved(self.space.store, rows, "deleted", why, at)
        written = db.write(steps, verb="remove", at=at, reason=why)
        return Removal(pattern, rows, written.act)

    def suspects(self, *, everywhere: bool = False) -> list[Suspect]:
        """Return memories that look like junk, each with the reason, less what somebody said to keep.

        >>> mem.many.suspects()
        []
        """
        viewer = self.space.scope.replacing(everywhere=everywhere).viewer()
        return [Suspect(**row) for row in self.space.db.rows("many.suspects", viewer)]
