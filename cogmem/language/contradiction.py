"""Whether two similar sentences say the same, or only look alike.

Similarity counts shared words, so "use tabs" and "use spaces" look like twins, and "A reports to B"
is word for word "B reports to A". Here a sentence becomes a row of terms: filler dropped, spellings
and everyday synonyms made one, numbers tied to their units, names and file names kept whole, order
kept. Two sentences agree only if their rows are equal, if one merely puts a phrase like "on
Fridays" first, or if one goes on with a reason or a remark. Any other difference keeps them apart.

That errs on one side on purpose: two sentences kept apart cost a line, two facts wrongly merged are
lost. No list of opposites is needed, since *every* word that is exchanged keeps sentences apart.
The words known here are English; in other languages only spelling and punctuation may differ.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from cogmem.text.data import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LISTS = words("english")
_GROUPS = [group.split() for group in _LISTS["one meaning"].split("|")]
_CANONICAL = {word: group[0] for group in _GROUPS for word in group}
_FILLER, _TURNING = _listed(_LISTS["filler"]), _listed(_LISTS["turning"])
_OPENINGS = _LISTS["openings"].splitlines()
# A sentence may start with a phrase that another one ends with.
_PREPOSITIONS = _listed(
    "in on at for before after during with from to by within without under over"
)
# A remark that goes on after these may not bring any of the words that change what came before.
_GOING_ON = _listed("because ( : . ; — –")
_EDGES = (
    ",;:?\"'“”‘’„«»()[]{}`…。、，！？；：「」『』（）《》"  # `.5`, `../a`, `!ok`, `<5` keep theirs
)
_KEEP_S = _listed("https news windows macos goods means series species his has users")
_FIRST_PERSON = _listed("i me my mine myself we our ours us")


class Term(str):
    """One meaningful word, as its canonical form."""

    __slots__ = ("after", "named", "place", "special", "surface")
    after: str  # what parts it from the word before: a mark of _GOING_ON, or nothing
    named: bool  # written as a name
    place: str  # the small preposition before it, or nothing
    special: bool  # a number, a name or an identifier
    surface: str  # the word as it was written, in lower case


def difference(a: str, b: str) -> str | None:
    """Say in a few words what keeps two sentences apart, or None if they agree."""
    left, right = terms(a), terms(b)
    if _equal(left, right) or _turned(a, b) or _turned(b, a):
        return None
    short, long = (left, right) if len(left) < len(right) else (right, left)
    if short and _equal(short, long[: len(short)]) and _remark(long[len(short) :]):
        return None
    if left.count(_NOT) != right.count(_NOT):
        return "one denies what the other says"
    missing = [term for term in left if term not in right][:3]
    added = [term for term in right if term not in left][:3]
    if not (missing or added):
        return "the same words stand in another order"
    if missing and added:
        return f"“{' '.join(missing)}” stands against “{' '.join(added)}”"
    return f"only one of them says “{' '.join(missing or added)}”"


_NOT = "not"
_DENIALS = {head: text.split() for head, text in words("denials").items()}
_DENYING, _ELSEWHERE = frozenset(_DENIALS["denying"]), frozenset(_DENIALS["elsewhere"])
_LETTERS = _DENIALS["letters"]
_REFUSING = _ELSEWHERE.union(_DENIALS["unwilling"])


def polarity(text: str) -> Literal[1, -1]:
    """Tell whether a text forbids or denies (-1): "never use X", "no deploys on Fridays", "avoid X".

    Only its first clause counts: "use X, because Y does not work" asks for X.
    """
    if not _may_deny(text):
        return 1
    denials = 0
    for position, term in enumerate(terms(text)):
        if position and (term.after in _GOING_ON or term.after == "."):
            break
        denials += term in _DENYING and (term != "no" or position == 0)
    return -1 if denials % 2 else 1


def _may_deny(text: str) -> bool:
    """Tell whether a text holds the letters of a denial; without them it need not be taken apart."""
    low = text.casefold()
    return any(map(low.__contains__, _LETTERS)) or ("no" in low and bool(_NO.search(low)))


_NO = re.compile(r"\bno\b")


def denied(text: str) -> list[list[str]]:
    """Give the words that each denial of a text is about: the next few that follow it."""
    if not _may_deny(text) and _ELSEWHERE.isdisjoint(text.casefold().split()):
        return []
    row = terms(text)
    denials = [at for at, term in enumerate(row) if term in _DENYING or term in _ELSEWHERE]
    return [[word for word in row[at + 1 : at + 5] if word not in _DENYING] for at in denials]


def denies(text: str) -> bool:
    """Tell whether any clause of a text says no: "never wants emojis", "without emojis"."""
    if not _REFUSING.isdisjoint(text.casefold().replace(".", " ").replace(",", " ").split()):
        return True
    if any(sign in text for sign in _DENIALS["unspaced"]):
        return True
    for mark in (",", ";", " and ", " but ", "。", "，"):
        text = text.replace(mark, ".")
    return any(polarity(clause) < 0 for clause in text.split(".") if clause.strip())


def contains(long: str, short: str) -> bool:
    """Tell whether one sentence says all that the other says, word by word or in other words."""
    if short.casefold() in long.casefold():
        return True
    return difference(long, short) is None and len(terms(long)) >= len(terms(short))


def canonical(word: str) -> str:
    """Return the word that stands for this lower-case word: its synonym, or its singular."""
    known = _CANONICAL.get(word)
    if known:
        return known
    if len(word) > 4 and word.isascii() and word.isalpha() and word not in _KEEP_S:
        if word.endswith("ies"):
            return word[:-3] + "y"
        if word.endswith(("xes", "shes", "sses")):
            return word[:-2]
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return _CANONICAL.get(word[:-1], word[:-1])
    return word


@lru_cache(maxsize=512)
def terms(text: str) -> tuple[Term, ...]:
    """Return the row of terms that a sentence consists of."""
    words = list(_words(text))
    # "We pay the user" is not "the user pays us".
    apart = any(word.casefold() == "user" for word, _, _ in words)
    found: list[Term] = []
    pending = previous = place = ""
    position = 0
    while position < len(words):
        word, mark, named = words[position]
        position += 1
        pending = mark or pending
        surface = low = word if word.startswith("-") else word.casefold()
        before, previous = previous, low
        following = words[position][0] if position < len(words) else ""
        number = _number(low)
        if low in ("few", "little") and before == "a":
            low = "some"
        elif low == "would" and following == "like":
            low = "want"
            position += 1
        elif number:
            low = _CANONICAL.get(low, low)
            if low[-1].isdigit() and following and _measures(*words[position]):
                low += "_" + canonical(following.casefold())
                position += 1
        elif low in _FIRST_PERSON and apart and word != "US":
            low = "we" if low in ("we", "our", "ours", "us") else "i"
        elif low in _FILLER and word not in ("US", "IT") and not _number(following):
            place = low if low in _PREPOSITIONS or low == "of" else place
            continue
        else:
            low = canonical(low)
        if low == "always" and _NOT not in found:
            continue
        term = Term(low)
        term.surface = surface
        term.named = named
        term.place = place
        term.after = "because" if low == "because" else pending
        term.special = number or named or not low.isalpha()
        found.append(term)
        pending = place = ""
    return tuple(found)


def _number(word: str) -> bool:
    return word[:1].isdigit() or _CANONICAL.get(word.casefold(), "").isdigit()


def _measures(word: str, mark: str, named: bool) -> bool:
    """Tell whether the word after a number is its unit, or what is counted."""
    low = word.casefold()
    counted = low.isalpha() and not named and low not in _NO_UNITS
    return not mark and (counted or low in _UNITS)


_UNITS = _listed("percent eur usd gbp s min h ms kb mb gb tb km kg am pm g m mm cm l ghz mhz kwh")
_NO_UNITS = _FILLER | _PREPOSITIONS | _TURNING | {"and", "because"}


def _words(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each word, the mark that parts it from the word before, and whether it is a name."""
    text = unicodedata.normalize("NFC", text).replace("’", "'")
    low = " ".join(text.casefold().split())
    skip = 0
    for opening in _OPENINGS:
        if low.startswith(opening) and low[len(opening) : len(opening) + 1] in (" ", ":", ","):
            skip = len(opening.split())
            break
    mark = ""
    first = True
    for raw in text.split()[skip:]:
        if raw[0] in "(—–":
            mark = raw[0]
        word = raw.strip("*").lstrip(_EDGES + "—–").rstrip(_EDGES + ".!—–")
        if not word.strip("-"):
            mark = "—" if "-" in raw else mark
            word = raw if len(raw) > 1 and raw[0] in ":;" and raw[-1] in "()[]" else ""
        for part in _parts(word):
            yield part, mark, not first and part[:1].isupper()
            mark = ""
            first = False
        if raw.endswith((":", ".", ";", "—", "–")):
            mark = raw[-1]
    if text.rstrip().endswith(("?", "？")):
        yield "?", "", False  # to ask is not to state


def _parts(word: str) -> Iterator[str]:
    """Split contractions, hyphens between words, and numbers from their units."""
    low = word.casefold()
    if low in ("cannot", "can't"):
        yield from ("can", "not")
    elif low in ("won't", "shan't"):
        yield from ("will", "not")
    elif low.endswith("n't"):
        yield from (word[:-3], "not")
    elif low.endswith(("'s", "'m", "'re", "'ve")) and not low.startswith("'"):
        yield word[: word.rindex("'")]
    elif low.endswith(("'ll", "'d")):
        yield from (word[: word.rindex("'")], "will" if low.endswith("'ll") else "would")
    elif word[:1] in ("$", "€", "£") and word[1:2].isdigit():
        yield from (_plain_number(word[1:]), canonical(word[0]))
    elif word[:1].isdigit():
        size = len(word)
        while not word[size - 1].isdigit():
            size -= 1
        unit = _SIGNS.get(word[size:], word[size:].casefold())
        if unit in _UNITS:
            yield from (_plain_number(word[:size]), unit)
        else:
            yield _plain_number(word)
    elif "-" in word and word.replace("-", "").isalpha() and not word.startswith("-"):
        yield from filter(None, word.split("-"))
    elif "'" in word:
        yield from filter(None, word.split("'"))
    elif word:
        yield word


_SIGNS = {"%": "percent", "€": "eur", "$": "usd", "£": "gbp"}


def _plain_number(word: str) -> str:
    """Drop the commas between thousands; `1,5` keeps its own."""
    groups = word.split(",")
    grouped = len(groups) > 1 and 0 < len(groups[0]) <= 3 and all(len(g) == 3 for g in groups[1:])
    return "".join(groups) if grouped and "".join(groups).isdigit() else word


def _equal(left: tuple[Term, ...], right: tuple[Term, ...]) -> bool:
    return left == right and all(map(_alike, left, right))


def _alike(a: Term, b: Term) -> bool:
    """Compare what equal terms no longer show: their spelling and the small word before them.

    A name equals a plain word only if both are written alike (Apple, apples). A small preposition
    may be missing on one side, but not another one.
    """
    written = a.surface == b.surface or (a.surface in _CANONICAL and b.surface in _CANONICAL)
    placed = a.place == b.place or not (a.place and b.place)
    return placed and (written or a.named == b.named)


def _turned(aside: str, plain: str) -> bool:
    """Tell whether the one sentence starts with the phrase that the other one ends with."""
    opening = aside.split(None, 1)
    if not opening or opening[0].casefold() not in _PREPOSITIONS or len(opening[0]) == len(aside):
        return False
    # Two clauses could trade their phrases: on Monday work, on Tuesday rest.
    if aside.count(",") > 1 or "," in plain or any(" and " in text for text in (aside, plain)):
        return False
    left, right = terms(aside), terms(plain)
    return any(_equal(left[cut:] + left[:cut], right) for cut in range(1, min(5, len(left))))


def _remark(rest: tuple[Term, ...]) -> bool:
    """Tell whether a sentence's end only explains or adds, and takes nothing back."""
    return rest[0].after in _GOING_ON and not any(term.special or term in _TURNING for term in rest)
