"""Hears what somebody means to do later: "remind me to drop the flag when we touch the exporter".

Only what asks for it in so many words, in a sentence of its own; the moment becomes the telling words of its clause.
Whoever wants a path, a command or a day says it with `cogmem intend`.
"""

from __future__ import annotations

import re
from functools import cache

from cogmem.language.clauses import own_words, segments
from cogmem.language.ordinary import per_thousand
from cogmem.records import Draft
from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.scope import Scope

INTENTION = "intention"
SIGNS = ("remind me", "next time", "nächste", "erinner", "rappelle", "recuérdame")
LONGEST = 2000  # characters of a message that is read
TELLING = 12.0  # of a thousand texts; a word that stands in more names no moment
SHORTEST = 4  # letters of a word that names one
MOST = 3  # words of a moment


@cache
def _asks() -> list[re.Pattern[str]]:
    return [re.compile(said, re.IGNORECASE) for _, _, said in patterns("intended")]


def intended(text: str, scope: Scope, at: int) -> list[Draft]:
    """The intentions of a person's message."""
    low = text[:LONGEST].casefold()
    if len(text) > LONGEST or not any(sign in low for sign in SIGNS):
        return []
    found = []
    for clause in segments(text):
        words = own_words(text, clause.start, clause.end)
        hit = next((hit for asks in _asks() if (hit := asks.match(words))), None)
        moment = _moment(hit["when"]) if hit and not clause.is_question else ""
        if hit is not None and moment:
            data = {"when": [["words", moment]], "rule": "intended"}
            what = hit["what"].strip(" ,.!")
            draft = Draft(what, INTENTION, scope, source="user_explicit", said_at=at, data=data)
            found.append(draft)
    return found


def says_so(text: str) -> bool:
    """Tell whether a sentence is one that means to do something later: it is heard as nothing else."""
    low = text.casefold()
    if not any(sign in low for sign in SIGNS):
        return False
    hit = next((hit for asks in _asks() if (hit := asks.match(text))), None)
    return hit is not None and bool(_moment(hit["when"]))


def _moment(clause: str) -> str:
    """The words that tell a moment: the rarest of its clause; the first of them is what is done."""
    words = re.findall(r"[\w-]+", clause.casefold())
    telling = [w for w in words if len(w) >= SHORTEST and per_thousand(w) < TELLING]
    return " ".join(telling[-MOST:])
