"""Reads what auto-capture has not read yet: messages recorded in bulk, or while a host was killed.

Each conversation has a cursor. It moves in the transaction that stores what its stretch of messages
taught, and each memory is tied to its message by a link, so nothing is captured twice.

Text that cogmem itself put into a prompt and text that the guard judged to come from elsewhere
teaches nothing, nor does a sentence that an agent wrote first and the person only quotes ("address 2: …").
"""

from __future__ import annotations

import re

from cogmem.hear.hearing import Hearing
from cogmem.hear.proposals import ONCE_SAID, draft_of, heard
from cogmem.hear.said import noticed
from cogmem.hear.taken_back import end_what_is, takes_back
from cogmem.records import Record
from cogmem.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.hear.capture import Captured
    from cogmem.hear.proposals import Read
    from cogmem.hear.said import Statement
    from cogmem.hear.taken_back import TakenBack
    from cogmem.records import Draft, Learned
    from cogmem.store.store import Store

QUOTED = 5  # words of a sentence that, once an agent wrote them, are its own
TELLING = 3  # of its words, which another message has to have as well
CHUNK = 200  # messages read at a time: the write lock is never held for long
A_NIGHT = 5_000  # messages read in one night, 2 to 4 ms each; the others wait for the next
SAID_BEFORE = 2  # messages before what is read, for what it answers
ASSENT = 3  # words; a shorter message says nothing that another points to


class CaughtUp(Record):
    """How many messages were read, and how many memories they taught."""

    messages: int
    memories: int


def _after(text: str, before: str) -> str:
    """Return what the next message was said after: "I see" leaves what was said before it."""
    return text if len(text.split(maxsplit=ASSENT)) > ASSENT else before


def catch_up(
    store: Store,
    read: Read,
    learn: Callable[[Draft, int], Learned],
    *,
    run: str | None,
    now: int,
    progress: Callable[[int, int], None] | None = None,
    only: tuple[str, Scope] | None = None,
    most: int | None = None,
) -> tuple[int, int]:
    """Read every unread message, or those of one conversation and scope: (read, memories taught).

    Of more than `most` the earliest are read: what was said later sets right what was said before, never the reverse.
    """
    behind = store.db.read("jobs.behind")
    if only is not None:
        place = (only[0], *only[1].place().values())
        behind = [row for row in behind if row[1:5] == place]
    total = sum(row[6] - row[5] for row in behind)
    total = total if most is None else min(total, most)
    done = taught = 0
    by = Hearing(store, learn, now)
    for conversation, name, runtime, user, project, start, upto in behind:
        end = min(upto, start + total - done)
        scope = Scope(runtime, user, project, "")
        before = ""
        for first in range(start, end, CHUNK):
            last = min(first + CHUNK, end)
            asked = first - SAID_BEFORE if first == start else first
            chunk = {"conversation": conversation, "start": asked, "end": last}
            messages = store.db.read("jobs.unread", chunk)
            drafts: list[tuple[int, Draft]] = []
            stated: list[tuple[int, list[Statement], int]] = []
            taken: list[tuple[int, tuple[TakenBack, ...], int]] = []
            for number, seq, role, text, origin, at in messages:
                if seq < first:
                    before = _after(text, before)
                    continue
                said = store.without_echo(text)[0] if origin == role else ""
                if said:
                    proposed, statements, ways = heard(store, read, said, role, before, scope, at)
                    if role == "user" and (back := takes_back(said)):
                        taken.append((number, back, at))
                    if statements and said == text:  # places count in the message as it is kept
                        stated.append((number, statements, at))
                    for found in proposed:
                        if _is_quoted(store, number, found, said):
                            continue
                        draft = draft_of(found, scope, at=at, session=name, before=before)
                        if draft is not None:
                            drafts.append((number, draft))
                    drafts.extend((number, draft) for draft in ways)
                before = _after(text, before)
            with store.db.together(run=run):
                for number, draft in drafts:
                    known = store.db.read("jobs.is_borne_out", {"message": number})
                    if (draft.content, draft.kind) not in [row[1:] for row in known]:
                        taught += bool(by.taught(draft, number))
                for number, back, at in taken:
                    end_what_is(by, back, number, scope, at)
                for number, statements, at in stated:
                    taught += noticed(by, number, statements, scope, session=name, at=at)
                store.db.write(
                    [("jobs.read_up_to", {"conversation": conversation, "upto": last})],
                    verb="nightly" if run else "capture",
                    at=now,
                )
            done += last - first
            if progress:
                progress(done, total)
    return done, taught


def _is_quoted(store: Store, number: int, found: Captured, said: str) -> bool:
    """Tell whether a sentence of a message was first an agent's; one that is all a person says takes it up."""
    words = _WORD.findall(found.text)
    if found.rule != ONCE_SAID or len(words) < QUOTED or found.text == said.strip():
        return False
    # Its longest words stand together in few messages, and looking for each word of a phrase takes its time.
    longest = " AND ".join([f'"{word}"' for word in sorted(words, key=len)[-TELLING:]])
    rows = []
    for match in (longest, f'"{" ".join(words)}"'):
        rows = store.db.read("said.first", {"match": match, "message": number})
        if not rows:
            return False
    return bool(rows[0][0])


_WORD = re.compile(r"[^\W_]+")
