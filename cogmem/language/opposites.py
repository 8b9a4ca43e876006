"""Words of which a thing can be one only: on or off, open or closed, red or green, Monday or Tuesday.

They are a table, `cogmem/data/opposites.txt`: a scale a line, with its sides. A word may stand on
several scales, and on one side stand the words of nine languages.
"""

from __future__ import annotations

from functools import cache
from os.path import dirname

TABLE = f"{dirname(dirname(__file__))}/data/opposites.txt"
STATE, LAST, LIKING, QUALITY, CALENDAR = "state", "last", "liking", "quality", "calendar"
CJK = "cjk"

# rojo, roja, rojas: what a word may end with beside its form in the table.
_ENDINGS = ("es", "en", "er", "em", "as", "os", "s", "e", "a", "o", "i", "n")
# Of two words the one may only take the other back: valid, invalid.
_TAKES_BACK = ("un", "in", "im", "ir", "dis", "non", "non-", "de", "des", "il", "onge", "on")


def _text() -> str:
    with open(TABLE, encoding="utf-8") as file:
        return file.read()


@cache
def _scales() -> dict[str, dict[int, tuple[int, str]]]:
    """Of each word: its scales by their number, and of each its side and the sort of the scale."""
    found: dict[str, dict[int, tuple[int, str]]] = {}
    sort = ""
    for number, line in enumerate(_text().splitlines()):
        if line.startswith("["):
            sort = line.strip("[]")
        elif not line.startswith("#") and sort != CJK:
            for side, words in enumerate(line.split("|")):
                for word in words.split():
                    name = f"{word}$" if sort == LAST else word
                    kind = STATE if sort == LAST else sort
                    found.setdefault(name, {})[number] = (side, kind)
    return found


@cache
def cjk_scales() -> list[list[list[str]]]:
    """The scales of Chinese and Japanese: of each its sides, and of each side its words."""
    rows = _text().partition(f"[{CJK}]\n")[2].splitlines()
    return [[side.split() for side in row.split("|")] for row in rows if not row.startswith("#")]


def _sides(word: str, is_last: bool) -> dict[int, tuple[int, str]]:
    scales = _scales()
    if is_last and f"{word}$" in scales:
        return {**scales.get(word, {}), **scales[f"{word}$"]}
    plain = word.replace("_", "").replace("-", "")
    if plain in scales:
        return scales[plain]
    for ending in _ENDINGS:
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) > 3:
            for other in ("", "o", "e"):
                if stem + other in scales:
                    return scales[stem + other]
    return {}


def opposed(word: str, other: str, *, are_last: bool = False) -> str:
    """Of which sort the scale is on which two words stand on different sides; '' if on none.

    `are_last`: they end their statements. "The lamp is on": before that such words say where.
    """
    left, right = _sides(word, are_last), _sides(other, are_last)
    sorts = {left[number][1] for number in left.keys() & right.keys()}
    if any(left[number][0] == right[number][0] for number in left.keys() & right.keys()):
        return ""
    takes_back = any(
        len(one) > 3 and prefix + one == two
        for prefix in _TAKES_BACK
        for one, two in ((word, other), (other, word))
    )
    return min(sorts) if sorts else STATE if takes_back else ""


def agree(word: str, other: str) -> bool:
    """Whether two words stand on one side of a scale: he likes it, he loves it."""
    left, right = _sides(word, False), _sides(other, False)
    return any(left[number][0] == right[number][0] for number in left.keys() & right.keys())


def is_calendar(word: str) -> bool:
    """Whether a word names a day, a month, a season or a time of day."""
    return any(sort == CALENDAR for _, sort in _sides(word, False).values())
