"""How an earlier matter stands: what a conversation came to, told from its end.

A report or an order repeats the problem; the decision stands where the talk about it ended. So once it is sure which
conversation a prompt is about, that one is told from its end, a long one by the lines that it left as well, and
likeness to the prompt cuts none of it. A match that is only fair gets a few lines.
"""

from __future__ import annotations

from cogmem.cached import lru_cache
from cogmem.records import json_numbers
from cogmem.search.ground import BITS, conversation_of, seq_of
from cogmem.search.matters import told
from cogmem.search.messages import USER, Evidence, lines_at
from cogmem.search.sayings import MET, sayings
from cogmem.strength import DAY_MS
from cogmem.turn.chosen import FEW, MANY, SAYING, SURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.sayings import Saying
    from cogmem.turn.activation import View, Wanted

CLOSING = 12  # messages at the end of a conversation that say what it came to
REPORTED = 0.3  # … that of a report, which has the words of its problem: told from its end, it may fill the room
SHORT = 24  # messages; so short a talk is told itself, a longer one by its lines as well
LONG = 200  # tokens of a message at the end of a talk that is told whole
SENTENCES = 4  # of a longer message at the end of a short talk that are told
# Of what the person said before: messages that are told, conversations that these are from, and their tokens; within
# a session, where one begins, and where one begins that is about a life, whose matters are many.
WITHIN, OPENING, OF_LIFE = (8, 4, 300), (8, 4, 500), (16, 8, 900)
NEAR = 2.0  # of a life: how far below the best score others are told
NOTHING = -6.0  # the score where there is none
FOLLOWING = 3  # messages behind a question that may answer it
ANSWER_READ = 4_000  # characters of each that are read, from its end
ANSWERS = 0.24  # the chance from which a sentence of these is told as the answer
CHARACTERS = 3  # of a text that make a token, at least
PASSAGES_OF = 8  # messages at the end of a conversation that are read for its passages
LEAST = 0.1  # the chance from which a closing passage is told
AGENT = "assistant"


class Stands:
    """One line of how a conversation stands."""

    def __init__(
        self, conversation: int, ref: str, kind: str, text: str, who: str, at: int, score: float, seq: int
    ) -> None:  # fmt: skip
        self.conversation = conversation  # its row
        self.ref = ref  # mem_… of a line, msg_… of a closing passage
        self.kind = kind
        self.text = text  # it stands alone, without its date
        self.who = who  # user, agent or a name
        self.at = at
        self.score = score  # 0 to 1: the chance that it helps somebody later
        self.seq = seq  # the place of its message


def stands(view: View, wanted: Wanted) -> tuple[list[Evidence], set[int]]:
    """Return what is told of the conversation that a prompt is about, its end first, and which it supersedes."""
    gate = wanted.gate
    # A report of trouble and who asks why have the words of a matter: an order is told what the person said before.
    asks = gate.asking.trouble or gate.asking.why
    # Most trouble within a session is the session's own.
    least = SURE if gate.situation.get("inner") else gate.least
    if not gate.least or gate.chance < least or not asks or gate.is_pasted:
        return [], set()
    talk, over = told(view.db, gate.matters, gate.talks)
    if not talk:
        return [], set()
    sure = gate.chance >= REPORTED
    most = MANY if sure else FEW
    closing = _closing(view, talk) if sure else []
    if closing and seq_of(closing[0].place) < SHORT:
        found = [_in_short(one) for one in closing]
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


def said_before(view: View, wanted: Wanted, over: set[int], is_told: bool) -> list[Evidence]:
    """Return what the person said in earlier sessions that bears on the prompt, the best first.

    A question is told what answers it instead; within a session only what has a word of the prompt is told, beside a
    matter only what has much of it. How well the best one bears on the prompt says as well whether anything does,
    unless a matter is told already.
    """
    gate = wanted.gate
    is_question = gate.asking.asks and not gate.asking.why and not gate.is_of_life
    if not gate.least or gate.chance < gate.least or is_question:
        return []
    inner = gate.situation.get("inner")
    least_share = MET if is_told else 1e-9 if inner else 0.0
    found = [
        one
        for one in sayings(view.db, view.scope, gate, view.now)
        if one.share >= least_share and conversation_of(one.place) not in over
    ]
    if not is_told and not gate.is_of_life:
        gate.hears(found[0].score if found else NOTHING)
        if gate.chance < gate.least:
            return []
    behind = _following(view, [one for one in found if one.asks])
    chosen: list[Evidence] = []
    most, most_talks, room = OF_LIFE if gate.is_of_life else WITHIN if inner else OPENING
    talks: set[int] = set()
    least = found[0].score - NEAR if found and gate.is_of_life else NOTHING
    for one in found:
        if one.score < least:
            break
        talk = conversation_of(one.place)
        if talk not in talks and len(talks) == most_talks:
            continue
        text = _told(one, behind.get(one.place, []))
        cost = len(text) // CHARACTERS
        if not text or cost > room:
            continue
        talks.add(talk)
        room -= cost
        counted = one.row[4:6] if text == one.row[3] else (None, "")
        # What is told whole costs what was counted when it was said.
        said = Evidence((*one.row[:3], text, *counted, *one.row[6:]), 1.0, 1.0)
        said.chance = gate.chance if one.share else 0.0
        chosen.append(said)
        if len(chosen) == most:
            break
    return chosen


def _told(one: Saying, behind: Sequence[tuple[Any, ...]]) -> str:
    """Return a message of the person as it is told: a question with the answer that it got; nothing of what lasts no
    longer than its moment, or of a question that got none."""
    text: str = one.row[3]
    answer = _answer(text, tuple((row[2], row[3]) for row in behind)) if one.asks and behind else ""
    return f"{text} — {answer}" if answer else text if one.lasts else ""


@lru_cache(maxsize=64)
def _answer(question: str, behind: tuple[tuple[str, str], ...]) -> str:
    """Return what answers a question best of what was said behind it, and who said that; nothing if nothing does."""
    from cogmem.language import passages

    said = [(who, text[-ANSWER_READ:]) for who, text in behind]
    found = passages.judged([(USER, question), *said])
    best = passages.best([part for part in found if part.number], 1, least=ANSWERS)
    return f"{said[best[0].number - 1][0]}: {best[0].text}" if best else ""


def _following(view: View, questions: Sequence[Saying]) -> dict[int, list[tuple[Any, ...]]]:
    """Return what was said behind questions before the person spoke again, by the places of these."""
    if not questions:
        return {}
    steps = range(1, FOLLOWING + 1)
    places = sorted({one.place + step for one in questions for step in steps})
    rows = lines_at(view.db, view.scope, places)
    found: dict[int, list[tuple[Any, ...]]] = {}
    for one in questions:
        of_it: list[tuple[Any, ...]] = []
        found[one.place] = of_it
        for step in steps:
            row = rows.get(one.place + step)
            if row is None or row[2] == USER:
                break
            of_it.append(row)
    return found


def _closing(view: View, talk: int) -> list[Evidence]:
    """Return the last messages of a conversation that say something, newest first."""
    asked = {"conversation": talk, "until": view.now + DAY_MS, "limit": CLOSING}
    places = [row[0] for row in view.db.read("messages.closing", asked)]
    of_place = lines_at(view.db, view.scope, places)
    last = [Evidence(of_place[place], 1.0, 1.0) for place in places if place in of_place]
    return [one for one in last if len(one.text.split()) >= SAYING]


def _in_short(one: Evidence) -> Evidence:
    """Return a message as it is told: of a long one the sentences that decide."""
    if (one.tokens or 0) > LONG and (deciding := _deciding(one.who, one.text)):
        one.text, one.tokens = deciding, None
    return one


@lru_cache(maxsize=64)
def _deciding(who: str, text: str) -> str:
    from cogmem.language import passages

    best = passages.best(passages.judged([(who, text)]), SENTENCES, least=LEAST)
    return " … ".join([passage.text for passage in best])


def _as_evidence(line: Stands) -> Evidence:
    """Return a line that a conversation left, as what was said there."""
    place = (line.conversation << BITS) + line.seq
    row = (place, 0, line.who, line.text, None, "", line.at, "")
    one = Evidence(row, 1.0, 1.0)
    one.ref = line.ref
    return one


def standing(
    db: Database, scope: Scope, conversations: Sequence[int], now: int, *, most: int = 8
) -> dict[int, list[Stands]]:
    """Tell how conversations stand, by their rows: of each at most so many lines, newest first."""
    told = lines_left(db, scope, conversations, now, most=most)
    untold = [number for number, lines in told.items() if not lines]
    if untold:
        closing: dict[int, list[tuple[Any, ...]]] = {}
        asked = {"conversations": json_numbers(untold), "now": now, "most": PASSAGES_OF}
        for row in db.read("matter.closing", {**scope.hearer(), **asked}):
            closing.setdefault(row[0], []).append(row)
        for number, rows in closing.items():
            told[number] = _passages(number, rows, most)
    return told


def lines_left(
    db: Database, scope: Scope, conversations: Sequence[int], now: int, *, most: int
) -> dict[int, list[Stands]]:
    """Return the lines that conversations left, of each at most so many."""
    told: dict[int, list[Stands]] = {number: [] for number in conversations}
    asked = {"conversations": json_numbers(conversations), "now": now}
    for row in db.read("matter.lines", {**scope.viewer(), **asked}):
        told[row[0]].append(Stands(*row))
    return {number: lines[:most] for number, lines in told.items()}


def _passages(number: int, rows: Sequence[tuple[Any, ...]], most: int) -> list[Stands]:
    """Return the passages of its last messages that are worth telling, newest first."""
    from cogmem.language import passages

    found = passages.judged([(role, text) for _, _, _, role, _, text, _ in rows])
    told = []
    for one in reversed(passages.best(found, most, least=LEAST)):
        _, seq, message, role, speaker, _, at = rows[one.number]
        who = speaker or ("agent" if role == AGENT else role)
        told.append(Stands(number, f"msg_{message}", one.sort, one.text, who, at, one.chance, seq))
    return told
