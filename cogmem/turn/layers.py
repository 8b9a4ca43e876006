"""What the layers have for a prompt, as candidates in order: B memories fused with what was said, C procedures,
D what belongs to the files at hand. A, which no prompt changes, is `always`.
"""

from __future__ import annotations

from cogmem.language.cue import read_cue
from cogmem.records import json_list, json_numbers
from cogmem.scope import fits, narrowness
from cogmem.search.figures import NAMES
from cogmem.search.gate import typed_part
from cogmem.search.memories import UNTRIED, Candidate, candidates, with_heirs, with_past
from cogmem.search.places import conversation_of
from cogmem.strength import DAY_MS, age_ms, damped
from cogmem.text.lines import (
    BY_THE_USER,
    bare,
    day_heading,
    held,
    line,
    one_line,
    told_day,
)
from cogmem.text.relevance import by_rank
from cogmem.turn.block import Costs, Item
from cogmem.turn.code import past_of, told_by_reasons
from cogmem.turn.intended import INTENTION
from cogmem.turn.matter import ROOM, SAYING, few, said_before, stands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Database
    from cogmem.search.messages import Evidence
    from cogmem.turn.activation import View, Wanted

    # Score, strength, the memory, and the stage that dropped it.
    Weighed = tuple[float, float, Candidate, str]

QUOTED = 60  # tokens of the words that bear a note out
SPEAKERS = {"user": "the user", "assistant": "the agent"}
SCOPED_ROWS = 100
EVIDENCE = 120  # recorded messages that are candidates for one turn
COVER = 0.65  # share of the best coverage in its layer from which a memory stands beside the best
CLOSE = 0.5  # share of the best relevance, likewise
NEWS = 0.8  # share of what a memory covers that nothing better covers, from which it stands beside the best
WHOLE = 400  # tokens of messages that are shown before any is left out for fitting much worse
TAIL = 0.001  # share of the best score (an exponential) from which a message is worth its tokens
TAIL_OF_ASSISTANT = 0.01  # likewise in talk with an assistant, whose messages are long and alike
TAIL_OF_VECTORS = 0.1  # of either: where vectors are weighed too, scores lie further apart
CONSIDERED = 64  # memories of a layer that may be shown: more never fit a budget
LEAST_CONSIDERED = 20  # in any case; beyond, until they cost twice what there is room for
MEANING, ALIKE = (
    NAMES.index("meaning"),
    NAMES.index("alike"),
)  # what a message itself has of a prompt
MENDS = "failure."  # how keys begin of what went wrong and what mended it: the cure comes first
SURE, FAINT = (
    0.5,
    0.02,
)  # chances: of a memory, beside which talk less likely than the other stays out
TOLD_EVENTS = 8  # of the best events and statements that are held beside each other
PATH_LIFT = 1.25  # what fitting the files at hand is worth in layer B


def talk(view: View, wanted: Wanted, room: int, session: str) -> tuple[list[Evidence], list[Item]]:
    """Recorded messages that may answer, and the lines they would take."""
    # Many a memory records no conversation.
    if not wanted.cue or not view.db.kept("is anything said", _is_anything_said):
        return [], []
    from cogmem.search.messages import evidence
    from cogmem.turn.amended import amended

    db, gate = view.db, wanted.gate
    found = evidence(
        db,
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
    said = as_items(found, view.costs)
    stale: dict[str, int] = {}
    heirs: set[str] = (
        set()
    )  # what says so and so is over takes its place, however little it has of the prompt
    # Who asks for what was gets both; where the gate is silent there is nothing to take the place of.
    if gate.least and gate.chance >= gate.least and wanted.past is None:
        stale, heirs = amended(found, wanted.cue, wanted.text)
        for one in found:
            if one.ref in heirs:
                one.chance = max(one.chance or 0.0, FAINT)
    closing, over = stands(view, wanted)
    is_told = bool(closing)
    before = said_before(view, wanted, over, is_told)
    if before:
        # A report of trouble repeats the problem: how its matter ended comes first.
        two = (closing, before) if gate.asking.trouble else (before, closing)
        closing = list({one.ref: one for part in two for one in part}.values())
    ended = {one.ref for one in closing}
    are_near = wanted.near is not None and bool(wanted.near.cosines)
    kept = 0
    for one, item in zip(found, said, strict=True):
        item.chance, item.marks, item.row = one.chance, gate.talk, one.figures
        if gate.chance < gate.least:
            item.stage = "silent"
        elif item.ref in wanted.again:
            item.stage = "shown"
        elif item.ref in stale or conversation_of(one.place) in over:
            item.stage = "amended"
        elif (
            gate.least
            and (kept >= WHOLE or len(one.text.split()) < SAYING)
            and one.relevance < _tail(one, are_near)
            and one.ref not in heirs
            and not gate.stands_out(one.place)
        ):
            item.stage = "rank"
        else:
            kept += item.tokens
    if gate.least:
        _lean(found, said)
    if gate.least and gate.is_within and (before or not is_told):
        rest = [pair for pair in zip(found, said, strict=True) if pair[0].ref not in ended]
        few(gate, rest, is_told, 0 if before else ROOM)
    if closing:
        others = [pair for pair in zip(found, said, strict=True) if pair[0].ref not in ended]
        first = as_items(closing, view.costs)
        for item in first:
            item.chance, item.marks, item.closes = gate.chance, gate.talk, True
            item.stage = "shown" if item.ref in wanted.again else ""
        found = [*closing, *(one for one, _ in others)]
        said = [*first, *(item for _, item in others)]
    return found, said


def _lean(found: Sequence[Evidence], said: Sequence[Item]) -> None:
    """Tie what says nothing of the prompt to the messages right beside it that do."""
    telling = {
        one.place: item
        for one, item in zip(found, said, strict=True)
        if one.figures and (one.figures[MEANING] or one.figures[ALIKE])
    }
    for one, item in zip(found, said, strict=True):
        if not item.stage and one.place not in telling:
            places = [one.place + step for step in (-1, 1, -2, 2)]
            item.leans_on = [telling[place] for place in places if place in telling]


def as_items(found: Sequence[Evidence], costs: Costs) -> list[Item]:
    """Candidates of layer B: a line each, under the day on which its conversation had it."""
    groups: dict[tuple[int, int], tuple[int, str, int]] = {}
    items = []
    for one in found:
        day = (conversation_of(one.place), one.at // DAY_MS)
        group = groups.get(day)
        if group is None:
            heading = day_heading(one.at)
            group = groups[day] = (day[0], heading, costs.line(heading))
        text = line(f"{one.who}: {one.text}")
        tokens = costs.line(text, one.tokens, one.token_counter)
        items.append(
            Item(
                one.ref,
                "B",
                "message",
                text,
                tokens,
                relevance=one.relevance,
                score=one.score,
                group=group,
                at=one.at,
            )
        )
    return items


def _is_anything_said(db: Database) -> bool:
    return bool(db.read("turn.is_anything_said")[0][0])


def _tail(one: Evidence, are_near: bool) -> float:
    """The share of the best score from which a message is shown; `are_near`: vectors were weighed."""
    tail = TAIL_OF_ASSISTANT if one.who in ("user", "assistant") else TAIL
    return tail * TAIL_OF_VECTORS if are_near else tail


def relevant(
    view: View, wanted: Wanted, room: int, found: list[Evidence], said: list[Item]
) -> tuple[list[Item], list[Item]]:
    """Layers B and C: memories that fit the prompt, fused with what was said (`found`, as lines `said`), and
    procedures; and what holds no more, where the prompt asks for it."""
    gate = wanted.gate
    held_true = candidates(
        view.db,
        wanted.cue,
        view.scope,
        room=room,
        near=wanted.near,
        gate=gate,
        second=wanted.second,
    )
    if wanted.past:
        held_true = with_past(view.db, view.scope, held_true)
    else:
        if any(one.superseded_by is not None for one in held_true):
            held_true = with_heirs(view.db, view.scope, held_true, gate.least)
            _doubt_what_names(view.costs, said, found, held_true)
        _doubt_what_tells([one for one in held_true if (one.chance or 0.0) >= gate.least])
        if found and gate.least:
            _set_right(wanted, found, said, held_true, view.now)
    notes: list[Item] = []
    instead: set[int] = set()
    if gate.least:
        held_true, notes, instead = _notes(view, wanted, found, said, held_true)
    facts: list[Weighed] = []
    ways: list[Weighed] = []
    told = told_by_reasons(held_true)
    known = wanted.stable | {item.ref for item in said if item.closes}
    before = known - wanted.stable
    is_any_told = any(not item.stage for item in said)
    for one in held_true:
        if one.uid not in known and one.kind != INTENTION:
            row = _weighed(view, wanted, one)
            if one.uid in told and not row[3]:
                row = (*row[:3], "duplicate")
            # A line of a conversation that has notes says less than they; what was heard there may be sure.
            is_line = one.layer == "episodic"
            if not row[3] and one.id in instead and (is_line or (one.chance or 0.0) < SURE):
                row = (*row[:3], "noted")
            if not row[3] and one.layer == "episodic" and gate.least:
                row = (*row[:3], _left_out(wanted, one, bool(before), is_any_told))
            (ways if one.layer == "procedural" else facts).append(row)
    ways = [row if row[3] or not row[2].keeps_failing else (*row[:3], "failing") for row in ways]
    if gate.least:  # at 0 nothing is kept back
        facts, ways = _near_the_best(facts, gate.tells), _near_the_best(ways, gate.tells)
    if not wanted.past:
        facts = _without_doubtful(view.db, facts)
    if gate.least and any(
        (one.chance or 0) >= SURE for _, _, one, stage in (*facts, *ways) if not stage
    ):
        is_way_sure = any((one.chance or 0) >= SURE for _, _, one, stage in ways if not stage)
        _leave_out_faint(found, said, is_way_sure)
    facts.sort(key=lambda row: (not row[2].key.startswith(MENDS), -row[0], row[2].uid))
    ways.sort(key=lambda row: (row[2].success <= UNTRIED, -row[0] * row[2].success, row[2].uid))
    shown = []
    asked = 0
    for row in facts[:CONSIDERED]:
        item = _item(view.costs, "B", row, view.now)
        shown.append(item)
        asked += item.tokens
        if asked > 2 * room and len(shown) > LEAST_CONSIDERED:
            break
    closing = [item for item in said if item.closes]
    rest = [item for item in said if not item.closes]
    return numbered([*closing, *notes, *_fused(shown, rest)]), numbered(
        [_item(view.costs, "C", row, view.now) for row in ways[:CONSIDERED]]
    )


def _notes(
    view: View, wanted: Wanted, found: list[Evidence], said: list[Item], memories: list[Candidate]
) -> tuple[list[Candidate], list[Item], set[int]]:
    """The other memories; the few notes that bear on the prompt; and which of the others rules had heard in what the
    notes tell. A question that one message answers in its own words is told that message as well."""
    is_any = any(one.source == "inferred" for one in memories) or view.db.kept(
        "is noted", _is_noted
    )
    if not is_any:
        return memories, [], set()
    from cogmem.search.noted import CLOSE as BESIDE_THE_BEST
    from cogmem.search.noted import MOST, noted

    gate, db = wanted.gate, view.db
    heard = json_numbers([one.id for one in memories if one.source == "observed"])
    places = db.read("noted.borne_out", {"ids": heard})
    talks = {
        conversation_of(place)
        for place in (*(one.place for one in found), *(row[1] for row in places))
    }
    left = noted(db, view.scope, gate, memories, talks, view.now)
    for one, item in zip(found, said, strict=True):
        if item.stage or gate.answers(one.place):
            continue
        if left.stands_for(one.place):
            item.stage = "noted"
        elif left.are_most_read and gate.chance < SURE:  # notes are the better material
            item.stage = "rank"
    known = {one.id for one in left.found}
    rows = [_weighed(view, wanted, one) for one in left.found if one.uid not in wanted.stable]
    open_to = [_odds(one) for _, _, one, stage in rows if not stage][:MOST]
    least = max(open_to[-1], BESIDE_THE_BEST * open_to[0]) if open_to else 0.0
    rows = [
        (*row[:3], row[3] or ("" if _odds(row[2]) >= least else "rank"))
        for row in rows[:CONSIDERED]
    ]
    _quote(view, [one for _, _, one, stage in rows if not stage])
    notes = [_item(view.costs, "B", row, view.now) for row in rows]
    instead = {uid for uid, place in places if left.stands_for(place)}
    return [one for one in memories if one.id not in known], notes, instead


def _quote(view: View, notes: list[Candidate]) -> None:
    """Let notes be told with the words that bear them out, where these say more: the person's before the agent's."""
    of_note: dict[int, list[int]] = {}
    asked = {"ids": json_numbers([one.id for one in notes])}
    for number, place in view.db.read("noted.borne_out", asked) if notes else ():
        of_note.setdefault(number, []).append(place)
    if not of_note:
        return
    from cogmem.language.worth import telling
    from cogmem.text.passage import passage

    every = json_numbers(sorted({place for places in of_note.values() for place in places}))
    said = {
        row[0]: row
        for row in view.db.read("messages.lines", {**view.scope.hearer(), "places": every})
    }
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


def _is_noted(db: Database) -> bool:
    return bool(db.read("noted.is_any")[0][0])


def _odds(one: Candidate) -> float:
    chance = min(one.chance or 0.0, 0.999)
    return chance / (1 - chance)


def _left_out(wanted: Wanted, one: Candidate, is_said: bool, is_any_told: bool) -> str:
    """Why a line that a conversation left is not shown: it repeats the prompt, that is about no earlier conversation,
    or better figures chose already."""
    gate = wanted.gate
    is_quoted = (one.ending or "").startswith(BY_THE_USER)
    if is_quoted and one_line(one.content).casefold() in one_line(wanted.text).casefold():
        return "duplicate"
    if gate.is_within and gate.chance < gate.least:
        return "silent"
    # What the person said before is chosen by figures of its own (`said_before`): beside what is told, only what is
    # sure stands.
    must_be_sure = is_any_told if gate.is_within else is_quoted and is_said
    return "rank" if must_be_sure and (one.chance or 0) < SURE else ""


def contradicted(db: Database, uids: list[str]) -> set[str]:
    """Of each two of these that cannot both hold, the one that gives way."""
    if len(uids) < 2:
        return set()
    return {uid for (uid,) in db.read("turn.contradicted", {"refs": json_list(uids)})}


def _without_doubtful(db: Database, rows: list[Weighed]) -> list[Weighed]:
    """Of two that cannot both hold, and that nobody has settled, the newer one is shown."""
    doubtful = contradicted(db, [one.uid for _, _, one, stage in rows if not stage])
    return [
        (score, force, one, "amended" if one.uid in doubtful and not stage else stage)
        for score, force, one, stage in rows
    ]


def _set_right(
    wanted: Wanted, found: list[Evidence], said: list[Item], memories: list[Candidate], now: int
) -> None:
    """Messages that a memory of today contradicts are out of date, and it is told in their place."""
    from cogmem.turn.amended import amended

    known = [
        (one.uid, one.content, one.created_at)
        for one in memories
        if one.state == "active" and one.is_valid(now)
    ]
    open_to = [item for item in said if not item.stage]
    ended = {bare(one.content) for one in memories if one.superseded_by is not None}
    if not (known or ended) or not open_to:
        return
    stale, heirs = amended(found, wanted.cue, wanted.text, known, ended)
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


def _leave_out_faint(found: list[Evidence], said: list[Item], is_way_sure: bool) -> None:
    """Where a memory is sure to help, talk with an assistant about other matters says nothing to it; where a
    procedure is, neither does what the person said before with less than two words of it."""
    heard = {
        conversation_of(one.place)
        for one in found
        if (one.chance or 0) >= FAINT or one.who not in ("user", "assistant")
    }
    for one, item in zip(found, said, strict=True):
        is_faint = conversation_of(one.place) not in heard
        if item.closes:
            is_faint = is_way_sure and one.chance == 0.0
        if is_faint and not item.stage:
            item.stage = "rank"


def _doubt_what_names(
    costs: Costs, said: list[Item], found: list[Evidence], memories: list[Candidate]
) -> None:
    """Mark what names something that was replaced since: messages, and what events tell."""
    from cogmem.language.doubt import gone_words

    pairs = [(one, item) for one, item in zip(found, said, strict=True) if not item.stage]
    events = [one for one in memories if one.layer == "episodic"]
    if not pairs and not events:
        return
    first = min([*(one.at for one, _ in pairs), *(one.created_at for one in events)])
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
        for one, item in pairs:
            if one.at < old.valid_to and _names(one.text, words, new.content):
                item.line = line(f"{item.line[2:-1]} ({mark})")
                item.tokens = costs.line(item.line)
        for event in events:
            if event.created_at < old.valid_to and _names(event.content, words, new.content):
                event.ending = f"{event.ending}; {mark}" if event.ending else mark


def _doubt_what_tells(memories: list[Candidate]) -> None:
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


def _weighed(view: View, wanted: Wanted, one: Candidate) -> Weighed:
    force = view.strength(one)
    score = one.relevance * damped(force)
    if one.path_glob and any(fits(one.path_glob, file) for file in wanted.files):
        score *= PATH_LIFT
    was = wanted.past is not None and one.was_valid(view.now, wanted.past)
    stage = ""
    if one.state != "active":
        stage = "state"
    elif not was and not one.is_valid(view.now):
        stage = "superseded" if one.superseded_by is not None else "expired"
    elif not was and one.layer != "procedural" and force < view.policy.number("strength_threshold"):
        stage = "weak"
    elif one.chance is not None and one.chance < wanted.gate.least:
        stage = "silent"
    elif one.uid in wanted.again:
        stage = "shown"
    elif one.uid in wanted.over:
        stage = "amended"
    return score, force, one, stage


def _near_the_best(rows: list[Weighed], tells: Sequence[float]) -> list[Weighed]:
    """Memories that cover much less of the prompt than the best one of their layer are noise, unless what they cover
    is mostly covered by nothing better: a prompt that names five things gets the five. `tells`: each word."""
    cover: dict[str, float] = {}
    close: dict[str, float] = {}
    for _, _, one, stage in rows:
        if stage in ("", "shown"):
            cover[one.layer] = max(cover.get(one.layer, 0.0), one.cover)
            close[one.layer] = max(close.get(one.layer, 0.0), one.relevance)
    covered: dict[str, set[int]] = {}
    chosen = []
    for row in sorted(rows, key=lambda row: -row[2].cover):
        one, stage = row[2], row[3]
        if stage in ("", "shown"):
            known = covered.setdefault(one.layer, set())
            is_near = (
                one.cover >= COVER * cover[one.layer] and one.relevance >= CLOSE * close[one.layer]
            )
            if is_near or sum([tells[word] for word in one.matched - known]) >= NEWS * one.cover:
                known |= one.matched
            elif not stage:
                row = (*row[:3], "rank")
        chosen.append(row)
    return chosen


def _item(costs: Costs, layer: str, row: Weighed, now: int) -> Item:
    score, force, one, stage = row
    age = 0 if layer == "C" else age_ms(now, one.reinforced_at, one.accessed_at)
    said = one.layer, one.key, one.content, one.ending, one.steps
    over = one.valid_to
    item = costs.item(
        one.uid,
        layer,
        one.kind,
        said,
        one.tokens,
        one.token_counter,
        source=one.source,
        age=age,
        past=held(one.valid_from, over) if over is not None and over <= now else "",
    )
    item.strength, item.relevance, item.score, item.stage = force, one.relevance, score, stage
    item.chance, item.marks = one.chance, one.marks
    return item


def _fused(facts: list[Item], said: list[Item]) -> list[Item]:
    """Facts and messages in one order by reciprocal rank: their scores come from different scales."""
    if not said or not facts:
        return facts or said
    ranks = {}
    for group in (facts, said):
        place = 0
        for item in group:
            ranks[item.ref] = by_rank(place)
            place += not item.stage
    return sorted([*facts, *said], key=lambda item: (-ranks[item.ref], item.ref))


def about_files(view: View, wanted: Wanted) -> list[Item]:
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
        item = view.costs.item(uid, "D", kind, said, tokens, by, source=source)
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
