"""What a message proposes, and how a captured clause becomes a draft for the write path: its source, standing, key
and instant.

What a person asks to remember and a standing order are their own word and stand in every prompt; what was said
once is observed, dated and found when it fits. Dates count from when the message was written.
"""

from __future__ import annotations

import re

from cogmem.hear.intended import intended, says_so
from cogmem.hear.said import ONCE_PRIORITY
from cogmem.hear.taken_back import takes_back
from cogmem.hear.ways import changed_ways
from cogmem.language.framing import is_in_first_person, without_opening
from cogmem.language.languages import words_of
from cogmem.language.statement import read
from cogmem.records import Draft
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.hear.capture import Captured
    from cogmem.hear.said import Statement
    from cogmem.scope import Scope
    from cogmem.store.store import Store

    # Of a message, who says it, whether doubtful ones count, and what was said before: proposals and statements.
    Read = Callable[[str, str, bool, str], tuple[list[Captured], list[Statement]]]

NEAR = 500  # characters of the text before that a bare "remember this" keeps
SHORT = 80  # characters of a statement that the message before may have to explain
ONCE_SAID = "said once"
RULES = ("preference", "convention", "policy")  # what may hold for some files alone
CORRECTED = "correction.said"  # what sets something right
_FEWEST = 2  # words of what stands behind "actually": fewer are not a statement


def heard(
    store: Store, read: Read, text: str, role: str, before: str, scope: Scope, at: int
) -> tuple[list[Captured], list[Statement], list[Draft]]:
    """Return what a message proposes and states, and what a person means to do or wants done otherwise from now on:
    that is heard as nothing else."""
    proposed, statements = read(text, role, True, before)
    if role != "user":
        return proposed, statements, []
    for one in takes_back(text):
        proposed = [other for other in proposed if not one.start <= other.start < one.end]
        statements = [other for other in statements if not one.start <= other.start < one.end]
    meant = intended(text, scope, at)
    if meant:
        proposed = [one for one in proposed if not says_so(one.text)]
        statements = [one for one in statements if not says_so(text[one.start : one.end])]
    return proposed, statements, [*changed_ways(store, text, before, scope, at), *meant]


def draft_of(
    found: Captured, scope: Scope, *, at: int, session: str = "", before: str = ""
) -> Draft | None:
    """Return the draft of one capture; None where "remember this" has nothing before it to keep."""
    text = found.text or one_line(before)[:NEAR]
    if not text:
        return None
    if found.family == "self_error":
        return Draft(
            text,
            found.kind,
            scope,
            priority=found.priority,
            source="observed",
            said_at=at,
            state=found.state,
            tags=("auto-detect", "self-improvement"),
            detail={"outcome": found.outcome, "session_name": session, "happened_at": at},
        )
    if found.family in ("correction", "preference"):
        text = plainly(text)
    is_sure = found.state == "active"
    is_told = is_sure and found.rule != ONCE_SAID
    path = place_in(text) if found.kind in RULES else ""
    if found.is_personal and not path:
        scope = scope.replacing(project="")
    return Draft(
        text,
        found.kind,
        scope,
        key=found.key,
        priority=found.priority if is_told else min(found.priority, ONCE_PRIORITY),
        said_at=at,
        source="user_explicit" if is_told else "observed",
        polarity=found.polarity or None if found.text else None,
        state=None if is_sure else "candidate",
        only_corrects=found.state == "doubtful",
        path_glob=path,
        after=before if found.rule == ONCE_SAID and len(found.text) <= SHORT else "",
        detail={"confidence": found.confidence},
        data={
            "rule": CORRECTED if found.family == "correction" else found.rule,
            **({"who": "user"} if is_in_first_person(text) else {}),
        },
    )


def place_in(text: str) -> str:
    """Return the path a rule is for: "in src/api always …", "never edit files in docs/reference"; '' if none."""
    if "/" not in text:
        return ""
    said = read(text)
    sorts = words_of(said.language)
    for place, word in enumerate(said.words):
        if "/" not in word.said and f"{word.said}/" not in text.lower():
            continue
        if word.prep not in ("in", "for"):
            continue
        before = said.words[place - 1].said if place else ""
        whole = {*sorts.sorts.get(before, ()), *sorts.sorts.get(before.removesuffix("s"), ())}
        if not before or not _WHOLE.isdisjoint(whole):
            found = _PATH.search(text, max(0, text.lower().find(word.said)))
            return found[0].rstrip("/") if found else ""
    return ""


_PATH = re.compile(r"(?<![\w~/@.:-])\w[\w.-]*/[\w./*-]*\w?\*{0,2}")
_WHOLE = frozenset(("codeobj", "every"))


def plainly(text: str) -> str:
    """Return a correction as the statement that it is: "Actually, the port is 8081" without its opening."""
    rest = without_opening(text)
    if len(rest.split()) < _FEWEST and rest.isascii():
        return text
    return rest[:1].upper() + rest[1:] if text[:1].isupper() else rest
