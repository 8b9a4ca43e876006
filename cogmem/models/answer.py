"""Asks for JSON of a form, and reads what a model answers, however it wrapped or broke it.

The whole answer counts where it is JSON; else every object in it that is whole, so an answer that was cut off gives
all that came before the cut. Any answer is read in time that grows with its length.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    Item = dict[str, Any]

LONGEST = 1_000_000  # characters of an answer that are read
_EFFORT = 4  # how often, on average, one character may be looked at
_TRY = 40  # characters that one vain attempt is taken to cost
_DEAD_END = 2_000  # characters that a nesting too deep to follow is taken to cost


def schema(**fields: Any) -> dict[str, Any]:
    """Return the JSON schema of an object with these fields alone, each by its type; `[type]` is a list of it."""

    def of(kind: Any) -> Any:
        if isinstance(kind, list):
            return {"type": "array", "items": of(kind[0])}
        return {"type": kind} if isinstance(kind, str) else kind

    properties = {name: of(kind) for name, kind in fields.items()}
    asked = {"required": [*fields], "additionalProperties": False}
    return {"type": "object", "properties": properties, **asked}


def read(answer: str, telling: Collection[str]) -> list[Item] | None:
    """Return the items of an answer; None if nothing of it can be read. `telling` names the keys by which an object
    is known to be an item."""
    text = without_thoughts(answer[:LONGEST].strip("\ufeff \t\r\n"))
    try:
        found = _of_value(json.loads(text), telling)
    except (ValueError, RecursionError):
        found = None
    found = _whole_ones(text, telling) if found is None else found
    return found and [{_folded(name): value for name, value in item.items()} for item in found]


def without_thoughts(said: str) -> str:
    """Return the answer alone, where a model thinks aloud before it."""
    text = said.lstrip()
    return text.partition("</think>")[2].lstrip() if text.startswith("<think>") else said


def _of_value(value: Any, telling: Collection[str]) -> list[Item] | None:
    if isinstance(value, dict):
        if any(_folded(name) in telling for name in value):
            return [value]
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        found = [_of_value(inner, telling) for inner in lists]
        return next(filter(None, found), [] if lists and not any(lists) else None)
    if not isinstance(value, list):
        return None
    objects = [one for one in value if isinstance(one, dict)]
    items = [one for one in objects if any(_folded(name) in telling for name in one)]
    return items if items or not value else None


def _whole_ones(text: str, telling: Collection[str]) -> list[Item] | None:
    """Every whole item in a text; None if there is no object that holds items, not even none."""
    decode = json.JSONDecoder().raw_decode
    found: list[Item] | None = None
    effort = _EFFORT * len(text) + 50 * _DEAD_END
    at = text.find("{")
    while at >= 0 and effort > 0:
        end = 0
        if not text[at + 1 : at + 80].lstrip().startswith('"'):  # no object begins here
            effort -= 4
        else:
            try:
                value, end = decode(text, at)
                effort -= end - at
                items = _of_value(value, telling)
                if items is not None:
                    found = found or []
                    found += items
            except RecursionError:
                effort -= _DEAD_END
            except ValueError as error:
                # The error counts the lines before it, which takes the longer the further it is.
                effort -= max(getattr(error, "pos", at) - at, 0) + _TRY + at // 100
        at = text.find("{", end or at + 1)
    return found


def _folded(name: Any) -> str:
    return str(name).strip().casefold()
