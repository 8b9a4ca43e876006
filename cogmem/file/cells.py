"""Cells that should hold JSON and do not: where they are, and how they are emptied.

Only damage, or a client that switched the constraints off, leaves one. Readers take it for empty (`text.cell`).
Texts with damaged bytes become what the history last said of them, or else what can be read of them.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.file import making, sql
from cogmem.file.db import Database
from cogmem.file.pristine import pristine
from cogmem.named import NamedTuple
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.file.pristine import Column

FEW = 20  # of each column are named
# JSON that no constraint asks for.
_BESIDE = "change.before change.after message.parts weighing.files receipt.removed".split()
PAST = ("change", "receipt", "seal", "arrival")  # what is sealed is not mended
# Tables that the history keeps, and what it knows their rows by.
KEYS = {
    **dict.fromkeys(("memory", "link"), "id"),
    **dict.fromkeys(("fact", "episode", "procedure"), "memory_id"),
    **dict.fromkeys(("kind", "setting"), "name"),
}


class Cell(NamedTuple):
    """A broken cell: its column, the number of its row, what an empty one would hold; and bytes that are no text."""

    table: str
    column: str
    row: int
    empty: str | None = None
    raw: bytes = b""

    def __str__(self) -> str:
        return f"{self.table}.{self.column} of row {self.row}"


def columns() -> Iterator[tuple[str, str, str | None]]:
    """Yield every column that holds JSON, and what it holds when it holds nothing."""
    fresh = pristine()
    for table, its in _tables():
        said = fresh.objects["table", table]
        for name, column in its.items():
            if f"json_valid({name})" not in said and f"{table}.{name}" not in _BESIDE:
                continue
            empty = column.default
            if not isinstance(empty, str):
                kind = said.partition(f"json_type({name}) = '")[2][:5]
                empty = "[]" if kind == "array" else "{}" if column.is_required else None
            yield table, name, empty


def broken(db: Database) -> Iterator[Cell]:
    """Yield all cells that should hold JSON and do not."""
    for table, column, empty in columns():
        place = sql.quoted(column)
        found = db.ask(
            f"select rowid from {sql.quoted(table)} where {place} is not null and not json_valid({place})"
            f" order by rowid limit {FEW}"
        )
        for (row,) in found:
            yield Cell(table, column, row, empty)


def _tables() -> Iterator[tuple[str, dict[str, Column]]]:
    """Yield the tables whose rows have numbers."""
    fresh = pristine()
    for table, its in fresh.tables.items():
        if "without rowid" not in fresh.objects["table", table].lower().rpartition(")")[2]:
            yield table, its


def _texts() -> Iterator[tuple[str, list[str]]]:
    for table, its in _tables():
        if names := [name for name, column in its.items() if column.type == "TEXT"]:
            yield table, names


def texts() -> Iterator[str]:
    """Yield for each table a statement that reads all its texts, a stretch of rows at a time."""
    for table, its in _texts():
        joined = " || ".join(f"coalesce({sql.quoted(name)}, '')" for name in its)
        yield f"select rowid, {joined} from {sql.quoted(table)} where rowid > :after order by rowid limit :size"


def undecodable(db: Database) -> Iterator[Cell]:
    """Yield all texts with damaged bytes."""
    for table, its in _texts():
        for name in its:
            place = sql.quoted(name)
            for row, raw in db.ask(
                f"select rowid, cast({place} as blob) from {sql.quoted(table)} where {place} is not null"
            ):
                if not _is_text(raw):
                    yield Cell(table, name, row, raw=bytes(raw))


def _is_text(raw: bytes) -> bool:
    try:
        bytes(raw).decode()
    except UnicodeDecodeError:
        return False
    return True


def repair(db: Database, *, at: int) -> list[str]:
    """Mend every damaged cell that is not part of the history; says what became of each."""
    texts = [text for text in undecodable(db) if text.table not in PAST]
    mended = _repair_texts(db, texts, at=at) if texts else []
    steps: list[Step] = []
    for cell in broken(db):
        if cell.table in PAST:
            continue
        text = f"update {sql.quoted(cell.table)} set {sql.quoted(cell.column)} = :empty where rowid = :row"
        steps.append((text, {"empty": cell.empty, "row": cell.row}))
        mended.append(f"{cell} was emptied")
    if steps:
        db.write(steps, verb="repair", at=at)
    return mended


def _repair_texts(db: Database, texts: list[Cell], *, at: int) -> list[str]:
    try:
        return _with_triggers_at_rest(db, texts, at=at)
    except InvalidInput:
        if len(texts) == 1:
            return [f"{texts[0]} could not be mended: restore a backup"]
        return [told for one in texts for told in _repair_texts(db, [one], at=at)]


def _with_triggers_at_rest(db: Database, texts: list[Cell], *, at: int) -> list[str]:
    """Lay the triggers to rest, which would copy the damaged bytes into the history and the search index, and the
    indexes are made anew. It is one transaction."""
    mended: list[str] = []
    steps: list[Step] = []
    empty = {(table, column): value for table, column, value in columns()}
    for cell in texts:
        said = _last_said(db, cell)
        if said is not None:
            steps += _mending(cell, said)
            mended.append(f"{cell} became what the history last said of it")
            continue
        is_json = (cell.table, cell.column) in empty
        readable = cell.raw.decode(errors="replace")
        steps += _mending(cell, empty[cell.table, cell.column] if is_json else readable)
        steps += _told_by_hand(cell, readable)
        mended.append(f"{cell} " + ("was emptied" if is_json else "became what can be read of it"))
    resting: list[str] = []

    def rest(connection: Any) -> None:
        resting.clear()
        making.drop_derived(connection)
        text = "select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?"
        for table in {cell.table for cell in texts}:
            for name, made in connection.execute(text, (table,)).fetchall():
                connection.execute(f"drop trigger {sql.quoted(name)}")
                resting.append(made)

    def wake(connection: Any) -> None:
        for made in resting:
            connection.execute(made)
        making.derive(connection)

    with db.together():
        db.transact(rest)
        db.write(steps, verb="repair", at=at)
        db.transact(wake)
    return mended


def _mending(cell: Cell, text: str | None) -> list[Step]:
    row = {"text": text, "row": cell.row}
    table, column = sql.quoted(cell.table), sql.quoted(cell.column)
    steps: list[Step] = [(f"update {table} set {column} = :text where rowid = :row", row)]
    if text is not None and (cell.table, cell.column) == ("memory", "content"):
        named = {"hash": content_hash(text), "row": cell.row}
        hashed = "update memory set content_hash = :hash where id = :row and content_hash <> ''"
        steps.append((hashed, named))
    return steps


def _last_said(db: Database, cell: Cell) -> str | None:
    """Return what the history last said of a cell, if it keeps the cell and its word is whole."""
    key = KEYS.get(cell.table)
    if key is None:
        return None
    text = (
        "select cast(json_extract(cast(c.after as text), :place) as blob) from change c"
        " where c.record = :table and c.row_key ="
        f" (select cast({sql.quoted(key)} as text) from {sql.quoted(cell.table)}"
        " where rowid = :row) and json_valid(c.after) and json_type(c.after, :place) = 'text'"
        " order by c.id desc limit 1"
    )
    found = db.ask(text, {"place": f"$.{cell.column}", "table": cell.table, "row": cell.row})
    return bytes(found[0][0]).decode() if found and _is_text(found[0][0]) else None


def _told_by_hand(cell: Cell, was: str) -> list[Step]:
    key = KEYS.get(cell.table)
    if key is None:
        return []
    owner = {"memory": "uid", "kind": "null", "setting": "null", "link": "null"}.get(
        cell.table, "(select uid from memory m where m.id = r.memory_id)"
    )
    text = (
        "insert into change"
        " (act, verb, actor, reason, run, undoes, changed_at, clock, origin, record, row_key, uid, action,"
        " before, after)"
        " select c.act, c.verb, c.actor, c.reason, c.run, c.undoes, c.acted_at, c.clock, c.origin, :table,"
        f" r.{sql.quoted(key)}, {owner}, 'update', json_object(:column, :was),"
        f" json_object(:column, r.{sql.quoted(cell.column)})"
        f" from context c, {sql.quoted(cell.table)} r where r.rowid = :row"
    )
    return [(text, {"table": cell.table, "column": cell.column, "was": was, "row": cell.row})]
