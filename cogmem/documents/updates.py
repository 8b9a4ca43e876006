"""Notes for sessions that run on a frozen text: shown once at the tail of their next prompt.

The prefix of a running session stays as it is whatever is saved or edited; the next session folds
the change in. Notes are short: one that could never fit a prompt would hold up all others.
"""

from __future__ import annotations

from cogmem.documents.compose import PENDING_CAP, PENDING_DROPPED
from cogmem.documents.markdown import one_line
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cogmem.file.db import Step

NOTE_LENGTH = 240
NOTES_AT_ONCE = 8
RUNNING_MS = 30 * DAY_MS  # a session whose host never ended it is over by then


def tell(notes: Iterable[str], user: str, project: str, now: int) -> list[Step]:
    """Return steps that leave notes for every running session of this user and project ('' is all)."""
    told = [short for note in notes if (short := one_line(note, NOTE_LENGTH))]
    if len(told) > NOTES_AT_ONCE:
        rest = len(told) - NOTES_AT_ONCE + 1
        told[NOTES_AT_ONCE - 1 :] = [f"{rest} more saved memories and documents were changed."]
    steps: list[Step] = []
    for note in told:
        place = {"note": note, "user": user, "project": project, "now": now}
        steps += [
            ("documents.bound_notes", {"cap": PENDING_CAP, "kept": PENDING_CAP - PENDING_DROPPED}),
            ("documents.note", {**place, "since": now - RUNNING_MS}),
        ]
    return steps
