"""Transcripts that were recorded after the fact: which ones, how far, and the way back: `mem.backfilled`."""

from __future__ import annotations

from cogmem.records import Record, json_list, new_uid
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.space import Instant


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


MOST = 30  # proposals of one call: what a person goes through at one sitting


class Backfilled(Area):
    """What a backfill recorded of hosts' transcripts."""

    def new_batch(self) -> str:
        """A name for what one call records.

        >>> mem.backfilled.new_batch()[:5]
        'fill_'
        """
        return new_uid("fill")

    def known(self) -> dict[str, tuple[int, int]]:
        """Every transcript that was recorded: its size and time then.

        >>> mem.backfilled.known()
        {}
        """
        rows = self.space.db.read("backfilled.known")
        return {path: (size, time) for path, size, time in rows}

    def note(self, row: dict[str, Any], *, batch: str, messages: int, now: Instant = None) -> None:
        """A transcript is recorded whole.

        row: host, path, conversation … of the transcript
        batch: the name of the call that recorded it
        messages: how many it has, if its conversation began with it; else 0
        now: the instant at which it happens; default: this one
        """
        at = self.space.instant(now)
        step = {**row, "batch": batch, "messages": messages, "now": at}
        self.space.db.write(
            [("backfilled.note", step)], verb="record", actor=self.space.actor, at=at
        )

    def batches(self) -> list[Batch]:
        """What each call recorded, the latest first.

        >>> mem.backfilled.batches()
        []
        """
        return [Batch(**row) for row in self.space.db.rows("backfilled.batches")]

    def sift(self, batch: str, *, most: int = MOST, now: Instant = None) -> int:
        """Let the best of what old talk proposes wait for one look, and take the rest back: the talk stays, and is
        found. Returns how many wait.

        batch: the name of the call that recorded it
        most: how many may wait
        now: the instant at which it happens; default: this one

        >>> mem.backfilled.sift(mem.backfilled.new_batch())
        0
        """
        ranked = [row[0] for row in self.space.db.read("backfilled.ranked", {"batch": batch})]
        self._withdraw(ranked[most:], "a better one waits", self.space.instant(now))
        return min(len(ranked), most)

    def _withdraw(self, uids: list[str], reason: str, at: int) -> None:
        if uids:
            step = {"uids": json_list(uids), "reason": reason, "now": at}
            steps: list[Step] = [("backfilled.withdraw", step)]
            self.space.db.write(steps, verb="backfill", actor=self.space.actor, at=at)

    def undo(self, batch: str, *, now: Instant = None) -> TakenBack:
        """Take one call back: the conversations that began with it, and what was learned of them and not confirmed
        since. Returns how many of each.

        batch: its name; `batches` lists them
        now: the instant at which it happens; default: this one

        >>> mem.backfilled.undo(mem.backfilled.new_batch()).conversations
        0
        """
        db, at = self.space.db, self.space.instant(now)
        talks = db.read("backfilled.conversations", {"batch": batch})
        memories = [row[0] for row in db.read("backfilled.proposed", {"batch": batch})]
        self._withdraw(memories, f"{batch} was taken back", at)
        for (number,) in talks:
            db.write(
                [("conversation.forget", {"id": number})],
                verb="forget",
                actor=self.space.actor,
                at=at,
                reason=f"{batch} was taken back",
            )
        db.write(
            [("backfilled.drop", {"batch": batch})], verb="record", actor=self.space.actor, at=at
        )
        return TakenBack(len(talks), len(memories))
