"""Stage deduplicate: one call of the model says what each proposal is to the memories it may meet.

skip it, create it, merge it into one of them, or delete one of them and create it. What the answer does
not say, says wrongly or says of memories that were not offered comes down to create: a call that fails
creates everything, and the write path still recognises what says the same.
"""

from __future__ import annotations

import json

from cogmem.errors import NotRecorded
from cogmem.extraction.reading import read
from cogmem.extraction.work import ACTIONS, CONFLICTS
from cogmem.guard import guard
from cogmem.language.contradiction import polarity
from cogmem.models import prompts
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.extraction.work import Proposal, Work
    from cogmem.records import Remembered

SHOWN = 600  # characters of a memory that the model is shown; a longer one may not be merged
ANSWER_TOKENS = 2_000
SLACK = 80  # characters that a merged text may be longer than both together
_TELLING = ("action", "decision")
_TARGETS = ("target_id", "target", "id")
_SCHEMA = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "index": {"type": "integer"},
                    "action": {"type": "string", "enum": list(ACTIONS)},
                    "target_id": {"type": ["integer", "null"]},
                    "merged_content": {"type": ["string", "null"]},
                    "conflict_type": {"type": ["string", "null"], "enum": [*CONFLICTS, None]},
                },
                "required": ["index", "action", "target_id", "merged_content", "conflict_type"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["results"],
    "additionalProperties": False,
}


def deduplicate(work: Work) -> None:
    """Ask once about all proposals that meet something; those that meet nothing are created."""
    meeting = []
    for one in work.open():
        if one.offered and not is_held(one):
            meeting.append(one)
        elif work.is_retry and one.offered:
            one.drop("skipped", "an earlier attempt stored it")
    if not meeting:
        return
    # The same talk gives the same question: memories are numbered, not named.
    numbers: dict[str, int] = {}
    for one in meeting:
        for memory in one.offered:
            numbers.setdefault(memory.uid, len(numbers) + 1)
    told = [_told(place, one, numbers) for place, one in enumerate(meeting)]
    question = json.dumps(told, ensure_ascii=False)
    try:
        instructions = prompts.prompt("deduplicate", work.store.settings())
        answer = work.ask(
            "deduplicate",
            question,
            system=instructions.filled(),
            schema=_SCHEMA,
            max_tokens=ANSWER_TOKENS,
        )
        found = read(answer, _TELLING)
    except NotRecorded:
        raise
    except (
        Exception
    ):  # whatever a model's client raises, or a prompt of one's own that cannot stand
        work.measures.count("errors", "deduplicate")
        work.measures.count("fallbacks", "deduplicate")
        return
    if not found.items:
        work.measures.count("fallbacks", "deduplicate")
        return
    seen: set[int] = set()
    for place, item in enumerate(found.items):
        number = _number(item.get("index", place))
        if number is None or not 0 <= number < len(meeting) or number in seen:
            continue  # of two answers on one proposal the first counts
        seen.add(number)
        decide(work, meeting[number], item, numbers)


def decide(work: Work, one: Proposal, item: dict[str, Any], numbers: dict[str, int]) -> None:
    """Take over what an answer says of one proposal, as far as it may be."""
    action = str(item.get("action", item.get("decision", ""))).strip().casefold()
    conflict = str(item.get("conflict_type") or "").strip().casefold()
    conflict = conflict if conflict in CONFLICTS else ""
    named = next((_number(item[name]) for name in _TARGETS if item.get(name)), None)
    target = next((memory for memory in one.offered if numbers[memory.uid] == named), None)
    merged = item.get("merged_content")
    merged = guard.normalise(merged) if isinstance(merged, str) else ""
    if conflict:
        one.conflict = conflict
        work.measures.count("conflicts", conflict)
    if action == "delete" and conflict == "context_dependent":
        action, one.reason = "create", "both hold, each in its context"
    elif action == "delete" and conflict == "preference_change":
        action, merged = "merge", merged or one.content
    if action == "merge":
        fault = _cannot_merge(one, target, merged)
        if fault:
            action, one.reason = "create", fault
    if action == "delete" and target is None:
        action, one.reason = "create", "the memory to be deleted was not offered"
    one.action = action if action in ACTIONS else "create"
    one.is_judged = action in ACTIONS
    if one.action in ("merge", "delete") and target is not None:
        one.target = target.uid
        one.merged = merged if one.action == "merge" else ""
    if one.action == "skip":
        one.drop("skipped", "it says nothing new")


def _cannot_merge(one: Proposal, target: Remembered | None, merged: str) -> str:
    """Why two texts must stay two, or ''."""
    if target is None:
        return "the memory to be merged with was not offered"
    if not merged:
        return "there is no merged text"
    if len(target.content) > SHOWN:
        return "the memory is longer than the model was shown"
    if len(merged) > len(target.content) + len(one.content) + SLACK:
        return "the merged text says more than both"
    if one.conflict != "preference_change" and polarity(target.content) != polarity(one.content):
        return "one denies what the other says"
    if guard.apply(merged, guard.POLICIES["inferred"]).verdict == "reject":
        return "the guard refuses the merged text"
    return ""


def is_held(one: Proposal) -> bool:
    """Whether it says word for word what is held: the write path reinforces that, nobody is asked."""
    said = content_hash(one.content)
    return any(content_hash(memory.content) == said for memory in one.offered)


def _told(place: int, one: Proposal, numbers: dict[str, int]) -> dict[str, Any]:
    existing = [
        {"id": numbers[memory.uid], "content": _clean(memory.content[:SHOWN])}
        for memory in one.offered
    ]
    return {
        "index": place,
        "category": one.kind,
        "content": _clean(one.content),
        "existing": existing,
    }


def _clean(text: str) -> str:
    return guard.apply(text, guard.POLICIES["record"]).text


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:9])
    return value if isinstance(value, int) and not isinstance(value, bool) else None
