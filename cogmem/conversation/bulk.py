"""Many messages in one transaction, indexed at its end in one statement.

FTS5 writes its pending words out with every statement of a trigger, so indexing message by message
costs twice what recording it costs. A bulk puts the two triggers to rest, which nobody else can see
before the transaction ends, does their work for all messages at once, and brings them back. If the
search index has other triggers than those known here, nothing is put to rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cogmem.file.db import Database, Step

WORTH_IT = 200  # messages
SWELLS = 2_000  # messages from which the index keeps so much that each later write is slower
_KNOWN = ["message_ai_search", "message_place_ai"]
_AFTER = (
    "conversation.place_many",
    "conversation.index_many",
    "conversation.count_many",
    "conversation.name_many",
)


def in_bulk(
    db: Database, steps: Sequence[Step], place: Mapping[str, str], count: int
) -> list[Step]:
    """Return the steps that append `count` messages and move the cursor, indexed as one."""
    if count < WORTH_IT:
        return list(steps)
    triggers = db.read("conversation.insert_triggers")
    if [name for name, _ in triggers] != _KNOWN:
        return list(steps)
    owner = {name: value for name, value in place.items() if name != "name"}
    return [
        *((f"drop trigger {name}", {}) for name in _KNOWN),
        *steps,
        ("conversation.hear_many", owner),
        *((name, {**place, "count": count}) for name in _AFTER),
        ("conversation.forget_empty_audience", owner),
        *((text, {}) for _, text in triggers),
    ]
