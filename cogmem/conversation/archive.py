"""Archiving: the oldest messages of a long conversation as gzip segments, byte for byte.

The parts of a stretch move into one `segment` row, in one transaction; what is searched and shown of them stays
where it is. `recover` is for files that came another way (a copy of single tables): it finishes segments whose
messages were not emptied, or that the cursor does not know.
"""

from __future__ import annotations

from cogmem.conversation.segment import body_of, entries_of
from cogmem.errors import Conflict
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    asked = {"id": state.id, "start": start, "count": batch}
    end = talk.db.read("conversation.archivable", asked)[-1][0]
    place = {"id": state.id, "start": start, "end": end}
    rows, now = talk.db.read("conversation.hot", place), talk.instant(None)
    seen = {"id": state.id, "seen": start}
    steps: list[Step] = [("conversation.archive_still", seen)]
    if rows:
        segment = {**place, "count": len(rows), "body": body_of(rows), "now": now}
        steps.append(("conversation.add_segment", segment))
        steps += [("conversation.empty", {**place, "message_id": row[0]}) for row in rows]
    steps.append(("conversation.raise_hot_start", {**seen, "hot_start": end + 1}))
    try:
        talk.db.write(steps, verb="archive", at=now)
    except Conflict:  # another process archived this stretch
        state = talk.state()
        return Archived(0, start, start - 1, state.hot_start_seq if state else 0)
    return Archived(len(rows), start, end, end + 1)


def recover(talk: Talk) -> Archived:
    """Empty messages that a segment holds already, and let the cursor stand behind the last segment."""
    state = talk.state()
    if state is None:
        return Archived(0, 0, -1, 0)
    steps: list[Step] = []
    hot_start = state.hot_start_seq
    emptied = 0
    everything = {"id": state.id, "start": 0, "end": 2**62}
    for number, start, end, _, _ in talk.db.read("conversation.segments", everything):
        hot_start = max(hot_start, end + 1)
        place = {"id": state.id, "start": start, "end": end}
        rows = talk.db.read("conversation.hot", place)
        held = dict(entries_of(talk.db, number)) if rows else {}
        for row in rows:  # an edit of an archived place is newer than the segment: it stays
            if held.get(row[0]) == row[6]:
                emptied += 1
                steps.append(("conversation.empty", {**place, "message_id": row[0]}))
    if hot_start > state.hot_start_seq:
        cursor = {"id": state.id, "seen": state.hot_start_seq, "hot_start": hot_start}
        steps.append(("conversation.raise_hot_start", cursor))
    if steps:
        talk.db.write(steps, verb="archive", at=talk.instant(None))
    return Archived(emptied, state.hot_start_seq, hot_start - 1, hot_start)
