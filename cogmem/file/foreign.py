"""Reads the tables of another program's SQLite file, and changes nothing in it.

The file may be in use: it is opened for reading, and where even that needs a place to write beside it
(a log without its index, a folder that nobody may write to), it is read as it lies.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEADER = b"SQLite format 3\0"
MOST = 200_000  # rows of one table
WAIT = 2.0  # seconds for the program that writes


class Unreadable(Exception):
    """Says why a file cannot be read."""


def is_database(path: str) -> bool:
    """Whether a file begins as SQLite's files do."""
    try:
        with open(path, "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except OSError:
        return False


def tables(path: str, names: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """The rows of these tables, in the order in which they were written; tables that are missing are left out."""
    address = "file:" + os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace(
        "#", "%23"
    )
    fault: Exception | None = None
    for how in ("mode=ro", "mode=ro&immutable=1"):
        try:
            with closing(sqlite3.connect(f"{address}?{how}", uri=True, timeout=WAIT)) as file:
                return _read(file, names)
        except sqlite3.Error as error:
            fault = error
    raise Unreadable(str(fault))


def _read(file: sqlite3.Connection, names: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    file.row_factory = sqlite3.Row
    file.text_factory = lambda data: data.decode("utf-8", "replace")
    held = {row[0] for row in file.execute("select name from sqlite_schema where type = 'table'")}
    return {
        name: [
            dict(row) for row in file.execute(f'select * from "{name}" order by rowid limit {MOST}')
        ]
        for name in names
        if name in held
    }
