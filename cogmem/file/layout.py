"""How a new file is laid out so that an empty one is small, and nobody who reads it misses anything.

Pages are small, since each table and index takes one. The text of the schema is set close; triggers and the views
that nobody is meant to read (`inside_…`) leave their comments in schema/. Rows that come with a new file stand in
an order in which they fill their pages: SQLite puts a row behind the last one, and a page stays half empty before a
long one.
"""

from __future__ import annotations

import re
from functools import cache

from cogmem.file.sql import made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

PAGE_SIZE = 512  # bytes
_PIECE = re.compile(r"('(?:[^']|'')*')|(\s*)(--[^\n]*)|(\s+)")
_LITERAL = re.compile(r"('(?:[^']|'')*')")
_LOOSE = re.compile(r" *([,=()]) *")


@cache
def close_set(statement: str) -> str:
    """Return a statement as the file keeps it. Literals stay to the letter, and comments."""
    if not statement.startswith("create ") or statement.startswith("create virtual "):
        return statement  # rows; what stands between the brackets is the module's own
    return _PIECE.sub(_with_comment, statement)


@cache
def for_nobody(statement: str) -> str:
    """Return a statement of schema/derived. What nobody is meant to read is kept without comments and margins:
    triggers, the views `inside_…`, and tables that hold what others say."""
    if statement.startswith(("create trigger ", "create view inside_", "create table ")):
        parts = _LITERAL.split(_PIECE.sub(_alone, statement).replace("\n)", ")"))
        parts[::2] = [_LOOSE.sub(r"\1", part) for part in parts[::2]]
        return "".join(parts)
    return close_set(statement)


def _with_comment(found: re.Match[str]) -> str:
    literal, before, comment, blank = found.groups()
    if literal:
        return str(literal)
    return ("\n" if "\n" in (before or blank or "") else " ") + (comment or "")


def _alone(found: re.Match[str]) -> str:
    literal, _, comment, blank = found.groups()
    return str(literal) if literal else "" if comment else "\n" if "\n" in blank else " "


def filling(sizes: Sequence[int], after: Sequence[object] = ()) -> list[int]:
    """Return the order in which rows of these sizes fill pages: the longest that still fits comes next. Rows for
    which `after` says the same keep their order among themselves."""
    shares = [_share(size) for size in sizes]
    waiting: dict[object, list[int]] = {}
    for place in reversed(range(len(sizes))):
        waiting.setdefault(after[place] if after else place, []).append(place)
    order: list[int] = []
    room = 0
    while waiting:
        heads = [(shares[places[-1]], name) for name, places in waiting.items()]
        fitting = [head for head in heads if head[0] <= room]
        if not fitting:
            fitting, room = heads, PAGE_SIZE - 8
        share, name = max(fitting, key=lambda head: head[0])
        order.append(waiting[name].pop())
        room -= share
        if not waiting[name]:
            del waiting[name]
    return order


def _share(size: int) -> int:
    """Return what a row of this size takes of a page; the rest of a long one has pages of its own."""
    most, least = PAGE_SIZE - 35, (PAGE_SIZE - 12) * 32 // 255 - 23
    if size > most:
        here = least + (size - least) % (PAGE_SIZE - 4)
        size = (here if here <= most else least) + 4
    return size + 6  # its length, its number and its place in the page


def _size(row: Iterable[Any]) -> int:
    size = 1
    for value in row:
        if isinstance(value, str):
            length = len(value.encode())
            size += length + (1 if length < 58 else 2)
        else:
            size += 9 if isinstance(value, float) else 2
    return size


@cache
def in_order(derived: tuple[str, ...], durable: tuple[str, ...] = ()) -> list[str]:
    """Return the statements that follow the tables: those of schema/derived, and in a new file the indexes and
    triggers of its tables. Views for people come first, in their order, with indexes between them as they fill the
    pages; then what is filled; then the triggers, which would fire meanwhile. SQLite runs those of one table in their
    order."""
    views: list[tuple[str, str]] = []  # what it keeps its order with, the statement
    filled: list[str] = []
    triggers: list[tuple[str, str]] = []
    for statement in map(close_set, durable):
        kind, name, owner = made(statement)
        if kind == "trigger":
            triggers.append((owner, statement))
        else:
            views.append((name, statement))
    for statement in map(for_nobody, derived):
        kind, name, owner = made(statement)
        if kind == "view" and not name.startswith("inside_"):
            views.append(("a view", statement))
        elif kind != "trigger":
            filled.append(statement)
        elif ("a view", owner) in ((after, made(view)[1]) for after, view in views):
            views.append(("a view", statement))
        else:
            triggers.append((owner, statement))
    return [*_packed(views), *filled, *_packed(triggers)]


def is_kept_back(statement: str) -> bool:
    """Tell whether a statement of schema/tables waits until the tables are there: an index or a trigger."""
    return made(statement)[0] in ("index", "trigger")


def _packed(statements: list[tuple[str, str]]) -> list[str]:
    sizes = [_size((*made(text), 0, text.rstrip(";"))) for _, text in statements]
    return [statements[place][1] for place in filling(sizes, [after for after, _ in statements])]


def fill_pages(connection: Any, table: str) -> None:
    """Put the rows of a new table in an order in which they fill its pages."""
    rows = connection.execute(f"select * from {table}").fetchall()
    connection.execute(f"delete from {table}")
    marks = ", ".join("?" * len(rows[0]))
    for place in filling([_size(row) for row in rows]):
        connection.execute(f"insert into {table} values ({marks})", rows[place])
