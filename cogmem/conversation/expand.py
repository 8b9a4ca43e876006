"""From summaries back to what was said: expand a node, list the nodes, search them."""

from __future__ import annotations

from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.records import Record, Report, most_rows
from cogmem.text.relevance import bm25

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.conversation.record import Message, Talk

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
        raise UnknownMemory(
            f"conversation {talk.name} has no summary {uid!r}: `index` shows its summaries"
        )
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
    nodes = talk.db.read("summary.frontier", {"id": state.id, "before": 2**62, "limit": -1})
    for _, uid, _, content, _, earliest, latest, *_ in nodes:
        text = " ".join(content.split())
        cut = text if len(text) <= CUT_AT else text[:CUT_AT] + "..."
        row = f"- {uid} [{earliest}-{latest}] {cut}\n"
        if len(row) > room:
            break
        kept.append(row)
        room -= len(row)
    note = f"({len(nodes) - len(kept)} older summaries are not listed)\n"
    while kept and len(kept) < len(nodes) and room < len(note):
        room += len(kept.pop())
        note = f"({len(nodes) - len(kept)} older summaries are not listed)\n"
    if not kept:
        return ""
    return head + (note if len(kept) < len(nodes) else "") + "".join(reversed(kept))


def nodes(
    talk: Talk, *, depth: int | None = None, min_seq: int = 0, max_seq: int = 2**62, limit: int = 0
) -> list[dict[str, Any]]:
    """Live nodes by depth and range, in order."""
    state = talk.state()
    if state is None:
        return []
    bounds = {
        "id": state.id,
        "depth": depth,
        "min_seq": min_seq,
        "max_seq": max_seq,
        "limit": limit or -1,
    }
    return talk.db.rows("summary.list", bounds)


def find_nodes(talk: Talk, query: str, limit: int = 5) -> list[tuple[dict[str, Any], float]]:
    """Live nodes that share words with a query, ranked by BM25 over content and hint."""
    asked = set(talk.db.stems(query))
    known = nodes(talk)
    texts = [talk.db.stems(f"{node['content']} {node['expand_hint']}") for node in known]
    scores = bm25(asked, texts)
    ranked = sorted(
        zip(known, scores, strict=True), key=lambda pair: (-pair[1], pair[0]["earliest_seq"])
    )
    return [(node, score) for node, score in ranked if score > 0][: limit if limit > 0 else None]
