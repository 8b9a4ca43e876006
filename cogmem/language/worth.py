"""Tell how likely a sentence is still true and useful in another session next week.

Small linear scores. The first knows words: a feature is a sort of word in the clause (`languages` has them for
nine languages), two sorts in a row, how the clause begins, how long it is, and the words themselves, alone, in
pairs and as the four letters that they begin with; in Chinese and Japanese, the characters. It says which kind of
lasting statement a clause looks like. The second weighs that beside a dozen named figures of the clause and of what
stands around it: is it wanted or denied, is it all that is said, what of it did the agent say before. Forty told real
work that had taught nothing worse. A third, over five, tells a standing order, which holds beyond now and is complete
by itself, from what only says "always" or "must". All lie in `data/`; `make train-hearing` remakes them.

A clause is read whole and in the parts between its commas and "and"s: people mention a lasting wish
in passing, after what they want done now.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import pairwise
from math import exp, log

from cogmem.language.languages import language_of, words_of
from cogmem.language.mood import (
    after_opening,
    is_for_good,
    is_not_for_good,
    joints,
    opens_as_question,
)
from cogmem.language.telling import ENDINGS, telling
from cogmem.language.typed import judged as judged_lines
from cogmem.language.unit import STANDING, Unit, allows, says_how
from cogmem.text.data import FOLDER, weights
from cogmem.text.relevance import likely

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cogmem.language.clauses import Clause
    from cogmem.language.languages import Phrase, Words

KINDS = ("wish", "rule", "profile", "decision", "correction", "fact")
MOST_CLAUSES = 20  # of a message; of more the first and the last are read, as people ask in passing
HOPELESS = -1.5  # how sure a stretch looks lasting, below which it is not kept
SURELY = 0.7  # the chance of a standing order from which on no part of it is looked at
FEW = 3  # telling words below which a row of small numbers only points at something
BROUGHT = 20  # characters behind the colon of an order that are a text of their own
NEAR = 2  # characters between two clauses of one line
UNSPACED = "\u2e80"  # the first letter of writing without blanks, where words are not counted
STEM = 4  # letters of a word that its inflections share
BEFORE = 1500  # characters at each end of the message before that say what a clause only takes up
_LENGTHS = (2, 4, 8, 14, 25)


def weighed(
    clauses: Sequence[Clause], text: str, before: str = "", language: str = ""
) -> list[Unit]:
    """Return the stretches of a message's clauses, each with its kind and chance.

    before: what the agent said before it
    """
    language = language or spoken(clauses)
    around = Around(clauses, text, before)
    found: list[Unit] = []
    words = words_of(language)
    for clause, first, last, marks in units(clauses, text, language):
        plain = clause.plain.lower()
        whole = _judged(around, clause, first, last, marks, text, language)
        if (
            STANDING.isdisjoint(marks)
            or whole.order >= SURELY
            or not first == 0 < last == len(plain)
        ):
            found.append(whole)
            continue
        # An order is one with the reason that is said behind it, but not with another order.
        told = [whole]
        for end in [end for start, end in _parts(plain) if not start]:
            if not _features(clause, end + 1, last, words, True).isdisjoint(_ORDERING):
                continue
            part = _features(clause, 0, end, words, False)
            if "bare" not in part:
                told.append(_judged(around, clause, 0, end, part, text, language))
        found.append(max(told, key=lambda one: one.order)._replace(last=last))
    return found


def _judged(
    around: Around, clause: Clause, first: int, last: int, marks: set[str], text: str, language: str
) -> Unit:
    """Judge a stretch."""
    of_words = lasting()
    kind, sure = looks(marks, of_words)
    tells = False
    chance = order = 0.0
    # Of what looks like nothing and is no wish either, nobody asks for more.
    if sure >= HOPELESS or says_how(marks) or allows(marks) or "@" in clause.plain:
        said = text[clause.start + first : clause.start + last]
        words = telling(said)
        tells = bool(words) and not (len(words) < FEW and _LABELS.search(said))
        figures = around.figures(clause, first, marks, words) | likeness(sure)
        chance = _chance(figures, weights("worth"))
        # What one always does oneself is told, and asked of nobody.
        asks = (
            not marks.isdisjoint(("bidden", "ordered"))
            or "i" not in marks
            or not _ASKING.isdisjoint(marks)
        )
        if asks and not STANDING.isdisjoint(marks):
            order = _chance(of_order(marks, figures, of_words), weights("standing"))
    return Unit(clause, first, last, kind, chance, sure, order, marks, tells, language)


def _chance(figures: dict[str, float], weights: dict[str, float]) -> float:
    score = sum([weights.get(name, 0.0) * value for name, value in figures.items()])
    return likely(score + weights["bias"])


def rebukes(clauses: Sequence[Clause], language: str) -> Iterator[Clause]:
    """Give the questions that say how something is to be done ("why didn't you …?"), and bare mentions."""
    words = words_of(language)
    for clause in clauses[-MOST_CLAUSES:]:
        plain = clause.plain.lower()
        asks = clause.is_question or opens_as_question(plain[after_opening(plain) :])
        sorts = words.found(words.tokens(plain)) if asks else ()
        if "@" in plain or says_how({sort for _, _, of in sorts for sort in of}):
            yield clause


_ORDERING = frozenset("1:order 1:task 1:agentact 1:style 1:use 1:dont 1:always 1:never".split())


class Around:
    """A message as the surroundings of its clauses."""

    def __init__(self, clauses: Sequence[Clause], text: str, before: str) -> None:
        self.is_alone = len(clauses) == 1
        self.lines = judged_lines(text)
        typed = sum([line.end - line.start for line, chance in self.lines if chance >= 0.5])
        self.has_paste = len(text) > 1.5 * typed + 100
        self._said_before = before

    @cached_property
    def before(self) -> frozenset[str]:
        """What the agent said before it, of a long message both ends."""
        said = self._said_before
        return telling(said if len(said) < 2 * BEFORE else said[:BEFORE] + " " + said[-BEFORE:])

    def figures(
        self, clause: Clause, first: int, marks: set[str], words: frozenset[str]
    ) -> dict[str, float]:
        """Return the named figures of a stretch with these telling words; what is 0 is left out."""
        start = clause.start + first
        chance = next((c for line, c in self.lines if line.start <= start < line.end), 0.5)
        figures = {
            "part": float("part" in marks),
            "one or two words": float(len(words) < 3 and max(words, default="") < UNSPACED),
            "of us": float("we" in marks),
            "of me": float("i" in marks),
            "wanted": float(not marks.isdisjoint(("want", "need", "prefer"))),
            "denied": float(not marks.isdisjoint(("not", "dont"))),
            "a maybe": float(not marks.isdisjoint(("modal", "think", "if"))),
            "alone": float(self.is_alone),
            "pasted beside": float(self.has_paste),
            "typed": (log((chance + 0.01) / (1.01 - chance))) / 3,
            "new words": len(words - self.before) / max(1, len(words))
            if self._said_before
            else 0.0,
        }
        return {name: value for name, value in figures.items() if value}


def of_order(marks: set[str], figures: dict[str, float], weights: Weights) -> dict[str, float]:
    """Return the figures by which a standing order is told: no matter where in a message it stands."""
    sums = weights.sums(marks)
    nothing, orders, rest = sums[0], _together(sums[1:3]), _together(sums[3:])
    return {
        "looks an order": max(-5.0, min(5.0, (orders - nothing) / 100)),
        "and not told": max(-5.0, min(5.0, (orders - rest) / 100)),
        **{name: figures[name] for name in figures.keys() & _OF_ITSELF},
    }


def _together(sums: Sequence[int]) -> float:
    """Return what several sums come to, in hundredths of a logarithm."""
    best = max(sums)
    return best + 100 * log(sum([exp((one - best) / 100) for one in sums]))


_OF_ITSELF = frozenset(("one or two words", "a maybe", "typed"))  # wherever in a message it stands
_ASKING = frozenset("want need prefer please in.please must should you".split())


def likeness(sure: float) -> dict[str, float]:
    """Return the figure of how much more a stretch looks like what lasts than like nothing."""
    return {"looks lasting": max(-5.0, min(5.0, sure))}


_NO_TO = re.compile(r"\w+\s*(?:[,:，、]|[-–—]\s)")  # "no, …", "No - …"
_LABELS = re.compile(r"\b\d{1,2}\s*(?:[,&+/]|\s\w{1,3}\s)\s*\d{1,2}\b")  # "1, 2 and 3"


def units(
    clauses: Sequence[Clause], text: str, language: str = ""
) -> Iterator[tuple[Clause, int, int, set[str]]]:
    """Give the stretches that are judged, each with its features: a clause, and the parts of it.

    What is called out asks nothing: "why so many returns!"
    """
    if not clauses:
        return
    if len(clauses) > MOST_CLAUSES:
        clauses = [*clauses[: MOST_CLAUSES // 2], *clauses[-MOST_CLAUSES // 2 :]]
    words = words_of(language or spoken(clauses))
    material = -1
    for clause in clauses:
        plain = clause.plain.lower()
        head = after_opening(plain)
        if clause.start <= material or _brings(plain[head:], words):
            material = clause.end + NEAR
            continue
        if not _SPOKEN.search(plain) or is_not_for_good(plain[head:]):
            continue
        asks = opens_as_question(plain[head:]) and not text.startswith(_CALLED, clause.end)
        if not (asks or clause.is_question):
            yield clause, 0, len(plain), _features(clause, 0, len(plain), words, False)
        for first, last in _parts(plain):
            if (asks and not first) or (clause.is_question and last == len(plain)):
                continue
            if not is_for_good(plain[after_opening(plain, first) : last]):
                continue
            yield clause, first, last, _features(clause, first, last, words, True)


def _brings(plain: str, words: Words) -> bool:
    """Tell whether a clause brings what nobody here states: "summarise this: The council …", "Ann wrote:"."""
    if plain.endswith((":", "：")):
        told = {sort for *_, sorts in words.found(words.tokens(plain)) for sort in sorts}
        return "report" in told and told.isdisjoint(("i", "we"))
    order, _, rest = plain.partition(": ")
    said = words.tokens(order)
    if len(rest) < BROUGHT or not said or not words.begins(said, "order"):
        return False
    return "prep" not in words.sorts.get(said[1], ()) if said[1:] else True  # "change of plan: …"


def spoken(clauses: Sequence[Clause]) -> str:
    """Return the language of a message."""
    return language_of(" ".join([clause.plain for clause in clauses]).lower())


def _parts(plain: str) -> list[tuple[int, int]]:
    """Return where the parts of a clause start and end; none if it is of one piece."""
    found: list[tuple[int, int]] = []
    at = 0
    for end, start in joints(plain):
        found.append((at, end))
        at = start
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
    framed = 0
    found = _as_meant(words.found(tokens))
    # The longest phrase from each word on; what lies inside one counts less.
    for start, end, sorts in found:
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
        if not _FRAMING.isdisjoint(sorts):
            framed += end - start
        before, ended = sorts, end
    if ended < 0:
        marks.add("1:?")
    if framed == len(tokens):
        marks.add("bare")
    if bidding := _bidding(tokens, found, low):
        marks.add(bidding)
    if "1:not" in marks and _NO_TO.match(plain):
        marks.add("no,")
    present.update(_shape(plain, words))
    marks.update(present)
    size = len(tokens) // 2 if words.unspaced else len(tokens)
    marks.add(f"length {sum([size > most for most in _LENGTHS])}")
    # Which person, place or tool it is says nothing of whether it lasts, nor does the word by which it is ours.
    named = words.named.intersection(tokens)
    named.update(*[tokens[start:end] for start, end, of in found if of is _OURS])
    told = [token for token in tokens if token not in named] if named else tokens
    marks.update(["=" + token for token in told])
    gap = "" if words.unspaced else " "
    pairs = [one for one in pairwise(tokens) if named.isdisjoint(one)]
    marks.update([f"={a}{gap}{b}" for a, b in pairs])
    marks.add("^" + words.joined(tokens[:2]))
    if not words.unspaced:  # what a word and its inflections share
        marks.update(["<" + token[:STEM] for token in told if len(token) > STEM])
    if ":" in clause.plain[:first]:
        marks.add("after colon")
    elif ":" in plain:
        marks.add("colon")
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


def _as_meant(found: Sequence[Phrase]) -> Sequence[Phrase]:
    """Return the phrases of a clause as they are meant beside each other.

    "This project" is ours and not pointed at; no more is what "we use here". "Never again" is for ever, not again.
    """
    present = {sort for *_, of in found for sort in of}
    if present.isdisjoint(_ELSEWISE):
        return found
    of_us = "we" in present and present.isdisjoint(_ARTICLES)
    ours = {start for start, _, of in found if "ours" in of}
    denied = [start for start, _, of in found if not _DENIES.isdisjoint(of)]
    meant: list[Phrase] = []
    for start, end, of in found:
        if end in ours and "this" in of:
            meant.append((start, end, _OURS))
        elif not ("here" in of and of_us) and not ("again" in of and denied and denied[0] < start):
            meant.append((start, end, of))
    return meant


_ELSEWISE = frozenset(("ours", "here", "again"))
_ARTICLES = frozenset(("a", "the"))
_DENIES = frozenset(("never", "dont", "not"))
_OURS = ("the",)


def _bidding(tokens: list[str], found: Sequence[Phrase], low: str) -> str:
    """Return "bidden" where someone is told what always or never to do, "ordered" where only that is said.

    "OK, you must never hardcode a port", "when you lose the connection, always look again" and "next time, if a test
    is red, tell me" are bidden, "never hardcode a port", "use tabs, always" and "I never want to see emojis again"
    are ordered; "it always returns null", "we always pay late", "never seen such a mess" are neither.
    """
    if all(_ALWAYS.isdisjoint(of) for *_, of in found):
        return ""
    sorts: list[set[str]] = [set() for _ in tokens]
    for start, end, of in found:
        for place in range(start, end):
            sorts[place].update(of)
    said = [place for place, token in enumerate(tokens) if token[0].isalpha()]
    first = next((place for place in said if not _ALWAYS.isdisjoint(sorts[place])), None)
    if first is None:
        return ""
    behind = next(
        (place for place in said if place > first and _BETWEEN.isdisjoint(sorts[place])), None
    )
    if behind is None:
        said = said[len(low[: after_opening(low)].split()) :]
        first = behind = next((at for at in said if _LEADING.isdisjoint(sorts[at])), first)
    done = tokens[behind].endswith(ENDINGS) and not tokens[behind].endswith("ss")
    done = done or not _NOT_TO_DO.isdisjoint(sorts[behind])
    if sorts[behind].isdisjoint(_SAID_TO_DO if "did" in sorts[behind] else _TO_DO) and done:
        return ""
    who = set().union(*[sorts[place] for place in said if place < first])
    if "i" in who and "you" not in who and any(tokens[at] == "to" for at in said if at < first):
        return ""  # what one wants to do oneself is asked of nobody: "I want to look at it again in the future"
    if "i" in who and "want" in sorts[behind] and all("this" not in of for of in sorts):
        return "ordered"
    # In "you need to always look again" the little word belongs to the wish.
    is_asked = "you" in who
    lead = [sorts[at] for at in said if at < first and not (is_asked and tokens[at] == "to")]
    ever = set().union(*sorts[first:behind])
    if "fromnow" in ever and not _WHEN.isdisjoint(sorts[behind]):
        parts = [place for place in said if place > behind and tokens[place - 1] == ","]
        asks = any(not sorts[place].isdisjoint(_SAID_TO_DO) for place in parts)
        return "bidden" if asks else ""
    if "you" in who and not _WHEN.isdisjoint(lead[0]):
        return "bidden" if _SUBJECT.isdisjoint(lead[-1]) else ""
    # "we should always show it" tells nothing by itself.
    is_bare = said[-2:] == [behind, behind + 1] and sorts[behind + 1] == {"this"}
    if is_bare or any(_LEADING.isdisjoint(one) for one in lead):
        return ""
    if not who.isdisjoint(_BINDING) or ("fromnow" in ever and not ever.isdisjoint(_EVER)):
        return "bidden"
    return "ordered" if who.isdisjoint(("i", "we", "you")) else ""


_EVER = frozenset(("always", "never"))
_ALWAYS = _EVER | {"fromnow"}
_BETWEEN = _ALWAYS | {"please"}
_LEADING = frozenset(
    "please conj eval thanks actually you we i must should want need letme dont forbid".split()
)
_BINDING = frozenset("must should want need letme forbid please".split())
_SAID_TO_DO = frozenset("order task agentact speak use".split())
_TO_DO = _SAID_TO_DO | frozenset("style does be have need stop can dont".split())
_NOT_TO_DO = frozenset(
    "prep did state degree this a the eval problem report doing i will ask".split()
)
_WHEN = frozenset(("if", "before", "habit", "conj"))
_SUBJECT = frozenset(("this", "other", "i", "we", "you", "be", "did"))

# Sorts of which a sentence can be made that says nothing: "please never without".
_FRAMING = frozenset(
    "always never dont not fromnow please prep this conj degree once thanks the a every".split()
)


def _shape(plain: str, words: Words) -> Iterator[str]:
    """Return what the letters show: a name behind the first word, and what a clause ends in."""
    if words.language != "de" and _NAME.search(plain):
        yield "name"
    last = plain.rstrip(" .!,")[-24:].rsplit(" ", 1)[-1]
    if not _DIGITS.isdisjoint(last):
        yield "..digit"
    elif _IDENTIFIER.search(last) or "-" in last or "@" in last:
        yield "..identifier"
    elif last[:1].isupper():
        yield "..name"


_CALLED = ("!", "！")
_SPOKEN = re.compile(
    r"[^\W\d_]{2}.*\s\W*[^\W\d_]|[^\W\d_].*\s\W*[^\W\d_]{2}|[^\x00-\u024f]{2}"
)  # more than a word
_NAME = re.compile(r"[a-z,] [A-Z][a-z]")
_DIGITS = frozenset("0123456789")
_IDENTIFIER = re.compile(r"\w[._/]\w|[a-z][A-Z]|`")


def looks(marks: set[str], weights: Weights) -> tuple[str, float]:
    """Return the kind that a stretch looks most like, and by how much more than like nothing."""
    sums = weights.sums(marks)
    return KINDS[sums.index(max(sums[1:]), 1) - 1], (_together(sums[1:]) - sums[0]) / 100


class Weights:
    """The weights of features in hundredths: of "nothing", then of each kind.

    A row is read when its feature is first seen: of some ten thousand a message has a few dozen.
    """

    def __init__(self, text: str) -> None:
        cells = text.replace("\n", "\t").split("\t")  # a feature and its figures, in turn
        self._unread: dict[str, str] = dict(zip(cells[::2], cells[1::2], strict=False))
        self._rows: dict[str, tuple[int, ...]] = {}

    def sums(self, marks: set[str]) -> list[int]:
        """Add up the rows of the features that have one."""
        for mark in marks & self._unread.keys():
            self._rows[mark] = tuple([int(figure) for figure in self._unread.pop(mark).split()])
        rows = [self._rows[mark] for mark in marks & self._rows.keys()]
        return [sum(column) for column in zip(*rows, strict=True)] or [0] * (1 + len(KINDS))


@cache
def lasting() -> Weights:
    """Read the weights of words and sorts of words."""
    with open(f"{FOLDER}/lasting.txt", encoding="utf-8") as file:
        return Weights(file.read())
