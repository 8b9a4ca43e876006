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
    strict = True  # a quote that nothing closes would take all that follows it into one cell
rows, _ = rows_from_file(io.BytesIO(data), Format.CSV, dialect, "utf-8-sig", extras_key="+")
try:
    for row in rows:
        print(json.dumps(row))
except csv.Error as error:
    sys.exit(f"csv: {error}")
"""
_OWN = (
    *("uid", "kind", "key", "content", "runtime", "user", "project", "session"),
    *("path_glob", "source", "state", "tags", "priority", "trust", "created_at"),
)
_DETAIL = {
    **dict.fromkeys(("topic", "valid_from", "valid_to"), "fact"),
    "outcome": "episode",
    **dict.fromkeys(("context", "steps"), "procedure"),
}
# `line` is told, as a turn tells it, and not read back.
COLUMNS = (*_OWN, *_DETAIL, "line")


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
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"the sheet is not UTF-8 text (byte {error.start})") from None
    read = subprocess.run(
        [sys.executable, "-P", "-c", _IN],  # -P: no module from the folder it happens to run in
        input=data,
        capture_output=True,
        check=False,
    )
    rows = [json.loads(row) for row in read.stdout.splitlines()]
    if read.returncode:
        said = read.stderr.decode("utf-8", "replace").strip().splitlines()
        last = said[-1] if said else str(read.returncode)
        if last.startswith("csv: "):
            fault = last.removeprefix("csv: ")
            raise InvalidInput(f"the sheet is not CSV behind its row {len(rows) + 1}: {fault}")
        raise DatabaseProblem(f"sqlite-utils failed: {last}")
    unknown = [name for name in (rows[0] if rows else ()) if name not in ("+", *COLUMNS)]
    if unknown:
        raise InvalidInput(
            f"the sheet has a column {form.shortly(unknown[0])}: "
            f"rename it to one of {', '.join(COLUMNS)}, or take it out"
        )
    for number, row in enumerate(rows, 2):  # the heading is the first
        try:
            yield form.dumps(_line(row)) + "\n"
        except InvalidInput as error:
            raise InvalidInput(f"row {number}: {error}") from None


def _line(row: dict[str, Any]) -> dict[str, Any]:
    if "+" in row:  # what sqlite-utils found behind the last column
        raise InvalidInput(
            "more cells than the heading: a text with a separator in it needs quotes"
        )
    said: dict[str, Any] = {"table": "memory"}
    for name, text in row.items():
        value = _READ[name](text) if text and name in _READ else text
        if name in _OWN and value not in (None, ""):
            said[name] = value
        # A procedure without steps has an empty list, which says nothing about the layer.
        elif name in _DETAIL and value not in (None, "", []):
            said.setdefault(_DETAIL[name], {})[name] = value
    return said


def _words(text: str, separator: str = ",") -> list[str]:
    if text.lstrip().startswith("["):
        try:
            return [str(word) for word in json.loads(text)]
        except ValueError:
            pass
    return [word.strip() for word in text.split(separator) if word.strip()]


def _instant(name: str) -> Callable[[str], int]:
    return lambda said: milliseconds(said, name)


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


_READ: dict[str, Callable[[str], Any]] = {
    "tags": _words,
    "priority": priority_number,
    "trust": _number,
    "steps": lambda said: _words(said, "\n"),
    **{name: _instant(name) for name in ("created_at", "valid_from", "valid_to")},
}
