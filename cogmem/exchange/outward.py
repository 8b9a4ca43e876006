"""The memory as JSON lines: a header, every row that a person owns, and a last line that proves it whole.

What can be derived is left out, and so are policy rows that nobody changed. The past comes along when asked for:
changes, job runs, receipts, frozen texts of sessions. What is of one file or one machine stays and is in a backup:
the ledger of turns, tasks, model costs, vectors, seals, what a night notes for the next, what was read of working
trees.

The lines hold no clock and no path: the same memory gives the same bytes, so two exports can be compared.
"""

from __future__ import annotations

import hashlib

from cogmem.exchange import form
from cogmem.file.making import SCHEMA_VERSION
from cogmem.file.pristine import POLICY, pristine
from cogmem.file.snapshot import snapshot
from cogmem.records import LAYER_TABLE
from cogmem.text.lines import line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.exchange.form import Row
    from cogmem.file.db import Database
    from cogmem.scope import Scope

PAGE = 500
_RECORD = (
    ("conversation", "exchange.conversations"), ("segment", "exchange.segments"),
    ("message", "exchange.messages"), ("summary", "exchange.summaries"), ("link", "exchange.links"),
    ("document", "exchange.documents"), ("document_section", "exchange.document_sections"),
    ("session", "exchange.sessions"),
)  # fmt: skip
_PAST = (
    ("pending_update", "exchange.pending_updates"), ("receipt", "exchange.receipts"),
    ("change", "exchange.changes"),
)  # fmt: skip
# Of a session that goes without the history: the rest belongs to the run of prompts that it was.
_LASTING = frozenset(
    "table id name runtime user project turn_count buffer pinned started_at ended_at".split()
)


def export_lines(db: Database, scope: Scope, *, history: bool = False) -> Iterator[str]:
    """Yield the lines of one consistent state, each with its line feed, in an order that import can follow."""
    digest, count = hashlib.sha256(), 0
    with snapshot(db) as frozen:
        for fields in _fields(frozen, scope, history):
            count += 1
            line = form.dumps(fields) + "\n"
            digest.update(line.encode("utf-8"))
            yield line
    yield form.dumps({"end": count, "sha256": digest.hexdigest()}) + "\n"


def _fields(db: Database, scope: Scope, history: bool) -> Iterator[Row]:
    fresh = pristine()
    sight = scope.viewer()
    owner = {name: value for name, value in scope.owner().items() if value}
    yield {
        "cogmem": form.FORMAT,
        "schema": SCHEMA_VERSION,
        "scope": "everything" if scope.everywhere else owner,
        "history": history,
    }
    for table in POLICY:
        for row in db.rows(f"select * from {table} order by 1, 2"):  # their keys
            if fresh.is_changed(table, row):
                yield {"table": table, **form.spoken(fresh, table, row)}
    for row in db.rows("exchange.scopes", sight):
        yield {"table": "scope", **form.spoken(fresh, "scope", row)}
    for rows in pages(db, "exchange.memories", sight):
        yield from _memories(db, rows)
    for table, statement in _RECORD:
        for rows in pages(db, statement, sight):
            yield from _records(db, table, rows, history)
    if history:
        for row in db.rows("select * from job_run order by started_at, uid"):
            yield {"table": "job_run", **form.spoken(fresh, "job_run", row)}
        for table, statement in _PAST:
            for rows in pages(db, statement, sight):
                yield from _records(db, table, rows, history)


def pages(db: Database, statement: str, sight: dict[str, Any]) -> Iterator[list[Row]]:
    """Yield the rows of a statement by its parameters `after` and `limit`, page by page."""
    after = 0
    while True:
        rows = db.rows(statement, {**sight, "after": after, "limit": PAGE})
        if rows:
            yield rows
        if len(rows) < PAGE:
            return
        after = rows[-1]["id"]


def _memories(db: Database, rows: list[Row]) -> Iterator[Row]:
    """Yield memories with the row of their layer, as far as it is not what the trigger makes by itself."""
    fresh = pristine()
    bounds = {"after": rows[0]["id"] - 1, "upto": rows[-1]["id"]}
    stretch = "select * from {} where memory_id > :after and memory_id <= :upto"
    layers = {
        table: {row["memory_id"]: row for row in db.rows(stretch.format(table), bounds)}
        for table in LAYER_TABLE.values()
    }
    for row in rows:
        table = LAYER_TABLE[row["layer"]]
        fields = {"table": "memory", **form.spoken(fresh, "memory", row)}
        if (line := line_of(row)) != row["content"]:
            fields["line"] = line
        own = layers[table].get(row["id"])
        if own is not None:
            _, usual = fresh.layer_row(row)
            detail = {
                name: value
                for name, value in form.spoken(fresh, table, own).items()
                if name not in ("memory_id", "superseded_by") and own[name] != usual[name]
            }
            if table == "fact" and row["superseded_by"]:
                detail["superseded_by"] = row["superseded_by"]
            if detail:
                fields[table] = detail
        yield fields


def _records(db: Database, table: str, rows: list[Row], history: bool) -> Iterator[Row]:
    fresh = pristine()
    sources: dict[int, list[str]] = {}
    if table == "summary":
        bounds = {"after": rows[0]["id"] - 1, "upto": rows[-1]["id"]}
        for number, uid in db.read("exchange.summary_sources", bounds):
            sources.setdefault(number, []).append(uid)
    for row in rows:
        fields = {"table": table, **form.spoken(fresh, table, row)}
        for name, column in form.REFERENCES.get(table, {}).items():
            if column:
                fields.pop(column, None)
                if row[name] is not None:
                    fields[name] = row[name]
        if sources.get(row["id"]):
            fields["sources"] = sources[row["id"]]
        if table == "session" and not history:
            fields = {name: value for name, value in fields.items() if name in _LASTING}
        yield fields
