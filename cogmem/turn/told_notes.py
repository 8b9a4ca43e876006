"""Notes that a model left, as lines of a turn: told instead of what they were made from, with the words behind them.

A message that answers a question in its own words is told beside them all the same.
"""

from __future__ import annotations

from cogmem.language.cue import read_cue
from cogmem.records import json_numbers
from cogmem.search.gate import typed_part
from cogmem.search.ground import conversation_of
from cogmem.search.messages import lines_at
from cogmem.search.noted import CLOSE, MOST, noted
from cogmem.text.lines import one_line
from cogmem.turn.chosen import HEARD, SURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.search.memories import Candidate
    from cogmem.turn.activation import View, Wanted
    from cogmem.turn.block import Item

QUOTED = 60  # tokens of the words that bear a note out
SPEAKERS = {"user": "the user", "assistant": "the agent"}


def bearing(
    view: View,
    wanted: Wanted,
    said: list[Item],
    memories: list[Candidate],
    as_item: Callable[[View, Wanted, Candidate], Item],
) -> tuple[list[Item], set[int]]:
    """Return the notes that may bear on the prompt, as lines, of which the few best may be told; and which of the
    other memories rules had heard in what the notes tell."""
    gate, db = wanted.gate, view.db
    heard = json_numbers([one.id for one in memories if one.source == HEARD])
    places = db.read("noted.borne_out", {"ids": heard})
    talks = {
        conversation_of(place)
        for place in (*(item.of.place for item in said), *(row[1] for row in places))
    }
    left = noted(db, view.scope, gate, memories, talks, view.now)
    for item in said:
        if item.stage or gate.answers(item.of.place):
            continue
        if left.stands_for(item.of.place):
            item.stage = "noted"
        elif left.are_most_read and gate.chance < SURE:  # notes are the better material
            item.stage = "rank"
    notes = [as_item(view, wanted, one) for one in left.found if one.uid not in wanted.stable]
    odds = [_odds(item) for item in notes if not item.stage][:MOST]
    least = max(odds[-1], CLOSE * odds[0]) if odds else 0.0
    for item in notes:
        if not item.stage and _odds(item) < least:
            item.stage = "rank"
    _quote(view, [item.of for item in notes if not item.stage])
    told = [item if item.stage else as_item(view, wanted, item.of) for item in notes]
    return told, {uid for uid, place in places if left.stands_for(place)}


def _quote(view: View, notes: list[Candidate]) -> None:
    """Let notes be told with the words that bear them out, where these say more: the person's before the agent's."""
    of_note: dict[int, list[int]] = {}
    asked = {"ids": json_numbers([one.id for one in notes])}
    for number, place in view.db.read("noted.borne_out", asked) if notes else ():
        of_note.setdefault(number, []).append(place)
    if not of_note:
        return
    from cogmem.language.telling import telling
    from cogmem.text.passage import passage

    every = sorted({place for places in of_note.values() for place in places})
    said = lines_at(view.db, view.scope, every)
    for one in notes:
        rows = [said[place] for place in of_note.get(one.id, ()) if place in said]
        rows.sort(key=lambda row: row[2] == "assistant")
        for _, _, who, text, *_ in rows:
            words = one_line(text if who == "assistant" else typed_part(text))
            words = passage(words, read_cue(one.content), view.db.stems, QUOTED)
            if telling(words) <= telling(one.content):
                continue
            told = f"{SPEAKERS.get(who, who)}: “{words}”"
            one.ending = f"{one.ending}; {told}" if one.ending else told
            break


def _odds(item: Item) -> float:
    chance = min(item.chance or 0.0, 0.999)
    return chance / (1 - chance)
