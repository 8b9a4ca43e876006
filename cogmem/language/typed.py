"""Part a message into what a person typed and what was pasted or made by a program.

People paste logs, tables, code, diffs, plans and reviews of agents, mails; hosts send templates and
notices. None of that says what the person wants or holds true. Each line gets a chance that a person
typed it: a linear score over its shape (how many letters, digits and signs, how it begins and ends,
what stands in it) and over the lines around it, as a paste comes in stretches. No figure is a word of
a language but one: the share of small words, which prose has and a table lacks. The weights lie in
`data/typed.txt`; `make train-hearing` remakes them.

Of a very long message only both ends are read, since people write around what they paste.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import log

from cogmem.named import NamedTuple
from cogmem.text import data
from cogmem.text.lines import unwrapped
from cogmem.text.relevance import likely

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = 12_000  # characters read at each end of a long message
LINES = 200  # lines read at each end
MANY = 40  # lines: more make no difference
WIDE = 400  # characters of a line that its shape is told from
LEAST = 0.55  # the chance from which on a line was typed
FENCES = ("```", "~~~")


class Part(NamedTuple):
    """A stretch of a message, and whether a person typed it."""

    start: int
    end: int
    is_typed: bool


class Line(NamedTuple):
    """A line that is not blank: its place, and what its shape says."""

    start: int
    end: int
    blanks: int  # blank lines before it
    is_fenced: bool
    figures: dict[str, float]


@lru_cache(maxsize=128)  # a conversation's lines ask, and then its cures
def typed(text: str) -> str:
    """Return the lines that a person typed, each on its own line."""
    text = unwrapped(text).strip()
    return "\n".join(
        [text[part.start : part.end].strip("\n") for part in parts(text) if part.is_typed]
    )


def parts(text: str) -> list[Part]:
    """Part a message; the parts follow one another and cover it whole."""
    found: list[Part] = []
    at = 0
    for line, chance in judged(text):
        is_typed = chance >= LEAST
        if text[at : line.start].strip():  # left out of the reading
            found.append(Part(at, line.start, False))
            at = line.start
        if found and found[-1].is_typed == is_typed:
            found[-1] = Part(found[-1].start, line.end, is_typed)
        else:
            found.append(Part(at, line.end, is_typed))
        at = line.end
    if at < len(text):
        if found and not text[at:].strip():
            found[-1] = Part(found[-1].start, len(text), found[-1].is_typed)
        else:
            found.append(Part(at, len(text), False))
    return found


@lru_cache(maxsize=1)  # a message's clauses ask, and then what stands around them
def judged(text: str) -> tuple[tuple[Line, float], ...]:
    """Return the lines that are read, each with the chance that a person typed it."""
    found = read(unwrapped(text))
    if not found:
        return ()
    alone, together = weights()
    first = [score(line.figures, alone) for line in found]
    rows = around(text, found, first)
    chances = [
        0.0 if line.is_fenced else likely(score(row, together))
        for line, row in zip(found, rows, strict=True)
    ]
    for place in range(len(found) - 2, -1, -1):  # "Remember this:" is of who typed the list
        if "ends colon" in found[place].figures:
            chances[place] = max(chances[place], chances[place + 1])
    return tuple(zip(found, chances, strict=True))


def score(figures: dict[str, float], its: dict[str, float]) -> float:
    """Add up what the figures weigh."""
    return sum([its[name] * value for name, value in figures.items() if name in its]) + its["bias"]


@cache
def weights() -> tuple[dict[str, float], dict[str, float]]:
    """Read the weights of a line by itself, and among the others."""
    tables: dict[str, dict[str, float]] = {"alone": {}, "together": {}}
    for row in data.lines("typed"):
        table, name, weight = row.split("\t")
        tables[table][name] = float(weight)
    return tables["alone"], tables["together"]


def read(text: str) -> list[Line]:
    """Return the lines that are not blank, of a long text those at both ends."""
    lines: list[Line] = []
    for at, stop in windows(text):
        lines += ends(text, at, stop)
    return lines


def windows(text: str) -> list[tuple[int, int]]:
    """Return the stretches of whole lines that are read."""
    if len(text) <= 2 * WINDOW:
        return [(0, len(text))]
    head = text.rfind("\n", 0, WINDOW) + 1 or WINDOW
    tail = text.find("\n", len(text) - WINDOW) + 1 or len(text) - WINDOW
    return [(0, head), (tail, len(text))]


def ends(text: str, at: int, stop: int) -> list[Line]:
    """Return the first and the last lines of a stretch."""
    fence = ""
    if at:
        fence = "```" if (text.count("\n```", 0, at) + text.startswith("```")) % 2 else ""
    spans: list[tuple[int, int, int, bool]] = []
    blanks = 0
    while at < stop:
        end = text.find("\n", at, stop)
        end = stop if end < 0 else end
        bare = text[at : min(end, at + WIDE)].strip()
        if not bare:
            blanks += 1
        else:
            mark = bare[:3]
            is_mark = mark in FENCES and (not fence or mark == fence)
            spans.append((at, end, blanks, bool(fence) or is_mark))
            if is_mark:
                fence = "" if fence else mark
            blanks = 0
        at = end + 1
    if len(spans) > 2 * LINES:
        spans = spans[:LINES] + spans[-LINES:]
    lines: list[Line] = []
    for first, last, gap, fenced in spans:
        # "#never delete a backup" alone is a note and no heading.
        noted = len(spans) == 1 and text[first] == "#" and text[first + 1 : first + 2].isalpha()
        said = text[first + noted : min(last, first + WIDE)]
        lines.append(Line(first, last, gap, fenced, {} if fenced else shape(said)))
    return lines


class _Classes(dict[int, str]):
    """One letter for the sort of each character; what is new is looked up once."""

    def __missing__(self, code: int) -> str:
        sort = "o"
        character = chr(code)
        if character.isalpha():
            sort = "A" if character.isupper() else "a"
        elif character.isdigit():
            sort = "0"
        elif character.isspace():
            sort = " "
        elif character in ",;:'\"()-’‘“”、。，！？：；「」『』（）¿¡…":
            sort = ","
        elif character in ".!?":
            sort = "."
        elif character.isascii():
            sort = "#"
        elif character in "—–→←•·✓✗×":
            sort = "d"
        self[code] = sort
        return sort


_SORTS = _Classes()
_CODE = re.compile(
    r"[a-z]\w*_\w|[a-z][A-Z]\w|\w\(\)|\w::\w|[=!<>]=|=>|->|&&|\|\||\$\{|\w\.\w+\(|:="
)
_PATH = re.compile(r"(?:[~.]{0,2}/[\w.@-]+){2,}|[A-Za-z]:\\\w")
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b|\b\d{4}-\d\d-\d\d")
_HEX = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,}\b")
_ITEM = re.compile(r"(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s")
_FIELD = re.compile(r"[\w -]{1,24}:(?:\s|$)|\S+\s?=\s?\S")
_PROMPT = re.compile(r"\[[^\]]*\d[^\]]*\]|[$%❯➜>#]\s|\S+[@:]\S+[$%#]\s|(?:\+\+\+|---|@@|diff )")
_PLACE = re.compile(r"\S+\.\w{1,5}:\d+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


_BEGINS = {"a": "small", "A": "capital", "0": "digit"}
_ENDING = (("stop", ".!。！"), ("asking", "?？"), ("colon", ":："), ("open", "{([,;\\|=>"))
_ENDS = {sign: name for name, signs in _ENDING for sign in signs}


def shape(line: str) -> dict[str, float]:
    """Tell the shape of a line as named figures, most of them 0 or 1."""
    bare = line.strip()
    sorts = bare.translate(_SORTS)
    size = len(sorts)
    words = _WORD.findall(bare)
    count = len(words)
    letters = sorts.count("a") + sorts.count("A")
    prose = data.small_words()["prose"]
    small = sum([word.lower() in prose for word in words])
    first, last = sorts[0], bare[-1]
    digits = sorts.count("0")
    is_wide = (
        letters
        and not bare.isascii()
        and max(bare) >= "\u3040"
        and sum(["\u3040" <= c <= "\u9fff" for c in bare]) > size / 3
    )
    may_be_code = "#" in sorts or "aA" in sorts or "(" in bare or ":" in bare
    figures = {
        "digits": digits / size,
        "signs": min(sorts.count("#") / size, 0.3),
        "odd": min(sorts.count("o") + sorts.count("d"), 3) / 3,
        "capitals": sorts.count("A") / max(1, letters),
        "no letters": float(not letters),
        "words": log(1 + count),
        "few words": float(count < 4),
        "long line": float(size > 250),
        "small words": 0.35 if is_wide else small / max(1, count),
        "no small words": float(not small and count > 3 and not is_wide),
        "indent": float(line[:2] == "  " or line[:1] == "\t"),
        "deep indent": float(line[:4] == "    "),
        f"begins {_BEGINS.get(first, 'sign')}": 1.0,
        f"ends {_ENDS.get(last, 'word')}": 1.0,
        "ellipsis": float("..." in bare or "…" in bare),
        "shout": float("!!" in bare or "??" in bare or "?!" in bare),
        "apostrophe": float("'" in bare or "’" in bare),
        "dash": float("—" in bare or "–" in bare),
        "bold": float("**" in bare),
        "ticks": float("`" in bare),
        "arrow": float("→" in bare),
        "bracket": float("[" in bare or "{" in bare),
        "tag": float(bare[0] == "<"),
        "quoted": float(bare[0] == ">"),
        "heading": float(bare[0] == "#"),
        "bar": float(bare[0] == "|" or " | " in bare or "│" in bare),
        "mention": float(bare[0] == "@"),
        "gap": float("   " in bare or "\t" in bare),
        "code": float(may_be_code and _CODE.search(bare) is not None),
        "path": float(("/" in bare or "\\" in bare) and _PATH.search(bare) is not None),
        "clock": float(digits > 2 and _CLOCK.search(bare) is not None),
        "hex": float(digits > 0 and _HEX.search(bare) is not None),
        "item": float(_ITEM.match(bare) is not None),
        "field": float((":" in bare or "=" in bare) and _FIELD.match(bare) is not None),
        "prompt": float(_PROMPT.match(bare) is not None),
        "place": float(digits > 0 and ":" in bare and _PLACE.search(bare) is not None),
    }
    return {name: value for name, value in figures.items() if value}


def around(text: str, lines: Sequence[Line], scores: Sequence[float]) -> list[dict[str, float]]:
    """Tell of each line what it and the lines around it look like."""
    count = len(lines)
    held = [
        max(-6.0, min(6.0, -6.0 if line.is_fenced else one))
        for line, one in zip(lines, scores, strict=True)
    ]
    mean = sum(held) / count
    size = log(1 + len(text))
    opening = text.lstrip()[:1]
    whole = {
        "all": mean,
        "size": min(size, 8.0),
        "lines": log(min(count, MANY)),
        "alone": float(count == 1),
        "headed": float(sum([1 for line in lines if "heading" in line.figures]) > 1),
        "listed": sum([1 for line in lines if "item" in line.figures]) / count,
        "tagged": float(opening == "<"),
        "first": held[0],
    }
    blocks: list[list[int]] = []
    for place, line in enumerate(lines):
        if not blocks or line.blanks:
            blocks.append([])
        blocks[-1].append(place)
    rows: list[dict[str, float]] = []
    for number, block in enumerate(blocks):
        here = sum([held[place] for place in block]) / len(block)
        for place in block:
            before = held[place - 1] if place else 0.0
            after = held[place + 1] if place + 1 < count else 0.0
            near = held[max(0, place - 3) : place + 4]
            rows.append(
                {
                    **whole,
                    "own": held[place],
                    "block": here,
                    "block of one": float(len(block) == 1),
                    "before": before,
                    "after": after,
                    "near": sum(near) / len(near),
                    "worst near": min(near),
                    "opens": float(place == 0),
                    "closes": float(place + 1 == count),
                    "first block": float(number == 0 and len(blocks) > 1),
                    "last block": float(number + 1 == len(blocks) and number > 0),
                    "item": lines[place].figures.get("item", 0.0),
                    "indent": lines[place].figures.get("indent", 0.0),
                    "begins small": lines[place].figures.get("begins small", 0.0),
                    "after item": float(place > 0 and "item" in lines[place - 1].figures),
                }
            )
    return rows
