"""How an earlier matter stands: what a conversation came to, told from its end.

A report or an order repeats the problem; the decision stands where the talk about it ended. So once it is sure which
conversation a prompt is about, that one is told from its end, and likeness to the prompt cuts none of it.
"""

from __future__ import annotations

from cogmem.records import json_numbers
from cogmem.search.matters import told
from cogmem.search.messages import Evidence
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.turn.activation import View, Wanted

CLOSING = 12  # messages at the end of a conversation that say what it came to
SAYING = 4  # words; a shorter message at the end says yes or thanks


def stands(view: View, wanted: Wanted) -> tuple[list[Evidence], set[int]]:
    """What is told of the conversation that a prompt is about, its end first, and which ones it supersedes."""
    gate = wanted.gate
    asking = gate.asking
    begins = gate.situation.get("opening") or asking.trouble  # within a session, likeness alone
    if not gate.least or gate.chance < gate.least or not begins or (asking.asks and not asking.why):
        return [], set()
    talk, over = told(view.db, gate.matters, gate.talks)
    if not talk:
        return [], set()
    asked = {"conversation": talk, "until": view.now + DAY_MS, "limit": CLOSING}
    places = [row[0] for row in view.db.read("messages.closing", asked)]
    rows = view.db.read("messages.lines", {**view.scope.hearer(), "places": json_numbers(places)})
    of_place = {row[0]: row for row in rows}
    found = [Evidence(of_place[place], 1.0, 1.0) for place in places if place in of_place]
    found = [one for one in found if len(one.text.split()) >= SAYING]
    for one in found:
        one.chance = gate.chance
    return found, set() if wanted.past else over
