"""What the person said in earlier sessions that bears on a prompt: short messages of their own, told whole.

Two thirds of what helps a later session are the person's own words: a decision, a correction, a reason why not. They
are short, they stand between long answers, and they seldom repeat the words of the prompt that they help. So those of
the conversations that the prompt is about are looked at, those of today that have a word of it, and for a prompt that
was mostly pasted, which begins a review of what was just done, those of the latest conversation. Each is
told by several figures: what it shares with the prompt, what stands beside it, how much its conversation has to do
with the prompt, how old it is. The weights are data (`data/sayings.txt`), learned from real work by
benchmarks/fit_sayings.py. The figures are read off the places that the search found; only the texts of the best are
read, to see whether they say anything: a go-ahead, a picture, a path, an order that
only has a number helps nobody later.
"""

from __future__ import annotations

from math import exp, log, log1p

from cogmem.language.ordinary import per_thousand
from cogmem.records import json_counts, json_numbers
from cogmem.search.matters import likely
from cogmem.search.places import BITS, SEQS, seq_of
from cogmem.strength import DAY_MS
from cogmem.text.data import weights as kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate

    Row = tuple[Any, ...]  # of "messages.lines"

NAMES = (
    "share",  # of what the prompt's words tell, the part that stands in it
    "covers",  # logarithm of what the words tell that stand in it
    "news",  # … of those that the session under way has not said just now
    "names",  # words of the project in it, three at most
    "many",  # 1: two words of the prompt or more stand in it
    "dense",  # what the words in it tell, for its length
    "beside",  # logarithm of what the words tell that stand beside it and not in it
    "pasted",  # … that stand in it and in what was pasted into the prompt
    "thin",  # covers, where little of the prompt was typed
    "rank",  # 1 / (1 + the place of its conversation among the likeliest)
    "matter",  # what its conversation shares with the prompt, 1 for the likeliest
    "latest",  # 1 / (1 + its conversation's place among the latest)
    "days",  # how fresh it is; this one fades in a day and a half
    "weeks",
    "months",
    "length",  # logarithm of its tokens to twenty
    "length_2",  # … squared
    "begins",  # 1: it began its conversation
    "opening_covers",  # where the prompt begins a session: covers
    "opening_rank",
    "opening_weeks",
    "inner_news",  # where the prompt stands within one: news
    "inner_rank",
    "inner_weeks",
)
LONGEST = 90  # tokens of a short message
TELLS = 1.0  # what a word tells of conversations, from which it counts
THIN = 4  # telling words typed, below which what was pasted counts as typed
LATEST = 3  # conversations that are counted from the latest one on
MOST = 1_200  # places of today looked at, beside those
READ = 30  # of which the text is read
SAYS = 4  # words that are neither ordinary nor part of a path; a message with fewer says nothing to a later session
ORDINARY = 30.0  # of a thousand texts; a word that stands in more is ordinary
POINTERS = ("/", "\\", "@", "[")  # a path, a mention, a picture


class Saying:
    """A short message of the person, and what tells whether it bears on the prompt."""

    __slots__ = ("at", "figures", "place", "row", "score", "tokens")

    def __init__(self, place: int, tokens: int, at: int) -> None:
        self.place = place
        self.tokens = tokens
        self.at = at
        self.figures: dict[str, float] = {}
        self.score = 0.0
        self.row: Row = ()


def sayings(db: Database, scope: Scope, gate: Gate, now: int, most: int = READ) -> list[Saying]:
    """What may bear on the prompt for which a gate was settled, the best first; of the best so many are read."""
    underway = gate.underway
    if underway is None or not underway.session:
        return []
    low = gate.typed.lower()
    telling = [term for term in gate.ground.terms if term.own and term.worth >= TELLS]
    typed = [term for term in telling if any(form in low for form in term.forms)]
    is_thin = len(typed) < THIN
    if is_thin:
        typed = telling
    own: dict[int, int] = {}  # place: a bit for each word typed
    pasted: dict[int, float] = {}
    for number, term in enumerate(typed):
        for place in term.own:
            own[place] = own.get(place, 0) | 1 << number
    for term in () if is_thin else telling:
        if term not in typed:
            for place in term.own:
                pasted[place] = pasted.get(place, 0.0) + term.worth
    worth = _Sums([term.worth for term in typed])
    fresh = _Sums([0.0 if term.explained else term.worth for term in typed])
    names = _Sums([float(term.is_own) for term in typed])
    whole = sum(worth.of) or 1.0
    table = weights()
    latest = db.read("messages.latest_talks", {**scope.hearer(), "limit": LATEST + 1})
    lately = [row[0] for row in latest if row[0] not in underway.windows][:LATEST]
    talks = likely(gate.matters)
    if gate.is_pasted:
        talks.update(lately[:1])
    elif len(talks) == 1:  # it is clearly about that one
        own, pasted = {place: bits for place, bits in own.items() if place >> BITS in talks}, {}
    found = _short_ones(db, gate, [*own, *pasted], talks, now)
    rank = {matter.conversation: number for number, matter in enumerate(gate.matters)}
    value = {matter.conversation: matter.value for matter in gate.matters}
    best = max(value.values(), default=0.0) or 1.0
    opening = bool(gate.situation.get("opening"))
    for one in found:
        talk = one.place >> BITS
        bits = own.get(one.place, 0)
        covers = worth[bits]
        news = log1p(fresh[bits])
        around = own.get(one.place - 1, 0) | own.get(one.place + 1, 0)
        days = max(0, now - one.at) / DAY_MS
        length = log(max(one.tokens, 4) / 20)
        ranked = 1 / (1 + rank[talk]) if talk in rank else 0.0
        weeks = exp(-days / 7)
        one.figures = {
            "share": covers / whole,
            "covers": log1p(covers),
            "news": news,
            "names": min(3.0, names[bits]),
            "many": float(bits & (bits - 1) != 0),
            "dense": covers / log(20 + one.tokens),
            "beside": log1p(worth[around & ~bits]),
            "pasted": log1p(pasted.get(one.place, 0.0)),
            "thin": log1p(covers) if is_thin else 0.0,
            "rank": ranked,
            "matter": value.get(talk, 0.0) / best,
            "latest": 1 / (1 + lately.index(talk)) if talk in lately else 0.0,
            "days": exp(-days / 1.5),
            "weeks": weeks,
            "months": exp(-days / 40),
            "length": length,
            "length_2": length * length,
            "begins": float(not seq_of(one.place)),
        }
        if opening:
            one.figures.update(
                opening_covers=log1p(covers), opening_rank=ranked, opening_weeks=weeks
            )
        else:
            one.figures.update(inner_news=news, inner_rank=ranked, inner_weeks=weeks)
        one.score = scored(one.figures, table)
    found.sort(key=lambda one: (-one.score, -one.place))
    return _worded(db, scope, found[:most])


def _worded(db: Database, scope: Scope, found: list[Saying]) -> list[Saying]:
    """Those that say something, with their texts."""
    asked = {**scope.hearer(), "places": json_numbers([one.place for one in found])}
    rows = {row[0]: row for row in db.read("messages.lines", asked)}
    read = [one for one in found if one.place in rows]
    for one in read:
        one.row = rows[one.place]
    says = say_something(db, [one.row[3] for one in read])
    return [one for one, is_said in zip(read, says, strict=True) if is_said]


def say_something(db: Database, texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether it has enough words that are neither ordinary nor part of a path."""
    bare = [
        " ".join(
            [word for word in text.split() if "/" not in word and not word.startswith(POINTERS)]
        )
        for text in texts
    ]
    return [
        len({stem for stem in stems if not stem.isdigit() and per_thousand(stem) < ORDINARY})
        >= SAYS
        for stems in db.stems_of_each(bare)
    ]


def _short_ones(
    db: Database, gate: Gate, places: list[int], talks: set[int], now: int
) -> list[Saying]:
    """Short messages of the person that belong to these conversations, or stand at these places and are of today."""
    underway = gate.underway
    assert underway is not None
    ranges = {talk << BITS: (talk << BITS) + SEQS - 1 for talk in talks}
    places = sorted((place for place in places if place >> BITS not in talks), reverse=True)[:MOST]
    asked = {
        "places": json_numbers(places), "since": now - DAY_MS, "ranges": json_counts(ranges), "until": now + DAY_MS,
        "tokens": LONGEST,
    }  # fmt: skip
    return [
        Saying(*row)
        for row in db.read("messages.sayings", asked)
        if row[0] >> BITS not in underway.windows
    ]


class _Sums(dict[int, float]):
    """What several words are worth together, by their bits: many messages have the same few."""

    def __init__(self, of: list[float]) -> None:
        self.of = of

    def __missing__(self, bits: int) -> float:
        total, rest = 0.0, bits
        while rest:
            lowest = rest & -rest
            total += self.of[lowest.bit_length() - 1]
            rest ^= lowest
        self[bits] = total
        return total


def scored(figures: Mapping[str, float], table: Mapping[str, float] | None = None) -> float:
    """The weighted sum of figures."""
    table = weights() if table is None else table
    return table["bias"] + sum([table[name] * value for name, value in figures.items()])


_read: dict[str, float] = {}


def weights() -> dict[str, float]:
    """The weights that this version ships, read once in a process."""
    if not _read:
        _read.update(kept("sayings"))
    return _read
