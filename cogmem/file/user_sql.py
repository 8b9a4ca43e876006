"""A person's own SQL over the file: read-only, within a time and a number of rows.

It runs on a connection of its own that cannot write. An authorizer lets pass what a query needs and
nothing else: no ATTACH, no extension, no PRAGMA but those that describe.
"""

from __future__ import annotations

import os
import time

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Bytes of the longest value, and of all texts and blobs of an answer together: a query cannot fill
# the machine's memory.
_LENGTH = 64 << 20
_DESCRIBING = {
    "application_id", "collation_list", "compile_options", "data_version", "database_list",
    "foreign_key_list", "freelist_count", "function_list", "index_info", "index_list", "index_xinfo",
    "journal_mode", "page_count", "page_size", "schema_version", "table_info", "table_list",
    "table_xinfo", "user_version",
}  # fmt: skip
_WITH_ARGUMENT = {name for name in _DESCRIBING if name.endswith(("_info", "_xinfo", "_list"))}


class Answer(Record):
    """The rows of a query; `is_cut` says that there were more than asked for."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    is_cut: bool


def query(path: str, text: str, *, seconds: float = 5.0, rows: int = 1000) -> Answer:
    """Return the answer to one statement that only reads."""
    import apsw

    if not os.path.isfile(path):
        raise InvalidInput("a memory without a file cannot be opened a second time, read-only")
    if not text.strip():
        raise InvalidInput("there is no SQL to run")
    connection = _reader(path, seconds)
    try:
        columns = _heed_one_statement(connection)
        return _rows(connection.cursor().execute(text), columns, rows)
    except apsw.InterruptError:
        raise InvalidInput(
            f"the query took longer than {seconds:g} s: narrow it, or allow more with --seconds"
        ) from None
    except apsw.AuthError:
        raise InvalidInput("only statements that read are allowed here") from None
    except apsw.ExecTraceAbort:
        raise InvalidInput("give one statement at a time") from None
    except apsw.TooBigError:
        raise InvalidInput(f"a value is longer than {_LENGTH >> 20} MiB") from None
    except apsw.SQLError as error:
        raise InvalidInput(f"SQLite does not understand this: {error}") from None
    except apsw.Error as error:
        raise DatabaseProblem(f"the query failed: {error}") from error
    finally:
        connection.close()


def _reader(path: str, seconds: float) -> Any:
    """Return a connection that reads, for so long at the most, and does nothing else."""
    import apsw

    from cogmem.file import driver_apsw
    from cogmem.file.connection import lies_still

    deadline = time.monotonic() + seconds
    try:
        connection = driver_apsw.connect(
            os.path.abspath(path), True, int(seconds * 1000), lies_still(path)
        )
    except apsw.Error as error:
        raise DatabaseProblem(f"{path} cannot be read: {error}") from error
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 1)  # people write "fact" for 'fact'
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LENGTH)
    connection.execute("pragma temp_store = memory")
    if not connection.execute("select 1 from sqlite_schema where name = 'guide'").fetchall():
        from cogmem.file import views

        views.look(connection)
    connection.authorizer = _may
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 1000)
    return connection


def _may(action: int, first: str | None, second: str | None, *_: object) -> int:
    import apsw

    if action == apsw.SQLITE_FUNCTION:
        is_allowed = second not in ("load_extension", "writefile", "edit")
    elif action == apsw.SQLITE_PRAGMA and first in _DESCRIBING:
        is_allowed = second is None or first in _WITH_ARGUMENT
    else:
        is_allowed = action in (apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE)
    return int(apsw.SQLITE_OK if is_allowed else apsw.SQLITE_DENY)


def _heed_one_statement(connection: Any) -> list[str]:
    """Stops before a second statement. The list gets the names of the columns when the first begins."""
    begun: list[None] = []
    columns: list[str] = []

    def begins(cursor: Any, *_: object) -> bool:
        begun.append(None)
        if len(begun) == 1:
            columns.extend(column[0] for column in cursor.get_description())
        return len(begun) == 1

    connection.exec_trace = begins
    return columns


def _rows(cursor: Any, columns: list[str], most: int) -> Answer:
    found: list[tuple[Any, ...]] = []
    left = _LENGTH
    for row in cursor:
        left -= sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if len(found) == most or left < 0:
            return Answer(columns, found, True)
        found.append(row)
    return Answer(columns, found, False)
