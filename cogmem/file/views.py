"""The views for people: laid into the file, or seen by one connection alone.

A new file is without them, since to parse them takes a hook a third of its time with SQLite. Every command of the
command line lays them into its file, where clients that know nothing of cogmem find them; a process that asks for one
in a file without gets them on its own connection.
"""

from __future__ import annotations

from cogmem.errors import DiskFull
from cogmem.file import sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

THERE = (
    "select count(*) from sqlite_schema"
    " where type = 'view' and name in ('guide', 'belief', 'semantic_memory')"
)
_IS_SEEN = "select 1 from sqlite_temp_schema where name = ?"


def show(db: Any) -> bool:
    """Lay schema/views into the file of a database; False: they are there, or it cannot be written."""
    if db.read_only or db.is_of_cluster or db.ask(THERE)[0][0] == 3:
        return False

    def body(connection: Any) -> None:
        if connection.execute(THERE).fetchall()[0][0] < 3:
            look_away(connection)
            lay(connection)

    try:
        db.transact(body)
    except DiskFull:  # who came to read can do without
        return False
    return True


def lay(connection: Any) -> None:
    """Make the views within the transaction that is open, and note that they are there."""
    from cogmem.file import layout

    version = sql.derived_version()
    for statement in _all():
        kind = statement.split(None, 2)[1]
        text = layout.for_nobody(statement)
        connection.execute(
            text.replace(f"create {kind} ", f"create {kind} if not exists ", 1)
        ).fetchall()
        connection.execute(
            "insert into derivation (type, name, version) values (?, ?, ?)",
            (*sql.made(statement)[:2], version),
        )


def look(connection: Any) -> None:
    """Make the views of this connection alone, as far as it has none."""
    for statement in _all():
        kind = statement.split(None, 2)[1]
        text = statement.replace(f"create {kind} ", f"create temp {kind} if not exists ", 1)
        connection.execute(text).fetchall()


def look_away(connection: Any) -> None:
    """Drop the views of this connection alone: they would stand before those of the file."""
    for statement in _all():
        kind, name, _ = sql.made(statement)
        connection.execute(f"drop {kind} if exists temp.{name}")


def wanted(error: Exception, connection: Any) -> str:
    """Say what helps a statement that failed: "look", "file" (a person's own view asks), "" (no view of ours)."""
    _, said, name = str(error).partition("no such table: ")
    bare = name.removeprefix("main.").strip()
    if not said or not any(one.startswith(f"create view {bare} ") for one in _all()):
        return ""
    if bare != name.strip():
        return "file"
    return "" if connection.execute(_IS_SEEN, (bare,)).fetchall() else "look"


def _all() -> list[str]:
    return [one for _, text in sql.script("views") for one in sql.statements(text)]
