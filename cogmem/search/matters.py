"""Which earlier conversation a prompt is about, and what the session under way knows of it already.

A prompt seldom repeats what was decided, but it names the thing: a file, a function, a flag, a rare word of the
project. A conversation that has several of them is its matter. What stands in the session's own last messages says
nothing of an earlier one: the host has those before it. All of it is read off the places that the search found
anyway, so it costs no query of its own.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

from cogmem.language.cue import any_of
from cogmem.language.ordinary import per_thousand
from cogmem.records import add_up, json_list, json_numbers
from cogmem.search.ground import BITS, SEQS
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.ground import Asked

IN_WINDOW = 50  # latest messages of the conversation under way, which the agent sees anyway
LAST = 6  # of those, the ones that say what it is about now
TELLING = 1.2  # worth among the conversations from which a word tells one from the others
PROJECT = 0.5  # of a thousand texts; a word that stands in fewer is one of the project's own
VIRTUAL = 20  # conversations of no particular subject that each file is counted to hold
OWN = 1.5  # what such a word counts against an ordinary one
# How much more a conversation of today counts, and in how many days that fades.
FRESH, FADES = 0.6, 5.0
CONSIDERED = 8  # conversations of which the time is looked up
READ = 24  # last messages of a conversation whose words say what it speaks of
ASKED = 20  # of those words, the most telling ones
EACH = 100  # messages in which each of them is looked for, the newest
ORDINARY = 20.0  # of a thousand texts; a word that stands in more is of no matter
SPEAKS = 6  # such words at least; what says fewer of them twice is too short to be taken up by them
AGAIN = 0.58  # share of what it speaks of from which a later conversation took up its matter
NEXT = 0.5  # share of the best conversation's value from which another is likely as well
MARKED = 2.0  # from half of the answers on that mark something as code, talk is work
LEAST = 2  # telling words that a conversation shares with a prompt that is about it


class Underway:
    """The conversation of the session that asks, as far as the agent still has it before it."""

    def __init__(self, session: str = "") -> None:
        self.session = session
        self.windows: dict[
            int, tuple[int, int]
        ] = {}  # from this place to that one the agent has it
        self.recent: tuple[int, int] = (0, 0)  # the places of its last messages
        self.said = 0

    @classmethod
    def of(cls, db: Database, scope: Scope, session: str, prompt: str) -> Underway:
        """Look up what a session recorded so far, before this prompt."""
        self = cls(session)
        if session:
            asked = {**scope.hearer(), "name": session, "window": IN_WINDOW, "prompt": prompt}
            for talk, first, following in db.read("messages.open_conversation", asked):
                start = talk << BITS
                self.windows[talk] = (start + first, start + SEQS)
                if following > self.said:
                    self.said = following
                    self.recent = (start + max(first, following - LAST), start + following)
        return self

    def has(self, place: int) -> bool:
        """Tell whether the agent has a message before it."""
        window = self.windows.get(place >> BITS)
        return window is not None and window[0] <= place < window[1]

    def others(self, db: Database, scope: Scope, most: int) -> list[int]:
        """Return the conversations that began last, without its own."""
        rows = db.read("messages.latest_talks", {**scope.hearer(), "limit": most + 1})
        return [talk for (talk,) in rows if talk not in self.windows][:most]

    def is_beside(self, places: Sequence[int]) -> bool:
        """Tell whether one of these places, the newest first, is of another conversation."""
        return bool(places) and places[-1] >> BITS not in self.windows

    def explains(self, places: Sequence[int]) -> bool:
        """Tell whether a word that stands at these places stands in the session's last messages."""
        first, end = self.recent
        return bool(end and [place for place in places if first <= place < end])


class Matter:
    """One earlier conversation, and what it shares with the prompt."""

    def __init__(self, conversation: int, value: float, terms: set[str]) -> None:
        self.conversation = conversation
        self.value = value
        self.terms = terms  # telling words of the prompt that stand in it
        self.days = 0.0  # since its last message

    def order(self) -> tuple[float, int]:
        """Sort the likeliest first, and of equals the newest."""
        return -self.value, -self.conversation


def matters(
    db: Database, terms: Sequence[Asked], underway: Underway, talks: int, now: int, typed: str
) -> tuple[list[Matter], dict[str, float]]:
    """Return the conversations that share most of a prompt's telling words, the likeliest first, and what these words
    say of whether it is about any. `typed` is the part of the prompt that a person typed."""
    # Of each conversation: what the words tell that stand in it, those of the project more, and those typed.
    shared: dict[int, float] = {}
    value: dict[int, float] = {}
    of_typed: dict[int, float] = {}
    telling: list[tuple[str, set[int]]] = []
    low = typed.lower()
    whole = by_chance = spread = 0.0
    many = 0
    for one in terms:
        if one.slip or (one.documents and not one.own):  # a common word, which was not read
            continue
        where = {place >> BITS for place in one.own}.difference(underway.windows)
        ordinary = per_thousand(one.stems[0]) if len(one.stems) == 1 else 0.0
        worth = one.worth = _worth(len(where), talks, ordinary)
        if worth < TELLING or one.explained:
            continue
        whole += worth
        telling.append((one.forms[0], where))
        add_up(shared, where, worth)
        add_up(value, where, worth * (OWN if ordinary < PROJECT else 1.0))
        if any(form in low for form in one.forms):
            often = min(1.0, _having(len(where), ordinary) / (talks + VIRTUAL))
            many += 1
            by_chance += worth * often
            spread += worth * worth * often * (1 - often)
            add_up(of_typed, where, worth)
    most = max(shared.values(), default=0.0)
    most_typed = max(of_typed.values(), default=0.0)
    order = sorted([(-worth, -talk) for talk, worth in value.items()])[:CONSIDERED]
    best = [
        Matter(-talk, -worth, {form for form, where in telling if -talk in where})
        for worth, talk in order
    ]
    asked = {"conversations": json_numbers([matter.conversation for matter in best])}
    ended = dict(db.read("messages.ended", asked)) if best else {}
    for matter in best:
        matter.days = max(0, now - ended.get(matter.conversation, 0)) / DAY_MS
        matter.value *= 1 + FRESH * exp(-matter.days / FADES)
    best.sort(key=Matter.order)
    return best, {
        "together": log1p(most),
        "share": most / whole if whole else 0.0,
        "beyond": (most_typed - by_chance) / (sqrt(spread) + 1),
        "rich": log1p(many),
        "fresh": exp(-best[0].days / FADES) if best else 0.0,
    }


def of_life(db: Database, scope: Scope) -> float:
    """Return how far what was said lately is about a life and not about work in files: 1 where no answer marks code.

    Work in one place has its one subject in all conversations, so the latest say most; a life has many, and what
    shares a prompt's words is its matter.
    """
    return max(0.0, 1 - MARKED * float(db.read("messages.of_work", scope.hearer())[0][0]))


def likely(found: Sequence[Matter]) -> set[int]:
    """Return the conversations that a prompt is likely about: the first, and those that are nearly as likely."""
    return {one.conversation for one in found if one.value > NEXT * found[0].value}


def told(db: Database, found: Sequence[Matter], talks: int) -> tuple[int, set[int]]:
    """Return the conversation to tell (0: none), and those whose matter it took up and says how that stands now."""
    if not found or len(found[0].terms) < LEAST:
        return 0, set()
    best = found[0].conversation
    later = _taken_up(db, best, talks)
    over = {best} if later else set()
    latest = later or best
    for other in found[1:2]:  # the report may have found the later talk first
        is_near = other.conversation != latest and other.value >= NEXT * found[0].value
        is_near = is_near and (latest != best or other.days >= found[0].days)
        if is_near and _taken_up(db, other.conversation, talks) == latest:
            over.add(other.conversation)
    return latest, over


def _taken_up(db: Database, talk: int, talks: int) -> int:
    """Return the latest conversation that took up the matter of this one: it says most of that over again.

    A report has the words of the problem, and so finds the talk in which it was met first. The talk that
    changed the decision names the same things, and few words of the report.
    """
    asked = {"conversation": talk, "limit": READ}
    texts = [text for (text,) in db.read("messages.words_of", asked)]
    stems_of = db.stems_of_each(texts)
    said: dict[str, int] = {}
    for stems in stems_of:
        for stem in set(stems):
            said[stem] = said.get(stem, 0) + 1
    telling = [stem for stem, many in said.items() if many > 1 and per_thousand(stem) < ORDINARY]
    telling.sort(key=lambda stem: (-said[stem] * log(1_000 / (1 + per_thousand(stem))), stem))
    if len(telling) < SPEAKS:
        return 0
    chosen = telling[:ASKED]
    # A stem that is stemmed again may differ: such a one is asked for by a word that has it.
    spelt = {stem: stem for stem in chosen}
    sought = {stem for stem in chosen if db.stems(stem) != [stem]}
    for text, stems in zip(texts, stems_of, strict=True):
        if not sought.isdisjoint(stems):
            spelt.update(zip(stems, db.words(text), strict=False))
            sought.difference_update(stems)
    matches = json_list([any_of((word,)) for word in map(spelt.__getitem__, chosen)])
    rows = db.read("messages.talks_of_each", {"matches": matches, "limit": EACH})
    shares: dict[str, float] = {}
    whole = 0.0
    for stem, (where,) in zip(chosen, rows, strict=True):
        of = set((where or "").split())
        worth = said[stem] * max(0.0, log((talks + 1) / (len(of) + 0.5)))
        whole += worth
        add_up(shares, of, worth)
    shares.pop(str(talk), None)
    again = [int(one) for one, share in shares.items() if share >= AGAIN * whole]
    if not again:
        return 0
    ended = dict(db.read("messages.ended", {"conversations": json_numbers([talk, *again])}))
    last = max(again, key=lambda one: (ended[one], one))
    return last if ended[last] > ended[talk] else 0


def _worth(many: int, talks: int, ordinary: float) -> float:
    """Return what a word tells of a conversation; few talks count as if there were more, with ordinary words."""
    having = _having(many, ordinary)
    return log(1 + max(0.0, talks + VIRTUAL - having + 0.5) / (having + 0.5))


def _having(many: int, ordinary: float) -> float:
    return many + VIRTUAL * ordinary / 1_000
