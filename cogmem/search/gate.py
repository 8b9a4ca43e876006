"""Whether anything in memory speaks to a prompt: a chance between 0 and 1, from figures with names.

Most prompts deserve nothing: "ok", "run the tests", "what is the capital of France?". A ranking
cannot tell, since something always comes first. So each candidate is weighed against the prompt
itself: how much of the prompt's information does it cover, counting words that stand nowhere in
memory, and what sort of prompt is it? The weights are rows of `gate_weight`, fitted by
benchmarks/fit_gate.py on as many prompts that deserve nothing as on others; `silence` says from which
chance on something is shown. What was said is weighed by rows of its own where the prompt belongs to a
session: real work is asked in sessions, and most of its prompts deserve nothing.

How much a word tells is counted in the file. A small file says little about that, so each file is
counted as if it held a thousand more messages of no particular subject (`language.ordinary`), in which
what people say to an agent is three times as frequent as elsewhere. A word that only looks like one
of the prompt's is no evidence that the prompt's own is known.
"""

from __future__ import annotations

from _operator import mul
from math import log, log1p, sqrt

from cogmem.cached import cached_property
from cogmem.errors import InvalidInput
from cogmem.language.asking import Asking
from cogmem.language.ordinary import per_thousand
from cogmem.records import add_up
from cogmem.search.ground import BITS, Ground
from cogmem.text.relevance import likely, shifted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from cogmem.language.cue import Cue
    from cogmem.search.ground import Asked
    from cogmem.search.matters import Matter, Underway

    class Weighed(Protocol):
        """A memory that a search found, as far as the gate looks at it."""

        id: int
        layer: str
        key: str
        tokens: int | None
        matched: set[int]
        partly: set[int]
        akin: dict[int, float]
        cover: float
        chance: float | None
        marks: dict[str, float]

    Weights = Mapping[str, Mapping[str, float]]  # of message and memory: feature, weight

LEAST = {"generous": 0.1, "balanced": 0.25, "cautious": 0.5}
VIRTUAL = 1_000  # messages of no particular subject that each file is counted to hold
EVERYDAY = 3.0  # how much more often an ordinary word is said to an agent than in general
# Of a thousand texts, in the mean of its logarithm: in so many stands a word that an English prompt asks with.
UNCOUNTED = 3.0
SUBJECT = 3  # memories; what is known of one subject repeats its name, which tells no less for that
KIN = 0.3  # a kindred word against the word itself
AKIN = 0.6  # … of a memory, times how alike the two words are
SLIP = 0.3  # a word that looks like it, likewise
SLIP_BESIDE = 0.8  # … where another word of the prompt stands beside it: that is no accident
PART = 0.3  # one part of a joined name (`git` of GitHub), likewise
BESIDE = 0.5  # a word in the message before or after
LEADING = 8.0  # of a thousand prompts; as many at least have the verb that a request begins with
SHORT = 40  # tokens; a longer message covers anything, so it counts less
SMALL, TINY = (
    150,
    10,
)  # memories and messages; from so many on a file is no longer small, to so many still tiny
TELLING = 1.7  # the figure cover of what is more than an ordinary word or a slip
BARE = 10  # tokens; a shorter message to an assistant is seldom more than a request
COMMON = 1_000  # messages; a word in more of them tells nothing
SPREAD = 10.0  # how far the logarithm tells a weak match from a strong one
APART, ALIKE = (
    0.25,
    0.65,
)  # cosines from which two texts have something in common, and mean the same
NEAREST = 2.6  # the coverage that meaning the same is worth
# What a memory says of itself.
OF_MEMORY = ("cover", "share", "many", "few", "key", "short", "foremost")
SHORTEST = 5  # tokens; a shorter statement says no more than one of so many
FOREMOST = 0.9  # share of what the most telling word tells from which another tells as much
OF_SESSION = ("opening", "inner", "brief", "pasted")  # what the session says of any candidate
PASTED = 0.5  # share of a prompt from which it says what was pasted rather than what was typed
ONE_LINE = 200  # characters of a line that stands alone and is not looked at for a paste
ALONE = 30  # typed words; who begins a session with more is met by much, whatever it is about
QUESTION = 15  # typed words; a longer prompt of a life tells something beside what it asks
LIFE = 0.5  # how far the talk must be of a life for its prompts to be told as such
BRIEF = 12  # typed words from which an answer within a session is no longer a brief one
ALL = 0.95  # share of a question's information that one message has, so that it may be its answer
ASKED = 8.0  # what the words of such a question tell at least: two rare ones
BEST = 0.6  # share of the best coverage from which a message is as good as the best
ROUNDED = 1e-9  # what adding up in another order may change
BEARS = 0.5  # what the score of the best of the person's earlier words counts
EVEN = -0.8  # … and which score changes nothing
FAIRLY = 0.6  # the chance by itself from which on a short prompt that begins a session needs none around it
DATED = 0.5  # the chance of a prompt that asks for a day and for nothing else


def least_chance(value: str) -> float:
    """Return the setting `silence` as a number: a word, or a chance in digits."""
    named = LEAST.get(value.strip().lower())
    if named is not None:
        return named
    try:
        chance = float(value)
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise InvalidInput(
            f"the setting silence is {value!r}: use cautious, balanced, generous or a chance from 0 to 1"
        )
    return chance


def typed_part(text: str) -> str:
    """Return the part that a person typed; what parts it is loaded for a prompt that may hold a paste."""
    if "\n" not in text and len(text) <= ONE_LINE:
        return text
    from cogmem.language.typed import typed

    return typed(text)


class Gate:
    """Weighs what was found for one prompt."""

    def __init__(
        self,
        text: str,
        cue: Cue,
        weights: Weights,
        least: float,
        stems: Callable[[str], list[str]],
        explains: bool = False,
    ) -> None:
        self.text = text
        self.asking = Asking(text)
        self.cue = cue
        self.weights = weights
        self.least = least
        self.stems = stems
        self.explains = explains  # what it keeps out is wanted too, to say why
        self.talk: dict[str, float] = {}  # the figures of the messages, together
        self.of_prompt: dict[str, float] = {}  # … those of the prompt itself
        self.chance = 0.0  # that any message helps
        self.covered: dict[int, float] = {}  # how much of the prompt each of the best has
        self.best_covered = 0.0  # the most of these
        self.outstanding: set[int] = set()  # messages that cover about as much as the best one
        self.idle: frozenset[str] = frozenset()  # words of the prompt that ask nothing of memory
        self.said = 0  # messages in sight
        self.dated = frozenset(form for term in cue.calendar for form in term.forms)
        self.talks = 0  # conversations in the file
        self.underway: Underway | None = None
        self.is_within = False  # what it shares with earlier conversations decides
        self.is_answered = False  # it asks for something that one message answers in its own words
        self.ground = Ground(0)  # what it asks for, as the search among what was said met it
        self.situation: dict[str, float] = {}  # where in its session the prompt stands
        self.shared: Mapping[str, float] = {}  # in a session, what it shares with an earlier one
        # Finds the earlier conversations that it may be about, and what it shares with any.
        self._look: Callable[[], tuple[Sequence[Matter], Mapping[str, float]]] = lambda: ((), {})
        # Words that ask nothing: small ones of another language, and what the session under way has just said.
        self.explained: set[str] = set(self.asking.idle)
        # Messages that were read for it, by their places: what they are worth, whether each asks and lasts.
        self.read: dict[int, tuple[float, bool, bool]] = {}
        self.counted: list[tuple[Asked, float]] = []  # words that it asks with, and what each tells
        self.whole = 0.0  # … and all together
        self.tells: Sequence[float] = ()  # what each word of the prompt tells, of memories
        # The terms of the search among these, and what `_worths` says of them.
        self.told: tuple[Ground, tuple[list[float], list[float], list[float], float]] | None = None

    @cached_property
    def typed(self) -> str:
        """The part of the prompt that a person typed; asked for where anything was said."""
        return typed_part(self.text)

    @cached_property
    def _of_matters(self) -> tuple[Sequence[Matter], Mapping[str, float]]:
        return self._look()

    @property
    def matters(self) -> Sequence[Matter]:
        """The earlier conversations that it may be about, the likeliest first."""
        return self._of_matters[0]

    @cached_property
    def words(self) -> int:
        """How many words a person typed."""
        return len(self.typed.split())

    @property
    def is_pasted(self) -> bool:
        """Whether most of the prompt was pasted: a plan, a review, a status."""
        return self.situation.get("pasted", 0.0) >= PASTED

    @property
    def is_of_life(self) -> bool:
        """Whether it begins a session where a life is talked about rather than work in files."""
        return self.situation.get("life", 0.0) >= LIFE

    def settle(
        self,
        underway: Underway,
        ground: Ground,
        talks: int,
        matters: Callable[[], tuple[Sequence[Matter], Mapping[str, float]]],
        life: Callable[[], float],
    ) -> None:
        """Say in which session the prompt stands, and with what it asks. Which of the earlier conversations it may
        mean, and how far the talk is of a `life`, is asked only where that counts."""
        self.underway, self.ground, self.said = underway, ground, ground.total
        self.talks, self._look = talks, matters
        if underway.session:
            self.shared = self._of_matters[1]
        inner = float(bool(underway.session and underway.said))
        opening = float(bool(underway.session and not underway.said))
        self.situation = {
            "opening": opening,
            "inner": inner,
            "life": life() if opening and (self.words > QUESTION or not self.asking.asks) else 0.0,
            "brief": inner * max(0.0, 1 - self.words / BRIEF),
            "pasted": 1 - len(self.typed) / max(1, len(self.text)),
        }
        self._count()
        self.of_prompt = self._of_prompt()

    def opens(
        self,
        best: Sequence[tuple[int, int, bool]],
        cosines: Mapping[int, float],
        echoes: Iterable[int] = (),
    ) -> bool:
        """Tell whether what was said is worth showing: the best as place, tokens, and whether it is a talk
        of a user with an assistant, where nobody needs a name. `echoes` only repeat the prompt."""
        whole = self.whole
        covered = self.cover(best, echoes)
        cover = log1p(SPREAD * covered / _scale(self.said))
        if cosines:
            near = max([cosines.get(place, 0.0) for place, _, _ in best], default=0.0)
            cover = max(cover, _meant(near))
        is_assisted = bool([1 for one in best if one[2]])
        self.talk = self.of_prompt | self._of_best(cover, is_assisted)
        alone = chance(self.talk, self.weights["message"])
        answers = self._answers(self.best_covered)
        self.is_answered = answers and whole >= ASKED
        in_session = self.underway is not None and bool(self.underway.session)
        within = chance(self.talk, self.weights["session"])
        # A question that opens within its session, of talk with an assistant, is told what answers and little else.
        opens = is_assisted and within >= self.least and self.asking.asks and not self.asking.past
        self.is_within = in_session and not answers and (opens or not self._stands_alone(alone))
        self.talk["within"] = float(self.is_within)  # no weight: it says whose weights counted
        of_best = within if self.is_within else alone
        self.chance = of_best if best else 0.0
        if best and self.cue.spans and not whole:
            self.chance = DATED
        return self.explains or self.chance >= self.least

    def hears(self, best: float) -> None:
        """Weigh as well how far the best of what the person said before bears on a prompt of a session."""
        if self.is_within:
            self.chance = shifted(self.chance, BEARS * (best - EVEN))

    def stays_shut(self, look_further: Callable[[], None]) -> bool:
        """Tell whether it opens for none of the places where the terms stand, before these are looked up and scored:
        in a session mostly the words say so by themselves, whatever one message has of them. `look_further` finds
        where kindred words stand, which is asked last."""
        underway = self.underway
        if self.explains or underway is None or not underway.session:
            return False
        if self.cue.spans and not self.whole:
            return False
        # Where it opens for what covers nothing, or for a place by its own words, the others need no look.
        self.is_within = self._most(self.whole) < self.least or all(
            self._most(covered) < self.least for covered in self._ceilings(underway, look_further)
        )
        return self.is_within

    def _answers(self, covered: float) -> bool:
        """Tell whether a message that covers so much answers a question wherever it is asked: it has all words of it.
        Within a session these must tell something: "Did you do all of it?" is about what the session said."""
        asking = self.asking
        is_asked = asking.asks and not asking.why and covered >= ALL * self.whole
        return is_asked and (self.whole >= ASKED or not self.situation["inner"])

    @property
    def may_stand_alone(self) -> bool:
        """Whether it begins a session and is short: such a prompt may be judged as if no session stood around it."""
        return bool(self.situation["opening"]) and self.words <= ALONE

    def _stands_alone(self, alone: float) -> bool:
        """Tell whether a prompt is judged so, since something said fairly likely helps it."""
        return self.may_stand_alone and alone >= FAIRLY

    def _most(self, covered: float) -> float:
        """Return the most that the chance may be in a session where no message covers more; 1 if one may answer
        all."""
        if self._answers(covered):
            return 1.0
        most = log1p(SPREAD * covered / _scale(self.said))
        # Between these the sum rises or falls evenly, whatever the weights.
        figures = [
            self._of_best(cover, plain)
            for cover in {0.0, min(most, TELLING), most}
            for plain in ((True, False) if self.asking.first else (False,))
        ]
        alone, within = [
            chance(self.of_prompt, table, max([_weighed(one, table) for one in figures])) + ROUNDED
            for table in (self.weights["message"], self.weights["session"])
        ]
        return 1.0 if self._stands_alone(alone) else within

    def _ceilings(self, underway: Underway, look_further: Callable[[], None]) -> Iterator[float]:
        """Yield what places have of the prompt, of those that the agent has not before it: nothing, the most by their
        own words, the most with all that is beside them."""
        yield 0.0
        # Mostly one word says enough.
        apart = [
            worth for one, worth in self.counted if not one.slip and underway.is_beside(one.own)
        ]
        yield max(apart, default=0.0)
        here = self.standing()
        yield _highest(here, underway)
        look_further()
        for one, worth in self.counted:
            worth *= SLIP if one.slip else 1.0
            own = set(one.own)
            beside = {place + step for place in own for step in (-1, 1)} - own
            akin = set(one.kin).difference(own, beside)
            around = {place + step for place in akin for step in (-1, 1)}
            around.difference_update(own, beside, akin)
            for places, part in ((beside, BESIDE), (akin, KIN), (around, BESIDE * KIN)):
                add_up(here, places, worth * part)
        yield _highest(here, underway)

    def standing(self) -> dict[int, float]:
        """Return how much places have of the prompt by their own words."""
        here: dict[int, float] = {}
        for one, worth in self.counted:
            add_up(here, one.own, worth * (SLIP if one.slip else 1.0))
        return here

    def _of_prompt(self) -> dict[str, float]:
        """Return what the prompt itself says of whether any message helps."""
        asking = self.asking
        return {
            "named": float(bool(self.ground.named)),
            "past": float(asking.past),
            "asks": float(asking.asks and not asking.may),
            "may": float(asking.may),
            "why": float(asking.why),
            "here": float(asking.here),
            "unknown": float(asking.names_a_stranger(self.ground.nowhere())),
            "command": float(asking.command),
            "trouble": float(asking.trouble),
            "days": float(bool(self.cue.spans)),
            **self.situation,
            **self.shared,
            "life_rich": self.situation["life"] * self.shared.get("rich", 0.0),
        }

    def _of_best(self, cover: float, plain: bool) -> dict[str, float]:
        """Return what the best message says, by its share of the prompt, and whether it is said to an assistant."""
        asking = self.asking
        own = asking.first and plain
        return {
            "cover": cover,
            "own": float(own),
            "own_asks": float(own and asking.asks and not asking.may),
            "own_command": float(own and asking.command),
            "own_tells": float(own and asking.tells),
            "few": self._few() * max(0.0, cover - TELLING),
            "inner_cover": self.situation["inner"] * cover,
        }

    def _few(self) -> float:
        """Tell how far what was said falls short of much, where a short prompt begins a session: a longer one, and
        what is said within a session, are met by much in any file."""
        is_short = 0 < self.words <= ALONE
        return _few(self.said) if is_short and not self.situation["inner"] else 0.0

    def _count(self) -> None:
        """Note what each word tells that the prompt asks with, and what they tell together."""
        ground = self.ground
        self.counted = []
        for one in ground.terms:
            form = one.forms[0]
            if one.documents >= COMMON or form in ground.named:
                continue
            if one.explained:
                self.explained.add(form)
                continue
            ordinary = self._ordinary(form)
            if form == self.asking.lead:
                ordinary = _leading(ordinary)
            documents = 0 if one.slip else one.documents
            self.counted.append((one, _worth(documents, ground.total, ordinary)))
        self.whole = sum([worth for _, worth in self.counted])

    def cover(self, best: Sequence[tuple[int, int, bool]], echoes: Iterable[int]) -> float:
        """Return the most of what the prompt asks for that one of the best messages covers."""
        covered = {place: 0.0 for place, _, _ in best}
        near = {k for place in covered for k in (place - 1, place, place + 1)}
        near.difference_update(echoes)
        for one, worth in self.counted:
            here, akin = near.intersection(one.own), near.intersection(one.kin)
            worth *= SLIP if one.slip else 1.0
            for place in covered if here or akin else ():
                if place in here:
                    covered[place] += worth
                elif place - 1 in here or place + 1 in here:
                    covered[place] += worth * BESIDE
                elif place in akin:
                    covered[place] += worth * KIN
                elif place - 1 in akin or place + 1 in akin:
                    covered[place] += worth * BESIDE * KIN
        self.covered = covered
        most = self.best_covered = max(covered.values(), default=0.0)
        self.outstanding = {one for one, part in covered.items() if part >= BEST * most > 0}
        return max(
            [covered[one] * by_length(tokens, plain) for one, tokens, plain in best], default=0.0
        )

    def answers(self, place: int) -> bool:
        """Tell whether the prompt asks for something that this message answers in its own words."""
        return self.is_answered and self.covered.get(place, 0.0) >= ALL * self.best_covered

    def weigh(self, found: Iterable[Weighed], ground: Ground, cosines: Mapping[int, float]) -> None:
        """Give each memory its chance, and the figures behind it."""
        worth, alone, beside, whole = self._worths(ground)
        self.tells = alone
        marks = self._marks(ground.nowhere())
        weights = self.weights["memory"]
        # What the prompt says for and against a memory is the same for all of them.
        of_prompt = _weighed(marks, weights) + weights.get("bias", 0.0)
        of_own = [weights.get(name, 0.0) for name in OF_MEMORY]
        scale = _scale(ground.total)
        small = 0.0 if marks["unknown"] else _few(ground.total + self.said)
        asked = {stem for term in ground.terms for stem in term.stems}
        first = self._foremost(alone, ground)
        for one in found:
            covered = 0.0
            matched, partly = one.matched, one.partly
            is_many = len(matched) > 1
            stood = beside if is_many else alone
            for number in matched:
                covered += stood[number] * PART if number in partly else stood[number]
            for number, like in one.akin.items():
                covered += AKIN * like * worth[number]
            one.cover = covered
            cover = log1p(SPREAD * covered / scale)
            if one.id in cosines:
                cover = max(cover, _meant(cosines[one.id]))
            share = covered / whole if whole else 0.0
            many = 1.0 if is_many else 0.0
            few = small * (cover - TELLING) if cover > TELLING else 0.0
            key = 1.0 if one.key and asked.issuperset(self.stems(one.key)) else 0.0
            short = foremost = 0.0
            if first and cover > TELLING and one.layer == "semantic":
                size = one.tokens or SHORT
                short = log(SHORT / max(size, SHORTEST)) if size < SHORT else 0.0
                mine = [first[number] for number in matched if number in first]
                foremost = max(mine, default=0.0)
            # In the order of OF_MEMORY.
            own = {"cover": cover, "share": share, "many": many, "few": few, "key": key, "short": short,
                   "foremost": foremost}  # fmt: skip
            one.marks = own | marks
            one.chance = likely(sum(map(mul, own.values(), of_own)) + of_prompt)

    def keeps_all_out(self, ground: Ground) -> bool:
        """Tell whether it keeps out every memory, whatever words of the prompt it has: asked before one is looked
        for, when nobody counted the rare words yet. So it is mostly where the session has just said them."""
        covered = 0.0
        for term in ground.terms:
            if term.documents:
                covered += self._tells(term, ground.total)
            elif term.forms[0] not in self.idle | self.explained:
                # At most what a word tells that stands nowhere, whether or not another stands for it.
                covered += _worth(
                    0, ground.total, max(map(per_thousand, term.stems[:1]), default=0.0)
                )
        known = max(0.0, self.weights["memory"].get("unknown", 0.0))
        most = self._ceiling(ground, self._marks(set()), covered)
        return most(covered, 1.0, known) < self.least

    def may_let_in(
        self, ground: Ground, kindred: Callable[[], Mapping[int, float]]
    ) -> list[str] | None:
        """Tell whether it may let any memory in, before one is read: the memories for which that hangs on what stands
        in their rows; None where it may hang on words alone.

        `kindred` finds the terms for which a kindred word may stand, with the greatest likeness.
        """
        where = [term.ids for term in ground.terms]
        worth, _, beside, whole = self._worths(ground)
        most = self._ceiling(ground, self._marks(ground.nowhere()), whole)
        least = self.least
        # Mostly one word says enough.
        everywhere = sum([beside[number] for number, ids in enumerate(where) if ids is None])
        alone = max([beside[number] for number, ids in enumerate(where) if ids], default=0.0)
        if most(everywhere + alone, 0.0) >= least:
            return None
        instead = {number: AKIN * like * worth[number] for number, like in kindred().items()}
        everywhere = sum(instead.values())
        apart: list[tuple[Sequence[str], float]] = []  # what there is beyond, and where
        for number, ids in enumerate(where):
            more = beside[number] - instead.get(number, 0.0)
            if ids is None:
                everywhere += more
            elif ids and more > 0:
                apart.append((ids, more))
        if most(everywhere + max([more for _, more in apart], default=0.0), 0.0) >= least:
            return None
        here: dict[str, float] = {}
        for having, more in apart:
            add_up(here, having, more)
        top = everywhere + max(here.values(), default=0.0)
        # Who has all words of its key has one of them: only where nobody read that, it is not among these.
        if most(top, 0.0) >= least or (None in where and most(everywhere, 1.0) >= least):
            return None
        if most(top, 1.0) < least:
            return []
        return [one for one, covered in here.items() if most(everywhere + covered, 1.0) >= least]

    def _ceiling(
        self, ground: Ground, marks: Mapping[str, float], whole: float
    ) -> Callable[..., float]:
        """Return what tells the most that the chance of a memory may be which covers so much of the whole prompt:
        with 1 if it may have all words of its key, and what else may speak for it."""
        table = self.weights["memory"]
        of_prompt = _weighed(marks, table) + table.get("bias", 0.0)
        of_own = [max(0.0, table.get(name, 0.0)) for name in OF_MEMORY]
        scale = _scale(ground.total)
        small = 0.0 if marks["unknown"] else _few(ground.total + self.said)
        statement = (log(SHORT / SHORTEST), 1.0) if self.situation.get("opening") else (0.0, 0.0)

        def most(covered: float, key: float, more: float = 0.0) -> float:
            cover = log1p(SPREAD * covered / scale)
            few = small * max(0.0, cover - TELLING)
            share = covered / whole if whole else 0.0
            own = (cover, share, 1.0, few, key, *(statement if cover > TELLING else (0.0, 0.0)))
            return likely(of_prompt + sum(map(mul, own, of_own)) + more) + ROUNDED

        return most

    def _foremost(self, alone: Sequence[float], ground: Ground) -> dict[int, float]:
        """Return the terms that tell the most of a prompt that begins a session, and how much that says: less, if
        many memories have it. Within a session it says nothing: what is done there names the same things again."""
        least = FOREMOST * max(alone, default=0.0)
        if not self.situation.get("opening") or not least:
            return {}
        return {
            number: SUBJECT / max(SUBJECT, ground.terms[number].documents or 0)
            for number, told in enumerate(alone)
            if told >= least and not ground.terms[number].slip
        }

    def _worths(self, ground: Ground) -> tuple[list[float], list[float], list[float], float]:
        """Return what each term tells: by itself, alone and beside others where it may be a slip; and all of them."""
        if self.told and self.told[0] is ground:
            return self.told[1]
        whole = 0.0
        worth, alone, beside = [], [], []
        for term in ground.terms:
            told = self._tells(term, ground.total)
            whole += told
            if term.forms[0] == self.asking.lead:
                told = self._tells(term, ground.total, self.asking.lead)
            worth.append(told)
            alone.append(told * SLIP if term.slip else told)
            beside.append(told * SLIP_BESIDE if term.slip else told)
        self.told = ground, (worth, alone, beside, whole)
        return self.told[1]

    def reads(self, text: str) -> float:
        """Return the chance of a text that is in no index of its own, such as a section of a document."""
        stood = set(self.stems(text))
        worth = whole = 0.0
        matched = 0
        for term in self.cue.terms:
            stems = [stem for form in term.forms for stem in self.stems(form)]
            one = _worth(0, 0, max(map(per_thousand, stems), default=0.0))
            whole += one
            if not stood.isdisjoint(stems):
                worth += one
                matched += 1
        marks = {
            "cover": log1p(SPREAD * worth / _scale(0)),
            "share": worth / whole if whole else 0.0,
            "many": float(matched > 1),
            **self._marks(set()),
        }
        return chance(marks, self.weights["memory"])

    def _tells(self, one: Asked, total: int, lead: str = "") -> float:
        """Return what a term of the prompt tells of the memories that have it; little, if it only leads a request."""
        if one.forms[0] in self.idle | self.explained or (
            not one.documents and one.forms[0] in self.dated
        ):
            return (
                0.0  # that no memory speaks of Fridays takes nothing from what one says of deploys
            )
        if one.slip:  # the prompt's own word stands nowhere
            return _worth(0, total, max(map(per_thousand, one.stems[:1]), default=0.0))
        ordinary = sum(map(per_thousand, one.stems)) or self._elsewhere(one.forms[0])
        if one.forms[0] == lead:
            ordinary = _leading(ordinary)
        return _worth(max(0, one.documents - SUBJECT), total, ordinary)

    def _marks(self, nowhere: set[str]) -> dict[str, float]:
        """Return what the prompt itself says for and against each memory."""
        asking = self.asking
        return {
            "asks": float(asking.asks and not asking.may),
            "why": float(asking.why),
            "here": float(asking.here),
            "own": float(asking.first),
            "own_asks": float(asking.first and asking.asks and not asking.may),
            "own_tells": float(asking.tells),
            "trouble": float(asking.trouble),
            "unknown": float(asking.names_a_stranger(nowhere)),
            **{name: self.situation.get(name, 0.0) for name in OF_SESSION},
        }

    def _ordinary(self, form: str) -> float:
        stems = self.stems(form)
        return per_thousand(stems[0]) or self._elsewhere(form) if len(stems) == 1 else 0.0

    def _elsewhere(self, form: str) -> float:
        """Tell how ordinary a word is in a language whose words nobody counted: as an English one mostly is."""
        return UNCOUNTED if self.asking.is_foreign and form.isalpha() else 0.0


def _highest(here: Mapping[int, float], underway: Underway) -> float:
    """Return the most that any place has which the agent has not before it."""
    known = underway.windows
    rest = [one for at, one in here.items() if at >> BITS not in known or not underway.has(at)]
    return max(rest, default=0.0)


def _worth(size: int, total: int, ordinary: float) -> float:
    """Return what a term tells: its inverse frequency in the file and the virtual messages together."""
    many = size + EVERYDAY * ordinary * VIRTUAL / 1_000
    return log(1 + max(0.0, total + VIRTUAL - many + 0.5) / (many + 0.5))


def _leading(ordinary: float) -> float:
    """Tell how ordinary the verb is that a request begins with: it says what to do, seldom what about."""
    return max(LEADING, 2 * ordinary)


def _scale(total: int) -> float:
    return log(total + VIRTUAL)


def _few(total: int) -> float:
    """Tell how far a file falls short of holding much; the less it holds, the less is met by chance."""
    return log(SMALL / max(total, TINY)) if 0 < total < SMALL else 0.0


def by_length(tokens: int, plain: bool) -> float:
    """Return what the length of a message takes from what it covers; `plain`: said to an assistant."""
    if tokens > SHORT:
        return sqrt(SHORT / tokens)
    return min(1.0, tokens / BARE) if plain else 1.0


def _meant(cosine: float) -> float:
    """Return what nearness in meaning is worth, as if so much of the prompt were covered by words."""
    return NEAREST * max(0.0, min(1.0, (cosine - APART) / (ALIKE - APART)))


def chance(figures: Mapping[str, float], weights: Mapping[str, float], more: float = 0.0) -> float:
    """Return the chance that the weighted sum comes to, and what is weighed already."""
    return likely(weights.get("bias", 0.0) + more + _weighed(figures, weights))


def _weighed(figures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum([weights[name] * value for name, value in figures.items() if name in weights])
