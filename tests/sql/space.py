"""A space in memory, made with nothing but the standard sqlite3 and the files of schema/.

The fixture `space` of tests/conftest.py gives one to a test and checks it afterwards.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cogmem.file import sql

SCHEMA = Path(__file__).resolve().parents[2] / "schema"
NOW = 1_800_000_000_000


class Space(sqlite3.Connection):
    """A space in memory, with the few gestures that the tests repeat."""

    def one(self, sql: str, *params: object) -> object:
        """The single value of a query."""
        row = self.execute(sql, params).fetchone()
        return None if row is None else row[0]

    def all(self, sql: str, *params: object) -> list[tuple[object, ...]]:
        """All rows of a query."""
        return self.execute(sql, params).fetchall()

    def remember(self, content: str = "Deploys need a green build.", **columns: object) -> int:
        """Insert a memory as a person would, naming only what matters; returns its id."""
        kind = columns.setdefault("kind", "fact")
        row = {
            "uid": f"mem_{self.one('select count(*) from change') or 0:016x}",
            "layer": self.one("select layer from kind where name = ?", kind),
            "content": content,
            "created_at": NOW,
            "updated_at": NOW,
            "reinforced_at": NOW,
            **columns,
        }
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        cursor = self.execute(f"insert into memory ({names}) values ({marks})", tuple(row.values()))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def act(self, **context: object) -> None:
        """Say who is writing, as a transaction of cogmem does first."""
        for name, value in context.items():
            self.execute(f"update context set {name} = ?", (value,))

    def found(self, match: str) -> list[object]:
        """Ids that the search index finds."""
        query = "select rowid from memory_fts where memory_fts match ? order by rowid"
        return [row[0] for row in self.all(query, match)]

    def check_derived(self) -> None:
        """What triggers keep beside the tables is what the tables say."""
        self.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
        for table in ("half_life", "fading", "baseline"):
            kept = self.all(f"select * from {table} order by 1")
            assert kept == self.all(f"select * from inside_{table}_due order by 1"), table
        assert self.all("pragma foreign_key_check") == []


def new_space() -> Space:
    """The whole schema, loaded as a stock client would load it."""
    db = sqlite3.connect(":memory:", isolation_level=None, factory=Space)
    for folder in ("tables", "derived", "views"):
        for _, text in sql.script(folder):
            db.executescript(text)
    return db
