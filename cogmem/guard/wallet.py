"""Recovery phrases of wallets, with or without a word that says so.

They are drawn from one list of 2,048 words, which everybody has, and no sentence has twelve of them in a row: it
needs articles. Where the text speaks of a wallet, most words being in the list is enough, since people mistype.
"""

from __future__ import annotations

import re
from functools import cache

from cogmem.guard.characters import compiled, said
from cogmem.guard.rows import FEWEST_WORDS
from cogmem.text.data import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

_SHARE = 0.9  # of its words that the list holds
_TOLD_SHARE = 0.65  # where the text says what they are
_DRAWN_SHARE = 0.4  # of its words that differ: a phrase may stand twice, to be sure of it
_TOLD = said("wallet told")
_LETTER = (
    "[A-Za-z\u017f\u212a]"  # and the two signs that become such letters when they are made small
)
_WORD = re.compile(f"{_LETTER}+")
# Short words in a row, as many as there are. Between two stand blanks, commas, and the numbers that wallets print
# beside them. What it took it keeps: it passes over a text once. (re2 counts anew where each match stands.)
_ROW = re.compile(
    rf"""(?<!{_LETTER}){_LETTER}{{3,8}}(?!{_LETTER})
    (?>(?=[^A-Za-z]{{1,8}}{_LETTER})[\t\n\f\r\ ,;|>*"'`-]*(?:[0-9]{{1,2}}[\t\n\f\r\ ]?[.):]?[\t\n\f\r\ "'`]*)?
    {_LETTER}{{3,8}}(?!{_LETTER}))*+""",
    re.VERBOSE,
)
_PARTS = "\t\n\f\r ,;|>*\"'`-0123456789.):"
# What parts two words is a blank, and what ends a row is nothing: a row stands in one stretch of letters and blanks.
_FLAT = bytes(
    code if 97 <= code <= 122 else code + 32 if 65 <= code <= 90 else 32 * (chr(code) in _PARTS)
    for code in range(256)
)
_SHORTEST = 4 * FEWEST_WORDS - 1  # characters of a row


@cache
def words() -> frozenset[bytes]:
    """Return the list that phrases are drawn from."""
    return frozenset(" ".join(lines("wallet_words")).encode().split())


def phrases(text: str) -> Iterator[Span]:
    """Passages that are a recovery phrase."""
    is_known = words().__contains__
    # One byte for each character, so that its places are those of the text.
    plain = text.replace("\u017f", "s").replace("\u212a", "k").encode("ascii", "replace")
    end = -1
    for stretch in plain.translate(_FLAT).split(b"\0"):
        start, end = end + 1, end + 1 + len(stretch)
        if len(stretch) < _SHORTEST:
            continue
        if sum(map(is_known, stretch.split())) < FEWEST_WORDS * _TOLD_SHARE:
            continue  # a huge text is not read word by word for nothing
        for match in _ROW.finditer(text, start, end):
            if match.end() - match.start() >= _SHORTEST:
                row = [word.span() for word in _WORD.finditer(text, *match.span())]
                if len(row) >= FEWEST_WORDS:
                    yield from _of_wallets(text, row)


def _of_wallets(text: str, row: list[tuple[int, int]]) -> Iterator[Span]:
    # Lists of other things are written with commas, so such a row must be of the list.
    is_told = "," not in text[row[0][0] : row[-1][1]] and bool(compiled(_TOLD).search(text))
    said = [text[start:end].lower().encode() for start, end in row]
    known = [word in words() for word in said]
    gap = 2 if is_told else 1  # words in a row that the list does not hold
    first = 0
    while first < len(row):
        last = first  # of a stretch that begins and ends with a word of the list
        while known[first] and any(known[last + 1 : last + 2 + gap]):
            last += 1 + known[last + 1 : last + 2 + gap].index(True)
        begin, follow = first, last + 1
        if is_told:  # its first or last words may be the mistyped ones
            begin = 0 if first <= gap else first
            last = len(row) - 1 if last >= len(row) - 1 - gap else last
        first, size = begin, last + 1 - begin
        # What is drawn by lot hardly repeats itself; "sentence number 1 sentence number 2" does.
        drawn = len({*said[first : last + 1]})
        if (
            size >= FEWEST_WORDS
            and drawn >= max(FEWEST_WORDS - 2, size * _DRAWN_SHARE)
            and sum(known[first : last + 1]) >= size * (_TOLD_SHARE if is_told else _SHARE)
        ):
            yield "recovery phrase", row[first][0], row[last][1]
        first = max(follow, last + 1)
