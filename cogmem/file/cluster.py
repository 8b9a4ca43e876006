"""A memory on an rqlite cluster: this machine's copy of it answers, and what is written goes to the cluster first.

The copy is an ordinary file that took the same batches in the same order, so it has the same rows with the same
numbers. A write runs in it within a transaction that is written down; to commit it is to send that as one batch,
which the cluster takes only if it stands where the copy stands. If somebody was faster the copy rolls back, takes
their batch and does the write anew (docs/decisions.md). What a turn writes is committed here at once and goes with
a later batch.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager, nullcontext, suppress

from cogmem.errors import Conflict, Damaged, DatabaseProblem, Locked, ReadOnly, Unreachable
from cogmem.file import cluster_copy, making
from cogmem.file.cluster_copy import MOST, OLDEST_MS, Gap, Recorder, alone, plain
from cogmem.file.cluster_nodes import HOLD_MS, SHORT_S, WRITE_S, Behind, Nodes
from cogmem.file.connection import BUSY_MS
from cogmem.file.db import ATTEMPTS, Database, Together
from cogmem.file.places import beside
from cogmem.file.rqlite import Address, NoAnswer, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from cogmem.file.cluster_copy import Recorded
    from cogmem.file.connection import Params

FRESH_S = {"none": 1.0, "weak": 0.1, "linearizable": 0.0}  # how old an answer of the copy may be
LOOK_S = 0.15  # what a read waits for news of the cluster; then the copy answers as it is
QUIET_S = 1.0  # and nobody is asked again for so long
LEAST_WRITE_S = 0.3  # what a write waits at the least, however little patience with a file there is
MB_S = 2.0  # more for each megabyte of a batch
LARGEST = 1 << 20  # bytes of a batch that other copies take step by step
KEPT = 2_000  # batches; a copy that is further behind is fetched whole

_HERE = "select at, (select coalesce(max(id), 0) from change), uid from cluster where id = 1"
_OWN = "sqlite_stat"  # what ANALYZE keeps is each SQLite's own
_TELLS = "update context set act = ?"  # a turn that dates what others wrote has a history, and is no mere ledger


# By address: no node answered a moment ago, whoever of this process asked.
_quiet_until: dict[str, float] = {}


class Cluster(Database):
    """The copy of a cluster that this machine keeps, and the way to the cluster."""

    is_of_cluster = True

    def __init__(
        self, address: Address, *, driver: str, read_only: bool, busy_ms: int = BUSY_MS
    ) -> None:
        self.address = address
        self.nodes = Nodes(address)
        self.link = self.nodes.link
        self.told: list[str] = []
        self.is_cut_off = False  # the cluster did not answer when it was last asked
        self._asked_at = 0.0
        self._base = (0, 0)  # batch and last change on which the write under way rests
        self._is_turn = False
        self.is_held = False
        self._until = 0.0
        self._write_s = min(WRITE_S, max(LEAST_WRITE_S, ATTEMPTS * busy_ms / 1_000))
        place = beside(address.shown)
        try:
            if not os.path.exists(place):
                with self._told_plainly():
                    if not self.nodes.hold_a_memory(read_only=read_only):
                        self.nodes.lay_out()
                cluster_copy.fetch(self.link, driver, place)
            super().__init__(place, driver=driver, busy_ms=busy_ms)
        except BaseException:
            self.link.close()
            raise
        self.read_only = read_only
        try:
            if time.monotonic() < _quiet_until.get(address.shown, 0.0):
                raise Unreachable
            self.catch_up(LOOK_S)
        except Unreachable:
            self._quieten()
            self.told.append(
                f"{address.shown} does not answer: what is told is what this machine's copy of it knows"
            )

        if refused := self.ask_here(cluster_copy.REFUSED)[0]:
            self.told.append(
                f"{address.shown} refused what {refused} of this machine's turns wrote: `cluster_unsent` in"
                f" {self.path} says why"
            )

    def _connect(self) -> Any:
        actual = self._sqlite.connect(self.path, False, self.busy_ms, False)
        # A copy of an earlier cogmem may lie here: it gets what it misses.
        cluster_copy.lay_out_copy(actual, self.address)
        [(self.uid,)] = actual.execute("select uid from cluster_copy").fetchall()
        return Recorder(actual, self._begun, self._commit)

    def _look(self) -> None:
        """Before a read: what others wrote, unless the cluster was asked a moment ago."""
        if time.monotonic() - self._asked_at < FRESH_S[self.address.level]:
            return
        with self._held():
            if self._connection is None or self._sqlite.in_transaction(self._connection):
                return
            try:
                self.catch_up(LOOK_S)
                self._send_turns()
            except (Unreachable, Locked):
                self._quieten()

    def _quieten(self) -> None:
        self.is_cut_off = True
        self._asked_at = time.monotonic() + QUIET_S
        _quiet_until[self.address.shown] = self._asked_at

    def catch_up(self, seconds: float, level: str = "") -> None:
        """Take what the cluster has and this copy has not."""
        level = level or self.address.level
        while True:
            at, _, uid = self.ask_here(_HERE)
            try:
                state, newer = self.nodes.news(at, level=level, seconds=seconds)
            except (NoAnswer, Refused) as error:
                self._not_started(error, level)
                level = "linearizable"
                continue
            self._asked_at = time.monotonic()
            self.is_cut_off = False
            there, reached, changes = state
            if there == uid and reached < at and level != "linearizable":
                if level == "none":  # a node that has yet to hear
                    return
                level = "linearizable"
                continue
            try:
                if there != uid or reached < at or (reached > at and not newer):
                    raise Gap
                self._take(newer)
                at, ours, _ = self.ask_here(_HERE)
                if at == reached and ours != changes:  # somebody wrote past cogmem
                    raise Gap
            except Gap:
                self.fetch_whole()
                return
            if at >= reached:
                return

    def _not_started(self, error: NoAnswer | Refused, level: str) -> None:
        """Pass over a node that was started a moment ago: it has yet to read its log, and knows no table."""
        if isinstance(error, NoAnswer) or "no such table" not in str(error):
            raise self._told(error) from error
        with self._told_plainly():
            is_held = self.nodes.hold_a_memory(read_only=self.read_only)
        if not is_held:
            raise DatabaseProblem(
                f"{self.address.shown} holds no memory any more: {self.path} is the copy that this machine"
                " has of it, and `cogmem bulk move` makes a file of that copy"
            ) from error
        if level == "linearizable":
            raise self._told(error) from error

    def _take(self, newer: list[list[Any]]) -> None:
        if not newer:
            return
        actual = self.connection.actual
        try:
            actual.execute("begin immediate")
            cluster_copy.take_over(actual, self.uid, newer)
            actual.execute("commit")
        except BaseException as error:
            if self._sqlite.in_transaction(actual):
                actual.execute("rollback")
            if isinstance(error, Gap) or not isinstance(error, Exception):
                raise
            told = self._told(error)
            if isinstance(told, Locked):
                raise told from error
            raise Gap from error

    def ask_here(self, text: str) -> tuple[Any, ...]:
        """Return the one row of a question to the copy as it is."""
        with self._held():
            try:
                [row] = self.connection.actual.execute(text).fetchall()
            except Exception as error:
                raise self._told(error) from error
        return tuple(row)

    def fetch_whole(self) -> None:
        """Put what the cluster holds in the place of the copy, and keep what waits to be sent."""
        cluster_copy.fetch(self.link, self.driver, self.path, self.connection.actual)
        with suppress(Locked):  # what was forgotten elsewhere shall not stay in the old pages
            self.fold_log(int(SHORT_S * 1_000))
        self._keep_nothing()
        self._asked_at = time.monotonic()

    def ask(self, text: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """Return all rows of literal SQL, from the copy. What writes outside of a block goes to the nodes as it
        stands, as another client's would: the copy finds it there."""
        self._look()
        if not cluster_copy.is_write(text) or _OWN in text or self.is_writing:
            return super().ask(text, params)
        with self._held():
            self._refuse_if_read_only()
            with self._told_plainly():
                self.link.execute(plain([(text, params)]), seconds=self._write_s, once=True)
            self.fetch_whole()
        return []

    def rows(self, name: str, params: Params | None = None) -> list[dict[str, Any]]:
        """Return all rows of a named statement, from the copy."""
        self._look()
        return super().rows(name, params)

    def reading(self) -> Any:
        """Bind a block (`with`): the reads of the block see the copy at one instant."""
        self._look()
        return super().reading()

    def together(self, *, run: str | None = None, keep: bool = True) -> Together:
        """Bind a block (`with`): all writes of the block are one batch. Nobody else writes meanwhile."""
        return _Alone(self, run, keep)

    def transact(
        self,
        body: Callable[[Any], None],
        patience_ms: int | None = None,
        *,
        can_be_lost: bool = False,
    ) -> None:
        """Run a body in the copy and send what it wrote; done anew when somebody else was faster."""
        with self._held():
            if self._together is not None:
                super().transact(body, patience_ms)
                return
            self._is_turn = can_be_lost
            seconds = self._write_s if patience_ms is None else min(SHORT_S, self._write_s)
            self._until = time.monotonic() + seconds
            waits = patience_ms is None
            try:
                with alone(self.path, waits=waits) if can_be_lost else nullcontext():
                    super().transact(body, patience_ms, can_be_lost=can_be_lost)
            finally:
                self._is_turn = False
                self.release()

    def _begin_to_write(self, connection: Any, patience_ms: int | None) -> None:
        self._refuse_if_read_only()
        super()._begin_to_write(connection, patience_ms)

    def _refuse_if_read_only(self) -> None:
        if self.read_only:
            raise ReadOnly(f"{self.address.shown} was opened read-only: open it for writing")

    def _until_free(self, do: Callable[[], None], attempts: int) -> None:
        tries = 0
        while True:
            try:
                super()._until_free(do, attempts)
                return
            except Behind:
                tries += 1
                if time.monotonic() > self._until:
                    raise Locked(
                        f"others wrote to {self.address.shown} all the time: try again"
                    ) from None
                left = max(self._until - time.monotonic(), SHORT_S)
                if tries > 1:  # so that nobody is overtaken for ever
                    self.hold(left)
                else:
                    self.catch_up(left)

    def _rest(self, _connection: Any) -> list[str]:
        return []  # a trigger of others runs on the nodes, and so it runs here

    def _begun(self) -> None:
        [(at, changes, _)] = self._connection.actual.execute(_HERE).fetchall()
        self._base = (at, changes)

    def _commit(self, steps: Recorded) -> None:
        actual = self._connection.actual
        if steps and self._is_turn and not any(text.startswith(_TELLS) for text, _ in steps):
            row = (cluster_copy.as_json(plain(steps)), cluster_copy.now_ms())
            actual.execute("insert into cluster_unsent (steps, made_at) values (?, ?)", row)
        elif steps:
            sent = self._send(plain(steps), self._base)
            actual.execute("update cluster set at = ?", (self._base[0] + 1,))
            cluster_copy.let_turns_go(actual, sent)
        actual.execute("commit")

    def _send(self, steps: list[list[Any]], base: tuple[int, int] | None) -> list[int]:
        """Have the cluster take a batch, once; returns the numbers of the turns that went with it."""
        actual = self._connection.actual
        turns = actual.execute(
            "select id, steps from cluster_unsent where refused is null order by id"
        ).fetchall()
        numbers = [number for number, _ in turns]
        early = [step for _, told in turns for step in json.loads(told)]
        written = cluster_copy.as_json(steps)
        size = len(written) + sum(len(told) for _, told in turns)
        head: dict[str, Any] = {
            "name": f"bat_{os.urandom(8).hex()}",
            "copy": self.uid,
            "turns": cluster_copy.as_json({"ids": numbers, "steps": early}),
            "steps": written if size < LARGEST else None,
            "now": cluster_copy.now_ms(),
            "at": base[0] if base else None,
            "changes": base[1] if base else 0,
        }
        if not self._until:
            self._until = time.monotonic() + WRITE_S
        until = self._until + MB_S * size / LARGEST
        kept = KEPT if base and not base[0] % 128 else None
        try:
            self.nodes.take(head, [*early, *steps], until, kept)
        except Refused as error:
            if not 0 <= error.place < len(early):
                raise
            cluster_copy.set_turn_aside(actual, turns, error.place, str(error))
            return self._send(steps, base)
        except Unreachable:
            self._quieten()
            raise
        self.is_held = False  # the batch let go of it
        return numbers

    def _send_turns(self) -> None:
        """Send what turns wrote, when much of it waits or has waited for long."""
        if self.read_only:
            return
        count, oldest = self.ask_here(cluster_copy.WAITING)
        if count >= MOST or (count and cluster_copy.now_ms() - oldest >= OLDEST_MS):
            self.send_turns(0.0)

    def send_turns(self, seconds: float = WRITE_S) -> None:
        """Send what turns wrote and the cluster has not taken yet; while another client works alone it waits so long,
        and then it goes with a later batch."""
        until = time.monotonic() + seconds
        with self._held():
            while True:
                self._until = time.monotonic() + max(SHORT_S, seconds)
                actual = self.connection.actual
                actual.execute("begin immediate")
                try:
                    cluster_copy.let_turns_go(actual, self._send([], None))
                    actual.execute("commit")
                    return
                except BaseException as error:
                    if self._sqlite.in_transaction(actual):
                        actual.execute("rollback")
                    if not isinstance(error, Behind):
                        raise
                if time.monotonic() > until:
                    return
                time.sleep(0.02)

    def hold(self, seconds: float) -> None:
        """Keep others from writing until the next batch of this client, and catch up with them."""
        until = time.monotonic() + seconds
        if not self.is_held:
            with self._told_plainly():
                self.nodes.hold(self.uid, until)
            self.is_held = True
        self.catch_up(max(SHORT_S, until - time.monotonic()))

    def release(self) -> None:
        """Let others write again."""
        if self.is_held:
            self.is_held = False
            self.nodes.release(self.uid)

    def write_anew(self) -> None:
        """Wipe what deleted rows left behind: here, on the nodes, and in the log that each of them has of its own.
        One that is away keeps it as it was."""
        super().write_anew()
        with self._told_plainly():
            self.nodes.write_anew()
            # A snapshot of the node's own in between makes the first one worth nothing.
            for _ in range(2):
                self.send_turns()
                self.nodes.shorten_logs()

    def make_plain(self, copy: str) -> None:
        """Make a memory of its own of a file that was copied from this one."""
        cluster_copy.leave_cluster(copy, self.driver)

    def kept_elsewhere(self) -> list[str]:
        """Return where rqlite and other machines keep words for a while."""
        return [
            "the free pages of the log of each node (raft.db), until later writes fill them",
            "the copy of the cluster on each other machine, until cogmem is used there",
        ]

    def standing(self) -> dict[str, Any]:
        """Return how this copy stands to the cluster, for `doctor`: the batch at which it is, how many turns wait in
        it, and at which batch each node is; None for a node that does not answer."""
        at, _, _ = self.ask_here(_HERE)
        [waiting] = self.ask_here("select count(*) from cluster_unsent")
        told = {"address": self.address.shown, "at": at, "unsent": waiting}
        return {**told, "nodes": self.nodes.places()}

    def is_free(self, patience_ms: int) -> bool:
        """Tell whether a write could begin: of the cluster it is known from when it was last asked."""
        self._look()
        return not self.is_cut_off and super().is_free(patience_ms)

    @property
    def has_written(self) -> bool:
        """A night seals the history: to close a client is no reason for a batch."""
        return False

    def close(self) -> None:
        """Close the copy. What turns wrote waits in it."""
        super().close()
        self.link.close()

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        """Tell what a node says, or does not say, as an error of a memory."""
        try:
            yield
        except (NoAnswer, Refused) as error:
            raise self._told(error) from error

    def _told(self, error: BaseException) -> Any:
        if isinstance(error, NoAnswer):
            return Unreachable(
                f"{self.address.shown} does not answer or has no leader ({error}): try again"
            )
        told = super()._told(error)
        if isinstance(told, Damaged):
            return Damaged(
                f"this machine's copy of {self.address.shown} is damaged: remove the folder"
                f" {os.path.dirname(self.path)}, and the next call fetches it anew"
            )
        return told


class _Alone(Together):
    """A block of writes on a cluster: nobody else writes while it lasts, and it is one batch."""

    db: Cluster

    def __enter__(self) -> Together:
        db = self.db
        lock = db._held()
        lock.acquire()
        try:
            if self._keep and db._together is None and not db.read_only:
                db._until = time.monotonic() + db._write_s
                db.hold(db._write_s)
            return super().__enter__()
        except BaseException:
            db.release()
            raise
        finally:
            lock.release()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        is_whole = self._outer is None
        if is_whole:
            self.db._until = time.monotonic() + self.db._write_s
        try:
            super().__exit__(kind, *rest)
        except Behind as error:
            raise Conflict(
                f"{self.db.address.shown} was written to while this was under way, for longer than"
                f" {HOLD_MS // 1000} s: nothing was stored; do it again"
            ) from error
        finally:
            if is_whole:
                self.db.release()


def open_space(
    path: str, *, driver: str = "apsw", read_only: bool = False, patience_ms: int = BUSY_MS
) -> tuple[Database, list[str]]:
    """Open a memory on a cluster, making it when needed; also tell what was noticed."""
    db = Cluster(Address(path), driver=driver, read_only=read_only, busy_ms=patience_ms)
    try:
        making.look_over(db)
    except BaseException:
        db.close()
        raise
    db.is_laid_out = True
    return db, list(db.told)
