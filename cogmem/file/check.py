"""Is the file as it must be? Lists faults in sentences; an empty list is a clean bill.

It reads one frozen state of the file, in stretches, so that others may go on writing and a big file does not fill
the memory.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from functools import partial
from itertools import chain

from cogmem.errors import NOT_TEXT, CogmemError, Damaged
from cogmem.file import cells, damage, foreign_triggers, making, replay, seal, sql
from cogmem.file.connection import has_wal_reset_fault
from cogmem.file.db import Database
from cogmem.file.pristine import pristine
from cogmem.file.snapshot import snapshot
from cogmem.text import lines
from cogmem.text.data import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    Row = dict[str, Any]
    from cogmem.file.db import Database

MENDED = "`cogmem doctor --repair` mends it"
BRING_BACK = (
    "`cogmem file restore` brings back the latest backup, `cogmem file salvage` reads all the rest into a"
    " new file"
)
DAMAGED = "SQLite finds the file damaged"
FEW = 5  # examples in a sentence
STRETCH = 500  # memories, or texts, that are held at a time
LARGE = 1 << 30  # bytes from which only the quick form of SQLite's own check is run


def check(db: Database, beyond: Callable[[Database], Iterable[str]] = lambda _: ()) -> list[str]:
    """Return everything that is not as it must be, in sentences; of a sound file also what is found beyond it."""
    reads_around, db.reads_around = db.reads_around, False
    try:
        problems = [*damage.beside(db.path), *_told(_search, db)]
    finally:
        db.reads_around = reads_around
    with snapshot(db) as frozen:
        frozen.reads_around = False
        problems = _told(_pages, frozen) + problems
        if not any("the file is damaged" in one or f"{DAMAGED}: " in one for one in problems):
            for probe in _PROBES:
                problems += _told(probe, frozen)
            for statement, fault in _LISTED:
                problems += _told(partial(_listed, statement=statement, fault=fault), frozen)
        if NOT_TEXT in problems:  # reading every byte takes time: only when a probe met one
            places = cells.undecodable(frozen)
            problems = [problem for problem in problems if problem != NOT_TEXT]
            problems += [
                f"{place} is no longer text: {BRING_BACK if place.table in cells.PAST else MENDED}"
                for place in places
            ]
        return problems or list(beyond(frozen))


def _told(probe: Callable[[Database], Iterable[str]], db: Database) -> list[str]:
    try:
        return list(probe(db))
    except Damaged as error:
        if error.is_of_text:
            return [NOT_TEXT]
        return ["the file is damaged: `cogmem file restore` brings back the latest backup"]
    except CogmemError as error:
        name = probe.keywords["fault"] if isinstance(probe, partial) else probe.__name__
        return [f"{name.strip('_').replace('_', ' ')} could not be checked: {error}"]


def _pages(db: Database) -> Iterator[str]:
    size = db.ask("pragma page_count")[0][0] * db.ask("pragma page_size")[0][0]
    for (said,) in db.ask(f"pragma {'quick_check' if size > LARGE else 'integrity_check'}({FEW})"):
        if said != "ok" and "fts5" not in said.lower():  # the search index is proved on its own
            yield f"{DAMAGED}: {said}"


def _schema(db: Database) -> Iterator[str]:
    """Tables, triggers, indexes and views as schema/ has them; what a person added is none of ours."""
    fresh = pristine()
    there = {(kind, name): text for kind, name, text in db.read("check.objects")}
    rebuild = "`cogmem file rebuild` remakes it"
    derived = ("table", "derivation") in there
    versions = db.ask("select distinct version from derivation") if derived else []
    if versions != [(sql.derived_version(),)]:
        yield f"search indexes and views are not those of this version of cogmem: {rebuild}"
        derived = False
    for (kind, name), text in fresh.objects.items():
        its = there.get((kind, name))
        if its == text or (its is None and (kind, name) in fresh.looks):
            continue
        is_derived = (kind, name) in fresh.remade
        if is_derived and not derived:
            continue
        remedy = rebuild if is_derived else "restore a backup, or export and import into a new file"
        if its is None:
            yield f"{kind} {name} is missing: {remedy}"
        elif kind != "table" and its.split() != text.split():
            yield f"{kind} {name} was changed: {remedy}"
        elif name in fresh.tables:  # `alter table` writes its text otherwise
            columns = {row[1]: row[2] for row in db.ask(f'pragma table_xinfo("{name}")')}
            for column in fresh.tables[name].values():
                if columns.get(column.name) != column.type:
                    yield f"table {name} has no column {column.name} of type {column.type}: {remedy}"


def _search(db: Database) -> Iterator[str]:
    """Yield every full-text index against the table that it covers. SQLite counts this among the writes."""
    if db.read_only:
        return
    for (name,) in db.ask(
        "select s.name from sqlite_schema s join derivation d on d.type = 'table' and d.name = s.name"
        " where s.sql like 'create virtual table%using fts5 %' or s.sql like 'create virtual table%using fts5(%'"
    ):
        # FTS5 may still tell of an I/O error that the statement before met, once.
        if not (_is_proved(db, name) or _is_proved(db, name)):
            yield f"search index {name} differs from what it covers: `cogmem file rebuild` remakes it"


def _is_proved(db: Database, name: str) -> bool:
    index = sql.quoted(name)
    proof = f"insert into {index} ({index}, rank) values ('integrity-check', 1)"
    try:
        db.transact(lambda connection: connection.execute(proof).fetchall())
    except Damaged:
        return False
    return True


def _settings(db: Database) -> Iterator[str]:
    for (name,) in db.read("check.open_context"):
        yield f"the transaction {name} was never closed in `context`: clear its columns with an update"
    known = pristine().policy["setting"]
    for row in db.rows("select * from setting"):
        default = known.get((row["name"],))
        if default is not None and _is_number(default["value"]) and not _is_number(row["value"]):
            yield f"setting {row['name']} is {row['value']!r}, not a number: `cogmem setting set` mends it"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _hashes(db: Database) -> Iterator[str]:
    """Equal texts are found by their hash: one of another text would pair strangers."""
    wrong: list[str] = []
    after = 0
    while rows := db.read("check.hashes", {"after": after, "size": STRETCH}):
        wrong += [uid for _, uid, text, told in rows if told != lines.content_hash(text)]
        after = rows[-1][0]
    yield from _few(wrong, "memories have the hash of another text (`cogmem edit` writes it anew)")


def _history(db: Database) -> Iterator[str]:
    yield from _few(replay.wrong_rows(db, FEW), "rows are not what their history says")
    yield from _few(replay.wrong_policy(db), "policy rows are not what their history says")


def _chain(db: Database) -> Iterator[str]:
    yield from _few(list(seal.broken(db)), "the history is not what was sealed")
    yield from seal.differs(db)


def _cells(db: Database) -> Iterator[str]:
    for cell in cells.broken(db):
        is_past = cell.table in cells.PAST
        way = "restore a backup" if is_past else "`cogmem doctor --repair` empties it"
        yield f"{cell} is damaged: {way}"


def _texts(db: Database) -> Iterator[str]:
    """Reads every text once, joined by rows: what cannot be read is an error, and then looked for cell by cell."""
    for text in cells.texts():
        after = 0
        while rows := db.ask(text, {"after": after, "size": STRETCH}):
            after = rows[-1][0]
    yield from ()


def _strangers(db: Database) -> Iterator[str]:
    """Triggers that are not cogmem's: they rest while it writes, and change what others write."""
    for name, table, _ in foreign_triggers.unaccepted(db.ask, db.path):
        yield (
            f"trigger {foreign_triggers.told(name, table)} is not cogmem's, and rests while cogmem writes: drop it,"
            " or `cogmem doctor --accept` if it is meant"
        )


_PROBES = (_schema, _settings, _hashes, _history, _chain, _cells, _texts, _strangers)
_CACHED = "(`cogmem file rebuild` mends it)"  # what follows from the record and is kept beside it
# What lists each row that is not as it must be, and what is wrong with them.
_LISTED = (
    ("check.dangling", "rows refer to rows that are gone"),
    ("check.without_layer_row", "memories have not the one row of their layer"),
    ("check.of_another_layer", "memories are of another layer than their kind"),
    ("check.keys_twice", "keys name two living memories of one scope"),
    ("check.counters", "memories have counters that contradict each other"),
    ("check.numbers_used_again", "tables would give a number twice"),
    ("check.half_life", f"kinds have a wrong half-life {_CACHED}"),
    ("check.fading", f"memories have a wrong instant of fading {_CACHED}"),
    ("check.baseline", f"memories stand wrongly in the baseline {_CACHED}"),
    ("check.places", f"messages stand wrongly in the search index {_CACHED}"),
    ("check.audiences", f"audiences or speakers are counted wrongly {_CACHED}"),
    ("check.vanished", "rows went without leaving a change"),
    ("check.cursors", "conversations would number a message twice"),
    ("check.versions", "messages have not exactly one current version, the latest"),
    ("check.lost_archives", "archived messages and segments do not fit together"),
    ("check.summaries", "summaries do not fit the record below them"),
    ("check.sessions", "sessions were frozen at a change that is yet to come"),
    ("check.overspent", "turns gave more tokens than allowed"),
    ("check.overdone", "job runs took more memories than allowed"),
)


def _listed(db: Database, statement: str, fault: str) -> Iterator[str]:
    yield from _few([str(row[0]) for row in db.read(statement)], fault)


def _few(found: Sequence[str], fault: str) -> Iterator[str]:
    if found:
        more = " and more" if len(found) > FEW else ""
        yield f"{fault}: {', '.join(found[:FEW])}{more}"


LONG_LOG = 64 << 20  # bytes: four times what a busy writer lets it grow to


def report(db: Database, path: str, notices: Iterable[str] = ()) -> dict[str, Any]:
    """Return what `cogmem doctor` tells: figures, warnings about the place, and the faults of `check`."""
    version = str(db.ask("select sqlite_version()")[0][0])
    journal = db.ask("pragma journal_mode")[0][0]
    pages, size = db.ask("pragma page_count")[0][0], db.ask("pragma page_size")[0][0]
    warnings = list(chain(place_warnings(path), permission_warnings(path)))
    if has_wal_reset_fault(version) and not db.lies_still:
        warnings.append(
            f"SQLite {version} can damage a file that several processes write (fixed in 3.51.3): "
            "open it with apsw, or upgrade SQLite"
        )
    if (log := db.log_size()) > LONG_LOG:
        warnings.append(
            f"the write-ahead log holds {log >> 20} MiB: a process that reads for long, or "
            "was stopped while it read, keeps it from being folded in; end it, then `cogmem nightly`"
        )
    warnings += seal.copies(db)
    if journal != "wal" and path != ":memory:" and not db.lies_still:
        warnings.append(f"the journal mode is {journal}, not wal: readers wait for writers")
    return {
        "path": os.path.abspath(path) if path != ":memory:" else path,
        "size": pages * size,
        "pages": pages,
        "free_pages": db.ask("pragma freelist_count")[0][0],
        "wal_size": log,
        "journal_mode": journal,
        "driver": db.driver,
        "sqlite_version": version,
        "wal_reset_fault": has_wal_reset_fault(version),
        "schema_version": db.ask("pragma user_version")[0][0],
        "known_schema_version": making.SCHEMA_VERSION,
        "derived_version": sql.derived_version(),
        "warnings": warnings,
        "notices": [*notices, *foreign(db)],
        "problems": check(db),
    }


def foreign(db: Database) -> Iterator[str]:
    """Views that are not cogmem's: it never reads them, and they may show anything."""
    for name, table, _ in foreign_triggers.of(db.ask, "view"):
        yield f"view {foreign_triggers.told(name, table)} is not cogmem's: drop it if it is not yours either"


def place_warnings(path: str, mounts: str = "/proc/mounts") -> Iterator[str]:
    """Folders where a database is not safe: network file systems and folders that a cloud syncs."""
    if path == ":memory:":
        return
    lists = words("unsafe_places")
    synced = [one.split("=") for one in lists["synced"].split("\n")]
    place = os.path.realpath(path)
    kind, point = _file_system(place, mounts)
    if kind in lists["shared"].split():
        yield f"{point} is a {kind} file system: locks may not hold there, so keep the memory on a local disk"
    folder = os.path.dirname(place)
    while True:
        name = os.path.basename(folder).lower()
        cloud = next((said for mark, said in synced if name.startswith(mark)), "")
        if os.path.isdir(os.path.join(folder, ".stfolder")):
            cloud = "Syncthing"
        if cloud:
            yield (
                f"{folder} is synced by {cloud}, which copies a database in the middle of a write: "
                "move the memory out, and sync exports or backups"
            )
            return
        if os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)


def _file_system(place: str, mounts: str) -> tuple[str, str]:
    """Type and mount point of the file system that holds a path, where the system tells."""
    best, kind = "", ""
    with suppress(OSError), open(mounts, encoding="utf-8", errors="replace") as file:
        for fields in map(str.split, file):
            if len(fields) < 3:
                continue
            point = fields[1].replace("\\040", " ")
            inside = place == point or place.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, fields[2]
    return kind, best


def permission_warnings(path: str) -> Iterator[str]:
    """Yield the file and its companions should be readable by their owner only."""
    if path == ":memory:" or os.name != "posix":
        return
    for name in (path, path + "-wal", path + "-shm"):
        with suppress(OSError):
            if (mode := os.stat(name).st_mode & 0o777) & 0o077:
                yield f"{name} can be read by others (mode {mode:o}): chmod 600 makes it private"
