"""Hears what changes how something is done: "add that to the release steps" adds a step to the procedure.

The sentence must name a procedure that is held, and one alone; "that" is what was said just before. The changed steps
go the way of all drafts: same name, so the record of how it went stays, and undo takes the step out again.
"""

from __future__ import annotations

import json

from cogmem.language.clauses import own_words, segments
from cogmem.language.statement import MARKS, tokens
from cogmem.records import Draft
from cogmem.text.data import caseless

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from cogmem.scope import Scope
    from cogmem.store.store import Store

LONGEST = 2000  # characters of a message that is read
QUOTES = " \"'“”„‚‘’«»`"
KIN = 5  # letters by which two words are taken for one


def changed_ways(store: Store, text: str, before: str, scope: Scope, at: int) -> list[Draft]:
    """Return the procedures as a person's message wants them from now on."""
    if len(text) > LONGEST or not store.db.read("listen.is_any_way"):
        return []
    drafts = []
    said = ""
    for clause in segments(text):
        words = own_words(text, clause.start, clause.end)
        found = next((hit for adds in caseless("ways", "adds") if (hit := adds.match(words))), None)
        if found is not None and not clause.is_question:
            step = found["what"].strip(QUOTES)
            if caseless("ways", "pointing")[0].fullmatch(step):
                step = said or _last(before)
            way = _named(store, found["name"], scope) if step else None
            if way is not None and (draft := _with_step(way, step, found, scope, at)) is not None:
                drafts.append(draft)
        said = words.strip(" .!")
    return drafts


def _last(before: str) -> str:
    """Return the last sentence of what was said before."""
    clauses = [one for one in segments(before[-LONGEST:]) if not one.is_question]
    return clauses[-1].text.strip(" .!") if clauses else ""


def _named(store: Store, name: str, scope: Scope) -> tuple[Any, ...] | None:
    """Return the one procedure that is meant: each word of the name is one of its own name or of what it is for."""
    wanted = _words(name)
    rows = store.db.read("store.ways", scope.owner())
    of_name = [row for row in rows if wanted <= _words(row[1])]
    found = of_name or [row for row in rows if wanted <= _words(f"{row[1]} {row[2]}")]
    return found[0] if len(found) == 1 and wanted else None


def _words(text: str) -> set[str]:
    low = tokens(text.replace("_", " ").replace("-", " "))[1]
    return {word[:KIN] for word in low if word not in MARKS}


def _with_step(
    way: tuple[Any, ...], step: str, found: re.Match[str], scope: Scope, at: int
) -> Draft | None:
    _, key, content, context, stored, _ = way
    steps = json.loads(stored)
    if any(step.casefold() == one.casefold() for one in steps):
        return None
    place = len(steps)
    if found["near"]:
        near = _words(found["near"])
        shared = [len(near & _words(one)) for one in steps]
        if max(shared, default=0):
            place = shared.index(max(shared)) + (found["after"] is not None)
    return Draft(
        content,
        "procedure",
        scope,
        key=key,
        said_at=at,
        source="user_explicit",
        detail={"context": context, "steps": [*steps[:place], step, *steps[place:]]},
    )
