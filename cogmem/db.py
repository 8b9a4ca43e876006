"""One SQLite file, opened with care; reads by name, and atomic writes that leave a history.

`read(name, params)` and `write([(name, params), ...])` are all that the rest of cogmem uses. A write
is one BEGIN IMMEDIATE ... COMMIT: it first fills the row of `context`, which the history triggers
read, and clears it last. Nothing is decided inside it; what was decided before is checked again
with a step "store.still", which aborts the whole write when it does not hold any more.

Two drivers do the same: apsw (its own, fixed SQLite) and Python's sqlite3 (the fallback, and the
proof that the file is plain). One process must never open one file through both: closing one of
them drops the other's locks.
"""

from __future__ import annotations

import _collections_abc
import os
import sys
import time
from _thread import RLock
from itertools import count

from cogmem import sql
from cogmem.errors import (
    CogmemError,
    Conflict,
    Corrupt,
    DatabaseProblem,
    DiskFull,
    ForeignFile,
    InvalidInput,
    Locked,
    ReadOnly,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from typing import Any, TypeVar

    _Kept = TypeVar("_Kept")
    Params = Mapping[str, Any]
    Step = tuple[str, Params | list[tuple[Any, ...]]]  # a list: once for each row of it

APPLICATION_ID = 0x636F676D  # "cogm", in the header of every space
BUSY_MS = 5_000
LOG_LEFT = 256 << 10  # bytes: a longer log takes more time to read than to fold into the file
ATTEMPTS = 4  # a write that still finds the file locked after BUSY_MS tries again, then gives up
MOST_KEPT = 500  # answers, such as those for many users
MANY = 100  # commits of a process that stays: from there on its log may grow
LOG_OF_MANY = 4_000  # pages, 16 MB; SQLite's own 1,000 waits for the disk every forty writes
LAID_OUT = 17 << 20  # bytes of such a log, with what goes beyond before a checkpoint
PIECE = 64 << 10  # bytes; with larger ones each write of a page takes longer
AHEAD = 50  # commits, some 4 MB of such a log, before the disk is asked to begin with them

# SQLite's primary result codes, the same for both drivers.
_BUSY, _LOCKED, _NOMEM, _READONLY, _IOERR, _CORRUPT = 5, 6, 7, 8, 10, 11
_FULL, _CANTOPEN, _TOOBIG, _CONSTRAINT, _NOTADB = 13, 14, 18, 19, 26

_BEGIN_TO_WRITE = 2  # SYNC_FILE_RANGE_WRITE of Linux: waits for nothing


class Written:
    """What one write did: the act that names it in the history, and the rows of each step."""

    __slots__ = ("act", "changed", "rows")

    def __init__(self, act: str, rows: list[list[tuple[Any, ...]]], changed: list[int]) -> None:
        self.act = act
        self.rows = rows
        self.changed = changed


class Database:
    """A connection to one space. Threads may share it; a forked child opens its own."""

    def __init__(
        self, path: str, *, driver: str = "apsw", read_only: bool = False, busy_ms: int = BUSY_MS
    ) -> None:
        if driver not in ("apsw", "sqlite3"):
            raise InvalidInput(f"driver {driver!r} is not known: use 'apsw' or 'sqlite3'")
        self.path = path
        self.driver = driver
        self.read_only = read_only
        self.busy_ms = busy_ms
        self._commits = 0
        self._leaves_log = False  # closing leaves the write-ahead log to the next process
        self._begin()
        self._connection: Any = self._open()

    # -- opening ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        """What belongs to this process and its connection: a forked child has its own."""
        self._forks = _forks
        self._lock = RLock()
        self._together: Together | None = None
        self._is_reading = False
        self._tokenizers: dict[str, Callable[[str], list[str]]] = {}
        self._kept: dict[Hashable, Any] = {}
        self._kept_of = (0, -1)  # the versions of the file that it was read from
        self._rows_of_turns = 0
        self._numbers = _numbers()

    def _open(self) -> Any:
        connection: Any = None
        try:
            connection = (_open_apsw if self.driver == "apsw" else _open_stdlib)(
                self.path, self.read_only, self.busy_ms
            )
            # A checkpoint of a faulty SQLite can tear the file while others write. The last one to close,
            # which is alone then, folds the log in.
            [(version,)] = connection.execute("select sqlite_version()").fetchall()
            self._folds_log = not has_wal_reset_fault(version)
            if not self._folds_log:
                connection.execute("pragma wal_autocheckpoint = 0")
            for pragma in (
                "pragma foreign_keys = on",
                "pragma synchronous = normal",  # safe with WAL; a power cut may lose the last writes
                "pragma temp_store = memory",
                "pragma cache_size = -8000",  # KB; what a turn touches in a large file
            ):
                connection.execute(pragma)
        except Exception as error:
            if connection is not None:
                connection.close()
            raise self._told(error) from error
        return connection

    def _held(self) -> Any:
        """The lock that threads of this process share, for `with`."""
        if self._forks != _forks:
            # After a fork the parent's locks and its WAL are not ours: leave that connection alone.
            # Its thread lock may be held for ever by a thread that does not exist here.
            self._orphan = self._connection
            self._begin()
            if self._connection is not None and self.path != ":memory:":
                self._connection = self._open()
        return self._lock

    @property
    def connection(self) -> Any:
        """The driver's connection, for migrate, backups and tests; everyone else names statements."""
        self._held()
        if self._connection is None:
            raise DatabaseProblem("this memory is closed: open it again with cogmem.open()")
        return self._connection

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        with self._held():
            if self._connection is not None and self._forks == _forks:
                if self.driver == "apsw" and self._leaves_log and self.log_size() < LOG_LEFT:
                    import apsw

                    self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                self._connection.close()
            self._connection = None

    def log_size(self) -> int:
        """Bytes of the write-ahead log: every process that opens the file first reads all of it."""
        try:
            return os.path.getsize(f"{self.path}-wal")
        except OSError:
            return 0

    # -- reading ---------------------------------------------------------------------------------

    def read(self, name: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """All rows of a named statement, as tuples in the order of its columns."""
        return self.ask(sql.statement(name), params)

    def kept(self, name: Hashable, make: Callable[[Database], _Kept]) -> _Kept:
        """What `make` reads, read anew only when anybody wrote anything but a turn of this process."""
        with self._held():
            connection = self.connection
            if not self._is_reading and _in_transaction(connection, self.driver):
                return make(self)  # what is read now may be rolled back
            theirs = connection.execute("pragma data_version").fetchall()[0][0]
            ours = _rows_written(connection, self.driver) - self._rows_of_turns
            if self._kept_of != (theirs, ours) or len(self._kept) > MOST_KEPT:
                self._kept_of = (theirs, ours)
                self._kept = {}
            if name not in self._kept:
                self._kept[name] = make(self)
            found: _Kept = self._kept[name]
        return found

    def reading(self) -> Reading:
        """For `with`: the reads of the block see the file at one instant, and cost less each."""
        return Reading(self)

    def rows(self, name: str, params: Params | None = None) -> list[dict[str, Any]]:
        """All rows of a named statement, as dictionaries."""
        with self._held():
            try:
                cursor = self.connection.execute(sql.statement(name), params or {})
                names = _column_names(cursor, self.driver)
                found = cursor.fetchall()
            except Exception as error:
                raise self._told(error) from error
        return [dict(zip(names, row, strict=True)) for row in found]

    def ask(self, text: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """All rows of literal SQL: for migrate, check and tests."""
        with self._held():
            try:
                connection = self._connection or self.connection
                found: list[tuple[Any, ...]] = connection.execute(text, params or {}).fetchall()
            except Exception as error:
                raise self._told(error) from error
        return found

    def stems(self, text: str) -> list[str]:
        """The words of a text as the search index stems them."""
        return self._tokens("porter", text)

    def stems_of_each(self, texts: Iterable[str]) -> list[list[str]]:
        """The stems of many texts, each by itself."""
        with self._held():
            return list(map(self._tokenizer("porter"), texts))

    def words(self, text: str) -> list[str]:
        """The words of a text as the search index splits them, before stemming."""
        return self._tokens("unicode61", text)

    def _tokens(self, how: str, text: str) -> list[str]:
        with self._held():
            return self._tokenizer(how)(text)

    def _tokenizer(self, how: str) -> Callable[[str], list[str]]:
        tokenizer = self._tokenizers.get(how)
        if tokenizer is None:
            make = _apsw_tokenizer if self.driver == "apsw" else _stdlib_tokenizer
            tokenizer = self._tokenizers[how] = make(self.connection, how)
        return tokenizer

    # -- writing ---------------------------------------------------------------------------------

    def write(
        self,
        steps: Iterable[Step],
        *,
        verb: str,
        actor: str,
        at: int,
        act: str | None = None,
        reason: str = "",
        run: str | None = None,
        undoes: str | None = None,
        patience_ms: int | None = None,
    ) -> Written:
        """Run the steps in one transaction, all or none, and leave their history under one act."""
        name = act or f"act_{self.number():016x}"
        if run is None and self._together is not None:
            run = self._together.run
        opening = (name, verb, actor, reason, run, undoes, at, at)
        named = [(text if " " in text else sql.statement(text), params) for text, params in steps]
        rows: list[list[tuple[Any, ...]]] = []
        changed: list[int] = []

        def body(connection: Any) -> None:
            rows.clear()
            changed.clear()
            connection.execute(_FILL_CONTEXT, opening)
            for text, params in named:
                if isinstance(params, list):
                    cursor = connection.executemany(text, params)
                else:
                    cursor = connection.execute(text, params)
                rows.append(cursor.fetchall())
                changed.append(
                    connection.changes() if self.driver == "apsw" else max(cursor.rowcount, 0)
                )
            connection.execute(_CLEAR_CONTEXT)

        # A turn leaves its ledger row in the log: waiting for the disk would take longer than the
        # turn. Once anything else was written, closing moves it all into the one file.
        is_turn = verb in _LEFT_IN_LOG
        leaves = is_turn and (self._leaves_log or not self._commits)
        with self._held():
            before = _rows_written(self.connection, self.driver)
            self.transact(body, patience_ms)
            if is_turn:
                self._rows_of_turns += _rows_written(self.connection, self.driver) - before
            self._leaves_log = leaves
        return Written(name, rows, changed)

    def number(self) -> int:
        """The next number for a name, of its own in all files and times."""
        self._held()  # a forked child counts from elsewhere
        return next(self._numbers)

    def together(self, *, run: str | None = None, keep: bool = True) -> Together:
        """For `with`: all writes of the block are one transaction, and work for one job run.

        With keep=False it is rolled back at the end, whatever was written: a rehearsal.
        """
        return Together(self, run, keep)

    def transact(self, body: Callable[[Any], None], patience_ms: int | None = None) -> None:
        """BEGIN IMMEDIATE, body, COMMIT; a lock is waited for and retried, any fault rolls back.

        With patience_ms the lock is waited for that long and once: for writes that can be put off.
        """
        attempts = ATTEMPTS if patience_ms is None else 1
        with self._held():
            if self._together is not None:
                self._together.step(body)
                return
            is_many = self._commits and not self._commits % MANY
            lays_out = is_many and self._lets_log_grow(is_patient=patience_ms is None)
            for attempt in range(attempts):
                connection = self.connection
                try:
                    if patience_ms is not None:
                        _wait(connection, self.driver, patience_ms)
                    try:
                        connection.execute("begin immediate")
                    finally:
                        if patience_ms is not None:
                            _wait(connection, self.driver, self.busy_ms)
                except Exception as error:
                    told = self._told(error)
                    if isinstance(told, Locked) and attempt + 1 < attempts:
                        time.sleep(0.01 * (attempt + 1))
                        continue
                    raise told from error
                try:
                    if lays_out:
                        _lay_out(f"{self.path}-wal")
                    body(connection)
                    connection.execute("commit")
                    self._commits += 1
                    self._leaves_log = False
                except BaseException as error:
                    _roll_back(connection, self.driver)
                    if isinstance(error, CogmemError) or not isinstance(error, Exception):
                        raise
                    told = self._told(error)
                    if isinstance(told, Locked) and attempt + 1 < attempts:
                        continue
                    raise told from error
                if self._commits > MANY and not self._commits % AHEAD:
                    _send_ahead(f"{self.path}-wal")
                return

    def _lets_log_grow(self, *, is_patient: bool) -> bool:
        """Make checkpoints come less often, and say whether the log is empty and to be laid out for that."""
        if self.driver != "apsw" or not self._folds_log:
            return False
        self.ask(f"pragma wal_autocheckpoint = {LOG_OF_MANY}")
        try:
            return is_patient and self.log_size() < LAID_OUT and self.fold_log(patience_ms=1)
        except CogmemError:
            return False  # what is wrong with the disk, the write itself will tell

    def fold_log(self, patience_ms: int = 0) -> bool:
        """Move the log into the file; with patience also cut it off, and say whether that was possible.

        Patience keeps every writer waiting while readers go on. A faulty SQLite is only safe when it
        keeps them all away: it has more patience, or does not begin.
        """
        if not patience_ms:
            if self._folds_log:
                self.ask("pragma wal_checkpoint(passive)")
            return False
        patience_ms = patience_ms if self._folds_log else max(patience_ms, self.busy_ms)
        with self._held():
            _wait(self.connection, self.driver, patience_ms)
            try:
                return not self.ask("pragma wal_checkpoint(truncate)")[0][0]
            finally:
                _wait(self.connection, self.driver, self.busy_ms)

    def shrink(self) -> None:
        """After a write of very many rows: let go of what the search indexes keep of it.

        FTS5 never makes the table smaller in which it gathers words, and goes through all of it at each
        later write, which then takes a quarter longer. It is made anew when the schema is read anew.
        """
        if not self.is_writing:
            self.ask("pragma writable_schema = reset")

    @property
    def is_writing(self) -> bool:
        """Whether this thread is within a transaction; that of another thread is waited for."""
        with self._held():
            return bool(self.connection.in_transaction)

    def row(self, table: str, key: str, value: Any) -> dict[str, Any] | None:
        """One whole row, as the history sees it."""
        text = f'select * from "{_plain(table)}" where "{_plain(key)}" = :value'
        with self._held():
            try:
                cursor = self.connection.execute(text, {"value": value})
                names = _column_names(cursor, self.driver)
                found = cursor.fetchall()
            except Exception as error:
                raise self._told(error) from error
        return dict(zip(names, found[0], strict=True)) if found else None

    def restore_row(
        self, table: str, key: str, value: Any, row: Mapping[str, Any] | None, *, present: bool
    ) -> Step:
        """A step that makes a row what it was (None: gone). With `row`, the only place where SQL is
        composed from names: they come from `change` rows and are checked against the table."""
        known = {column[1] for column in self.ask(f'pragma table_xinfo("{_plain(table)}")')}
        # The columns of a crafted file may be called anything; ours are plain words.
        unknown = [name for name in row or () if name not in known or not name.isidentifier()]
        if unknown or key not in known:
            raise InvalidInput(f"table {table} has no column {', '.join(unknown) or key}")
        if row is None:
            return f'delete from "{table}" where "{key}" = :the_key', {"the_key": value}
        if present:
            setting = ", ".join(f'"{name}" = :{name}' for name in row if name != key)
            return f'update "{table}" set {setting} where "{key}" = :the_key', {
                **row,
                "the_key": value,
            }
        columns = ", ".join(f'"{name}"' for name in row)
        values = ", ".join(f":{name}" for name in row)
        return f'insert into "{table}" ({columns}) values ({values})', dict(row)

    # -- telling ---------------------------------------------------------------------------------

    def _told(self, error: BaseException) -> CogmemError:
        """Turn a driver's error into one that says what to do next, without any content."""
        if isinstance(error, CogmemError):
            return error
        code = getattr(error, "result", None)
        if code is None:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        said = str(error)
        where = self.path
        if code in (_BUSY, _LOCKED):
            return Locked(
                f"{where} is locked by another process for over {self.busy_ms} ms: try again"
            )
        if code == _READONLY:
            return ReadOnly(
                f"{where} cannot be written: check the permissions of the file and its folder"
            )
        if code == _FULL:
            return DiskFull(
                f"the disk of {where} is full: nothing of this write was stored; make room"
            )
        if code == _NOTADB:
            return ForeignFile(f"{where} is not a cogmem database: name another file with --db")
        if code == _CORRUPT:
            return Corrupt(
                f"{where} is damaged: run `cogmem doctor`, then `cogmem restore-backup`; "
                "the damaged file is kept"
            )
        if code == _CANTOPEN:
            return DatabaseProblem(
                f"{where} cannot be opened: check that the folder exists and is yours"
            )
        if code == _IOERR:
            return DatabaseProblem(f"reading or writing {where} failed ({said}): check the disk")
        if code == _TOOBIG:
            return InvalidInput("the text is larger than SQLite can hold: shorten it")
        if code == _CONSTRAINT:
            if "what_was_decided_on_still_holds" in said or "update it instead of" in said:
                return Conflict("another process changed this memory meanwhile: read it again")
            if said == "constraint failed":  # ours all have names: a table of FTS5's own is meant
                return DatabaseProblem(
                    f"the search index of {where} is damaged: `cogmem rebuild` remakes it"
                )
            return InvalidInput(f"the write breaks a rule of the schema: {said}")
        if code:
            return DatabaseProblem(f"{where}: {said}")
        if isinstance(error, (OverflowError, UnicodeEncodeError)):
            return InvalidInput(f"a value cannot be stored: {error}")
        return DatabaseProblem(f"{where}: {type(error).__name__}: {said}")


class Reading:
    """A transaction that only reads; within another transaction it is nothing of its own."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._is_outer = False

    def __enter__(self) -> None:
        db = self.db
        db._held().acquire()
        try:
            self._is_outer = not _in_transaction(db.connection, db.driver)
            if self._is_outer:
                db.connection.execute("begin")
                db._is_reading = True
        except BaseException as error:
            db._lock.release()
            raise db._told(error) from error

    def __exit__(self, *_: object) -> None:
        db = self.db
        try:
            if self._is_outer:
                db._is_reading = False
                _roll_back(db.connection, db.driver)  # there is nothing to commit
        finally:
            db._lock.release()


class Together:
    """Several writes in one transaction. Each is a savepoint, so one that fails leaves the others.

    Other threads wait until the block is over. A block within a block is a savepoint too.
    """

    def __init__(self, db: Database, run: str | None, keep: bool) -> None:
        self.db = db
        self.run = run
        self._keep = keep
        self._outer: Together | None = None

    def __enter__(self) -> Together:
        db = self.db
        lock = db._held()
        lock.acquire()
        try:
            self._outer = db._together
            if self._outer is None:
                self._begin()
            else:
                self.run = self.run or self._outer.run
                db.connection.execute("savepoint together")
            db._together = self
        except BaseException:
            lock.release()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        db = self.db
        keep = self._keep and kind is None
        try:
            connection = db.connection
            if self._outer is None:
                if keep:
                    connection.execute("commit")
                    db._commits = db._commits or 1
                else:
                    _roll_back(connection, db.driver)
            elif _in_transaction(connection, db.driver):
                if not keep:
                    connection.execute("rollback to together")
                connection.execute("release together")
        except Exception as error:
            _roll_back(connection, db.driver)
            raise db._told(error) from error
        finally:
            db._together = self._outer
            db._lock.release()

    def _begin(self) -> None:
        for attempt in range(ATTEMPTS):
            try:
                self.db.connection.execute("begin immediate")
                return
            except Exception as error:
                told = self.db._told(error)
                if not isinstance(told, Locked) or attempt + 1 == ATTEMPTS:
                    raise told from error
                time.sleep(0.01 * (attempt + 1))

    def step(self, body: Callable[[Any], None]) -> None:
        """One write of the block."""
        connection = self.db.connection
        connection.execute("savepoint step")
        try:
            body(connection)
        except BaseException as error:
            # A full disk or a broken page has rolled back everything by itself.
            if _in_transaction(connection, self.db.driver):
                connection.execute("rollback to step")
                connection.execute("release step")
            if isinstance(error, CogmemError) or not isinstance(error, Exception):
                raise
            raise self.db._told(error) from error
        connection.execute("release step")


_forks = 0  # how many forks lie between this process and the one that imported this module


def forks() -> int:
    """Changes in a forked child. To ask the system who we are, each time, is a call to the kernel."""
    return _forks


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)

_LEFT_IN_LOG = ("activate", "session")  # what turns write: their ledger, and what they froze
_FILL_CONTEXT = (
    "update context set act = ?, verb = ?, actor = ?, reason = ?, run = ?, undoes = ?, at = ?,"
    " last_at = ? where id = 1"
)
_CLEAR_CONTEXT = (
    "update context set act = null, verb = null, actor = null, reason = null, run = null,"
    " undoes = null, at = null where id = 1"
)


def _lay_out(log_path: str) -> None:
    """Give the log its length, while this process holds the lock for writing.

    Linux keeps in one piece what was written in one. A log that grew page by page takes twice as long
    to bring to the disk, which is a fifth of what a write costs: docs/decisions/0023. Nobody adds to
    the log meanwhile, and what stands behind its last transaction is never read.
    """
    try:
        with open(log_path, "r+b", buffering=0) as log:
            end = log.seek(0, os.SEEK_END)
            try:
                for _ in range(end, LAID_OUT, PIECE):
                    log.write(bytes(PIECE))
            except OSError:  # the disk is full: what is left of it is for what is to be stored
                log.truncate(end)
    except OSError:
        pass  # there is no log of this name


def _send_ahead(log_path: str) -> None:
    """Let the disk begin with what was added to the log, while more is added.

    A checkpoint waits until the log is on the disk, and then finds most of it there: decision 24. This
    is a hint to Linux, no more: SQLite still asks for all of it and is told of every fault.
    """
    if sys.platform != "linux":
        return
    try:
        import ctypes

        begin = ctypes.CDLL(None).sync_file_range
        with open(log_path, "rb", buffering=0) as log:
            whole = ctypes.c_int64(0)
            begin(log.fileno(), whole, whole, _BEGIN_TO_WRITE)
    except (ImportError, AttributeError, OSError):
        pass  # a Python or a C library without it, or no log of this name


def _numbers() -> count[int]:
    """Numbers for names, from a random one on.

    As unique as random ones, but what one process writes stands side by side in the indexes: each
    write would dirty a page of its own there, of which a checkpoint writes every one.
    """
    return count(int.from_bytes(os.urandom(8), "big") >> 1)


def new_uid(prefix: str) -> str:
    """A fresh name: prefix, underscore, 16 hex digits."""
    return f"{prefix}_{os.urandom(8).hex()}"


def _load_apsw() -> Any:
    """apsw without the package collections, which takes longer to load than apsw itself. All that apsw
    wants of it is one class of collections.abc, and that is here: docs/decisions/0021."""
    if "apsw" not in sys.modules and "collections" not in sys.modules:
        sys.modules["collections"] = sys.modules["collections.abc"] = _collections_abc
        try:
            import apsw
        except Exception:  # another version wants more, and gets the whole below
            pass
        finally:
            del sys.modules["collections"], sys.modules["collections.abc"]
    import apsw

    return apsw


def _open_apsw(path: str, read_only: bool, busy_ms: int) -> Any:
    apsw = _load_apsw()
    if read_only:
        flags = apsw.SQLITE_OPEN_READONLY
    else:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(path, flags=flags)
    connection.set_busy_timeout(busy_ms)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    # Otherwise each new value of a parameter may be reason to plan a statement anew, which takes
    # five times as long as to run it.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    # A crafted file must not run functions of ours. The sqlite3 driver leaves this on: up to 3.40
    # SQLite counts json_valid() among the unsafe functions, and our own constraints would fail.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    return connection


def _open_stdlib(path: str, read_only: bool, busy_ms: int) -> Any:
    import sqlite3
    from pathlib import Path

    target = f"{Path(os.path.abspath(path)).as_uri()}?mode={'ro' if read_only else 'rwc'}"
    if path == ":memory:":
        target = ":memory:"
    connection = sqlite3.connect(
        target, uri=True, isolation_level=None, check_same_thread=False, timeout=busy_ms / 1000
    )
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, True)
    return connection


def has_wal_reset_fault(version: str) -> bool:
    """Whether a SQLite version may corrupt a WAL database when one process checkpoints and another writes."""
    number = tuple(int(part) for part in version.split(".")[:3])
    fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    return number >= (3, 7, 0) and not fixed


def _apsw_tokenizer(connection: Any, how: str) -> Callable[[str], list[str]]:
    import apsw

    split = connection.fts5_tokenizer(
        how,
        ["unicode61", "remove_diacritics", "2"] if how == "porter" else ["remove_diacritics", "2"],
    )
    reason = apsw.FTS5_TOKENIZE_DOCUMENT

    def tokens(text: str) -> list[str]:
        found: list[str] = split(
            text.encode("utf-8", "replace"),
            reason,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return found

    return tokens


def _stdlib_tokenizer(_connection: Any, how: str) -> Callable[[str], list[str]]:
    # sqlite3 does not lend its tokenizers, so a private table in memory does the same, more slowly.
    import sqlite3

    scratch = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    prefix = "porter " if how == "porter" else ""
    scratch.execute(
        f"create virtual table word using fts5 (text, tokenize = '{prefix}unicode61 remove_diacritics 2')"
    )
    scratch.execute("create virtual table place using fts5vocab (word, instance)")

    def tokens(text: str) -> list[str]:
        scratch.execute("delete from word")
        scratch.execute("insert into word (text) values (?)", (text,))
        return [row[0] for row in scratch.execute("select term from place order by offset")]

    return tokens


def _column_names(cursor: Any, driver: str) -> list[str]:
    if driver == "sqlite3":
        return [column[0] for column in cursor.description]
    import apsw

    try:
        return [column[0] for column in cursor.get_description()]
    except apsw.ExecutionCompleteError:  # no rows, so nobody will look at the names
        return []


def _rows_written(connection: Any, driver: str) -> int:
    """By this connection since it was opened, whatever wrote them."""
    return int(connection.total_changes() if driver == "apsw" else connection.total_changes)


def _wait(connection: Any, driver: str, ms: int) -> None:
    """How long this connection waits for a lock."""
    if driver == "apsw":
        connection.set_busy_timeout(ms)
    else:
        connection.execute(f"pragma busy_timeout = {int(ms)}")


def _roll_back(connection: Any, driver: str) -> None:
    if _in_transaction(connection, driver):
        connection.execute("rollback")


def _in_transaction(connection: Any, driver: str) -> bool:
    return bool(not connection.get_autocommit() if driver == "apsw" else connection.in_transaction)


def _plain(name: str) -> str:
    if not name.isidentifier():
        raise InvalidInput(f"{name!r} is not the name of a table")
    return name
