"""Archiving: the oldest messages of a long conversation as gzip segments, byte for byte.

The parts of a stretch move into one `segment` row, in one transaction; what is searched and shown of them stays
where it is. `recover` is for files that came another way (a copy of single tables): it finishes segments whose
messages were not emptied, or that the cursor does not know.
"""

from __future__ import annotations

from cogmem.conversation.record import body_of, entries_of
from cogmem.errors import Conflict
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.conversation.record import Talk
    from cogmem.file.db import Step


class Archived(Record):
    """What one archiving did; no messages: there was nothing to do."""

    messages: int
    start_seq: int
    end_seq: int
    hot_start_seq: int


def archive(talk: Talk) -> Archived:
    """Archive the oldest batch, once the threshold is reached."""
    state = talk.state()
    if state is None:
        return Archived(0, 0, -1, 0)
    start = state.hot_start_seq
    count = talk.db.read("conversation.hot_count", {"id": state.id, "start": start})[0][0]
    if count < talk.policy.archive_threshold:
        return Archived(0, start, start - 1, start)
    batch = talk.policy.archive_batch
    if batch > count:
        batch = max(1, count // 2)
    places = talk.db.read(
        "conversation.archivable", {"id": state.id, "start": start, "count": batch}
    )
    end = places[-1][0]
    rows = talk.db.read("conversation.hot", {"id": state.id, "start": start, "end": end})
    steps: list[Step] = [("conversation.archive_still", {"id": state.id, "seen": start})]
    if rows:
        steps += _segment_steps(state.id, start, end, rows, talk.instant(None))
    steps.append(
        ("conversation.raise_hot_start", {"id": state.id, "seen": start, "hot_start": end + 1})
    )
    try:
        talk.db.write(steps, verb="archive", actor=talk.actor, at=talk.instant(None))
    except Conflict:  # another process archived this stretch
        now = talk.state()
        return Archived(0, start, start - 1, now.hot_start_seq if now else 0)
    return Archived(len(rows), start, end, end + 1)


def _segment_steps(
    number: int, start: int, end: int, rows: list[tuple[Any, ...]], now: int
) -> list[Step]:
    place = {"id": number, "start": start, "end": end}
    body = body_of(rows)
    steps: list[Step] = [
        ("conversation.add_segment", {**place, "count": len(rows), "body": body, "now": now})
    ]
    steps += [("conversation.empty", {**place, "message_id": row[0]}) for row in rows]
    return steps


def recover(talk: Talk) -> Archived:
    """Empty messages that a segment holds already, and let the cursor stand behind the last segment."""
    state = talk.state()
    if state is None:
        return Archived(0, 0, -1, 0)
    steps: list[Step] = []
    hot_start = state.hot_start_seq
    emptied = 0
    for number, start, end, _, _ in talk.db.read(
        "conversation.segments", {"id": state.id, "start": 0, "end": 2**62}
    ):
        hot_start = max(hot_start, end + 1)
        rows = talk.db.read("conversation.hot", {"id": state.id, "start": start, "end": end})
        if not rows:
            continue
        held = dict(entries_of(talk.db, number))
        for row in rows:  # an edit of an archived place is newer than the segment: it stays
            if held.get(row[0]) == row[6]:
                emptied += 1
                bounds = {"id": state.id, "start": start, "end": end, "message_id": row[0]}
                steps.append(("conversation.empty", bounds))
    if hot_start > state.hot_start_seq:
        cursor = {"id": state.id, "seen": state.hot_start_seq, "hot_start": hot_start}
        steps.append(("conversation.raise_hot_start", cursor))
    if steps:
        talk.db.write(steps, verb="archive", actor=talk.actor, at=talk.instant(None))
    return Archived(emptied, state.hot_start_seq, hot_start - 1, hot_start)
