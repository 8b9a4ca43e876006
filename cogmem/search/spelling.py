"""Words of the index for a word that the index lacks: misspelt, or another form of one that it has.

Only a word that stands nowhere is looked at, and only words that do stand in this file are offered,
so nothing is found that nobody wrote. A name stays as it is: another name is another person. A word
that the English table of near words knows is a word, and no misspelling of a neighbour of its.

The index holds stems, and a stem that is stemmed again may differ. So what is offered is a word that
has the wanted stem.
"""

from __future__ import annotations

from cogmem.language.ordinary import per_thousand
from cogmem.language.words import ENGLISH
from cogmem.records import json_list
from cogmem.search.near_words import near

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database
    from cogmem.language.cue import Cue

SHORTEST = 5  # letters; a shorter word is one slip away from too many
TWO_SLIPS = 9  # letters from which two slips are forgiven
BEGINNING, REST = 4, 3  # letters that two forms of a word share at least, and differ in at most
LONG, LONG_REST = 6, 5  # and where more are shared, as in Turkish: sunucular, sunucumuzun
OFFERED = 4
SLIPS = 3  # words of a prompt for which others are looked for
LONGISH, PART = 8, 4  # letters of a word that may be several, and of each of them
MANY = 12  # terms of a prompt; in a longer one a slip of the pen is not worth its look
READ = 20_000  # words of the index that begin alike
ENDINGS = ("ing", "ed", "es", "s")
SPELLED = ("", "e", "s", "ing", "ed", "ation", "ment", "al")
ENDINGS_OF_STEMS = ("ing", "ed", "ation", "ment", "er", "e")
LONGEST_ENDING = max(map(len, ENDINGS_OF_STEMS))
ARABIC_ARTICLE = "ال"
HEBREW_ARTICLES = "הבל"
FAR = 9  # no slip
SMALL_WORDS = 60.0  # of a thousand texts: the function words of twelve languages
VOWELS = "aeiouy"  # what stands, or is missing, in the place of a second letter


class Slips:
    """The words of one prompt that may stand nowhere, and what stands for them."""

    def __init__(self, db: Database, vocabulary: tuple[str, str], cue: Cue) -> None:
        self.db = db
        self.known, self.like = vocabulary  # queries for terms by themselves, and by how they begin
        self.cue = cue
        self.may_be = may_be_slips(cue)  # none any more, once so many were looked for
        self.left = SLIPS

    def stand_in(self, forms: list[str], at: int) -> tuple[tuple[str, ...], bool]:
        """Return words of the index for one of these that it lacks, and whether they only look like it."""
        self.left -= 1
        if not self.left:
            self.may_be = frozenset()
        word = forms[at]
        before, after = "".join(forms[at - 1 : at]), "".join(forms[at + 1 : at + 2])
        words = together(self.db, self.known, word, before, after)
        if words:
            return words, False
        words = instead(self.db, self.like, word, english=self.cue.is_english)
        return words, bool(words) and not is_bent(word, words, self.cue)


def may_be_slips(cue: Cue) -> frozenset[str]:
    """Return the words of a cue that may be offered others: no names, unless nothing was written large.

    A long prompt has other words to be found by, and each look costs a fifth of a turn: of such a one only
    words of other scripts, whose languages mostly bend theirs.
    """
    words = {term.forms[0] for term in cue.terms if term.forms[0].isalpha()}
    named = set(cue.names)
    words = words if words <= named else words - named
    if len(cue.terms) > MANY:
        words = {word for word in words if not word.isascii()}
    return frozenset(words)


def instead(db: Database, vocabulary: str, word: str, *, english: bool = False) -> tuple[str, ...]:
    """Return words of the index for one that it lacks; `vocabulary` lists its terms by how they begin.

    `english`: the prompt is, beyond doubt; what English adds to a word is short.
    """
    shortest = SHORTEST if word.isascii() else BEGINNING - ("\u05d0" <= word[:1] <= "\u05ea")
    if len(word) < shortest or not word.isalpha():
        return ()
    stem = (db.stems(word) or [word])[0]
    if near(stem, english=True) and len(word) - len(stem) < 3:
        return ()
    pieces = {stem, *_without_ending(word)}
    slips = 2 if len(word) >= TWO_SLIPS else 1
    rest = REST if english else LONG_REST
    asked = {
        "beginnings": json_list(sorted({one for piece in pieces for one in _beginnings(piece)})),
        "limit": READ,
        "shortest": max(BEGINNING, min(map(len, pieces)) - rest),
        "longest": max(map(len, pieces)) + rest,
    }
    terms = {term for (term,) in db.read(vocabulary, asked)}
    found: list[tuple[int, str]] = []
    least = BEGINNING + word.isascii()
    if not word.isascii():
        # The index keeps the accents of other scripts; where one stands changes with a word's ending.
        bare = {term: _unaccented(term) for term in terms}
        pieces = {*map(_unaccented, pieces)}
        word = _unaccented(word)
    else:
        bare = dict(zip(terms, terms, strict=True))
    for piece in pieces:
        differ = frozenset(piece).symmetric_difference
        begins = piece[:least]
        sizes = range(len(piece) - slips, len(piece) + slips + 1)
        for known, term in bare.items():
            if term.startswith(begins) or (len(term) in sizes and len(differ(term)) <= 2 * slips):
                distance = _apart(piece, term, slips, least, english)
            elif piece == word and len(term) < len(word) and word.startswith(term[:3]):
                distance = _ended(word, term, slips)
            else:
                continue
            if distance < FAR:
                found.append((distance, known))
    found.sort()
    nearest = found[0][0] if found else 0
    best = dict.fromkeys(term for distance, term in found if distance == nearest)
    return tuple(one for term in [*best][:OFFERED] if (one := spelled(db, term)))


def together(
    db: Database, vocabulary: str, word: str, before: str = "", after: str = ""
) -> tuple[str, ...]:
    """Return a word that the index lacks as part of one that it has, or as several: micro services, parseconfigfile.

    `before` and `after` stand beside it in the prompt, `vocabulary` names the query that knows a term. What comes in
    several is a phrase.
    """
    if not (word.isascii() and word.isalpha()):
        return ()
    beside = [
        one for one in (before + word if before else "", word + after if after else "") if one
    ]
    joined = [one for one in beside if one.isascii() and one.isalpha() and len(one) >= LONGISH]
    stems = db.stems(" ".join(joined))
    if joined and len(stems) == len(joined):
        known = _known(db, vocabulary, stems, SHORTEST)
        found = tuple(one for one, stem in zip(joined, stems, strict=True) if stem in known)
        if found:
            return found
    if len(word) < LONGISH or near((db.stems(word) or [word])[0], english=True):
        return ()
    parts = _parts(db, vocabulary, word)
    return (" ".join(parts),) if len(parts) > 1 else ()


def _parts(db: Database, vocabulary: str, word: str) -> list[str]:
    """Return the fewest words of the index that a word is made of; nothing if it is not."""
    size = len(word)
    best: dict[int, list[str]] = {0: []}  # by where the last one ends
    for at in range(size - PART + 1):
        if at in best:
            ends = [*range(at + PART, size - PART + 1), size]
            stems = db.stems(" ".join([word[at:end] for end in ends]))
            known = _known(db, vocabulary, stems, PART - 1)
            for end, stem in zip(ends, stems, strict=True):
                if stem in known and len(best[at]) + 1 < len(best.get(end, [""] * PART)):
                    best[end] = [*best[at], word[at:end]]
    return best.get(size, [])


def _known(db: Database, vocabulary: str, stems: list[str], shortest: int) -> set[str]:
    """Return which of these stems, of so many letters or more, the index has."""
    asked = {"terms": json_list([stem for stem in stems if len(stem) >= shortest])}
    return {term for (term,) in db.read(vocabulary, asked)}


def _unaccented(word: str) -> str:
    from unicodedata import combining, normalize

    return "".join(sign for sign in normalize("NFD", word) if not combining(sign))


def is_bent(word: str, others: tuple[str, ...], cue: Cue) -> bool:
    """Tell whether the words offered are other forms of a word, which say the same, and no guess at a slip.

    English bends little, and its stemming knows how; in other languages деплой is деплоим.
    """
    if not others or cue.is_english or (word.isascii() and not _is_foreign(cue)):
        return False
    return all(_is_form(word, other) for other in others)


def _is_form(word: str, other: str) -> bool:
    bare, rest = (one.removeprefix(ARABIC_ARTICLE) for one in (word, other))
    shared = _shared(bare, rest)
    differ = max(len(bare), len(rest)) - shared
    return shared >= BEGINNING and (differ <= REST or (shared >= LONG and differ <= LONG_REST))


def _is_foreign(cue: Cue) -> bool:
    """Tell whether a prompt is of another language than English, by its letters or its small words."""
    return any(
        not form.isascii() or (per_thousand(form) >= SMALL_WORDS and form not in ENGLISH)
        for term in cue.terms
        for form in term.forms[:1]
    )


def _beginnings(piece: str) -> list[str]:
    """Tell how a word may begin that this one is a slip of. Its first letter is right, as nearly always; to
    read all that begins with it would take longer than the turn, and each beginning costs a look."""
    first, second, third = piece[:1], piece[1:2], piece[2:3]
    wide = first + second
    found = [first + third + second, first + piece[2:4]]
    if piece.isascii():
        # A vowel stands in for another one, or was left out.
        rest = piece[2:4] if second in VOWELS else piece[1:3]
        found += [first + vowel + rest for vowel in VOWELS]
    return [wide, *(one for one in found if not one.startswith(wide))]


def _apart(piece: str, term: str, slips: int, least: int, english: bool) -> int:
    """Slips between two words; other forms of one word count like more than is allowed."""
    if abs(len(piece) - len(term)) <= slips and max(len(piece), len(term)) >= SHORTEST:
        distance = _slips(piece, term, slips)
        if distance <= slips:
            return distance
    shared = _shared(piece, term)
    rest = max(len(piece), len(term)) - shared
    if shared == min(len(piece), len(term)) >= least and rest <= REST:
        return 1  # one goes on where the other ends: szerver, szerverek
    most = REST if english else LONG_REST if shared >= LONG else REST + 1
    return slips + rest if shared >= least and rest <= most else FAR


def _shared(a: str, b: str) -> int:
    """With how many letters both begin."""
    shared = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def _ended(word: str, term: str, slips: int) -> int:
    """Slips between a word and what a stem may end with: `stagign` is staging, whose stem is stage."""
    if not term.isascii() or len(word) <= len(term):
        return FAR
    bare = term.removesuffix("e")
    gap = len(word) - len(bare)
    # No ending takes away what the two begin with, or letters that the word does not have.
    if gap > LONGEST_ENDING + slips or len(set(bare).difference(word)) > 2 * slips:
        return FAR
    least, letters = FAR, frozenset(word)
    for ending in ENDINGS_OF_STEMS:
        if (
            abs(len(ending) - gap) <= slips
            and len(letters.symmetric_difference(bare + ending)) <= 2 * slips
        ):
            distance = _slips(word, bare + ending, slips)
            least = min(least, distance if distance <= slips else FAR)
    return least


def _slips(a: str, b: str, most: int) -> int:
    """Letters to add, drop, change or swap with the next one; more than `most` is not counted."""
    if a == b:
        return 0
    if not most or abs(len(a) - len(b)) > most:
        return most + 1
    # What both begin and end with takes no part, and little is left of words that are alike.
    start, end_a, end_b = 0, len(a), len(b)
    shorter = min(end_a, end_b)
    while start < shorter and a[start] == b[start]:
        start += 1
    while end_a > start and end_b > start and a[end_a - 1] == b[end_b - 1]:
        end_a -= 1
        end_b -= 1
    a, b = a[start:end_a], b[start:end_b]
    if not a or not b:
        return len(a) + len(b)
    if len(a) == len(b) == 1 or (len(a) == 2 and a == b[::-1]):
        return 1
    if most == 1:
        return 2
    left = most - 1
    found = [_slips(a[1:], b[1:], left), _slips(a[1:], b, left), _slips(a, b[1:], left)]
    if a[:2] == b[1::-1]:
        found.append(_slips(a[2:], b[2:], left))
    return min(found) + 1


def _without_ending(word: str) -> list[str]:
    found = [word]
    if word.startswith(ARABIC_ARTICLE):
        found.append(word[len(ARABIC_ARTICLE) :])
    elif "\u0620" <= word[0] <= "\u064a":
        found.append(ARABIC_ARTICLE + word)
    elif (
        "\u05d0" <= word[0] <= "\u05ea"
    ):  # Hebrew, where "the", "in" and "to" are a letter before the word
        found += [word[1:]] if word[0] in HEBREW_ARTICLES and len(word) > BEGINNING else []
        found += [article + one for one in found[:2] for article in HEBREW_ARTICLES]
    found += [word[: -len(one)] for one in ENDINGS if word.endswith(one)][:1]
    return [piece for piece in found if len(piece) >= SHORTEST - 1]


def spelled(db: Database, stem: str) -> str:
    """Return a word that has this stem, '' if none is known."""
    words = [stem + ending for ending in SPELLED]
    if stem.endswith("i"):
        words.insert(0, stem[:-1] + "y")
    for word in words:
        if db.stems(word) == [stem]:
            return word
    return ""
