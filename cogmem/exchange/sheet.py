"""Memories as CSV, out and in, and as a page of Markdown to read.

A sheet is read by sqlite-utils in a short-lived process of its own: it brings Python's sqlite3, and one process
must never open one file through two drivers.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.exchange import form
from cogmem.exchange.outward import PAGE, pages
from cogmem.records import LAYERS, milliseconds, priority_number
from cogmem.text.lines import line, line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope

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
    *("uid", "kind", "key", "content", "runtime", "user", "project", "session"),
    *("path_glob", "source", "state"),
)
_DETAIL = {"topic": "fact", "outcome": "episode", "context": "procedure", "steps": "procedure"}
# `line` is told, as a turn tells it, and not read back.
COLUMNS = (*_PLAIN, "tags", "priority", "trust", "created_at", *_DETAIL, "line")


def export_csv(db: Database, scope: Scope) -> Iterator[str]:
    """Return the memories that a scope sees, as pieces of one CSV text."""
    out = io.StringIO()
    sheet = csv.DictWriter(out, COLUMNS, extrasaction="ignore")
    sheet.writeheader()
    for rows in pages(db, "exchange.sheet", {**scope.viewer(), "limit": PAGE}):
        sheet.writerows({**row, "line": line_of(row)} for row in rows)
        yield out.getvalue()
        out.seek(0)
        out.truncate()
    yield out.getvalue()


def export_markdown(db: Database, scope: Scope, *, now: int) -> Iterator[str]:
    """Return what holds now, as a page to read: a heading for each layer, a line for each memory."""
    for layer in reversed(LAYERS):
        asked = {**scope.viewer(), "layer": layer, "now": now, "limit": PAGE}
        head = f"# {layer.capitalize()} memory\n\n"
        for rows in pages(db, "exchange.told", asked):
            yield head + "".join(line(line_of(row)) for row in rows)
            head = ""
        if not head:
            yield "\n"


def import_csv(data: bytes) -> Iterator[str]:
    """Yield the rows of a CSV text as lines for `import_lines`; the first is blank, for the heading."""
    yield "\n"
    read = subprocess.run(
        [sys.executable, "-P", "-c", _IN],  # -P: no module from the folder it happens to run in
        input=data,
        capture_output=True,
        check=False,
    )
    if read.returncode:
        last = read.stderr.decode("utf-8", "replace").strip().splitlines()
        raise DatabaseProblem(f"sqlite-utils failed: {last[-1] if last else read.returncode}")
    for row in read.stdout.splitlines():
        yield form.dumps(_line(json.loads(row))) + "\n"


def _line(row: dict[str, Any]) -> dict[str, Any]:
    unknown = [name for name in row if name not in COLUMNS]
    if unknown:
        raise InvalidInput(
            f"the sheet has a column {form.shortly(unknown[0])}: "
            f"rename it to one of {', '.join(COLUMNS)}, or take it out"
        )
    given = {name: value for name, value in row.items() if value not in (None, "")}
    said: dict[str, Any] = {"table": "memory"}
    said |= {name: given[name] for name in _PLAIN if name in given}
    said |= {name: read(given[name]) for name, read in _READ.items() if name in given}
    for name, table in _DETAIL.items():
        # A procedure without steps has an empty list, which says nothing about the layer.
        if name in given and given[name] != "[]":
            value = _words(given[name], "\n") if name == "steps" else given[name]
            said.setdefault(table, {})[name] = value
    return said


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


_READ: dict[str, Callable[[str], Any]] = {
    "tags": _words,
    "priority": priority_number,
    "trust": _number,
    "created_at": lambda said: milliseconds(said, "created_at"),
}
