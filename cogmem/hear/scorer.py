"""Guesses what a clause is where no rule matches it: a small linear score over named features.

A feature is a sort of word in the clause, two sorts in a row, how the clause begins, how long it is,
and the words themselves, alone, in pairs and as the four letters that they begin with; in Chinese
and Japanese, the characters. The weights lie
in `weights.txt`, made by `benchmarks/hearing/train.py`; each kind of lasting statement has one for
each feature, and so has "nothing". What scores high enough is proposed, no more: it waits as a
candidate.

A clause is read whole and in the parts between its commas and "and"s: people mention a lasting wish
in passing, after what they want done now.
"""

from __future__ import annotations

import os
import re
from collections import namedtuple
from itertools import pairwise
from math import exp, log

from cogmem.hear.languages import language_of, words_of
from cogmem.hear.mood import after_opening, is_not_for_good, opens_as_question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cogmem.hear.languages import Words
    from cogmem.language.clauses import Clause

KINDS = ("wish", "rule", "profile", "decision", "correction", "fact")
MAYBE = 0.3  # the chance from which on a clause is kept if it sets right what is held
MAYBE_NOW = 0.1  # … if it says that something is so now
DOUBT = 0.45  # the chance below which a clause is not kept, whatever rule took it
PLACE = os.path.join(os.path.dirname(__file__), "weights.txt")
MOST_CLAUSES = 20  # of a message; of more the first and the last are read, as people ask in passing
MOST_JUDGED = 100  # clauses whose judgement is remembered
STEM = 4  # letters of a word that its inflections share
_LENGTHS = (2, 4, 8, 14, 25)

_JOINT = re.compile(
    r"(?:[,;:]|\s-|，|、|。)\s*(?:(?:and|but|so|also|und|aber|y|pero|et|mais|e|ma|mas|en|maar)\s)?"
    r"|\s(?:and|but|und|y|et|e|en)\s(?=(?:always|never|remember|in future|from now|going forward|don't"
    r"|do not|please|also|denk|lass|in zukunft|immer|nie|siempre|nunca|acuerdate|recuerda|pasa"
    r"|toujours|jamais|n'oublie|lance|sempre|lembra|ricorda|mai|lancia|altijd|nooit|onthoud|draai|i"
    r"|we|my|our|ich|wir|je|nous|on)\b)"
)
# A part that begins so is meant for good, whatever is to be done before it.
_LASTING = re.compile(
    r"(?:always|never|in (?:the )?future|from (?:now|here) on|going forward|next time|remember|keep in mind"
    r"|(?:please )?don't ever|by the way|btw|for the record|just so you know|note that|for future|we|my|our"
    r"|i(?:'m| am)?"
    r"|ich|wir|mein|meine|unser|denk|immer|nie|in zukunft|ab jetzt|lass in zukunft"
    r"|siempre|nunca|recuerda|acuerdate|en el futuro|a partir de|de ahora|pasa siempre|nosotros|mi|voy|uso|soy"
    r"|toujours|jamais|a l'avenir|desormais|n'oublie|souviens|lance toujours|nous|on|je|j'"
    r"|sempre|no futuro|daqui|lembra|eu|nosso|meu|minha|mai|in futuro|d'ora|ricorda|lancia sempre|io|sono"
    r"|altijd|nooit|voortaan|in de toekomst|onthoud|draai altijd|ik|mijn|onze"
    r"|以后|今后|从现在|记住|每次|我|今後|これから|次回|覚えて|車|私)"
)


class Part(namedtuple("Part", "first last kind chance is_doubtful")):
    """A stretch of a clause that is likely to be of a kind, and how likely."""

    __slots__ = ()
    first: int
    last: int
    kind: str
    chance: float
    is_doubtful: bool


def proposed(
    clauses: Sequence[Clause], language: str = "", doubtful: bool = False
) -> list[tuple[Clause, Part]]:
    """The parts of a message's clauses that are likely to be worth keeping, one a clause at most.

    `doubtful`: also those that would be, if they set right what is held.
    """
    found: list[tuple[Clause, Part]] = []
    likely = shipped().least
    for clause, first, last, kind, chance, is_now in _judgements(clauses, language):
        maybe = MAYBE_NOW if is_now else MAYBE
        if chance < (min(likely, maybe) if doubtful else likely):
            continue
        if found and found[-1][0] is clause:
            if chance <= found[-1][1].chance or found[-1][1].first == 0:
                continue
            found.pop()
        found.append((clause, Part(first, last, kind, chance, chance < likely)))
    return found


def doubted(clauses: Sequence[Clause], start: int, end: int, language: str = "") -> bool:
    """Whether nothing between two places of a message looks like what lasts.

    What is not judged at all, as it holds for once or is somebody else's word, is doubted too.
    """
    return not any(
        chance >= DOUBT and clause.start + first < end and start < clause.start + last
        for clause, first, last, _, chance, _ in _judgements(clauses, language)
    )


def _judgements(
    clauses: Sequence[Clause], language: str
) -> Iterator[tuple[Clause, int, int, str, float, bool]]:
    """Each stretch with its kind and chance; a clause that is asked for twice is judged once."""
    weights = shipped()
    language = language or _spoken(clauses)
    if len(clauses) > MOST_CLAUSES:
        clauses = [*clauses[: MOST_CLAUSES // 2], *clauses[-MOST_CLAUSES // 2 :]]
    for clause in clauses:
        place = language, clause.plain, clause.is_question
        judged = weights.judged.get(place)
        if judged is None:
            judged = [
                (first, last, *_judged(features, weights, MAYBE_NOW), "now" in features)
                for _, first, last, features in units((clause,), language)
            ]
            if len(weights.judged) >= MOST_JUDGED:
                weights.judged.clear()
            weights.judged[place] = judged
        for first, last, kind, chance, is_now in judged:
            yield clause, first, last, kind, chance, is_now


def _spoken(clauses: Sequence[Clause]) -> str:
    return language_of(" ".join([clause.plain for clause in clauses]).lower())


def units(
    clauses: Sequence[Clause], language: str = ""
) -> Iterator[tuple[Clause, int, int, set[str]]]:
    """The stretches that are judged, each with its features: a clause, and the parts of it."""
    if not clauses:
        return
    words = words_of(language or _spoken(clauses))
    for clause in clauses:
        plain = clause.plain.lower()
        head = after_opening(plain)
        if not _SPOKEN.search(plain) or is_not_for_good(plain[head:]):
            continue
        asks = opens_as_question(plain[head:])
        if not (asks or clause.is_question):
            yield clause, 0, len(plain), _features(clause, 0, len(plain), words, False)
        for first, last in _parts(plain):
            if (asks and not first) or (clause.is_question and last == len(plain)):
                continue
            if not _LASTING.match(plain[after_opening(plain, first) : last]):
                continue
            yield clause, first, last, _features(clause, first, last, words, True)


def _parts(plain: str) -> list[tuple[int, int]]:
    """Where the parts of a clause start and end; none if it is of one piece."""
    found: list[tuple[int, int]] = []
    at = 0
    for joint in _JOINT.finditer(plain):
        found.append((at, joint.start()))
        at = joint.end()
    if not at:
        return []
    found.append((at, len(plain)))
    least = 3 if not plain.isascii() else 8
    return [(first, last) for first, last in found if last - first >= least]


def _features(clause: Clause, first: int, last: int, words: Words, is_part: bool) -> set[str]:
    plain = clause.plain[first:last]
    low = plain.lower()
    tokens = words.tokens(low)
    marks = {"bias"}
    present: set[str] = set()
    before: tuple[str, ...] = ()
    ended = -1
    # The longest phrase from each word on; what lies inside one counts less.
    for start, end, sorts in words.found(tokens):
        if end <= ended:
            marks.update(["in." + sort for sort in sorts])
            continue
        if ended < 0 and start:
            marks.add("1:?")
        link = ">" if start <= max(ended, 0) else "~"
        for sort in sorts:
            if start == 0:
                marks.add("1:" + sort)
            for other in before:
                marks.add(other + link + sort)
            if start and not before:
                marks.add("?~" + sort)
        present.update(sorts)
        before, ended = sorts, end
    if ended < 0:
        marks.add("1:?")
    present.update(_shape(plain, words))
    marks.update(present)
    size = len(tokens) // 2 if words.unspaced else len(tokens)
    marks.add(f"length {sum([size > most for most in _LENGTHS])}")
    marks.update(["=" + token for token in tokens])
    marks.update(["=" + words.joined([a, b]) for a, b in pairwise(tokens)])
    marks.add("^" + words.joined(tokens[:2]))
    if not words.unspaced:  # what a word and its inflections share
        marks.update(["<" + token[:STEM] for token in tokens if len(token) > STEM])
    if is_part:
        marks.add("part")
    if not _DIGITS.isdisjoint(plain):
        marks.add("digit")
    if "," in plain:
        marks.add("comma")
    if "xxxx" in plain or '"' in plain:
        marks.add("quoted")
    if _IDENTIFIER.search(plain):
        marks.add("identifier")
    return marks


def _shape(plain: str, words: Words) -> Iterator[str]:
    """What the letters show: a name behind the first word, and what a clause ends in."""
    if words.language != "de" and _NAME.search(plain):
        yield "name"
    last = plain.rstrip(" .!,")[-24:].rsplit(" ", 1)[-1]
    if not _DIGITS.isdisjoint(last):
        yield "..digit"
    elif _IDENTIFIER.search(last) or "-" in last or "@" in last:
        yield "..identifier"
    elif last[:1].isupper():
        yield "..name"


_SPOKEN = re.compile(r"[^\W\d_]{2}.*\s\W*[^\W\d_]|[^\x00-\u024f]{2}")  # more than a word
_NAME = re.compile(r"[a-z,] [A-Z][a-z]")
_DIGITS = frozenset("0123456789")
_IDENTIFIER = re.compile(r"\w[._/]\w|[a-z][A-Z]|`")


def _judged(marks: set[str], weights: Weights, least: float) -> tuple[str, float]:
    """The likeliest kind, and how likely it is that the clause is of any kind; 0.0 if below `least`."""
    rows = weights.of(marks)
    # The last figure of a row says how far it may speak for a kind: mostly that settles it.
    if sum([row[-1] for row in rows]) < 100 * log(least / (len(KINDS) * (1 - least))):
        return "", 0.0
    sums = [sum(column) for column in zip(*rows, strict=True)][:-1]
    most = max(sums)
    powers = [exp((one - most) / 100) for one in sums]
    kinds = powers[1:]
    return KINDS[kinds.index(max(kinds))], 1 - powers[0] / sum(powers)


class Weights:
    """The weights of features in hundredths, and the chance from which on a clause is proposed.

    A row is read when its feature is first seen: of some ten thousand a message has a few dozen.
    """

    def __init__(self, text: str, least: float) -> None:
        self.least = least
        self.judged: dict[tuple[str, str, bool], list[tuple[int, int, str, float, bool]]] = {}
        cells = text.replace("\n", "\t").split("\t")  # a feature and its figures, in turn
        self._unread: dict[str, str] = dict(zip(cells[::2], cells[1::2], strict=False))
        self._rows: dict[str, tuple[int, ...]] = {}

    def of(self, marks: set[str]) -> list[tuple[int, ...]]:
        """The rows of the features that have one, each with its best case for any kind at its end."""
        for mark in marks & self._unread.keys():
            row = [int(figure) for figure in self._unread.pop(mark).split()]
            self._rows[mark] = (*row, max(row[1:]) - row[0])
        return [self._rows[mark] for mark in marks & self._rows.keys()]


_in_use: list[Weights] = []


def use(weights: Weights | None) -> None:
    """Judge by other weights than those that ship, as training does; None: by those again."""
    _in_use[:] = [weights] if weights else []


def shipped() -> Weights:
    """The weights in use, those of `weights.txt` if nobody says otherwise."""
    if not _in_use:
        with open(PLACE, encoding="utf-8") as file:
            first, text = file.read().split("\n", 1)
        _in_use.append(Weights(text, float(first.partition("\t")[2])))
    return _in_use[0]
