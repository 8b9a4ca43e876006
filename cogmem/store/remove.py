"""Removes many memories at once, guarded: by a piece of text that they hold.

A short pattern, or one that fits more than was thought, is how memories are lost by hand. So it has
three characters at least, a rehearsal lists what it would take, more than ten want a word of
consent, and more than fifty are refused. All go in one transaction, which one undo takes back.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.records import Memory, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.scope import Scope
    from cogmem.store.store import Store

SHORTEST = 3  # characters
UNASKED = 10  # memories
MOST = 50


class Removal(Record):
    """What a removal took, or would take: the memories as they were, and the act (None: none)."""

    __slots__ = ("act", "memories", "pattern")

    def __init__(self, pattern: str, memories: list[Memory], act: str | None) -> None:
        self.pattern = pattern
        self.memories = memories
        self.act = act

    def as_dict(self) -> dict[str, object]:
        return {
            "pattern": self.pattern, "act": self.act,
            "memories": [{"uid": row.uid, "content": row.content} for row in self.memories],
        }  # fmt: skip


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
    count = store.db.read("remove.count_holding", wanted)[0][0]
    if count > MOST:
        raise InvalidInput(
            f"{count} memories hold {pattern!r} and {MOST} at most are removed at once: "
            "name a longer piece of text"
        )
    rows = [
        Memory(row)
        for row in store.db.rows("remove.holding", {**wanted, "now": now, "limit": MOST})
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
