"""The copy of a cluster that a machine keeps: where it lies, and how it is fetched whole.

It lies where cogmem keeps what it can make anew, one folder for each address. What turns wrote and the cluster has
not taken yet stands in it too (table `cluster_unsent`): it goes along with the next batch, in the order in which it
was written, or alone when much of it waits, and over into the next whole copy. A turn whose step the cluster
refuses is set aside, so that it stops nobody; `doctor` tells of it. Processes share the copy as any file; only to
fetch it whole, and to leave what a turn wrote in it, one waits for the other.

A `Recorder` stands before its connection and writes down what a transaction writes, so that the cluster can do the
same: reads and pragmas go through, and a part that is rolled back is forgotten.
"""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import closing, contextmanager, suppress
from itertools import count

from cogmem.errors import DatabaseProblem, Locked, Unreachable
from cogmem.file import sql
from cogmem.file.connection import driver_of
from cogmem.file.db import Database
from cogmem.file.private import take_away
from cogmem.file.rqlite import NoAnswer, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from cogmem.file.rqlite import Address, Link

    Recorded = list[tuple[str, Any]]

FETCH_S = LOAD_S = 600.0
COMES_S = 60.0  # what a whole whose answer was lost is waited for
_TABLES = ("cluster_unsent", "cluster_copy", "cluster_batch", "cluster")
SHORTEST_S = 0.005  # what who can put a write off waits for the other processes of this machine
MOST, OLDEST_MS = 20, 60_000  # turns that wait before they are sent alone
WAITING = "select count(*), coalesce(min(made_at), 0) from cluster_unsent where refused is null"
REFUSED = "select count(*) from cluster_unsent where refused is not null"
_WRITES = frozenset("insert update delete replace create drop alter".split())
_STAMPS = ("pragma user_version =", "pragma application_id =")
_PROOF = "'integrity-check'"  # FTS5 takes its own check for a write; it changes nothing
_BYTES = (bytes, bytearray, memoryview)
# What stands in quotes and comments, and the places of values outside of them.
_PLACE = re.compile(r"""'[^']*'|"[^"]*"|--[^\n]*|/\*.*?(?:\*/|\Z)|(:\w+|\?)""", re.DOTALL)


@contextmanager
def alone(path: str, *, waits: bool) -> Iterator[None]:
    """Keep out other processes that fetch the copy, or leave in it what a turn wrote."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows: two processes that fetch at once put the same in its place
        yield
        return
    handle = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        until = time.monotonic() + SHORTEST_S
        while True:
            try:
                flock(handle, LOCK_EX if waits else LOCK_EX | LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise Locked(f"{path} is being fetched by another process: try again") from None
                time.sleep(0.001)
        yield
    finally:
        os.close(handle)


def lay_out_copy(actual: Any, address: Address) -> None:
    """Lay out what only a copy has."""
    if not actual.execute("select 1 from sqlite_schema where name = 'cluster_copy'").fetchall():
        for text in sql.split(dict(sql.script("cluster"))["20_copy"]):
            actual.execute(text)
        actual.execute(
            "insert into cluster_copy (id, uid, address) values (1, ?, ?) on conflict do nothing",
            (f"cpy_{os.urandom(8).hex()}", address.shown),
        )


class Gap(Exception):
    """The batches that this copy needs are gone, or do something else here: it is fetched whole."""


def take_over(actual: Any, copy: str, newer: list[list[Any]]) -> None:
    """Do the batches of others, in the order of the cluster; this copy has done its own."""
    [(here,)] = actual.execute("select at from cluster").fetchall()
    for number, _, sender, turns, steps in newer:
        if number <= here:  # another process took it meanwhile
            continue
        if number != here + 1 or steps is None:
            raise Gap
        told = json.loads(turns)
        if sender == copy:
            let_turns_go(actual, told["ids"])
        done = [] if sender == copy else told["steps"]
        _run(actual, [*done, *json.loads(steps)])
        here = number
    actual.execute("update cluster set at = ?", (here,))


def _run(actual: Any, steps: list[list[Any]]) -> None:
    for text, *values in steps:
        named = values[0] if values and isinstance(values[0], dict) else values
        actual.execute(text, named).fetchall()


def fetch(link: Link, driver: str, path: str, here: Any = None) -> None:
    """Put all that a cluster holds at a path: as a new file, or into the copy that is open there."""
    sqlite = driver_of(driver)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{path}.fetched"
    with alone(path, waits=True):
        if here is None and os.path.exists(path):  # another process was faster
            return
        try:
            _download(link, draft)
            with closing(sqlite.connect(draft, False, 5_000)) as new:
                _prepare(new, here, link.address)
                if here is not None:
                    sqlite.fill_from(here, new)
            if here is None:
                os.replace(draft, path)
        finally:
            take_away(draft)


def _download(link: Link, draft: str) -> None:
    shown = link.address.shown
    with suppress(FileNotFoundError):
        os.unlink(draft)
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        link.fetch("/db/backup", handle, seconds=FETCH_S)
        os.lseek(handle, 0, os.SEEK_SET)
        head = os.read(handle, 16)
    except (NoAnswer, Refused) as error:
        raise Unreachable(f"{shown} gave no copy of itself ({error}): try again") from error
    finally:
        os.close(handle)
    if head != b"SQLite format 3\x00":
        raise DatabaseProblem(f"{shown} sent something else than a copy of itself")


def _prepare(new: Any, here: Any, address: Address) -> None:
    """Make what a copy has and the cluster has not; and no batches, which it has taken all."""
    new.execute("pragma journal_mode = delete").fetchall()
    if here is None:
        new.execute("begin immediate")
        new.execute("delete from cluster_batch")
        lay_out_copy(new, address)
        new.execute("commit")
        new.execute("pragma journal_mode = wal").fetchall()
        return
    [(size,)] = here.execute("pragma page_size").fetchall()
    if new.execute("pragma page_size").fetchall() != [(size,)]:
        new.execute(f"pragma page_size = {size}")
        new.execute("vacuum")
    new.execute("begin immediate")
    [(uid,)] = here.execute("select uid from cluster_copy").fetchall()
    batches = new.execute("select turns from cluster_batch where copy = ?", (uid,)).fetchall()
    sent = {number for (turns,) in batches for number in json.loads(turns)["ids"]}
    new.execute("delete from cluster_batch")
    lay_out_copy(new, address)
    new.execute("update cluster_copy set uid = ?", (uid,))
    rows = here.execute("select id, steps, made_at, refused from cluster_unsent").fetchall()
    for row in rows:
        if row[0] not in sent:
            new.execute("insert into cluster_unsent values (?, ?, ?, ?)", row)
            _run(new, json.loads(row[1]))
    new.execute("commit")


def leave_cluster(path: str, driver: str) -> None:
    """Make a plain memory of the file of a copy: without what only a cluster and its copies have."""
    with closing(Database(path, driver=driver)) as db:
        for table in _TABLES:
            db.ask(f"drop table if exists {table}")
        db.ask("vacuum")


def load(link: Link, draft: str, uid: str, at: int) -> int:
    """Send a plain memory to the nodes as all that they hold from now on, as batch `at` of its cluster."""
    with closing(Database(draft)) as db:
        db.ask("pragma journal_mode = delete")
        for text in sql.split(dict(sql.script("cluster"))["10_cluster"]):
            db.ask(text)
        db.ask("insert into cluster (id, uid, at) values (1, :uid, :at)", {"uid": uid, "at": at})
    with open(draft, "rb") as file:
        whole = file.read()
    try:
        link.post("/db/load", whole, seconds=LOAD_S)
    except (NoAnswer, Refused) as error:
        if isinstance(error, NoAnswer) and error.is_doubtful and _has_come(link, uid, at):
            return len(whole)
        raise DatabaseProblem(
            f"{link.address.shown} did not take the whole ({error}): look at what it holds before you try again"
        ) from error
    return len(whole)


def _has_come(link: Link, uid: str, at: int) -> bool:
    """Tell whether the nodes hold the whole whose answer was lost; on slow disks they may be at it still."""
    until = time.monotonic() + COMES_S
    while time.monotonic() < until:
        with suppress(NoAnswer, Refused):
            [[held]] = link.query(
                [["select uid, at from cluster"]], level="linearizable", seconds=COMES_S
            )
            if held == [uid, at]:
                return True
        time.sleep(1.0)
    return False


def let_turns_go(actual: Any, numbers: Iterable[int]) -> None:
    """Let go of what the cluster took."""
    actual.executemany("delete from cluster_unsent where id = ?", [(one,) for one in numbers])


def set_turn_aside(actual: Any, turns: Sequence[tuple[int, str]], place: int, said: str) -> None:
    """Set one of these turns aside: the cluster refuses a step of it."""
    for number, steps in turns:
        size = len(json.loads(steps))
        if place < size:
            actual.execute("update cluster_unsent set refused = ? where id = ?", (said, number))
            return
        place -= size


def as_json(value: Any) -> str:
    """Return steps as they are kept and sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def now_ms() -> int:
    """Read the clock of this machine: how long things wait is not an instant of the memory."""
    return time.time_ns() // 1_000_000


def is_write(text: str) -> bool:
    """Tell whether a statement changes rows, tables or the stamps of a file."""
    low = text.lstrip().lower()
    word = low.split(None, 1)[0]
    if word in _WRITES:
        return _PROOF not in low
    if word == "with":  # a word of it in a literal costs a needless statement, and no more
        return any(verb in low for verb in ("insert into", "update", "delete from"))
    return low.startswith(_STAMPS)


class Recorder:
    """The connection of a driver, with what its transaction wrote."""

    def __init__(
        self, actual: Any, begun: Callable[[], None], commit: Callable[[Recorded], None]
    ) -> None:
        self.actual = actual
        self._begun = begun
        self._commit = commit
        self._steps: Recorded = []
        self._marks: list[tuple[str, int]] = []
        self._is_open = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.actual, name)

    def execute(self, text: str, params: Any = None) -> Any:
        """Run a statement, and keep it if it writes."""
        if text == "commit" and self._is_open:
            self._commit(self._steps)
            self._end()
            return self.actual.execute("select 1 where 0")
        cursor = self.actual.execute(text, params if params is not None else ())
        if self._is_open and is_write(text):
            self._steps.append((text, params))
        else:
            self._follow(text)
        return cursor

    def executemany(self, text: str, rows: Any) -> Any:
        """Run a statement for each row, and keep them all."""
        rows = list(rows)
        cursor = self.actual.executemany(text, rows)
        if self._is_open and is_write(text):
            self._steps += [(text, row) for row in rows]
        return cursor

    def _follow(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if text == "begin immediate":
            self._end()
            self._is_open = True
            self._begun()
        elif text == "rollback":
            self._end()
        elif word == "savepoint":
            self._marks.append((rest, len(self._steps)))
        elif text.startswith("rollback to "):
            name = text.removeprefix("rollback to ")
            del self._steps[next(at for mark, at in reversed(self._marks) if mark == name) :]
        elif word == "release":
            while self._marks and self._marks.pop()[0] != rest:
                pass

    def _end(self) -> None:
        self._steps, self._marks, self._is_open = [], [], False


def plain(steps: Recorded) -> list[list[Any]]:
    """Statements with their values as rqlite takes them, in JSON: bytes become literals, since it knows none."""
    return [_plain(text, params) for text, params in steps]


def _plain(text: str, params: Any) -> list[Any]:
    is_named = hasattr(params, "keys")
    values: dict[Any, Any] = dict(params) if is_named else dict(enumerate(params or ()))
    taken = {name: values.pop(name) for name in [*values] if isinstance(values[name], _BYTES)}
    places = count()

    def put(found: re.Match[str]) -> str:
        mark = found[1]
        name = (mark[1:] or next(places)) if mark else None
        return f"x'{bytes(taken[name]).hex()}'" if name in taken else found[0]

    if taken:
        text = _PLACE.sub(put, text)
    kept = {name: int(one) if isinstance(one, bool) else one for name, one in values.items()}
    return [text, *([kept] if is_named and kept else kept.values())]
