"""Which words are near which in meaning: two tables of stems, each with its nearest neighbours.

One is English; the other has German, French, Spanish and Chinese, whose words and pairs of characters stand
in one order. A table is read where it lies in its file. Stems of a fixed width stand in order and are
found by halves, so a process that asks for ten words pays for ten words. `benchmarks/near_words.py` makes
them.
"""

from __future__ import annotations

import os
from _operator import itemgetter

from cogmem.cached import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")
ENGLISH = os.path.join(DATA, "near_words.bin")
OTHERS = os.path.join(DATA, "near_words_others.bin")
HEAD = 8  # bytes: a mark, the number of stems in three, and the most neighbours that one has
STEM, WORD = 14, 16  # bytes of a stem, and of the commonest word that has it
NOBODY = 0xFFFF
LOW, STEP = 0.30, 0.03  # likeness is kept in sixteen steps, from LOW up
CLOSE = 0.36  # likeness from which a word may stand for another in talk, where much is said
KINDRED = 8  # words that are looked for there instead of one


class NearWords:
    """The table of one file."""

    def __init__(self, path: str) -> None:
        from mmap import ACCESS_READ, mmap

        with open(path, "rb") as file:
            self._bytes: mmap = mmap(file.fileno(), 0, access=ACCESS_READ)
        self.count = int.from_bytes(self._bytes[4 : HEAD - 1], "little")
        self.most = self._bytes[HEAD - 1]  # neighbours of a stem; an even number
        self._words = HEAD + STEM * self.count
        self._rows = self._words + WORD * self.count
        self._likeness = self._rows + 2 * self.most * self.count

    def of(self, stem: str) -> tuple[tuple[str, str, float], ...]:
        """Return the neighbours of a stem, nearest first: stem, commonest word, likeness from 0.3 to 0.75."""
        number = self._number(stem)
        if number < 0:
            return ()
        most = self.most
        start = self._rows + 2 * most * number
        row = self._bytes[start : start + 2 * most]
        start = self._likeness + most // 2 * number
        likeness = self._bytes[start : start + most // 2]
        found = []
        for place in range(most):
            other = row[2 * place] | row[2 * place + 1] << 8
            if other == NOBODY:
                break
            pair = likeness[place // 2]
            steps = pair & 15 if place % 2 else pair >> 4
            stem_of, word_of = self._text(HEAD, STEM, other), self._text(self._words, WORD, other)
            found.append((stem_of, word_of, LOW + STEP * steps))
        return tuple(found)

    def _number(self, stem: str) -> int:
        """Return the stem's place in the order; -1 if the table does not know it."""
        wanted = stem.encode()
        if len(wanted) > STEM:
            return -1
        wanted = wanted.ljust(STEM)
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self._stem(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < self.count and self._stem(low) == wanted else -1

    def _stem(self, number: int) -> bytes:
        start = HEAD + STEM * number
        return self._bytes[start : start + STEM]

    def _text(self, start: int, width: int, number: int) -> str:
        start += width * number
        return self._bytes[start : start + width].rstrip().decode()


_opened: list[NearWords] = []


@lru_cache(maxsize=2_000)  # what was asked comes again
def near(stem: str, english: bool = False) -> tuple[tuple[str, str, float], ...]:
    """Return the neighbours of a stem: stem, commonest word, likeness. The files are opened when first asked.

    A word of several languages has neighbours in each; `english`: those of other languages are not meant.
    """
    if not _opened:
        _opened.extend(map(NearWords, (ENGLISH, OTHERS)))
    return tuple([one for table in _opened[: 1 if english else 2] for one in table.of(stem)])


@lru_cache(maxsize=2_000)
def kin(stems: tuple[str, ...], english: bool = False) -> tuple[tuple[str, str, float], ...]:
    """Return the words nearest to a term, to be looked for in talk where the term itself finds little."""
    return tuple([one for one in stand_ins(stems, english) if one[2] >= CLOSE][:KINDRED])


@lru_cache(maxsize=2_000)
def stand_ins(stems: tuple[str, ...], english: bool = False) -> tuple[tuple[str, str, float], ...]:
    """Return all words near to a term, the nearest first."""
    every = [one for stem in stems for one in near(stem, english)]
    return tuple(sorted(every, key=itemgetter(2), reverse=True))
