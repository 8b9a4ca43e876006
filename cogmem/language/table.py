"""The table of words: what a word does in a statement, a file for each language in `cogmem/data/words`.

A line is a word or a phrase without accents, a tab, and its classes. Below `[sorts]` stand the sorts of words that
hearing knows (`languages`), below `[days]`, with their accents, the words by which a prompt names days (`days`), and
below `[taken back]` those by which a person takes back what they said (`cogmem/hear/taken_back.py`). A new language
is a new file, and is told by its small words. A file is read when its language is first met, and kept.
"""

from __future__ import annotations

from os import listdir
from os.path import dirname

from cogmem.cached import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = f"{dirname(dirname(__file__))}/data/words"
ENGLISH = "en"
# Words that tell a language: the others are shared by too many.
TELLING = frozenset(
    "the a i he be was must may not now nomore to from with for in by filler".split()
)
NO_CLASS: frozenset[str] = frozenset()


class Table:
    """The words of one language."""

    __slots__ = ("_sizes", "language", "phrases", "words")

    def __init__(self, language: str) -> None:
        said = part(language, "")
        rows = [line.split("\t") for line in said if line[0] != "#"]
        self.language = language
        self.words = {row[0]: frozenset(row[1].split()) for row in rows}
        self.phrases: dict[str, list[tuple[str, ...]]] = {}
        for word in self.words:
            if " " in word:
                parts = tuple(word.split())
                self.phrases.setdefault(parts[0], []).append(parts)
        for several in self.phrases.values():
            several.sort(key=len, reverse=True)
        self._sizes: dict[str, list[int]] = {}

    @property
    def sizes(self) -> dict[str, list[int]]:
        """How long the words are that begin with a sign, the longest first; no longer than this language has."""
        if not self._sizes:
            longest = max(map(len, self.words))
            found: dict[str, set[int]] = {}
            for word in (*self.words, *shared()):
                if len(word) <= longest:
                    found.setdefault(word[0], set()).add(len(word))
            self._sizes = {sign: sorted(of, reverse=True) for sign, of in found.items()}
        return self._sizes

    def has(self, run: str) -> bool:
        """Tell whether some signs are a word; one sign alone is none of the opposites."""
        return run in self.words or (len(run) > 1 and run in shared())

    def phrase(self, words: Sequence[str], at: int) -> int:
        """Tell how many words from here on are one phrase; 1 where none is."""
        begun = self.phrases.get(words[at])
        if begun is None:
            return 1  # as of most
        for parts in begun:
            if tuple(words[at : at + len(parts)]) == parts:
                return len(parts)
        return 1


def part(language: str, name: str) -> list[str]:
    """Return the lines of a part of a language's file; '' is the first."""
    with open(f"{FOLDER}/{language}.txt", encoding="utf-8") as file:
        text = f"[]\n{file.read()}"
    found = text.partition(f"[{name}]\n")[2].partition("\n[")[0]
    return [line for line in found.split("\n") if line]


@cache
def table(language: str) -> Table:
    """Return the words of a language, read once."""
    return Table(language)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a file, English first."""
    names = {name.removesuffix(".txt") for name in listdir(FOLDER) if name.endswith(".txt")}
    return (ENGLISH, *sorted(names - {ENGLISH, "all"}))


@cache
def words_of_days(*of: str) -> dict[str, list[str]]:
    """Return the words by which languages, or else all of them, name days: a class and its words."""
    found: dict[str, list[str]] = {}
    for language in of or languages():
        for line in part(language, "days"):
            word, _, classes = line.partition("\t")
            for name in classes.split():
                found.setdefault(name, []).append(word)
    return found


@cache
def shared() -> dict[str, frozenset[str]]:
    """Return the words that stand in the file of all languages: opposites."""
    return table("all").words


@cache
def small_words(language: str) -> frozenset[str]:
    """Return the words of a language that tell it."""
    return frozenset(word for word, classes in table(language).words.items() if classes & TELLING)


def has_class(text: str, name: str) -> bool:
    """Tell whether a text has a word of a class, in any language that it may be written in."""
    low = text.lower()
    if not low.isascii() and any(
        word in low for word in _of_class("zh", name) | _of_class("ja", name)
    ):
        return True
    said = [word.strip(".,;:!?()[]\"'“”‘’") for word in low.split()]
    phrases = [said[at : at + size] for size in (2, 3) for at in range(len(said) + 1 - size)]
    words = {*said, *map(" ".join, phrases)}
    return not words.isdisjoint(_of_any_language(name))


def may_have_class(words: set[str], classes: frozenset[str]) -> bool:
    """Tell at a glance whether words without accents may have any of these classes, in any language."""
    begin = _beginning(classes)
    return any(rest <= words for word in words & begin.keys() for rest in begin[word])


@cache
def _beginning(classes: frozenset[str]) -> dict[str, list[set[str]]]:
    """Return the words with which anything of these classes begins, and the others of each."""
    found: dict[str, list[set[str]]] = {}
    for language in languages():
        for said, its in table(language).words.items():
            if not its.isdisjoint(classes):
                first, *rest = said.split()
                found.setdefault(first, []).append({*rest})
    return found


@cache
def _of_class(language: str, name: str) -> frozenset[str]:
    return frozenset(word for word, classes in table(language).words.items() if name in classes)


@cache
def _of_any_language(name: str) -> frozenset[str]:
    return frozenset().union(*[_of_class(language, name) for language in languages()])
