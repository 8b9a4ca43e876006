"""What a memory earned: whether what came next followed it, or a person set it right.

A turn shows a memory; then the agent answers and acts, until the person speaks again. What the agent said or did
follows a memory if it has most of the memory's telling words that the prompt did not have. A memory that a person
changes, ends or removes before the next prompt was wrong there. Both are counted at night, once for each turn, and
nothing is ranked by them. What was set right again and again is asked about in the review.

Words seldom tell that a memory was followed. On two projects of real work (620 replies, each beside forty lines about
something else, and beside those that a reader had marked as what helps there) six tenths of a line's words stood in
what came next for 1 and 2 of 100 lines that help, and for .1 and .9 of 100 others; half of them for 2 and 9, and .3
and 4. To weigh words by how rare they are parted them no better. So the count is a hint to a person, and no rule
looks at it.
"""

from __future__ import annotations

from cogmem.language.judge import matter_of
from cogmem.records import Record, json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database, Step

REST_MS = 3_600_000  # a turn is counted when an hour has passed: what comes next has come
NEXT_MS = 3_600_000  # and what comes later than that belongs to nothing
FOLLOWED = 0.6  # share of a memory's own words in what came next
LEAST = 2  # own words; fewer stand in any answer
READ = 20_000  # characters of what came next


class Earned(Record):
    """What came of one memory: turns that showed it for their prompt; of these, how often what came next followed it,
    how often a person set it right; and how often it was told at an act."""

    uid: str
    kind: str
    content: str
    shown: int
    followed: int
    corrected: int
    at_act: int


def count(db: Database, *, now: int) -> int:
    """Count the turns since the last time; says how many memories earned something."""
    after, upto = int(db.read("earned.counted_upto")[0][0]), now - REST_MS
    earned: dict[int, dict[str, int]] = {}
    for at, prompt, shown, conversation, next_at in db.read(
        "earned.turns", {"after": after, "upto": upto}
    ):
        end = min(next_at or at + NEXT_MS, at + NEXT_MS)
        _judge(db, earned, _refs(shown), matter_of(prompt), at, end, conversation)
    for number, times in db.read("earned.at_acts", {"after": after, "upto": upto}):
        _of(earned, number)["at_act"] += times
    steps: list[Step] = [
        ("earned.add", {"memory_id": number, **counts, "upto": upto})
        for number, counts in earned.items()
    ]
    if steps:
        db.write(steps, verb="nightly", at=now)
    return len(steps)


def _judge(
    db: Database,
    earned: dict[int, dict[str, int]],
    refs: list[str],
    asked: frozenset[str],
    at: int,
    end: int,
    conversation: int | None,
) -> None:
    """Judge one turn: what came after it, and what became of each memory that it showed."""
    if not refs:
        return
    came: frozenset[str] = frozenset()
    if conversation is not None:
        place = {"conversation": conversation, "after": at, "upto": end}
        came = matter_of(" ".join(text for (text,) in db.read("earned.replies", place))[:READ])
    for uid, number, content in db.read("earned.memories", {"uids": json_list(refs)}):
        counts = _of(earned, number)
        own = matter_of(content) - asked
        counts["shown"] += 1
        if db.read("earned.corrected", {"uid": uid, "after": at, "upto": end})[0][0]:
            counts["corrected"] += 1
        elif len(own) >= LEAST and len(own & came) >= FOLLOWED * len(own):
            counts["followed"] += 1


def _of(earned: dict[int, dict[str, int]], number: int) -> dict[str, int]:
    return earned.setdefault(number, {"shown": 0, "followed": 0, "corrected": 0, "at_act": 0})


def _refs(shown: str | None) -> list[str]:
    """Return the memories that a turn showed for its prompt; what stands in every prompt is no answer to one."""
    from json import loads

    items: list[Any] = loads(shown or "[]")
    return [one[0] for one in items if one[0].startswith("mem_") and one[1] != "A"]
