"""What the words of a candidate say of the prompt, also where none is shared.

Each term of the prompt is covered by the word nearest to it: by itself wholly, by another as far as
the two are alike in the table of near words. "My new dentist" so answers "tooth doctor".
"""

from __future__ import annotations

from math import log

from cogmem.search.figures import NAMES
from cogmem.search.near_words import near

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MEANING, MEANING_TOP, MEANING_BESIDE, PHRASE = map(
    NAMES.index, ("meaning", "meaning_top", "meaning_beside", "phrase")
)
APART = 2  # words that two neighbours may stand apart: one between them


def meaning(
    places: Sequence[int],
    rows: Sequence[list[float]],
    words: Sequence[Sequence[str]],
    wanted: Sequence[tuple[float, Mapping[str, float]]],
) -> None:
    """Fill in what the words of candidates say.

    `words` has the stems of each; `wanted` for each term its worth, and the likeness of every stem
    that covers it.
    """
    whole = sum(idf for idf, _ in wanted) or 1.0
    covers: dict[str, list[tuple[int, float]]] = {}
    for number, (idf, likeness) in enumerate(wanted):
        for stem, like in likeness.items():
            covers.setdefault(stem, []).append((number, idf * like / whole))
    known = frozenset(covers)
    covered: dict[int, float] = {}
    side_by_side: dict[int, float] = {}
    worths = [idf / whole for idf, _ in wanted]
    for place, stems in zip(places, words, strict=True):
        best: dict[int, float] = {}
        here = known.intersection(stems)
        for stem in here:
            for number, value in covers[stem]:
                if best.get(number, 0.0) < value:
                    best[number] = value
        covered[place] = sum(best.values())
        if len(here) > 1:
            side_by_side[place] = _side_by_side(stems, here, covers, worths)
    top = max(covered.values(), default=1.0) or 1.0
    for place, row in zip(places, rows, strict=True):
        row[MEANING] = covered[place]
        row[PHRASE] = side_by_side.get(place, 0.0)
        row[MEANING_TOP] = log(0.05 + covered[place] / top)
        row[MEANING_BESIDE] = max(covered.get(place - 1, 0.0), covered.get(place + 1, 0.0))


def _side_by_side(
    stems: Sequence[str],
    here: frozenset[str],
    covers: Mapping[str, Sequence[tuple[int, float]]],
    worths: Sequence[float],
) -> float:
    """Return what the prompt's neighbouring terms are worth that are neighbours in this text as well."""
    found: dict[int, float] = {}
    last: dict[int, int] = {}  # where each term stood last
    for at, stem in enumerate(stems):
        for number, _ in covers[stem] if stem in here else ():
            last[number] = at
            for other in (number - 1, number + 1):
                if 0 < at - last.get(other, at) <= APART:
                    found[min(number, other)] = (worths[number] + worths[other]) / 2
    return sum(found.values())


def likeness(stems: Sequence[str], english: bool = False) -> dict[str, float]:
    """Return what covers a term: its own stems wholly, words near in meaning by their likeness."""
    found: dict[str, float] = {}
    for stem in stems:
        for other, _, like in near(stem, english):
            if found.get(other, 0.0) < like:
                found[other] = like
    found.update(dict.fromkeys(stems, 1.0))
    return found
