"""Doubt: what depends on a fact that is over is marked until somebody confirms or changes it.

"Deploy steps use heron" may be wrong once heron was replaced by crane. What depends on a fact has a link
`depends_on`, told or found. Told: somebody ties the two, or a sentence does ("we take Postgres because two offices
write at once", where it is held that they do). Found, when the fact ends: it names what the fact said and what took
its place does not. Nothing else is noted. In doubt is what such a link leads from while the fact is over (`gone` of
the predicates), so whatever brings the fact back ends the doubt; who confirms or changes a memory cuts its links to
what is gone.
"""

from __future__ import annotations

from cogmem.language.doubt import gone_words
from cogmem.language.framing import reason_in
from cogmem.language.judge import LONGEST, matter_of
from cogmem.learn.alike import beside, having
from cogmem.records import json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.store.store import Store

MOST = 50  # memories that one ended fact casts doubt on
COMMON = 12  # memories; a word that stands in more is the matter of all, and names no one thing
LEAST = 2  # telling words of a fact that a sentence gives as its reason
REASONS = 16  # memories that are looked at for it


def doubts(store: Store, ended: str, newer: str, now: int) -> list[Step]:
    """Return what ties the memories that name it to a fact that ends; `newer` is what took its place."""
    content = store.db.read("store.content_of", {"uid": ended})[0][0]
    words = gone_words(content, newer)
    if not words:
        return []
    ids = having(store, [" AND ".join(f'"{word}"' for word in words)])[0]
    ids = ids if len(ids) <= COMMON else []
    there = {"uid": ended, "ids": json_numbers(ids), "most": MOST, "now": now}
    # A fact with a key is rewritten in its place: the tie is to what it said until now.
    tie = {"other": ended, "about": " ".join(words), "at": now - 1}
    return [
        ("learn.rest", {**tie, "uid": uid})
        for uid, said in store.db.read("learn.dependants", there)
        if said != newer and all(word in said.casefold() for word in words)
    ]


def leans_on(
    store: Store, row: Mapping[str, Any], uid: str, sharing: Sequence[str], now: int
) -> list[Step]:
    """Return what ties a memory to the facts that its sentence gives as its reason."""
    reason = reason_in(row["content"])[1] if len(row["content"]) <= LONGEST else ""
    why = matter_of(reason)
    if len(why) < LEAST:
        return []
    held = beside(store, row, sharing[:REASONS], most=REASONS, now=now)
    return [
        ("learn.link", {"uid": uid, "relation": "depends_on", "other": other, "now": now})
        for other, content, _, _ in held
        if len(matter := matter_of(content)) >= LEAST and matter <= why
    ]


def believed(uid: str) -> Step:
    """Return what takes the doubt from a memory that somebody confirms or changes."""
    return "learn.believe", {"uid": uid}
