"""Characters that hide or disguise: which they are, and where they have honest work to do.

A joiner holds an emoji or a Persian word together, a tag names a flag: there they pass. Anywhere else they carry
what a reader cannot see. A Latin word with a Cyrillic letter in it looks right and is another word.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache

from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Run = tuple[int, int]
    Place = tuple[str, int, int]


@cache
def compiled(pattern: str) -> Any:
    """Compile a pattern once, when it is first needed."""
    import re2  # type: ignore[import-untyped]

    return re2.compile(pattern)


def places(pattern: str, text: str, group: int = 0) -> Iterator[Run]:
    """Yield where a group of a pattern stands, match by match.

    It is looked for in bytes, whose places are counted on: re2 makes much more of each match in a text.
    """
    data = text.encode()
    at = characters = 0
    for match in compiled(pattern).finditer(data):
        start, end = match.span(group)
        characters += len(data[at:start].decode())
        first, characters = characters, characters + len(data[start:end].decode())
        at = end
        yield first, characters


def held(patterns: tuple[str, ...], data: bytes) -> list[int]:
    """Return the places of the patterns that a text holds, in their order; one pass tells of many."""
    return sorted(
        first + place for first, one in _automata(patterns) for place in one.Match(data) or ()
    )


_AT_ONCE = 30  # patterns of one automaton: beyond that its states multiply


@cache
def _automata(patterns: tuple[str, ...]) -> list[tuple[int, Any]]:
    import re2

    options = re2.Options()
    options.max_mem = 64 << 20  # room for all states of an automaton
    made = []
    for first in range(0, len(patterns), _AT_ONCE):
        one = re2.Set.SearchSet(options)
        for pattern in patterns[first : first + _AT_ONCE]:
            one.Add(pattern)
        one.Compile()
        made.append((first, one))
    return made


@cache
def _told() -> dict[str, str]:
    return {name: text for name, _, text in patterns("told_secrets")}


def said(name: str) -> str:
    """Return how people say it: a pattern or words of `data/patterns/told_secrets.txt`."""
    return _told()[name]


_HIDDEN = (
    ("control character", ((0x00, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x84), (0x86, 0x9F))),
    ("soft hyphen", ((0xAD, 0xAD),)),
    ("zero-width character", ((0x200B, 0x200D), (0x2060, 0x2065), (0xFEFF, 0xFEFF))),
    ("zero-width character", ((0x034F, 0x034F), (0x180E, 0x180E))),
    ("direction mark", ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x206F))),
    ("variation selector", ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F))),
    ("variation selector", ((0xE0100, 0xE01EF),)),
    ("blank letter", ((0x115F, 0x1160), (0x17B4, 0x17B5), (0x3164, 0x3164), (0xFFA0, 0xFFA0))),
    ("annotation character", ((0xFFF9, 0xFFFB), (0x1D173, 0x1D17A))),
    ("tag character", ((0xE0000, 0xE007F),)),
)
_HIDDEN_PATTERN = (
    "["
    + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for _, ranges in _HIDDEN for low, high in ranges)
    + "]+"
)
# Scripts whose letters change their shape or break at joiners: Arabic to Sinhala, Myanmar, Khmer,
# Mongolian, the scripts of Indonesia, Arabic presentation forms, Brahmi and its relatives.
_JOINING = (
    (0x0600, 0x0DFF),
    (0x1000, 0x109F),
    (0x1780, 0x18AF),
    (0x1A20, 0x1BFF),
    (0xA800, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
    (0x10A00, 0x10A5F),
    (0x11000, 0x11DFF),
)
_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_EMOJI_PUNCTUATION = "‼⁉ℹ〰〽"

_CYRILLIC = "аеіорсухԁԛԝһјѕӏАВЕІКМНОРСТУХЅЈԌԚԜҮ"
_CYRILLIC_AS = "aeiopcyxdqwhjslABEIKMHOPCTYXSJGQWY"
_GREEK = "αορνυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_GREEK_AS = "aopvuikABEZHIKMNOPTYX"
LOOK_ALIKE = str.maketrans(_CYRILLIC + _GREEK, _CYRILLIC_AS + _GREEK_AS)
_MIXED_PATTERN = f"[A-Za-z][{_CYRILLIC}{_GREEK}]|[{_CYRILLIC}{_GREEK}][A-Za-z]"
# Letters of other shapes: wide, mathematical, circled, letter-like.
_STYLED_PATTERN = r"[\x{ff01}-\x{ff5e}\x{1d400}-\x{1d7ff}\x{24b6}-\x{24e9}\x{2100}-\x{214f}]"


class Removed:
    """The view of a text without some runs, and the way back to the text's own offsets."""

    def __init__(self, runs: list[Run]) -> None:
        self._runs = runs
        self._at = []  # where in the view a run is missing
        self._length = [0]  # characters missing up to there
        for start, end in runs:
            self._at.append(start - self._length[-1])
            self._length.append(self._length[-1] + end - start)

    def cut(self, text: str) -> str:
        if not self._runs:
            return text
        ends = [0, *(end for _, end in self._runs)]
        starts = [*(start for start, _ in self._runs), len(text)]
        return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))

    def start(self, position: int) -> int:
        return position + self._length[bisect_right(self._at, position)] if self._at else position

    def end(self, position: int) -> int:
        return self.start(position - 1) + 1 if position else 0


@cache
def _names() -> dict[str, str]:
    return {
        chr(code): name
        for name, ranges in _HIDDEN
        for low, high in ranges
        for code in range(low, high + 1)
    }


def hidden_runs(text: str, data: bytes) -> list[Run]:
    """Find all hidden characters, joined to runs; `data` is the text in UTF-8."""
    if not compiled(_HIDDEN_PATTERN).search(data):
        return []
    positions = []
    for character in set(text) & _names().keys():
        position = text.find(character)
        while position >= 0:
            positions.append(position)
            position = text.find(character, position + 1)
    runs: list[Run] = []
    start = end = -1
    for position in sorted(positions):
        if position != end:
            if end > 0:
                runs.append((start, end))
            start = position
        end = position + 1
    return [*runs, (start, end)]


def invisible(text: str, runs: list[Run]) -> list[Place]:
    """Name the hidden characters that do not belong where they stand."""
    places: list[Place] = []
    for start, end in runs:
        for position in range(start, end):
            if _belongs(text, position):
                continue
            if places and places[-1][2] == position:
                places[-1] = (*places[-1][:2], position + 1)
            else:
                places.append((_names()[text[position]], position, position + 1))
    return places


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= ord(character) <= high for low, high in ranges) if character else False


def _emoji(character: str) -> bool:
    return character != "" and (
        unicodedata.category(character) == "So" or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _belongs(text: str, position: int) -> bool:
    character = text[position]
    before = text[position - 1] if position else ""
    after = text[position + 1 : position + 2]
    if character in "\u200c\u200d":
        base = text[position - 2 : position - 1] if before == "\ufe0f" else before
        if character == "\u200d" and _emoji(base):
            return _emoji(after)
        return _within(before, _JOINING) and (_within(after, _JOINING) or not after.isalnum())
    if "\ufe00" <= character <= "\ufe0f":
        if before in "#*0123456789":
            return after == "\u20e3" and before != ""
        return (
            _emoji(before)
            or (before != "" and before in _EMOJI_PUNCTUATION)
            or (before != "" and unicodedata.category(before) == "Sm")
            or _within(before, (*_IDEOGRAPHS, (0x1000, 0x109F)))
        )
    if "\U000e0100" <= character <= "\U000e01ef":
        return _within(before, _IDEOGRAPHS)
    if "\u180b" <= character <= "\u180f" and character != "\u180e":
        return _within(before, ((0x1820, 0x18AA),))
    if "\U000e0020" <= character <= "\U000e007f":
        return _flag_tag(text, position)
    return False


def _flag_tag(text: str, position: int) -> bool:
    """Tell whether a tag stands in the flag of a region: black flag, up to six tags, end tag."""
    start = text.rfind("\U0001f3f4", max(0, position - 7), position) + 1
    stop = text.find("\U000e007f", position, position + 7)
    return (
        start > 0
        and 2 <= stop - start <= 6
        and all("\U000e0030" <= tag <= "\U000e007a" for tag in text[start:stop])
    )


def homoglyphs(view: str, data: bytes) -> list[Place]:
    """Find Latin words in which every foreign letter looks Latin; an abbreviation with a Russian ending (`JSONе`)
    passes."""
    words: list[Place] = []
    if not compiled(_MIXED_PATTERN).search(data):
        return words
    for match in compiled(_MIXED_PATTERN).finditer(view):
        start, end = match.span()
        if words and start < words[-1][2]:
            continue
        while start and (view[start - 1].isalpha() or unicodedata.combining(view[start - 1])):
            start -= 1
        while end < len(view) and (view[end].isalpha() or unicodedata.combining(view[end])):
            end += 1
        word = view[start:end]
        plain = word.translate(LOOK_ALIKE)
        greek = any(letter in _GREEK for letter in word)
        declined = word.rstrip("аеоуыхи")
        if declined.isascii() and declined.isupper() and len(declined) > 1:
            continue
        if len(word) >= (4 if greek else 3) and plain.isascii():
            name = "greek letter in a latin word" if greek else "cyrillic letter in a latin word"
            words.append((name, start, end))
    return words


def folded(view: str, data: bytes, disguised: bool) -> str:
    """Spell disguised words plainly, one character for one."""
    plain = view.translate(LOOK_ALIKE) if disguised else view
    if compiled(_STYLED_PATTERN).search(data):
        styled = {}
        for character in set(plain):
            common = unicodedata.normalize("NFKC", character)
            if character > "\x7f" and len(common) == 1:
                styled[ord(character)] = common
        plain = plain.translate(styled)
    return plain
