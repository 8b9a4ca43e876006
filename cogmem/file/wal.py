"""The log of a process that writes much: how Linux shall keep it, so that checkpoints wait less.

SQLite knows nothing of this. Loaded at the hundredth commit: docs/decisions.md, “A long log is laid out”.
"""

from __future__ import annotations

import os
import sys

# Bytes of a log of db.LOG_OF_MANY pages, with what goes beyond before a checkpoint.
LAID_OUT = 17 << 20
PIECE = 64 << 10  # bytes; with larger ones each write of a page takes longer
_BEGIN_TO_WRITE = 2  # SYNC_FILE_RANGE_WRITE of Linux: waits for nothing


def lay_out(log_path: str) -> None:
    """Give the log its length, while this process holds the lock for writing. Linux keeps in one piece what was
    written in one. A log that grew page by page takes twice as long to bring to the disk, which is a fifth of what a
    write costs. Nobody adds to the log meanwhile, and what stands behind its last transaction is never read."""
    try:
        with open(log_path, "r+b", buffering=0) as log:
            end = log.seek(0, os.SEEK_END)
            try:
                for _ in range(end, LAID_OUT, PIECE):
                    log.write(bytes(PIECE))
            except OSError:  # the disk is full: what is left of it is for what is to be stored
                log.truncate(end)
    except OSError:
        pass  # there is no log of this name


def send_ahead(log_path: str) -> None:
    """Let the disk begin with what was added to the log, while more is added. A checkpoint waits until the log is on
    the disk, and then finds most of it there. This is a hint to Linux, no more: SQLite still asks for all of it and
    is told of every fault."""
    if sys.platform != "linux":
        return
    try:
        import ctypes

        begin = ctypes.CDLL(None).sync_file_range
        with open(log_path, "rb", buffering=0) as log:
            whole = ctypes.c_int64(0)
            begin(log.fileno(), whole, whole, _BEGIN_TO_WRITE)
    except (ImportError, AttributeError, OSError):
        pass  # a Python or a C library without it, or no log of this name
