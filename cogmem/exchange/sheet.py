"""Memories as CSV, out and in, through sqlite-utils in a short-lived process of its own.

sqlite-utils brings Python's sqlite3, and one process must never open one file through two drivers.
The child opens the file read-only, so it can neither change it nor fold its log.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.exchange import form
from cogmem.file import sql
from cogmem.records import milliseconds, priority_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.scope import Scope

_OUT = """
import csv, json, sqlite3, sys, urllib.request, sqlite_utils
path, statement, sight = json.load(sys.stdin)
address = "file:" + urllib.request.pathname2url(path) + "?mode=ro"
db = sqlite_utils.Database(sqlite3.connect(address, uri=True), execute_plugins=False)
rows = db.query(statement, sight)
columns = [c[0] for c in db.execute(statement + " limit 0", sight).description]
out = csv.DictWriter(open(1, "w", encoding="utf-8", newline="", closefd=False), columns)
out.writeheader()
out.writerows(rows)
"""
# The separator is told by the heading, which holds names only; sqlite-utils would guess it from texts.
_IN = """
import csv, io, json, sys
from sqlite_utils.utils import Format, rows_from_file
csv.field_size_limit(1 << 30)
data = sys.stdin.buffer.read()
heading = data.split(b"\\n", 1)[0].decode("utf-8-sig")
class dialect(csv.excel):
    delimiter = max(",;\\t|", key=heading.count)
rows, _ = rows_from_file(io.BytesIO(data), Format.CSV, dialect, "utf-8-sig")
for row in rows:
    print(json.dumps(row))
"""
_PLAIN = (
    "uid",
    "kind",
    "key",
    "content",
    "runtime",
    "user",
    "project",
    "session",
    "path_glob",
    "source",
    "state",
)
_DETAIL = {"topic": "fact", "outcome": "episode", "context": "procedure", "steps": "procedure"}
# `ending` is told, as a turn tells it, and not read back.
COLUMNS = (*_PLAIN, "tags", "priority", "trust", "created_at", *_DETAIL, "ending")


def export_csv(path: str, scope: Scope) -> Iterator[bytes]:
    """Return the memories that a scope sees, as pieces of one CSV text."""
    if path == ":memory:":
        raise InvalidInput(
            "a memory without a file cannot be read by another process: export JSON lines"
        )
    statement = sql.statement("exchange.sheet")
    order = json.dumps([os.path.abspath(path), statement, scope.viewer()]).encode()
    return _piped(_OUT, order)


def import_csv(data: bytes) -> Iterator[str]:
    """Yield the rows of a CSV text as lines for `import_lines`; the first is blank, for the heading."""
    yield "\n"
    for line in b"".join(_piped(_IN, data)).splitlines():
        yield form.dumps(_line(json.loads(line))) + "\n"


def _piped(program: str, data: bytes) -> Iterator[bytes]:
    with subprocess.Popen(
        [sys.executable, "-P", "-c", program],  # -P: no module from the folder it happens to run in
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        out, said = child.communicate(data)
        if child.returncode:
            last = said.decode("utf-8", "replace").strip().splitlines()
            raise DatabaseProblem(f"sqlite-utils failed: {last[-1] if last else child.returncode}")
    yield out


def _line(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of a sheet as the line of a memory; empty cells are not given."""
    unknown = [name for name in row if name not in COLUMNS]
    if unknown:
        raise InvalidInput(
            f"the sheet has a column {form.shortly(unknown[0])}: "
            f"rename it to one of {', '.join(COLUMNS)}, or take it out"
        )
    given = {name: value for name, value in row.items() if value not in (None, "")}
    line: dict[str, Any] = {"table": "memory"}
    for name in _PLAIN:
        if name in given:
            line[name] = given[name]
    if "tags" in given:
        line["tags"] = _words(given["tags"])
    if "priority" in given:
        line["priority"] = priority_number(given["priority"])
    if "trust" in given:
        line["trust"] = _number(given["trust"])
    if "created_at" in given:
        line["created_at"] = _instant(given["created_at"])
    for name, table in _DETAIL.items():
        # A procedure without steps has an empty list, which says nothing about the layer.
        if name in given and given[name] != "[]":
            value = _words(given[name], "\n") if name == "steps" else given[name]
            line.setdefault(table, {})[name] = value
    return line


def _words(text: str, separator: str = ",") -> list[str]:
    if text.lstrip().startswith("["):
        try:
            return [str(word) for word in json.loads(text)]
        except ValueError:
            pass
    return [word.strip() for word in text.split(separator) if word.strip()]


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _instant(text: str) -> int:
    from datetime import UTC, datetime

    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"created_at {form.shortly(text)} is not a date like 2026-11-20T10:00:00Z"
        ) from None
    return milliseconds(at if at.tzinfo else at.replace(tzinfo=UTC), "created_at")
