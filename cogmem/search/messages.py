"""Recorded messages that speak to a prompt, as candidates for a turn: found by its terms, scored, and read within the
viewer's scope. What the agent has before it is left out.

1. Each term is sized first, and counting stops at a cap. Rare ones are read whole, the rarest first,
   within a budget of postings. Common ones say something only together: FTS5 itself intersects two
   halves of them, split twice, and what comes back counts like a match of one rarer term.
2. The best by the sum of idf, and their neighbours, are looked up in one narrow table.
3. `figures` tells what words, neighbours, speaker and days say of each; the beginnings of the best
   are read, and their words weighed by what they mean; its weights make a score of it.

Within a session a gate needs 1 alone, and 2 and 3 wait until it is known that a message may be told.

An index shared by many users is asked for what this viewer hears only, so that the budget is spent
on it.
"""

from __future__ import annotations

from _operator import itemgetter
from math import log

from cogmem.language import cjk
from cogmem.language.asking import Asks, is_request
from cogmem.language.cue import Cue, any_of, in_halves, says_only
from cogmem.records import json_counts, json_list, json_numbers
from cogmem.search.figures import (
    AFTER,
    BEFORE,
    TOOLS,
    Standing,
    figures,
    likeliest,
    likeness,
    meaning,
    scores,
    worth,
)
from cogmem.search.gate import by_length
from cogmem.search.ground import BITS, Asked, Ground
from cogmem.search.matters import Underway, matters, of_life
from cogmem.search.near_words import kin as kin_of
from cogmem.search.spelling import Slips
from cogmem.strength import DAY_MS
from cogmem.text.lines import one_line, unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypedDict, Unpack

    from cogmem.file.db import Database
    from cogmem.language.cue import Cue, Term
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness

    class How(TypedDict, total=False):
        """How a search goes.

        What the agent has before it is no news: the latest messages of the conversation named `session`, and messages
        that say what `prompt` says. With `room` only what finds so many tokens comes back. With `near`, messages that
        mean what the prompt means gain, and some come in that share no word with it. With `gate`, nothing comes back
        unless it opens. With `second`, the best are ordered anew by what it reads. What a tool answered comes back
        only to who looks for it (`of_tools`): a page or a file that was read may give orders in anybody's name.
        """

        room: int
        session: str
        prompt: str
        near: Nearness | None
        gate: Gate | None
        second: SecondReader | None
        of_tools: bool

    # A term, the words kindred to it, and the stems of the prompt's own words.
    Met = tuple[Asked, tuple[str, ...], tuple[str, ...]]
    # What a term is worth, and the places where it stands, by itself and by its kin.
    Stood = tuple[float, Sequence[int], Sequence[int]]

MOST = 1 << 30  # tokens: room for anything
GAP = 80  # tokens of a message that may fit where the better ones left a gap
GAPS = 16  # so many of them are read
ECHO = 80  # characters of a message that may only repeat the prompt
REQUESTS = 32  # of the best messages that may be such a request
USER = "user"
FEW = 100  # a term in no more messages is read at once
MONTH = 32 * DAY_MS  # a longer time is none on which something was said
PER_TERM = 1_000  # a term in more messages is common
POSTINGS = 3_000  # of rare terms, read per prompt
TOGETHER = 20_000  # of common terms, walked by FTS5 per prompt
WHOLE = 4_000  # messages: of no more, all are compared in meaning, not only those found by words
SCORED = 150  # matches that are scored, with their neighbours
READ = 40  # candidates of which the first words are read
BEST = 10  # messages that a gate looks at
RANKED = 24  # terms that messages are ranked by, the rarest of a prompt that was pasted
BESIDE = 2  # places before and after a match that count


class Evidence:
    """One recorded message that speaks to the prompt."""

    __slots__ = tuple(
        "place who text tokens token_counter at name ref score relevance figures chance".split()
    )

    def __init__(
        self, row: tuple[Any, ...], score: float, best: float, figures: Sequence[float] = ()
    ) -> None:
        self.place, number, self.who, text, self.tokens, self.token_counter, self.at, self.name = (
            row
        )
        if self.who == USER and "</" in text:
            text = unwrapped(text)
        self.text = " ".join(text.split())  # on one line
        self.ref = f"msg_{number}"
        self.score = score
        self.relevance = score / best
        self.figures = figures  # in the order of figures.NAMES
        self.chance: float | None = None  # that it helps, if a gate was asked


def evidence(
    db: Database, cue: Cue, scope: Scope, now: int, *, limit: int, **how: Unpack[How]
) -> list[Evidence]:
    """Return the messages that fit a cue best, best first: nothing unless the gate opens, if there is one."""
    search = searched(db, cue, scope, now, limit=limit, **how)
    return search.lines() if search is not None and search.opens() else []


def lines_at(db: Database, scope: Scope, places: Iterable[int]) -> dict[int, tuple[Any, ...]]:
    """Return what was said at these places, as far as the viewer hears it: rows of "messages.lines"."""
    asked = {**scope.hearer(), "places": json_numbers(places)}
    return {row[0]: row for row in db.read("messages.lines", asked)}


def searched(
    db: Database, cue: Cue, scope: Scope, now: int, *, limit: int, **how: Unpack[How]
) -> Search | None:
    """Return the search for messages that fit a cue; None where nothing is asked, or nothing was said."""
    if not cue:
        return None
    heard, total, everybody = _audiences(db, scope)
    if not total:
        return None
    spoken_to = "" if everybody else _spoken_to(heard)
    return Search(db, scope, heard, total, spoken_to, cue, now, limit, **how)


def _fitting(order: list[int], tokens: Mapping[int, int], limit: int, room: int) -> list[int]:
    """Return the best places that fit the room; beyond it only a few short messages still find a gap."""
    best: list[int] = []
    gaps = GAPS
    for place in order:
        if tokens[place] <= max(room, GAP):
            gaps -= room <= 0
            room -= tokens[place]
            best.append(place)
            if len(best) == limit or not gaps:
                break
    return best


def _mute(found: list[Evidence], said: list[Evidence], *, is_past: bool) -> set[int]:
    """Return what only repeats the prompt opens nothing, nor does another request among the best."""
    kept = {one.place for one in said}
    mute = {one.place for one in found if one.place not in kept}
    for one in () if is_past else found[:REQUESTS]:
        is_short = one.place in kept and one.who == USER and len(one.text) <= ECHO
        if is_short and is_request(one.text):  # somebody asked for something, and told nothing
            mute.add(one.place)
    return mute


def _without_echoes(found: list[Evidence], prompt: str, cue: Cue) -> list[Evidence]:
    """Return what says more than the prompt itself: an earlier "run the tests" answers no later one."""
    asked = one_line(prompt)
    return [
        one
        for one in found
        if one.text != asked and not (len(one.text) <= ECHO and says_only(one.text, cue))
    ]


# -- who hears ---------------------------------------------------------------------------------


def _audiences(db: Database, scope: Scope) -> tuple[list[int], int, bool]:
    """Whom a viewer hears, how many messages that is, and whether that is everybody."""
    viewer = tuple(scope.hearer().values())
    return db.kept(("audiences", *viewer), lambda db: _read_audiences(db, scope))


def _read_audiences(db: Database, scope: Scope) -> tuple[list[int], int, bool]:
    if scope.everywhere:
        rows = db.read("messages.everyone")
    else:
        rows = db.read("messages.audiences", scope.hearer())
    heard = [row[0] for row in rows]
    others = {"audiences": json_numbers(heard)}
    everybody = scope.everywhere or not db.read("messages.others", others)[0][0]
    return heard, sum(row[1] for row in rows), everybody


def _spoken_to(audiences: list[int]) -> str:
    """Return the query that keeps a search to some audiences."""
    return "(" + " OR ".join(f'"\ue000{audience}"' for audience in audiences) + ")"


# -- finding -------------------------------------------------------------------------------------


class Search:
    """One prompt's search among the messages that one viewer hears."""

    def __init__(
        self,
        db: Database,
        scope: Scope,
        heard: list[int],
        total: int,
        spoken_to: str,
        cue: Cue,
        now: int,
        limit: int,
        **how: Unpack[How],
    ) -> None:
        self.db = db
        self.scope = scope
        self.heard = heard  # audiences
        self.total = total  # messages that they have
        self.spoken_to = spoken_to  # what is added to a query to keep it to them
        self.cue = cue
        self.now = now
        self.limit, self.room = limit, how.get("room", MOST)
        self.prompt = prompt = how.get("prompt", "")
        self.near, self.gate, self.second = how.get("near"), how.get("gate"), how.get("second")
        self.of_tools = how.get("of_tools", True)
        self.underway = Underway.of(db, scope, how.get("session", ""), prompt)
        self.ground = Ground(total)
        self.about: dict[int, tuple[Any, ...]] = {}  # rows of "messages.details"
        self.figures: dict[int, list[float]] = {}  # of the candidates: figures.NAMES
        self.score: dict[int, float] = {}  # … how well they answer the cue
        self.found: list[Evidence] | None = None  # the best, once they were ranked and read
        named = self.ground.named = frozenset(self._speakers(cue, prompt))
        self.around = self._said_around(cue.spans)
        asked = [term for term in cue.terms if term.forms[0] not in named]
        if cue.spans and not self.around and all(end - start <= MONTH for start, end in cue.spans):
            asked += cue.calendar  # nothing was said on such a day: it is one that was spoken of
        self.rare: list[Met] = []  # terms of which every place was read
        self.common: list[tuple[int, str]] = []  # the others: their sizes and queries
        self.left = POSTINGS
        self.ranked: list[Asked] = []  # of very many terms those by which messages are ranked
        self.is_whole = False  # it knows the places of kindred words too
        self._meet(asked)

    # -- the gate ------------------------------------------------------------------------------

    def opens(self) -> bool:
        """Tell whether the gate opens, if there is one.

        Within a session the words of the prompt say so, with the lengths of the messages that have most of them:
        nothing is ranked there before it is known that a message may be told.
        """
        gate = self.gate
        if gate is None:
            return True
        underway, terms = self.underway, self.ground.terms
        for term in terms:
            term.explained = term.forms[0] in gate.explained or underway.explains(term.own)
        talks = self.db.kept("talks", _talks)
        gate.settle(
            underway,
            self.ground,
            talks,
            lambda: matters(self.db, terms, underway, talks, self.now, gate.typed),
            lambda: of_life(self.db, self.scope),
        )
        if self.near is None and gate.stays_shut(self.look_further):
            return False
        is_plain = not (self.near or self.second or self.cue.spans or self.ground.named)
        if underway.session and is_plain and not gate.may_stand_alone:
            self.look_further()
            best = self._having_most(gate)
            found = self._opening(gate, best, lambda: self._read(best[:BEST]))
            if best and gate.is_within:
                return bool(found)
        order = self._ranked()
        self.found = self._opening(gate, order, lambda: self._best_of(order))
        return bool(self.found)

    def _opening(
        self, gate: Gate, order: list[int], read: Callable[[], list[Evidence]]
    ) -> list[Evidence]:
        """Return which of the best places open the gate. What only repeats the prompt opens nothing."""
        cosines = self.near.cosines if self.near else {}
        if not gate.opens(self._about_best(order), cosines):
            return []
        found = read()
        said, mute = self._without_echoes(found)
        rest = [place for place in order if place not in mute] if mute else order
        return said if not mute or gate.opens(self._about_best(rest), cosines, mute) else []

    def _without_echoes(self, found: list[Evidence]) -> tuple[list[Evidence], set[int]]:
        """Return what says more than the prompt, and the places that open nothing."""
        if not self.prompt:
            return found, set()
        said = _without_echoes(found, self.prompt, self.cue)
        is_past = self.gate is not None and self.gate.asking.past
        return said, _mute(found, said, is_past=is_past)

    def _about_best(self, order: list[int]) -> list[tuple[int, int, bool]]:
        """Return the best places, each with its tokens and whether its role alone says who spoke."""
        rows = [self.about[place] for place in order[:BEST]]
        return [(row[0], row[1], not row[5]) for row in rows]

    def _having_most(self, gate: Gate) -> list[int]:
        """Return the places that have most of the prompt by their own words, for their length."""
        here, known = gate.standing(), self.underway.windows
        places = [
            place
            for place in sorted(here, reverse=True)
            if place >> BITS not in known or not self.underway.has(place)
        ]
        places.sort(key=here.__getitem__, reverse=True)
        runs = _runs((), places[:SCORED])
        if not runs:
            return []
        self._read_about(runs)
        return in_order({
            place: here[place] * by_length(row[1], not row[5])
            for place, row in self.about.items()
            if self.of_tools or not row[7] & TOOLS
        })  # fmt: skip

    # -- what is told --------------------------------------------------------------------------

    def lines(self) -> list[Evidence]:
        """Return the messages that fit best, best first."""
        gate = self.gate
        if self.found is None:
            order = self._ranked()
            self.found, mute = self._without_echoes(self._best_of(order))
            if gate is not None:  # its chance stays as the words alone gave it
                rest = [place for place in order if place not in mute]
                gate.cover(self._about_best(rest), mute)
        if gate is not None:
            for one in self.found:
                share = 1.0 if one.place in gate.outstanding else min(1.0, one.relevance)
                one.chance = gate.chance * share
        return self.found

    def _best_of(self, order: list[int]) -> list[Evidence]:
        """Return the best of what was ranked that fit the room, by what a second reader says, if there is one."""
        if self.second is not None and order:
            rows = lines_at(self.db, self.scope, order[: 2 * self.limit])
            read = {place: f"{row[2]}: {row[3]}" for place, row in rows.items()}
            self.score = self.second.order(read, self.score)
            order = in_order(self.score)
        tokens = {place: self.about[place][1] for place in order}
        return self._read(_fitting(order, tokens, self.limit, self.room))

    def _read(self, places: list[int]) -> list[Evidence]:
        """Return what was said at these places, as far as the viewer hears it."""
        if not places:
            return []
        rows = lines_at(self.db, self.scope, places)
        score, top = self.score, self.score.get(places[0], 1.0)
        return [
            Evidence(rows[place], score.get(place, 1.0), top, self.figures.get(place, ()))
            for place in places
            if place in rows
        ]

    # -- ranking -------------------------------------------------------------------------------

    def _ranked(self) -> list[int]:
        """Return places by how well they answer the cue; what the agent has before it is none."""
        standing, near, spans = Standing(self._found()), self.near, self.cue.spans
        matches = standing.best(SCORED)
        alike: Mapping[int, float] = {}
        if near:
            beside = {place + k for place in matches for k in range(-BESIDE, BESIDE + 1)}
            alike = near.messages(beside.union(self.around), self._all_places())
        runs = _runs(matches, (*self.around, *alike))
        if not runs:
            return []
        self._read_about(runs)
        asks, named = Asks(self.prompt), self.ground.named
        places, rows = figures(standing, self.about, asks, named, spans, alike)
        worths = worth(rows)
        best = likeliest(worths, READ)
        read = [rows[number] for number in best]
        self._read_words([places[number] for number in best], read)
        for number, value in zip(best, worth(read), strict=True):
            worths[number] = value
        self.figures = dict(zip(places, rows, strict=True))
        tokens = [self.about[place][1] for place in places]
        score = self.score = dict(zip(places, scores(worths, tokens), strict=True))
        if self.underway.windows:
            for place in [place for place in score if self.underway.has(place)]:
                del score[place]
        if not self.of_tools:
            for place in [place for place in score if self.about[place][7] & TOOLS]:
                del score[place]
        return in_order(score)

    def _read_about(self, runs: Mapping[int, int]) -> None:
        asked = {"runs": json_counts(runs), "until": self.now + DAY_MS}
        heard, rows = frozenset(self.heard), self.db.read("messages.details", asked)
        self.about = {row[0]: row for row in rows if row[6] in heard}

    def _read_words(self, first: list[int], rows: list[list[float]]) -> None:
        """Read what candidates say by themselves: their own words against what the prompt's words mean."""
        asked = {"places": json_numbers(sorted(first))}
        said = dict(self.db.read("messages.beginnings", asked))
        texts = [said.get(place, "") for place in first]
        words = self.db.stems_of_each(texts)
        wanted = [
            (self._idf(one.documents), likeness(one.stems, self.cue.is_english))
            for one in self.ranked or self.ground.terms
        ]
        unspaced = [
            stem
            for _, covering in wanted
            for stem in covering
            if not stem.isascii() and cjk.is_pair(stem)
        ]
        if unspaced:
            for stems, text in zip(words, texts, strict=True):
                stems += [stem for stem in unspaced if stem in text]
        for name in sorted(self.ground.named):
            stems = self.db.stems(name)
            size = len(self._places(any_of((name,)), PER_TERM))
            if stems:
                wanted.append((self._idf(size), {stems[0]: 1.0}))
        meaning(first, rows, words, wanted)

    def _places(self, match: str, limit: int) -> list[int]:
        """Return where a query finds messages, the newest conversations first."""
        params = {"match": self._within(match), "limit": limit}
        return numbers(self.db.read("messages.places", params))

    def _places_of_each(self, matches: list[str], limit: int) -> Iterator[list[int]]:
        """Return the same for several, by one statement: a call costs as much as a short list."""
        asked = {"matches": json_list(map(self._within, matches)), "limit": limit}
        rows = self.db.read("messages.places_of_each", asked) if matches else ()
        return iter([[*map(int, (row[0] or "").split())] for row in rows])

    def _within(self, match: str) -> str:
        return f"({match}) AND {self.spoken_to}" if self.spoken_to else match

    def _all_places(self) -> list[int]:
        """Return all that the viewer hears, if it is little: meaning may find what words do not."""
        if self.total > WHOLE:
            return []
        if self.spoken_to:
            params = {"match": self.spoken_to, "limit": WHOLE}
            return numbers(self.db.read("messages.places", params))
        return numbers(self.db.read("messages.all_places"))

    def _size(self, newest: list[int]) -> int:
        """In how many messages a query finds something that found these, the newest; of many, an estimate."""
        if len(newest) < PER_TERM:
            return len(newest)
        # How far back do the newest ones reach?
        newest = newest[: 2 * FEW]
        latest: int = self.db.read("messages.latest")[0][0]
        share = (latest - (newest[-1] >> BITS) + 1) / latest
        return min(self.total, max(PER_TERM, round(len(newest) / share)))

    def _common(self, stems: list[list[list[str]]]) -> dict[int, int]:
        """Tell which terms are known to be common, by their number here, and their sizes; `stems`: of each form."""
        if self.total <= PER_TERM or self.spoken_to:
            return {}  # what is common among all need not be so for this viewer
        asked = json_list({form[0] for forms in stems for form in forms if len(form) == 1})
        known = dict(self.db.read("messages.common", {"words": asked}))
        sizes = {}
        for number, forms in enumerate(stems):
            size = sum(known.get(form[0], 0) for form in forms if len(form) == 1)
            if size:
                sizes[number] = min(size, self.total)
        return sizes

    def _idf(self, size: int) -> float:
        return log(1 + (self.total - size + 0.5) / (size + 0.5))

    def _speakers(self, cue: Cue, prompt: str) -> set[str]:
        """Return the names in the prompt that are speakers' here."""
        # SQLite folds the case of ASCII only.
        names = [*cue.names, *(name.title() for name in cue.names if not name.isascii())]
        if not prompt.isascii():
            names += cjk.may_be_names(prompt)
        if not names:
            return set()
        params = {"names": json_list(names), "audiences": json_numbers(self.heard)}
        return {name.lower() for (name,) in self.db.read("messages.speakers", params)}

    def _said_around(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """Return what was said on the days that the prompt names, whatever its words."""
        found: list[int] = []
        for start, end in spans:
            if end - start <= MONTH:
                window = {"start": start - BEFORE * DAY_MS, "end": end + AFTER * DAY_MS}
                found += numbers(self.db.read("messages.around", window))
        return found

    def _meet(self, terms: list[Term]) -> None:
        """Find where the terms stand by themselves, within the budgets."""
        few = PER_TERM if self.total <= PER_TERM else FEW
        sized: list[tuple[int, str, Met, list[int] | None]] = []
        stems_of = [[*map(self.db.stems, term.forms)] for term in terms]
        known = self._common(stems_of)
        slips = Slips(self.db, ("messages.known_terms", "messages.like_terms"), self.cue)
        firsts = [term.forms[0] for term in terms]
        unsized = [term.match for number, term in enumerate(terms) if number not in known]
        owns = self._places_of_each(unsized, max(PER_TERM, few + 1))
        every = []
        for number, term in enumerate(terms):
            stems = [stem for parts in stems_of[number] for stem in parts]
            one = Asked(term.forms, stems, term.match)
            met = one, term.kin, tuple(stems)
            every.append(one)
            if number in known:
                sized.append((known[number], term.match, met, None))
                continue
            own = next(owns)
            if not own and term.forms[0] in slips.may_be:
                words, one.slip = slips.stand_in(firsts, number)
                own = self._places(any_of(words), few) if words else []
                one.forms = (*term.forms, *words)
                stems += [stem for form in words for stem in self.db.stems(form)]
            if len(own) <= few:
                self.left -= len(own)
                one.own, one.documents = own, len(own)
                self.rare.append(met)
            else:
                sized.append((self._size(own), term.match, met, own))
        sized.sort(key=itemgetter(0, 1))
        for size, match, met, places in sized:
            one = met[0]
            one.documents = size
            if size >= PER_TERM or size > self.left:
                self.common.append((size, match))
            else:
                self.left -= size
                one.own = self._places(match, size) if places is None else places
                self.rare.append(met)
        self.ground.terms = every

    def look_further(self) -> None:
        """Find where the words stand that are kindred to the terms: a shut gate need not know."""
        if self.is_whole:
            return
        self.is_whole = True
        few_found = sum([len(one.own) for one, *_ in self.rare]) < FEW and not self.common
        akin: list[str] = []
        for _, words, its in self.rare:
            if few_found:
                near = kin_of(its, self.cue.is_english)
                words = (*words, *[word for _, word, _ in near])
            akin.append(any_of(tuple(dict.fromkeys(words))) if words else "")
        kindred = self._places_of_each([match for match in akin if match], PER_TERM)
        for (one, *_), match in zip(self.rare, akin, strict=True):
            one.kin = next(kindred)[: max(0, self.left)] if match else []
            self.left -= len(one.kin)

    def _found(self) -> list[Stood]:
        """Return what the terms are worth, and the places where they stand; of a paste's many, of the rarest."""
        self.look_further()
        met = [one for one, *_ in self.rare if one.own or one.kin]
        is_much = len(met) > RANKED
        if is_much:
            met.sort(key=lambda one: len(one.own) or len(one.kin))
            del met[RANKED:]
            self.ranked = [one for one in self.ground.terms if one in met]
        found: list[Stood] = [
            (self._idf(len(one.own) or len(one.kin)), one.own, one.kin) for one in met
        ]
        return found if is_much else found + self._together(self.common)

    def _together(self, common: list[tuple[int, str]]) -> list[Stood]:
        """Return where common terms stand together: each of two splits counts like a term of its own."""
        chosen: list[str] = []
        walked = 0
        for size, match in common:
            walked += size
            if walked > TOGETHER and len(chosen) > 1:
                break
            chosen.append(match)
        if len(chosen) == 1:
            places = self._places(chosen[0], FEW)
            return [(self._idf(common[0][0]), places, ())] if places else []
        found = [self._places(both, PER_TERM) for both in in_halves(chosen)]
        return [(self._idf(len(places)), places, ()) for places in found if places]


# -- parts -----------------------------------------------------------------------------------


def _talks(db: Database) -> int:
    return int(db.read("messages.talks")[0][0])


def in_order(score: Mapping[int, float]) -> list[int]:
    """Return places by their scores, the best first; of equals the earliest."""
    return sorted(sorted(score), key=score.__getitem__, reverse=True)


def numbers(rows: list[tuple[Any, ...]]) -> list[int]:
    """Return the numbers of a column that the database joined to one text."""
    return [*map(int, (rows[0][0] or "").split())]


def _runs(matches: Iterable[int], others: Iterable[int]) -> dict[int, int]:
    """Return the places of matches with their neighbours, and others, as runs from place to place."""
    windows = [(place - BESIDE, place + BESIDE) for place in matches]
    windows += [(place, place) for place in others]
    windows.sort()
    runs: dict[int, int] = {}
    start = end = -1
    for first, last in windows:
        if first > end + 1:
            start = first
        end = runs[start] = max(end, last)
    return runs
