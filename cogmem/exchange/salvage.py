"""Saves what a damaged file still holds into a new one.

The damaged file is only read, and only a copy of it. Each table is read by its keys from both ends; what SQLite
cannot reach is looked for page by page (`pages`). The rows go into a fresh memory as they are, with their numbers;
search, views and cached values are made anew. Rows that refer to something that was not found are left out and
counted: the layer of a memory is nothing without the memory.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from contextlib import closing, suppress

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.file import making, sql
from cogmem.file.db import Database
from cogmem.file.pages import Pages, cells
from cogmem.file.pristine import pristine
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.pristine import Column

    Row = dict[str, Any]
    Rows = dict[tuple[Any, ...], Row]  # by primary key

LEFT_NEW = ("context", "seal")
ROUNDS = 20  # dangling rows may be chained; each round leaves one link out


class Salvaged(Record):
    """What was brought into the new file: rows by table, and those that could not stay."""

    source: str
    target: str
    rows: dict[str, int]
    left_out: dict[str, int]


def salvage(source: str, target: str) -> Salvaged:
    """Read what can be read of a damaged memory into a new file; the damaged one stays as it is."""
    if not os.path.isfile(source):
        raise InvalidInput(f"{source} is not a file: name the damaged memory, or the one set aside")
    if os.path.lexists(target):
        raise InvalidInput(f"{target} exists: name a new file")
    with tempfile.TemporaryDirectory(prefix="cogmem-salvage-") as scratch:
        copy = os.path.join(scratch, "damaged.db")
        shutil.copyfile(source, copy)
        if os.path.isfile(f"{source}-wal"):
            shutil.copyfile(f"{source}-wal", f"{copy}-wal")
        found, is_whole = _reached(copy)
        strays = [] if is_whole else _looked_for(copy, found)
    if not strays and not any(found.values()):
        raise DatabaseProblem(f"{source} holds nothing that can be read: restore a backup")
    taken, left_out = _written(found, strays, target)
    return Salvaged(source, target, taken, left_out)


def _reached(copy: str) -> tuple[dict[str, Rows], bool]:
    """Return what SQLite itself can read, table by table, and whether that was all."""
    found: dict[str, Rows] = {}
    is_whole = True
    try:
        db = Database(copy)
    except CogmemError:
        return found, False
    with suppress(CogmemError):
        db.ask("pragma writable_schema = on")  # or a file that is too short is refused as a whole
        db.ask("pragma cell_size_check = on")
    for table in pristine().tables:
        found[table] = {}
        if not _read_on(db, table, "", found[table]):
            is_whole = False
            _read_on(db, table, " desc", found[table])
    with suppress(CogmemError):
        db.close()
    return found, is_whole


def _read_on(db: Database, table: str, order: str, rows: Rows) -> bool:
    """Read a table from one end until it ends, or cannot be read further; say which."""
    columns, keys = pristine().tables[table], pristine().keys(table)
    listed = ", ".join(f"{sql.quoted(key)}{order}" for key in keys)
    try:
        names = [row[1] for row in db.ask(f"pragma table_xinfo({sql.quoted(table)})")]
        given = [name for name in names if name in columns]
        if not set(keys) <= set(given):
            return True
        wanted = ", ".join(map(sql.quoted, given))
        text = f"select {wanted} from {sql.quoted(table)} order by {listed}"
        for values in db.connection.execute(text):
            row = dict(zip(given, values, strict=True))
            if _fits(row, columns):
                rows.setdefault(tuple(row[key] for key in keys), row)
    except Exception:  # whatever SQLite says of a broken page: this is as far as it goes
        return False
    return True


def _looked_for(copy: str, found: dict[str, Rows]) -> list[list[tuple[str, Row]]]:
    """Return what only the pages still hold: for each row, the tables that it may be of."""
    tables = pristine().tables
    by_length: dict[int, list[tuple[str, str]]] = {}
    for table, columns in tables.items():
        keys = pristine().keys(table)
        if table not in LEFT_NEW and len(keys) == 1 and columns[keys[0]].type == "INTEGER":
            by_length.setdefault(len(columns), []).append((table, keys[0]))
    strays = []
    with closing(Pages(copy)) as pages:
        for rowid, values in cells(pages):
            may_be: list[tuple[str, Row]] = []
            for table, key in by_length.get(len(values), ()):
                row = dict(zip(tables[table], values, strict=True))
                if row[key] is None:  # it is the rowid, and stands there alone
                    row[key] = rowid
                    if (rowid,) in found.get(table, {}):
                        may_be = []
                        break
                    if _fits(row, tables[table]):
                        may_be.append((table, row))
            if may_be:
                strays.append(may_be)
    return strays


def _fits(row: Row, columns: dict[str, Column]) -> bool:
    for name, value in row.items():
        wanted = columns[name].python_type
        if value is None:
            if columns[name].is_required:
                return False
        elif wanted is float:
            if not isinstance(value, (int, float)):
                return False
        elif not isinstance(value, wanted or bytes):
            return False
    return True


def _written(
    found: dict[str, Rows], strays: list[list[tuple[str, Row]]], target: str
) -> tuple[dict[str, int], dict[str, int]]:
    """Return a new memory of these rows: how many of each table came in, and how many had to stay out."""
    taken: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    fresh = pristine()
    tables = fresh.tables

    def put(connection: Any, table: str, row: Row) -> bool:
        whole = {**fresh.defaults[table], **row}
        keys = " and ".join(f"{sql.quoted(key)} = :{key}" for key in fresh.keys(table))
        connection.execute("savepoint one")
        try:
            # Rows that every new file has: the policy of the damaged one goes before.
            connection.execute(f"delete from {sql.quoted(table)} where {keys}", whole)
            connection.execute(fresh.insert(table), whole)
        except Exception:  # a rule of the table: whatever this was, it is not a row of it
            connection.execute("rollback to one")
            connection.execute("release one")
            return False
        connection.execute("release one")
        taken[table] += 1
        return True

    def fill(connection: Any) -> None:
        # The context is new in every file, and what was sealed is not what is left.
        for table in (name for name in tables if name not in LEFT_NEW):
            for row in found.get(table, {}).values():
                if not put(connection, table, row):
                    left_out[table] += 1
        for may_be in strays:
            for table, row in may_be:
                if put(connection, table, row):
                    break
        _complete(connection)
        # What refers to nothing goes, messages too, which only this verb may take.
        connection.execute("update context set verb = 'forget'")
        for table in _left_dangling(connection):
            left_out[table] += 1
            taken[table] -= 1
        connection.execute("update context set verb = null")

    making.make_of(target, fill)
    return dict(taken), dict(left_out)


def _complete(connection: Any) -> None:
    """Give an empty one to a memory whose row of its layer is gone: it still says what it says."""
    fresh = pristine()
    for values in connection.execute(
        "select * from memory m where not exists (select 1 from fact f where f.memory_id = m.id)"
        " and not exists (select 1 from episode e where e.memory_id = m.id)"
        " and not exists (select 1 from procedure p where p.memory_id = m.id)"
    ).fetchall():
        table, row = fresh.layer_row(dict(zip(fresh.tables["memory"], values, strict=True)))
        connection.execute(fresh.insert(table), row)


def _left_dangling(connection: Any) -> list[str]:
    gone = []
    for _ in range(ROUNDS):
        found = connection.execute("pragma foreign_key_check").fetchall()
        dangling = {(table, number) for table, number, *_ in found if number is not None}
        for table, number in sorted(dangling):
            connection.execute(f"delete from {sql.quoted(table)} where rowid = ?", (number,))
            gone.append(table)
        if not dangling:
            break
    return gone
