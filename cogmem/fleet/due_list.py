"""Which files of a fleet have a night or another work due, and who is working on which: one small SQLite file.

It knows nothing about memories: only paths, instants, and a mark of each file (its size and times) as it was last
seen. A file's night is due at the instant that its last one named, or on the day after somebody used it. Another
work goes round once: every file is due until it was tried, and when none is left only what failed stays. A worker
takes rows on a lease; if it dies, they come back. `look`, `take`, `keep`, `end` and `counts` are each one short
transaction.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
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
NIGHT = "night"

_TABLE = """
create table if not exists due_file (
  -- One file of the fleet and what is done to it. Instants are ms since 1970, UTC.
  work          text not null,                -- night, backup, check, migrate, 'forget ' and a digest of whom
  path          text not null,
  due_at        integer not null default 0,   -- when there is something to do next
  mark          text not null default '',     -- its size and times as they were last seen; others: somebody used it
  done_at       integer,                      -- the last time that it came to an end; null: not yet
  taken_by      text not null default '',     -- who is at work on it; '': nobody
  taken_until   integer not null default 0,   -- from then on somebody else may take it
  tried_at      integer not null default 0,   -- when it was last tried
  failures      integer not null default 0,   -- since it last came to an end
  problem       text not null default '',     -- why it failed the last time; '': it did not
  primary key (work, path)
) strict, without rowid;
create index if not exists due_file_by_due on due_file (work, due_at);
create index if not exists due_file_by_problem on due_file (path) where problem <> '';
create index if not exists due_file_by_taker on due_file (taken_by) where taken_by <> '';
"""
_LOOK = """
insert into due_file (path, mark, work) values (?, ?, ?)
    on conflict (work, path) do update
   set mark = excluded.mark, due_at = min(due_at, coalesce((done_at / 86400000 + 1) * 86400000, 0))
 where due_file.mark <> excluded.mark and due_file.work = 'night'
"""
_DUE = """
 work = :work and due_at <= :now and tried_at < :now and taken_until <= :clock
"""
_TAKE = f"""
update due_file set taken_by = :who, taken_until = :until
 where work = :work and path in (select path from due_file where {_DUE} order by due_at limit :many)
returning path
"""
_KEEP = """
update due_file
   set due_at = coalesce(:due_at, due_at), mark = :mark, taken_by = '', taken_until = 0, tried_at = :now,
       problem = :problem,
       done_at = case :problem when '' then :now else done_at end,
       failures = case :problem when '' then 0 else failures + 1 end
 where work = :work and path = :path
"""
_END = """
delete from due_file where work = :work and problem = ''
   and not exists (select 1 from due_file d where d.work = :work and (d.due_at < :never or d.taken_by <> ''))
"""
_AGAIN = """
update due_file set due_at = 0 where work = :work
   and not exists (select 1 from due_file d where d.work = :work and (d.problem = '' or d.taken_by <> ''))
"""


class Report(NamedTuple):
    """What became of one file: done, already (nothing was left), gone, no memory, stopped (by a limit) or failed."""

    path: str
    outcome: str
    due_at: int | None = NEVER  # when there is something to do again; None: as before
    mark: str = ""
    changed: int = 0
    problem: str = ""  # what went wrong
    cpu_ms: float = 0.0
    receipt: dict[str, Any] | None = None  # of what was forgotten


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
        """Return a copy in memory, which nothing that is done to it outlives."""
        other = DueList(":memory:")
        self._db.backup(other._db)
        return other

    def look(self, files: Iterable[tuple[str, str]], work: str = NIGHT) -> int:
        """Take in paths with their marks: new ones are due at once, a used one's night tomorrow. Says how many."""
        count = 0
        rest = iter(files)
        while some := [(*one, work) for one in islice(rest, LOOKED_AT_ONCE)]:
            count += len(some)
            with self._change():
                self._db.executemany(_LOOK, some)
        return count

    def take(
        self, who: str, many: int, *, now: int, clock: int, until: int, work: str = NIGHT
    ) -> list[str]:
        """Return files that are due at `now`, for `who` until `until`; each is tried once in a night, or a round."""
        asked = {"who": who, "many": many, "now": now, "clock": clock, "until": until, "work": work}
        with self._change():
            return [path for (path,) in self._db.execute(_TAKE, asked).fetchall()]

    def keep(self, done: list[Report], *, now: int, work: str = NIGHT) -> None:
        """Write down what became of files that were taken."""
        left = (one._asdict() for one in done if one.outcome != "gone")
        gone = [(work, one.path) for one in done if one.outcome == "gone"]
        with self._change():
            self._db.executemany(_KEEP, [{**one, "now": now, "work": work} for one in left])
            self._db.executemany("delete from due_file where work = ? and path = ?", gone)

    def end(self, work: str) -> None:
        """End a round if all was tried: what failed is due again when somebody asks for the next one."""
        with self._change():
            for statement in (_END, _AGAIN):
                self._db.execute(statement, {"work": work, "never": NEVER})

    def free(self, who: str) -> None:
        """Let go of all that somebody has who is no more."""
        text = "update due_file set taken_by = '', taken_until = 0 where taken_by = ?"
        with self._change():
            self._db.execute(text, (who,))

    def takers(self) -> list[str]:
        """Return who has files on lease."""
        rows = self._read("select distinct taken_by from due_file where taken_by <> ''")
        return [who for (who,) in rows]

    def counts(self, *, now: int, clock: int, work: str = NIGHT) -> dict[str, int]:
        """Tell of how many files there are, are due, are taken and failed the last time."""
        asked = {"now": now, "clock": clock, "work": work}
        told = {
            "files": "work = :work",
            "due": _DUE,
            "taken": "work = :work and taken_by <> '' and taken_until > :clock",
            "failing": "work = :work and problem <> ''",
        }
        text = "select count(*) from due_file where "
        return {name: self._read(text + where, asked)[0][0] for name, where in told.items()}

    def failing(self, limit: int) -> list[dict[str, Any]]:
        """Return files whose last night or other work failed, and why."""
        names = ("path", "work", "problem", "failures")
        asked = f"select {', '.join(names)} from due_file where problem <> '' order by path, work limit ?"
        return [dict(zip(names, row, strict=True)) for row in self._read(asked, (limit,))]

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
        try:
            yield
        except sqlite3.Error as error:
            raise DatabaseProblem(
                f"the due list {self.place} cannot be used ({error}): it can be deleted, the next night of the"
                " fleet makes it anew and looks at every file once"
            ) from error


def mark_of(path: str) -> str:
    """Size and time of a file and of its log: others tell that somebody wrote. '' if there is no file."""
    told = ""
    with suppress(OSError):
        for one in (path, f"{path}-wal"):
            found = os.stat(one)
            told += f" {found.st_size} {found.st_mtime_ns}"
    return told.lstrip()
