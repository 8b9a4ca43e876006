"""Checkpoints: where the graphs of a program stand, so that they can go on.

A step of a graph is a row; values that are not small lie beside it, once for all steps of a thread that
hold them. It is a program's state: kept as the program wrote it, in the exact scope of the space, without
history, and removed for good when the program says so.
"""

from __future__ import annotations

import json

from cogmem.errors import InvalidInput
from cogmem.guard.glance import refuse_secret
from cogmem.space import Area
from cogmem.text.lines import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.space import Space

    Written = tuple[str, bytes]  # how a value is written, and the value


class Checkpoints(Area):
    """The checkpoints of one exact scope."""

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self._screened: set[str] = set()

    def keep(
        self,
        place: Mapping[str, str],
        parent: str,
        about: str,
        state: Written,
        values: Mapping[str, Written],
        *,
        now: int,
    ) -> None:
        """Keep a step of a graph; `place` is its thread, namespace and name, `values` the channels beside."""
        self._screen(place["thread"])
        links = {
            channel: sha256(form.encode() + b"\0" + value).hexdigest()
            for channel, (form, value) in values.items()
        }
        own = {**self._owner(), "thread": place["thread"]}
        steps: list[Step] = [
            ("checkpoints.keep_value", {**own, "value_hash": name, "form": form, "value": value})
            for name, (form, value) in zip(links.values(), values.values(), strict=True)
        ]
        form, written = state
        row = {**own, **place, "parent": parent, "about": about, "form": form, "state": written}
        steps.append(("checkpoints.keep", {**row, "links": json.dumps(links), "now": now}))
        self._write(steps, now)

    def keep_writes(
        self,
        place: Mapping[str, str],
        task: str,
        path: str,
        writes: Iterable[tuple[int, str, Written]],
        *,
        now: int,
    ) -> None:
        """Keep what a task wrote after a checkpoint: the number, the channel and the value of each."""
        own = {**self._owner(), "thread": place["thread"], "namespace": place["namespace"]}
        own |= {"checkpoint": place["name"], "task": task, "path": path}
        steps: list[Step] = [
            (
                "checkpoints.keep_write",
                {**own, "place": number, "channel": channel, "form": form, "value": value},
            )
            for number, channel, (form, value) in writes
        ]
        self._write(steps, now)

    def one(self, place: Mapping[str, str]) -> dict[str, Any] | None:
        """Return a checkpoint; the latest of its thread and namespace where no name is given."""
        rows = self.space.db.rows("checkpoints.one", {**self._owner(), **place})
        return rows[0] if rows else None

    def many(
        self,
        place: Mapping[str, str | None],
        *,
        before: str | None,
        equal: Sequence[tuple[str, Any]],
        limit: int,
    ) -> list[dict[str, Any]]:
        """Checkpoints, the latest first; None leaves a part of the place open."""
        asked = {**self._owner(), **place, "before": before, "equal": json.dumps(equal)}
        return self.space.db.rows("checkpoints.many", {**asked, "limit": limit})

    def values(self, row: Mapping[str, Any]) -> dict[str, Written]:
        """Return the values beside a checkpoint, by channel."""
        links = json.loads(row["links"])
        if not links:
            return {}
        asked = {**self._owner(), "thread": row["thread"], "hashes": json.dumps([*links.values()])}
        rows = self.space.db.read("checkpoints.values", asked)
        found = {name: (form, value) for name, form, value in rows}
        return {channel: found[name] for channel, name in links.items()}

    def writes(self, row: Mapping[str, Any]) -> list[tuple[str, str, str, bytes]]:
        """Return what tasks wrote after a checkpoint: task, channel, form and value."""
        place = {name: row[name] for name in ("thread", "namespace")}
        asked = {**self._owner(), **place, "checkpoint": row["name"]}
        return self.space.db.read("checkpoints.writes", asked)

    def of_thread(self, thread: str) -> list[dict[str, Any]]:
        """Return the checkpoints of a thread, the latest first."""
        return self.space.db.rows("checkpoints.of_thread", {**self._owner(), "thread": thread})

    def drop(self, thread: str, ids: Sequence[int] | None, *, now: int) -> None:
        """Some checkpoints of a thread go, or all of it, with what only they held."""
        own = {**self._owner(), "thread": thread}
        gone = [row["id"] for row in self.of_thread(thread)] if ids is None else list(ids)
        writes = "checkpoints.drop_thread_writes" if ids is None else "checkpoints.drop_writes"
        steps: list[Step] = [
            ("checkpoints.drop", {"ids": json.dumps(gone)}),
            (writes, own),
            ("checkpoints.drop_values", own),
        ]
        self._write(steps, now)

    def drop_runs(self, runs: Sequence[str], *, now: int) -> None:
        """Drop the checkpoints of some runs."""
        asked = {**self._owner(), "runs": json.dumps(list(runs))}
        threads: dict[str, list[int]] = {}
        for number, thread in self.space.db.read("checkpoints.of_runs", asked):
            threads.setdefault(thread, []).append(number)
        for thread, ids in threads.items():
            self.drop(thread, ids, now=now)

    def copy(self, thread: str, target: str, *, now: int) -> None:
        """Let a thread go on under another name; the one under its own stays."""
        if not target:
            raise InvalidInput("a thread needs a name: pass the name under which the copy goes on")
        self._screen(target)
        asked = {**self._owner(), "thread": thread, "target": target}
        names = ("checkpoints.copy", "checkpoints.copy_values", "checkpoints.copy_writes")
        self._write([(name, asked) for name in names], now)

    def _screen(self, thread: str) -> None:
        """Look at a name once: a graph keeps many steps under it."""
        if thread not in self._screened:
            refuse_secret("name of a thread", thread)
            self._screened.add(thread)

    def _owner(self) -> dict[str, Any]:
        return self.space.scope.place()

    def _write(self, steps: list[Step], now: int) -> None:
        # Screened: names are looked at above; the state of a program is kept as it is, or its graph could not go on.
        self.space.db.write(steps, verb="checkpoint", at=now, is_screened=True)
