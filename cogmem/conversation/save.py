"""Taking over the list that a host holds: find what is new by hashes, and write no more than that."""

from __future__ import annotations

from cogmem.conversation.parts import Stored, message_of
from cogmem.errors import Conflict
from cogmem.records import Record, told_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.record import Entry, Talk
    from cogmem.file.db import Step

ATTEMPTS = 3


class Saved(Record):
    """What save() did: places appended, edited and taken back; and how many were there already."""

    appended: list[int]
    edited: list[int]
    withdrawn: list[int]
    unchanged: int


def save(talk: Talk, messages: Sequence[Mapping[str, Any]], now: int, counted: bool) -> Saved:
    """Record the list; while another process appends, compare again."""
    for _ in range(ATTEMPTS):
        try:
            return _save(talk, messages, now, counted)
        except Conflict:
            continue
    raise Conflict(f"conversation {talk.name} keeps changing: save it from one place only")


def _save(talk: Talk, messages: Sequence[Mapping[str, Any]], now: int, counted: bool) -> Saved:
    state = talk.state()
    hashes = talk.db.read("conversation.hashes", {"id": state.id}) if state else []
    held: list[tuple[int, str]] = hashes
    entries = [_entry(message, now) for message in messages]
    forms = [Stored(entry[0], entry[2] or "", entry[1], guarded=False) for entry in entries]
    guarded: set[int] = set()  # most texts the guard leaves as they are: their hash says so at once

    def is_same(place: int, known: int) -> bool:
        if forms[place].hash != held[known][1] and place not in guarded:
            role, content, who, _, _ = entries[place]
            forms[place] = Stored(role, who or "", content, guarded=True)
            guarded.add(place)
        return forms[place].hash == held[known][1]

    same = 0
    while same < min(len(held), len(entries)) and is_same(same, same):
        same += 1
    known = same if same == len(held) else _slid(len(held), len(entries), same, is_same)
    if known is not None or state is None:
        rows = [talk.row(*entry, counted=counted) for entry in entries[known:]]
        return Saved(talk.append_rows(rows, state) if rows else [], [], [], known or 0)
    steps: list[Step] = [("conversation.still", {"id": state.id, "next_seq": state.next_seq})]
    edited, withdrawn = [], []
    for number in range(same, len(held)):
        seq = held[number][0]
        if number >= len(entries):
            withdrawn.append(seq)
            steps += talk.edit_steps(state.id, seq, None, now)
        elif not is_same(number, number):
            edited.append(seq)
            row = talk.row(*entries[number], counted=counted)
            steps += talk.edit_steps(state.id, seq, row, now)
    rows = [talk.row(*entry, counted=counted) for entry in entries[len(held) :]]
    steps += talk.append_steps(rows)
    written = talk.db.write(steps, verb="record", at=now)
    seqs = [found[0][0] for found in written.rows[-len(rows) - 1 : -1]] if rows else []
    return Saved(seqs, edited, withdrawn, len(entries) - len(edited) - len(rows))


def _entry(message: Mapping[str, Any], now: int) -> Entry:
    said, at = message_of(message), told_instant(message.get("at"))
    who = message.get("speaker") or message.get("name")
    return said["role"], said["parts"], who, now if at is None else at, None


def _slid(held: int, given: int, same: int, is_same: Callable[[int, int], bool]) -> int | None:
    """Tell how many given messages are the end of the record, behind one that may have stayed (the system prompt);
    None where the list was really changed."""
    if same >= given:
        return None  # a shorter list that ends early: the host took its end back
    for kept in dict.fromkeys((0, min(same, 1))):
        for first in range(max(kept + 1, held - (given - kept)), held - 1):  # one alike is chance
            size = held - first
            if all(is_same(kept + number, first + number) for number in range(size)):
                return kept + size
    return None
