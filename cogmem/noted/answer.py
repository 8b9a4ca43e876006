"""Reads what a model answers when it was asked for JSON, however it wrapped or broke it.

The ways are tried in order: the whole answer as a list, as one object, as an object that holds a list;
one object to a line; what lies between the outermost brackets; and at last every object that is whole,
wherever it stands. So an answer that was cut off gives all that came before the cut. Nothing here
believes what it reads, and an answer of any length or depth is read in time that grows with its length.
"""

from __future__ import annotations

import json

from cogmem.records import Record
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    Item = dict[str, Any]

LONGEST = 1_000_000  # characters of an answer that are read; a longer one is no answer
PREVIEW = 200  # characters of an unreadable answer that a message shows
_EFFORT = 4  # how often, on average, one character may be looked at
_TRY = 40  # characters that one vain attempt is taken to cost
_DEAD_END = 2_000  # characters that a nesting too deep to follow is taken to cost
_FENCE = "```"
_THOUGHT = ("<think>", "</think>")


class Reading(Record):
    """What an answer says. `way` is how it was read, '' if nothing could be; `is_whole`: nothing of it
    was left over that looks like the beginning of one more item."""

    items: list[Item]
    way: str
    is_whole: bool
    preview: str

    def __init__(
        self, items: list[Item], way: str, *, is_whole: bool = True, preview: str = ""
    ) -> None:
        super().__init__(items, way, is_whole, preview)


def read(answer: str, telling: Collection[str]) -> Reading:
    """Return the items of an answer. `telling` names the keys by which an object is known to be an item."""
    is_cut = len(answer) > LONGEST
    text = _bare(answer[:LONGEST])

    def is_item(value: Any) -> bool:
        return isinstance(value, dict) and any(_folded(name) in telling for name in value)

    found: list[Item] | None = None
    if not is_cut:
        way, found = "json", _of_value(_value(text), is_item)
        if found is None:
            way, found = "lines", _of_lines(text, is_item)
        if found is None:
            way, found = "brackets", _of_value(_value(_outermost(text)), is_item)
    if found is not None:
        return Reading([_with_folded_names(item) for item in found], way)
    found, is_whole = _salvaged(text, is_item, telling)
    if found:
        items = [_with_folded_names(item) for item in found]
        return Reading(items, "salvage", is_whole=is_whole and not is_cut)
    return Reading([], "", is_whole=False, preview=one_line(text[:LONGEST])[:PREVIEW])


def _bare(text: str) -> str:
    """Return the answer without thoughts said aloud and without the fence around its JSON."""
    text = text.strip("\ufeff \t\r\n")
    begin, end = _THOUGHT
    if text.startswith(begin) and end in text:
        text = text.partition(end)[2].strip()
    if _FENCE in text:
        before, _, rest = text.partition(_FENCE)
        if "{" not in before and "[" not in before:
            inside = rest.rpartition(_FENCE)[0] or rest
            first, line_end, more = inside.partition("\n")
            text = (more if line_end and not {"{", "["} & set(first) else inside).strip()
            text = text.removeprefix("json").strip()
    return text


class _Nothing:
    """Stands for a text that is no JSON, which null would be."""


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _Nothing


def _of_value(value: Any, is_item: Callable[[Any], bool]) -> list[Item] | None:
    """Return the items of a list, of one object, or of an object that holds a list."""
    if isinstance(value, list):
        found = [one for one in value if is_item(one)]
        return found if found or not value else None
    if not isinstance(value, dict):
        return None
    if is_item(value):
        return [value]
    lists = [inner for inner in value.values() if isinstance(inner, list)]
    for inner in lists:
        found = [one for one in inner if is_item(one)]
        if found:
            return found
    return [] if lists and not any(lists) else None


def _of_lines(text: str, is_item: Callable[[Any], bool]) -> list[Item] | None:
    """Return one object to a line; what stands on other lines must be bare talk."""
    found: list[Item] = []
    for line in text.splitlines():
        bare = line.strip().rstrip(",")
        if not bare.startswith("{"):
            if bare.startswith(("[", '"')) and len(bare) > 1:
                return None
            continue
        value = _value(bare)
        if not is_item(value):
            return None
        found.append(value)
    return found or None


def _outermost(text: str) -> str:
    start, end = text.find("["), text.rfind("]")
    return text[start : end + 1] if 0 <= start < end else ""


def _salvaged(
    text: str, is_item: Callable[[Any], bool], telling: Collection[str]
) -> tuple[list[Item], bool]:
    """Return every whole item in the text, and whether no broken one stands beside them."""
    decode = json.JSONDecoder().raw_decode
    found: list[Item] = []
    effort = _EFFORT * len(text) + 50 * _DEAD_END
    at, is_whole, first, last = text.find("{"), True, 0, 0
    while at >= 0 and effort > 0:
        ahead = text[at + 1 : at + 80].lstrip()
        if not ahead.startswith('"'):  # no object begins here
            effort -= 4
            at = text.find("{", at + 1)
            continue
        try:
            value, end = decode(text, at)
        except RecursionError:
            value, end = None, 0
            effort -= _DEAD_END
        except ValueError as error:
            value, end = None, 0
            # The error counts the lines before it, which takes the longer the further it is.
            effort -= max(getattr(error, "pos", at) - at, 0) + _TRY + at // 100
        if end:
            effort -= end - at
            inner = _of_value(value, is_item)
            if inner:
                first = first if found else at
                found += inner
            at, last = text.find("{", end), end
            continue
        if _folded(ahead[1:].partition('"')[0]) in telling:  # an item, and not what holds the items
            is_whole = False
        at = text.find("{", at + 1)
    is_open = "[" in text[:first] and "]" not in text[last:]  # the list has no end
    return found, is_whole and effort > 0 and not is_open and "{" not in text[last:]


def _folded(name: Any) -> str:
    return str(name).strip().casefold()


def _with_folded_names(item: Item) -> Item:
    return {_folded(name): value for name, value in item.items()}
