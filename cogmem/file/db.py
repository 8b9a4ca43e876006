"""One SQLite file that is read and written: reads by name, and atomic writes that leave a history.

`read(name, params)` and `write([(name, params), ...])` are what nearly all of cogmem uses. A write is one BEGIN
IMMEDIATE ... COMMIT: it first fills the row of `context`, which the history triggers read, and clears it last.
Nothing is decided inside it; what was decided before is checked again with a step "store.still", which aborts the
whole write.
"""

from __future__ import annotations

import os
import time
from itertools import count

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput, Locked
from cogmem.file import sql
from cogmem.file.connection import NEVER, Connection, forks
from cogmem.guard.glance import refuse_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from cogmem.file.connection import Params

    Step = tuple[str, Params | list[tuple[Any, ...]]]  # a list: once for each row of it

APPLICATION_ID = 0x636F676D  # "cogm", in the header of every space
ATTEMPTS = 4  # a write that still finds the file locked after BUSY_MS tries again, then gives up
MANY = 100  # commits of a process that stays: from there on its log may grow
LOG_OF_MANY = 8_000  # pages; with fewer a write waits for the disk too often
LONGEST_S = 60  # of one statement of a write: only a trigger that never ends takes so long
LONGEST_OF_WORK_S = 3_600  # of one that goes through all rows
ENDLESS = (
    "the write took too long and was broken off, and nothing was stored: a trigger of the file may never end;"
    " `cogmem file check` names one that was changed, `cogmem file rebuild` remakes it"
)
# Writes whose one statement may go through all rows of a large table.
_GOES_THROUGH_ALL = ("archive", "forget", "import", "move", "nightly", "repair", "restore", "sync")
_LEFT_IN_LOG = ("activate", "session")  # what turns write: their ledger, and what they froze
_FILL_CONTEXT = (
    "update context set act = ?, verb = ?, actor = ?, reason = ?, run = ?, undoes = ?, acted_at = ?,"
    " last_at = ?, clock = max(clock + 1, ? << 16) where id = 1"
)
_IF_ALL_ARE_NAMED = " and not exists (select 1 from change where act is null)"
_NOTE_INSTANT = "update context set last_at = ? where id = 1"
_IS_UNDATED = "select exists (select 1 from undated)"
_CLEAR_CONTEXT = (
    "update context set act = null, verb = null, actor = null, reason = null, run = null,"
    " undoes = null, acted_at = null, origin = null where id = 1"
)
# A file may be without the views for people, and no write of cogmem's goes through them.
_TRIGGERS = (
    "select count(*) from sqlite_schema where type = 'trigger' and (tbl_name = 'inside_record'"
    " or tbl_name in (select name from sqlite_schema where type = 'table'))"
)


class Written:
    """What one write did: the act that names it in the history, and for each step the rows that it returned
    and how many it changed (of a step of many rows this is not told)."""

    __slots__ = ("act", "changed", "rows")

    def __init__(self, act: str) -> None:
        self.act = act
        self.rows: list[list[tuple[Any, ...]]] = []
        self.changed: list[int] = []


class Database(Connection):
    """A connection to one space. Threads may share it; a forked child opens its own."""

    is_of_cluster = False  # whether the file is this machine's copy of a cluster
    actor = "library"  # who is recorded as the one who changes something

    def _begin(self) -> None:
        super()._begin()
        self._commits = 0
        self._is_durable = False  # a commit waits until the disk has it
        self._durably = 0  # blocks of `durably` that are open
        self._together: Together | None = None
        # Version of the schema in which triggers of others were looked for.
        self._schema_looked_at = -1
        self._has_strangers = False
        self._columns: dict[str, set[str]] = {}  # of tables that rows were restored in
        # Numbers for names, from a random one on: as unique as random ones, but what one process writes stands side
        # by side in the indexes. Each write would dirty a page of its own there, and a checkpoint writes every one.
        self._numbers = count(int.from_bytes(os.urandom(8), "big") >> 1)

    def write(
        self,
        steps: Iterable[Step],
        *,
        verb: str,
        at: int,
        actor: str = "",
        act: str | None = None,
        reason: str = "",
        run: str | None = None,
        undoes: str | None = None,
        patience_ms: int | None = None,
        is_screened: bool = False,
        known: Iterable[str] = (),
    ) -> Written:
        """Run the steps in one transaction, all or none, and leave their history under one act. An `actor` is named
        where it is not who opened the file. With is_screened the caller has looked for secrets in names as well as in
        texts; names that are `known` stand in the file already.
        """
        actor = actor or self.actor
        written = Written(act or f"act_{self.number():016x}")
        steps = list(steps)
        if not isinstance(reason, str):
            raise InvalidInput(f"a reason is text, not {type(reason).__name__}")
        if not is_screened:
            refuse_secrets(steps, reason, actor, known=known)
        named = [(text if " " in text else sql.statement(text), params) for text, params in steps]
        is_turn = verb in _LEFT_IN_LOG
        with self._held():
            block = self._together
            if run is None and block is not None:
                run = block.run
            longest = LONGEST_OF_WORK_S if run or verb in _GOES_THROUGH_ALL else LONGEST_S
            who = (written.act, verb, actor, reason, run, undoes, at, at, at)

            def body(connection: Any) -> None:
                tells = self._tell_who(connection, who, is_turn=is_turn)
                self._run(connection, named, written, longest)
                if tells:
                    connection.execute(_CLEAR_CONTEXT)

            # A turn leaves its ledger row in the log: waiting for the disk would take longer than the
            # turn. Once anything else was written, closing moves it all into the one file.
            leaves = is_turn and block is None and (self._leaves_log or not self._commits)
            before = self._sqlite.rows_written(self.connection)
            try:
                self.transact(body, patience_ms, can_be_lost=is_turn)
            except DatabaseProblem as error:
                if time.monotonic() > self.ends_at[0]:
                    raise DatabaseProblem(ENDLESS) from error
                raise
            finally:
                self.ends_at[0] = NEVER
            if is_turn:
                self._rows_of_turns += self._sqlite.rows_written(self.connection) - before
            self._leaves_log = leaves
        return written

    def _tell_who(self, connection: Any, who: tuple[Any, ...], *, is_turn: bool) -> bool:
        """Fill the row of `context` for the history triggers; a turn mostly notes its instant alone. The first
        statement that sets `at` compiles what dates a memory, with all its history triggers. The tables of turns have
        no history, so a turn need not pay for that."""
        if is_turn and not connection.execute(_IS_UNDATED).fetchall()[0][0]:
            connection.execute(_NOTE_INSTANT, who[-1:])
            return False
        cursor = connection.execute(_FILL_CONTEXT + _IF_ALL_ARE_NAMED, who)
        if not self._sqlite.rows_changed(connection, cursor):
            self.name_acts_of_others(connection)
            connection.execute(_FILL_CONTEXT, who)
        return True

    def _run(self, connection: Any, steps: list[Step], written: Written, longest: float) -> None:
        written.rows.clear()
        written.changed.clear()
        for text, params in steps:
            if isinstance(params, list):
                self.ends_at[0] = time.monotonic() + LONGEST_OF_WORK_S
                written.rows.append(connection.executemany(text, params).fetchall())
                written.changed.append(0)
            else:
                self.ends_at[0] = time.monotonic() + longest
                cursor = connection.execute(text, params)
                written.rows.append(cursor.fetchall())
                written.changed.append(self._sqlite.rows_changed(connection, cursor))

    def name_acts_of_others(self, connection: Any) -> None:
        """Name every change that has no act, within the transaction that is open. A client that knows nothing of acts
        leaves such changes. They get an act, and a place in the order of all acts, before cogmem adds its own: so
        they can be told apart, exchanged with other files and taken back."""
        act, before = "", (0, None, "", "")
        for change in connection.execute(sql.statement("db.changes")).fetchall():
            # A memory and the row of its layer come and go together, under two numbers.
            comes_with = (
                change[0] == before[0] + 1
                and change[1] is not None
                and change[1:3] == before[1:3]
                and change[2] != "update"
                and "link" not in (change[3], before[3])
            )
            if not comes_with:
                act = f"act_{self.number():016x}"
                connection.execute(sql.statement("db.tick"))
            named = {"act": act, "id": change[0]}
            connection.execute(sql.statement("db.name"), named)
            before = change

    def number(self) -> int:
        """Return the next number for a name, of its own in all files and times."""
        self._held()  # a forked child counts from elsewhere
        return next(self._numbers)

    def together(self, *, run: str | None = None, keep: bool = True) -> Together:
        """Bind a block (`with`): all writes of the block are one transaction, and work for one job run. With
        keep=False it is rolled back at the end, whatever was written: a rehearsal."""
        return Together(self, run, keep)

    def durably(self) -> Durably:
        """Bind a block (`with`): a write of the block returns when the disk has it, whatever the setting says."""
        return Durably(self)

    def _wait_for_disk(self, connection: Any, *, can_be_lost: bool = False) -> None:
        """Before a transaction: whether its commit waits for the disk, as the block or the setting `durable` says."""
        wanted = bool(self._durably) or (not can_be_lost and self._is_set_durable())
        if wanted != self._is_durable:
            connection.execute(f"pragma synchronous = {'full' if wanted else 'normal'}")
            self._is_durable = wanted

    def _is_set_durable(self) -> bool:
        """Return what the setting says; a file without it is about to be made."""
        try:
            return self.ask("select value from setting where name = 'durable'") == [("1",)]
        except DatabaseProblem:
            return False

    def transact(
        self,
        body: Callable[[Any], None],
        patience_ms: int | None = None,
        *,
        can_be_lost: bool = False,
    ) -> None:
        """BEGIN IMMEDIATE, body, COMMIT; a lock is waited for and retried, any fault rolls back. With patience_ms the
        lock is waited for that long and once: for writes that can be put off."""
        with self._held():
            if self._together is not None:
                self._together.step(body)
                return

            def once() -> None:
                connection = self.connection
                if self._sqlite.in_transaction(connection):  # of a reader: not ours to roll back
                    raise DatabaseProblem("write() within reading(): read first, then write")
                self._must_be_in_place()
                self._wait_for_disk(connection, can_be_lost=can_be_lost)
                try:
                    self._begin_to_write(connection, patience_ms)
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
            if self._commits == MANY and self._folds_log:
                self.ask(f"pragma wal_autocheckpoint = {LOG_OF_MANY}")

    def _rest(self, connection: Any) -> list[str]:
        """Let triggers that are not cogmem's rest until the transaction ends: `strangers`."""
        if not self.is_laid_out:
            return []
        [(version,)] = connection.execute("pragma schema_version").fetchall()
        if version != self._schema_looked_at:
            [(there,)] = connection.execute(_TRIGGERS).fetchall()
            self._schema_looked_at, self._has_strangers = version, there != sql.own_triggers()
        if not self._has_strangers:
            return []
        from cogmem.file.foreign_triggers import rest

        return rest(connection, self.path)

    def _wake(self, connection: Any, resting: list[str]) -> None:
        if resting:
            from cogmem.file.foreign_triggers import wake

            wake(connection, resting)

    def is_free(self, patience_ms: int) -> bool:
        """Tell whether a write could begin within that time: for those who would rather do without."""
        if self.lies_still:
            return False
        with self._held():
            try:
                self._begin_to_write(self.connection, patience_ms)
            except Exception as error:
                if isinstance(told := self._told(error), Locked):
                    return False
                raise told from error
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
                if self._looks(error):
                    do()
                    return
                told = self._told(error)
                if not isinstance(told, Locked) or attempt == attempts:
                    raise told from error
                time.sleep(0.01 * attempt)

    def fold_log(self, patience_ms: int = 0) -> bool:
        """Move the log into the file; with patience also cut it off, and say whether that was possible. Patience
        keeps every writer waiting while readers go on. A faulty SQLite is only safe when it keeps them all away: it
        has more patience, or does not begin."""
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
        """After a write of very many rows: let go of what the search indexes keep of it. FTS5 never makes the table
        smaller in which it gathers words, and goes through all of it at each later write, which then takes a quarter
        longer. It is made anew when the schema is read anew."""
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
        """Return where the engine keeps what was written, beside the file: for the receipt of `forget`."""
        return []

    def standing(self) -> dict[str, Any]:
        """Tell how the file stands to what it is a copy of; empty for a memory of its own."""
        return {}

    @property
    def has_written(self) -> bool:
        """Tell whether this process wrote anything beside the ledger of its turns."""
        is_open = self._connection is not None and self._forks == forks()
        return bool(is_open and self._commits and not self._leaves_log and not self.read_only)

    @property
    def is_writing(self) -> bool:
        """Tell whether this thread is within a transaction; that of another thread is waited for."""
        with self._held():
            return bool(self._sqlite.in_transaction(self.connection))

    def row(self, table: str, key: str, value: Any) -> dict[str, Any] | None:
        """Return one whole row, as the history sees it."""
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
        """Return a step that makes a row what it was (None: gone). With `row`, the only place where SQL is
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
            text = f'update "{table}" set {setting} where "{key}" = :the_key'
            return text, {**row, "the_key": value}
        columns = ", ".join(f'"{name}"' for name in row)
        values = ", ".join(f":{name}" for name in row)
        return f'insert into "{table}" ({columns}) values ({values})', dict(row)


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
                "durable applies to a single write: for a block of writes turn it on for the file (`cogmem setting"
                " set durable 1`)"
            )
        self.db._durably += 1
        self._lock = lock
        return self

    def __exit__(self, *_: object) -> None:
        self.db._durably = max(0, self.db._durably - 1)
        self._lock.release()


class Together:
    """Several writes in one transaction. Each is a savepoint, so one that fails leaves the others. Other threads wait
    until the block is over. A block within a block is a savepoint too."""

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
        self._forks = forks()
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
            if self._forks != forks():
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
        """Stop where a full disk or a broken page rolled back the transaction; what follows would be another one."""
        if not self.db._sqlite.in_transaction(self._connection):
            raise DatabaseProblem(
                f"the disk of {self.db.path} failed within a block of writes: nothing of it is stored"
            )

    def step(self, body: Callable[[Any], None]) -> None:
        """Do one write of the block."""
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


def _plain(name: str) -> str:
    if not name.isidentifier():
        raise InvalidInput(f"{name!r} is not the name of a table")
    return name
