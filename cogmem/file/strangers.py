"""Triggers that are not cogmem's: they rest while cogmem writes.

Any client may leave one, in a file that was sent by a stranger too: it could refuse what is learned, change it, or
never end. SQLite can only switch all triggers off, and the history is kept by ours. So a write takes the others out
of the schema and puts them back before it commits, all in its one transaction. They run for every other client.

Whose triggers they are a file cannot say of itself. A person who wants own ones to run with cogmem's writes says so
(`cogmem doctor --accept`), and that is noted outside the file.
"""

from __future__ import annotations

from cogmem.errors import DatabaseProblem
from cogmem.file import mark
from cogmem.file.pristine import pristine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database

LONGEST_NAME = 64


def _digest(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def of(db: Database, kind: str) -> list[tuple[str, str, str]]:
    """Triggers or views that are not cogmem's: name, table and text of each."""
    ours = pristine(db.driver).objects
    found = db.ask(
        "select name, tbl_name, sql from sqlite_schema where type = :kind and sql is not null order by name",
        {"kind": kind},
    )
    return [(name, table, text) for name, table, text in found if (kind, name) not in ours]


def unaccepted(db: Database) -> list[tuple[str, str, str]]:
    """Triggers that nobody said are meant."""
    known = None if db.path == ":memory:" else mark.seen(db.path)
    own = known.own if known else ()
    return [row for row in of(db, "trigger") if _digest(row[2]) not in own]


def accept(db: Database) -> None:
    """A person says that the triggers that are there now are meant."""
    found = of(db, "trigger")
    if found:
        mark.owned(db.path, [_digest(text) for _, _, text in found])


def rest(db: Database, connection: Any) -> list[str]:
    """Take them out of the schema for the transaction under way; what makes each again."""
    texts = []
    for name, _, text in unaccepted(db):
        connection.execute('drop trigger "{}"'.format(name.replace('"', '""')))
        texts.append(text)
    return texts


def wake(connection: Any, texts: list[str]) -> None:
    """Put them back, each by one statement: what a crafted text holds behind it is not run."""
    for text in texts:
        if not text.lstrip().lower().startswith("create"):
            raise DatabaseProblem(
                "a trigger that is not cogmem's cannot be put back: nothing was stored; drop it with another client"
            )
        _run_first(connection, text)


def _run_first(connection: Any, text: str) -> None:
    cursor = connection.cursor()
    if hasattr(cursor, "exec_trace"):  # apsw would run all that the text holds
        begun = []

        def is_first(*_: object) -> bool:
            begun.append(True)
            return len(begun) == 1

        cursor.exec_trace = is_first
    cursor.execute(text)


def told(name: str, table: str) -> str:
    """A name as it may be shown: it is the stranger's word, too."""
    is_name = name.isascii() and name.isidentifier() and len(name) <= LONGEST_NAME
    return (
        name
        if is_name
        else f"with an odd name, on {table}"
        if table.isidentifier()
        else "with an odd name"
    )
