"""A copy of a memory that another process lets nobody read.

A process that holds a file with an exclusive lock keeps readers out too, for as long as it likes. A host does not
wait: what lies on the disk is copied into a folder that only this user can enter and read there, with the log beside
it, so that it has everything that was committed. The copy loses its names before the first answer, and is gone from
the disk with this process, however that ends.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.memory import Memory

LIMIT = 256 << 20  # bytes that are copied in the time that a hook has
TRIES = 3  # while whoever holds it begins its log anew


def of_copy(path: str, open_at: Callable[[str], Memory]) -> Memory | None:
    """Return the memory, opened on a copy; nothing where it is too large, or never stands still."""
    base = os.environ.get("TMPDIR") or "/tmp"
    folder = os.path.join(base, f"cogmem-read-{os.urandom(8).hex()}")
    place = os.path.join(folder, "memory.db")
    os.mkdir(folder, 0o700)
    try:
        return open_at(place) if _copy(os.path.realpath(path), place) else None
    finally:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)


def _copy(path: str, place: str) -> bool:
    """Copy file and log. A log that was not begun anew meanwhile mends whatever went over from it."""
    for _ in range(TRIES):
        before = _begins(f"{path}-wal")
        if not _bytes(f"{path}-wal", f"{place}-wal") or not _bytes(path, place):
            return False
        if _begins(f"{path}-wal") == before:
            return True
    return False


def _begins(log: str) -> bytes:
    """Return the head of a log, which tells one from the next."""
    try:
        with open(log, "rb") as file:
            return file.read(32)
    except FileNotFoundError:
        return b""


def _bytes(source: str, target: str) -> bool:
    """Copy one file as it lies; one that is not there leaves none. Not one that is too large."""
    try:
        with open(source, "rb") as read:
            if os.fstat(read.fileno()).st_size > LIMIT:
                return False
            with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as write:
                while piece := read.read(1 << 20):
                    write.write(piece)
    except FileNotFoundError:
        if os.path.exists(target):
            os.unlink(target)
        return source.endswith("-wal")
    return True
