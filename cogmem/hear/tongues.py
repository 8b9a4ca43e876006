"""Tells the language of a clause, and the sorts of words in it.

Each language has a file in `words/`: a line for a sort of word (what forbids, what asks for a habit,
what holds only today …) with its words and phrases. A clause becomes a row of sorts, so that what is
learned of one language holds in the others. A file is read when its language is first heard.
"""

from __future__ import annotations

import os
import re
from functools import cache

from cogmem.text.clauses import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMON = {
    "en": "the is are i my we you it to of and in on at for with that this not don't do be have our"
    " your me from now",
    "de": "der die das ist sind ich mein meine wir du nicht und ein eine auf mit fur von den dem zu es"
    " mir uns im bitte immer hier nie kein keine war hat heisst wird zum werden",
    "es": "el la los las es son yo mi nosotros no y un una en con para por de que se lo me al del hay"
    " siempre nunca hemos esta mis",
    "fr": "le la les est sont je j mon ma nous on pas et un une en avec pour par de du des que ne il ce c"
    " a au dans toujours jamais s'il l d n ca cette",
    "pt": "o a os as e sao eu meu minha nos nao um uma em com para por de do da que se no na ao as isso"
    " voce sempre nunca pra esse dos das",
    "it": "il lo la gli le e sono io mio mia noi non un una in con per di del della che si al alla sempre"
    " mai nel questo mi ho dal ai",
    "nl": "de het een is zijn ik mijn we wij niet en op met voor van te dat dit in je er aan geen nooit"
    " altijd als naar om ons heb",
}  # fmt: skip
_STOP = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[^\w\s]")
_UNSPACED = ("zh", "ja")
_FOLDER = os.path.join(os.path.dirname(__file__), "words")
TELLING = 400  # characters of a text that say which language it is in
LONGEST = 12  # characters of a phrase in a script without spaces


class Words:
    """The sorted words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.unspaced = language in _UNSPACED
        self.sorts: dict[str, tuple[str, ...]] = {}
        self.starts: dict[str, int] = {}  # first token of a phrase: tokens of the longest with it
        for name in (language, "all"):  # names, tools and places are the same everywhere
            with open(os.path.join(_FOLDER, f"{name}.txt"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            for line in lines:
                sort, _, phrases = line.partition(":")
                for phrase in fold(phrases).lower().split(","):
                    self._add(sort, self.tokens(phrase))

    def _add(self, sort: str, tokens: list[str]) -> None:
        if tokens:
            whole = self.joined(tokens)
            known = self.sorts.get(whole, ())
            if sort not in known:
                self.sorts[whole] = (*known, sort)
            first = tokens[0]
            self.starts[first] = max(self.starts.get(first, 0), len(tokens))

    def tokens(self, plain: str) -> list[str]:
        """The words of a clause; in a script without spaces its characters."""
        if self.unspaced:
            return [c for c in plain if not c.isspace()]
        return _TOKEN.findall(plain)

    def joined(self, tokens: list[str]) -> str:
        return ("" if self.unspaced else " ").join(tokens)

    def found(self, tokens: list[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Every known phrase: where it starts and ends, and its sorts."""
        last = len(tokens)
        for start, token in enumerate(tokens):
            most = self.starts.get(token)
            if most == 1:
                yield start, start + 1, self.sorts[token]
            elif most:
                for end in range(min(last, start + min(most, LONGEST)), start, -1):
                    sorts = self.sorts.get(self.joined(tokens[start:end]))
                    if sorts:
                        yield start, end, sorts

    def begins(self, tokens: list[str], sort: str) -> bool:
        """Whether a phrase of this sort stands at the beginning."""
        most = self.starts.get(tokens[0], 0) if tokens else 0
        return any(
            sort in self.sorts.get(self.joined(tokens[:end]), ()) for end in range(1, most + 1)
        )


@cache
def words_of(language: str) -> Words:
    """The words of a language, read once."""
    return Words(language)


def language_of(plain: str) -> str:
    """The language that a folded lower-case text is most likely in; English where nothing tells."""
    plain = plain[:TELLING]
    chinese = False
    for character in plain:
        if "\u3040" <= character <= "\u30ff":
            return "ja"
        chinese = chinese or "\u4e00" <= character <= "\u9fff"
    if chinese:
        return "zh"
    tokens = {*_TOKEN.findall(plain)}
    tokens |= {part for token in tokens for part in token.split("'")}
    votes = {language: len(tokens & stop) for language, stop in _STOP.items()}
    first, second = sorted(votes.values(), reverse=True)[:2]
    if first - second < 2:  # too few small words to tell: the others have a say as well
        for language, words in _telling().items():
            votes[language] = 2 * votes[language] + len(tokens & words)
    return max(votes, key=votes.__getitem__)


@cache
def _telling() -> dict[str, frozenset[str]]:
    """Words that only one of the languages has, as training writes them down."""
    with open(os.path.join(_FOLDER, "telling", "words.txt"), encoding="ascii") as file:
        rows = [line.partition(":") for line in file]
    return {language: frozenset(words.split()) for language, _, words in rows}
