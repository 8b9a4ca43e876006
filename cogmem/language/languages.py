"""Tells the language of a text, and the sorts of words in it.

The file of each language has below `[sorts]` a line for a sort of word (what forbids, what asks for a habit,
what holds only today …) with its words and phrases. A clause becomes a row of sorts, so that what is
learned of one language holds in the others.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from cogmem.language import table
from cogmem.language.clauses import fold
from cogmem.text.data import lines, small_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_TOLD_APART = ("en", "de", "es", "fr", "pt", "it", "nl")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_UNSPACED = ("zh", "ja")
TELLING = 400  # characters of a text that say which language it is in
CYRILLIC = ("\u0400", "\u04ff")  # Russian is told by its letters
ELIDED = 4  # letters that stand before an apostrophe as a word of their own
COMPOUNDING = ("de", "nl")
SHORTEST = 6  # letters of a word that has inflections that can be told
ENDING = 3  # letters that an inflection may add or change
LONG = 9  # letters of a word that may be a compound
MOST_GUESSED = 500  # words that are not looked up twice
LONGEST = 12  # tokens of a phrase; in a script without spaces its characters
PROPER = frozenset(("person", "place"))
NAMES = PROPER | {"tool"}
_ONE = (1,)
Phrase = tuple[int, int, tuple[str, ...]]  # where a known phrase starts and ends, and its sorts


class Words:
    """The sorted words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.unspaced = language in _UNSPACED
        self.sorts: dict[str, tuple[str, ...]] = {}
        self.starts: dict[str, tuple[int, ...]] = {}  # first token of phrases: how many they have
        self.named: set[str] = set()  # what is a name
        self._guessed: dict[str, tuple[str, ...]] = {}
        spaced = not self.unspaced
        for name in (language, "all"):  # names, tools and places are the same everywhere
            for line in table.part(name, "sorts"):
                sort, _, phrases = line.partition(":")
                for phrase in fold(phrases).lower().split(","):
                    word = phrase.strip()
                    self._add(sort, [word] if word.isalpha() and spaced else self.tokens(word))
        self._words = sorted([one for one in self.sorts if len(one) >= SHORTEST and one.isalpha()])

    def _add(self, sort: str, tokens: list[str]) -> None:
        if tokens:
            whole = self.joined(tokens)
            known = self.sorts.get(whole, ())
            if known and sort in PROPER:
                return  # "usa" is what a project uses where that is a word of the language
            if sort not in known:
                self.sorts[whole] = (*known, sort)
            first, size = tokens[0], len(tokens)
            known_sizes = self.starts.get(first, ())
            if size <= LONGEST and size not in known_sizes:
                self.starts[first] = tuple(sorted((*known_sizes, size), reverse=True))
            if sort in NAMES:
                self.named.add(whole)

    def guessed(self, token: str) -> tuple[str, ...]:
        """Return the sorts of a word that is not listed: by those that begin alike, or that it ends in."""
        known = self._guessed.get(token)
        if known is None:
            if len(self._guessed) >= MOST_GUESSED:
                self._guessed.clear()
            known = self._guessed[token] = self._inflected(token) or self._compound(token)
        return known

    def _inflected(self, token: str) -> tuple[str, ...]:
        """Return what all words have in common that differ from this one in how they end."""
        size = len(token)
        for end in range(size, max(SHORTEST - 1, size - ENDING) - 1, -1):
            start = token[:end]
            common: tuple[str, ...] | None = None
            for place in range(bisect_left(self._words, start), len(self._words)):
                word = self._words[place]
                if not word.startswith(start):
                    break
                if len(word) <= max(end + ENDING, SHORTEST):
                    sorts = self.sorts[word]
                    common = (
                        sorts if common is None else tuple(one for one in common if one in sorts)
                    )
            if common is not None:
                return common
        return ()

    def _compound(self, token: str) -> tuple[str, ...]:
        """Return what a word is whose last part is listed: "Nussallergie" is an allergy."""
        if self.language in COMPOUNDING and len(token) >= LONG:
            for start in range(3, len(token) - 4):
                sorts = self.sorts.get(token[start:])
                if sorts:
                    return sorts
        return ()

    def tokens(self, plain: str) -> list[str]:
        """Return the words of a clause; in a script without spaces its characters."""
        if self.unspaced:
            return [c for c in plain if not c.isspace()]
        return _TOKEN.findall(plain)

    def joined(self, tokens: list[str]) -> str:
        return ("" if self.unspaced else " ").join(tokens)

    def found(self, tokens: list[str]) -> list[Phrase]:
        """Return every known phrase."""
        rows: list[Phrase] = []
        starts, sorts_of, last = self.starts, self.sorts, len(tokens)
        for start, token in enumerate(tokens):
            sizes = starts.get(token)
            if sizes == _ONE:
                rows.append((start, start + 1, sorts_of[token]))
            elif sizes:
                for size in sizes:
                    end = start + size
                    if end <= last and (
                        sorts := sorts_of.get(
                            token if size == 1 else self.joined(tokens[start:end])
                        )
                    ):
                        rows.append((start, end, sorts))
            elif len(token) >= SHORTEST and not self.unspaced:
                sorts = self.guessed(token)
                if sorts:
                    rows.append((start, start + 1, sorts))
        return rows

    def begins(self, tokens: list[str], sort: str) -> bool:
        """Tell whether a phrase of this sort stands at the beginning."""
        sizes = self.starts.get(tokens[0], ()) if tokens else ()
        return any(sort in self.sorts.get(self.joined(tokens[:end]), ()) for end in sizes)


@cache
def words_of(language: str) -> Words:
    """Return the words of a language, read once."""
    return Words(language)


def language_of(plain: str) -> str:
    """Return the language that a folded lower-case text is most likely in; English where nothing tells."""
    plain = plain[:TELLING]
    is_ascii = plain.isascii()
    if not is_ascii:
        if any("\u3040" <= character <= "\u30ff" for character in plain):
            return "ja"
        if any("\u4e00" <= character <= "\u9fff" for character in plain):
            return "zh"
    tokens = {*_LETTERS.findall(plain)}
    if "'" in plain:  # "l'heure", "it's"; but behind a longer word it parts its ending from a name
        tokens |= {
            part for token in tokens if "'" in token[: ELIDED + 1] for part in token.split("'")
        }
    known = tokens & _any(_small)
    votes = {language: len(known & small) for language, small in _small().items()}
    if not is_ascii:
        votes["ru"] += sum([CYRILLIC[0] <= token[0] <= CYRILLIC[1] for token in tokens])
    first, second = sorted(votes.values(), reverse=True)[:2]
    if first - second < 2:  # too few small words to tell: the others have a say as well
        known = tokens & _any(_telling)
        for language in votes:
            telling = _telling().get(language, frozenset())
            votes[language] = 2 * votes[language] + len(known & telling)
    return max(votes, key=votes.__getitem__)


@cache
def _any(words: Callable[[], dict[str, frozenset[str]]]) -> frozenset[str]:
    """Return the words of all languages together: of most texts only a few are among them."""
    return frozenset().union(*words().values())


@cache
def _small() -> dict[str, frozenset[str]]:
    """Return the small words of each language with spaces; of one that has but a table those that it has there."""
    others = {*table.languages()} - {*_TOLD_APART, *_UNSPACED}
    listed = {one: small_words()[one] for one in _TOLD_APART}
    return listed | {one: table.small_words(one) for one in sorted(others)}


@cache
def _telling() -> dict[str, frozenset[str]]:
    """Return words that only one of the languages has, as training writes them down."""
    rows = [line.partition(":") for line in lines("telling")]
    return {language: frozenset(words.split()) for language, _, words in rows}
