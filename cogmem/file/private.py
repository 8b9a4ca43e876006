"""Reads a file that is one, and writes one that only its owner may read, whole or not at all.

The draft beside it is made anew: a link that waits under its name is never written through.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def write_private(path: str, text: str) -> None:
    """Put a text in the place of a file, in a folder that is made if it is missing."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}.tmp"
    with suppress(FileNotFoundError):  # of a process of that number that was killed
        os.unlink(draft)
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def take_away(path: str) -> None:
    """Remove a database that was in the making, with what SQLite keeps beside it."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(OSError):
            os.unlink(name)


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
