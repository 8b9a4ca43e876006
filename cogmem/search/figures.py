"""What is told of a recorded message before it is ranked: one row of named figures.

In a conversation the answer seldom repeats the words of the question, but it stands beside them. So
the words count three times, in one figure: in the message, right before and after it, and one further. A long
message matches anything, so its length is told too. All are shares of this prompt, from 0 to 1, or
their logarithms: the same weights serve a file of ten messages and one of a million.

Which terms stand in a message is one number, a bit for each term. What a message and its neighbours
cover together is then one `|`, and what that is worth is looked up.

Of the best their words are read as well, also where none is shared: each term of the prompt is covered by the word
nearest to it, by itself wholly, by another as far as the two are alike in the table of near words. "My new dentist"
so answers "tooth doctor".

A score is one weighted sum of a row, with weights that are data: `cogmem/data/ranking.txt` has a line for each
figure, and `make train-ranking` writes it. What is ranked must share a room, so a candidate is worth its sum for
what it costs: `PRICE` times the log of its tokens goes off. The hash of the file stands in the ledger, so a turn
says which weights ranked it.
"""

from __future__ import annotations

from _operator import mul
from math import exp, log

from cogmem.cached import cache
from cogmem.records import add_up
from cogmem.search.ground import BITS
from cogmem.search.near_words import near
from cogmem.strength import DAY_MS
from cogmem.text import data
from cogmem.text.lines import hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.language.asking import Asks

NAMES = (
    "rank",  # 1 / (3 + its place in the order of `spread`)
    "spread",  # log share of the best: words here and beside, damped by length, lifted by who and when
    "conversation",  # its conversation's worth by its five best messages, 1 for the best one
    "conversation_rank",  # 1 / (1 + its place in the order of that)
    "conversation_best",  # the most of the prompt's information that one message in its conversation covers
    "conversation_all",  # what all of its conversation covers together
    "speaker",  # 1: the prompt names who said it; 0: it names others; 0.5: it names nobody
    "other",  # 1: the prompt names others
    "assistant",  # 1: not a user's words
    "days",  # how near the days that the prompt names
    "length",  # log of its tokens
    "question",  # 1: there is a question mark in it
    "asked",  # what the question right before it covers
    "rule",  # 1: a user's rule for the future, said to an assistant
    "when",  # 1: there is a word of time in it, and the prompt asks when
    "count",  # 1: there is a digit in it, and the prompt asks how many
    "voice",  # 1 or -1: the prompt asks what I said, or what you said, and it is, or is not, that one's
    "meaning",  # share of the prompt that its words cover, near ones by their likeness
    "meaning_top",  # log share of the best of that
    "meaning_beside",  # meaning of the better one of the two beside it
    "phrase",  # share of the prompt whose words stand next to one another in it as they do there
    "alike",  # likeness of its vector to the prompt's, if there are vectors
    "alike_beside",  # … of the likelier one of the two beside it
)
KEEP = 120  # candidates of which all figures are told
LEAST = 0.1  # share of what the best match says below which a match is not scored
# What a match is worth to the message beside it, to one after a question, and to one further.
BESIDE, ANSWER, FAR = 0.6, 0.8, 0.3
KIN = 0.4  # a kindred word against the word itself
SHORT = 40  # tokens; a longer message counts less
LONG = 0.75  # exponent of SHORT / tokens
LIFT = 0.5  # how far the best conversation lifts its messages
NAMED = DATED = RULES = 1.0  # added for the speaker, for the days that the prompt names, for a rule
BEFORE, AFTER = 3, 14  # days: how fast a message fades before and after the days named
FLOOR = 0.3  # share of the best that being said on a named day is worth by itself

MEANING, MEANING_TOP, MEANING_BESIDE, PHRASE = map(
    NAMES.index, ("meaning", "meaning_top", "meaning_beside", "phrase")
)
APART = 2  # words that two neighbours may stand apart: one between them
OTHERS, QUESTION, NUMBER, TIME, TOOLS = 1, 2, 4, 16, 32  # message_place.traits, added up

PRICE = 0.8  # how strongly length is charged
CHEAP = 40  # tokens; nothing costs less
TOLD = 6  # figures that say why a candidate stands where it does


class Worth(dict[int, float]):
    """What sets of terms are worth together: a set is a number, a bit for each term."""

    def __init__(self, idf: Sequence[float]) -> None:
        whole = sum(idf) or 1.0
        super().__init__({0: 0.0})
        self._idf = [one / whole for one in idf]

    def __missing__(self, terms: int) -> float:
        idf, rest, found = self._idf, terms, 0.0
        while rest:
            number = rest.bit_length() - 1
            found += idf[number]
            rest ^= 1 << number
        self[terms] = found
        return found


class Standing:
    """Which of a prompt's terms stand where, by themselves and by their kin."""

    def __init__(self, found: Sequence[tuple[float, Sequence[int], Sequence[int]]]) -> None:
        """`found` has the worth of each term, its places and those of its kin."""
        self.worth = Worth([term[0] for term in found])
        self.own: dict[int, int] = {}  # a set of terms for each place
        self.kin: dict[int, int] = {}
        for number, (_, own, kin) in enumerate(found):
            add_up(self.own, own, 1 << number)
            add_up(self.kin, kin, 1 << number)

    def best(self, most: int) -> list[int]:
        """Return the places worth scoring: the best by what stands there; of equals the newest."""
        worth, here = self.worth, self.own.get
        rough = {place: worth[terms] for place, terms in self.own.items()}
        for place, terms in self.kin.items():
            if fresh := terms & ~here(place, 0):
                rough[place] = rough.get(place, 0.0) + KIN * worth[fresh]
        least = LEAST * max(rough.values(), default=0.0)
        if len(rough) > most:
            least = max(least, sorted(rough.values())[-most])
        best = [place for place, value in rough.items() if value >= least]
        best.sort(reverse=True)
        best.sort(key=rough.__getitem__, reverse=True)
        return best[:most]


def figures(
    standing: Standing,
    about: Mapping[int, Sequence[Any]],
    asks: Asks,
    named: frozenset[str],
    spans: Sequence[tuple[int, int]],
    alike: Mapping[int, float],
) -> tuple[list[int], list[list[float]]]:
    """Return the best candidates and a row for each.

    `about` has the rows of "messages.details". What the words themselves say is filled in later, by `meaning`.
    """
    worth, here = standing.worth, standing.own.get
    near, best_of, all_of = _near(standing, about)
    talks = _worth_of_conversations(near)
    said_by = _named_speakers(about, named)
    spread = _lifted(near, about, talks, said_by if len(named) == 1 else set())
    fits = _lift_days(spread, about, spans) if spans else {}
    # The best first, and of equals the earliest: the sort is stable.
    order = sorted(sorted(spread), key=spread.__getitem__, reverse=True)[:KEEP]
    order += [place for place in alike if place in about and place not in spread]
    ranked = sorted(talks, key=lambda talk: (-talks[talk], talk))
    rank_of = {talk: 1 / (1 + number) for number, talk in enumerate(ranked)}
    top = max(spread.values(), default=1.0) or 1.0
    rows = []
    for number, place in enumerate(order):
        _, tokens, _, _, rule, who, _, traits = about[place]
        talk = place >> BITS
        prior = about.get(place - 1)
        is_speaker = bool(named) and who in said_by
        rows.append(
            [
                1 / (3 + number),
                log(0.02 + spread.get(place, 0.0) / top),
                talks.get(talk, 0.0),
                rank_of.get(talk, 0.0),
                best_of.get(talk, 0.0),
                worth[all_of.get(talk, 0)],
                (1.0 if is_speaker else 0.0) if named else 0.5,
                1.0 if named and not is_speaker else 0.0,
                1.0 if traits & OTHERS else 0.0,
                fits.get(place, 0.0),
                log(tokens) if tokens > 1 else 0.0,
                1.0 if traits & QUESTION else 0.0,
                worth[here(place - 1, 0)] if prior and prior[3] else 0.0,
                0.0 if who else float(rule),
                1.0 if asks.when and traits & TIME else 0.0,
                1.0 if asks.how_many and traits & NUMBER else 0.0,
                0.0 if who else -asks.voice if traits & OTHERS else asks.voice,
                0.0,
                0.0,
                0.0,
                0.0,
                alike.get(place, 0.0),
                max(alike.get(place - 1, 0.0), alike.get(place + 1, 0.0)) if alike else 0.0,
            ]
        )
    return order, rows


# -- what the words say ------------------------------------------------------------------------


def meaning(
    places: Sequence[int],
    rows: Sequence[list[float]],
    words: Sequence[Sequence[str]],
    wanted: Sequence[tuple[float, Mapping[str, float]]],
) -> None:
    """Fill in what the words of candidates say.

    `words` has the stems of each; `wanted` for each term its worth, and the likeness of every stem
    that covers it.
    """
    whole = sum(idf for idf, _ in wanted) or 1.0
    covers: dict[str, list[tuple[int, float]]] = {}
    for number, (idf, likeness) in enumerate(wanted):
        for stem, like in likeness.items():
            covers.setdefault(stem, []).append((number, idf * like / whole))
    known = frozenset(covers)
    covered: dict[int, float] = {}
    side_by_side: dict[int, float] = {}
    worths = [idf / whole for idf, _ in wanted]
    for place, stems in zip(places, words, strict=True):
        best: dict[int, float] = {}
        here = known.intersection(stems)
        for stem in here:
            for number, value in covers[stem]:
                if best.get(number, 0.0) < value:
                    best[number] = value
        covered[place] = sum(best.values())
        if len(here) > 1:
            side_by_side[place] = _side_by_side(stems, here, covers, worths)
    top = max(covered.values(), default=1.0) or 1.0
    for place, row in zip(places, rows, strict=True):
        row[MEANING] = covered[place]
        row[PHRASE] = side_by_side.get(place, 0.0)
        row[MEANING_TOP] = log(0.05 + covered[place] / top)
        row[MEANING_BESIDE] = max(covered.get(place - 1, 0.0), covered.get(place + 1, 0.0))


def _side_by_side(
    stems: Sequence[str],
    here: frozenset[str],
    covers: Mapping[str, Sequence[tuple[int, float]]],
    worths: Sequence[float],
) -> float:
    """Return what the prompt's neighbouring terms are worth that are neighbours in this text as well."""
    found: dict[int, float] = {}
    last: dict[int, int] = {}  # where each term stood last
    for at, stem in enumerate(stems):
        for number, _ in covers[stem] if stem in here else ():
            last[number] = at
            for other in (number - 1, number + 1):
                if 0 < at - last.get(other, at) <= APART:
                    found[min(number, other)] = (worths[number] + worths[other]) / 2
    return sum(found.values())


def likeness(stems: Sequence[str], english: bool = False) -> dict[str, float]:
    """Return what covers a term: its own stems wholly, words near in meaning by their likeness."""
    found: dict[str, float] = {}
    for stem in stems:
        for other, _, like in near(stem, english):
            if found.get(other, 0.0) < like:
                found[other] = like
    found.update(dict.fromkeys(stems, 1.0))
    return found


# -- parts -----------------------------------------------------------------------------------


def _named_speakers(about: Mapping[int, Sequence[Any]], named: frozenset[str]) -> set[str]:
    """Return who of those that spoke is named in the prompt."""
    if not named:
        return set()
    return {who for who in {row[5] for row in about.values()} if who and _is_named(who, named)}


def _is_named(who: str, named: frozenset[str]) -> bool:
    folded = who.lower()
    return bool(who.strip()) and (folded in named or folded.split()[0] in named)


def _near(
    standing: Standing, about: Mapping[int, Sequence[Any]]
) -> tuple[dict[int, float], dict[int, float], dict[int, int]]:
    """Return what stands in a message and beside it, each term once, damped by length; and of each conversation what
    its best message is worth by itself, and which terms stand in it at all."""
    worth, here, kindred, row_of = standing.worth, standing.own.get, standing.kin.get, about.get
    has_kin = bool(standing.kin)
    found: dict[int, float] = {}
    best_of: dict[int, float] = {}
    all_of: dict[int, int] = {}
    last, before, own, after, ahead = -1, 0, 0, 0, 0
    for place, row in about.items():
        if place == last + 1:  # they come in runs: what stands ahead is all that is new
            behind, before, own, after = before, own, after, ahead
        else:
            behind, before, own = here(place - 2, 0), here(place - 1, 0), here(place, 0)
            after = here(place + 1, 0)
        ahead = here(place + 2, 0)
        last, seen = place, own
        score = worth[own]
        if own:
            talk = place >> BITS
            all_of[talk] = all_of.get(talk, 0) | own
            if score > best_of.get(talk, 0.0):
                best_of[talk] = score
        if fresh := before & ~seen:
            if beside := row_of(place - 1):  # a question passes most of its matches to its answer
                share, tokens = ANSWER if beside[3] else BESIDE, beside[1]
                score += share * (SHORT / tokens if tokens > SHORT else 1.0) * worth[fresh]
            seen |= before
        if fresh := after & ~seen:
            if beside := row_of(place + 1):
                tokens = beside[1]
                score += BESIDE * (SHORT / tokens if tokens > SHORT else 1.0) * worth[fresh]
            seen |= after
        if fresh := (behind | ahead) & ~seen:
            score += FAR * worth[fresh]
        if has_kin and (fresh := kindred(place, 0) & ~seen):
            score += KIN * worth[fresh]
        if score:
            tokens = row[1]
            found[place] = score * (SHORT / tokens) ** LONG if tokens > SHORT else score
    return found, best_of, all_of


def _lifted(
    near: Mapping[int, float],
    about: Mapping[int, Sequence[Any]],
    talks: Mapping[int, float],
    said_by: set[str],
) -> dict[int, float]:
    lift = {talk: 1 + LIFT * value for talk, value in talks.items()}
    found = {place: value * lift[place >> BITS] for place, value in near.items()}
    for place, row in about.items():
        if row[4] and place in found:
            found[place] *= 1 + RULES
        if row[5] in said_by and place in found:
            found[place] *= 1 + NAMED
    return found


def _worth_of_conversations(near: Mapping[int, float]) -> dict[int, float]:
    """Conversations by their five best messages; the best one is worth 1."""
    values: dict[int, list[float]] = {}
    for place, value in near.items():
        talk = place >> BITS
        if talk in values:
            values[talk].append(value)
        else:
            values[talk] = [value]
    sums = {
        talk: sum(sorted(mine)[-5:] if len(mine) > 5 else mine) for talk, mine in values.items()
    }
    best = max(sums.values(), default=1.0)
    return {talk: value / best for talk, value in sums.items()}


def _lift_days(
    score: dict[int, float], about: Mapping[int, Sequence[Any]], spans: Sequence[tuple[int, int]]
) -> dict[int, float]:
    """Return what was said on the days named counts more, and counts even if it shares no word."""
    top = max(score.values(), default=1.0)
    fits = {}
    for place, row in about.items():
        at = row[2]
        fit = 0.0
        for start, end in spans:
            if start <= at < end:
                fit = 1.0
            elif at >= end:
                fit = max(fit, exp((end - at) / (AFTER * DAY_MS)))
            else:
                fit = max(fit, exp((at - start) / (BEFORE * DAY_MS)))
        fits[place] = fit
        score[place] = (score.get(place, 0.0) + FLOOR * top * fit) * (1 + DATED * fit)
    return fits


# -- scores ------------------------------------------------------------------------------------


@cache
def weights() -> tuple[float, ...]:
    """Return the weights that this version ships, in the order of the figures."""
    known = data.weights("ranking")
    return tuple([known.get(name, 0.0) for name in NAMES])


@cache
def weights_hash() -> str:
    """Return the name of these weights in the ledger."""
    return hash_of("\n".join(data.lines("ranking")))


def carried(row: Sequence[float]) -> dict[str, float]:
    """Return what carried a candidate or held it back: its figures times their weights, the largest first."""
    parts = sorted(zip(NAMES, map(mul, row, weights()), strict=True), key=lambda one: -abs(one[1]))
    return {name: round(part, 2) for name, part in parts[:TOLD] if part}


def worth(rows: Iterable[Sequence[float]]) -> list[float]:
    """Add up what the figures of each row weigh."""
    of = weights()
    return [sum(map(mul, row, of)) for row in rows]


def likeliest(worths: Sequence[float], most: int) -> list[int]:
    """Return the numbers of the rows that are worth most so far, in their order."""
    least = sorted(worths)[-most] if len(worths) > most else float("-inf")
    return [number for number, value in enumerate(worths) if value >= least][:most]


def scores(worths: Sequence[float], tokens: Sequence[int]) -> list[float]:
    """Return what candidates are worth for their length; the best one 1, and half of it is half as likely."""
    sums = [
        value - PRICE * log(cost if cost > CHEAP else CHEAP)
        for value, cost in zip(worths, tokens, strict=True)
    ]
    best = max(sums, default=0.0)
    return [exp(value - best) for value in sums]
