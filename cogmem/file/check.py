"""Is the file as it must be? And what a person should know about where it lies.

`check` lists faults in sentences; an empty list is a clean bill. It reads one frozen state of the
file, in stretches, so that others may go on writing and a big file does not fill the memory.

The history is proved by replaying it: what its rows add up to must be what stands in the tables, so
a write that went past the triggers shows. Policy rows that came with the schema have no first
change; of them only the updates must follow from one another.
"""

from __future__ import annotations

import math
import os
from itertools import chain

from cogmem.errors import NOT_TEXT, CogmemError, Damaged
from cogmem.file import cells, damage, migrate, seal, sql, strangers
from cogmem.file.connection import has_wal_reset_fault
from cogmem.file.db import Database
from cogmem.file.pristine import pristine
from cogmem.file.snapshot import snapshot
from cogmem.text import lines
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    Row = dict[str, Any]

MENDED = "`cogmem doctor --repair` mends it"
BRING_BACK = (
    "`cogmem restore-backup` brings back the latest backup, `cogmem salvage` reads all the rest into a"
    " new file"
)
FEW = 5  # examples in a sentence
STRETCH = 500  # memories whose history is held at a time
LONG_LOG = 64 << 20  # bytes: four times what a busy writer lets it grow to
LARGE = 1 << 30  # bytes from which only the quick form of SQLite's own check is run


def check(db: Database) -> list[str]:
    """Everything that is not as it must be, in sentences."""
    reads_around, db.reads_around = db.reads_around, False
    try:
        problems = [*damage.beside(db.path), *_told(_search, db)]
    finally:
        db.reads_around = reads_around
    with snapshot(db) as frozen:
        frozen.reads_around = False
        problems = _told(_pages, frozen) + problems
        if not any(
            "SQLite finds the file damaged" in problem or "the file is damaged" in problem
            for problem in problems
        ):
            for probe in _PROBES:
                problems += _told(probe, frozen)
        if NOT_TEXT in problems:  # reading every byte takes time: only when a probe met one
            places = cells.undecodable(frozen)
            problems = [problem for problem in problems if problem != NOT_TEXT]
            problems += [
                f"{place} is no longer text: {BRING_BACK if place.table in cells.PAST else MENDED}"
                for place in places
            ]
    return problems


def _told(probe: Callable[[Database], Iterable[str]], db: Database) -> list[str]:
    try:
        return list(probe(db))
    except Damaged as error:
        if error.is_of_text:
            return [NOT_TEXT]
        return ["the file is damaged: `cogmem restore-backup` brings back the latest backup"]
    except CogmemError as error:
        return [f"{probe.__name__.strip('_').replace('_', ' ')} could not be checked: {error}"]


def _pages(db: Database) -> Iterator[str]:
    """SQLite's own check: pages, types, constraints and, but for very large files, indexes."""
    size = db.ask("pragma page_count")[0][0] * db.ask("pragma page_size")[0][0]
    for (said,) in db.ask(f"pragma {'quick_check' if size > LARGE else 'integrity_check'}({FEW})"):
        if said != "ok" and "fts5" not in said.lower():  # the search index is proved on its own
            yield f"SQLite finds the file damaged: {said}"


def _schema(db: Database) -> Iterator[str]:
    """Tables, triggers, indexes and views as schema/ has them; what a person added is none of ours."""
    fresh = pristine(db.driver)
    there = {(kind, name): text for kind, name, text in db.read("check.objects")}
    rebuild = "`cogmem rebuild` remakes it"
    derived = ("table", "derivation") in there
    versions = (
        [row[0] for row in db.ask("select distinct version from derivation")] if derived else []
    )
    if versions != [sql.derived_version()]:
        yield f"search indexes and views are not those of this version of cogmem: {rebuild}"
        derived = False
    for (kind, name), text in fresh.objects.items():
        is_derived = (kind, name) in fresh.derived or _table_of(text) in fresh.derived
        if is_derived and not derived:
            continue
        remedy = rebuild if is_derived else "restore a backup, or export and import into a new file"
        if (kind, name) not in there:
            yield f"{kind} {name} is missing: {remedy}"
        elif kind != "table" and there[kind, name] != text:
            yield f"{kind} {name} was changed: {remedy}"
        elif kind == "table" and name in fresh.tables:
            columns = {row[1]: row[2] for row in db.ask(f'pragma table_xinfo("{name}")')}
            for column in fresh.tables[name].values():
                if columns.get(column.name) != column.type:
                    yield f"table {name} has no column {column.name} of type {column.type}: {remedy}"


def _table_of(text: str) -> tuple[str, str]:
    """The table that the text of an index or trigger belongs to, so that it counts as derived too."""
    words = text.split()
    return ("table", words[words.index("on") + 1] if "on" in words[:8] else "")


def _foreign_keys(db: Database) -> Iterator[str]:
    found = [f"{table} {number} → {parent}" for table, number, parent in db.read("check.dangling")]
    yield from _few(found, "rows refer to rows that are gone")


def _search(db: Database) -> Iterator[str]:
    """Every full-text index against the table that it covers. SQLite counts this among the writes."""
    if db.read_only:
        return
    for (name,) in db.ask(
        "select s.name from sqlite_schema s join derivation d on d.type = 'table' and d.name = s.name"
        " where s.sql like 'create virtual table%using fts5 %' or s.sql like 'create virtual table%using fts5(%'"
    ):
        # FTS5 may still tell of an I/O error that the statement before met, once.
        if not (_is_proved(db, name) or _is_proved(db, name)):
            yield f"search index {name} differs from what it covers: `cogmem rebuild` remakes it"


def _is_proved(db: Database, name: str) -> bool:
    index = sql.quoted(name)
    proof = f"insert into {index} ({index}, rank) values ('integrity-check', 1)"
    try:
        db.transact(lambda connection: connection.execute(proof).fetchall())
    except Damaged:
        return False
    return True


def _layers(db: Database) -> Iterator[str]:
    yield from _listed(
        db, "check.without_layer_row", "memories have not the one row of their layer"
    )
    yield from _listed(
        db, "check.of_another_layer", "memories are of another layer than their kind"
    )
    yield from _listed(db, "check.keys_twice", "keys name two living memories of one scope")


def _counters(db: Database) -> Iterator[str]:
    yield from _listed(db, "check.counters", "memories have counters that contradict each other")
    yield from _listed(db, "check.numbers_used_again", "tables would give a number twice")
    for (name,) in db.read("check.open_context"):
        yield f"the transaction {name} was never closed in `context`: clear its columns with an update"
    known = pristine(db.driver).policy["setting"]
    for row in db.rows("check.settings"):
        default = known.get((row["name"],))
        if default is not None and _is_number(default["value"]) and not _is_number(row["value"]):
            yield f"setting {row['name']} is {row['value']!r}, not a number: `cogmem setting set` mends it"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _cached(db: Database) -> Iterator[str]:
    """Values that follow from the record and are kept beside it."""
    mends = "(`cogmem rebuild` mends it)"
    yield from _listed(db, "check.half_life", f"kinds have a wrong half-life {mends}")
    yield from _listed(db, "check.fading", f"memories have a wrong instant of fading {mends}")
    yield from _listed(db, "check.baseline", f"memories stand wrongly in the baseline {mends}")
    yield from _listed(db, "check.places", f"messages stand wrongly in the search index {mends}")
    yield from _listed(db, "check.audiences", f"audiences or speakers are counted wrongly {mends}")


def _hashes(db: Database) -> Iterator[str]:
    """Equal texts are found by their hash: one of another text would pair strangers."""
    wrong: list[str] = []
    after = 0
    while rows := db.read("check.hashes", {"after": after, "size": STRETCH}):
        wrong += [uid for _, uid, text, told in rows if told != lines.content_hash(text)]
        after = rows[-1][0]
    yield from _few(wrong, "memories have the hash of another text (`cogmem edit` writes it anew)")


# -- history -------------------------------------------------------------------------------------

_RECORDS = (
    ("memory", "id", "check.present_memory"),
    ("fact", "memory_id", "check.present_fact"),
    ("episode", "memory_id", "check.present_episode"),
    ("procedure", "memory_id", "check.present_procedure"),
    ("link", "id", "check.present_link"),
)


def _history(db: Database) -> Iterator[str]:
    """Replay the changes of a stretch of memories at a time and compare with what stands there."""
    wrong: list[str] = []
    after = 0
    while len(wrong) <= FEW:
        upto, count = db.read("check.page", {"after": after, "size": STRETCH})[0]
        if not count:
            break
        bounds = {"after": after, "upto": upto}
        past: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        for record, key, action, before, after, uid in db.read("check.past", bounds):
            was, becomes = mapped(before), mapped(after)
            past.setdefault((record, key), []).append((action, was, becomes, uid))
            if record == "memory" and action == "insert":
                try:
                    table, comes = pristine(db.driver).layer_row(becomes)
                except KeyError:  # a damaged cell: it lost what every memory begins with
                    wrong.append(f"{uid} (memory): the change with which it began cannot be read")
                    continue
                past.setdefault((table, key), []).append(("comes", {}, comes, uid))
        for record, key, statement in _RECORDS:
            for present in db.rows(statement, bounds):
                place = (record, str(present[key]))
                fault = _difference(db, record, present, past.pop(place, []))
                if fault:
                    wrong.append(f"{present.get('uid', ' '.join(place))} ({record}): {fault}")
        wrong += [
            f"{rows[-1][3]} ({record}): the row is gone, and nothing says when"
            for (record, _), rows in past.items()
            if rows[-1][0] != "delete" and record != "link"  # links are searched by `vanished`
        ]
        after = upto
    yield from _few(wrong, "rows are not what their history says")
    yield from _listed(db, "check.vanished", "rows went without leaving a change")


def _difference(db: Database, record: str, present: Row, past: Sequence[tuple[Any, ...]]) -> str:
    """Why a row is not what its changes add up to, or an empty text."""
    row: Row | None = None
    comes: Row | None = None  # with its memory; its own changes begin when it says more
    for action, was, becomes, _ in past:
        if action == "comes":
            row = comes = becomes
        elif action == "insert":
            if row is not comes:
                return "it was inserted twice"
            row = becomes
        elif row is None:
            return f"its history begins with {'an update' if action == 'update' else 'a delete'}"
        else:
            broken = [
                name for name, value in was.items() if name in row and not _same(row[name], value)
            ]
            if broken:
                return f"a change of {', '.join(broken)} is missing"
            row = {**row, **becomes} if action == "update" else comes
    if row is None:
        return "it has no history" if not past else "it was deleted, says its history"
    columns = pristine(db.driver).columns(record)
    differing = [
        name
        for name, value in present.items()
        if name in columns and not _same(row.get(name, columns[name].default), value)
    ]
    return f"{', '.join(differing)} changed without leaving a change" if differing else ""


def _same(left: Any, right: Any) -> bool:
    # Older builds of SQLite write reals with 15 digits into JSON.
    if isinstance(left, float) or isinstance(right, float):
        return (
            isinstance(left, (int, float))
            and isinstance(right, (int, float))
            and math.isclose(left, right, rel_tol=1e-13)
        )
    return bool(left == right)


def _policy(db: Database) -> Iterator[str]:
    """The updates of policy rows must follow from one another and lead to what stands there."""
    known: dict[tuple[str, str], Row] = {}  # what history says of a row, as far as it does
    gone: set[tuple[str, str]] = set()
    broken: dict[str, None] = {}
    for record, key, action, before, after in db.read("check.policy_past"):
        place = (record, key)
        was, becomes = mapped(before), mapped(after)
        row = known.pop(place, {})
        if any(not _same(row.get(name, value), value) for name, value in was.items()):
            broken[f"{record} {key}"] = None
        gone.add(place)
        if action != "delete":
            place = (record, becomes.get("name", key))
            known[place] = {**row, **was, **becomes}
            gone.discard(place)
    for record, statement in _POLICY:
        present = {row["name"]: row for row in db.rows(statement)}
        original = {key[0] for key in pristine(db.driver).policy[record]}
        for name, row in present.items():
            said = known.get((record, name))
            if said is None:  # never touched: it came with the schema, or somehow else
                is_sound = name in original and (record, name) not in gone
            else:
                is_sound = all(_same(row[column], value) for column, value in said.items())
            if not is_sound:
                broken[f"{record} {name}"] = None
        lost = {name for kind, name in known if kind == record} | original
        for name in sorted(lost - present.keys()):
            if (record, name) not in gone:
                broken[f"{record} {name}"] = None
    yield from _few(list(broken), "policy rows are not what their history says")


_POLICY = (
    ("kind", "check.kinds"),
    ("setting", "check.settings"),
    ("capture_rule", "check.capture_rules"),
)


# -- the record and the ledger -------------------------------------------------------------------


def _conversations(db: Database) -> Iterator[str]:
    yield from _listed(db, "check.cursors", "conversations would number a message twice")
    yield from _listed(
        db, "check.versions", "messages have not exactly one current version, the latest"
    )
    yield from _listed(
        db, "check.lost_archives", "archived messages and segments do not fit together"
    )
    yield from _listed(db, "check.summaries", "summaries do not fit the record below them")
    yield from _listed(db, "check.sessions", "sessions were frozen at a change that is yet to come")


def _chain(db: Database) -> Iterator[str]:
    """The history against its seals, and against what was noted outside the file."""
    yield from _few(list(seal.broken(db)), "the history is not what was sealed")
    yield from seal.differs(db)


def _cells(db: Database) -> Iterator[str]:
    """Cells that should hold JSON and do not: each costs its own row, and is named."""
    for cell in cells.broken(db):
        way = (
            "restore a backup"
            if cell.table in cells.PAST
            else "`cogmem doctor --repair` empties it"
        )
        yield f"{cell} is damaged: {way}"


def _texts(db: Database) -> Iterator[str]:
    """Reads every text once, joined by rows: what cannot be read is an error, and then looked for cell by cell."""
    for text in cells.texts(db.driver):
        after = 0
        while rows := db.ask(text, {"after": after, "size": STRETCH}):
            after = rows[-1][0]
    yield from ()


def _ledger(db: Database) -> Iterator[str]:
    yield from _listed(db, "check.overspent", "turns gave more tokens than allowed")
    yield from _listed(db, "check.overdone", "job runs took more memories than allowed")


def _strangers(db: Database) -> Iterator[str]:
    """Triggers that are not cogmem's: they rest while it writes, and change what others write."""
    for name, table, _ in strangers.unaccepted(db.ask, db.path):
        yield (
            f"trigger {strangers.told(name, table)} is not cogmem's, and rests while cogmem writes: drop it, or"
            " `cogmem doctor --accept` if it is meant"
        )


_PROBES = (
    _schema,
    _foreign_keys,
    _layers,
    _counters,
    _cached,
    _hashes,
    _history,
    _policy,
    _conversations,
    _ledger,
    _chain,
    _cells,
    _texts,
    _strangers,
)


def _listed(db: Database, statement: str, fault: str) -> Iterator[str]:
    yield from _few([str(row[0]) for row in db.read(statement)], fault)


def _few(found: Sequence[str], fault: str) -> Iterator[str]:
    if found:
        more = " and more" if len(found) > FEW else ""
        yield f"{fault}: {', '.join(found[:FEW])}{more}"


# -- where it lies -------------------------------------------------------------------------------

_SHARED_TYPES = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "glusterfs",
    "lustre",
    "gpfs",
    "davfs",
    "vboxsf",
    "drvfs",
    "fuse.sshfs",
    "fuse.s3fs",
    "fuse.rclone",
    "fuse.glusterfs",
}
_SYNCED_NAMES = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "mobile documents": "iCloud",
    "icloud": "iCloud",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "nextcloud": "Nextcloud",
    "syncthing": "Syncthing",
}


def report(db: Database, path: str, notices: Iterable[str] = ()) -> dict[str, Any]:
    """What `cogmem doctor` tells: figures, warnings about the place, and the faults of `check`."""
    version = str(db.ask("select sqlite_version()")[0][0])
    journal = db.ask("pragma journal_mode")[0][0]
    pages, size = db.ask("pragma page_count")[0][0], db.ask("pragma page_size")[0][0]
    warnings = list(chain(place_warnings(path), permission_warnings(path)))
    if has_wal_reset_fault(version) and not db.lies_still:
        warnings.append(
            f"SQLite {version} can damage a file that several processes write (fixed in 3.51.3): "
            "open it with apsw, or upgrade SQLite"
        )
    if _size(path + "-wal") > LONG_LOG:
        warnings.append(
            f"the write-ahead log holds {_size(path + '-wal') >> 20} MiB: a process that reads for long, or "
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
        "wal_size": _size(path + "-wal"),
        "journal_mode": journal,
        "driver": db.driver,
        "sqlite_version": version,
        "wal_reset_fault": has_wal_reset_fault(version),
        "schema_version": db.ask("pragma user_version")[0][0],
        "known_schema_version": migrate.SCHEMA_VERSION,
        "derived_version": sql.derived_version(),
        "warnings": warnings,
        "notices": [*notices, *foreign(db)],
        "problems": check(db),
    }


def foreign(db: Database) -> Iterator[str]:
    """Views that are not cogmem's: it never reads them, and they may show anything."""
    for name, table, _ in strangers.of(db.ask, "view"):
        yield f"view {strangers.told(name, table)} is not cogmem's: drop it if it is not yours either"


def place_warnings(path: str, mounts: str = "/proc/mounts") -> Iterator[str]:
    """Folders where a database is not safe: network file systems and folders that a cloud syncs."""
    if path == ":memory:":
        return
    place = os.path.realpath(path)
    kind, point = _file_system(place, mounts)
    if kind in _SHARED_TYPES:
        yield f"{point} is a {kind} file system: locks may not hold there, so keep the memory on a local disk"
    folder = os.path.dirname(place)
    while True:
        name = os.path.basename(folder).lower()
        cloud = next((said for mark, said in _SYNCED_NAMES.items() if name.startswith(mark)), "")
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
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            for line in file:
                fields = line.split()
                if len(fields) < 3:
                    continue
                point = fields[1].replace("\\040", " ")
                inside = place == point or place.startswith(point.rstrip("/") + "/")
                if inside and len(point) >= len(best):
                    best, kind = point, fields[2]
    except OSError:
        pass
    return kind, best


def permission_warnings(path: str) -> Iterator[str]:
    """The file and its companions should be readable by their owner only."""
    if path == ":memory:" or os.name != "posix":
        return
    for name in (path, path + "-wal", path + "-shm"):
        try:
            mode = os.stat(name).st_mode & 0o777
        except OSError:
            continue
        if mode & 0o077:
            yield f"{name} can be read by others (mode {mode:o}): chmod 600 makes it private"


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
