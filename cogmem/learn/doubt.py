"""Doubt: what depends on a fact that is over is marked until somebody confirms or changes it.

"Deploy steps use heron" may be wrong once heron was replaced by crane. What depends on a fact is told (a link
`depends_on`) or found: it names what the fact said and what took its place does not. The mark is a link
`doubted_by`, written with the act that ends the fact, so undoing that act takes the doubt back.
"""

from __future__ import annotations

from cogmem.language.doubt import gone_words
from cogmem.learn.alike import POSTINGS
from cogmem.records import json_list, json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Step
    from cogmem.store.store import Store

MOST = 50  # memories that one ended fact casts doubt on
COMMON = 12  # memories; a word that stands in more is the matter of all, and names no one thing
QUOTED = 60  # characters of a fact that is over and has no name


def doubts(store: Store, ended: str, newer: str, now: int) -> list[Step]:
    """What marks the memories that depend on a fact which is over; `newer` is the text that took its place."""
    content = store.db.read("store.content_of", {"uid": ended})[0][0]
    words = gone_words(content, newer)
    about = " ".join(words) or f"“{content[:QUOTED]}”"
    asked = {"matches": json_list([" AND ".join(f'"{word}"' for word in words)]), "limit": POSTINGS}
    found = store.db.read("learn.having", asked) if words else ()
    ids = [int(one) for (listed,) in found for one in (listed or "").split()]
    ids = ids if len(ids) <= COMMON else []
    there = {"uid": ended, "ids": json_numbers(ids), "most": MOST, "now": now}
    return [
        ("learn.doubt", {"uid": uid, "other": ended, "about": about, "now": now})
        for uid, said, is_told in store.db.read("learn.dependants", there)
        if said != newer and (is_told or all(word in said.casefold() for word in words))
    ]


def believed(uid: str) -> Step:
    """Return what takes the doubt from a memory that somebody confirms or changes."""
    return "learn.believe", {"uid": uid}
