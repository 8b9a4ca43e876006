"""What `cogmem doctor` tells of a file: its figures and faults, and what a person should know about where it lies."""

from __future__ import annotations

import os
from itertools import chain

from cogmem.file import foreign_triggers, making, seal, sql
from cogmem.file.check import check
from cogmem.file.connection import has_wal_reset_fault
from cogmem.text.data import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from cogmem.file.db import Database

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
    """Yield the file and its companions should be readable by their owner only."""
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
