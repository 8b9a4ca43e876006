"""How an earlier matter stands: what a conversation came to, told from its end.

A report or an order repeats the problem; the decision stands where the talk about it ended. So once it is sure which
conversation a prompt is about, that one is told from its end, a long one by the lines that it left as well, and
likeness to the prompt cuts none of it. A match that is only fair gets a few lines.
"""

from __future__ import annotations

from cogmem.records import json_numbers
from cogmem.search.gate import typed_part
from cogmem.search.matters import told
from cogmem.search.messages import Evidence
from cogmem.search.places import BITS, conversation_of, seq_of
from cogmem.search.sayings import sayings
from cogmem.strength import DAY_MS
from cogmem.turn.standing import lines_left, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.turn.activation import View, Wanted
    from cogmem.turn.standing import Stands

CLOSING = 12  # messages at the end of a conversation that say what it came to
SURE = 0.8  # the chance from which a matter is told from its end, and may fill the room
SHORT = (
    24  # messages; so short a talk is told itself, a longer one by the lines that it left as well
)
LONG = 200  # tokens of a message at the end of a longer talk that is told whole
FEW, MANY = 4, 8  # lines that a fair match is told by, and a sure one
SAYINGS = 12  # short messages of the person that are told
ROOM, ROOM_WITHIN = 400, 300  # tokens of these where a session begins, and within one
OWN = 0.8  # share of such a message that must be typed
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
    sure = gate.chance >= SURE
    most = MANY if sure else FEW
    closing = _closing(view, talk) if sure else []
    if closing and seq_of(closing[0].place) < SHORT:
        found = closing
    else:
        of_talk = standing(view.db, view.scope, [talk], view.now, most=most)
        last = [one for one in closing if (one.tokens or 0) <= LONG]
        whole = {one.place for one in last}
        found = [
            *last,
            *(one for one in map(_as_evidence, of_talk[talk]) if one.place not in whole),
        ]
        if sure:
            found.sort(key=lambda one: -one.place)
    for one in found:
        one.chance = gate.chance
    if wanted.past:
        return found, set()
    if over:
        left = lines_left(view.db, view.scope, [*over], view.now, most=most)
        wanted.over = {line.ref for lines in left.values() for line in lines}
    return found, over


def said_before(view: View, wanted: Wanted, over: set[int]) -> list[Evidence]:
    """What the person said in earlier sessions that bears on the prompt, the best first.

    A question is told what answers it instead; within a session only what has a word of the prompt is told.
    """
    gate = wanted.gate
    is_question = gate.asking.asks and not gate.asking.why
    if not gate.least or gate.chance < gate.least or is_question:
        return []
    inner = gate.situation.get("inner")
    found = [
        one
        for one in sayings(view.db, view.scope, gate, view.now)
        if conversation_of(one.place) not in over and (one.figures["covers"] or not inner)
    ]
    chosen: list[Evidence] = []
    room = ROOM_WITHIN if inner else ROOM
    for one in found:
        if one.tokens <= room and _is_typed(one.row[3]):
            room -= one.tokens
            said = Evidence(one.row, 1.0, 1.0)
            said.chance = gate.chance if one.figures["many"] else 0.0
            chosen.append(said)
            if len(chosen) == SAYINGS:
                break
    return chosen


def _is_typed(text: str) -> bool:
    return len(typed_part(text)) >= OWN * len(text)


def _closing(view: View, talk: int) -> list[Evidence]:
    """The last messages of a conversation that say something, newest first."""
    asked = {"conversation": talk, "until": view.now + DAY_MS, "limit": CLOSING}
    places = [row[0] for row in view.db.read("messages.closing", asked)]
    rows = view.db.read("messages.lines", {**view.scope.hearer(), "places": json_numbers(places)})
    of_place = {row[0]: row for row in rows}
    last = [Evidence(of_place[place], 1.0, 1.0) for place in places if place in of_place]
    return [one for one in last if len(one.text.split()) >= SAYING]


def _as_evidence(line: Stands) -> Evidence:
    """A line that a conversation left, as what was said there."""
    place = (line.conversation << BITS) + line.seq
    row = (place, 0, line.who, line.text, None, "", line.at, "")
    one = Evidence(row, 1.0, 1.0)
    one.ref = line.ref
    return one
