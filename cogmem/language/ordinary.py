"""How ordinary a word is in general: in how many of a thousand messages it stands.

A file of ten memories cannot tell that "file" and "good" are said everywhere and "heron" is not, so
the gate mixes what it counts in the file with `data/ordinary.txt`. A word that is nowhere there is rare.
"""

from __future__ import annotations

from cogmem.cached import lru_cache
from cogmem.text.data import words

_lists: list[tuple[float, str]] = []
_table: list[dict[str, float]] = []
TELLING = 40.0  # of a thousand texts; a word that stands in more tells no matter
FEW = 40  # words; a hook asks for fewer, and a table takes as long to build as forty searches
_NUMBERS = {1: 16.0, 2: 16.0, 4: 4.0}  # by their digits: a count or a day, and a year


@lru_cache(maxsize=10_000)  # what was asked for comes again
def per_thousand(stem: str) -> float:
    """In about how many of a thousand texts a stem stands; 0 for a rare one."""
    if stem.isdigit():
        return _NUMBERS.get(len(stem), 2.0)
    if stem and all("ぁ" <= c <= "ゟ" for c in stem):
        return 64.0  # hiragana alone: endings and particles
    if not _lists:
        found = words("ordinary").items()
        _lists[:] = [(float(many), f" {stems} ".replace("\n", " ")) for many, stems in found]
    if per_thousand.cache_info()[3] >= FEW:
        if not _table:
            # As a whole: another thread may look at it meanwhile.
            _table.append({one: many for many, stems in _lists for one in stems.split()})
        return _table[0].get(stem, 0.0)
    wanted = f" {stem} "
    return next((many for many, stems in _lists if wanted in stems), 0.0)
