"""Parts of a message, in one form whatever host they come from; those of other types are kept as they are.

    {"type": "text", "text": …}
    {"type": "tool_call", "id": …, "name": …, "arguments": {…}}
    {"type": "tool_result", "tool_call_id": …, "content": …, "is_error": true}

A provider refuses a history that holds a call without its results, so nothing here ever parts them.
The words of a message's only text part stand in its column `text`: among the stored parts it is null.
"""

from __future__ import annotations

import hashlib
import json

from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.guard.glance import may_name
from cogmem.records import one_of
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Part = dict[str, Any]
    Content = str | Sequence[Mapping[str, Any]]

ROLES = ("system", "user", "assistant", "tool")
WITHDRAWN = "[]"  # the parts of a version that says: the host took this message back
_IDS = ("id", "tool_call_id", "type")


def parts_of(content: Content) -> list[Part]:
    """Return the parts of a message given as text or as a list of parts."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, (bytes, dict)) or not hasattr(content, "__iter__"):
        raise InvalidInput(f"a message is text or a list of parts, not {type(content).__name__}")
    parts = []
    for part in content:
        if fault := _fault_of(part if hasattr(part, "keys") else {}):
            raise InvalidInput(fault)
        parts.append(dict(part))
    return parts or parts_of("")


def message_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message of a host's list, with its content as parts."""
    if not hasattr(message, "keys") or "role" not in message:
        raise InvalidInput(
            'a message of the list is an object with "role" and "content" or "parts"'
        )
    content = message.get("parts", message.get("content"))
    return {**message, "parts": parts_of("" if content is None else content)}


def sound(parts: Iterable[Any], text: str) -> list[Part]:
    """Return the stored parts that can be read, with the words of `text`; what another client spoiled is left out."""
    given = ({"type": "text", "text": text} if part is None else part for part in parts)
    return [part for part in given if isinstance(part, dict) and not _fault_of(part)]


def _fault_of(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    if not isinstance(kind, str):
        return 'a part of a message is an object with a "type": text, tool_call …'
    if kind == "text" and not isinstance(part.get("text"), str):
        return 'a text part needs its words under "text"'
    if kind == "tool_call" and not isinstance(part.get("name"), str):
        return 'a tool_call part needs the "name" of the tool'
    return ""


def lean(parts: Sequence[Part]) -> str:
    """Parts as they are stored: the words of the only text part stand beside them."""
    if sum(part["type"] == "text" for part in parts) == 1:
        parts = [None if part["type"] == "text" and len(part) == 2 else part for part in parts]  # type: ignore[misc]
    return _as_json(parts)


def text_of(parts: Iterable[Part]) -> str:
    """Return the words of the text parts."""
    return "\n".join(part["text"] for part in parts if part.get("type") == "text")


def told(parts: Iterable[Part]) -> str:
    """Return all that was said and done, for a reader: text, calls, results."""
    pieces = []
    for part in parts:
        kind = part.get("type")
        if kind == "text":
            pieces.append(part["text"])
        elif kind == "tool_call":
            pieces.append(f"{part['name']}({spelled(part.get('arguments'))})")
        elif kind == "tool_result":
            pieces.append(spelled(part.get("content")))
        else:
            pieces.append(f"[{kind}]")
    return "\n".join(pieces)


def spelled(value: Any) -> str:
    """Return a tool's arguments or answer as text."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and value and all(_is_text(item) for item in value):
        return text_of(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_text(item: Any) -> bool:
    return (
        isinstance(item, dict) and item.get("type") == "text" and isinstance(item.get("text"), str)
    )


def calls(parts: Iterable[Part]) -> list[str]:
    """Return ids of the tool calls in a message."""
    return [str(part["id"]) for part in parts if part.get("type") == "tool_call" and part.get("id")]


def answers(parts: Iterable[Part]) -> list[str]:
    """Return ids of the calls that a message answers."""
    results = [part for part in parts if part.get("type") == "tool_result"]
    return [str(part["tool_call_id"]) for part in results if part.get("tool_call_id")]


def without_orphans(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages without tool results whose call is not among them; calls may wait for a result."""
    known = {one for message in messages for one in calls(message["parts"])}
    kept = []
    for message in messages:
        if known.issuperset(answers(message["parts"])):
            kept.append(dict(message))
            continue
        parts = [
            part
            for part in message["parts"]
            if part.get("type") != "tool_result" or str(part.get("tool_call_id")) in known
        ]
        if parts:
            kept.append({**message, "parts": parts})
    return kept


def whole_from(messages: Sequence[Mapping[str, Any]], start: int) -> int:
    """Return the first place at or after `start` where a cut parts no call from its result."""
    asked: dict[str, int] = {}
    cut = start
    for place, message in enumerate(messages):
        if place >= cut:
            for one in answers(message["parts"]):
                if asked.get(one, place) < cut:
                    cut = place + 1  # what is between goes with the call
        for one in calls(message["parts"]):
            asked[one] = place
    return cut if cut == start else whole_from(messages, cut)


def whole_before(messages: Sequence[Mapping[str, Any]], end: int) -> int:
    """Return the last place at or before `end` where a cut parts no call from its result."""
    asked: dict[str, int] = {}
    cut = end
    for place, message in enumerate(messages):
        for one in calls(message["parts"]):
            asked[one] = place
        if place >= end:
            for one in answers(message["parts"]):
                cut = min(cut, asked.get(one, cut))
    return cut if cut == end else whole_before(messages, cut)


_as_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=str).encode


# -- as the record holds them --------------------------------------------------------------------


class Stored:
    """The columns that follow from what a message says, with its secrets taken out."""

    __slots__ = ("hash", "parts", "speaker", "text")

    def __init__(self, role: str, speaker: str, content: Content, *, guarded: bool) -> None:
        one_of("role", role, ROLES)
        self.parts = parts_of(content)
        self.speaker = one_line(guard.normalise(speaker))
        if guarded:
            policy = guard.POLICIES["record_tool" if role == "tool" else "record"]
            self.parts = [_guarded(part, policy) for part in self.parts]
            if self.speaker:
                self.speaker = guard.apply(self.speaker, policy).text
        try:
            told = _as_json(self.parts)
        except ValueError as error:
            raise InvalidInput(
                f"a part cannot be written as JSON ({error}): pass plain values"
            ) from None
        self.text = text_of(self.parts)
        said = f"{role}\0{self.speaker}\0{told}"
        self.hash = hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def _guarded(part: Part, policy: guard.Screening) -> Part:
    """Return a part with every text inside it storable and redacted; its shape stays."""
    return {
        _name(str(name), policy): _name(value, policy)
        if name in _IDS and isinstance(value, str) and len(value) <= 100
        else _guarded_value(value, policy)
        for name, value in part.items()
    }


def _name(text: str, policy: guard.Screening) -> str:
    """Return an id or the name of a field: drawn, as a rule, and rarely a secret."""
    return guard.apply(_storable(text), policy).text if may_name(text) else _storable(text)


def _guarded_value(value: Any, policy: guard.Screening) -> Any:
    if isinstance(value, str):
        return guard.apply(_storable(value), policy).text if value else value
    if isinstance(value, dict):
        return {
            _name(str(name), policy): _guarded_value(inner, policy) for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_guarded_value(inner, policy) for inner in value]
    return value


def _storable(text: str) -> str:
    # The record keeps what was said to the letter; only what SQLite cannot hold is replaced.
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
