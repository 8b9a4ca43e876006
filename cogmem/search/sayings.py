"""What the person said in earlier sessions that bears on a prompt: short messages of their own, told whole.

Two thirds of what helps a later session are the person's own words: a decision, a correction, a reason why not. They
stand between long answers, and they seldom repeat the words of the prompt that they help. So those of the likeliest
and of the latest conversations are looked at, and those of this week that have a word of the prompt. Each is told by
few figures: what it shares with the prompt, how much its conversation has to do with it, how old it is, where it
stands; the texts of the best are read and parted into passages, and how much the best passage is worth telling counts
most. The weights are data (`data/sayings.txt`), learned from real work by benchmarks/fit_sayings.py.
"""

from __future__ import annotations

from _operator import mul
from math import exp, log, log1p

from cogmem.cached import lru_cache
from cogmem.language.ordinary import per_thousand
from cogmem.records import add_up, json_counts, json_numbers
from cogmem.search.gate import typed_part
from cogmem.search.ground import BITS, SEQS
from cogmem.search.messages import USER, lines_at
from cogmem.strength import DAY_MS
from cogmem.text.data import weights as kept
from cogmem.text.lines import unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate

    Row = tuple[Any, ...]  # of "messages.lines"
    Read = tuple[float, bool, bool]  # what `message_place` keeps: worth, wants, lasts

NAMES = (
    "worth",  # of its best passage: the logarithm of the odds that it helps somebody later
    "share",  # of what the prompt's words tell, the part that stands in it
    "beside",  # logarithm of what the words tell that stand right beside it
    "pasted",  # … that stand in it and in what was pasted into the prompt
    "near",  # how fresh it is; this one fades in two days
    "days",  # logarithm of its age
    "begins",  # 1: it began its conversation
)
# Where a life is talked about and no work in files, the matters are many, and which of them it is says most.
OF_LIFE = (
    "life_share",  # share
    "life_matter",  # what its conversation has to do with the prompt, 1 for the likeliest
    "life_days",  # days
    "life_begins",  # begins: there the wish of a whole project is said
)
LONGEST, LONGEST_OF_LIFE = 90, 160  # tokens of a short message
OWN = 0.8  # share of it that must be typed
WORTH = 0.12  # the chance that a passage helps, from which a message is worth telling
SAYS = 4  # words that are neither ordinary nor part of a path; a message with fewer says nothing to a later session
ORDINARY = 30.0  # of a thousand texts; a word that stands in more is ordinary
POINTERS = ("/", "\\", "@", "[")  # a path, a mention, a picture
TELLS = 1.0  # what a word tells of conversations, from which it counts
MET = 0.3  # of what the prompt's words tell: where so much stands in one message, one without any is beside the point
THIN = 4  # telling words typed, below which what was pasted counts as typed
LATEST = 4  # conversations that are looked at from the latest one on
WEEK_MS = 7 * DAY_MS
MOST = 1_200  # places of this week looked at, beside those
READ = 30  # of which the text is read
MOST_SURE = 0.999_999  # of a chance, which is less than one


class Saying:
    """A message of the person, and what tells whether it bears on the prompt."""

    __slots__ = ("asks", "figures", "lasts", "place", "row", "score", "share", "worth")

    def __init__(
        self,
        place: int,
        read: tuple[float | None, int, int],
        share: float,
        figures: dict[str, float],
        score: float,
    ) -> None:
        self.place = place
        self.worth = read[0]  # None: no turn has read it
        self.asks = bool(read[1])  # it ends with a question
        self.lasts = bool(read[2])  # it says what lasts: no order of the moment, no question alone
        self.share = share  # of what the prompt's words tell, the part that stands in it
        self.figures = figures
        self.score = score
        self.row: Row = ()

    def is_worth_telling(self) -> bool:
        """Tell whether it is worth telling, or may be: of a question the answer is."""
        return self.worth is None or self.worth >= WORTH or (self.asks and self.worth > 0)


def sayings(db: Database, scope: Scope, gate: Gate, now: int, most: int = READ) -> list[Saying]:
    """Return what may bear on the prompt for which a gate was settled, the best first; so many are read."""
    underway = gate.underway
    if underway is None or not underway.session:
        return []
    low = gate.typed.lower()
    telling = [term for term in gate.ground.terms if term.own and term.worth >= TELLS]
    typed = [term for term in telling if any(form in low for form in term.forms)]
    if len(typed) < THIN:
        typed = telling
    own: dict[int, float] = {}  # what the words tell that stand at a place
    pasted: dict[int, float] = {}
    for term in telling:
        add_up(own if term in typed else pasted, term.own, term.worth)
    whole = sum([term.worth for term in typed]) or 1.0
    talks = {*underway.others(db, scope, LATEST), *(one.conversation for one in gate.matters)}
    table = weights()
    longest = LONGEST_OF_LIFE if gate.is_of_life else LONGEST
    rows = _near(db, gate, [*own, *pasted], talks, now, longest)
    value = {matter.conversation: matter.value for matter in gate.matters}
    best = max(value.values(), default=0.0) or 1.0
    bias, is_life = table["bias"], gate.is_of_life
    names = OF_LIFE if is_life else NAMES[1:]  # their texts are not read yet
    weighs = [table[name] for name in names]
    found: list[tuple[float, int, tuple[float, ...], Row]] = []  # to be sorted
    figures: tuple[float, ...]
    is_met = False
    for row in rows:
        place = row[0]
        days = max(0, now - row[1]) / DAY_MS
        share = own.get(place, 0.0) / whole
        begins = 0.0 if place % SEQS else 1.0
        if is_life:
            figures = (share, value.get(place >> BITS, 0.0) / best, log1p(days), begins)
        else:
            is_met = is_met or share >= MET
            figures = (
                share,
                log1p(own.get(place - 1, 0.0) + own.get(place + 1, 0.0)),
                log1p(pasted.get(place, 0.0)),
                exp(-days / 2),
                log1p(days),
                begins,
            )
        found.append((-bias - sum(map(mul, figures, weighs)), -place, figures, row))
    if is_met:  # what has no word of the prompt, beside it or in it, is beside the point
        found = [one for one in found if any(one[2][:3])]
    found.sort()
    said = [
        Saying(row[0], row[2:], figures[0], dict(zip(names, figures, strict=True)), -score)
        for score, _, figures, row in found[:most]
    ]
    return _worded(db, scope, said, table, gate)


def in_order(found: Iterable[Saying]) -> list[Saying]:
    """Return the best first, and of equals the newest."""
    order = sorted([(-one.score, -one.place, one) for one in found])
    return [one for _, _, one in order]


def _worded(
    db: Database, scope: Scope, found: list[Saying], table: Mapping[str, float], gate: Gate
) -> list[Saying]:
    """Those that say something, by what their passages are worth as well; of a life whatever was typed. What was read
    for the first time `gate.read` takes along, to be noted with the turn."""
    is_life = gate.is_of_life
    left = [one for one in found if is_life or one.is_worth_telling()]
    rows = lines_at(db, scope, [one.place for one in left])
    there = [one for one in left if one.place in rows]
    for one in there:
        one.row = rows[one.place]
    if is_life:
        says = say_something(db, [one.row[3] for one in there])
        told = [one for one, is_said in zip(there, says, strict=True) if is_said]
        told = [one for one in told if _is_typed(one.row[3])]
        for one in told:
            one.lasts = True
    else:
        new = _reads(db, {one.place: one.row[3] for one in there if one.worth is None})
        gate.read.update(new)
        told = []
        for one in there:
            if one.place in new:
                one.worth, one.asks, one.lasts = new[one.place]
            if one.worth is None or not one.is_worth_telling():
                continue
            one.figures["worth"] = log(one.worth / (1 - one.worth))
            one.score = scored(one.figures, table)
            told.append(one)
    return in_order(told)


def read_ahead(db: Database, owner: Mapping[str, Any], name: str, at: int, actor: str) -> None:
    """Read what a person said in a conversation before a turn of another session must, which somebody waits for."""
    rows = db.read("messages.unread", {**owner, "name": name, "tokens": LONGEST})
    if rows and _may_note(db):
        db.write(noting(db, _reads(db, dict(rows))), verb="session", actor=actor, at=at)


def noting(db: Database, read: Mapping[int, Read]) -> list[Step]:
    """Return the step that notes what was read, where it may be noted."""
    if not _may_note(db):
        return []
    rows = ",".join(
        [f"[{place},{worth},{wants:d},{lasts:d}]" for place, (worth, wants, lasts) in read.items()]
    )
    return [("messages.note_worth", {"read": f"[{rows}]"})]


def _may_note(db: Database) -> bool:
    return not (db.read_only or db.is_of_cluster)  # where places differ from machine to machine


def _reads(db: Database, texts: Mapping[int, str]) -> dict[int, Read]:
    """Read messages, by their places."""
    if not texts:
        return {}
    says = say_something(db, [*texts.values()])
    return {
        place: _read_through(text) if is_said else (0.0, False, False)
        for (place, text), is_said in zip(texts.items(), says, strict=True)
    }


@lru_cache(maxsize=1024)  # where nothing can be noted
def _read_through(text: str) -> Read:
    """Return how much the best passage of a message helps, with what else it is; a paste helps nobody."""
    from cogmem.language import passages

    parts = passages.judged([(USER, text)]) if _is_typed(text) else []
    if not parts:
        return 0.0, False, False
    chance = min(max([passage.chance for passage in parts]), MOST_SURE)
    return chance, passages.asks(parts[-1]), any(passage.sort for passage in parts)


def _is_typed(text: str) -> bool:
    return len(typed_part(text)) >= OWN * len(unwrapped(text).strip())


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


def _near(
    db: Database, gate: Gate, places: list[int], talks: set[int], now: int, longest: int
) -> list[Row]:
    """Messages of the person, as "messages.sayings" has them, that belong to these conversations, or stand at these
    places and are of this week."""
    underway = gate.underway
    assert underway is not None
    ranges = {talk << BITS: (talk << BITS) + SEQS - 1 for talk in talks}
    places = sorted((place for place in places if place >> BITS not in talks), reverse=True)[:MOST]
    asked = {
        "places": json_numbers(places), "since": now - WEEK_MS, "ranges": json_counts(ranges), "until": now + DAY_MS,
        "tokens": longest,
    }  # fmt: skip
    known = underway.windows
    rows = db.read("messages.sayings", asked)
    return [row for row in rows if row[0] >> BITS not in known] if known else rows


def scored(figures: Mapping[str, float], table: Mapping[str, float] | None = None) -> float:
    """Return the weighted sum of figures."""
    table = weights() if table is None else table
    return table["bias"] + sum([table[name] * value for name, value in figures.items()])


_read: dict[str, float] = {}


def weights() -> dict[str, float]:
    """Return the weights that this version ships, read once in a process."""
    if not _read:
        _read.update(kept("sayings"))
    return _read
