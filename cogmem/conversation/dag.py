"""The summary DAG: leaves tell chunks of messages, deeper nodes tell groups of nodes.

The leaves tile the record from 0 to the ingest cursor, and nodes that nothing tells any further (the frontier) tile
the same stretch: every message is newer than the cursor or below exactly one of these. The cursor is stored with
the leaves, so what was broken off is done by the next ingest, and two processes never tell a stretch twice.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import islice

from cogmem.conversation.extract import condense as condense_texts
from cogmem.conversation.extract import extract
from cogmem.conversation.parts import calls, told
from cogmem.conversation.summarise import SummaryCache, Teller, Telling
from cogmem.errors import Conflict, InvalidInput, UnknownMemory
from cogmem.records import Record, Report, most_rows, new_uid
from cogmem.text.relevance import bm25

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cogmem.conversation.record import Message, Talk
    from cogmem.file.db import Step

CHUNKS_AT_ONCE = 20  # leaves, or nodes, of one transaction; with a model it is one
SHOWN = 2_000  # characters of one message that a summary's source shows


class Ingested(Report):
    """What one ingest made: leaves, deeper nodes, nodes told anew; and where the cursor stands."""

    leaves: int
    condensed: int
    retold: int
    ingested_seq: int


class Compacted(Record):
    """Nodes removed for good, leaves that lost their text, live nodes that remain."""

    deleted_removed: int
    leaf_pruned: int
    total_remaining: int


def ingest(talk: Talk, *, everything: bool = False) -> Ingested:
    """Tell whole chunks of what is new (`everything`: also a short last one), and condense."""
    done = Ingested()
    state = talk.state()
    if state is None:
        return done
    _retell(talk, state.id, done)
    for start, end in _holes(talk, state.id, state.ingested_seq):
        rows = talk.messages(start, end)
        chunks = list(_chunks(rows, talk.policy.chunk_size, everything=True)) or [[]]
        done.leaves += _store_leaves(talk, state.id, chunks, start, end, None)
    at_once = 1 if talk.model is not None else CHUNKS_AT_ONCE
    while True:
        state = talk.state()
        if state is None:
            return done
        done.ingested_seq = state.ingested_seq
        reach = state.ingested_seq + talk.policy.chunk_size * (at_once + 2)
        rows = talk.messages(state.ingested_seq, reach)
        is_last = reach >= state.next_seq
        tells_rest = everything and is_last
        chunked = _chunks(rows, talk.policy.chunk_size, everything=tells_rest, is_last=is_last)
        chunks = list(islice(chunked, at_once))
        if not chunks:
            if is_last and not (everything and state.ingested_seq < state.next_seq):
                break
            # Nothing but system messages or what was taken back, or an endless row of tool results.
            upto = state.next_seq if is_last else rows[-1].seq + 1 if rows else reach
            chunks = [rows]
        else:
            upto = chunks[-1][-1].seq + 1
            if tells_rest and upto == rows[-1].seq + 1:
                upto = state.next_seq  # what was taken back at the end is told with the last chunk
        seen = state.ingested_seq
        done.leaves += _store_leaves(talk, state.id, chunks, seen, upto, seen)
    condense(talk, state.id, done)
    if talk.db.read("summary.count", {"id": state.id})[0][0] >= talk.policy.compact_threshold:
        compact(talk)
    return done


def _chunks(
    rows: Sequence[Message], size: int, *, everything: bool, is_last: bool = True
) -> Iterator[list[Message]]:
    """Chunks of `size` messages beside the system's; a call and its results stay in one."""
    chunk: list[Message] = []
    counted = 0
    waiting: set[str] = set()
    for place, row in enumerate(rows):
        chunk.append(row)
        counted += row.role != "system"
        waiting.update(calls(row.parts))
        waiting.difference_update(str(part.get("tool_call_id")) for part in row.parts)
        following = rows[place + 1] if place + 1 < len(rows) else None
        if following is None and not is_last:
            return  # the rest of this chunk is not read yet
        may_end = not waiting and (following is None or following.role != "tool")
        if counted >= size and (may_end or counted >= 3 * size):
            yield chunk
            chunk, counted, waiting = [], 0, set()
    if chunk and everything:
        yield chunk


def _holes(talk: Talk, number: int, upto: int) -> Iterator[tuple[int, int]]:
    """Stretches before the cursor that no live node covers: a leaf was deleted there."""
    position = 0
    for earliest, latest, _, _ in talk.db.read("summary.frontier_ranges", {"id": number}):
        if earliest > position:
            yield position, earliest
        position = max(position, latest + 1)
    if position < upto:
        yield position, upto


def _store_leaves(
    talk: Talk,
    number: int,
    chunks: Sequence[Sequence[Message]],
    start: int,
    end: int,
    seen: int | None,
) -> int:
    """Store one leaf per chunk, tiling start to end; 0 when another process was faster."""
    now = talk.instant(None)
    steps: list[Step] = []
    uncovered = ("summary.uncovered_still", {"id": number, "start": start, "end": end - 1})
    steps.append(uncovered if seen is None else ("summary.still", {"id": number, "seen": seen}))
    position = start
    for place, chunk in enumerate(chunks):
        upto = end if place + 1 == len(chunks) else chunk[-1].seq + 1
        told_as = _tell_messages(talk, number, chunk, now)
        steps.append(("summary.add", _node(number, 0, told_as, position, upto - 1, now)))
        position = upto
        for row in chunk:
            if row.tokens is None:
                tokens, whole = talk.counts(row.role, row.speaker, row.text, row.parts)
                figures = {"id": row.id, "tokens": tokens, "whole_tokens": whole}
                counter = {"token_counter": talk.store.counter.name}
                steps.append(("conversation.count_tokens", {**figures, **counter}))
    if seen is not None:
        steps.append(("summary.advance", {"id": number, "seen": seen, "ingested_seq": end}))
    try:
        talk.db.write(steps, verb="summary", at=now)
    except Conflict:
        return 0
    return len(chunks)


def _node(
    number: int, depth: int, told_as: Telling, earliest: int, latest: int, now: int
) -> dict[str, Any]:
    place = {
        "conversation_id": number,
        "depth": depth,
        "earliest_seq": earliest,
        "latest_seq": latest,
    }
    return {**place, **told_as.columns(), "uid": new_uid("sum"), "now": now}


def _tell_messages(talk: Talk, number: int, rows: Sequence[Message], now: int) -> Telling:
    said = [row for row in rows if row.role != "system"]
    source = "\n".join(f"{row.speaker or row.role}: {told(row.parts)[:SHOWN]}" for row in said)
    shorter = partial(extract, [row.as_said() for row in said])
    span = (rows[0].seq, rows[-1].seq) if rows else (0, 0)
    return _teller(talk, number, now).tell(source, shorter, span=span)


def _tell_nodes(
    talk: Talk, number: int, depth: int, nodes: Sequence[tuple[Any, ...]], now: int
) -> Telling:
    """Nodes as (content, earliest_seq, latest_seq), in order."""
    head = f"[depth {depth - 1}, messages"
    source = "\n\n".join(f"{head} {first} to {last}]\n{said}" for said, first, last in nodes)
    shorter = partial(condense_texts, [said for said, _, _ in nodes])
    span = nodes[0][1], nodes[-1][2]
    return _teller(talk, number, now).tell(source, shorter, depth=depth, span=span)


def _teller(talk: Talk, number: int, now: int) -> Teller:
    if talk.model is None:
        return Teller(talk.store.counter)
    cache = SummaryCache(talk.db, number)
    return Teller(talk.store.counter, talk.model, talk.store.settings(), cache, now)


def condense(talk: Talk, number: int, done: Ingested | None = None) -> None:
    """Tell groups of neighbouring nodes by deeper ones, depth after depth."""
    done = done or Ingested()
    at_once = 1 if talk.model is not None else CHUNKS_AT_ONCE
    for depth in range(talk.policy.max_depth - 1):
        place = {"id": number, "depth": depth}
        if talk.db.read("summary.count_at", place)[0][0] < talk.policy.condense_threshold:
            return
        rows = talk.db.read("summary.unconsumed", place)
        groups = list(_groups(rows, talk.policy.condense_group_size))
        for first in range(0, len(groups), at_once):
            now = talk.instant(None)
            steps: list[Step] = []
            for group in groups[first : first + at_once]:
                children = json.dumps([row[0] for row in group])
                steps.append(("summary.frontier_still", {"children": children}))
                told_as = _tell_nodes(talk, number, depth + 1, [row[2:5] for row in group], now)
                node = _node(number, depth + 1, told_as, group[0][3], group[-1][4], now)
                steps.append(("summary.add", node))
                steps.append(("summary.add_sources", {"uid": node["uid"], "children": children}))
            try:
                talk.db.write(steps, verb="summary", at=now)
            except Conflict:
                return  # another process is at it
            done.condensed += len(groups[first : first + at_once])


def _groups(nodes: Sequence[tuple[Any, ...]], size: int) -> Iterator[list[tuple[Any, ...]]]:
    """Groups of neighbours in order; one that is left alone waits for the next time."""
    group: list[tuple[Any, ...]] = []
    for node in nodes:
        if group and (node[3] != group[-1][4] + 1 or len(group) == size):
            if len(group) > 1:
                yield group
            group = []
        if not node[6]:  # without its text it has nothing to tell
            group.append(node)
    if len(group) > 1:
        yield group


def _retell(talk: Talk, number: int, done: Ingested) -> None:
    for row_id, _, _, depth, earliest, latest in talk.db.read("summary.stale", {"id": number}):
        now = talk.instant(None)
        bounds = {"conversation_id": number, "earliest_seq": earliest, "latest_seq": latest}
        seen = talk.db.read("summary.versions_seen", bounds)[0][0]
        children = talk.db.read("summary.children", {"id": row_id}) if depth > 0 else []
        if children and not any(child[9] for child in children):
            texts = [(child[3], child[5], child[6]) for child in children]
            told_as = _tell_nodes(talk, number, depth, texts, now)
        else:  # a leaf, or a node whose leaves lost their text: from the messages
            told_as = _tell_messages(talk, number, talk.messages(earliest, latest + 1), now)
        steps: list[Step] = [("summary.versions_still", {**bounds, "seen": seen})]
        steps.append(("summary.retell", {"id": row_id, **told_as.columns()}))
        try:
            talk.db.write(steps, verb="summary", at=now)
        except Conflict:
            continue  # it was edited once more, or told by another process: the next ingest looks again
        done.retold += 1


def compact(talk: Talk) -> Compacted:
    """Remove deleted nodes for good, and the text of leaves that a live parent tells."""
    state = talk.state()
    if state is None:
        return Compacted(0, 0, 0)
    steps: list[Step] = [("summary.sweep", {"id": state.id})]
    if talk.policy.prune_leaf_content:
        require = int(talk.policy.require_parent)
        steps.append(("summary.prune", {"id": state.id, "require_parent": require}))
    written = talk.db.write(steps, verb="summary", at=talk.instant(None))
    removed = written.changed[0]
    pruned = written.changed[1] if talk.policy.prune_leaf_content else 0
    return Compacted(removed, pruned, talk.db.read("summary.count", {"id": state.id})[0][0])


def remove(talk: Talk, uid: str) -> None:
    """Mark a node as deleted: what it was made from steps forward, a hole is told anew."""
    state, now = talk.state(), talk.instant(None)
    step = ("summary.remove", {"id": state.id if state else -1, "uid": uid, "now": now})
    written = talk.db.write([step], verb="summary", at=now)
    if not written.changed[0]:
        raise UnknownMemory(f"no live summary {uid} in conversation {talk.name}: {LISTED}")


LISTED = "`cogmem chat expand` without a uid lists its summaries (in Python `index`)"
CUT_AT = 200  # characters of a summary in the index


class SummaryNode(Record):
    """A summary below another one, and the messages that it tells, both ends included."""

    uid: str
    depth: int
    content: str
    hint: str
    earliest_seq: int
    latest_seq: int


class Expanded(Report):
    """What lies below a node: nodes of the next depth, or, below a leaf, the messages."""

    children: list[SummaryNode]
    messages: list[Message]
    uid: str
    depth: int
    earliest_seq: int
    latest_seq: int
    omitted: int  # older messages beyond the limit


def expand(talk: Talk, uid: str, limit: int = 20) -> Expanded:
    """Return the summaries that a node was made from, or the last `limit` messages below a leaf."""
    state = talk.state()
    rows = talk.db.read("summary.by_uid", {"id": state.id, "uid": uid}) if state else []
    if not rows:
        raise UnknownMemory(f"conversation {talk.name} has no summary {uid!r}: {LISTED}")
    number, _, depth, _, _, earliest, latest, *_ = rows[0]
    if rows[0][10] is not None:
        raise InvalidInput(
            f"summary {uid} was deleted: expand messages {earliest} to {latest} by range"
        )
    result = Expanded(uid=uid, depth=depth, earliest_seq=earliest, latest_seq=latest)
    if depth > 0:
        result.children = [
            SummaryNode(*row[1:7]) for row in talk.db.read("summary.children", {"id": number})
        ]
    if not result.children:  # of a leaf, or where they were removed: the messages themselves
        messages = talk.messages(earliest, latest + 1)
        most = most_rows(limit)
        result.messages = messages[-most:] if most > 0 else messages
        result.omitted = len(messages) - len(result.messages)
    return result


def index(talk: Talk, characters: int = 1500) -> str:
    """Return the frontier as lines, from the newest backwards as far as the characters reach."""
    state = talk.state()
    if state is None:
        return ""
    head = "Summaries of this conversation; expand an id for what is below it.\n"
    room = characters - len(head)
    kept: list[str] = []
    live = talk.db.read("summary.frontier", {"id": state.id, "before": 2**62, "limit": -1})

    def older() -> str:
        return f"({len(live) - len(kept)} older summaries are not listed)\n"

    for _, uid, _, content, _, earliest, latest, *_ in live:
        text = " ".join(content.split())
        cut = text if len(text) <= CUT_AT else text[:CUT_AT] + "..."
        row = f"- {uid} [{earliest}-{latest}] {cut}\n"
        if len(row) > room:
            break
        kept.append(row)
        room -= len(row)
    while kept and len(kept) < len(live) and room < len(older()):
        room += len(kept.pop())
    if not kept:
        return ""
    return head + (older() if len(kept) < len(live) else "") + "".join(reversed(kept))


def nodes(
    talk: Talk, *, depth: int | None = None, min_seq: int = 0, max_seq: int = 2**62, limit: int = 0
) -> list[dict[str, Any]]:
    """Live nodes by depth and range, in order."""
    state = talk.state()
    bounds = {"depth": depth, "min_seq": min_seq, "max_seq": max_seq, "limit": limit or -1}
    return talk.db.rows("summary.list", {"id": state.id, **bounds}) if state else []


def find_nodes(talk: Talk, query: str, limit: int = 5) -> list[tuple[dict[str, Any], float]]:
    """Live nodes that share words with a query, ranked by BM25 over content and hint."""
    asked = set(talk.db.stems(query))
    known = nodes(talk)
    texts = [talk.db.stems(f"{node['content']} {node['expand_hint']}") for node in known]
    scores = bm25(asked, texts)
    found = [(node, score) for node, score in zip(known, scores, strict=True) if score > 0]
    found.sort(key=lambda pair: (-pair[1], pair[0]["earliest_seq"]))
    return found[: limit if limit > 0 else None]
