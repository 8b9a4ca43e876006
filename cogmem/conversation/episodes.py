"""What remains of a session when it is over: one short narrative, found again in later ones.

`narrative` tells what was done, with a model or from the messages themselves; it is stored as one
memory of kind session_summary per session. Past sessions are ranked by recency, by likeness of
words, or by a model; a turn never asks a model for it.
"""

from __future__ import annotations

import re

from cogmem.conversation.notes import checked_session
from cogmem.conversation.recount import recount
from cogmem.conversation.shrink import formatted
from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.language.similarity import exact_cosine
from cogmem.models.prompts import prompt
from cogmem.ports import asked
from cogmem.records import Draft, most_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.ports import Model
    from cogmem.records import Remembered
    from cogmem.scope import Scope

LONGEST = 1024  # bytes of a narrative
INDEXED = 120  # characters of it in a list
SHOWN_TO_MODEL = 24_000  # characters of the talk
RANKERS = ("recency", "similar", "model")


def episode_of(
    session: str,
    turns: int,
    messages: Sequence[Mapping[str, Any]],
    scope: Scope,
    *,
    now: int,
    model: Model | None = None,
    settings: Mapping[str, str] | None = None,
    min_turns: int,
) -> Draft | None:
    """The session as a memory to be learned; None where it was too short to tell anything."""
    if turns < min_turns or not messages:
        return None
    try:
        checked_session(session)
    except InvalidInput:
        return None
    text = narrative(messages, model, settings)
    if not text:
        return None
    detail = {"session_name": session, "turns": turns, "form": "narrative", "happened_at": now}
    return Draft(
        text,
        "session_summary",
        scope.replacing(session=""),
        key=f"session:{session}",
        source="observed",
        detail=detail,
    )


def narrative(
    messages: Sequence[Mapping[str, Any]],
    model: Model | None = None,
    settings: Mapping[str, str] | None = None,
) -> str:
    """One to three sentences on what happened; secrets, orders and hidden characters are taken out."""
    told = told_by(model, messages, settings) if model is not None else ""
    told = told or _from_messages(messages)
    clean = guard.normalise(told)
    return cut_bytes(guard.redact(clean, guard.inspect(clean)), LONGEST)


def told_by(
    model: Model, messages: Sequence[Mapping[str, Any]], settings: Mapping[str, str] | None = None
) -> str:
    """The narrative in a model's words; '' if it has none."""
    source, options = request(messages, settings)
    return " ".join((asked(model, source, **options) or "").split())


def request(
    messages: Sequence[Mapping[str, Any]], settings: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Any]]:
    """What a model is asked for a narrative: the prompt, and its options."""
    source = "\n".join(map(formatted, messages))[-SHOWN_TO_MODEL:]
    return source, {"system": prompt("narrative", settings), "max_tokens": 300}


def _from_messages(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the messages themselves tell, whole sentences only; of what does not fit the last goes first."""
    kept: list[str] = []
    room = LONGEST
    for one in recount(messages):
        found = guard.inspect(one.text)
        if any(finding.kind == "injection" for finding in found):  # half a sentence tells nothing
            continue
        size = len(one.text.encode()) + 1
        if size <= room:
            kept.append(one.text)
            room -= size
    return " ".join(kept)


def cut_bytes(text: str, most: int) -> str:
    """The text within a number of UTF-8 bytes, cut between characters and marked."""
    data = text.encode()
    if len(data) <= most:
        return text
    return data[: most - 3].decode(errors="ignore").rstrip() + "..."


# -- finding them again ----------------------------------------------------------------------------


def ranked(
    sessions: Sequence[Remembered],
    query: str,
    limit: int = 5,
    *,
    ranker: str = "recency",
    model: Model | None = None,
    settings: Mapping[str, str] | None = None,
) -> list[Remembered]:
    """Past sessions for a query, the best first; 0: all of them."""
    if ranker not in RANKERS:
        raise InvalidInput(f"ranker {ranker!r} is not known: use {', '.join(RANKERS)}")
    found = sorted(sessions, key=lambda row: (-int(row.detail["happened_at"]), row.uid))
    if found and query.strip() and ranker == "similar":
        # Counted, not projected: the noise of a projection would let a stranger in.
        scores = {row.uid: exact_cosine(query, row.content) for row in found}
        found = sorted(
            (row for row in found if scores[row.uid] > 0), key=lambda row: -scores[row.uid]
        )
    elif found and query.strip() and ranker == "model" and model is not None:
        found = _ranked_by_model(found, query, model, settings)
    return found if most_rows(limit) < 0 else found[:limit]


def _ranked_by_model(
    found: list[Remembered], query: str, model: Model, settings: Mapping[str, str] | None
) -> list[Remembered]:
    listed = "\n".join(
        f"{number}. {' '.join(row.content.split())[:200]}" for number, row in enumerate(found)
    )
    question = f"Sessions:\n{listed}\n\nQuery: {query}"
    said = asked(model, question, system=prompt("rank", settings), max_tokens=100)
    if said is None:  # the order of time needs nobody
        return found
    if said.strip().strip(".").lower() == "none":
        return []
    numbers = dict.fromkeys(int(digits) for digits in re.findall(r"\d{1,6}", said))
    chosen = [found[number] for number in numbers if number < len(found)]
    return chosen or found


def listing(sessions: Sequence[Remembered]) -> list[dict[str, Any]]:
    """One entry per session, the newest first, with the beginning of its narrative."""
    return [
        {
            "session_id": row.detail["session_name"],
            "turns": row.detail["turns"],
            "created_at": row.detail["happened_at"],
            "uid": row.uid,
            "summary": row.content
            if len(row.content) <= INDEXED
            else row.content[: INDEXED - 1] + "…",
        }
        for row in ranked(sessions, "", 0)
    ]


def context_block(sessions: Sequence[Remembered], query: str, limit: int = 3) -> str:
    """The sessions that resemble a query, as a block of a prompt; no model is asked."""
    found = ranked(sessions, query, limit, ranker="similar")
    if not found:
        return ""
    rows = [
        f"- [{row.detail['session_name']}] ({row.detail['turns']} turns): {' '.join(row.content.split())}\n"
        for row in found
    ]
    return "## Relevant past sessions\n" + "".join(rows)
