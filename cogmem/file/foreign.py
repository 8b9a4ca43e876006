"""Reads the tables of another program's SQLite file with Python's own driver.

The file may be in use: it is opened for reading, and where even that needs a place to write beside it
(a log without its index, a folder that nobody may write to), it is read as it lies.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Found = TypeVar("Found")

HEADER = b"SQLite format 3\0"
MOST = 200_000  # rows of one table
WAIT = 2.0  # seconds for the program that writes


class Unreadable(OSError):
    """Says why a file cannot be read."""


def is_database(path: str) -> bool:
    """Tell whether a file begins as SQLite's files do."""
    try:
        with open(path, "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except (OSError, ValueError):
        return False


def tables(path: str, names: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of these tables in the order of their writing; tables that are missing are left out."""
    return _opened(path, lambda file: _read(file, names))


def between(path: str, table: str, column: str, least: str, most: str) -> list[dict[str, Any]]:
    """Return the rows whose column lies from one text to another, in its order; none where there is no such table."""

    def read(file: sqlite3.Connection) -> list[dict[str, Any]]:
        if table not in _names(file):
            return []
        place = f'"{table}" where "{column}" between ? and ? order by "{column}", rowid'
        return [dict(row) for row in file.execute(f"select * from {place}", (least, most))]

    return _opened(path, read)


def lengths(
    path: str, table: str, column: str, value: str, begins: str, size: int
) -> dict[str, int]:
    """Tell how long a column is in all, by so many characters of another one that follow a beginning."""

    def read(file: sqlite3.Connection) -> dict[str, int]:
        if table not in _names(file):
            return {}
        name = f'substr("{column}", {len(begins) + 1}, {size})'
        found = file.execute(
            f'select {name}, sum(length("{value}")) from "{table}"'
            f' where "{column}" >= ? and "{column}" < ? group by 1',
            (begins, f"{begins}\U0010ffff"),
        )
        return {row[0]: row[1] or 0 for row in found}

    return _opened(path, read)


def _opened(path: str, read: Callable[[sqlite3.Connection], Found]) -> Found:
    address = Path(os.path.abspath(path)).as_uri()
    fault: Exception | None = None
    for how in ("mode=ro", "mode=ro&immutable=1"):
        try:
            with closing(sqlite3.connect(f"{address}?{how}", uri=True, timeout=WAIT)) as file:
                file.row_factory = sqlite3.Row
                file.text_factory = lambda data: data.decode("utf-8", "replace")
                return read(file)
        except sqlite3.Error as error:
            fault = error
    raise Unreadable(str(fault))


def _names(file: sqlite3.Connection) -> set[str]:
    return {row[0] for row in file.execute("select name from sqlite_schema where type = 'table'")}


def _read(file: sqlite3.Connection, names: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    held = _names(file)
    text = 'select * from "{}" order by rowid limit {}'
    there = (name for name in names if name in held)
    return {name: [dict(row) for row in file.execute(text.format(name, MOST))] for name in there}
