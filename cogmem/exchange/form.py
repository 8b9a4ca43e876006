"""The form of one exported line, and its way back into a row.

A line is one JSON object that names its table: `{"table": "memory", "uid": …, "content": …}`. The
fields are the columns of the table. Empty ones are left out; JSON columns are written as JSON, and
as the bare text where that would come back with other bytes; blobs are base64. A memory carries the
row of its layer, and refers to other memories by uid.
"""

from __future__ import annotations

import base64
import binascii
import json

from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.file.pristine import Column, Pristine

    Row = dict[str, Any]

FORMAT = 1  # of the header's field "cogmem"
REFERENCES = {  # fields beside the columns, and the columns that they stand for
    # A line is not read back.
    "memory": dict.fromkeys(("fact", "episode", "procedure", "line"), ""),
    "link": {"from": "from_id", "to": "to_id"},
    "document": {"memory": "memory_id"},
    "summary": {"sources": ""},
}
_JSON = {
    "memory": ("tags", "data"),
    "procedure": ("steps",),
    "message": ("parts",),
    "session": ("buffer",),
    "receipt": ("removed",),
}
_EMPTY = (None, "", "[]", "{}")
_TYPES = {"INTEGER": "a whole number", "REAL": "a number", "TEXT": "text", "BLOB": "base64 text"}


def dumps(value: Any) -> str:
    """JSON as the file itself holds it."""
    return json.dumps(value, ensure_ascii=False)


def spoken(fresh: Pristine, table: str, row: Mapping[str, Any]) -> Row:
    """Return the fields of a row as a line shows them."""
    fields: Row = {}
    for name, column in fresh.columns(table).items():
        value = row[name]
        if value == column.default and value in _EMPTY:
            continue
        if name in _JSON.get(table, ()) and isinstance(value, str):
            held = _value(value)
            fields[name] = held if dumps(held) == value else value
        elif isinstance(value, bytes):
            fields[name] = base64.b64encode(value).decode("ascii")
        else:
            fields[name] = value
    return fields


def is_frame(line: Mapping[str, Any]) -> bool:
    """Tell whether a line is the first or the last of an export, which hold no row."""
    return "table" not in line and ("cogmem" in line or line.keys() == {"end", "sha256"})


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def parsed(data: bytes) -> Row:
    """Return the object that a line holds."""
    try:
        line = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("it is not UTF-8 text") from None
    except RecursionError:
        raise InvalidInput("it is nested too deeply") from None
    except ValueError as error:
        raise InvalidInput(f"it is not JSON ({error})") from None
    if not isinstance(line, dict):
        hint = "; a JSON list becomes lines with `jq -c '.[]'`" if isinstance(line, list) else ""
        raise InvalidInput(f"it is not a JSON object{hint}")
    return line


def heard(fresh: Pristine, table: str, line: Mapping[str, Any]) -> Row:
    """Return the columns that a line gives, checked and in the types of the table; the rest is not filled."""
    columns = fresh.columns(table)
    row: Row = {}
    for name, value in line.items():
        column = columns.get(name)
        if column is None:
            if name != "table" and name not in REFERENCES.get(table, ()):
                known = ", ".join([*columns, *REFERENCES.get(table, ())])
                raise InvalidInput(f"{table} has no field {shortly(name)}: it has {known}")
        elif type(value) is column.python_type:  # what nearly every field is
            row[name] = value
        elif value is not None or column.default is not None:
            row[name] = _column_value(table, column, value)
    return row


def whole(fresh: Pristine, table: str, row: Row) -> Row:
    """Return the row with the table's own defaults where nothing was given."""
    demand(fresh, table, row)
    return {**fresh.defaults[table], **row}


def demand(fresh: Pristine, table: str, row: Row) -> None:
    """Refuse a row that lacks what has no default."""
    missing = [name for name in fresh.required[table] if row.get(name) is None]
    if missing:
        raise InvalidInput(f"a {table} needs {', '.join(missing)}")


def _column_value(table: str, column: Column, value: Any) -> Any:
    if value is None:
        return value
    if column.name in _JSON.get(table, ()) and isinstance(value, (list, dict)):
        return dumps(value)
    if isinstance(value, bool):
        pass
    elif column.type == "INTEGER" and isinstance(value, int):
        return value
    elif column.type == "REAL" and isinstance(value, (int, float)):
        return float(value)
    elif column.type == "BLOB" and isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error:
            pass
    raise InvalidInput(f"{column.name} must be {_TYPES[column.type]}, not {shortly(value)}")


def shortly(value: Any) -> str:
    """Return a value as an error message may show it."""
    text = dumps(value) if isinstance(value, (dict, list, str)) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
