"""What changed, readable: rows of history as columns from → to, and texts compared word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from cogmem.text.cell import mapped

MOST = 3000  # words of one text that are compared; of a longer one both are shown whole
_PIECE = re.compile(r"\s+|\w+|[^\w\s]")
# Columns that tell a person nothing, or nothing that another one does not tell.
_SILENT = frozenset(
    "id uid memory_id from_id to_id terms content_hash tokens token_counter updated_at reinforced_at accessed_at"
    " archived_at created_at polarity layer recorded_at".split()
)
_CALLED = {
    "path_glob": "files",
    "reinforcement_count": "times learned or recalled",
    "access_count": "times recalled",
    "archive_reason": "because",
    "content": "text",
    "success_count": "successes",
    "failure_count": "failures",
    "superseded_by": "replaced by",
}

_COUNTS = {_CALLED[column] for column in ("reinforcement_count", "access_count")}
FOLDED = 3  # acts in a row


def compared(before: str, after: str) -> list[tuple[str, str]]:
    """Return two texts as (same, gone or new; words): what a reader sees at a glance."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    if max(len(old), len(new)) > MOST:
        return [("gone", before), ("new", after)]
    found: list[tuple[str, str]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(("same", "".join(old[i:j])))
        else:
            found += [("gone", "".join(old[i:j]))] if j > i else []
            found += [("new", "".join(new[k:m]))] if m > k else []
    return _joined(found)


def _joined(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """White space that stays between two changes goes with them: whole phrases are read, not single words."""
    found: list[tuple[str, str]] = []
    gone = new = ""
    for place, (tag, text) in enumerate(pieces):
        between = tag == "same" and not text.strip() and (gone or new) and place + 1 < len(pieces)
        if tag == "gone" or between:
            gone += text
        if tag == "new" or between:
            new += text
        if tag == "same" and not between:
            found += [("gone", gone)] if gone else []
            found += [("new", new)] if new else []
            gone = new = ""
            found.append((tag, text))
    found += [("gone", gone)] if gone else []
    return found + ([("new", new)] if new else [])


def lines_of(change: dict[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return one row of history: (column, its texts compared) for each column that a person reads."""
    before, after = mapped(change["before"]), mapped(change["after"])
    if change["record"] == "link":
        row = after or before
        tag = "new" if after else "gone"
        return [("tie", [(tag, str(row.get("relation", "")).replace("_", " "))])]
    if change["action"] in ("insert", "delete"):
        tag, row = ("new", after) if change["action"] == "insert" else ("gone", before)
        said = row.get("content")
        return [("text", [(tag, str(said))])] if said else []
    told = []
    for column in after:
        was, became = _text(before.get(column)), _text(after[column])
        if column not in _SILENT and was != became:
            is_text = column in ("content", "context", "steps")
            pieces = compared(was, became) if is_text else _replaced(was, became)
            told.append((_CALLED.get(column, column.replace("_", " ")), pieces))
    return told


def _replaced(was: str, became: str) -> list[tuple[str, str]]:
    if not was or not became:
        return [("gone", was)] if was else [("new", became)]
    return [("gone", was), ("same", " → "), ("new", became)]


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)


def stretches(acts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """History as a person reads it: what only counted a use, several times in a row, is one line that opens."""
    found = []
    for only_counts, group in groupby(acts, key=_only_counts):
        some = list(group)
        found.append({"acts": some, "is_folded": only_counts and len(some) >= FOLDED})
    return found


def _only_counts(act: dict[str, Any]) -> bool:
    return bool(act["lines"]) and all(column in _COUNTS for column, _ in act["lines"])


def acts_of(changes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of history by act, the latest first, as they come: who did what, and what it changed."""
    acts = []
    for _, group in groupby(changes, key=lambda row: row["act"] or f"change {row['change']}"):
        rows = list(group)
        lines = [line for row in reversed(rows) for line in lines_of(row)]
        acts.append({**rows[0], "name": rows[0]["act"] or str(rows[0]["change"]), "lines": lines})
    return acts
