"""Extraction from the conversation record: stretch by stretch, each dealt with once.

A stretch is as much as a model is shown at a time; what was said just before it helps to understand
it. How far a conversation was read stands in the names of its runs, so a stretch whose call failed is
read by the next try, and one that was undone does not come back.
"""

from __future__ import annotations

from cogmem.errors import Conflict
from cogmem.language.similarity import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.record import Message
    from cogmem.extraction.work import Work

    Done = TypeVar("Done")
    # (messages, context, mark, evidence) → the work on them
    Make = Callable[
        [list[dict[str, object]], list[dict[str, object]], str, list[tuple[int, set[str]]]], Work
    ]

BEFORE = 6  # messages before a stretch that go with it


def extract_record(
    talk: Conversation, make: Make, do: Callable[[Work], Done], *, characters: int
) -> list[Done]:
    """Read what no extraction has read yet; a fault ends it there."""
    state = talk.state()
    if state is None:
        return []
    first = f"conversation {state.id} "
    found = talk.db.read("extraction.read_up_to", {"first": first, "last": first + ":"})[0][0]
    start = int(found.rpartition(" ")[2]) if found else 0
    messages = talk.messages(max(0, start - BEFORE))
    done = []
    for begin, end in stretches(messages, start, characters):
        before = [one for one in messages if begin - BEFORE <= one.seq < begin]
        here = [one for one in messages if begin <= one.seq < end]
        evidence = [(one.id, set(tokens(one.text))) for one in here]
        work = make(_plain(here), _plain(before), f"{first}{end:012d}", evidence)
        try:
            done.append(do(work))
        except Conflict:  # another process was quicker with this stretch
            continue
        if work.fault:
            break
    return done


def stretches(
    messages: Sequence[Message], start: int, characters: int
) -> Iterator[tuple[int, int]]:
    """Where stretches of about so many characters begin and end; one long message is one stretch."""
    begin, size = start, 0
    for one in messages:
        if one.seq < start:
            continue
        length = len(one.text)
        if size and size + length > characters:
            yield begin, one.seq
            begin, size = one.seq, 0
        size += length
    if messages and messages[-1].seq >= begin:
        yield begin, messages[-1].seq + 1


def _plain(messages: Sequence[Message]) -> list[dict[str, object]]:
    return [{**one.as_message(), "origin": one.origin, "at": one.raw("at")} for one in messages]
