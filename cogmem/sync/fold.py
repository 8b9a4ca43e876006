"""What a memory is, from everything known about it: a pure function of acts, whatever order they came in.

Acts are put in the order of their clocks and applied one after the other. A column holds what its last writer said;
counts add up; a row exists if the last act that added or removed it added it. Each step ends with what the tables
demand (an archived memory has an instant …), so the state after every step is a row that could be stored. What this
file does by itself comes last in that order at the time, and so the tables hold what the fold says.
"""

from __future__ import annotations

from cogmem.file.pristine import pristine
from cogmem.language.cue import index_words
from cogmem.records import LAYER_TABLE
from cogmem.store.history import COUNTERS
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Row = dict[str, Any]
    Change = list[Any]  # record, action, before, after
    Stamp = tuple[int, str]  # clock and act: the order of all acts of all files
    Deed = tuple[int, str, list[Change]]  # clock, act, and what the act did to one subject

PLACE = ("key", "layer", "runtime", "user", "project", "session")  # what a key is unique in
LIVING = ("candidate", "active")
_LEAST = {"reinforcement_count": 1}


class State:
    """A memory with the row of its layer and its ties, as its acts so far make it; or a row of policy."""

    __slots__ = ("claimed", "detail", "links", "put_away", "row", "table")

    def __init__(self) -> None:
        self.row: Row | None = None
        self.table = ""  # of its layer
        self.detail: Row = {}
        self.links: dict[tuple[str, str], int] = {}  # relation and what it leads to, to its instant
        self.claimed: Stamp = (0, "")  # when its key and the place of it were last said
        self.put_away: Stamp = (0, "")  # when its state was last said

    @property
    def place(self) -> tuple[str, ...] | None:
        """The key that it wants, with where it is unique; None for none."""
        return place_of(self.row)

    def begin_layer(self, row: Row) -> None:
        """Give it the row of its layer that comes with a new memory."""
        self.table, self.detail = pristine().layer_row({**row, "id": 0})
        del self.detail["memory_id"]

    @property
    def is_merged(self) -> bool:
        """Tell whether it was put away because another one took it in."""
        row = self.row
        return row is not None and row["state"] == "archived" and row["archive_reason"] == "merged"


def place_of(row: Row | None) -> tuple[str, ...] | None:
    """Return the key that a row has, with where it is unique; None for none."""
    is_keyed = row is not None and row["key"] and row["state"] in LIVING
    return tuple(row[name] for name in PLACE) if row and is_keyed else None


def memory(deeds: Iterable[Deed]) -> State:
    """Return a memory as these acts leave it, which stand in order."""
    state = State()
    for clock, act, changes in deeds:
        for record, action, before, after in changes:
            if record == "memory":
                _step(state, action, before, after, (clock, act))
            elif record == "link":
                _tie(state, action, before, after)
            elif state.row is not None and record == state.table and action != "delete":
                state.detail = _changed(state.detail, before, after, action == "insert")
                _fit_detail(state.detail)
    return state


def policy(deeds: Iterable[Deed]) -> tuple[bool | None, Row]:
    """Tell whether a row of policy is there (None: nobody added or removed it), and the columns that somebody set."""
    there: bool | None = None
    row: Row = {}
    for _, _, changes in deeds:
        for _, action, _, after in changes:
            if action == "delete":
                there, row = False, {}
            else:
                there = True if action == "insert" else there
                row = {**row, **(after or {})}
    return there, row


def last_row(deeds: Iterable[Deed]) -> Row | None:
    """Return a row of policy as it stood last, also where it was removed since; None if nobody ever added it."""
    row: Row | None = None
    for _, _, changes in deeds:
        for _, action, _, after in changes:
            if action == "insert":
                row = dict(after)
            elif action == "update" and row is not None:
                row |= after
    return row


def _step(state: State, action: str, before: Row, after: Row, stamp: Stamp) -> None:
    if action == "delete":
        state.row = None
        return
    if action == "insert":
        row = dict(after)
        if state.row is None:
            state.begin_layer(row)
        else:  # two that brought it back at once brought it back once
            row |= {name: state.row[name] for name in COUNTERS.intersection(row)}
        _fit_words(row)
        state.row, state.claimed, state.put_away = row, stamp, stamp
        return
    if state.row is None:
        return
    if "content" in after and before["content"] != state.row["content"] and "tokens" not in after:
        # Its writer had not seen the text before this one: what was counted is not of his.
        after = {**after, "tokens": None, "token_counter": ""}
    state.row = row = _changed(state.row, before, after, False)
    if any(name in after for name in PLACE):
        state.claimed = stamp
    if "state" in after:
        state.put_away = stamp
    if row["state"] != "archived":
        row["archived_at"] = None
    elif row["archived_at"] is None:
        row["archived_at"] = row["updated_at"]
    if row["access_count"] and row["accessed_at"] is None:
        row["accessed_at"] = row["updated_at"]
    if row["tokens"] is not None and not row["token_counter"]:
        row["tokens"] = None
    if "content" in after or "content_hash" in after:
        _fit_words(row)
    if row["layer"] in LAYER_TABLE and LAYER_TABLE[row["layer"]] != state.table:
        state.begin_layer(row)


def _fit_words(row: Row) -> None:
    """Fit what is made of a text, where it came from another one than the one that stays."""
    if row["content_hash"] and row["content_hash"] != lines.content_hash(row["content"]):
        row["content_hash"] = lines.content_hash(row["content"])
        row["terms"] = index_words(f"{row['key']} {row['content']}")


def _tie(state: State, action: str, before: Row, after: Row) -> None:
    said = before if action == "delete" else after
    if not said.get("to"):
        return  # it leads to what was forgotten, or to a message that has no name
    tie = (said["relation"], said["to"])
    if action == "delete":
        state.links.pop(tie, None)
    else:
        state.links[tie] = said["created_at"]


def _changed(row: Row, before: Row, after: Row, is_whole: bool) -> Row:
    """Return a row after one change: counts move by as much as the change moved them."""
    row = dict(row)
    for name, value in after.items():
        if name in COUNTERS and not is_whole:
            value = max(_LEAST.get(name, 0), row[name] + value - before[name])
        row[name] = value
    return row


def _fit_detail(detail: Row) -> None:
    """Fit what a fact demands of its two ends, where two writers set one each."""
    if detail.get("superseded_by") is not None and detail.get("valid_to") is None:
        detail["superseded_by"] = None
    begins, ends = detail.get("valid_from"), detail.get("valid_to")
    if begins is not None and ends is not None and begins > ends:
        detail["valid_to"] = begins
