"""Which files of a fleet have a night due, and who is working on which: one small SQLite file.

It knows nothing about memories: only paths, instants, and a mark of each file as it was when it was last looked at. A
file is due at the instant that its last night named, or on the day after somebody used it. Its size and times tell
that, so an idle file is never opened. A worker takes rows on a lease; if it dies, they come back. That a night runs
only once does not depend on this list: each file's own ledger of jobs sees to it.

`look`, `take`, `keep` and `counts` are all that a fleet asks for, and each is one short transaction: a list in
another database needs the same four.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cogmem.errors import DatabaseProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

DAY = 86_400_000
LOOKED_AT_ONCE = 20_000  # files in one transaction
WAIT = 30.0  # seconds for another fleet's transaction
NEVER = 1 << 62

_TABLE = """
create table if not exists night_file (
  -- One file of the fleet. Instants are ms since 1970, UTC.
  path          text primary key,
  due_at        integer not null default 0,   -- when its next night has something to do
  mark          text not null default '',     -- its size and times as they were last seen; others: somebody used it
  night_at      integer,                      -- its last night that came to an end; null: none yet
  taken_by      text not null default '',     -- who is at work on it; '': nobody
  taken_until   integer not null default 0,   -- from then on somebody else may take it
  tried_at      integer not null default 0,   -- the last night that was tried
  failures      integer not null default 0,   -- since the last one that came to its end
  problem       text not null default ''      -- why the last one failed; '': it did not
) strict, without rowid;
create index if not exists night_file_by_due on night_file (due_at);
create index if not exists night_file_by_problem on night_file (path) where problem <> '';
create index if not exists night_file_by_taker on night_file (taken_by) where taken_by <> '';
"""
_LOOK = """
insert into night_file (path, mark) values (?, ?)
    on conflict (path) do update
   set mark = excluded.mark, due_at = min(due_at, coalesce((night_at / 86400000 + 1) * 86400000, 0))
 where night_file.mark <> excluded.mark
"""
_DUE = """
 due_at <= :now and tried_at < :now and taken_until <= :clock
"""
_TAKE = f"""
update night_file set taken_by = :who, taken_until = :until
 where path in (select path from night_file where {_DUE} order by due_at limit :many)
returning path
"""
_KEEP = """
update night_file
   set due_at = coalesce(:due_at, due_at), mark = :mark, taken_by = '', taken_until = 0, tried_at = :now,
       problem = :problem,
       night_at = case :problem when '' then :now else night_at end,
       failures = case :problem when '' then 0 else failures + 1 end
 where path = :path
"""


class Kept(NamedTuple):
    """What became of one file: when it is due again (None: as before), its mark, and what went wrong."""

    path: str
    due_at: int | None
    mark: str
    problem: str = ""
    is_gone: bool = False


class DueList:
    """The list in one file; ':memory:' for a rehearsal."""

    def __init__(self, place: str) -> None:
        self.place = place
        with self._told():
            self._db = sqlite3.connect(place, isolation_level=None, timeout=WAIT)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.executescript(_TABLE)

    def close(self) -> None:
        self._db.close()

    def rehearse(self) -> DueList:
        """A copy in memory, which nothing that is done to it outlives."""
        other = DueList(":memory:")
        self._db.backup(other._db)
        return other

    def look(self, files: Iterable[tuple[str, str]]) -> int:
        """Take in paths with their marks: new ones are due at once, used ones tomorrow. Says how many there are."""
        count = 0
        rest = iter(files)
        while some := list(islice(rest, LOOKED_AT_ONCE)):
            count += len(some)
            with self._change():
                self._db.executemany(_LOOK, some)
        return count

    def take(self, who: str, many: int, *, now: int, clock: int, until: int) -> list[str]:
        """Files that are due at `now`, for `who` until `until`; each is tried once in a night."""
        asked = {"who": who, "many": many, "now": now, "clock": clock, "until": until}
        with self._change():
            return [path for (path,) in self._db.execute(_TAKE, asked).fetchall()]

    def keep(self, done: Iterable[Kept], *, now: int) -> None:
        """Write down what became of files that were taken."""
        rows = list(done)
        with self._change():
            self._db.executemany(
                _KEEP, [{**one._asdict(), "now": now} for one in rows if not one.is_gone]
            )
            gone = [(one.path,) for one in rows if one.is_gone]
            self._db.executemany("delete from night_file where path = ?", gone)

    def free(self, who: str) -> None:
        """Let go of all that somebody has who is no more."""
        with self._change():
            self._db.execute(
                "update night_file set taken_by = '', taken_until = 0 where taken_by = ?", (who,)
            )

    def takers(self) -> list[str]:
        """Who has files on lease."""
        rows = self._read("select distinct taken_by from night_file where taken_by <> ''")
        return [who for (who,) in rows]

    def counts(self, *, now: int, clock: int) -> dict[str, int]:
        """Tell how many files there are, are due, are taken and failed at their last night."""
        asked = {"now": now, "clock": clock}
        due = f"select count(*) from night_file where {_DUE}"
        return {
            "files": self._read("select count(*) from night_file")[0][0],
            "due": self._read(due, asked)[0][0],
            "taken": self._read(
                "select count(*) from night_file where taken_by <> '' and taken_until > ?", (clock,)
            )[0][0],
            "failing": self._read("select count(*) from night_file where problem <> ''")[0][0],
        }

    def failing(self, limit: int) -> list[dict[str, Any]]:
        """Files whose last night failed, and why."""
        rows = self._read(
            "select path, problem, failures from night_file where problem <> '' order by path limit ?",
            (limit,),
        )
        return [dict(zip(("path", "problem", "failures"), row, strict=True)) for row in rows]

    def _read(self, text: str, asked: Any = ()) -> list[tuple[Any, ...]]:
        with self._told():
            return self._db.execute(text, asked).fetchall()

    @contextmanager
    def _change(self) -> Iterator[None]:
        with self._told():
            self._db.execute("begin immediate")
            try:
                yield
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Return what SQLite complains of, as an error that says what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise DatabaseProblem(
                f"the due list {self.place} cannot be used ({error}): it can be deleted, the next night of the"
                " fleet makes it anew and looks at every file once"
            ) from error


def mark_of(path: str) -> str:
    """Size and time of a file and of its log: others tell that somebody wrote. '' if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    try:
        log = os.stat(f"{path}-wal")
    except OSError:
        return f"{found.st_size} {found.st_mtime_ns}"
    return f"{found.st_size} {found.st_mtime_ns} {log.st_size} {log.st_mtime_ns}"
