"""Words of the index for a word that the index lacks: misspelt, or another form of one that it has.

Only a word that stands nowhere is looked at, and only words that do stand in this file are offered,
so nothing is found that nobody wrote. A name stays as it is: another name is another person. A word
that the English table of near words knows is a word, and no misspelling of a neighbour of its.

The index holds stems, and a stem that is stemmed again may differ. So what is offered is a word that
has the wanted stem.
"""

from __future__ import annotations

from cogmem.records import json_list
from cogmem.search.near_words import near

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database
    from cogmem.text.cue import Cue

SHORTEST = 5  # letters; a shorter word is one slip away from too many
TWO_SLIPS = 9  # letters from which two slips are forgiven
BEGINNING, REST = 4, 3  # letters that two forms of a word share at least, and differ in at most
OFFERED = 4
MANY = 12  # terms of a prompt; in a longer one a slip of the pen is not worth its look
READ = 20_000  # words of the index that begin alike
ENDINGS = ("ing", "ed", "es", "s")
SPELLED = ("", "e", "s", "ing", "ed", "ation", "ment", "al")
ENDINGS_OF_STEMS = ("ing", "ed", "ation", "ment", "er", "e")
ARABIC_ARTICLE = "ال"
FAR = 9  # no slip
VOWELS = "aeiouy"  # what stands, or is missing, in the place of a second letter


def may_be_slips(cue: Cue) -> frozenset[str]:
    """The words of a cue that may be offered others: no names, unless nothing was written large.

    A long prompt has other words to be found by, and each look costs a fifth of a turn: of such a one only
    words of other scripts, whose languages mostly bend theirs.
    """
    words = {term.forms[0] for term in cue.terms if term.forms[0].isalpha()}
    named = set(cue.names)
    words = words if words <= named else words - named
    if len(cue.terms) > MANY:
        words = {word for word in words if not word.isascii()}
    return frozenset(words)


def instead(db: Database, vocabulary: str, word: str) -> tuple[str, ...]:
    """Words of the index for one that it lacks; `vocabulary` names the query that lists its terms."""
    if len(word) < (SHORTEST if word.isascii() else BEGINNING) or not word.isalpha():
        return ()
    stem = (db.stems(word) or [word])[0]
    if near(stem, english=True) and len(word) - len(stem) < 3:
        return ()
    pieces = {stem, *_without_ending(word)}
    slips = 2 if len(word) >= TWO_SLIPS else 1
    asked = {
        "beginnings": json_list(sorted({one for piece in pieces for one in _beginnings(piece)})),
        "limit": READ,
        "shortest": max(BEGINNING, min(map(len, pieces)) - REST),
        "longest": max(map(len, pieces)) + REST,
    }
    terms = {term for (term,) in db.read(vocabulary, asked)}
    found: list[tuple[int, str]] = []
    for piece in pieces:
        letters = frozenset(piece)
        begins = piece[: BEGINNING + piece.isascii()]
        sizes = range(len(piece) - slips, len(piece) + slips + 1)
        for term in terms:
            distance = FAR
            if term.startswith(begins) or (
                len(term) in sizes and len(letters.symmetric_difference(term)) <= 2 * slips
            ):
                distance = _apart(piece, term, slips)
            elif piece == word and word.startswith(term[:3]):
                distance = _ended(word, term, slips)
            if distance < FAR:
                found.append((distance, term))
    found.sort()
    nearest = found[0][0] if found else 0
    best = dict.fromkeys(term for distance, term in found if distance == nearest)
    return tuple(one for term in [*best][:OFFERED] if (one := spelled(db, term)))


def _beginnings(piece: str) -> list[str]:
    """How a word may begin that this one is a slip of. Its first letter is right, as nearly always; to
    read all that begins with it would take longer than the turn, and each beginning costs a look."""
    first, second, third = piece[:1], piece[1:2], piece[2:3]
    wide = first + second
    found = [first + third + second, first + piece[2:4]]
    if piece.isascii():
        # A vowel stands in for another one, or was left out.
        rest = piece[2:4] if second in VOWELS else piece[1:3]
        found += [first + vowel + rest for vowel in VOWELS]
    return [wide, *(one for one in found if not one.startswith(wide))]


def _apart(piece: str, term: str, slips: int) -> int:
    """Slips between two words; other forms of one word count like more than is allowed."""
    if abs(len(piece) - len(term)) <= slips and max(len(piece), len(term)) >= SHORTEST:
        distance = _slips(piece, term, slips)
        if distance <= slips:
            return distance
    shared = 0
    for a, b in zip(piece, term, strict=False):
        if a != b:
            break
        shared += 1
    rest = max(len(piece), len(term)) - shared
    least = BEGINNING + piece.isascii()
    return slips + rest if shared >= least and rest <= REST else FAR


def _ended(word: str, term: str, slips: int) -> int:
    """Slips between a word and what a stem may end with: `stagign` is staging, whose stem is stage."""
    if not term.isascii() or len(word) <= len(term):
        return FAR
    least, bare = FAR, term.removesuffix("e")
    for ending in ENDINGS_OF_STEMS:
        if abs(len(bare) + len(ending) - len(word)) <= slips:
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
    found += [word[: -len(one)] for one in ENDINGS if word.endswith(one)][:1]
    return [piece for piece in found if len(piece) >= SHORTEST - 1]


def spelled(db: Database, stem: str) -> str:
    """A word that has this stem, '' if none is known."""
    words = [stem + ending for ending in SPELLED]
    if stem.endswith("i"):
        words.insert(0, stem[:-1] + "y")
    for word in words:
        if db.stems(word) == [stem]:
            return word
    return ""
