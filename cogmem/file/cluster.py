"""A memory on an rqlite cluster: this machine's copy of it answers, and what is written goes to the cluster first.

The copy is an ordinary file that has taken the same batches in the same order, so it has the same rows with the same
numbers. A write runs in it as in any other file, within a transaction that is written down statement by statement.
To commit it is to send these statements as one batch. The cluster takes it only if it stands where the copy stands;
then the copy commits too. If somebody else was faster the copy rolls back, takes their batch and does the write anew:
docs/decisions/0042-a-cluster-is-written-by-its-copies.md.

So everything that reads its own uncommitted writes (nights, undo, rehearsals) works as it does on a file. What a turn
writes (its ledger, what its session froze) is committed here at once and goes to the cluster with a later batch.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress

from cogmem.errors import (
    Conflict,
    Damaged,
    DatabaseProblem,
    ForeignFile,
    InvalidInput,
    Locked,
    ReadOnly,
    Unreachable,
)
from cogmem.file import migrate, sql
from cogmem.file.cluster_copy import SHORTEST_S, Whole, alone, lay_out_copy, leave_cluster
from cogmem.file.connection import BUSY_MS
from cogmem.file.db import ATTEMPTS, Database, Together
from cogmem.file.places import beside
from cogmem.file.recorder import Recorder, is_write, plain
from cogmem.file.rqlite import Address, Link, NoAnswer, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cogmem.file.connection import Params
    from cogmem.file.recorder import Recorded

FRESH_S = {"none": 1.0, "weak": 0.1, "linearizable": 0.0}  # how old an answer of the copy may be
LOOK_S = 0.15  # what a read waits for news of the cluster; then the copy answers as it is
QUIET_S = 1.0  # and nobody is asked again for so long
OPEN_S = 10.0  # where there is no copy yet
WRITE_S = 20.0  # what a write waits for a leader, and for others; less for who has less patience with a file
LEAST_WRITE_S = 0.3
SHORT_S = 1.0  # the same for a write that can be put off
SNAPSHOT_S = 10.0  # of one node
MB_S = 2.0  # more for each megabyte of a batch
HOLD_MS = 20_000  # who works alone for longer has died, for the others
AT_ONCE = 200  # batches that are fetched by one request
LARGEST = 1 << 20  # bytes of a batch that other copies take step by step
KEPT = 2_000  # batches; a copy that is further behind is fetched whole
MOST_UNSENT, OLDEST_UNSENT_MS = 20, 60_000  # turns that wait before they are sent alone

_STATE = (
    "select uid, at, coalesce(held_by, ''), coalesce(held_until, 0), (select coalesce(max(id), 0) from change)"
    " from cluster where id = 1"
)
_NEWER = (
    "select at, name, copy, turns, steps from cluster_batch where at > ? order by at"
    f" limit {AT_ONCE}"
)
_HERE = "select at, (select coalesce(max(id), 0) from change), uid from cluster where id = 1"
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
_OWN = "sqlite_stat"  # what ANALYZE keeps is each SQLite's own
_REFUSED = "select count(*) from cluster_unsent where refused is not null"
_TELLS = "update context set act = ?"  # a turn that dates what others wrote has a history, and is no mere ledger


_quiet_until: dict[
    str, float
] = {}  # by address: no node answered a moment ago, whoever of this process asked


class _Behind(Locked):
    """The cluster stands elsewhere than this copy, or somebody works alone: catch up, and do it anew."""


class _Gap(Exception):
    """The batches that this copy needs are gone, or do something else here: it is fetched whole."""


class Cluster(Database):
    """The copy of a cluster that this machine keeps, and the way to the cluster."""

    is_of_cluster = True

    def __init__(
        self, address: Address, *, driver: str, read_only: bool, busy_ms: int = BUSY_MS
    ) -> None:
        self.address = address
        self.link = Link(address)
        self.told: list[str] = []
        self.is_cut_off = False  # the cluster did not answer when it was last asked
        self._asked_at = 0.0
        self._base = (0, 0)  # batch and last change on which the write under way rests
        self._is_turn = False
        self._holds = False
        self._until = 0.0
        self._write_s = min(WRITE_S, max(LEAST_WRITE_S, ATTEMPTS * busy_ms / 1_000))
        self._whole = Whole(address, self.link, driver)
        place = beside(address.shown)
        try:
            if not os.path.exists(place):
                if not self._is_made(read_only):
                    self._make()
                self._whole.fetch(place)
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

        [refused] = self.ask_here(_REFUSED)
        if refused:
            self.told.append(
                f"{address.shown} refused what {refused} of this machine's turns wrote: `cluster_unsent` in"
                f" {self.path} says why"
            )

    def _connect(self) -> Any:
        actual = self._sqlite.connect(self.path, False, self.busy_ms, False)
        # A person of another time zone may have a copy of a later cogmem here: it lays out what it misses.
        lay_out_copy(actual, self.address)
        [(self.uid,)] = actual.execute("select uid from cluster_copy").fetchall()
        return Recorder(actual, self._begun, self._commit)

    # -- what is there ---------------------------------------------------------------------------

    def _is_made(self, read_only: bool) -> bool:
        """Whether the cluster holds a memory; another program's tables are left alone."""
        try:
            [[keys], tables] = self.link.query(
                [["pragma foreign_keys"], ["select name from sqlite_schema where type = 'table'"]],
                level="weak",
                seconds=OPEN_S,
            )
        except (NoAnswer, Refused) as error:
            raise self._told(error) from error
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

    def _make(self) -> None:
        """Lay out a memory on an empty cluster; of two who do so at once one is refused, and finds it made."""
        steps = recorded_schema()
        uid = f"clu_{os.urandom(8).hex()}"
        steps.append(("insert into cluster (id, uid, at) values (1, ?, 0)", (uid,)))
        try:
            self.link.execute(plain(steps), seconds=WRITE_S)
        except (NoAnswer, Refused) as error:
            if not self._is_made(True):
                raise self._told(error) from error

    # -- keeping up ------------------------------------------------------------------------------

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

    def catch_up(self, seconds: float, level: str = "") -> tuple[str, int]:
        """Take what the cluster has and this copy has not; returns who works alone, and until when."""
        level = level or self.address.level
        while True:
            at, _, uid = self.ask_here(_HERE)
            try:
                state, newer = self.link.query(
                    [[_STATE], [_NEWER, at]], level=level, seconds=seconds
                )
            except Refused as error:
                if "no such table" not in str(error):
                    raise self._told(error) from error
                if not self._is_made(self.read_only):
                    raise DatabaseProblem(
                        f"{self.address.shown} holds no memory any more: {self.path} is the copy that this machine"
                        " has of it, and `cogmem move` makes a file of that copy"
                    ) from error
                if level == "linearizable":
                    raise self._told(error) from error
                level = (
                    "linearizable"  # a node that was started a moment ago has yet to read its log
                )
                continue
            except NoAnswer as error:
                raise self._told(error) from error
            self._asked_at = time.monotonic()
            self.is_cut_off = False
            there, reached, held_by, held_until, changes = state[0]
            if there == uid and reached < at and level != "linearizable":
                if level == "none":  # a node that has yet to hear
                    return held_by, held_until
                level = "linearizable"
                continue
            try:
                if there != uid or reached < at or (reached > at and not newer):
                    raise _Gap
                self._take(newer)
                at, ours, _ = self.ask_here(_HERE)
                if at == reached and ours != changes:  # somebody wrote past cogmem
                    raise _Gap
            except _Gap:
                self.fetch_whole()
                return held_by, held_until
            if at >= reached:
                return held_by, held_until

    def ask_here(self, text: str) -> tuple[Any, ...]:
        """The one row of a question to the copy as it is."""
        with self._held():
            try:
                [row] = self.connection.actual.execute(text).fetchall()
            except Exception as error:
                raise self._told(error) from error
        found: tuple[Any, ...] = row
        return found

    def _take(self, newer: list[list[Any]]) -> None:
        """Do what others did, in one transaction."""
        if not newer:
            return
        actual = self.connection.actual
        try:
            actual.execute("begin immediate")
            [(here,)] = actual.execute("select at from cluster").fetchall()
            for number, _, copy, turns, steps in newer:
                if number <= here:  # another process took it meanwhile
                    continue
                if number != here + 1 or steps is None:
                    raise _Gap
                told = json.loads(turns)
                if copy == self.uid:
                    _let_go(actual, told["ids"])
                done = [] if copy == self.uid else told["steps"]
                for text, *values in [*done, *json.loads(steps)]:
                    named = values[0] if values and isinstance(values[0], dict) else values
                    actual.execute(text, named).fetchall()
                here = number
            actual.execute("update cluster set at = ?", (here,))
            actual.execute("commit")
        except BaseException as error:
            if self._sqlite.in_transaction(actual):
                actual.execute("rollback")
            if isinstance(error, _Gap) or not isinstance(error, Exception):
                raise
            told_error = self._told(error)
            if isinstance(told_error, Locked):
                raise told_error from error
            raise _Gap from error

    def fetch_whole(self) -> None:
        """Put what the cluster holds in the place of the copy, and keep what waits to be sent."""
        self._whole.fetch(self.path, self.connection.actual, self._sqlite)
        with suppress(Locked):  # what was forgotten elsewhere shall not stay in the old pages
            self.fold_log(int(SHORT_S * 1_000))
        self._kept_of = (0, -1)
        self._asked_at = time.monotonic()

    # -- reading ---------------------------------------------------------------------------------

    def ask(self, text: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """All rows of literal SQL, from the copy. What writes outside of a block goes to the nodes as it stands, as
        another client's would: the copy finds it there."""
        self._look()
        if not is_write(text) or _OWN in text or self.is_writing:
            return super().ask(text, params)
        with self._held():
            if self.read_only:
                raise ReadOnly(f"{self.address.shown} was opened read-only: open it for writing")
            try:
                self.link.execute(plain([(text, params)]), seconds=self._write_s, once=True)
            except (NoAnswer, Refused) as error:
                raise self._told(error) from error
            self.fetch_whole()
        return []

    def rows(self, name: str, params: Params | None = None) -> list[dict[str, Any]]:
        """All rows of a named statement, from the copy."""
        self._look()
        return super().rows(name, params)

    def reading(self) -> Any:
        """For `with`: the reads of the block see the copy at one instant."""
        self._look()
        return super().reading()

    # -- writing ---------------------------------------------------------------------------------

    def together(self, *, run: str | None = None, keep: bool = True) -> Together:
        """For `with`: all writes of the block are one batch. Nobody else writes meanwhile."""
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
            self._until = time.monotonic() + (
                self._write_s if patience_ms is None else min(SHORT_S, self._write_s)
            )
            try:
                if can_be_lost:
                    with alone(self.path, waits=patience_ms is None):
                        super().transact(body, patience_ms, can_be_lost=True)
                else:
                    super().transact(body, patience_ms)
            finally:
                self._is_turn = False
                self.release()

    def _begin_to_write(self, connection: Any, patience_ms: int | None) -> None:
        if self.read_only:
            raise ReadOnly(f"{self.address.shown} was opened read-only: open it for writing")
        super()._begin_to_write(connection, patience_ms)

    def _until_free(self, do: Callable[[], None], attempts: int) -> None:
        tries = 0
        while True:
            try:
                super()._until_free(do, attempts)
                return
            except _Behind:
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
        """What the recorder calls where a file would commit."""
        actual = self._connection.actual
        if steps and self._is_turn and not any(text.startswith(_TELLS) for text, _ in steps):
            row = (_json(plain(steps)), _now_ms())
            actual.execute("insert into cluster_unsent (steps, made_at) values (?, ?)", row)
        elif steps:
            sent = self._send(plain(steps), self._base)
            actual.execute("update cluster set at = ?", (self._base[0] + 1,))
            _let_go(actual, sent)
        actual.execute("commit")

    def _send(self, steps: list[list[Any]], base: tuple[int, int] | None) -> list[int]:
        """Have the cluster take a batch, once; returns the numbers of the turns that went with it."""
        waiting = self._connection.actual.execute(
            "select id, steps from cluster_unsent where refused is null order by id"
        ).fetchall()
        ids = [number for number, _ in waiting]
        early = [step for _, told in waiting for step in json.loads(told)]
        written = _json(steps)
        size = len(written) + sum(len(told) for _, told in waiting)
        name = f"bat_{os.urandom(8).hex()}"
        named: dict[str, Any] = {
            "name": name,
            "copy": self.uid,
            "turns": _json({"ids": ids, "steps": early}),
            "steps": written if size < LARGEST else None,
            "now": _now_ms(),
            "at": base[0] if base else None,
            "changes": base[1] if base else 0,
        }
        batch = [[_BEGIN, named], [_COUNT, {"copy": self.uid}], *early, *steps]
        if base and not base[0] % 128:
            batch.append([_FORGET_OLD, {"kept": KEPT}])
        if not self._until:
            self._until = time.monotonic() + WRITE_S
        until = self._until + MB_S * size / LARGEST
        try:
            self._taken(batch, name, until)
        except Refused as error:
            place = error.place - 2
            if not 0 <= place < len(early):
                raise
            self._refuse(waiting, place, str(error))
            return self._send(steps, base)
        self._holds = False  # the batch let go of it
        return ids

    def _taken(self, batch: list[list[Any]], name: str, until: float) -> None:
        """Send until it is known whether the cluster took it. Whatever is sent twice is refused once."""
        is_doubtful = False
        said = ""
        while True:
            left = until - time.monotonic()
            if left <= 0:
                break
            try:
                self.link.execute(batch, seconds=left, once=True)
                return
            except Refused as error:
                if not any(word in str(error) for word in _ELSEWHERE):
                    raise
                if is_doubtful and self._has_taken(name, until):
                    return
                raise _Behind("the cluster stands elsewhere") from None
            except NoAnswer as error:
                is_doubtful, said = is_doubtful or error.is_doubtful, str(error)
                if is_doubtful and self._has_taken(name, until):
                    return
        outcome = (
            "whether it stored this write is not known: look before you repeat it"
            if is_doubtful
            else "nothing of this write was stored"
        )
        self._quieten()
        raise Unreachable(
            f"{self.address.shown} does not answer or has no leader ({said}): {outcome}"
        )

    def _has_taken(self, name: str, until: float) -> bool:
        """Whether a batch is among those that the cluster took; if it can still come, sending it again tells."""
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

    def _refuse(self, waiting: Sequence[tuple[int, str]], place: int, said: str) -> None:
        """Set the turn aside whose step the cluster refuses, so that it stops nobody; `check` tells of it."""
        for number, told in waiting:
            count = len(json.loads(told))
            if place < count:
                self._connection.actual.execute(
                    "update cluster_unsent set refused = ? where id = ?", (said, number)
                )
                return
            place -= count

    def _send_turns(self) -> None:
        """Send what turns wrote, when much of it waits or has waited for long."""
        count, oldest = self.ask_here(
            "select count(*), coalesce(min(made_at), 0) from cluster_unsent where refused is null"
        )
        if self.read_only or not count:
            return
        if count < MOST_UNSENT and _now_ms() - oldest < OLDEST_UNSENT_MS:
            return
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
                    _let_go(actual, self._send([], None))
                    actual.execute("commit")
                    return
                except BaseException as error:
                    if self._sqlite.in_transaction(actual):
                        actual.execute("rollback")
                    if not isinstance(error, _Behind):
                        raise
                if time.monotonic() > until:
                    return
                time.sleep(0.02)

    # -- working alone ---------------------------------------------------------------------------

    def hold(self, seconds: float) -> None:
        """Keep others from writing until the next batch of this client, and catch up with them."""
        until = time.monotonic() + seconds
        while not self._holds:
            now = _now_ms()
            named = {"copy": self.uid, "now": now, "until": now + HOLD_MS}
            try:
                [done] = self.link.execute(
                    [[_HOLD, named]], seconds=max(0.0, until - time.monotonic())
                )
            except (NoAnswer, Refused) as error:
                raise self._told(error) from error
            self._holds = bool(done.get("rows_affected"))
            if not self._holds:
                if time.monotonic() > until:
                    raise Locked(f"another client works alone on {self.address.shown}: try again")
                time.sleep(0.02)
        self.catch_up(max(SHORT_S, until - time.monotonic()))

    def let_go(self) -> None:
        """What the nodes hold was replaced, and with it who worked alone."""
        self._holds = False

    def release(self) -> None:
        """Let others write again."""
        if self._holds:
            self._holds = False
            with suppress(NoAnswer, Refused):  # it ends by itself
                self.link.execute([[_RELEASE, {"copy": self.uid}]], seconds=SHORT_S)

    # -- the rest --------------------------------------------------------------------------------

    def write_anew(self) -> None:
        """Wipe what deleted rows left behind: here, on the nodes, and in the log that each of them has of its own.
        One that is away keeps it as it was."""
        super().write_anew()
        try:
            self.link.run_alone("delete from cluster_batch", seconds=WRITE_S)
            self.link.run_alone("vacuum", seconds=WRITE_S)
            self._shorten_logs()
            self._shorten_logs()  # where a snapshot of the node's own came in between, the first one changed nothing
        except (NoAnswer, Refused) as error:
            raise self._told(error) from error

    def _shorten_logs(self) -> None:
        """Have each node make a snapshot and let go of the log before it. By a batch that comes after all that is to
        be wiped a node shows that it has come so far."""
        self.send_turns()
        [[[reached]]] = self.link.query(
            [["select at from cluster"]], level="linearizable", seconds=WRITE_S
        )
        for node in self.address.hosts:
            until = time.monotonic() + SNAPSHOT_S
            try:
                while self._at(node) < reached:
                    if time.monotonic() > until:
                        raise NoAnswer("it is behind the others", False)
                    time.sleep(SHORTEST_S)
                # 1, for 0 means as ever: ten thousand entries stay.
                self.link.post("/snapshot?trailing_logs=1", seconds=SNAPSHOT_S, node=node)
            except (NoAnswer, Refused, InvalidInput) as error:
                raise Unreachable(
                    f"{node[0]}:{node[1]} made no snapshot, and keeps what was forgotten ({error})"
                ) from error

    def _at(self, node: tuple[str, int]) -> int:
        """At which batch one node is."""
        [[[at]]] = self.link.query(
            [["select at from cluster"]], level="none", seconds=SHORT_S, node=node
        )
        return int(at)

    def make_plain(self, copy: str) -> None:
        """Make a memory of its own of a file that was copied from this one."""
        leave_cluster(copy, self.driver)

    def kept_elsewhere(self) -> list[str]:
        """Where rqlite and other machines keep words for a while."""
        return [
            "the free pages of the log of each node (raft.db), until later writes fill them",
            "the copy of the cluster on each other machine, until cogmem is used there",
        ]

    def standing(self) -> dict[str, Any]:
        """How this copy stands to the cluster, for `doctor`: the batch at which it is, how many turns wait in it, and
        at which batch each node is; None for a node that does not answer."""
        at, _, _ = self.ask_here(_HERE)
        [waiting] = self.ask_here("select count(*) from cluster_unsent")
        nodes: dict[str, int | None] = {}
        for node in self.address.hosts:
            name = f"{node[0]}:{node[1]}"
            try:
                nodes[name] = self._at(node)
            except (NoAnswer, Refused, InvalidInput):
                nodes[name] = None
        return {"address": self.address.shown, "at": at, "unsent": waiting, "nodes": nodes}

    def is_free(self, patience_ms: int) -> bool:
        """Whether a write could begin: of the cluster it is known from when it was last asked."""
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
        except _Behind as error:
            raise Conflict(
                f"{self.db.address.shown} was written to while this was under way, for longer than"
                f" {HOLD_MS // 1000} s: nothing was stored; do it again"
            ) from error
        finally:
            if is_whole:
                self.db.release()


def recorded_schema() -> Recorded:
    """The statements that make a memory on an empty cluster."""
    from sqlite3 import connect

    found: Recorded = []
    scratch = connect(":memory:", isolation_level=None)
    try:
        recorder = Recorder(scratch, lambda: None, found.extend)
        recorder.execute("begin immediate")
        for text in migrate.split(dict(sql.script("cluster"))["10_cluster"]):
            recorder.execute(text)
        migrate.make(recorder)
        recorder.execute("commit")
    finally:
        scratch.close()
    return found


def _let_go(actual: Any, ids: list[int]) -> None:
    for number in ids:
        actual.execute("delete from cluster_unsent where id = ?", (number,))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _now_ms() -> int:
    """By the clock of this machine: how long things wait is not an instant of the memory."""
    return time.time_ns() // 1_000_000
