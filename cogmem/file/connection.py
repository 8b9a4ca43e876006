"""One connection to one SQLite file: opened with care, followed through a fork, read by name.

Two drivers do the same: apsw (its own, fixed SQLite) and Python's sqlite3 (the fallback, and the
proof that the file is plain). One process must never open one file through both: closing one of
them drops the other's locks.
"""

from __future__ import annotations

import os
import time
from _thread import RLock, allocate_lock

from cogmem import errors
from cogmem.errors import CogmemError, Damaged, DatabaseProblem, InvalidInput, Locked
from cogmem.file import sql
from cogmem.file.places import place_of, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from types import ModuleType
    from typing import Any, NoReturn, Self, TypeVar

    _Kept = TypeVar("_Kept")
    Params = Mapping[str, Any]

BUSY_MS = 5_000
LOG = 2_000  # pages before SQLite folds it into the file: a megabyte
LOG_LEFT = 256 << 10  # bytes: a longer log takes more time to read than to fold into the file
MOST_KEPT = 500  # answers, such as those for many users
SHORT = 24  # characters: a word
MOST_STEMMED = 5_000  # words
NEVER = float("inf")
STEPS = 1_000_000  # of SQLite's machine, some ten milliseconds, between two looks at the clock
# The number of the latest change, which is never given again, not even where the change itself was forgotten.
_HISTORY = "select coalesce((select seq from sqlite_sequence where name = 'change'), 0)"
GONE = "{} was moved or replaced while it was open: nothing was stored; close it and open what is there now"


class Connection:
    """What opens, reads, tells errors and closes; `Database` writes too."""

    def __init__(
        self,
        path: str,
        *,
        driver: str = "apsw",
        read_only: bool = False,
        busy_ms: int = BUSY_MS,
    ) -> None:
        if driver not in ("apsw", "sqlite3"):
            raise InvalidInput(f"driver {driver!r} is not known: use 'apsw' or 'sqlite3'")
        # A process may go to another folder, where the same name means another file.
        self.path = path if path == ":memory:" else os.path.abspath(path)
        self.driver = driver
        # Beside a file on media that nothing can write SQLite cannot lay its companions: it is read as it lies.
        self.lies_still = lies_still(self.path)
        self.read_only = read_only or self.lies_still or is_protected(self.path)
        self.busy_ms = busy_ms
        self._sqlite = driver_of(driver)
        self._orphans: list[Any] = []  # connections of parents, never to be closed here
        self._is_open_elsewhere = False
        self.reads_around = True  # text that is damaged; who looks for damage does not
        self.is_laid_out = False  # whether its schema is whole: set by who opens a space
        self.is_alone = False  # where the disk is full: nobody else can open it meanwhile
        self._begin()
        self._connection: Any = self._open()
        self._forks = _forks

    def _begin(self) -> None:
        """Begin what belongs to this process and its connection: a forked child has its own."""
        self._lock = RLock()
        self.ends_at = [NEVER]  # when SQLite breaks off what it does
        self._leaves_log = False  # closing leaves the write-ahead log to the next process
        self._is_reading = False
        self._tokenizers: dict[str, Callable[[str], list[str]]] = {}
        self._stemmed: dict[str, tuple[str, ...]] = {}  # a turn asks for its words again and again
        self._keep_nothing()
        self._rows_of_turns = 0  # written since: nothing that is kept depends on them

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
            self.lies_still = self.read_only = self.is_alone = True
        self._place = place_of(self.path)
        return connection

    def _opened(self, *, alone: bool = False) -> Any:
        connection = self._connect_alone() if alone else self._connect()
        try:
            # A checkpoint of a faulty SQLite can tear the file while others write. The last one to close,
            # which is alone then, folds the log in.
            [(version,)] = connection.execute("select sqlite_version()").fetchall()
            self._folds_log = not has_wal_reset_fault(version)
            for pragma in (
                f"wal_autocheckpoint = {LOG if self._folds_log else 0}",
                "foreign_keys = on",
                "synchronous = normal",  # safe with WAL; a power cut may lose the last writes
                "temp_store = memory",
                "cache_size = -8000",  # KB; what a turn touches in a large file
                *(("query_only = on",) if alone else ()),
            ):
                connection.execute(f"pragma {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> Any:
        connection = self._sqlite.connect(self.path, self.read_only, self.busy_ms, self.lies_still)
        ends_at = self.ends_at  # and not self, which a connection must not keep alive
        connection.set_progress_handler(lambda: time.monotonic() > ends_at[0], STEPS)
        return connection

    def _connect_alone(self) -> Any:
        """Connect where nobody else has it open: the index of the log may lie in memory, and not beside the file."""
        connection = self._sqlite.connect(self.path, False, self.busy_ms)
        connection.execute("pragma locking_mode = exclusive")
        self._sqlite.leave_log(connection)
        return connection

    def _may_be_out_of_room(self, told: CogmemError) -> bool:
        """Tell whether a file could not be opened since its companions found no room: then it can be read still."""
        known = (Locked, errors.ReadOnly, Damaged, errors.ForeignFile)
        if self.lies_still or isinstance(told, known) or not isinstance(told, DatabaseProblem):
            return False
        return size_of(self.path) > 0

    def is_in_place(self) -> bool:
        """Tell whether the file of this name is still the one that was opened. SQLite goes on with the one that it
        has open, though a person moved it or put another in its place: what it writes then is lost with the last
        process that has it open."""
        return self.path == ":memory:" or self._place == place_of(self.path)

    def _must_be_in_place(self) -> None:
        if not self.is_in_place():
            raise DatabaseProblem(GONE.format(self.path))

    def interrupt(self) -> None:
        """Break off what another thread has SQLite do; of a write nothing is stored then."""
        if self._connection is not None:
            self._connection.interrupt()

    def _held(self) -> Any:
        """Return the lock that threads of this process share, for `with`."""
        if self._forks != _forks:
            with _one_opens:
                if self._forks != _forks:
                    self._open_again()
        return self._lock

    def _open_again(self) -> None:
        """After a fork the parent's locks and its log are not ours: leave that connection alone. Its thread lock may
        be held for ever by a thread that does not exist here."""
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
        """The driver's connection, for making, backups and tests; everyone else names statements."""
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
        """Bytes of the write-ahead log: every process that opens the file first reads all of it. SQLite keeps it
        beside the file itself, not beside a link to it."""
        return size_of(f"{os.path.realpath(self.path)}-wal")

    def read(self, name: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """Return all rows of a named statement, as tuples in the order of its columns."""
        return self.ask(sql.statement(name), params)

    def kept(
        self, name: Hashable, make: Callable[[Self], _Kept], *, of_history: bool = False
    ) -> _Kept:
        """Return what `make` reads, read anew only when anybody wrote anything but a turn of this process. With
        of_history it reads memories, links and policy alone, and is read anew when their history grew: what is
        recorded of a talk leaves none."""
        with self._held():
            connection = self.connection
            if not self._is_reading and self._sqlite.in_transaction(connection):
                return make(self)  # what is read now may be rolled back
            # Within one block of reading it stays what it was when the block first asked.
            version = self._read_at[of_history] if self._is_reading else None
            if version is None:
                if of_history:
                    version = self.ask(_HISTORY)[0]
                else:
                    theirs = self.ask("pragma data_version")[0][0]
                    version = theirs, self._sqlite.rows_written(connection) - self._rows_of_turns
                self._read_at[of_history] = version
            kept = self._kept[of_history]
            if self._kept_of[of_history] != version or len(kept) > MOST_KEPT:
                self._kept_of[of_history] = version
                kept = self._kept[of_history] = {}
            if name not in kept:
                kept[name] = make(self)
            found: _Kept = kept[name]
        return found

    def is_so(self, name: str) -> bool:
        """Tell whether a named question is answered by yes, asked anew when `kept` would read anew."""
        rows = self.kept(name, lambda db: db.read(name))
        return bool(rows and rows[0][0])

    def _keep_nothing(self) -> None:
        self._kept: list[dict[Hashable, Any]] = [{}, {}]  # of the whole file, and of its history
        self._kept_of: list[tuple[int, ...]] = [(), ()]  # the versions that it was read from
        # Those that a block of reading sees.
        self._read_at: list[tuple[int, ...] | None] = [None, None]

    def reading(self) -> Reading:
        """Bind a block (`with`): the reads of the block see the file at one instant, and cost less each."""
        return Reading(self)

    def rows(self, name: str, params: Params | None = None) -> list[dict[str, Any]]:
        """Return all rows of a named statement, or of literal SQL, as dictionaries."""
        text = name if " " in name else sql.statement(name)
        with self._held():
            try:
                cursor = self.connection.execute(text, params or {})
                names = self._sqlite.column_names(cursor)
                found = cursor.fetchall()
            except Exception as error:
                if self._looks(error):
                    return self.rows(name, params)
                names, found = self._around(error, text, params)
        return [dict(zip(names, row, strict=True)) for row in found]

    def ask(self, text: str, params: Params | None = None) -> list[tuple[Any, ...]]:
        """Return all rows of literal SQL: for what speaks to SQLite itself, or goes through all tables."""
        with self._lock if self._forks == _forks else self._held():
            try:
                connection = self._connection or self.connection
                found: list[tuple[Any, ...]] = connection.execute(text, params or {}).fetchall()
            except Exception as error:
                if self._looks(error):
                    return self.ask(text, params)
                found = self._around(error, text, params)[1]
        return found

    def _around(
        self, error: Exception, text: str, params: Params | None
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return what a statement reads beside text that is damaged; raises any other error, in our words."""
        told = self._told(error)
        is_text = isinstance(told, Damaged) and told.is_of_text
        if is_text and self.reads_around and not self._is_writing():
            from cogmem.file import damage

            try:
                return damage.around(
                    self.connection.execute, self._sqlite.column_names, text, params or {}
                )
            except Exception:
                pass  # no statement that another may hold, or damage of another kind
        raise told from error

    def _looks(self, error: Exception) -> bool:
        """Tell whether a statement asked for a view that its file is without, and finds it now."""
        if "no such table" not in str(error):
            return False
        from cogmem.file import views

        want = views.wanted(error, self.connection)
        if want == "look":
            self.look()
        return want == "look" or (want == "file" and not self._is_writing() and views.show(self))

    def look(self) -> None:
        """Make the views for people on this connection, where they are not there yet."""
        from cogmem.file import views

        with self._held():
            if self.is_alone:  # what is this connection's alone lies in memory
                self.connection.execute("pragma query_only = off")
            views.look(self.connection)
            if self.is_alone:
                self.connection.execute("pragma query_only = on")

    def _is_writing(self) -> bool:
        """Tell whether this connection sees what no other one can see yet."""
        return not self._is_reading and self._sqlite.in_transaction(self.connection)

    def stems(self, text: str) -> list[str]:
        """Return the words of a text as the search index stems them."""
        if len(text) > SHORT:
            return self._tokens("porter", text)
        found = self._stemmed.get(text)
        if found is None:
            found = tuple(self._tokens("porter", text))
            if len(self._stemmed) < MOST_STEMMED:
                self._stemmed[text] = found
        return [*found]

    def stems_of_each(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the stems of many texts, each by itself."""
        with self._held():
            return list(map(self._tokenizer("porter"), texts))

    def words(self, text: str) -> list[str]:
        """Return the words of a text as the search index splits them, before stemming."""
        return self._tokens("unicode61", text)

    def _tokens(self, how: str, text: str) -> list[str]:
        with self._held():
            return self._tokenizer(how)(text)

    def _tokenizer(self, how: str) -> Callable[[str], list[str]]:
        tokenizer = self._tokenizers.get(how)
        if tokenizer is None:
            tokenizer = self._tokenizers[how] = self._sqlite.tokenizer(self.connection, how)
        return tokenizer

    def _told(self, error: BaseException) -> CogmemError:
        if errors.is_of_trigger(error) and not sql.says(str(error)):
            # Of a stranger's trigger: its words may be anything, an order too.
            return DatabaseProblem(
                f"a trigger that is not cogmem's refused the write: `cogmem doctor` names it ({self.path})"
            )
        return errors.of_driver(error, self.path)

    def _raise(self, error: BaseException) -> NoReturn:
        """Raise an error as it is told, an interrupt as it is."""
        told = self._told(error) if isinstance(error, Exception) else error
        if told is error:
            raise error
        raise told from error

    def _roll_back(self, connection: Any) -> None:
        if connection is not None and self._sqlite.in_transaction(connection):
            connection.execute("rollback")


class Reading:
    """A transaction that only reads; within another transaction it is nothing of its own."""

    def __init__(self, db: Connection) -> None:
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
                db._read_at = [None, None]
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


def lies_still(path: str) -> bool:
    """Tell whether a file lies where nothing can be written, with nothing in a log beside it."""
    folder = os.path.dirname(os.path.realpath(path))
    if path == ":memory:" or not os.path.isfile(path) or os.access(folder, os.W_OK):
        return False
    return size_of(f"{os.path.realpath(path)}-wal") == 0


def is_protected(path: str) -> bool:
    """Tell whether somebody took away the right to write to a file that is there."""
    # In this order: another process may be making it, and what is not there cannot be written either.
    return path != ":memory:" and os.path.isfile(path) and not os.access(path, os.W_OK)


def driver_of(name: str) -> ModuleType:
    """Return what this SQLite does in its own way: both modules have the same functions."""
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
    """Tell whether a SQLite version may corrupt a WAL database when one process checkpoints and another writes."""
    number = tuple(int(part) for part in version.split(".")[:3])
    fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    return number >= (3, 7, 0) and not fixed
