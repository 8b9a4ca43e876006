"""activate(): what the agent is told this turn, in two texts.

`stable` holds layer A. It is frozen at a session's first turn and stays the same to the byte while
the session lasts, whatever is learned, so that the provider's prompt cache keeps working.
`volatile` holds the rest: news since the freeze, pinned text, and layers B, C and D for this prompt.
Together they never cost more than the budget.
"""

from __future__ import annotations

import time

from cogmem.errors import InvalidInput
from cogmem.records import json_list, new_uid
from cogmem.scope import fits, names_of, narrowness
from cogmem.search.memories import Candidate, candidates, with_past
from cogmem.store.policy import Policy
from cogmem.strength import age_ms, damped
from cogmem.text.bygone import IDLE, bygone
from cogmem.text.cue import read_cue
from cogmem.text.relevance import by_rank
from cogmem.turn import gate as gates
from cogmem.turn.activation import Activation
from cogmem.turn.block import FORMATS, Block, Costs, Item, allocate, held
from cogmem.turn.session import Running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.messages import Evidence
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.text.bygone import Bygone
    from cogmem.text.cue import Cue
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.gate import Gate
    from cogmem.turn.ledger import Ledger

    # Score, strength, the memory, and the stage that dropped it.
    Weighed = tuple[float, float, Candidate, str]
    StableText = Callable[[Callable[[str], int], int, int], tuple[str, int]]  # (count, limit, now)

WISH_SHARE = 0.25  # of the budget, kept for what a person wished for below priority high
BASELINE_ROWS = 200  # heads of layer A's lists: far more than a budget of tokens can show
SCOPED_ROWS = 100
EVIDENCE = 120  # recorded messages that are candidates for one turn
COVER = 0.6  # share of the best coverage in its layer from which a memory stands beside the best
CLOSE = 0.5  # share of the best relevance, likewise
TAIL = (
    0.002  # share of the best score (an exponential) below which a message is not worth its tokens
)
TAIL_OF_ASSISTANT = 0.01  # likewise in talk with an assistant, whose messages are long and alike
CONSIDERED = 64  # memories of a layer that may be shown: more never fit a budget
LEAST_CONSIDERED = 20  # in any case; beyond, until they cost twice what there is room for
PATH_LIFT = 1.25  # what fitting the files at hand is worth in layer B


def take_turn(
    db: Database,
    scope: Scope,
    text: str,
    *,
    now: int,
    moment: datetime | None = None,
    actor: str,
    budget: int | None = None,
    session: str = "",
    files: Sequence[str] = (),
    turn: str | None = None,
    form: str = "markdown",
    counter: TokenCounter | None = None,
    refresh: bool = False,
    ledger: Ledger | None = None,
    documents: StableText | None = None,
    near: Nearness | None = None,
    second: SecondReader | None = None,
    explains: bool = False,
    folder: str = "",
) -> Activation:
    """Choose and render; a ledger records it. `documents` gives what stands before layer A when it is
    frozen; `folder` is where relative names of files begin."""
    started = time.perf_counter_ns()
    if not isinstance(text, str):
        raise InvalidInput(f"a prompt is text, not {type(text).__name__}")
    if form not in FORMATS:
        raise InvalidInput(f"format {form!r} is not known: use {' or '.join(FORMATS)}")
    policy = db.kept("policy", Policy)
    allowed = int(policy.number("budget_tokens")) if budget is None else budget
    if isinstance(allowed, bool) or not isinstance(allowed, int) or allowed < 0:
        raise InvalidInput(f"a budget is a number of tokens of at least 0, not {budget!r}")
    is_named = turn is not None
    turn = turn or new_uid("turn")
    costs = Costs(counter)
    seen = Running(db, scope, session, now, actor)
    if seen.last_turn == turn and seen.stable is not None:  # a retry gets the same bytes again
        return Activation(
            seen.stable,
            seen.last_text,
            seen.last_tokens,
            allowed,
            (),
            turn,
            seen.document_tokens,
            is_new=seen.has_frozen(turn),
        )

    ahead: list[Item] = []
    is_new = seen.stable is None or refresh
    if is_new:
        head, beside = "", 0
        if documents is not None:
            limit = int(policy.number("stable_budget_tokens"))
            head, beside = documents(costs.line, limit, now)
        first = Block(allowed, costs, form)
        ahead, wishes = baseline(db, scope, policy, costs, now)
        # What a person wished for has its share, however full of rules the rest is.
        room = min(int(first.budget * WISH_SHARE), sum(item.tokens for item in wishes))
        first.take(ahead, limit=first.budget - room)
        first.take(wishes, limit=first.spent + int(first.budget * WISH_SHARE))
        first.take(ahead)
        first.fit()
        ahead += wishes
        refs = [item.ref for item in first.chosen]
        stable, spent, known = head + first.render(), first.spent, set(refs)
        if session and not seen.freeze(stable, spent, beside, refs, refresh, now, actor):
            # Another process froze this session between our two statements: its text counts.
            seen, ahead, is_new = Running(db, scope, session, now, actor), [], False
    if not is_new:
        stable, spent, known = seen.stable or "", seen.stable_tokens, seen.refs()
        beside = seen.document_tokens
        # Who froze the text may have been killed before anybody was told: a retry brings it.
        is_new = is_named and not seen.is_told()
    # What was frozen cannot be unsaid: the budget in force covers at least that.
    allowed = max(allowed, spent)

    block = Block(allowed - spent, costs, form)
    block.know_text(stable)
    shown = seen.tell(block, scope, known)
    again = set() if is_new else seen.lately(int(policy.number("repeat_after_turns")))
    cue = read_cue(text, now if moment is None else moment, policy.stop_words())
    gate = gates.Gate(
        text, cue, policy.weights, gates.least_chance(policy.silence), db.stems, explains
    )
    named = [name for file in files for name in names_of(file, folder)]
    asked = bygone(text, cue.spans, now)
    if asked:
        gate.idle = IDLE
    with db.reading():
        said: list[Item] = []
        talk: list[Evidence] = []
        if cue and db.kept("is anything said", _is_anything_said):
            # Many a memory records no conversation.
            from cogmem.search.messages import as_items, evidence
            from cogmem.turn.amended import amended

            talk = evidence(
                db,
                cue,
                scope,
                now,
                limit=EVIDENCE,
                room=block.budget - block.spent,
                session=session,
                prompt=text,
                near=near,
                gate=gate,
                second=second,
            )
            said = as_items(talk, costs)
            stale: set[str] = set()
            if gate.least and asked is None:  # who asks for what was gets both
                stale = amended(talk, cue, text, gate.worth, db.stems, db.stems_of_each)
            for one, item in zip(talk, said, strict=True):
                item.chance, item.marks, item.row = one.chance, gate.talk, one.figures
                if gate.chance < gate.least:
                    item.stage = "silent"
                elif item.ref in again:
                    item.stage = "shown"
                elif item.ref in stale:
                    item.stage = "amended"
                elif gate.least and one.relevance < _tail(one) and not gate.stands_out(one.place):
                    item.stage = "rank"
        facts, ways = relevant(
            db,
            scope,
            policy,
            costs,
            cue,
            named,
            now,
            known,
            talk,
            said,
            block.budget - block.spent,
            near,
            second,
            gate,
            again,
            asked,
        )
        here = about_files(db, scope, policy, costs, named, now, known, again)
    allocate(
        block,
        {"B": facts, "C": ways, "D": here},
        procedures=int(policy.number("procedures_per_turn")),
        reserve=int(policy.number("procedure_reserve_tokens")),
    )
    block.fit()
    volatile = block.render()
    result = Activation(
        stable,
        volatile,
        spent + block.spent,
        allowed,
        [*ahead, *facts, *ways, *here],
        turn,
        beside,
        is_new,
    )
    if ledger is not None:
        elapsed = (time.perf_counter_ns() - started) // 1000
        after = seen.advance(turn, volatile, result.tokens, shown, now)
        ledger.record(
            result, scope, session, text, files, costs.name, elapsed, after, now=now, actor=actor
        )
    return result


def _tail(one: Evidence) -> float:
    return TAIL_OF_ASSISTANT if one.who in ("user", "assistant") else TAIL


def _is_anything_said(db: Database) -> bool:
    return bool(db.read("turn.is_anything_said")[0][0])


# -- layers --------------------------------------------------------------------------------------


def baseline(
    db: Database, scope: Scope, policy: Policy, costs: Costs, now: int
) -> tuple[list[Item], list[Item]]:
    """Layer A: what always applies, by priority, then strength; and wishes, by strength, then age."""
    asked = {**scope.viewer(), "now": now, "limit": BASELINE_ROWS}
    rows = []
    for user in {"", scope.user}:
        for project in {"", scope.project}:
            for least, most in ((3, 4), (1, 2)):
                place = {"of_user": user, "of_project": project, "least": least, "most": most}
                rows += db.read("turn.baseline", {**asked, **place})
    items = []
    wishes = []
    for row in rows:
        uid, kind, *_, priority, count, _, _, reinforced, accessed, created = row
        force = policy.strength(kind, now, reinforced, accessed, count)
        if priority < 3 and kind in policy.wishes:
            wishes.append((-round(force, 1), -created, uid, force, row))
        else:
            items.append(_always(costs, row, force))
    items.sort(key=lambda item: (-(item.score or 0), -(item.strength or 0), item.ref))
    wishes.sort()
    wished = [_always(costs, row, force) for *_, force, row in wishes[:CONSIDERED]]
    numbered = _numbered([*items, *wished])
    return numbered[: len(items)], numbered[len(items) :]


def _always(costs: Costs, row: tuple[Any, ...], force: float) -> Item:
    uid, kind, layer, key, content, source, priority, _, tokens, by, *_ = row
    said = layer, key, content, None, None
    item = costs.item(uid, "A", kind, said, tokens, by, source=source)
    item.strength, item.score = force, priority
    return item


def relevant(
    db: Database,
    scope: Scope,
    policy: Policy,
    costs: Costs,
    cue: Cue,
    files: Sequence[str],
    now: int,
    known: set[str],
    talk: list[Evidence],
    said: list[Item],
    room: int,
    near: Nearness | None,
    second: SecondReader | None,
    gate: Gate,
    again: set[str],
    past: Bygone | None,
) -> tuple[list[Item], list[Item]]:
    """Layers B and C: memories that fit the cue, fused with what was said, and procedures; and what
    holds no more, where the prompt asks for it."""
    threshold = policy.number("strength_threshold")
    facts: list[Weighed] = []
    ways: list[Weighed] = []
    found = candidates(db, cue, scope, room=room, near=near, gate=gate, second=second)
    if past:
        found = with_past(db, scope, found)
    elif talk and gate.least:
        from cogmem.turn.amended import set_right

        known_now = [
            (one.content, one.created_at)
            for one in found
            if one.state == "active" and one.is_valid(now)
        ]
        stale = set_right(talk, known_now)
        for item in said:
            if item.ref in stale and not item.stage:
                item.stage = "amended"
    for one in found:
        if one.uid in known:
            continue
        force = policy.strength(
            one.kind, now, one.reinforced_at, one.accessed_at, one.reinforcement_count
        )
        score = one.relevance * damped(force)
        if files and one.path_glob and any(fits(one.path_glob, file) for file in files):
            score *= PATH_LIFT
        stage = ""
        was = past is not None and one.was_valid(now, past)
        if one.state != "active":
            stage = "state"
        elif not was and not one.is_valid(now):
            stage = "superseded" if one.superseded_by is not None else "expired"
        elif not was and one.layer != "procedural" and force < threshold:
            stage = "weak"
        elif one.chance is not None and one.chance < gate.least:
            stage = "silent"
        elif one.uid in again:
            stage = "shown"
        (ways if one.layer == "procedural" else facts).append((score, force, one, stage))
    if gate.least:  # at 0 nothing is kept back
        facts, ways = _near_the_best(facts), _near_the_best(ways)
    facts.sort(key=lambda row: (-row[0], row[2].uid))
    ways.sort(key=lambda row: (not row[2].success_count, -row[0], row[2].uid))
    shown = []
    asked = 0
    for row in facts[:CONSIDERED]:
        item = _item(costs, "B", row, now)
        shown.append(item)
        asked += item.tokens
        if asked > 2 * room and len(shown) > LEAST_CONSIDERED:
            break
    return _numbered(_fused(shown, said)), _numbered(
        [_item(costs, "C", row, now) for row in ways[:CONSIDERED]]
    )


def _near_the_best(rows: list[Weighed]) -> list[Weighed]:
    """Memories that cover much less of the prompt than the best one of their layer are noise."""
    cover: dict[str, float] = {}
    close: dict[str, float] = {}
    for _, _, one, stage in rows:
        if stage in ("", "shown"):
            cover[one.layer] = max(cover.get(one.layer, 0.0), one.cover)
            close[one.layer] = max(close.get(one.layer, 0.0), one.relevance)
    return [
        (score, force, one, stage)
        if stage
        or (one.cover >= COVER * cover[one.layer] and one.relevance >= CLOSE * close[one.layer])
        else (score, force, one, "rank")
        for score, force, one, stage in rows
    ]


def _item(costs: Costs, layer: str, row: Weighed, now: int) -> Item:
    score, force, one, stage = row
    age = 0 if layer == "C" else age_ms(now, one.reinforced_at, one.accessed_at)
    said = one.layer, one.key, one.content, one.outcome, one.steps
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


def about_files(
    db: Database,
    scope: Scope,
    policy: Policy,
    costs: Costs,
    files: Sequence[str],
    now: int,
    known: set[str],
    again: set[str],
) -> list[Item]:
    """Layer D: memories whose glob fits a file at hand, the more specific first."""
    if not files:
        return []
    globs = [row[0] for row in db.read("turn.globs") if any(fits(row[0], file) for file in files)]
    if not globs:
        return []
    listed = json_list(globs)
    rows = db.read(
        "turn.scoped", {**scope.viewer(), "globs": listed, "now": now, "limit": SCOPED_ROWS}
    )
    items = []
    for row in rows:
        (
            uid,
            kind,
            layer,
            key,
            content,
            source,
            priority,
            count,
            tokens,
            by,
            reinforced,
            accessed,
        ) = row[:12]
        glob, outcome, steps = row[13:]
        if uid in known:
            continue
        said = layer, key, content, outcome, steps
        item = costs.item(uid, "D", kind, said, tokens, by, source=source)
        if uid in again:
            item.stage = "shown"
        elif not any(map(str.isalnum, glob)):
            item.stage = "silent"  # a glob of wildcards alone fits every file: its words must speak
        item.strength = policy.strength(kind, now, reinforced, accessed, count)
        items.append((narrowness(glob), priority, item))
    items.sort(key=lambda one: (one[0], one[1], one[2].strength or 0), reverse=True)
    return _numbered([item for _, _, item in items])


def _numbered(items: list[Item]) -> list[Item]:
    for place, item in enumerate(items):
        item.position = place
    return items
