"""Triggers that are not cogmem's: they rest while cogmem writes.

Any client may leave one, in a file that was sent by a stranger too: it could refuse what is learned, change it, or
never end. So a write takes them out of the schema and puts them back before it commits, all in its one transaction.
Whose they are a file cannot say of itself: a person accepts own ones (`cogmem doctor --accept`), noted outside it.
"""

from __future__ import annotations

from functools import cache

from cogmem.errors import DatabaseProblem
from cogmem.file import last_seen, sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST_NAME = 64


def _digest(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def _ours() -> frozenset[str]:
    """Return the names of all triggers and views that schema/ makes, read once in a process."""
    made = sql.makes("tables", "derived", "views")
    return frozenset(name for kind, name in made if kind in ("trigger", "view"))


def of(ask: Callable[..., list[tuple[Any, ...]]], kind: str) -> list[tuple[str, str, str]]:
    """Triggers or views that are not cogmem's: name, table and text of each."""
    ours = _ours()
    text = (
        "select name, tbl_name, sql from sqlite_schema where type = :kind and sql is not null"
        " order by name"
    )
    return [row for row in ask(text, {"kind": kind}) if row[0] not in ours]


def unaccepted(ask: Callable[..., list[tuple[Any, ...]]], path: str) -> list[tuple[str, str, str]]:
    """Triggers that nobody said are meant."""
    known = None if path == ":memory:" else last_seen.seen(path)
    own = known.own if known else ()
    return [row for row in of(ask, "trigger") if _digest(row[2]) not in own]


def accept(ask: Callable[..., list[tuple[Any, ...]]], path: str) -> None:
    """Accept, on a person's word, the triggers that are there now."""
    found = of(ask, "trigger")
    if found:
        last_seen.meant(path, own=[_digest(text) for _, _, text in found])


def rest(connection: Any, path: str) -> list[str]:
    """Take them out of the schema for the transaction under way; what makes each again."""

    def ask(text: str, params: dict[str, str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = connection.execute(text, params).fetchall()
        return found

    texts = []
    for name, _, text in unaccepted(ask, path):
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
    """Return a name as it may be shown: it is the stranger's word, too."""
    if name.isascii() and name.isidentifier() and len(name) <= LONGEST_NAME:
        return name
    return "with an odd name" + (f", on {table}" if table.isidentifier() else "")
