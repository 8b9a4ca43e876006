"""Making a message list shorter: what stays, what a summary tells instead, and what an emergency cuts.

A plan keeps the beginning, the end and, between them, the messages that matter; calls and their
results stay together. Lists beyond a hundred messages are told chunk by chunk, then as a whole.
"""

from __future__ import annotations

import itertools
import re
from functools import partial

from cogmem.conversation.extract import condense, extract
from cogmem.conversation.parts import answers, calls, spelled, text_of, whole_before, whole_from
from cogmem.conversation.summarise import preserving_prompt
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal

    from cogmem.conversation.policy import Strategy
    from cogmem.conversation.summarise import Teller

    Messages = Sequence[Mapping[str, Any]]
    Level = Literal["low", "normal", "high", "critical"]

HIERARCHICAL = 100  # messages to be told beyond which it goes chunk by chunk
SHORTEST_CHUNK, LONGEST_CHUNK = 15, 60
MARKS = ("[Summary of earlier messages]", "[End of summary]")
LONG_MARKS = ("[Summary of a long conversation, part by part]", "[End of summary]")
LONGEST_SUMMARY = 2_000  # tokens
KEPT_IN_EMERGENCY = 2
UNTOUCHED = 4  # messages of a list that no emergency shortens
EMERGENCY_SHARE = 0.7  # of the limit


class Plan(NamedTuple):
    """Places of messages: kept at the start, told by a summary, kept among those, kept at the end."""

    start: list[int]
    summarise: list[int]
    kept: list[int]
    end: list[int]


def plan(messages: Messages, strategy: Strategy) -> Plan | None:
    """Return what a strategy does with a list; None where it is too short to become shorter."""
    count = len(messages)
    if count < strategy.min_messages:
        return None
    is_long = count > strategy.max_messages
    recent = max(5, strategy.max_messages // 3) if is_long else strategy.keep_end
    first = whole_from(messages, min(strategy.keep_start, count))
    last = whole_before(messages, max(first, count - recent))
    if last <= first:
        return None
    middle = range(first, last)
    matters = {place for place in middle if score(messages[place]).level in ("high", "critical")}
    asked = {one: place for place in middle for one in calls(messages[place]["parts"])}
    answered = [(one, place) for place in middle for one in answers(messages[place]["parts"])]
    pairs = [(asked[one], place) for one, place in answered if one in asked]
    grown = True
    while grown:  # a call that stays takes its results along, and the other way round
        grown = False
        for one, other in pairs:
            if (one in matters) != (other in matters):
                matters |= {one, other}
                grown = True
    summarise = [place for place in middle if place not in matters]
    if not summarise:
        return None
    return Plan(list(range(first)), summarise, sorted(matters), list(range(last, count)))


def recent_plan(messages: Messages, keep: int, min_messages: int) -> Plan | None:
    """Return everything but the last `keep` messages is told; None where too little would be."""
    last = whole_before(messages, max(0, len(messages) - keep))
    if last < min_messages:
        return None
    return Plan([], list(range(last)), [], list(range(last, len(messages))))


def emergency(messages: Messages, costs: Sequence[int], limit: int) -> list[int]:
    """Places that stay when the list exceeds the limit and there is no time for a summary."""
    count = len(messages)
    if count <= UNTOUCHED:
        return list(range(count))
    first = whole_from(messages, KEPT_IN_EMERGENCY)
    room = int(limit * EMERGENCY_SHARE) - sum(costs[:first])
    start = count
    while start > first and costs[start - 1] <= room:
        start -= 1
        room -= costs[start]
    last = whole_from(messages, start)
    if last == count:  # without the newest message the list is worth nothing
        last = whole_before(messages, count - 1)
    return [*range(first), *range(max(first, last), count)]


def summary_of(
    messages: Messages, strategy: Strategy, teller: Teller, span: tuple[int, int] = (0, 0)
) -> dict[str, Any]:
    """Return one user message that stands for many, between its marks."""
    counter = teller.counter
    if strategy.drop_tool_calls:
        said = [one for one in messages if any(p.get("type") == "text" for p in one["parts"])]
        messages = said or messages
    is_long = len(messages) > HIERARCHICAL
    groups = list(chunks(messages)) if is_long else [messages]
    told = []
    for group in groups:
        source = "\n".join(map(formatted, group))
        goal = int(counter.count(source) * strategy.ratio)
        goal = max(120, min(LONGEST_SUMMARY // len(groups), goal))

        extractive = partial(extract, group, hinted=False)
        wording = preserving_prompt(strategy.ratio, teller.settings)
        one = teller.tell(source, extractive, target=goal, wording=wording, span=span)
        told.append(one.content)
    text, whole = told[0], "\n\n".join(told)
    if is_long:
        text = teller.tell(
            whole, partial(condense, told), target=LONGEST_SUMMARY, depth=1, span=span
        ).content
    begin, end = LONG_MARKS if is_long else MARKS
    return {"role": "user", "parts": [{"type": "text", "text": f"{begin}\n{text}\n{end}"}]}


def formatted(message: Mapping[str, Any]) -> str:
    """Return a message as a model reads it that summarises: long texts and results without their middles."""
    rows = []
    for part in message["parts"]:
        kind = part.get("type")
        if kind == "text":
            rows.append(_ends(part["text"], 4000, 100, 40))
        elif kind == "tool_call":
            asked = _ends(spelled(part.get("arguments")), 1000, 40, 20)
            rows.append(f"calls {part.get('name')}({asked})")
        elif kind == "tool_result":
            name = "error" if part.get("is_error") else "result"
            rows.append(f"{name}: {_ends(spelled(part.get('content')), 1000, 40, 20)}")
    return f"{message['role']}: " + "\n".join(rows)


def _ends(text: str, characters: int, most_lines: int, ends: int) -> str:
    if len(text) <= characters:
        return text
    rows = text.split("\n")
    if len(rows) <= most_lines:
        return text[:characters]
    skipped = len(rows) - 2 * ends
    return "\n".join([*rows[:ends], f"[{skipped} lines are left out]", *rows[-ends:]])


# -- how much a message matters --------------------------------------------------------------------

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
            has_error = has_error or bool(part.get("is_error"))
            value += 0.3 if part.get("is_error") else 0.05
            value -= 0.1 * (len(spelled(part.get("content"))) > 5000)
    value = min(1.0, max(0.0, value))
    if is_system or has_error:
        return Score(1.0, "critical")
    if is_edit:
        return Score(0.8, "high")
    level: Level = "low" if value < 0.3 else "high" if value > 0.7 else "normal"
    return Score(value, level)


def is_low(message: Mapping[str, Any]) -> bool:
    """Return a good place to end a chunk: a short acknowledgement, or the answer of a glance at files."""
    used = [part for part in message["parts"] if part.get("type") != "text"]
    names = {str(part.get("name", "")).lower() for part in used}
    if names:
        return names <= set(_LOOKING)
    text = text_of(message["parts"]).strip()
    return len(text) < _SHORT and bool(_ACKNOWLEDGED.match(text))


def chunks(messages: Messages) -> Iterator[Messages]:
    """Chunks that end where a topic may end; a short tail joins the chunk before it."""
    cuts = [0]
    for place, message in enumerate(messages, 1):
        length = place - cuts[-1]
        if length >= LONGEST_CHUNK or (length >= SHORTEST_CHUNK and is_low(message)):
            cuts.append(place)
    if len(messages) - cuts[-1] < SHORTEST_CHUNK and len(cuts) > 1:
        cuts.pop()
    cuts += [len(messages)] * (cuts[-1] < len(messages))
    for start, end in itertools.pairwise(cuts):
        yield messages[start:end]
