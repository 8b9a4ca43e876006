"""One frozen view of a living file, for work that reads for long: check, export, copies.

A second, read-only connection holds one read transaction, so that many small reads see one state
while others go on writing. A memory without a file, or whose disk is full, cannot be opened twice; it is
read as it is.
"""

from __future__ import annotations

from contextlib import contextmanager

from cogmem.file.db import Database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def file_of(db: Database) -> str:
    """Return the absolute path of the file that is open; empty for a memory without a file."""
    path: str = db.ask("pragma database_list")[0][2]  # as SQLite found it: a link is followed
    return path


@contextmanager
def snapshot(db: Database) -> Iterator[Database]:
    """Hold the state of a space at this instant."""
    path = file_of(db)
    if not path or db.is_alone:
        yield db
        return
    frozen = Database(path, driver=db.driver, read_only=True)
    try:
        frozen.ask("begin")
        frozen.ask("pragma schema_version")  # a transaction begins with its first read
        yield frozen
    finally:
        frozen.close()
