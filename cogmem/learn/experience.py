"""What was learned by doing: named patterns, commands with how they went, conventions of file types.

Each is one memory with a key, so it is found and shown like any other; its figures stand in `data`.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.guard.guard import POLICIES
from cogmem.learn.admit import guarded
from cogmem.learn.decide import learn
from cogmem.learn.revise import revise
from cogmem.records import Draft, Record
from cogmem.scope import Scope
from cogmem.space import Area
from cogmem.text.lines import one_line, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.space import Instant, Space
    from cogmem.store.store import Store

ALPHA = 0.3  # the latest outcome's share in an average
EXAMPLES = 5
REASON = 120  # characters of why a try failed


class Tried(Record):
    """How often a procedure was tried, and how that ended."""

    successes: int
    failures: int


def tried(store: Store, uid: str, success: bool, reason: str, *, now: int) -> Tried:
    """Count a try of a procedure, and keep why it failed."""
    said = "" if success else one_line(storable(reason, "the reason"))
    why = guarded(said, POLICIES["record_tool"], [])
    counted = {"success": int(success), "failure": int(not success), "reason": why[:REASON]}
    step: Step = ("store.count_outcome", {**counted, "uid": uid, "now": now})
    written = store.db.write([step], verb="tried", at=now)
    return Tried(*written.rows[0][0])


class Experience(Area):
    """What was learned by doing, in one scope: `mem.experience`."""

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self.store = space.store
        self._at = space.instant
        self.scope = space.scope.replacing(session="")

    def pattern(
        self,
        name: str,
        description: str,
        *,
        example: str = "",
        tags: Sequence[str] = (),
        now: Instant = None,
    ) -> Remembered:
        """Note that a named pattern was met: described anew, counted, its latest five examples kept.

        name: what it is called; the same name counts it again
        description: what it is
        example: where it was met; the latest five stay
        tags: words to find it by

        >>> mem.experience.pattern("early return", "Guards stand first.").data["usage_count"]
        1
        """
        at = self._at(now)

        def met(data: dict[str, Any]) -> dict[str, Any]:
            examples = [one for one in data.get("examples", []) if one != example]
            return {
                "examples": [*examples, example][-EXAMPLES:] if example else examples,
                "usage_count": data.get("usage_count", 0) + 1,
                "last_used": at,
            }

        return self._record("pattern", _name(name), description or name, met, at, tags=tags)

    def command(
        self, command: str, *, success: bool, duration_ms: int | None = None, now: Instant = None
    ) -> Remembered:
        """Note that a command was run: how often, how often well, and how long it takes, by moving averages.

        command: the command as it was typed
        success: whether it ended well
        duration_ms: how long it took, in ms

        >>> mem.experience.command("make test", success=True).data["success_rate"]
        1.0
        """
        at = self._at(now)

        def ran(data: dict[str, Any]) -> dict[str, Any]:
            rate = data.get("success_rate", 1.0)
            average = data.get("average_ms")
            if duration_ms is not None:
                average = duration_ms if average is None else _moved(average, duration_ms)
            return {
                "usage_count": data.get("usage_count", 0) + 1,
                "success_rate": _moved(rate, 1.0 if success else 0.0),
                "average_ms": average,
            }

        return self._record("command", _name(command), command, ran, at, success=success)

    def _record(
        self,
        kind: str,
        key: str,
        content: str,
        change: Callable[[dict[str, Any]], dict[str, Any]],
        now: int,
        *,
        tags: Sequence[str] = (),
        success: bool | None = None,
    ) -> Remembered:
        """Make or update one record; two processes that count at once both count."""
        store = self.store
        with store.db.together():  # nobody else writes until the block is over
            found = store.db.read("learn.named", {**self.scope.place(), "kind": kind, "key": key})
            if found:
                uid = found[0][0]
                row = self._row(uid, now)
                changes = {"content": content, "data": {**row.data, **change(row.data)}}
                if tags:
                    changes["tags"] = [*dict.fromkeys([*row.tags, *tags])]
                revise(store, row, changes, now=now, verb="learn")
                step = ("store.reinforce", {"uid": uid, "now": now})
                store.db.write([step], verb="learn", at=now)
            else:
                draft = Draft(content, kind, self.scope, key=key, tags=tags, data=change({}))
                uid = learn(store, draft, now=now, profile="gokin").uid
            if success is not None:
                tried(store, uid, success, "", now=now)
        return self._row(uid, now)

    def _row(self, uid: str, now: int) -> Remembered:
        return self.store.get(uid, Scope(everywhere=True), now)


def _moved(average: float, latest: float) -> float:
    return round((1 - ALPHA) * average + ALPHA * latest, 6)


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise InvalidInput("a learned record needs a name")
    return name
