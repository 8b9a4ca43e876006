"""The copy of a cluster that a machine keeps: where it lies, and how it is fetched whole.

It lies where cogmem keeps what it can make anew, one folder for each address. What turns wrote and the cluster has
not taken yet stands in it too, and goes over into the next whole copy. Processes share it as any file; only
to fetch it whole, and to leave what a turn wrote in it, one waits for the other.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager, suppress

from cogmem.errors import DatabaseProblem, Locked, Unreachable
from cogmem.file import cluster_unsent, sql
from cogmem.file.connection import driver_of
from cogmem.file.db import Database
from cogmem.file.rqlite import NoAnswer, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any

    from cogmem.file.rqlite import Address, Link

FETCH_S = LOAD_S = 600.0
COMES_S = 60.0  # what a whole whose answer was lost is waited for
_TABLES = ("cluster_unsent", "cluster_copy", "cluster_batch", "cluster")
SHORTEST_S = 0.005  # what who can put a write off waits for the other processes of this machine


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
            cluster_unsent.let_go(actual, told["ids"])
        done = [] if sender == copy else told["steps"]
        for text, *values in [*done, *json.loads(steps)]:
            named = values[0] if values and isinstance(values[0], dict) else values
            actual.execute(text, named).fetchall()
        here = number
    actual.execute("update cluster set at = ?", (here,))


class Whole:
    """Fetches all that a cluster holds."""

    def __init__(self, address: Address, link: Link, driver: str) -> None:
        self.address = address
        self.link = link
        self._driver = driver

    def fetch(self, path: str, here: Any = None, sqlite: ModuleType | None = None) -> None:
        """Put it at a path: as a new file, or into the copy that is open there."""
        if sqlite is None:
            sqlite = driver_of(self._driver)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        draft = f"{path}.fetched"
        with alone(path, waits=True):
            if here is None and os.path.exists(path):  # another process was faster
                return
            try:
                self._download(draft)
                new = sqlite.connect(draft, False, 5_000)
                try:
                    self._prepare(new, here)
                    if here is not None:
                        sqlite.fill_from(here, new)
                finally:
                    new.close()
                if here is None:
                    os.replace(draft, path)
            finally:
                take_away(draft)

    def _download(self, draft: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            self.link.fetch("/db/backup", handle, seconds=FETCH_S)
            os.lseek(handle, 0, os.SEEK_SET)
            head = os.read(handle, 16)
        except (NoAnswer, Refused) as error:
            raise Unreachable(
                f"{self.address.shown} gave no copy of itself ({error}): try again"
            ) from error
        finally:
            os.close(handle)
        if not head.startswith(b"SQLite format 3\x00"):
            raise DatabaseProblem(
                f"{self.address.shown} sent something other than a copy of itself"
            )

    def _prepare(self, new: Any, here: Any) -> None:
        """Make what a copy has and the cluster has not; and no batches, which it has taken all."""
        new.execute("pragma journal_mode = delete").fetchall()
        if here is not None:
            [(size,)] = here.execute("pragma page_size").fetchall()
            if new.execute("pragma page_size").fetchall() != [(size,)]:
                new.execute(f"pragma page_size = {size}")
                new.execute("vacuum")
        new.execute("begin immediate")
        sent = {
            number
            for copy, turns in new.execute("select copy, turns from cluster_batch").fetchall()
            if here is not None and copy == _uid(here)
            for number in json.loads(turns)["ids"]
        }
        new.execute("delete from cluster_batch")
        lay_out_copy(new, self.address)
        if here is not None:
            new.execute("update cluster_copy set uid = ?", (_uid(here),))
            rows = here.execute("select id, steps, made_at, refused from cluster_unsent").fetchall()
            for row in rows:
                if row[0] not in sent:
                    new.execute("insert into cluster_unsent values (?, ?, ?, ?)", row)
                    for text, *values in json.loads(row[1]):
                        named = values[0] if values and isinstance(values[0], dict) else values
                        new.execute(text, named)
        new.execute("commit")
        if here is None:
            new.execute("pragma journal_mode = wal").fetchall()


def _uid(here: Any) -> str:
    return str(here.execute("select uid from cluster_copy").fetchall()[0][0])


def leave_cluster(path: str, driver: str) -> None:
    """Make a plain memory of the file of a copy: without what only a cluster and its copies have."""
    db = Database(path, driver=driver)
    try:
        for table in _TABLES:
            db.ask(f"drop table if exists {table}")
        db.ask("vacuum")
    finally:
        db.close()


def load(link: Link, draft: str, uid: str, at: int, driver: str) -> int:
    """Send a plain memory to the nodes as all that they hold from now on, as batch `at` of its cluster."""
    db = Database(draft, driver=driver)
    try:
        db.ask("pragma journal_mode = delete")
        for text in sql.split(dict(sql.script("cluster"))["10_cluster"]):
            db.ask(text)
        db.ask("insert into cluster (id, uid, at) values (1, :uid, :at)", {"uid": uid, "at": at})
    finally:
        db.close()
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


def take_away(path: str) -> None:
    """Remove a file that was in the making, with what SQLite keeps beside it."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(FileNotFoundError):
            os.unlink(name)
