"""Copies of the file: verified backups, the way back to one, and a copy of what one scope sees.

A copy is made under a partial name, proved, and only then given its own, so that a file with the
name of a backup is a backup. Nothing that exists is overwritten; what is replaced is kept.
"""

from __future__ import annotations

import glob
import os
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager, suppress

from cogmem import errors
from cogmem.errors import Damaged, DatabaseProblem, ForeignFile, InvalidInput, Locked
from cogmem.file import backups, damage, foreign_triggers, last_seen, making, seal, sql
from cogmem.file.backups import kept as kept  # the edge asks here
from cogmem.file.check import check
from cogmem.file.db import APPLICATION_ID, Database
from cogmem.file.places import beside, is_address, shown
from cogmem.file.private import take_away, take_away_abandoned
from cogmem.file.snapshot import file_of
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.scope import Scope

COUNTED = ("memory", "message", "conversation", "change")
UNSEEN = (  # how what a viewer does not see goes, in an order that no reference breaks
    "exchange.drop_memories", "exchange.drop_conversations", "exchange.drop_sessions",
    "exchange.drop_documents", "exchange.drop_activations", "exchange.drop_scopes",
    "exchange.drop_vectors", "exchange.drop_changes", "exchange.drop_arrivals", "exchange.drop_claims",
)  # fmt: skip
# Of all scopes together, as queued work and what models cost: a copy for one of them has none of it.
OF_ALL = ("task", "told_at_act", "model_call", "receipt", "peer")
ABANDONED_SECONDS = 3_600  # since the last byte was written to an unfinished copy


def set_aside(path: str, *, now: int) -> str:
    """Put a damaged file by, so that a new memory may begin; where it is now. It stays told as long as it lies there.
    What was noted of it goes: the new memory is meant."""
    if is_address(path):
        raise InvalidInput(
            f"a damaged copy of a cluster is no loss: remove {os.path.dirname(beside(path))}, and the next call"
            " fetches it"
        )
    if os.path.isfile(path) and os.path.getsize(path):
        try:
            verify(path)
        except Damaged:
            pass
        except ForeignFile as error:
            if not isinstance(making.judged(path, error), Damaged):
                raise
        else:
            raise InvalidInput(
                f"{path} is not damaged: move it away yourself if you want a new memory"
            )
    kept = damage.set_aside(path, now=now)
    last_seen.forgotten(path)
    return kept


def accept(path: str) -> None:
    """Accept that what is there is the memory that a person means, whatever was noted of it and of its copies."""
    last_seen.forgotten(path)
    with (
        suppress(DatabaseProblem),  # one that cannot be read has no copies yet
        closing(Database(path, read_only=True)) as db,
    ):
        if others := seal.parted(db):
            last_seen.meant(path, apart=others)
        foreign_triggers.accept(db.ask, path)


def destroy(path: str) -> list[str]:
    """Remove a memory for good, with what lies beside it and the copies that cogmem made; returns what is gone."""
    copies = backups.made(path)
    names = [name + end for name in (path, *copies) for end in ("", "-wal", "-shm", ".spool")]
    there = [name for name in names if os.path.isfile(name)]
    for one in there:
        os.unlink(one)
    for folder in {os.path.dirname(copy) for copy in copies if copy.startswith(f"{path}.")}:
        with suppress(OSError):  # something else lies in it
            os.rmdir(folder)
    return there


def lost(path: str) -> str:
    """Return what to say of a memory that was at a path and is gone; nothing if there was none."""
    known = last_seen.seen(path)
    if known is None or not known.changes:
        return ""
    return (
        f"the memory at {path} is gone; it had {known.changes} changes when it was last closed: put the file back, or"
        " `cogmem file restore`; `cogmem learn` begins a new one"
    )


def missing(path: str) -> str:
    """Return why there is no memory at a path, what to do, and what waits beside it for a person."""
    begins = f"there is no memory at {path} yet: `cogmem learn` makes it, --db names another"
    return lost(path) or "; ".join([begins, *damage.beside(path)])


class Rehearsed(Record):
    """What a rehearsal found: the backup, how many rows came back, and what is wrong with them."""

    source: str
    counts: dict[str, int]
    problems: list[str]


class Replaced(Record):
    """What restoring a backup did: the file, the backup, and where the file before it is kept."""

    path: str
    source: str
    kept_as: str | None


def backup(db: Database, target: str | None = None, *, now: int, pages: bool = True) -> str:
    """Make a copy of the whole file, in a folder under the name of the instant, else beside the file. It is verified,
    with `pages` row by row: making it has read every row, so a copy of each night need not be."""
    if target is None or os.path.isdir(target):
        if db.path == ":memory:":
            raise InvalidInput("a memory without a file has no place for backups: name a target")
        named = f"{file_of(db)}.backup-{_stamp(now)}"
        target = named if target is None else os.path.join(target, os.path.basename(named))
    elif target.endswith(("/", os.sep)):
        raise InvalidInput(f"{target} is not a folder: make it first, or name another target")
    with _partial(target) as partial:
        making.copy_to(db, partial)
        verify(partial, db.driver, pages=pages)
        _settle(partial, target)
    _clear_abandoned(file_of(db), os.path.dirname(os.path.abspath(target)))
    return target


def rehearse(db: Database, source: str | None = None) -> Rehearsed:
    """Bring a backup (the latest, if none is named) back in a scratch folder, prove it and count what it holds."""
    source = _latest(file_of(db), db.path) if source is None else source
    with tempfile.TemporaryDirectory(prefix="cogmem-rehearsal-") as scratch:
        path = os.path.join(scratch, "memory.db")
        restore_backup(path, source, now=0, driver=db.driver, is_checked=True)
        with ExitStack() as left:
            left.callback(last_seen.forgotten, path)
            restored = left.enter_context(closing(making.open_space(path, driver=db.driver)[0]))
            problems = check(restored)
            counts = {
                table: restored.ask(f"select count(*) from {table}")[0][0] for table in COUNTED
            }
    return Rehearsed(source, counts, problems)


def _latest(path: str, named: str) -> str:
    if not (found := kept(path)):
        raise InvalidInput(f"there is no backup beside {named}: name the one to restore")
    return found[0]


def _clear_abandoned(path: str, elsewhere: str) -> None:
    """Take away unfinished copies of a file whose makers were killed."""
    if not path:
        return
    name = glob.escape(path)
    nightly = os.path.join(glob.escape(elsewhere), "[0-9]*Z.db")
    for kind in (f"{name}.backup-*", f"{name}.backups{os.sep}*", nightly):
        take_away_abandoned(kind, ABANDONED_SECONDS)


def verify(path: str, driver: str = "apsw", *, pages: bool = True) -> None:
    """Open a file read-only and raise unless it is a memory that this version can read; `pages`: and a sound one."""
    if not os.path.isfile(path):
        raise InvalidInput(f"{path} is not a file: name a backup")
    with closing(Database(path, driver=driver, read_only=True)) as db:
        if db.ask("pragma application_id")[0][0] != APPLICATION_ID:
            raise ForeignFile(f"{path} is not a cogmem memory")
        version = db.ask("pragma user_version")[0][0]
        if version > making.SCHEMA_VERSION:
            told = f"{path} was written by a later cogmem (schema {version}): upgrade cogmem"
            raise errors.TooNew(told)
        # Every table by itself: of a search index SQLite would read all words, and it is remade where it is wrong.
        # That each row stands in its indexes need not be proved: a copy makes them anew, and so does the way back.
        tables = db.ask("select name from sqlite_schema where rootpage > 0 and type = 'table'")
        for (name,) in [("sqlite_schema",), *tables] if pages else ():
            if (said := db.ask(f"pragma quick_check({sql.quoted(name)})")[0][0]) != "ok":
                raise Damaged(f"{path} is damaged ({said}): use another backup")


def restore_backup(
    path: str,
    source: str | None = None,
    *,
    now: int,
    driver: str = "apsw",
    is_checked: bool = False,
) -> Replaced:
    """Put a backup (the latest, if none is named) in the place of a file, which is kept.

    is_checked: whoever asks checks all that came back
    The file must not be open elsewhere: its users would go on writing into the one set aside.
    """
    if path == ":memory:":
        raise InvalidInput("a memory without a file has no backups")
    if is_address(path):
        newest = next(iter(kept(beside(path))), "BACKUP")
        raise InvalidInput(
            f"a backup goes onto a cluster as a whole: `cogmem bulk move {newest} {shown(path)} --replace`"
        )
    source = _latest(path, path) if source is None else source
    if os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
        raise InvalidInput(f"{source} is the memory itself: name a backup of it")
    verify(source, driver, pages=not is_checked)
    with _partial(path, is_new=False) as partial:
        with closing(Database(source, driver=driver, read_only=True)) as original:
            making.copy_to(original, partial)
        verify(partial, driver, pages=not is_checked)
        with closing(Database(partial, driver=driver)) as copy:
            copy.ask("pragma journal_mode = wal")
        kept_as = _put_by(path, now, driver)
        last_seen.forgotten(path)
        try:
            os.replace(partial, path)
        except OSError:
            if kept_as and os.path.exists(path):
                os.unlink(kept_as)  # it is the file itself, by a second name
            raise
    return Replaced(path, source, kept_as)


def _put_by(path: str, now: int, driver: str) -> str | None:
    """Rename a file and its companions, once nobody else has it open."""
    if not os.path.exists(path):
        return None
    try:  # through SQLite alone: to close it as a plain file drops the locks of who has it open here
        with closing(Database(path, driver=driver)) as db:
            if db.ask("pragma application_id")[0][0] not in (APPLICATION_ID, 0):
                raise ForeignFile(path)
            # Leaving WAL needs the file for oneself, and brings the log into the file.
            db.ask("pragma busy_timeout = 200")
            db.ask("pragma journal_mode = delete")
    except Locked:
        raise Locked(f"{path} is open in another process: end it first, then restore") from None
    except ForeignFile as error:
        # Where a memory was and no database is any more, its header went.
        if error.is_database or not isinstance(making.judged(path, error), Damaged):
            raise ForeignFile(
                f"{path} is not a cogmem database: move it away, or name another file"
            ) from None
    except DatabaseProblem:
        pass  # damaged: it is kept as it is, with its log
    kept, number = f"{path}.replaced-{_stamp(now)}", 1
    while os.path.exists(kept):
        number += 1
        kept = f"{path}.replaced-{_stamp(now)}-{number}"
    for ending in ("-wal", "-shm"):
        if os.path.exists(path + ending):
            os.rename(path + ending, kept + ending)
    # The name must never be free: whoever opens it then would find an empty memory.
    try:
        os.link(path, kept)
    except OSError:  # a file system without hard links
        os.rename(path, kept)
    return kept


def copy_for(db: Database, target: str, scope: Scope, *, now: int) -> str:
    """Return a new memory that holds what a scope sees, and no trace of the rest."""
    with _partial(target) as partial:
        making.copy_to(db, partial)
        with closing(Database(partial, driver=db.driver)) as copy:
            copy.ask("pragma secure_delete = on")
            sight: dict[str, Any] = {**scope.viewer(), "now": now}
            steps = [(statement, sight) for statement in UNSEEN]
            if not scope.everywhere:
                steps += [(f"delete from {table}", {}) for table in OF_ALL]
            copy.write(steps, verb="forget", actor="copy", at=now)
            making.rebuild(copy)
            seal.anew(copy, at=now)
            copy.ask("vacuum")
        verify(partial, db.driver)
        _settle(partial, target)
    return target


@contextmanager
def _partial(target: str, *, is_new: bool = True) -> Iterator[str]:
    """Lend the name under which a copy is made, and remove what is there if that fails."""
    if is_new and os.path.exists(target):
        raise InvalidInput(f"{target} exists: name a new file")
    folder = os.path.dirname(os.path.abspath(target))
    if not os.path.isdir(folder):
        raise InvalidInput(f"{folder} is not a folder: make it first, or name another target")
    partial = f"{target}.partial-{os.getpid()}"
    try:
        yield partial
    except BaseException:
        take_away(partial)
        raise


def _settle(partial: str, target: str) -> None:
    """Bring a copy to the disk and give it its name, unless someone took that meanwhile."""
    with open(partial, "rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(partial, target)
        os.unlink(partial)
    except FileExistsError:
        raise InvalidInput(f"{target} exists: name a new file") from None
    except OSError as error:
        if os.path.exists(target):
            raise errors.DiskFull(f"{target} could not be made: {error.strerror}") from error
        os.rename(partial, target)  # a file system without hard links


def _stamp(now: int) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now // 1000))
