"""What only apsw has: its own, fixed SQLite, the default. driver_sqlite3 has the same functions.

On the path of every hook, so it loads apsw in the way that is quick.
"""

from __future__ import annotations

import _collections_abc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _load() -> Any:
    """apsw without the package collections, which takes longer to load than apsw itself. All that apsw
    wants of it is one class of collections.abc, and that is here."""
    if "apsw" not in sys.modules and "collections" not in sys.modules:
        sys.modules["collections"] = sys.modules["collections.abc"] = _collections_abc
        try:
            import apsw
        except Exception:  # another version wants more, and gets the whole below
            pass
        finally:
            del sys.modules["collections"], sys.modules["collections.abc"]
    import apsw

    return apsw


apsw = _load()


def connect(path: str, read_only: bool, busy_ms: int, lies_still: bool = False) -> Any:
    """Return a connection as cogmem wants it, whatever the file is."""
    if read_only:
        flags = apsw.SQLITE_OPEN_READONLY
    else:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    if lies_still:
        from pathlib import Path

        path = f"{Path(path).as_uri()}?immutable=1"
        flags |= apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(path, flags=flags)
    connection.set_busy_timeout(busy_ms)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    # Otherwise each new value of a parameter may be reason to plan a statement anew, which takes
    # five times as long as to run it.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    # A crafted file must not run functions of ours. The sqlite3 driver leaves this on: up to 3.40
    # SQLite counts json_valid() among the unsafe functions, and our own constraints would fail.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    return connection


def leave_log(connection: Any) -> None:
    """Closing shall not move the log into the file."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def wait(connection: Any, ms: int) -> None:
    """Tell how long this connection waits for a lock."""
    connection.set_busy_timeout(ms)


def in_transaction(connection: Any) -> bool:
    """Tell whether one is open, to read or to write."""
    return not connection.get_autocommit()


def rows_written(connection: Any) -> int:
    """Return how many this connection wrote since it was opened, whatever wrote them."""
    return int(connection.total_changes())


def rows_changed(connection: Any, _cursor: Any) -> int:
    """Return how many the latest statement itself changed, without its triggers."""
    return int(connection.changes())


def fill_from(connection: Any, source: Any) -> None:
    """Put another database in the place of this one, at one stroke for everybody who has it open."""
    with connection.backup("main", source, "main") as copy:
        while not copy.done:
            copy.step(-1)


def column_names(cursor: Any) -> list[str]:
    """Return the names of the columns that a statement returns."""
    try:
        return [column[0] for column in cursor.get_description()]
    except apsw.ExecutionCompleteError:  # no rows, so nobody will look at the names
        return []


def tokenizer(connection: Any, how: str) -> Callable[[str], list[str]]:
    """Return what splits a text as the search index does; `how` is porter (with stems) or unicode61."""
    split = connection.fts5_tokenizer(
        how,
        ["unicode61", "remove_diacritics", "2"] if how == "porter" else ["remove_diacritics", "2"],
    )
    reason = apsw.FTS5_TOKENIZE_DOCUMENT

    def tokens(text: str) -> list[str]:
        data = text.encode("utf-8", "replace")
        found: list[str] = split(data, reason, None, include_offsets=False, include_colocated=False)
        return found

    return tokens
