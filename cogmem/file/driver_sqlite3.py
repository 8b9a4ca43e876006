"""What only Python's sqlite3 has: the fallback, and the proof that the file is plain. driver_apsw has the
same functions."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def connect(path: str, read_only: bool, busy_ms: int, lies_still: bool = False) -> Any:
    """Return a connection as cogmem wants it, whatever the file is."""
    target = f"{Path(os.path.abspath(path)).as_uri()}?mode={'ro' if read_only else 'rwc'}"
    if lies_still:
        target += "&immutable=1"
    if path == ":memory:":
        target = ":memory:"
    connection = sqlite3.connect(
        target, uri=True, isolation_level=None, check_same_thread=False, timeout=busy_ms / 1000
    )
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, True)
    return connection


def leave_log(_connection: Any) -> None:
    """Do nothing: closing always moves the log into the file."""


def wait(connection: Any, ms: int) -> None:
    """Tell how long this connection waits for a lock."""
    connection.execute(f"pragma busy_timeout = {int(ms)}")


def in_transaction(connection: Any) -> bool:
    """Tell whether one is open, to read or to write."""
    return bool(connection.in_transaction)


def rows_written(connection: Any) -> int:
    """Return how many this connection wrote since it was opened, whatever wrote them."""
    return int(connection.total_changes)


def rows_changed(_connection: Any, cursor: Any) -> int:
    """Return how many the latest statement itself changed, without its triggers."""
    return max(int(cursor.rowcount), 0)


def fill_from(connection: Any, source: Any) -> None:
    """Put another database in the place of this one, at one stroke for everybody who has it open."""
    source.backup(connection)


def column_names(cursor: Any) -> list[str]:
    """Return the names of the columns that a statement returns."""
    return [column[0] for column in cursor.description]


def tokenizer(_connection: Any, how: str) -> Callable[[str], list[str]]:
    """Return what splits a text as the search index does; `how` is porter (with stems) or unicode61. sqlite3 does not
    lend its tokenizers, so a private table in memory does the same, more slowly."""
    scratch = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    prefix = "porter " if how == "porter" else ""
    scratch.execute(
        f"create virtual table word using fts5 (text, tokenize = '{prefix}unicode61 remove_diacritics 2')"
    )
    scratch.execute("create virtual table place using fts5vocab (word, instance)")

    def tokens(text: str) -> list[str]:
        scratch.execute("delete from word")
        sound = text.encode("utf-8", "replace").decode("utf-8")
        scratch.execute("insert into word (text) values (?)", (sound,))
        return [row[0] for row in scratch.execute("select term from place order by offset")]

    return tokens
