"""How much one message matters when a message list has to become shorter."""

from __future__ import annotations

import itertools
import re

from cogmem.conversation.parts import spelled, text_of
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal

    Level = Literal["low", "normal", "high", "critical"]

_SYSTEM = ("system prompt", "instructions", "context preservation")
_DECISIONS = re.compile(
    r"(?i)\b(?:decided?|decision|chose|chosen|agreed|will use|instead of|approach|architecture|must|always|never)\b"
)
_ERRORS = re.compile(
    r"(?i)\b(?:errors?|failed|exceptions?|bugs?|issues?|problems?|warnings?|not found)\b"
)
_NO_ERRORS = re.compile(
    r"(?i)\b(?:no|0|without(?: any)?|zero) (?:errors?|problems?|warnings?|issues?)\b"
)
_EDITING = ("write", "edit", "bash")
_LOOKING = ("read", "list_dir", "tree", "glob", "git_log", "env", "task_output")
_SHORT = 100  # characters of an acknowledgement
_ACKNOWLEDGED = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes|no|sure|thanks?|thank you|great|perfect|done|got it|go on|continue|sounds good|nice)\b"
)


class Score(NamedTuple):
    """A value from 0 to 1, and the level that decides."""

    value: float
    level: Level
    has_error: bool
    is_edit: bool
    is_system: bool


def score(message: Mapping[str, Any]) -> Score:
    """Critical: errors and instructions. High: edits. Low: glances at files."""
    value = 0.5 + (0.1 if message["role"] == "user" else 0.0)
    is_system = message["role"] == "system"
    has_error = is_edit = False
    text = text_of(message["parts"])
    if text:
        low = text.lower()
        is_system = is_system or any(words in low for words in _SYSTEM)
        value += 0.1 * len({match.lower() for match in _DECISIONS.findall(text)})
        errors = {match.lower() for match in _ERRORS.findall(_NO_ERRORS.sub(" ", text))}
        has_error = bool(errors)
        value += 0.2 * len(errors)
    for part in message["parts"]:
        if part.get("type") == "tool_call":
            name = str(part.get("name", "")).lower()
            if name in _EDITING:
                is_edit = True
                value += 0.3
            elif name in _LOOKING:
                value = max(0.2, value - 0.1)
        elif part.get("type") == "tool_result":
            content = spelled(part.get("content"))
            if part.get("is_error"):
                has_error = True
                value += 0.3
            else:
                value += 0.05
            if len(content) > 5000:
                value -= 0.1
    value = min(1.0, max(0.0, value))
    if is_system or has_error:
        return Score(1.0, "critical", has_error, is_edit, is_system)
    if is_edit:
        return Score(0.8, "high", has_error, is_edit, is_system)
    level: Level = "low" if value < 0.3 else "high" if value > 0.7 else "normal"
    return Score(value, level, has_error, is_edit, is_system)


def is_low(message: Mapping[str, Any]) -> bool:
    """Return a good place to end a chunk: a short acknowledgement, or the answer of a glance at files."""
    names = {
        str(part.get("name", "")).lower() for part in message["parts"] if part.get("type") != "text"
    }
    if names:
        return names <= set(_LOOKING)
    text = text_of(message["parts"]).strip()
    return len(text) < _SHORT and bool(_ACKNOWLEDGED.match(text))


def chunks(
    messages: Sequence[Mapping[str, Any]], *, shortest: int = 15, longest: int = 60
) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Chunks that end where a topic may end; a short tail joins the chunk before it."""
    cuts = [0]
    for place, message in enumerate(messages, 1):
        length = place - cuts[-1]
        if length >= longest or (length >= shortest and is_low(message)):
            cuts.append(place)
    if cuts[-1] < len(messages):
        if len(messages) - cuts[-1] < shortest and len(cuts) > 1:
            cuts[-1] = len(messages)
        else:
            cuts.append(len(messages))
    for start, end in itertools.pairwise(cuts):
        yield messages[start:end]
