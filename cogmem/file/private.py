"""Reads a file that is one, and writes one whole or not at all; of ones that only their owner may read most.

The draft beside it is made anew: a link that waits under its name is never written through.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO


def write_private(path: str, text: str) -> None:
    """Put a text in the place of a file, in a folder that is made if it is missing."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    write_whole(path, [text.encode()])


def write_whole(path: str, pieces: Iterable[bytes], mode: int = 0o600) -> None:
    """Put these bytes in the place of a file once all of them are there. A new file gets `mode` less the umask."""
    draft = f"{path}.partial-{os.getpid()}"
    with suppress(FileNotFoundError):  # of a process of that number that was killed
        os.unlink(draft)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    handle = os.open(draft, flags, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def take_away(path: str) -> None:
    """Remove a database that was in the making, with what SQLite keeps beside it."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(OSError):
            os.unlink(name)


def take_away_abandoned(pattern: str, seconds: float) -> None:
    """Remove what is unfinished of files whose names fit and was not written to for so long: its maker was killed."""
    from glob import glob

    for draft in glob(f"{pattern}.partial-*"):
        with suppress(OSError):
            if time.time() - os.stat(draft).st_mtime > seconds:
                take_away(draft)


def plain_file(path: str, most: int, *, follows: bool = True) -> BinaryIO:
    """Return a file to read, if it is one: no pipe that never ends, nothing endless, no link unless it follows."""
    names = ("O_NONBLOCK", "O_BINARY", *(() if follows else ("O_NOFOLLOW",)))
    flags = sum(getattr(os, name, 0) for name in names)
    try:
        handle = os.open(path, os.O_RDONLY | flags)
    except ValueError:  # a NUL byte in the path
        raise OSError(errno.EINVAL, "not a possible file name", path) from None
    try:
        its = os.fstat(handle)
        if not stat.S_ISREG(its.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        if its.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most // 1024} KiB", path)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
