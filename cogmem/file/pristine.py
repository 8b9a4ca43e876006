"""A fresh space, as the measure for a used one: its objects, columns, defaults and policy rows.

Made once per process in memory from schema/. `check` compares a file with it, and export and import
learn from it which columns a table has and which policy rows a person has changed.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from cogmem.errors import InvalidInput
from cogmem.file import making, sql, views
from cogmem.records import LAYER_TABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

POLICY = ("kind", "kind_alias", "setting", "gate_weight", "capture_rule")


class Column:
    """One column of a table: its type, the value it has when none is given, its place in the key."""

    def __init__(self, row: tuple[Any, ...], default: Any) -> None:
        _, self.name, self.type, is_not_null, _, self.key_place, *_ = row
        self.python_type = _PYTHON_TYPES.get(self.type)
        self.default = default
        self.is_nullable = not is_not_null and not self.key_place
        self.is_required = bool(is_not_null) and default is None


# A blob has no plain form in JSON, so no value is taken for one without a closer look.
_PYTHON_TYPES = {"TEXT": str, "INTEGER": int, "REAL": float}


class Pristine:
    """What schema/ makes of nothing."""

    def __init__(self, driver: str) -> None:
        db, _ = making.open_space(":memory:", driver=driver)
        bare = {row[:2] for row in db.ask("select type, name from sqlite_schema")}
        views.show(db)
        made = db.ask("select type, name, sql from sqlite_schema where sql is not null")
        self.objects: dict[tuple[str, str], str] = {(kind, name): text for kind, name, text in made}
        self.derived = set(db.ask("select type, name from derivation")) | {("table", "derivation")}
        self.looks = self.objects.keys() - bare  # the views for people: a file may be without
        # With a derived table go its indexes and triggers.
        self.remade = {
            its
            for its, text in self.objects.items()
            if {its, ("table", sql.made(text)[2])} & self.derived
        }
        self.tables: dict[str, dict[str, Column]] = {}
        for name in [name for kind, name in self.objects if kind == "table"]:
            if ("table", name) not in self.derived and not name.startswith("sqlite_"):
                self.tables[name] = {}
                for row in db.ask(f'pragma table_xinfo("{name}")'):
                    default = None if row[4] is None else db.ask(f"select {row[4]}")[0][0]
                    self.tables[name][row[1]] = Column(row, default)
        self.defaults: dict[str, dict[str, Any]] = {
            table: {name: column.default for name, column in columns.items()}
            for table, columns in self.tables.items()
        }
        self.required = {
            table: [name for name, column in columns.items() if column.is_required]
            for table, columns in self.tables.items()
        }
        self._texts: dict[tuple[str, ...], str] = {}
        self.policy: dict[str, dict[tuple[Any, ...], dict[str, Any]]] = {}
        for table in POLICY:
            said = db.ask(f'select * from "{table}"')
            rows = [dict(zip(self.tables[table], row, strict=True)) for row in said]
            self.policy[table] = {self.key_of(table, row): row for row in rows}
        db.close()

    def key_of(self, table: str, row: dict[str, Any]) -> tuple[Any, ...]:
        """Return the primary key of a row."""
        return tuple(row[name] for name in self.keys(table))

    def keys(self, table: str) -> list[str]:
        """Return the columns of its primary key, in their order."""
        columns = self.tables[table].values()
        keys = sorted((column.key_place, column.name) for column in columns if column.key_place)
        return [name for _, name in keys]

    def layer_row(self, memory: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the table of a memory's layer, and the row that comes there with the memory."""
        table = LAYER_TABLE[memory["layer"]]
        row = {**self.defaults[table], "memory_id": memory["id"]}
        return table, row | dict.fromkeys(self.required[table], memory["created_at"])

    def is_changed(self, table: str, row: dict[str, Any]) -> bool:
        """Tell whether a policy row is a person's own, or one that a person turned."""
        return self.policy[table].get(self.key_of(table, row)) != row

    def insert(self, table: str, names: Iterable[str] = ()) -> str:
        """SQL that inserts a row of which these columns are given; a whole row when none are named."""
        shape = (table, *names)
        known = self._texts.get(shape)
        if known is None:
            columns = self.columns(table)
            given = [name for name in shape[1:] or columns if name in columns]
            known = self._texts[shape] = 'insert into "{}" ({}) values ({})'.format(
                table,
                ", ".join(f'"{name}"' for name in given),
                ", ".join(f":{name}" for name in given),
            )
        return known

    def update(self, table: str) -> str:
        """SQL that overwrites a whole row by its primary key, and returns a row if there was one."""
        columns = self.columns(table)
        return 'update "{}" set {} where {} returning 1'.format(
            table,
            ", ".join(f'"{name}" = :{name}' for name, its in columns.items() if not its.key_place),
            " and ".join(f'"{name}" = :{name}' for name, its in columns.items() if its.key_place),
        )

    def columns(self, table: str) -> dict[str, Column]:
        """Return the columns of a durable table."""
        try:
            return self.tables[table]
        except KeyError:
            raise InvalidInput(f"there is no table {table!r} in schema/tables") from None


@cache
def pristine() -> Pristine:
    """Return the one measure of this process, made by the SQLite of apsw where that is installed."""
    return Pristine("apsw" if find_spec("apsw") else "sqlite3")
