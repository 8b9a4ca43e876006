"""Reads around text whose bytes are no UTF-8: a flipped bit in one cell costs that cell, not the answer.

apsw refuses such a value with the whole statement. A second look with Python's own driver puts U+FFFD
in the place of what cannot be read; `check` names the cell.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def rows(
    path: str, text: str, params: Mapping[str, Any]
) -> tuple[list[str], list[tuple[Any, ...]]] | None:
    """Return columns and rows of a statement that reads; None where this look cannot answer either."""
    import sqlite3
    from contextlib import closing
    from pathlib import Path

    try:
        with closing(sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="replace")
            cursor = connection.execute(text, params)
            found = cursor.fetchall()
            return [column[0] for column in cursor.description or ()], found
    except (sqlite3.Error, OverflowError, UnicodeError):
        return None
