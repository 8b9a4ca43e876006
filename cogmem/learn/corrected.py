"""Finds the statement that a new one corrects or replaces.

It looks at memories in the same scope that share telling words with the new text, whatever their
kind, and at all that say who somebody is: "I moved to Lisbon" shares no word with "I live in
Berlin". `judge` says what the newer one does to the older.
"""

from __future__ import annotations

import re
from copy import copy

from cogmem.language.framing import is_of_the_speaker
from cogmem.language.judge import ALLOWED, LONGEST, akin, frees, judge, states
from cogmem.learn.alike import beside, found_by_words, having
from cogmem.learn.doubt import doubts
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Draft
    from cogmem.store.store import Store

MOST = 8  # statements that are looked at: those that share the most telling words


class Corrected(NamedTuple):
    """A held statement that cannot hold beside the new one, and whether the new one takes its place."""

    uid: str
    content: str
    key: str
    reason: str
    replaces: bool
    lessens: bool  # one of several that the held one names is over
    is_candidate: bool  # it waits to be said again


def corrected(
    store: Store, row: Mapping[str, Any], sharing: Sequence[str], *, corrects: bool, now: int
) -> Corrected | None:
    """Return the held statement that a new one contradicts; one that it replaces before any other.

    `sharing`: the memories that share telling words with it, best first.
    """
    content = row["content"]
    if row["layer"] != "semantic" or not states(content):
        return None
    ids = list(sharing[:MOST])
    if others := akin(content):
        ids += having(store, [" OR ".join(f'"{word}"' for word in others)], MOST)[0]
    held = beside(store, row, dict.fromkeys(ids), most=2 * MOST, now=now)
    allows = _rule_of(row["data"]) == ALLOWED
    doubtful: Corrected | None = None
    for uid, text, key, state in held:
        if len(text) > LONGEST:
            continue
        found = frees(text, content) if allows else judge(text, content, corrects)
        is_named = has_own_key(key)
        if found is None or (is_named and has_own_key(row["key"])):
            continue
        # What a person named by a key is asked about before it is over: programs may read it by that name.
        replaces = found.replaces and not is_named
        lessens = found.relation == "lessens"
        one = Corrected(uid, text, key, found.reason, replaces, lessens, state == "candidate")
        if replaces:
            return one
        doubtful = doubtful or one
    return doubtful


def of_the_person(store: Store, draft: Draft) -> Draft:
    """Return a draft that changes what is always shown of the person as one of that: of every project."""
    if not draft.scope.project or draft.path_glob or not is_of_the_speaker(draft.content):
        return draft
    for text, kind in store.db.read("learn.of_person", {"user": draft.scope.user}):
        found = judge(text, draft.content)
        if found is not None and found.replaces:
            personal = copy(draft)
            personal.kind, personal.scope = kind, draft.scope.replacing(project="")
            return personal
    return draft


def has_own_key(key: str) -> bool:
    """Tell whether somebody named a memory: its key is a place of its own."""
    return key != "" and not key.startswith("auto.")


def is_correction(data: object) -> bool:
    """Tell whether capture heard it as one: by what only its kind needs, as an object or as its JSON."""
    return _rule_of(data).startswith("correction.")


def _rule_of(data: object) -> str:
    """Return the rule by which capture heard a memory; empty if it did not."""
    found = _RULE.search(str(data))
    return found[1] if found else ""


_RULE = re.compile(r"""["']rule["']: ["']([^"']*)""")


def closing(store: Store, row: Mapping[str, Any], uid: str, now: int) -> list[Step]:
    """Return what ends the statement that a confirmed one replaces, and casts doubt on what depends on that.

    A question that waited, which of the two holds, is answered by whoever confirms the newer one.
    """
    sharing = found_by_words(store, row["content"], row["terms"])
    found = corrected(store, row, sharing, corrects=is_correction(row["data"]), now=now)
    if found is None or found.uid == uid or found.is_candidate:
        return []
    if not found.replaces and not store.db.read("learn.opposes", {"uid": uid, "other": found.uid}):
        return []
    close = {"uid": found.uid, "ends": now, "successor": uid}
    still = {"uid": found.uid, "seen": store.seen(found.uid)}
    return [
        ("store.still", still),
        ("learn.close", close),
        *doubts(store, found.uid, row["content"], now),
    ]
