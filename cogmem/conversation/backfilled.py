"""Transcripts that were recorded after the fact: which ones, how far, and the way back: `mem.backfilled`."""

from __future__ import annotations

from cogmem.errors import Conflict
from cogmem.records import Record, json_list, new_uid
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Step, Together
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
    went_on: int  # conversations that stay, since more was said in them meanwhile


MOST = 30  # proposals of one call: what a person goes through at one sitting


class Backfilled(Area):
    """What a backfill recorded of hosts' transcripts."""

    def batches(self) -> list[Batch]:
        """Return what each call recorded, the latest first.

        >>> mem.backfilled.batches()
        []
        """
        return [Batch(**row) for row in self.space.db.rows("backfilled.batches")]

    def _forget(self, uids: list[str], at: int) -> None:
        if uids:
            with self.space.db.together():  # somebody may say it this moment
                rows = self.space.db.read("backfilled.waiting", {"uids": json_list(uids)})
                given = {"uids": json_list([uid for (uid,) in rows])}
                names = ("forget.delete_memories", "forget.delete_history")
                steps: list[Step] = [(name, given) for name in names]
                self.space.db.write(steps, verb="forget", at=at)

    def undo(self, batch: str, *, now: Instant = None) -> TakenBack:
        """Take one call back: the conversations that began with it, and what was learned of them and not confirmed
        since. A conversation in which more was said meanwhile stays whole. Returns how many of each.

        batch: its name; `batches` lists them

        >>> mem.backfilled.undo(mem.backfilled.new_batch()).conversations
        0
        """
        db, at = self.space.db, self.space.instant(now)
        talks = db.read("backfilled.conversations", {"batch": batch})
        memories = [row[0] for row in db.read("backfilled.proposed", {"batch": batch})]
        self._forget(memories, at)
        went_on, reason = 0, f"{batch} was taken back"
        for number, upto, beyond in talks:
            still = {"id": number, "next_seq": upto if beyond <= 0 else -1}
            steps: list[Step] = [("conversation.still", still)]
            steps.append(("conversation.forget", {"id": number}))
            try:
                db.write(steps, verb="forget", at=at, reason=reason)
            except Conflict:
                went_on += 1
        db.write([("backfilled.drop", {"batch": batch})], verb="record", at=at)
        return TakenBack(len(talks) - went_on, len(memories), went_on)

    # -- for other stages --------------------------------------------------------------------------

    def new_batch(self) -> str:
        """Return a name for what one call records."""
        return new_uid("fill")

    def known(self) -> dict[str, tuple[int, int]]:
        """Return every transcript that was recorded: its size and time then."""
        rows = self.space.db.read("backfilled.known")
        return {path: (size, time) for path, size, time in rows}

    def in_one(self) -> Together:
        """Bind a block (`with`): what is recorded of a transcript, heard and noted is there whole, or not at all."""
        return self.space.db.together()

    def note(
        self, place: dict[str, Any], *, began: bool, now: Instant = None, **file: str | int
    ) -> None:
        """So many `messages` of a transcript are recorded in a conversation; `began`: it began with it.

        Of the place are read its name, user and project; of the file are told its `path`, `host`, `size`, `file_time`
        and the `batch` that it belongs to.
        """
        of = {name: value for name, value in place.items() if name in ("name", "user", "project")}
        at = self.space.instant(now)
        noted: list[Step] = [("backfilled.note", {**of, **file, "began": int(began), "now": at})]
        self.space.db.write(noted, verb="record", at=at)

    def sift(self, proposed: list[str], *, most: int = MOST, now: Instant = None) -> int:
        """Let the best of what old talk proposes wait for one look, and forget the rest: the talk stays, and is
        found. What a later one says otherwise goes first. Returns how many wait.
        """
        rows = self.space.db.read("backfilled.gainsaid", {"uids": json_list(proposed)})
        ended = {uid for (uid,) in rows}
        kept = [uid for uid in proposed if uid not in ended][:most]
        self._forget([uid for uid in proposed if uid not in kept], self.space.instant(now))
        return len(kept)
