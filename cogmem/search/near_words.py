"""Which words are near which in meaning: a table of 13,797 English stems with up to 24 neighbours each.

The table is read where it lies in its file. Stems of a fixed width stand in order and are found by
halves, so a process that asks for ten words pays for ten words. `benchmarks/near_words.py` makes it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from mmap import mmap

PLACE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "near_words.bin")
HEAD = 8  # bytes: a mark, and the number of stems
STEM, WORD = 14, 16  # bytes of a stem, and of the commonest word that has it
MOST = 24  # neighbours of a stem
NOBODY = 0xFFFF
LOW, STEP = 0.30, 0.03  # likeness is kept in sixteen steps, from LOW up
CLOSE = 0.36  # likeness from which a word may stand for another
KINDRED = 8  # words that are looked for instead of one


class NearWords:
    """The table of one file."""

    def __init__(self, path: str = PLACE) -> None:
        from mmap import ACCESS_READ, mmap

        with open(path, "rb") as file:
            self._bytes: mmap = mmap(file.fileno(), 0, access=ACCESS_READ)
        self.count = int.from_bytes(self._bytes[4:HEAD], "little")
        self._words = HEAD + STEM * self.count
        self._rows = self._words + WORD * self.count
        self._likeness = self._rows + 2 * MOST * self.count

    def of(self, stem: str) -> tuple[tuple[str, str, float], ...]:
        """The neighbours of a stem, nearest first: stem, commonest word, likeness from 0.3 to 0.75."""
        number = self._number(stem)
        if number < 0:
            return ()
        start = self._rows + 2 * MOST * number
        row = self._bytes[start : start + 2 * MOST]
        start = self._likeness + MOST // 2 * number
        likeness = self._bytes[start : start + MOST // 2]
        found = []
        for place in range(MOST):
            other = row[2 * place] | row[2 * place + 1] << 8
            if other == NOBODY:
                break
            pair = likeness[place // 2]
            steps = pair & 15 if place % 2 else pair >> 4
            stem_of, word_of = self._text(HEAD, STEM, other), self._text(self._words, WORD, other)
            found.append((stem_of, word_of, LOW + STEP * steps))
        return tuple(found)

    def _number(self, stem: str) -> int:
        """The stem's place in the order; -1 if the table does not know it."""
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


_known: dict[str, tuple[tuple[str, str, float], ...]] = {}  # what was asked for comes again
_MOST_KNOWN = 2_000
_opened: list[NearWords] = []


def near(stem: str) -> tuple[tuple[str, str, float], ...]:
    """The neighbours of a stem: stem, commonest word, likeness. The file is opened when first asked."""
    found = _known.get(stem)
    if found is None:
        if not _opened:
            _opened.append(NearWords())
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[stem] = _opened[0].of(stem)
    return found


def kin(stems: Sequence[str]) -> list[tuple[str, str, float]]:
    """The words nearest to a term, to be looked for where the term itself finds little."""
    near_ones = [one for stem in stems for one in near(stem) if one[2] >= CLOSE]
    near_ones.sort(key=lambda one: -one[2])
    return near_ones[:KINDRED]
