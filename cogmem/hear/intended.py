"""Hears what somebody means to do later: "remind me to drop the flag when we touch the exporter".

Only what asks for it in so many words, in a sentence of its own. The moment is a day to come, or what its clause has
in backticks, a command or a file; without such the telling words of the clause, and the event that they name.
"""

from __future__ import annotations

import re

from cogmem.language.clauses import own_words, segments
from cogmem.language.dates import anchor
from cogmem.language.ordinary import per_thousand
from cogmem.language.statement import read, tokens
from cogmem.records import Draft, milliseconds
from cogmem.strength import DAY_MS
from cogmem.text.attempts import EVENTS
from cogmem.text.data import caseless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.scope import Scope

INTENTION = "intention"
LONGEST = 2000  # characters of a message that is read
TELLING = 12.0  # of a thousand texts; a word that stands in more names no moment
SHORTEST = 3  # letters of a word that names one
MOST = 3  # words of a moment


def intended(text: str, scope: Scope, at: int) -> list[Draft]:
    """Return the intentions of a person's message."""
    if len(text) > LONGEST or not _signs(text):
        return []
    found = []
    for clause in segments(text):
        what, moments = _meant(own_words(text, clause.start, clause.end), at)
        if moments and not clause.is_question:
            data = {"when": moments, "rule": "intended"}
            draft = Draft(what, INTENTION, scope, source="user_explicit", said_at=at, data=data)
            found.append(draft)
    return found


def says_so(text: str) -> bool:
    """Tell whether a sentence is one that means to do something later: it is heard as nothing else."""
    return _signs(text) and bool(_meant(text, 0)[1])


def _signs(text: str) -> bool:
    """Tell whether any word stands there that what is meant begins with."""
    return caseless("intended", "signs")[0].search(text) is not None


def _meant(sentence: str, at: int) -> tuple[str, list[list[str]]]:
    """Return what a sentence of that instant means to do, and the moments at which; none if it means nothing."""
    for asks in caseless("intended", "asks"):
        hit = asks.match(sentence)
        if hit is not None and (moments := _moments(hit, at)):
            return hit["what"].strip(" ,.!"), moments
    return "", []


def _moments(hit: re.Match[str], at: int) -> list[list[str]]:
    clause = hit["when"]
    if "day" in hit.re.groupindex:
        found = anchor(f"We will {hit['what']} {clause}", at)
        said = [one for one in found if one.phrase.casefold() == clause.casefold()]
        days = [milliseconds(one.first, "day", at) for one in said]
        return [["on", str(day)] for day in days if day > at - DAY_MS]
    if named := re.findall("`([^`]+)`", clause):
        files = [["path", one] for one in named if " " not in one and ("/" in one or "." in one)]
        return [["command", one] for one in named] + files
    named = [
        word.said
        for word in read(clause).words
        if len(word.said) >= SHORTEST and per_thousand(word.said) < TELLING
    ]
    if not named:
        return []
    acts = {word: one for word in named for one in EVENTS if word.startswith(one[:-1])}
    wanted = dict.fromkeys([*acts, *_thing(clause, named)])
    events = [["event", acts[word]] for word in wanted if word in acts and len(named) == 1]
    return [["words", " ".join(wanted)], *events]


def _thing(clause: str, named: Sequence[str]) -> list[str]:
    """Return what a moment is about: its last words side by side, "login page" of "change the login page"."""
    found: list[str] = []
    for word in reversed(tokens(clause)[1]):
        if word in named and len(found) < MOST:
            found.insert(0, word)
        elif found:
            break
    return found
