"""What a newer statement makes doubtful among the lines of a turn: left out, or marked with what changed and when.

Messages that a memory of today contradicts are out of date, and it is told in their place. What names a thing that
was replaced since, or tells of what was changed, is told with that mark.
"""

from __future__ import annotations

from cogmem.records import json_list
from cogmem.text.lines import BY_THE_USER, bare, line, told_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database
    from cogmem.search.memories import Candidate
    from cogmem.turn.activation import Wanted
    from cogmem.turn.block import Costs, Item

TOLD_EVENTS = 8  # of the best events and statements that are held beside each other


def contradicted(db: Database, uids: list[str]) -> set[str]:
    """Of each two of these that cannot both hold, the one that gives way."""
    if len(uids) < 2:
        return set()
    return {uid for (uid,) in db.read("turn.contradicted", {"refs": json_list(uids)})}


def set_right(wanted: Wanted, said: list[Item], memories: list[Candidate], now: int) -> None:
    """Messages that a memory of today contradicts are out of date, and it is told in their place."""
    known = [
        (one.uid, one.content, one.created_at)
        for one in memories
        if one.state == "active" and one.is_valid(now)
    ]
    open_to = [item for item in said if not item.stage]
    ended = {bare(one.content) for one in memories if one.superseded_by is not None}
    if not (known or ended) or not open_to:
        return
    stale, heirs = wanted.amended.among([item.of for item in said], known, ended)
    over = [item for item in open_to if item.ref in stale]
    for item in over:
        item.stage = "amended"
    for one in memories:
        is_said = one.layer == "semantic" or (one.ending or "").startswith(BY_THE_USER)
        if is_said and stale.get(one.uid, 0) > one.reinforced_at:
            _mark_changed(one, stale[one.uid])
    if over:
        least = wanted.gate.least
        for one in memories:
            if one.uid in heirs and one.layer == "semantic" and one.chance is not None:
                one.chance = max(one.chance, least)


def doubt_what_names(costs: Costs, said: list[Item], memories: list[Candidate]) -> None:
    """Mark what names something that was replaced since: messages, and what events tell."""
    from cogmem.language.doubt import gone_words

    open_to = [item for item in said if not item.stage]
    events = [one for one in memories if one.layer == "episodic"]
    if not open_to and not events:
        return
    first = min([*(item.of.at for item in open_to), *(one.created_at for one in events)])
    known = {one.id: one for one in memories}
    over = [
        (old, words, new)
        for old in memories
        if old.superseded_by is not None
        and old.valid_to is not None
        and first < old.valid_to
        and (new := known.get(old.superseded_by)) is not None
        and (words := gone_words(old.content, new.content))
    ]
    for old, words, new in over:
        mark = f"check: {' '.join(words)} was replaced on {told_day(old.valid_to)}"
        for item in open_to:
            if item.of.at < old.valid_to and _names(item.of.text, words, new.content):
                item.line = line(f"{item.line[2:-1]} ({mark})")
                item.tokens = costs.line(item.line)
        for event in events:
            if event.created_at < old.valid_to and _names(event.content, words, new.content):
                event.ending = f"{event.ending}; {mark}" if event.ending else mark


def doubt_what_tells(memories: list[Candidate]) -> None:
    """Mark events that tell what a newer statement changed: "Committed: Send the newsletter on Thursdays"."""
    events = [
        (one, told)
        for one in memories
        if one.layer == "episodic" and (told := one.content.partition(": ")[2].strip(" “”"))
    ]
    newer = [one for one in memories if one.layer != "procedural" and one.superseded_by is None]
    pairs = [
        (event, told, one)
        for event, told in events[:TOLD_EVENTS]
        for one in newer[:TOLD_EVENTS]
        if one.created_at > event.created_at and bare(told) not in bare(one.content)
    ]
    if not pairs:
        return
    from cogmem.language.judge import judge

    changed: dict[str, int] = {}
    for event, told, one in pairs:
        found = judge(told, one.content) if event.uid not in changed else None
        if found is not None and found.replaces:
            changed[event.uid] = one.created_at
    for event, _ in events:
        if event.uid in changed:
            _mark_changed(event, changed[event.uid])


def _mark_changed(one: Candidate, at: int) -> None:
    mark = f"check: changed on {told_day(at)}"
    one.ending = f"{one.ending}; {mark}" if one.ending else mark


def _names(text: str, words: Sequence[str], newer: str) -> bool:
    """Tell whether a text names what is over, and does not say so itself."""
    low = text.casefold()
    return all(word in low for word in words) and bare(newer) not in low
