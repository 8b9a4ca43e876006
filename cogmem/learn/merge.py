"""Two memories that say the same become one, because a person says so.

What the night does by itself (schema/jobs/30_deduplicate.sql) under strict limits, a person may do to
any two memories of one layer and scope: the one that stays takes the other's counts, tags, words and
evidence, the other one is archived, and a link leads to it. One undo brings both back.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.learn.admit import checked_length, clean, guarded
from cogmem.learn.join import united
from cogmem.learn.revise import unchanged
from cogmem.text.contradiction import polarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Step
    from cogmem.records import Memory
    from cogmem.store.store import Store

_SAME = ("layer", "runtime", "user", "project", "session")


def merge(
    store: Store, kept: Memory, other: Memory, text: str, *, actor: str, now: int, reason: str = ""
) -> str:
    """Let `kept` take in `other` and say `text` ('': what it says already); returns the act."""
    if kept.uid == other.uid:
        raise InvalidInput("a memory is not merged with itself: name two")
    differ = [name for name in _SAME if getattr(kept, name) != getattr(other, name)]
    if differ:
        raise InvalidInput(
            f"{kept.uid} and {other.uid} differ in {', '.join(differ)}: "
            "only memories of one layer and scope are merged"
        )
    for one in (kept, other):
        if one.state == "deleted":
            raise InvalidInput(f"{one.uid} is removed: `cogmem restore {one.uid}` brings it back")
    content = guarded(clean(text, "content"), guard.POLICIES["user_explicit"], []) or kept.content
    checked_length(content)
    steps: list[Step] = [
        ("store.still", {"uid": one.uid, "seen": unchanged(store, one, now)})
        for one in (kept, other)
    ]
    archived = {"state": "archived", "archived_at": now, "archive_reason": "merged"}
    steps.append(("store.set_state", {"uid": other.uid, **archived, "now": now}))
    if kept.state != "active":
        active = {"state": "active", "archived_at": None, "archive_reason": ""}
        steps.append(("store.set_state", {"uid": kept.uid, **active, "now": now}))
    steps += united(store, kept, content, [other.content], other.tags, now)
    steps += [
        ("learn.take_over", {"uid": kept.uid, "other": other.uid, "polarity": polarity(content)}),
        ("learn.take_over_trials", {"uid": kept.uid, "other": other.uid}),
        ("learn.take_over_evidence", {"uid": kept.uid, "other": other.uid, "now": now}),
        (
            "learn.link",
            {"uid": kept.uid, "relation": "merged_from", "other": other.uid, "now": now},
        ),
    ]
    why = guarded(clean(reason, "reason"), guard.POLICIES["user_explicit"], [])
    return store.db.write(steps, verb="merge", actor=actor, at=now, reason=why).act
