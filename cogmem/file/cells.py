"""Cells that should hold JSON and do not: where they are, and how they are emptied.

Only damage, or a client that switched the constraints off, leaves one. Readers take it for empty (`text.cell`).
"""

from __future__ import annotations

from cogmem.file import sql
from cogmem.file.db import Database
from cogmem.file.pristine import pristine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cogmem.file.db import Step

FEW = 20  # of each column are named
# JSON that no constraint asks for.
_BESIDE = (
    ("change", "before"),
    ("change", "after"),
    ("message", "parts"),
    ("activation", "files"),
    ("receipt", "removed"),
)
PAST = ("change", "receipt", "seal")  # what is sealed is not mended


class Cell:
    """A broken cell: its column, the number of its row, and what an empty one would hold."""

    __slots__ = ("column", "empty", "row", "table")

    def __init__(self, table: str, column: str, row: int, empty: str | None) -> None:
        self.table = table
        self.column = column
        self.row = row
        self.empty = empty

    def __str__(self) -> str:
        return f"{self.table}.{self.column} of row {self.row}"


def columns(driver: str) -> Iterator[tuple[str, str, str | None]]:
    """Every column that holds JSON, and what it holds when it holds nothing."""
    fresh = pristine(driver)
    for table, its in fresh.tables.items():
        if "without rowid" in fresh.objects["table", table].lower().rpartition(")")[2]:
            continue
        said = fresh.objects["table", table]
        for name, column in its.items():
            if f"json_valid({name})" not in said and (table, name) not in _BESIDE:
                continue
            empty = column.default
            if not isinstance(empty, str):
                kind = said.partition(f"json_type({name}) = '")[2][:5]
                empty = "[]" if kind == "array" else "{}" if column.is_required else None
            yield table, name, empty


def broken(db: Database) -> Iterator[Cell]:
    """All cells that should hold JSON and do not."""
    for table, column, empty in columns(db.driver):
        place = sql.quoted(column)
        found = db.ask(
            f"select rowid from {sql.quoted(table)} where {place} is not null and not json_valid({place})"
            f" order by rowid limit {FEW}"
        )
        for (row,) in found:
            yield Cell(table, column, row, empty)


def undecodable(db: Database) -> Iterator[str]:
    """Texts with bytes that are no UTF-8, which no driver reads."""
    for table, its in pristine(db.driver).tables.items():
        if (
            "without rowid"
            in pristine(db.driver).objects["table", table].lower().rpartition(")")[2]
        ):
            continue
        for name, column in its.items():
            if column.type != "TEXT":
                continue
            place = sql.quoted(name)
            for row, raw in db.ask(
                f"select rowid, cast({place} as blob) from {sql.quoted(table)} where {place} is not null"
            ):
                try:
                    bytes(raw).decode()
                except UnicodeDecodeError:
                    yield f"{table}.{name} of row {row}"


def repair(db: Database, *, actor: str, at: int) -> list[str]:
    """Empty every broken cell that is not part of the history; says which."""
    mended: list[str] = []
    steps: list[Step] = []
    for cell in broken(db):
        if cell.table in PAST:
            continue
        text = f"update {sql.quoted(cell.table)} set {sql.quoted(cell.column)} = :empty where rowid = :row"
        steps.append((text, {"empty": cell.empty, "row": cell.row}))
        mended.append(str(cell))
    if steps:
        db.write(steps, verb="repair", actor=actor, at=at)
    return mended
