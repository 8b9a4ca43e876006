"""One SQLite file, opened with care; reads by name, and atomic writes that leave a history.

`read(name, params)` and `write([(name, params), ...])` are what nearly all of cogmem uses. A write
is one BEGIN IMMEDIATE ... COMMIT: it first fills the row of `context`, which the history triggers
read, and clears it last. Nothing is decided inside it; what was decided before is checked again
with a step "store.still", which aborts the whole write when it does not hold any more.

Two drivers do the same: apsw (its own, fixed SQLite) and Python's sqlite3 (the fallback, and the
proof that the file is plain). One process must never open one file through both: closing one of
them drops the other's locks.
"""

from __future__ import annotations

import os
import time
from _thread import RLock, allocate_lock
from itertools import count

from cogmem import errors
from cogmem.errors import (
    CogmemError,
    Damaged,
    DatabaseProblem,
    ForeignFile,
    GuardRefused,
    InvalidInput,
    Locked,
    ReadOnly,
)
from cogmem.file import sql
from cogmem.guard.glance import may_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from types import ModuleType
    from typing import Any, NoReturn, TypeVar

    _Kept = TypeVar("_Kept")
    Params = Mapping[str, Any]
    Step = tuple[str, Params | list[tuple[Any, ...]]]  # a list: once for each row of it

APPLICATION_ID = 0x636F676D  # "cogm", in the header of every space
BUSY_MS = 5_000
LOG_LEFT = 256 << 10  # bytes: a longer log takes more time to read than to fold into the file
ATTEMPTS = 4  # a write that still finds the file locked after BUSY_MS tries again, then gives up
MOST_KEPT = 500  # answers, such as those for many users
MANY = 100  # commits of a process that stays: from there on its log may grow
LOG_OF_MANY = 4_000  # pages; SQLite's own 1,000 waits for the disk every forty writes
_ALL_TRIGGERS = "select count(*) from sqlite_schema where type = 'trigger'"
GONE = "{} was moved or replaced while it was open: nothing was stored; close it and open what is there now"
AHEAD = 50  # commits, a quarter of such a log, before the disk is asked to begin with them


class Written:
    """What one write did: the act that names it in the history, and for each step the rows that it returned
    and how many it changed (of a step of many rows this is not told)."""

    __slots__ = ("act", "changed", "rows")

    def __init__(self, act: str, rows: list[list[tuple[Any, ...]]], changed: list[int]) -> None:
        self.act = act
        self.rows = rows
        self.changed = changed


class Database:
    """A connection to one space. Threads may share it; a forked child opens its own."""

    is_of_cluster = False  # whether the file is this machine's copy of a cluster

    def __init__(
        self,
        path: str,
        *,
        driver: str = "apsw",
        read_only: bool = False,
        as_it_lies: bool = False,
        busy_ms: int = BUSY_MS,
    ) -> None:
        if driver not in ("apsw", "sqlite3"):
            raise InvalidInput(f"driver {driver!r} is not known: use 'apsw' or 'sqlite3'")
        # A process may go to another folder, where the same name means another file.
        self.path = path if path == ":memory:" else os.path.abspath(path)
        self.driver = driver
        # Beside a file on media that nothing can write SQLite cannot lay its companions: it is read as it lies.
        self.lies_still = as_it_lies or lies_still(self.path)
        self.read_only = read_only or self.lies_still
        self.busy_ms = busy_ms
        self._sqlite = driver_of(driver)
        self._orphans: list[Any] = []  # connections of parents, never to be closed here
        self._is_open_elsewhere = False
        self.reads_around = True  # text that is damaged; who looks for damage does not
        self.is_laid_out = False  # whether its schema is whole: set by who opens a space
        self._begin()
        self._connection: Any = self._open()
        self._forks = _forks

    # -- opening ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        """What belongs to this process and its connection: a forked child has its own."""
        self._lock = RLock()
        self._commits = 0
        self._lets_log_grow = False  # before a checkpoint, beyond SQLite's own measure
        self._leaves_log = False  # closing leaves the write-ahead log to the next process
        self._is_durable = False  # a commit waits until the disk has it
        self._durably = 0  # blocks of `durably` that are open
        self._together: Together | None = None
        self._is_reading = False
        self._schema_looked_at = (
            -1
        )  # version of the schema in which triggers of others were looked for
        self._has_strangers = False
        self._tokenizers: dict[str, Callable[[str], list[str]]] = {}
        self._kept: dict[Hashable, Any] = {}
        self._columns: dict[str, set[str]] = {}  # of tables that rows were restored in
        self._kept_of = (0, -1)  # the versions of the file that it was read from
        self._rows_of_turns = 0
        self._numbers = _numbers()

    def _open(self) -> Any:
        try:
            connection = self._opened()
        except Exception as error:
            told = self._told(error)
            if not self._may_be_out_of_room(told):
                raise told from error
            try:
                connection = self._opened(alone=True)
            except Exception:
                raise told from error
            self.lies_still = self.read_only = True
        self._place = _place_of(self.path)
        return connection

    def _opened(self, *, alone: bool = False) -> Any:
        connection = self._connect_alone() if alone else self._connect()
        try:
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
            if alone:
                connection.execute("pragma query_only = on")
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> Any:
        return self._sqlite.connect(self.path, self.read_only, self.busy_ms, self.lies_still)

    def _connect_alone(self) -> Any:
        """Where nobody else has it open the index of the log may lie in memory, and not beside the file."""
        connection = self._sqlite.connect(self.path, False, self.busy_ms)
        connection.execute("pragma locking_mode = exclusive")
        self._sqlite.leave_log(connection)
        return connection

    def _may_be_out_of_room(self, told: CogmemError) -> bool:
        """Whether a file could not be opened since its companions found no room: then it can be read still."""
        if self.lies_still or isinstance(told, (Locked, ReadOnly, Damaged, ForeignFile)):
            return False
        if not isinstance(told, DatabaseProblem):
            return False
        try:
            return os.path.getsize(self.path) > 0
        except OSError:
            return False

    def is_in_place(self) -> bool:
        """Whether the file of this name is still the one that was opened.

        SQLite goes on with the one that it has open, though a person moved it or put another in its place:
        what it writes then is lost with the last process that has it open.
        """
        return self.path == ":memory:" or self._place == _place_of(self.path)

    def _must_be_in_place(self) -> None:
        if not self.is_in_place():
            raise DatabaseProblem(GONE.format(self.path))

    def interrupt(self) -> None:
        """Break off what another thread has SQLite do; of a write nothing is stored then."""
        if self._connection is not None:
            self._connection.interrupt()

    def _held(self) -> Any:
        """The lock that threads of this process share, for `with`."""
        if self._forks != _forks:
            with _one_opens:
                if self._forks != _forks:
                    self._open_again()
        return self._lock

    def _open_again(self) -> None:
        """After a fork the parent's locks and its log are not ours: leave that connection alone.

        Its thread lock may be held for ever by a thread that does not exist here.
        """
        if self._connection is not None and self.path != ":memory:":
            self._orphans.append(self._connection)
            self._connection = None
            self._is_open_elsewhere = True
        self._begin()
        if self._is_open_elsewhere:
            self._connection = self._open()
            self._is_open_elsewhere = False
        self._forks = _forks  # last: another thread waits for it

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
                if self._leaves_log and self.log_size() < LOG_LEFT:
                    self._sqlite.leave_log(self._connection)
                connection, self._connection = self._connection, None
                try:
                    connection.close()
                except Exception as error:
                    raise self._told(error) from error
            self._connection = None

    def log_size(self) -> int:
        """Bytes of the write-ahead log: every process that opens the file first reads all of it."""
        try:
            return os.path.getsize(self._log)
        except OSError:
            return 0

    @property
    def _log(self) -> str:
        """Where SQLite keeps it: beside the file itself, not beside a link to it. Memory has none."""
        return "" if self.path == ":memory:" else f"{os.path.realpath(self.path)}-wal"

    # -- reading ---------------------------------------------------------------------------------

    def read(self, name: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """All rows of a named statement, as tuples in the order of its columns."""
        return self.ask(sql.statement(name), params)

    def kept(self, name: Hashable, make: Callable[[Database], _Kept]) -> _Kept:
        """What `make` reads, read anew only when anybody wrote anything but a turn of this process."""
        with self._held():
            connection = self.connection
            if not self._is_reading and self._sqlite.in_transaction(connection):
                return make(self)  # what is read now may be rolled back
            theirs = self.ask("pragma data_version")[0][0]
            ours = self._sqlite.rows_written(connection) - self._rows_of_turns
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
                names = self._sqlite.column_names(cursor)
                found = cursor.fetchall()
            except Exception as error:
                names, found = self._around(error, sql.statement(name), params)
        return [dict(zip(names, row, strict=True)) for row in found]

    def ask(self, text: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """All rows of literal SQL: for what speaks to SQLite itself, or goes through all tables."""
        with self._held():
            try:
                connection = self._connection or self.connection
                found: list[tuple[Any, ...]] = connection.execute(text, params or {}).fetchall()
            except Exception as error:
                found = self._around(error, text, params)[1]
        return found

    def _around(
        self, error: Exception, text: str, params: Params | None
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """What a statement reads beside text that is damaged; raises any other error, in our words."""
        told = self._told(error)
        is_text = isinstance(told, Damaged) and told.is_of_text
        if is_text and self.reads_around and self.path != ":memory:" and not self._is_writing():
            from cogmem.file import damaged_text

            found = damaged_text.rows(self.path, text, params or {})
            if found is not None:
                return found
        raise told from error

    def _is_writing(self) -> bool:
        """Whether this connection sees what no other one can see yet."""
        return not self._is_reading and self._sqlite.in_transaction(self.connection)

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
            tokenizer = self._tokenizers[how] = self._sqlite.tokenizer(self.connection, how)
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
        is_screened: bool = False,
    ) -> Written:
        """Run the steps in one transaction, all or none, and leave their history under one act.

        With is_screened the caller has looked for secrets in names as well as in texts.
        """
        name = act or f"act_{self.number():016x}"
        steps = list(steps)
        if not is_screened:
            _refuse_secrets(steps, reason, actor)
        named = [(text if " " in text else sql.statement(text), params) for text, params in steps]
        rows: list[list[tuple[Any, ...]]] = []
        changed: list[int] = []

        def body(connection: Any) -> None:
            rows.clear()
            changed.clear()
            # The first statement that sets `at` compiles what dates a memory, with all its history
            # triggers. The tables of turns have no history, so a turn need not pay for that.
            tells = not is_turn or bool(connection.execute(_IS_UNDATED).fetchall()[0][0])
            if tells:
                if connection.execute(_HAS_UNNAMED).fetchall()[0][0]:
                    from cogmem.file.unnamed import name_all

                    name_all(connection, self.number)
                who = (name, verb, actor, reason, work, undoes, at, at, at)
                connection.execute(_FILL_CONTEXT, who)
            else:
                connection.execute(_NOTE_INSTANT, (at,))
            for text, params in named:
                if isinstance(params, list):
                    cursor = connection.executemany(text, params)
                else:
                    cursor = connection.execute(text, params)
                rows.append(cursor.fetchall())
                many = isinstance(params, list)
                changed.append(0 if many else self._sqlite.rows_changed(connection, cursor))
            if tells:
                connection.execute(_CLEAR_CONTEXT)

        # A turn leaves its ledger row in the log: waiting for the disk would take longer than the
        # turn. Once anything else was written, closing moves it all into the one file.
        is_turn = verb in _LEFT_IN_LOG
        with self._held():
            block = self._together
            work = block.run if run is None and block is not None else run
            leaves = is_turn and block is None and (self._leaves_log or not self._commits)
            before = self._sqlite.rows_written(self.connection)
            self.transact(body, patience_ms, can_be_lost=is_turn)
            if is_turn:
                self._rows_of_turns += self._sqlite.rows_written(self.connection) - before
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

    def durably(self) -> Durably:
        """For `with`: a write of the block returns when the disk has it, whatever the setting says."""
        return Durably(self)

    def _wait_for_disk(self, connection: Any, *, can_be_lost: bool = False) -> None:
        """Before a transaction: whether its commit waits for the disk, as the block or the setting `durable` says."""
        wanted = bool(self._durably) or (not can_be_lost and self.kept("durable", _durable))
        if wanted != self._is_durable:
            connection.execute(f"pragma synchronous = {'full' if wanted else 'normal'}")
            self._is_durable = wanted

    def transact(
        self,
        body: Callable[[Any], None],
        patience_ms: int | None = None,
        *,
        can_be_lost: bool = False,
    ) -> None:
        """BEGIN IMMEDIATE, body, COMMIT; a lock is waited for and retried, any fault rolls back.

        With patience_ms the lock is waited for that long and once: for writes that can be put off.
        """
        with self._held():
            if self._together is not None:
                self._together.step(body)
                return
            is_many = self._commits and not self._commits % MANY
            lays_out = is_many and self._let_log_grow(is_patient=patience_ms is None)

            def once() -> None:
                connection = self.connection
                if self._sqlite.in_transaction(
                    connection
                ):  # that of a reader: not ours to roll back
                    raise DatabaseProblem("write() within reading(): read first, then write")
                self._must_be_in_place()
                self._wait_for_disk(connection, can_be_lost=can_be_lost)
                try:
                    self._begin_to_write(connection, patience_ms)
                    if lays_out:
                        from cogmem.file.wal import lay_out

                        lay_out(self._log)
                    resting = self._rest(connection)
                    body(connection)
                    self._wake(connection, resting)
                    connection.execute("commit")
                except BaseException:
                    self._roll_back(connection)
                    raise

            self._until_free(once, ATTEMPTS if patience_ms is None else 1)
            self._commits += 1
            self._leaves_log = False
            if self._lets_log_grow and not self._commits % AHEAD:
                from cogmem.file.wal import send_ahead

                send_ahead(self._log)

    def _rest(self, connection: Any) -> list[str]:
        """Let triggers that are not cogmem's rest until the transaction ends: `strangers`."""
        if not self.is_laid_out:
            return []
        [(version,)] = connection.execute("pragma schema_version").fetchall()
        if version != self._schema_looked_at:
            [(there,)] = connection.execute(_ALL_TRIGGERS).fetchall()
            self._schema_looked_at, self._has_strangers = version, there != sql.own_triggers()
        if not self._has_strangers:
            return []
        from cogmem.file.strangers import rest

        return rest(connection, self.path)

    def _wake(self, connection: Any, resting: list[str]) -> None:
        if resting:
            from cogmem.file.strangers import wake

            wake(connection, resting)

    def is_free(self, patience_ms: int) -> bool:
        """Whether a write could begin within that time: for those who would rather do without."""
        if self.lies_still:
            return False
        with self._held():
            try:
                self._begin_to_write(self.connection, patience_ms)
            except Exception as error:
                if isinstance(self._told(error), Locked):
                    return False
                raise self._told(error) from error
            self._roll_back(self.connection)
            return True

    def _begin_to_write(self, connection: Any, patience_ms: int | None) -> None:
        if patience_ms is None:
            connection.execute("begin immediate")
            return
        self._sqlite.wait(connection, patience_ms)
        try:
            connection.execute("begin immediate")
        finally:
            self._sqlite.wait(connection, self.busy_ms)

    def _until_free(self, do: Callable[[], None], attempts: int) -> None:
        """Do it; while another process keeps the file locked, do it again, so many times in all."""
        for attempt in range(1, attempts + 1):
            try:
                do()
                return
            except CogmemError:
                raise
            except Exception as error:
                told = self._told(error)
                if not isinstance(told, Locked) or attempt == attempts:
                    raise told from error
                time.sleep(0.01 * attempt)

    def _let_log_grow(self, *, is_patient: bool) -> bool:
        """Make checkpoints come less often, and say whether the log is empty and to be laid out for that."""
        if self.driver != "apsw" or not self._folds_log:
            return False
        from cogmem.file.wal import LAID_OUT

        self.ask(f"pragma wal_autocheckpoint = {LOG_OF_MANY}")
        self._lets_log_grow = True
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
            self._sqlite.wait(self.connection, patience_ms)
            try:
                return not self.ask("pragma wal_checkpoint(truncate)")[0][0]
            finally:
                self._sqlite.wait(self.connection, self.busy_ms)

    def shrink(self) -> None:
        """After a write of very many rows: let go of what the search indexes keep of it.

        FTS5 never makes the table smaller in which it gathers words, and goes through all of it at each
        later write, which then takes a quarter longer. It is made anew when the schema is read anew.
        """
        if not self.is_writing:
            self.ask("pragma writable_schema = reset")

    def write_anew(self) -> None:
        """Write the file without its free pages: once, since all of it goes through the log."""
        try:
            self.ask("pragma temp_store = file")  # the copy may be larger than the machine's memory
            self.ask("vacuum")
        finally:
            self.ask("pragma temp_store = memory")

    def make_plain(self, copy: str) -> None:
        """Make a memory of its own of a file that was copied from this one."""

    def kept_elsewhere(self) -> list[str]:
        """Where the engine keeps what was written, beside the file: for the receipt of `forget`."""
        return []

    @property
    def has_written(self) -> bool:
        """Whether this process wrote anything beside the ledger of its turns."""
        is_open = self._connection is not None and self._forks == _forks
        return bool(is_open and self._commits and not self._leaves_log and not self.read_only)

    @property
    def is_writing(self) -> bool:
        """Whether this thread is within a transaction; that of another thread is waited for."""
        with self._held():
            return bool(self._sqlite.in_transaction(self.connection))

    def row(self, table: str, key: str, value: Any) -> dict[str, Any] | None:
        """One whole row, as the history sees it."""
        text = f'select * from "{_plain(table)}" where "{_plain(key)}" = :value'
        with self._held():
            try:
                cursor = self.connection.execute(text, {"value": value})
                names = self._sqlite.column_names(cursor)
                found = cursor.fetchall()
            except Exception as error:
                raise self._told(error) from error
        return dict(zip(names, found[0], strict=True)) if found else None

    def restore_row(
        self, table: str, key: str, value: Any, row: Mapping[str, Any] | None, *, present: bool
    ) -> Step:
        """A step that makes a row what it was (None: gone). With `row`, the only place where SQL is
        composed from names: they come from `change` rows and are checked against the table."""
        known = self._columns.get(table)
        if known is None:
            found = self.ask(f'pragma table_xinfo("{_plain(table)}")')
            known = self._columns[table] = {column[1] for column in found}
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
        if errors.is_of_trigger(error) and not sql.says(str(error)):
            # Of a stranger's trigger: its words may be anything, an order too.
            return DatabaseProblem(
                f"a trigger that is not cogmem's refused the write: `cogmem doctor` names it ({self.path})"
            )
        return errors.of_driver(error, self.path, self.busy_ms)

    def _raise(self, error: BaseException) -> NoReturn:
        """An error as it is told; an interrupt as it is."""
        told = self._told(error) if isinstance(error, Exception) else error
        if told is error:
            raise error
        raise told from error

    def _roll_back(self, connection: Any) -> None:
        if connection is not None and self._sqlite.in_transaction(connection):
            connection.execute("rollback")


class Reading:
    """A transaction that only reads; within another transaction it is nothing of its own."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._connection: Any = None  # that of the outermost block, which began

    def __enter__(self) -> None:
        db = self.db
        self._lock = db._held()
        self._lock.acquire()
        self._forks = _forks
        try:
            connection = db.connection
            if not db._sqlite.in_transaction(connection):
                self._connection = connection
                connection.execute("begin")
                db._is_reading = True
        except BaseException as error:
            self._end()
            db._raise(error)

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        db = self.db
        try:
            began = self._connection is not None
            # Closed, or of the parent of this process: there is no transaction of ours any more.
            if began and self._connection is db._connection and self._forks == _forks:
                db._is_reading = False
                db._roll_back(self._connection)  # there is nothing to commit
        finally:
            self._lock.release()


class Durably:
    """Writes that return when the disk has them."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def __enter__(self) -> Durably:
        lock = self.db._held()
        lock.acquire()
        if self.db._together is not None:
            lock.release()
            raise InvalidInput(
                "durable is for a write of its own: within a block of writes set it for the whole (`cogmem setting"
                " set durable 1`)"
            )
        self.db._durably += 1
        self._lock = lock
        return self

    def __exit__(self, *_: object) -> None:
        self.db._durably = max(0, self.db._durably - 1)
        self._lock.release()


def _durable(db: Database) -> bool:
    """What the setting says; a file without it is about to be made or upgraded."""
    try:
        return db.ask("select value from setting where name = 'durable'") == [("1",)]
    except DatabaseProblem:
        return False


class Together:
    """Several writes in one transaction. Each is a savepoint, so one that fails leaves the others.

    Other threads wait until the block is over. A block within a block is a savepoint too.
    """

    def __init__(self, db: Database, run: str | None, keep: bool) -> None:
        self.db = db
        self.run = run
        self._keep = keep
        self._outer: Together | None = None
        self._resting: list[str] = []

    def __enter__(self) -> Together:
        db = self.db
        self._lock = db._held()
        self._lock.acquire()
        self._forks = _forks
        try:
            self._connection = db.connection
            self._outer = db._together
            if self._outer is None:
                db._must_be_in_place()
                db._wait_for_disk(self._connection)
                db._until_free(lambda: db._begin_to_write(self._connection, None), ATTEMPTS)
                self._resting = db._rest(self._connection)
            else:
                self.run = self.run or self._outer.run
                self._outer.must_stand()
                self._connection.execute("savepoint together")
            db._together = self
        except BaseException as error:
            try:
                if self._outer is None:
                    db._roll_back(db._connection)
            finally:
                self._lock.release()
            db._raise(error)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        db = self.db
        try:
            if self._forks != _forks:
                return  # it is for the parent of this process to end
            if self._connection is not db._connection:
                raise DatabaseProblem("closed within a block of writes: nothing of it is stored")
            db._together = self._outer
            if self._outer is None:
                self._end(kind is None)
            elif db._sqlite.in_transaction(self._connection):
                if kind is not None or not self._keep:
                    self._connection.execute("rollback to together")
                self._connection.execute("release together")
        except BaseException as error:
            if self._connection is db._connection:
                db._roll_back(self._connection)
            db._raise(error)
        finally:
            self._lock.release()

    def _end(self, is_whole: bool) -> None:
        if self._keep and is_whole:
            self.must_stand()
            self.db._wake(self._connection, self._resting)
            self._connection.execute("commit")
            self.db._commits = self.db._commits or 1
            self.db._leaves_log = False
        else:
            self.db._roll_back(self._connection)

    def must_stand(self) -> None:
        """A full disk or a broken page rolls back all of a transaction; what follows would be another one."""
        if not self.db._sqlite.in_transaction(self._connection):
            raise DatabaseProblem(
                f"the disk of {self.db.path} failed within a block of writes: nothing of it is stored"
            )

    def step(self, body: Callable[[Any], None]) -> None:
        """One write of the block."""
        self.must_stand()
        connection = self._connection
        connection.execute("savepoint step")
        try:
            body(connection)
        except BaseException as error:
            if self.db._sqlite.in_transaction(connection):
                connection.execute("rollback to step")
                connection.execute("release step")
            self.db._raise(error)
        connection.execute("release step")


_forks = 0  # how many forks lie between this process and the one that imported this module
_one_opens = allocate_lock()  # the first thread of a forked child that comes opens its connection


def forks() -> int:
    """Changes in a forked child. To ask the system who we are, each time, is a call to the kernel."""
    return _forks


def _count_fork() -> None:
    global _forks, _one_opens
    _forks += 1
    _one_opens = allocate_lock()  # another thread of the parent may have held it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)

_LEFT_IN_LOG = ("activate", "session")  # what turns write: their ledger, and what they froze
_FILL_CONTEXT = (
    "update context set act = ?, verb = ?, actor = ?, reason = ?, run = ?, undoes = ?, acted_at = ?,"
    " last_at = ?, clock = max(clock + 1, ? << 16) where id = 1"
)
_NOTE_INSTANT = "update context set last_at = ? where id = 1"
_IS_UNDATED = "select exists (select 1 from undated)"
_HAS_UNNAMED = "select exists (select 1 from change where act is null)"
_CLEAR_CONTEXT = (
    "update context set act = null, verb = null, actor = null, reason = null, run = null,"
    " undoes = null, acted_at = null, origin = null where id = 1"
)


# Parameters that name something, in whatever statement. What a text says its stage has guarded, by the policy of
# who said it; names have no policy: one that holds a secret is refused, whatever the door it came through.
_NAMES = frozenset(
    "runtime user project session reason actor name turn path path_glob label root remote origin host speaker"
    " conversation key title model purpose subject ref role tool file folder vocabulary archive_reason value meaning"
    " pattern example counter_example heading anchor asks label language relation expand_hint".split()
)


def _refuse_secrets(steps: list[Step], *names: str) -> None:
    for _, params in steps:
        if not isinstance(params, list):
            for name in _NAMES.intersection(params):
                value = params[name]
                if value.__class__ is str and may_name(value):
                    refuse_secret(name, value)
    for value in names:
        if value and may_name(value):
            refuse_secret("reason", value)


def refuse_secret(name: str, value: str) -> None:
    """Refuse a name that the guard takes for a secret, before anything is stored."""
    from cogmem.guard import guard

    if any(finding.kind == "secret" for finding in guard.inspect(value, with_orders=False)):
        raise GuardRefused(
            f"the {name.replace('_', ' ')} holds a secret: take it out; nothing was stored"
        )


def _place_of(path: str) -> tuple[int, int] | None:
    """Which file a name means; none, if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lies_still(path: str) -> bool:
    """Whether a file lies where nothing can be written, with nothing in a log beside it."""
    folder = os.path.dirname(os.path.realpath(path))
    if path == ":memory:" or os.access(folder, os.W_OK) or not os.path.isfile(path):
        return False
    try:
        return os.path.getsize(f"{os.path.realpath(path)}-wal") == 0
    except OSError:
        return True


def _numbers() -> count[int]:
    """Numbers for names, from a random one on.

    As unique as random ones, but what one process writes stands side by side in the indexes: each
    write would dirty a page of its own there, of which a checkpoint writes every one.
    """
    return count(int.from_bytes(os.urandom(8), "big") >> 1)


def driver_of(name: str) -> ModuleType:
    """What this SQLite does in its own way: both modules have the same functions."""
    if name == "sqlite3":
        from cogmem.file import driver_sqlite3

        return driver_sqlite3
    try:
        from cogmem.file import driver_apsw
    except ImportError as error:
        raise DatabaseProblem(
            f"apsw cannot be loaded ({error}): install it with `pip install apsw`, or open the memory"
            " with driver='sqlite3'"
        ) from error
    return driver_apsw


def has_wal_reset_fault(version: str) -> bool:
    """Whether a SQLite version may corrupt a WAL database when one process checkpoints and another writes."""
    number = tuple(int(part) for part in version.split(".")[:3])
    fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    return number >= (3, 7, 0) and not fixed


def _plain(name: str) -> str:
    if not name.isidentifier():
        raise InvalidInput(f"{name!r} is not the name of a table")
    return name
