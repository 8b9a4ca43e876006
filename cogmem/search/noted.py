"""Which of the notes that a model left bear on a prompt, each with the chance that it helps.

A note stands alone, so it is weighed by itself and told instead of what it came from: the messages that the model has
read, and what rules had heard in them. Notes that share the prompt's words are found like any memory; those of the
likeliest and the latest conversations are looked at as well, since a session often takes up where another ended. The
figures are few, and the weights are data (`data/noted.txt`), learned from real work by benchmarks/fit_noted.py.
"""

from __future__ import annotations

import re
from math import exp, log1p

from cogmem.records import json_numbers
from cogmem.search.gate import chance
from cogmem.search.ground import BITS, SEQS, conversation_of, seq_of
from cogmem.search.memories import by_ids, read_endings
from cogmem.strength import DAY_MS
from cogmem.text.cell import listed
from cogmem.text.data import weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.memories import Candidate

NAMES = (
    "named",  # how many of its names stand in the prompt
    "share",  # of what the prompt asks for, the part that stands in it
    "many",  # 1: two words of the prompt or more stand in it
    "beside",  # logarithm of what the words tell that stand in its message and around it
    "rank",  # 1 / (1 + the place of its conversation among the likeliest)
    "latest",  # 1 / (1 + its conversation's place among the latest)
    "weeks",  # how fresh it is
    "opening",  # 1: the prompt begins a session
    "brief",  # how far a prompt within one falls short of a dozen words
    "open",  # 1: it says what was left open
)
LIKELIEST = 4  # conversations whose notes are all looked at
LATEST = 3  # likewise
NAMED, SHORTEST = 3, 4  # names that count, and letters that each has
PROMPT = 6_000  # characters of a prompt in which names are looked for
AROUND = (-2, -1, 0, 1)  # messages beside the one that supports it
MOST = 3  # notes that are told for one prompt
CLOSE = 0.37  # share of the best one's odds from which another is told beside it


class Noted:
    """The notes that may bear on a prompt, and how far they stand for the conversations that they came from."""

    def __init__(
        self, found: list[Candidate], upto: dict[int, int], talks: frozenset[int] = frozenset()
    ) -> None:
        self.found = found
        self.upto = upto
        # Where few were read, what was said in the others is told as if there were no notes.
        self.are_most_read = 2 * len(upto.keys() & talks) > len(talks)

    def stands_for(self, place: int) -> bool:
        """Tell whether what was said there is told by notes, or is not worth any."""
        return seq_of(place) < self.upto.get(conversation_of(place), 0)


def noted(
    db: Database, scope: Scope, gate: Gate, found: Sequence[Candidate], talks: Iterable[int], now: int
) -> Noted:  # fmt: skip
    """Weigh the notes among what was found, and those of the conversations that the prompt may be about."""
    underway = gate.underway
    if underway is None or not underway.session:
        return Noted([], {})
    lately = underway.others(db, scope, LATEST)
    likely = [matter.conversation for matter in gate.matters[:LIKELIEST]]
    near = {*lately, *likely}
    every = frozenset((*talks, *near))
    asked = {
        **scope.viewer(),
        "ids": json_numbers([one.id for one in found if one.source == "inferred"]),
        "talks": json_numbers(sorted(every)),
    }
    rows = {row[0]: row for row in db.read("noted.of", asked)}
    upto = {
        talk: end
        for talk, end, is_over in db.read("noted.read_up_to", {"talks": asked["talks"]})
        if not is_over
    }
    upto.update((row[1], SEQS) for row in rows.values())
    known = {one.id: one for one in found if one.id in rows}
    missing = [one for one, row in rows.items() if one not in known and row[1] in near]
    known |= {one.id: one for one in by_ids(db, scope, missing)}
    kept = [one for one in known.values() if rows[one.id][1] not in underway.windows]
    _weigh(gate, kept, rows, lately, now)
    read_endings(db, kept)
    kept.sort(key=lambda one: (-(one.chance or 0.0), -one.id))
    return Noted(kept, upto, every)


def _weigh(
    gate: Gate, found: list[Candidate], rows: dict[int, tuple[int, int, int, str, int]], lately: list[int], now: int,
) -> None:  # fmt: skip
    table = weights("noted")
    prompt = gate.text[:PROMPT].casefold()
    beside = _beside(gate, {(rows[one.id][1] << BITS) + rows[one.id][2] for one in found})
    rank = {matter.conversation: number for number, matter in enumerate(gate.matters)}
    for one in found:
        _, talk, seq, sort, at = rows[one.id]
        one.marks = {
            "named": min(sum(_stands_in(name, prompt) for name in listed(one.tags)), NAMED),
            "share": one.marks.get("share", 0.0),
            "many": one.marks.get("many", 0.0),
            "beside": log1p(beside.get((talk << BITS) + seq, 0.0)),
            "rank": 1 / (1 + rank[talk]) if talk in rank else 0.0,
            "latest": 1 / (1 + lately.index(talk)) if talk in lately else 0.0,
            "weeks": exp(-max(0, now - at) / DAY_MS / 7),
            "opening": gate.situation.get("opening", 0.0),
            "brief": gate.situation.get("brief", 0.0),
            "open": float(sort == "open"),
        }
        one.chance = chance(one.marks, table)


def _stands_in(name: object, prompt: str) -> bool:
    """Tell whether a name stands in a prompt whole, in small letters."""
    word = str(name).casefold()
    if len(word) < SHORTEST or word not in prompt:
        return False
    return re.search(rf"(?<![a-z0-9_]){re.escape(word)}(?![a-z0-9_])", prompt) is not None


def _beside(gate: Gate, places: set[int]) -> dict[int, float]:
    """Return what the prompt's words tell that stand in the messages at and around some places."""
    around = {place + step: place for place in places for step in AROUND}
    told: dict[int, float] = {}
    for term in gate.ground.terms:
        if term.worth and not term.explained:
            for place in {around[other] for other in around.keys() & term.own}:
                told[place] = told.get(place, 0.0) + term.worth
    return told
