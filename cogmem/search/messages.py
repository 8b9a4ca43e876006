"""Finds recorded messages that answer a prompt, in time that hardly grows with the record.

In a conversation the answer seldom repeats the words of the question, but it stands beside them.
So a match also counts for its neighbours: half of it for the message before and after, a quarter
for the next ones, and twice as much for what follows a question. A long message matches anything;
the longer it is, the less it counts. A conversation with many matches lifts all of its own.

1. Each term is sized first, and counting stops at a cap. Rare ones are read whole, the rarest first,
   within a budget of postings. Common ones say something only together: FTS5 itself intersects two
   halves of them, split twice, and what comes back counts like a match of one rarer term.
2. The best by the sum of idf, and their neighbours, are looked up in one narrow table.
3. Those are scored as above, and the words of the best are read from the record.

An index shared by many users is asked for what this viewer hears only, so that the budget is spent
on it; the words themselves are read within the viewer's scope in any case.
"""

from __future__ import annotations

from math import exp, log

from cogmem.records import json_list, json_numbers
from cogmem.search.ground import Asked, Ground
from cogmem.text.cue import says_only
from cogmem.text.lines import line, one_line
from cogmem.turn.block import Item, day_heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.vectors import Nearness
    from cogmem.text.cue import Cue, Term
    from cogmem.turn.block import Costs
    from cogmem.turn.gate import Gate

NEAR, FAR = 0.5, 0.25  # share of a match that passes to the message beside it, and one further
ANSWER = 2.0  # a question passes this many times as much to what follows it
KIN = 0.3  # a kindred word against the word itself
SHORT = 40  # tokens; a longer message counts less
LONG = 0.75  # exponent of SHORT / tokens
LIFT = 0.5  # how far the best conversation lifts its messages
ALIKE = 0.5  # share of the best score that being nearest in meaning is worth
NAMED = DATED = RULES = 1.0  # added for the speaker, for the days that the prompt names, for a rule
BEFORE, AFTER = 3, 14  # days: how fast a message fades before and after the days named
FLOOR = 0.3  # share of the best score that being said on a named day is worth by itself

FEW = 100  # a term in no more messages is read at once
PER_TERM = 1_000  # a term in more messages is common
POSTINGS = 3_000  # of rare terms, read per prompt
TOGETHER = 20_000  # of common terms, walked by FTS5 per prompt
WHOLE = 4_000  # messages: of no more, all are compared in meaning, not only those found by words
SCORED = 200  # matches that are scored exactly, with their neighbours
LEAST = 0.1  # share of the best match's idf below which a match is not
MOST = 1 << 30  # tokens: room for anything
GAP = 80  # tokens of a message that may fit where the better ones left a gap
ECHO = 80  # characters of a message that may only repeat the prompt
BEST = 10  # messages that a gate looks at
IN_WINDOW = 50  # latest messages of the conversation under way, which the agent sees anyway
DAY = 86_400_000


class Evidence:
    """One recorded message that speaks to the prompt."""

    __slots__ = (
        "at", "chance", "name", "place", "ref", "relevance", "score", "text", "token_counter", "tokens",
        "who",
    )  # fmt: skip

    def __init__(self, row: tuple[Any, ...], score: float, best: float) -> None:
        self.place, number, self.who, text, self.tokens, self.token_counter, self.at, self.name = (
            row
        )
        self.text = one_line(text)
        self.ref = f"msg_{number}"
        self.score = score
        self.relevance = score / best
        self.chance: float | None = None  # that it helps, if a gate was asked


def evidence(
    db: Database,
    cue: Cue,
    scope: Scope,
    now: int,
    *,
    limit: int,
    room: int | None = None,
    session: str = "",
    prompt: str = "",
    near: Nearness | None = None,
    gate: Gate | None = None,
) -> list[Evidence]:
    """The messages that fit a cue best, and `room` tokens if that is given, best first.

    What the agent has before it is no news: the latest messages of the conversation named
    `session`, and messages that say what `prompt` says. Nor is what was said after `now`, with a
    day's grace for clocks and zones. With `near`, messages that mean what the prompt means gain, and
    some come in that share no word with it. With `gate`, nothing comes back unless it opens.
    """
    if not cue:
        return []
    heard, total, everybody = _audiences(db, scope)
    if not total:
        return []
    search = _Search(db, heard, total, "" if everybody else _spoken_to(heard))
    score, tokens = search.scores(cue, now + DAY, near)
    for place in _before_the_agent(db, scope, session, score):
        del score[place]
    cosines = near.cosines if near else {}
    if gate is not None and not gate.opens(search.ground, search.best(score), cosines):
        return []
    best: list[int] = []
    left = MOST if room is None else room
    for place in sorted(score, key=lambda place: (-score[place], place)):
        # When better ones would fill the room, only a short message still finds a gap.
        if tokens[place] <= max(left, GAP):
            left -= tokens[place]
            best.append(place)
            if len(best) == limit:
                break
    if not best:
        return []
    rows = db.read("messages.lines", {**scope.hearer(), "places": json_numbers(best)})
    found = [Evidence(row, score[row[0]], score[best[0]]) for row in rows]
    if prompt:
        said = _without_echoes(found, prompt, cue)
        if gate is not None and len(said) < len(
            found
        ):  # what only repeats the prompt opens nothing
            kept = {one.place for one in said}
            echoes = {one.place for one in found} - kept
            rest = {place: value for place, value in score.items() if place not in echoes}
            if not gate.opens(search.ground, search.best(rest), cosines, echoes):
                return []
        found = said
    found.sort(key=lambda one: (-one.score, one.place))
    if gate is not None:
        for one in found:
            one.chance = gate.chance * min(1.0, one.relevance)
    return found


def _without_echoes(found: list[Evidence], prompt: str, cue: Cue) -> list[Evidence]:
    """What says more than the prompt itself: an earlier "run the tests" answers no later one."""
    asked = one_line(prompt)
    return [
        one
        for one in found
        if one.text != asked and not (len(one.text) <= ECHO and says_only(one.text, cue))
    ]


def as_items(found: Sequence[Evidence], costs: Costs) -> list[Item]:
    """Candidates of layer B: a line each, under the day on which its conversation had it."""
    groups: dict[tuple[int, int], tuple[int, str, int]] = {}
    items = []
    for one in found:
        day = (one.place >> 24, one.at // DAY)
        group = groups.get(day)
        if group is None:
            heading = day_heading(one.at)
            group = groups[day] = (day[0], heading, costs.line(heading))
        text = line(f"{one.who}: {one.text}")
        tokens = costs.line(text, one.tokens, one.token_counter)
        items.append(
            Item(
                one.ref, "B", "message", text, tokens,
                relevance=one.relevance, score=one.score, group=group, at=one.at,
            )
        )  # fmt: skip
    return items


# -- search ----------------------------------------------------------------------------------


class _Found:
    """What one term is worth, and the places where it stands, by itself and by its kin."""

    __slots__ = ("idf", "kin", "own")

    def __init__(self, idf: float, own: list[int], kin: list[int]) -> None:
        self.idf = idf
        self.own = own
        self.kin = kin


class _Search:
    """One prompt's search among the messages that one viewer hears."""

    def __init__(self, db: Database, heard: list[int], total: int, spoken_to: str) -> None:
        self.db = db
        self.heard = heard  # audiences
        self.total = total  # messages that they have
        self.spoken_to = spoken_to  # what is added to a query to keep it to them
        self.ground = Ground(total)
        self.about: dict[int, tuple[Any, ...]] = {}

    def best(self, score: dict[int, float]) -> list[tuple[int, int, bool]]:
        """The best places, each with its tokens and whether its role alone says who spoke."""
        places = sorted(score, key=lambda place: (-score[place], place))[:BEST]
        return [(place, self.about[place][1], not self.about[place][5]) for place in places]

    def scores(
        self, cue: Cue, until: int, near: Nearness | None
    ) -> tuple[dict[int, float], dict[int, int]]:
        """How well places answer the cue, and how long they are."""
        named = self._speakers(cue)
        self.ground.named = frozenset(named)
        found = self._found([term for term in cue.terms if term.forms[0] not in named])
        matches = _most(found)
        wanted = {match + k for match in matches for k in (-2, -1, 0, 1, 2)}
        wanted.update(self._said_around(cue.spans))
        alike = near.messages(wanted, self._all_places()) if near else {}
        wanted.update(alike)
        if not wanted:
            return {}, {}
        params = {"places": json_numbers(sorted(wanted)), "until": until}
        heard = frozenset(self.heard)
        about = {row[0]: row for row in self.db.read("messages.details", params) if row[6] in heard}
        self.about = about
        score = _spread(found, matches, about)
        top = max(score.values(), default=1.0)
        for place, share in alike.items():
            if place in about:
                score[place] = score.get(place, 0.0) + ALIKE * top * share
        worth = _worth_of_conversations(score)
        one = next(iter(named)) if len(named) == 1 else None
        for place, value in score.items():
            row = about[place]
            value *= 1 + LIFT * worth[place >> 24]
            if row[4]:
                value *= 1 + RULES
            if one and row[5] and row[5].lower().split()[0] == one:
                value *= 1 + NAMED
            score[place] = value
        if cue.spans:
            _lift_days(score, about, cue.spans)
        return score, {place: about[place][1] for place in score}

    def _places(self, match: str, limit: int) -> list[int]:
        """Where a query finds messages, the newest conversations first."""
        params = {"match": self._within(match), "limit": limit}
        return _numbers(self.db.read("messages.places", params))

    def _within(self, match: str) -> str:
        return f"({match}) AND {self.spoken_to}" if self.spoken_to else match

    def _all_places(self) -> list[int]:
        """All that the viewer hears, if it is little: meaning may find what words do not."""
        if self.total > WHOLE:
            return []
        if self.spoken_to:
            params = {"match": self.spoken_to, "limit": WHOLE}
            return _numbers(self.db.read("messages.places", params))
        return _numbers(self.db.read("messages.all_places"))

    def _size(self, match: str) -> int:
        """In how many messages a query finds something; beyond the cap, an estimate."""
        params = {"match": self._within(match), "limit": PER_TERM}
        size: int = self.db.read("messages.frequency", params)[0][0]
        if size < PER_TERM:
            return size
        # How far back do the newest ones reach?
        newest = self._places(match, 2 * FEW)
        latest: int = self.db.read("messages.latest")[0][0]
        share = (latest - (newest[-1] >> 24) + 1) / latest
        return min(self.total, max(PER_TERM, round(len(newest) / share)))

    def _common(self, terms: list[Term]) -> dict[int, int]:
        """Terms that are known to be common, by their number here, and their sizes."""
        if self.total <= PER_TERM or self.spoken_to:
            return {}  # what is common among all need not be so for this viewer
        stems = [[*map(self.db.stems, term.forms)] for term in terms]
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

    def _speakers(self, cue: Cue) -> set[str]:
        """The names in the prompt that are speakers' here."""
        if not cue.names:
            return set()
        # SQLite folds the case of ASCII only.
        titles = [name.title() for name in cue.names if not name.isascii()]
        params = {"names": json_list([*cue.names, *titles]), "audiences": json_numbers(self.heard)}
        return {name.lower() for (name,) in self.db.read("messages.speakers", params)}

    def _said_around(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """What was said on the days that the prompt names, whatever its words."""
        found: list[int] = []
        for start, end in spans:
            if end - start <= 32 * DAY:
                window = {"start": start - BEFORE * DAY, "end": end + AFTER * DAY}
                found += _numbers(self.db.read("messages.around", window))
        return found

    def _found(self, terms: list[Term]) -> list[_Found]:
        """Where the terms stand, within the budgets."""
        few = PER_TERM if self.total <= PER_TERM else FEW
        left = POSTINGS
        rare: list[tuple[Term, list[int]]] = []
        sized: list[tuple[int, str, Term]] = []
        known = self._common(terms)
        for number, term in enumerate(terms):
            if number in known:
                sized.append((known[number], term.match, term))
                continue
            own = self._places(term.match, few + 1)
            if len(own) <= few:
                left -= len(own)
                rare.append((term, own))
            else:
                sized.append((self._size(term.match), term.match, term))
        sized.sort(key=lambda one: one[:2])
        common: list[tuple[int, str]] = []
        for size, match, term in sized:
            if size >= PER_TERM or size > left:
                common.append((size, match))
                self.ground.terms.append(Asked(term.forms, size))
            else:
                left -= size
                rare.append((term, self._places(match, size)))
        found: list[_Found] = []
        for term, own in rare:
            kin: list[int] = []
            if term.kin and left > 0:
                kin = self._places(term.kin_match, min(PER_TERM, left))
                left -= len(kin)
            self.ground.terms.append(Asked(term.forms, len(own), own, kin))
            if own or kin:
                found.append(_Found(self._idf(len(own) or len(kin)), own, kin))
        return found + self._together(common)

    def _together(self, common: list[tuple[int, str]]) -> list[_Found]:
        """Where common terms stand together: each of two splits counts like a term of its own."""
        chosen: list[str] = []
        walked = 0
        for size, match in common:
            walked += size
            if walked > TOGETHER and len(chosen) > 1:
                break
            chosen.append(match)
        if len(chosen) == 1:
            places = self._places(chosen[0], FEW)
            return [_Found(self._idf(common[0][0]), places, [])] if places else []
        found = []
        for bit in (1, 2):
            halves: tuple[list[str], list[str]] = ([], [])
            for number, match in enumerate(chosen):
                halves[bool(number & bit)].append(match)
            if halves[1]:
                both = f"({' OR '.join(halves[0])}) AND ({' OR '.join(halves[1])})"
                places = self._places(both, PER_TERM)
                if places:
                    found.append(_Found(self._idf(len(places)), places, []))
        return found


def _numbers(rows: list[tuple[Any, ...]]) -> list[int]:
    return [int(place) for place in (rows[0][0] or "").split()]


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
    """The query that keeps a search to some audiences."""
    return "(" + " OR ".join(f'"\ue000{audience}"' for audience in audiences) + ")"


def _before_the_agent(
    db: Database, scope: Scope, session: str, places: dict[int, float]
) -> list[int]:
    """Places that stand in the window of the conversation under way."""
    if not session:
        return []
    asked = {**scope.hearer(), "name": session, "window": IN_WINDOW}
    latest = dict(db.read("messages.open_conversation", asked))
    return [place for place in places if (place & 0xFFFFFF) >= latest.get(place >> 24, 1 << 24)]


# -- scoring ---------------------------------------------------------------------------------


def _most(found: list[_Found]) -> set[int]:
    """The matches worth scoring: the best by the sum of idf; of equals the newest."""
    rough: dict[int, float] = {}
    for term in found:
        for places, weight in ((term.own, term.idf), (term.kin, KIN * term.idf)):
            for place in places:
                rough[place] = rough.get(place, 0.0) + weight
    least = LEAST * max(rough.values(), default=0.0)
    if len(rough) > SCORED:
        least = max(least, sorted(rough.values())[-SCORED])
    best = [place for place, value in rough.items() if value >= least]
    if len(best) > SCORED:
        best.sort(key=lambda place: (-rough[place], -place))
    return set(best[:SCORED])


def _spread(
    found: list[_Found], matches: set[int], about: dict[int, tuple[Any, ...]]
) -> dict[int, float]:
    """Scores of matches and of their neighbours, damped by length; saturating, term by term."""
    passed: dict[int, tuple[float, float, float]] = {}  # to the one before, after, and further off
    for place in matches:
        if place in about:
            _, tokens, _, asks, _, _, _ = about[place]
            short = SHORT / tokens if tokens > SHORT else 1.0
            passed[place] = NEAR * short, (NEAR * ANSWER if asks else NEAR) * short, FAR * short
    score = dict.fromkeys(about, 0.0)
    for term in found:
        weights = dict.fromkeys(term.kin, KIN)
        weights.update(dict.fromkeys(term.own, 1.0))
        cover: dict[int, float] = {}
        get = cover.get
        for place, weight in weights.items():
            if place in passed:
                before, after, far = passed[place]
                cover[place] = get(place, 0.0) + weight
                cover[place - 1] = get(place - 1, 0.0) + before * weight
                cover[place + 1] = get(place + 1, 0.0) + after * weight
                cover[place - 2] = get(place - 2, 0.0) + far * weight
                cover[place + 2] = get(place + 2, 0.0) + far * weight
        twice = 2 * term.idf
        for place, weight in cover.items():
            if place in score:
                score[place] += twice * weight / (1 + weight)
    scored = {}
    for place, value in score.items():
        if value:
            tokens = about[place][1]
            scored[place] = value * (SHORT / tokens) ** LONG if tokens > SHORT else value
    return scored


def _worth_of_conversations(score: dict[int, float]) -> dict[int, float]:
    """Conversations by their five best messages; the best one is worth 1."""
    values: dict[int, list[float]] = {}
    for place, value in score.items():
        values.setdefault(place >> 24, []).append(value)
    sums = {
        number: sum(sorted(mine)[-5:] if len(mine) > 5 else mine) for number, mine in values.items()
    }
    best = max(sums.values(), default=1.0)
    return {number: value / best for number, value in sums.items()}


def _lift_days(
    score: dict[int, float], about: dict[int, tuple[Any, ...]], spans: Sequence[tuple[int, int]]
) -> None:
    """What was said on the days named counts more, and counts even if it shares no word."""
    top = max(score.values(), default=1.0)
    for place, row in about.items():
        at = row[2]
        fit = 0.0
        for start, end in spans:
            if start <= at < end:
                fit = 1.0
            elif at >= end:
                fit = max(fit, exp((end - at) / (AFTER * DAY)))
            else:
                fit = max(fit, exp((at - start) / (BEFORE * DAY)))
        score[place] = (score.get(place, 0.0) + FLOOR * top * fit) * (1 + DATED * fit)
