"""What a client says to the nodes of a cluster: whether they hold a memory, what came since, one more batch, who
works alone, and how far each of them is.

The cluster counts its batches. It takes one only if it stands where the client's copy stands and nobody else works
alone; a batch has a name, so that one whose answer was lost is found, or is refused when it is sent again.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress

from cogmem.errors import DatabaseProblem, ForeignFile, InvalidInput, Locked, Unreachable
from cogmem.file import making, sql, views
from cogmem.file.cluster_copy import SHORTEST_S, Recorder, now_ms, plain
from cogmem.file.rqlite import Link, NoAnswer, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.cluster_copy import Recorded
    from cogmem.file.rqlite import Address

OPEN_S = 10.0  # where there is no copy yet
WRITE_S = 20.0  # what a write waits for a leader, and for others; less for who has less patience with a file
SHORT_S = 1.0  # the same for a write that can be put off
SNAPSHOT_S = 10.0  # of one node
HOLD_MS = 20_000  # who works alone for longer has died, for the others
AT_ONCE = 200  # batches that are fetched by one request

_STATE = "select uid, at, (select coalesce(max(id), 0) from change) from cluster where id = 1"
_NEWER = (
    "select at, name, copy, turns, steps from cluster_batch where at > ? order by at"
    f" limit {AT_ONCE}"
)
# Nothing may stand in `at` where the cluster is elsewhere than the copy, or somebody else works alone: it is refused.
_BEGIN = (
    "insert into cluster_batch (at, name, copy, turns, steps, sent_at) values ((select at + 1 from cluster"
    " where id = 1 and (held_by is null or held_by = :copy or held_until < :now) and (:at is null or (at = :at"
    " and (select coalesce(max(id), 0) from change) = :changes))), :name, :copy, :turns, :steps, :now)"
)
_COUNT = (
    "update cluster set at = at + 1, held_until = case when held_by = :copy then null else held_until end,"
    " held_by = case when held_by = :copy then null else held_by end where id = 1"
)
_HOLD = (
    "update cluster set held_by = :copy, held_until = :until where id = 1"
    " and (held_by is null or held_by = :copy or held_until < :now)"
)
_RELEASE = "update cluster set held_by = null, held_until = null where held_by = :copy"
_FORGET_OLD = "delete from cluster_batch where at <= (select at from cluster where id = 1) - :kept"
_ELSEWHERE = ("cluster_batch.at", "cluster_batch.name")  # what SQLite names when it refuses _BEGIN


class Behind(Locked):
    """The cluster stands elsewhere than this copy, or somebody works alone: catch up, and do it anew."""


class Nodes:
    """The nodes of one cluster."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.link = Link(address)

    def hold_a_memory(self, *, read_only: bool) -> bool:
        """Tell whether the cluster holds a memory; another program's tables are left alone."""
        [[keys], tables] = self.link.query(
            [["pragma foreign_keys"], ["select name from sqlite_schema where type = 'table'"]],
            level="weak",
            seconds=OPEN_S,
        )
        if keys != [1]:
            raise InvalidInput(
                f"the nodes of {self.address.shown} do not keep foreign keys: start each rqlited with -fk"
            )
        names = {name for (name,) in tables}
        if "cluster" in names:
            return True
        if names:
            raise ForeignFile(
                f"{self.address.shown} holds tables of another program: use a cluster of its own for a memory"
            )
        if read_only:
            raise DatabaseProblem(
                f"{self.address.shown} holds no memory yet: open it once without read-only to make it"
            )
        return False

    def lay_out(self) -> None:
        """Lay out a memory on an empty cluster; of two who do so at once one is refused, and finds it made."""
        steps = _schema()
        uid = f"clu_{os.urandom(8).hex()}"
        steps.append(("insert into cluster (id, uid, at) values (1, ?, 0)", (uid,)))
        try:
            self.link.execute(plain(steps), seconds=WRITE_S)
        except (NoAnswer, Refused):
            if not self.hold_a_memory(read_only=True):
                raise

    def news(self, at: int, *, level: str, seconds: float) -> tuple[list[Any], list[list[Any]]]:
        """Return where the cluster stands, and the batches that came after one."""
        [[state], newer] = self.link.query([[_STATE], [_NEWER, at]], level=level, seconds=seconds)
        return state, newer

    def place_of(self, node: tuple[str, int]) -> int:
        """At which batch one node is."""
        [[[at]]] = self.link.query(
            [["select at from cluster"]], level="none", seconds=SHORT_S, node=node
        )
        return int(at)

    def places(self) -> dict[str, int | None]:
        """At which batch each node is; None for one that does not answer."""
        found: dict[str, int | None] = {}
        for node in self.address.hosts:
            name = f"{node[0]}:{node[1]}"
            try:
                found[name] = self.place_of(node)
            except (NoAnswer, Refused, InvalidInput):
                found[name] = None
        return found

    def take(
        self, head: dict[str, Any], steps: list[list[Any]], until: float, kept: int | None = None
    ) -> None:
        """Have the cluster take a batch, once, under the name in its head; `kept`: older ones than so many go."""
        batch = [[_BEGIN, head], [_COUNT, {"copy": head["copy"]}], *steps]
        if kept is not None:
            batch.append([_FORGET_OLD, {"kept": kept}])
        try:
            self._send(batch, head["name"], until)
        except Refused as error:
            raise Refused(str(error), error.place - 2) from error  # the place among the steps

    def _send(self, batch: list[list[Any]], name: str, until: float) -> None:
        """Send until it is known whether the cluster took it. Whatever is sent twice is refused once."""
        is_doubtful, said = False, ""
        while (left := until - time.monotonic()) > 0:
            try:
                self.link.execute(batch, seconds=left, once=True)
                return
            except Refused as error:
                if not any(word in str(error) for word in _ELSEWHERE):
                    raise
                if is_doubtful and self._has_taken(name, until):
                    return
                raise Behind("the cluster stands elsewhere") from None
            except NoAnswer as error:
                is_doubtful, said = is_doubtful or error.is_doubtful, str(error)
                if is_doubtful and self._has_taken(name, until):
                    return
        outcome = (
            "whether it stored this write is not known: look before you repeat it"
            if is_doubtful
            else "nothing of this write was stored"
        )
        raise Unreachable(
            f"{self.address.shown} does not answer or has no leader ({said}): {outcome}"
        )

    def _has_taken(self, name: str, until: float) -> bool:
        """Tell whether a batch is among those that the cluster took; if it can still come, sending it again tells."""
        seconds = max(0.0, until - time.monotonic())
        try:
            [found] = self.link.query(
                [["select 1 from cluster_batch where name = ?", name]],
                level="linearizable",
                seconds=seconds,
            )
        except NoAnswer:
            return False
        return bool(found)

    def hold(self, copy: str, until: float) -> None:
        """Keep others from writing until the next batch of this copy."""
        while True:
            now = now_ms()
            named = {"copy": copy, "now": now, "until": now + HOLD_MS}
            [done] = self.link.execute([[_HOLD, named]], seconds=max(0.0, until - time.monotonic()))
            if done.get("rows_affected"):
                return
            if time.monotonic() > until:
                raise Locked(f"another client works alone on {self.address.shown}: try again")
            time.sleep(0.02)

    def release(self, copy: str) -> None:
        """Let others write again."""
        with suppress(NoAnswer, Refused):  # it ends by itself
            self.link.execute([[_RELEASE, {"copy": copy}]], seconds=SHORT_S)

    def write_anew(self) -> None:
        """Wipe what deleted rows left behind in the nodes' databases."""
        self.link.run_alone("delete from cluster_batch", seconds=WRITE_S)
        self.link.run_alone("vacuum", seconds=WRITE_S)

    def shorten_logs(self) -> None:
        """Have each node make a snapshot and let go of the log before it. By the last batch a node shows that it has
        come so far."""
        [[[reached]]] = self.link.query(
            [["select at from cluster"]], level="linearizable", seconds=WRITE_S
        )
        for node in self.address.hosts:
            until = time.monotonic() + SNAPSHOT_S
            try:
                while self.place_of(node) < reached:
                    if time.monotonic() > until:
                        raise NoAnswer("it is behind the others", False)
                    time.sleep(SHORTEST_S)
                # 1, for 0 means as ever: ten thousand entries stay.
                self.link.post("/snapshot?trailing_logs=1", seconds=SNAPSHOT_S, node=node)
            except (NoAnswer, Refused, InvalidInput) as error:
                raise Unreachable(
                    f"{node[0]}:{node[1]} made no snapshot, and keeps what was forgotten ({error})"
                ) from error


def _schema() -> Recorded:
    from sqlite3 import connect

    found: Recorded = []
    with closing(connect(":memory:", isolation_level=None)) as scratch:
        recorder = Recorder(scratch, lambda: None, found.extend)
        recorder.execute("begin immediate")
        for text in sql.split(dict(sql.script("cluster"))["10_cluster"]):
            recorder.execute(text)
        making.make(recorder)
        views.lay(recorder)
        recorder.execute("commit")
    return found
