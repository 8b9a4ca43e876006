"""What the layers have for a prompt, as candidates in order: B memories fused with what was said, C procedures,
D what belongs to the files at hand. A, which no prompt changes, is `always`; which are worth telling is `chosen`.
"""

from __future__ import annotations

from cogmem.records import json_list
from cogmem.scope import fits, narrowness
from cogmem.search.figures import NAMES
from cogmem.search.ground import BITS
from cogmem.search.memories import UNTRIED, candidates, read_endings, with_heirs, with_past
from cogmem.strength import DAY_MS, age_ms, damped
from cogmem.text.lines import day_heading, held, one_line
from cogmem.turn.amended import Amended, contradicted, doubt_what_names, doubt_what_tells, set_right
from cogmem.turn.block import Item
from cogmem.turn.chosen import (
    FAINT,
    SAYING,
    SURE,
    TAIL_OF_ASSISTANT,
    choose,
    is_quoted,
    may_tell_messages,
)
from cogmem.turn.cited import past_of, told_by_reasons
from cogmem.turn.intended import INTENTION
from cogmem.turn.matter import said_before, stands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.search.memories import Candidate
    from cogmem.search.messages import Evidence
    from cogmem.turn.activation import View, Wanted
    from cogmem.turn.block import Costs

SCOPED_ROWS = 100
EVIDENCE = 120  # recorded messages that are candidates for one turn
CONSIDERED = 64  # memories of a layer that may be shown: more never fit a budget
LEAST_CONSIDERED = 20  # in any case; beyond, until they cost twice what there is room for
# What a message itself has of a prompt.
MEANING, ALIKE = NAMES.index("meaning"), NAMES.index("alike")
MENDS = "failure."  # how keys begin of what went wrong and what mended it: the cure comes first
PATH_LIFT = 1.25  # what fitting the files at hand is worth in layer B


def fitting(
    view: View, wanted: Wanted, room: int, session: str
) -> tuple[list[Item], list[Item], list[Item]]:
    """Layers B, C and D: facts and lines of what was said, procedures, and what belongs to the files at hand."""
    amended = Amended(wanted)
    closing: list[Item] = []
    said: list[Item] = []
    # Many a memory records no conversation.
    if wanted.cue and view.db.is_so("turn.is_anything_said"):
        closing, said = _talk(view, wanted, room, session, amended)
    facts, ways = _relevant(view, wanted, room, closing, said, amended)
    return facts, ways, _about_files(view, wanted)


def _talk(
    view: View, wanted: Wanted, room: int, session: str, amended: Amended
) -> tuple[list[Item], list[Item]]:
    """Lines of recorded messages that may answer: how a matter stands with the person's own words, and the others."""
    from cogmem.search.messages import searched

    gate = wanted.gate
    search = searched(
        view.db,
        wanted.cue,
        view.scope,
        view.now,
        limit=EVIDENCE,
        room=room,
        session=session,
        prompt=wanted.text,
        near=wanted.near,
        gate=gate,
        second=wanted.second,
        of_tools=False,
    )
    opens = search is not None and search.opens()
    matter, over = stands(view, wanted)
    wanted.matter = {one.ref for one in matter}
    before = said_before(view, wanted, over, bool(matter))
    first = {one.ref: one for one in (*matter, *before)}
    wanted.is_own_told = bool([one for one in before if one.ref not in wanted.matter])
    found = search.lines() if search is not None and opens and may_tell_messages(wanted) else []
    # Who asks for what was gets both; where the gate is silent there is nothing to take the place of.
    is_silent = gate.chance < gate.least
    stale: dict[str, int] = {}
    if gate.least and not is_silent and wanted.past is None:
        stale, heirs = amended.among(found)
        for one in found if heirs else ():
            if one.ref in heirs:  # it takes a place, however little it has of the prompt
                one.chance = max(one.chance or 0.0, FAINT)
                one.relevance = max(one.relevance, TAIL_OF_ASSISTANT)
    amended.chosen = first
    said = as_items(found, view.costs)
    for item in said:
        item.chance, item.marks, item.row = item.of.chance, gate.talk, item.of.figures
        if is_silent:
            item.stage = "silent"
        elif item.ref in wanted.again:
            item.stage = "shown"
        elif item.ref in stale or item.of.place >> BITS in over:
            item.stage = "amended"
    if gate.least:
        _lean(said)
    closing = as_items([*first.values()], view.costs)
    for item in closing:
        item.chance, item.marks = gate.chance, gate.talk
        item.stage = "shown" if item.ref in wanted.again else ""
    return closing, [item for item in said if item.ref not in first] if first else said


def _lean(said: Sequence[Item]) -> None:
    """Tie what says nothing of the prompt to the messages right beside it that do."""
    telling = {
        item.of.place: item for item in said if item.row and (item.row[MEANING] or item.row[ALIKE])
    }
    for item in said:
        place = item.of.place
        if not item.stage and place not in telling:
            places = (place - 1, place + 1, place - 2, place + 2)
            item.leans_on = [telling[near] for near in places if near in telling]


def as_items(found: Sequence[Evidence], costs: Costs) -> list[Item]:
    """Candidates of layer B: a line each, under the day on which its conversation had it."""
    groups: dict[tuple[int, int], tuple[int, str, int]] = {}
    items = []
    trusted = costs.trusted
    for one in found:
        day = (one.place >> BITS, one.at // DAY_MS)
        group = groups.get(day)
        if group is None:
            heading = day_heading(one.at)
            group = groups[day] = (day[0], heading, costs.line(heading))
        text = f"- {one.who}: {one.text}\n"
        tokens = one.tokens
        if tokens is None or one.token_counter not in trusted:
            tokens = costs.line(text)
        item = Item(one.ref, "B", "message", text, tokens, group, one.at, one)
        item.relevance, item.score = one.relevance, one.score
        items.append(item)
    return items


def _relevant(
    view: View, wanted: Wanted, room: int, closing: list[Item], rest: list[Item], amended: Amended
) -> tuple[list[Item], list[Item]]:
    """Layers B and C: memories that fit the prompt, fused with the lines of what was said, and procedures; and what
    holds no more, where the prompt asks for it."""
    gate = wanted.gate
    said = [*closing, *rest]
    # Where something was said, a memory may take its place; and who asks why wants what is kept out, too.
    alone = not said and not wanted.past and gate.least and not gate.explains
    vectors = wanted.near is not None or wanted.second is not None
    is_noted = bool(gate.least) and view.db.is_so("noted.is_any")
    found = candidates(
        view.db,
        wanted.cue,
        view.scope,
        room=room,
        near=wanted.near,
        gate=gate,
        second=wanted.second,
        only_likely=bool(alone) and not vectors and not is_noted,
    )
    has_replaced = bool([one for one in found if one.superseded_by is not None])
    if wanted.past:
        found = with_past(view.db, view.scope, found)
    elif has_replaced:
        found = with_heirs(view.db, view.scope, found, gate.least)
    # What is less likely is told only where it takes the place of what was said.
    least = 0.0 if said or gate.explains else gate.least
    likely = [one for one in found if one.chance is None or one.chance >= least]
    read_endings(view.db, likely)
    if not wanted.past:
        if has_replaced:
            doubt_what_names(view.costs, said, found)
        doubt_what_tells([one for one in found if (one.chance or 0.0) >= gate.least])
        if said and gate.least:
            set_right(amended, gate.least, said, found, view.now)
    notes: list[Item] = []
    instead: set[int] = set()
    if is_noted or (gate.least and [one for one in found if one.source == "inferred"]):
        from cogmem.turn.told_notes import bearing

        notes, instead = bearing(view, wanted, said, found, _item)
    told = told_by_reasons(found)
    known = wanted.stable | {item.ref for item in closing}
    of_notes = {item.of.id for item in notes}
    # What a session is told now, as no question, it need not hear again.
    is_told_now = bool(gate.situation.get("inner")) and not gate.asking.asks
    is_shut = bool(gate.least) and gate.is_within and gate.chance < gate.least
    memories = []
    for one in found:
        if one.uid in known or one.kind == INTENTION or one.id in of_notes:
            continue
        item = _item(view, wanted, one)
        memories.append(item)
        if item.stage:
            continue
        is_line = one.layer == "episodic"
        may_be_in = gate.least and (is_told_now or one.layer != "semantic")
        if one.uid in told or (may_be_in and _is_in(one, wanted)):
            item.stage = "duplicate"
        # A line of a conversation that has notes says less than they; what was heard there may be sure.
        elif one.id in instead and (is_line or (one.chance or 0.0) < SURE):
            item.stage = "noted"
        elif is_shut and is_line:
            item.stage = "silent"
        elif one.layer == "procedural" and one.keeps_failing:
            item.stage = "failing"
    if gate.least:  # at 0 nothing is kept back
        choose(wanted, closing, rest, memories)
    if open_to_all := [item for item in said if not item.stage]:
        _leave_out_confided(open_to_all)
    if not wanted.past:
        # Of two that cannot both hold, and that nobody has settled, the newer one is shown.
        open_to = [item for item in memories if not item.stage and item.layer == "B"]
        doubtful = contradicted(view.db, [item.ref for item in open_to])
        for item in open_to if doubtful else ():
            if item.ref in doubtful:
                item.stage = "amended"
    facts, ways = [], []
    for item in memories:
        score, one = item.score or 0.0, item.of
        if item.layer == "B":
            facts.append((not one.key.startswith(MENDS), -score, item.ref, item))
        else:
            ways.append((one.success <= UNTRIED, -score * one.success, item.ref, item))
    facts.sort()
    ways.sort()
    shown = [row[-1] for row in facts[:LEAST_CONSIDERED]]
    asked = sum([item.tokens for item in shown])
    for *_, item in facts[LEAST_CONSIDERED:CONSIDERED]:
        if asked > 2 * room:
            break
        shown.append(item)
        asked += item.tokens
    every = [*closing, *notes[:CONSIDERED], *_fused(shown, rest)]
    return numbered(every), numbered([row[-1] for row in ways[:CONSIDERED]])


def _leave_out_confided(said: Sequence[Item]) -> None:
    """Leave out what a person asked that nobody keep, and the answer right behind it."""
    from cogmem.language.mood import is_confided

    confided = {item.of.place for item in said if is_confided(item.of.text)}
    for item in said if confided else ():
        if not confided.isdisjoint((item.of.place, item.of.place - 1)):
            item.stage = "confided"


def _is_in(one: Candidate, wanted: Wanted) -> bool:
    """Tell whether the prompt says itself what a memory has in the person's words, whatever lines and case."""
    if one.layer == "semantic":
        if one.key or len(one.content.split()) < SAYING:
            return False
    elif not is_quoted(one):
        return False
    return one_line(one.content).casefold() in wanted.folded


def _item(view: View, wanted: Wanted, one: Candidate) -> Item:
    """Return a memory as a line, and why it may not be told, if so."""
    now, gate = view.now, wanted.gate
    age = age_ms(now, one.reinforced_at, one.accessed_at)
    force = view.policy.strength_at(one.kind, age, one.reinforcement_count)
    score = one.relevance * damped(force)
    if one.path_glob and any(fits(one.path_glob, file) for file in wanted.files):
        score *= PATH_LIFT
    is_way = one.layer == "procedural"
    over = one.valid_to
    item = view.costs.item(
        one.uid,
        "C" if is_way else "B",
        one.kind,
        (one.layer, one.key, one.content, one.ending, one.steps),
        one.tokens,
        one.token_counter,
        one.source,
        0 if is_way else age,
        held(one.valid_from, over) if over is not None and over <= now else "",
    )
    item.strength, item.relevance, item.score, item.of = force, one.relevance, score, one
    item.chance, item.marks = one.chance, one.marks
    was = wanted.past is not None and one.was_valid(now, wanted.past)
    if one.state != "active":
        item.stage = "state"
    elif not was and not one.is_valid(now):
        item.stage = "superseded" if one.superseded_by is not None else "expired"
    elif not was and not is_way and force < view.threshold:
        item.stage = "weak"
    elif one.chance is not None and one.chance < gate.least:
        item.stage = "silent"
    elif one.uid in wanted.again:
        item.stage = "shown"
    elif one.uid in wanted.over:
        item.stage = "amended"
    return item


def _fused(facts: list[Item], said: list[Item]) -> list[Item]:
    """Facts and messages in one order by their ranks: their scores come from different scales."""
    if not said or not facts:
        return facts or said
    order = []
    for group in (facts, said):
        place = 0
        for item in group:
            order.append((place, item.ref, item))
            place += not item.stage
    order.sort()
    return [item for _, _, item in order]


def _about_files(view: View, wanted: Wanted) -> list[Item]:
    """Layer D: memories whose glob fits a file at hand, the more specific first; then what its repository tells."""
    files, db = wanted.files, view.db
    if not files:
        return []
    past = past_of(view, wanted)
    globs = [row[0] for row in db.read("turn.globs") if any(fits(row[0], file) for file in files)]
    if not globs:
        return numbered(past)
    asked = {"globs": json_list(globs), "now": view.now, "limit": SCOPED_ROWS}
    items = []
    for row in db.read("turn.scoped", {**view.scope.viewer(), **asked}):
        uid, kind, layer, key, content, source, priority, count, tokens, by = row[:10]
        reinforced, accessed, _, glob, ending, steps = row[10:]
        if uid in wanted.stable:
            continue
        said = layer, key, content, ending, steps
        item = view.costs.item(uid, "D", kind, said, tokens, by, source)
        if uid in wanted.again:
            item.stage = "shown"
        elif not any(map(str.isalnum, glob)):
            item.stage = "silent"  # a glob of wildcards alone fits every file: its words must speak
        item.strength = view.policy.strength(kind, view.now, reinforced, accessed, count)
        items.append((narrowness(glob), priority, item))
    items.sort(key=lambda one: (one[0], one[1], one[2].strength or 0), reverse=True)
    return numbered([item for _, _, item in items] + past)


def numbered(items: list[Item]) -> list[Item]:
    for place, item in enumerate(items):
        item.position = place
    return items
