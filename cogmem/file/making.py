"""Makes a space, opens one, and rebuilds what can be derived.

A fresh file runs schema/tables, then schema/derived, and is stamped with SCHEMA_VERSION in
`user_version`; a file of a later version is refused. schema/derived is dropped and remade whenever
the file was built by another version of it: nothing in it is anyone's only copy.
"""

from __future__ import annotations

import os
import stat
import time

from cogmem import errors
from cogmem.errors import Damaged, DatabaseProblem, ForeignFile, InvalidInput, Locked, ReadOnly
from cogmem.file import sql
from cogmem.file.connection import BUSY_MS
from cogmem.file.db import APPLICATION_ID, Database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SCHEMA_VERSION = 1
_MAGIC = b"SQLite format 3\x00"
# The tables that every call reads. Remade without STRICT, as some tools do and a crafted file may,
# they hold values of any type, and each reader would fail in its own way.
_RULED = tuple("memory fact episode procedure kind setting message context change".split())
_SHAPE = (
    "select coalesce(sum(name = 'cluster_copy'), 0), coalesce(sum(name = 'derivation'), 0),"
    " coalesce(sum(name <> 'derivation' and name <> 'cluster_copy' and sql like '%) strict'), 0)"
    f" from sqlite_schema where type = 'table' and name in {('cluster_copy', 'derivation', *_RULED)}"
)


def open_space(
    path: str, *, driver: str = "apsw", read_only: bool = False, patience_ms: int = BUSY_MS
) -> tuple[Database, list[str]]:
    """Open a space, making it when needed; also tell what was noticed on the way."""
    notices: list[str] = []
    is_new = _is_nothing(path)
    if is_new and read_only:
        raise DatabaseProblem(
            f"{path} {'is empty' if os.path.exists(path) else 'does not exist'}: `cogmem learn` makes a memory of it,"
            " and so does opening it without read-only"
        )
    if is_new and path != ":memory:":
        from cogmem.file import last_seen

        if said := last_seen.begun_anew(path, time.time_ns() // 1_000_000):
            notices.append(said)
    try:
        db = _opened(path, driver, read_only, patience_ms, is_new)
        if db.lies_still:
            notices.append(
                f"nothing can be written where {path} lies: it is read as it is, and nothing is learned"
            )
        elif db.read_only and not read_only:
            notices.append(
                f"{path} is protected against writing: it is read, and nothing is learned"
            )
        return db, notices
    except (Damaged, ForeignFile) as error:
        if is_new:
            raise
        if (told := judged(path, error)) is error:
            raise
        raise told from error


def judged(path: str, error: Damaged | ForeignFile) -> DatabaseProblem:
    """Tell whether a file that SQLite cannot read is another program's, or ours and damaged."""
    from cogmem.file import damage, last_seen

    found = _look_at(path)
    if found == "damaged":
        return damage.damaged(path, "it is cut off within its header")
    if found == "cogmem":
        if isinstance(error, ForeignFile) and error.is_database:
            return error
        return damage.damaged(path, "SQLite cannot read it")
    known = last_seen.seen(path)
    if known is not None and (had := known.changes or known.lost):
        why = f"what is there is no memory; it had {had} changes when it was last closed"
        return damage.damaged(path, why)
    if found == "foreign":
        return ForeignFile(f"{path} is not a database: name another file, or move it away")
    return error


def _opened(path: str, driver: str, read_only: bool, patience_ms: int, is_new: bool) -> Database:
    db = Database(path, driver=driver, read_only=read_only, busy_ms=patience_ms)
    try:
        if is_new:
            _create(db)
        else:
            look_over(db)
    except BaseException:
        db.close()
        raise
    db.is_laid_out = True
    return db


def _is_nothing(path: str) -> bool:
    """Tell whether there is nothing at a path yet; then there will be a folder for it."""
    if path == ":memory:":
        return True
    if "://" in path:
        raise InvalidInput(
            f"{path} is an address, not a file: a memory is one file on this machine, or a cluster at rqlite://"
        )
    try:
        there = os.stat(path)
    except NotADirectoryError as error:
        raise InvalidInput(
            f"{path} would lie in something that is not a folder: name another file"
        ) from error
    except FileNotFoundError:
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        from cogmem.file import damage

        damage.missing(path, None)
        return True
    except PermissionError as error:
        raise ReadOnly(f"{path} cannot be read: check its permissions") from error
    if stat.S_ISDIR(there.st_mode):
        raise InvalidInput(
            f"{path} is a folder: name a file in it, such as {os.path.join(path, 'memory.db')}"
        )
    if not os.access(path, os.R_OK):
        raise ReadOnly(f"{path} cannot be read: check its permissions")
    if not stat.S_ISREG(there.st_mode):  # a device or a pipe
        raise InvalidInput(f"{path} is not a file: name one in which a memory can lie")
    if there.st_size:
        return False
    from cogmem.file import damage

    damage.missing(path, 0)
    return True


def _look_at(path: str) -> str:
    """Tell what a file is that SQLite cannot open as ours: cogmem, sqlite or foreign (another program's), or damaged.
    Only such a file is read past SQLite. To close one that this process has open drops the locks on it, after which
    another client may take the log away from under us."""
    with open(path, "rb") as file:
        head = file.read(100)
        size = os.fstat(file.fileno()).st_size
    if not head.startswith(_MAGIC):
        return "foreign"
    ours = int.from_bytes(head[68:72], "big") == APPLICATION_ID
    page = int.from_bytes(head[16:18], "big") or 65536
    if ours and (len(head) < 100 or page == 1 or size < 512):
        return "damaged"
    return "cogmem" if ours else "sqlite"


def _create(db: Database) -> None:
    fresh = db.path != ":memory:" and not os.path.exists(db.path)
    if db.path != ":memory:":
        if fresh or os.path.getsize(db.path) == 0:
            # A memory is private; the mode is set before a byte of it is written.
            os.close(os.open(db.path, os.O_CREAT | os.O_RDWR, 0o600))
            os.chmod(db.path, 0o600)
        _lay_out(db)
        _keep_a_log(db)

    def body(connection: Any) -> None:
        if connection.execute("pragma user_version").fetchall()[0][0]:
            return  # another process made it while we waited for the lock
        make(connection)

    db.transact(body)


def make(connection: Any) -> None:
    """Make schema/tables, schema/derived and the stamps of a memory, within the transaction that is open."""
    from cogmem.file import layout

    tables = [one for _, text in sql.script("tables") for one in sql.statements(text)]
    for statement in tables:
        if not layout.is_kept_back(statement):
            connection.execute(layout.close_set(statement)).fetchall()
    layout.fill_pages(connection, "capture_rule")
    derive(connection, tuple(one for one in tables if layout.is_kept_back(one)))
    _stamp(connection)


def _stamp(connection: Any) -> None:
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
    connection.execute(f"pragma user_version = {SCHEMA_VERSION}")


def _lay_out(db: Database) -> None:
    """Tell how a new file is laid out, before anything is written to it."""
    from cogmem.file import layout

    db.ask(f"pragma page_size = {layout.PAGE_SIZE}")
    db.ask("pragma auto_vacuum = incremental")


def _keep_a_log(db: Database) -> None:
    """Turn to the write-ahead log. While two processes do so with one file SQLite tells both that it is
    locked, without any waiting, as each would wait for the other."""
    until = time.monotonic() + db.busy_ms / 1000
    while True:
        try:
            db.ask("pragma journal_mode = wal")
            return
        except Locked:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def look_over(db: Database) -> None:
    """Refuse a file that is no memory or of a later version; rebuild what another version derived."""
    application = db.ask("pragma application_id")[0][0]
    version = db.ask("pragma user_version")[0][0]
    if application != APPLICATION_ID:
        with db.reading():  # at one instant: another process may be making it
            application = db.ask("pragma application_id")[0][0]
            version = db.ask("pragma user_version")[0][0]
            is_empty = db.ask("select count(*) from sqlite_schema")[0][0] == 0
        if is_empty:
            _create(db)
            return
    if application != APPLICATION_ID:
        raise ForeignFile(f"{db.path} belongs to another program: name another file")
    if version > SCHEMA_VERSION:
        raise errors.TooNew(
            f"{db.path} was written by a later cogmem (schema {version}, this one knows "
            f"{SCHEMA_VERSION}): upgrade cogmem; the file was not touched"
        )
    if version < SCHEMA_VERSION:
        raise ForeignFile(
            f"{db.path} says that its schema is {version}, which no cogmem wrote: restore a backup with"
            " `cogmem file restore`; the file was not touched"
        )
    is_copy, lists_derived, ruled = db.ask(_SHAPE)[0]
    if is_copy and not db.is_of_cluster:
        raise InvalidInput(
            f"{db.path} is this machine's copy of a cluster, and what is written to it alone is lost: open the"
            f" cluster itself, {db.ask('select address from cluster_copy')[0][0]}"
        )
    if ruled != len(_RULED):
        raise ForeignFile(
            f"{db.path} has tables that cogmem did not make: without STRICT their rows may hold "
            "anything. Restore a backup with `cogmem file restore`; the file was not touched"
        )
    if not db.read_only and db.ask("pragma journal_mode")[0][0] != "wal":
        _keep_a_log(db)  # a copy made by VACUUM INTO comes without
    built = []
    if lists_derived:
        built = db.ask("select distinct version from derivation")
    if built != [(sql.derived_version(),)] and not db.read_only:
        rebuild(db)


def make_of(target: str, fill: Callable[[Any], None], *, driver: str = "apsw") -> None:
    """Make a memory whose tables hold what `fill` puts there; all that follows from them is made after it."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    db = Database(target, driver=driver)
    try:
        _lay_out(db)
        db.ask("pragma foreign_keys = off")
        _keep_a_log(db)

        def body(connection: Any) -> None:
            from cogmem.file import layout

            for _, text in sql.script("tables"):
                for statement in sql.statements(text):
                    connection.execute(layout.close_set(statement)).fetchall()
            fill(connection)
            derive(connection)
            _stamp(connection)

        db.transact(body)
    except BaseException:
        db.close()
        os.unlink(target)
        raise
    db.close()


def rebuild(db: Database) -> None:
    """Drop and remake everything in schema/derived from the durable record, and the views if they were there."""

    from cogmem.file import views

    def body(connection: Any) -> None:
        views.look_away(connection)
        has_views = connection.execute(views.THERE).fetchall()[0][0]
        drop_derived(connection)
        derive(connection)
        if has_views:
            views.lay(connection)

    db.transact(body)
    db.shrink()


def drop_derived(connection: Any) -> None:
    """Drop what the file remembers as derived; a person's own views and triggers stay."""
    if connection.execute("select 1 from sqlite_schema where name = 'derivation'").fetchall():
        made = connection.execute("select type, name from derivation").fetchall()
    else:
        made = sql.makes("derived", "views")  # by its own words: the file's are gone
    for kind in ("trigger", "view", "table"):
        for name in (str(name) for its, name in made if its == kind):
            connection.execute(f"drop {kind} if exists main.{sql.quoted(name)}")
    connection.execute("drop table if exists derivation")


def derive(connection: Any, durable: tuple[str, ...] = ()) -> None:
    """Make and fill what is derived; of a new memory also the indexes and triggers of its tables, which are not."""
    from cogmem.file import layout

    before = set(connection.execute("select type, name from sqlite_schema").fetchall())
    before |= {sql.made(one)[:2] for one in durable}
    derived = (one for _, text in sql.script("derived") for one in sql.statements(text))
    for statement in layout.in_order(tuple(derived), durable):
        connection.execute(statement).fetchall()
    connection.execute(
        "create table derivation (\n"
        "  -- What schema/derived made, and by which version of it: `cogmem file rebuild` drops and remakes it.\n"
        "  type text not null, name text not null, version text not null) strict"
    )
    version = sql.derived_version()
    for kind, name in connection.execute("select type, name from sqlite_schema").fetchall():
        # Indexes go with their tables, an FTS table's shadows and itself with one drop.
        if kind != "index" and (kind, name) not in before and name != "derivation":
            connection.execute(
                "insert into derivation (type, name, version) values (?, ?, ?)",
                (kind, name, version),
            )


def copy_to(db: Database, target: str) -> None:
    """Write a consistent copy of the live file, whole, under a new name (0600)."""
    if os.path.lexists(target):
        os.unlink(target)
    # Not through a link that somebody laid there meanwhile.
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    db.ask("vacuum into :target", {"target": target})
    db.make_plain(target)
