"""Recorded messages that speak to a prompt, as candidates for a turn.

`finding` brings the places and their scores. What the agent has before it is left out here, and the
words of the best are read within the viewer's scope.
"""

from __future__ import annotations

from cogmem.language.asking import is_request
from cogmem.language.cue import says_only
from cogmem.records import json_numbers
from cogmem.search.figures import TOOLS
from cogmem.search.finding import Search, in_order
from cogmem.search.matters import Underway, of_life
from cogmem.strength import DAY_MS
from cogmem.text.lines import one_line, unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.language.cue import Cue
    from cogmem.scope import Scope
    from cogmem.search.gate import Gate
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness

MOST = 1 << 30  # tokens: room for anything
GAP = 80  # tokens of a message that may fit where the better ones left a gap
GAPS = 16  # so many of them are read
ECHO = 80  # characters of a message that may only repeat the prompt
REQUESTS = 32  # of the best messages that may be such a request
USER = "user"


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
    second: SecondReader | None = None,
    of_tools: bool = True,
) -> list[Evidence]:
    """Return the messages that fit a cue best, and `room` tokens if that is given, best first.

    What the agent has before it is no news: the latest messages of the conversation named
    `session`, and messages that say what `prompt` says. Nor is what was said after `now`, with a
    day's grace for clocks and zones. With `near`, messages that mean what the prompt means gain, and
    some come in that share no word with it. With `gate`, nothing comes back unless it opens. With
    `second`, the best are ordered anew by what it reads. What a tool answered comes back only to who
    looks for it (`of_tools`): a page or a file that was read may give orders in anybody's name.
    """
    if not cue:
        return []
    heard, total, everybody = _audiences(db, scope)
    if not total:
        return []
    search = Search(db, heard, total, "" if everybody else _spoken_to(heard), cue, prompt)
    underway = Underway.of(db, scope, session)
    if gate is not None:
        for term in search.ground.terms:
            term.explained = term.forms[0] in gate.explained or underway.explains(term.own)
        likely, shared = search.matters(underway, now, gate.typed)
        gate.settle(
            underway, likely, search.talks, search.ground, shared, lambda: of_life(db, scope)
        )
        if near is None and gate.stays_shut(search.look_further):
            return []
    score, tokens = search.scores(prompt, now + DAY_MS, near)
    if underway.windows:
        for place in [place for place in score if underway.has(place)]:
            del score[place]
    if not of_tools:
        for place in [place for place in score if search.about[place][7] & TOOLS]:
            del score[place]
    cosines = near.cosines if near else {}
    order = in_order(score)
    if gate is not None and not gate.opens(search.best(order), cosines):
        return []
    if second is not None:
        asked = {**scope.hearer(), "places": json_numbers(order[: 2 * limit])}
        read = {row[0]: f"{row[2]}: {row[3]}" for row in db.read("messages.lines", asked)}
        score = second.order(read, score)
        order = in_order(score)
    best = _fitting(order, tokens, limit, MOST if room is None else room)
    if not best:
        return []
    rows = db.read("messages.lines", {**scope.hearer(), "places": json_numbers(best)})
    top = score[best[0]]
    of_place = {row[0]: row for row in rows}
    found = [
        Evidence(of_place[place], score[place], top, search.figures[place])
        for place in best
        if place in of_place
    ]
    if prompt:
        said = _without_echoes(found, prompt, cue)
        if gate is not None:
            mute = _mute(found, said, [] if gate.asking.past else best)
            if mute:
                rest = [place for place in order if place not in mute]
                if not gate.opens(search.best(rest), cosines, mute):
                    return []
        found = said
    if gate is not None:
        for one in found:
            share = 1.0 if one.place in gate.outstanding else min(1.0, one.relevance)
            one.chance = gate.chance * share
    return found


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


def _mute(found: list[Evidence], said: list[Evidence], best: list[int]) -> set[int]:
    """Return what only repeats the prompt opens nothing, nor does another request among the best."""
    kept = {one.place for one in said}
    mute = {one.place for one in found if one.place not in kept}
    first_ones = frozenset(best[:REQUESTS])
    for one in said:
        is_short = one.place in first_ones and one.who == USER and len(one.text) <= ECHO
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
