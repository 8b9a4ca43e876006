"""Proves the history by replaying it: what its changes add up to must be what stands in the tables.

So a write that went past the triggers shows. Policy rows that came with the schema have no first change; of them
only the updates must follow from one another.
"""

from __future__ import annotations

import math

from cogmem.file.pristine import pristine
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.file.db import Database

    Row = dict[str, Any]

STRETCH = 500  # memories whose history is held at a time

_RECORDS = (  # table, what the history knows its rows by, which memory each belongs to
    ("memory", "id", "id"),
    *((table, "memory_id", "memory_id") for table in ("fact", "episode", "procedure")),
    ("link", "id", "from_id"),
)
_POLICY = ("kind", "setting", "capture_rule")


def wrong_rows(db: Database, most: int) -> list[str]:
    """Rows that are not what their changes add up to, of a stretch of memories at a time, until there are more than
    `most`: each with what is wrong."""
    wrong: list[str] = []
    after = 0
    while len(wrong) <= most:
        upto, count = db.read("check.page", {"after": after, "size": STRETCH})[0]
        if not count:
            break
        bounds = {"after": after, "upto": upto}
        past: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        for record, key, action, before, after, uid in db.read("check.past", bounds):
            was, becomes = mapped(before), mapped(after)
            past.setdefault((record, key), []).append((action, was, becomes, uid))
            if record == "memory" and action == "insert":
                try:
                    table, comes = pristine().layer_row(becomes)
                except KeyError:  # a damaged cell: it lost what every memory begins with
                    wrong.append(f"{uid} (memory): the change with which it began cannot be read")
                    continue
                past.setdefault((table, key), []).append(("comes", {}, comes, uid))
        for record, key, owner in _RECORDS:
            stretch = f"select * from {record} where {owner} > :after and {owner} <= :upto"
            for present in db.rows(stretch, bounds):
                place = (record, str(present[key]))
                fault = _difference(record, present, past.pop(place, []))
                if fault:
                    wrong.append(f"{present.get('uid', ' '.join(place))} ({record}): {fault}")
        wrong += [
            f"{rows[-1][3]} ({record}): the row is gone, and nothing says when"
            for (record, _), rows in past.items()
            if rows[-1][0] != "delete" and record != "link"  # links are searched by `vanished`
        ]
        after = upto
    return wrong


def _difference(record: str, present: Row, past: Sequence[tuple[Any, ...]]) -> str:
    row: Row | None = None
    comes: Row | None = None  # with its memory; its own changes begin when it says more
    for action, was, becomes, _ in past:
        if action == "comes":
            row = comes = becomes
        elif action == "insert":
            if row is not comes:
                return "it was inserted twice"
            row = becomes
        elif row is None:
            return f"its history begins with {'an update' if action == 'update' else 'a delete'}"
        else:
            held = ((name, value) for name, value in was.items() if name in row)
            if broken := [name for name, value in held if not _same(row[name], value)]:
                return f"a change of {', '.join(broken)} is missing"
            row = {**row, **becomes} if action == "update" else comes
    if row is None:
        return "it has no history" if not past else "it was deleted, says its history"
    columns = pristine().columns(record)
    differing = [
        name
        for name, value in present.items()
        if name in columns and not _same(row.get(name, columns[name].default), value)
    ]
    return f"{', '.join(differing)} changed without leaving a change" if differing else ""


def _same(left: Any, right: Any) -> bool:
    # Older builds of SQLite write reals with 15 digits into JSON.
    if isinstance(left, float) or isinstance(right, float):
        are_numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        return are_numbers and math.isclose(left, right, rel_tol=1e-13)
    return bool(left == right)


def wrong_policy(db: Database) -> list[str]:
    """Rows of policy whose updates do not follow from one another, or lead elsewhere than to what stands there."""
    known: dict[tuple[str, str], Row] = {}  # what history says of a row, as far as it does
    gone: set[tuple[str, str]] = set()
    broken: dict[str, None] = {}
    for record, key, action, before, after in db.read("check.policy_past"):
        place = (record, key)
        was, becomes = mapped(before), mapped(after)
        row = known.pop(place, {})
        if any(not _same(row.get(name, value), value) for name, value in was.items()):
            broken[f"{record} {key}"] = None
        gone.add(place)
        if action != "delete":
            place = (record, becomes.get("name", key))
            known[place] = {**row, **was, **becomes}
            gone.discard(place)
    for record in _POLICY:
        present = {row["name"]: row for row in db.rows(f"select * from {record}")}
        original = {key[0] for key in pristine().policy[record]}
        for name, row in present.items():
            said = known.get((record, name))
            if said is None:  # never touched: it came with the schema, or somehow else
                is_sound = name in original and (record, name) not in gone
            else:
                is_sound = all(_same(row[column], value) for column, value in said.items())
            if not is_sound:
                broken[f"{record} {name}"] = None
        lost = {name for kind, name in known if kind == record} | original
        for name in sorted(lost - present.keys()):
            if (record, name) not in gone:
                broken[f"{record} {name}"] = None
    return list(broken)
