"""Transcripts that were recorded after the fact: which ones, how far, and the way back: `mem.backfilled`."""

from __future__ import annotations

from cogmem.records import Record, json_list, new_uid
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any


class Batch(Record):
    """What one call of a backfill recorded."""

    batch: str
    transcripts: int
    messages: int
    bytes: int
    began_at: datetime
    ended_at: datetime


class TakenBack(Record):
    """What undoing a batch took back."""

    conversations: int
    memories: int


class Backfilled(Area):
    """What a backfill recorded of hosts' transcripts."""

    def new_batch(self) -> str:
        """A name for what one call records."""
        return new_uid("fill")

    def known(self) -> dict[str, tuple[int, int]]:
        """Every transcript that was recorded: its size and time then."""
        rows = self.space.db.read("backfilled.known")
        return {path: (size, time) for path, size, time in rows}

    def note(self, row: dict[str, Any], *, batch: str, messages: int, now: int) -> None:
        """A transcript is recorded whole; `messages` counts those of a conversation that began with it."""
        step = {**row, "batch": batch, "messages": messages, "now": now}
        self.space.db.write(
            [("backfilled.note", step)], verb="record", actor=self.space.actor, at=now
        )

    def batches(self) -> list[Batch]:
        """What each call recorded, the latest first."""
        return [Batch(**row) for row in self.space.db.rows("backfilled.batches")]

    def undo(self, batch: str, *, now: int) -> TakenBack:
        """Take one call back: the conversations that began with it, and what was learned of them and not confirmed
        since. Returns how many of each."""
        db = self.space.db
        talks = db.read("backfilled.conversations", {"batch": batch})
        memories = [row[0] for row in db.read("backfilled.proposed", {"batch": batch})]
        if memories:
            step = {"uids": json_list(memories), "reason": f"{batch} was taken back", "now": now}
            db.write(
                [("backfilled.withdraw", step)], verb="backfill", actor=self.space.actor, at=now
            )
        for (number,) in talks:
            db.write(
                [("conversation.forget", {"id": number})],
                verb="forget",
                actor=self.space.actor,
                at=now,
                reason=f"{batch} was taken back",
            )
        db.write(
            [("backfilled.drop", {"batch": batch})], verb="record", actor=self.space.actor, at=now
        )
        return TakenBack(len(talks), len(memories))
