"""How past sessions are found again, by the lines that each left or what a host told of it.

Sessions are ranked by recency, by likeness of words, or by a model; a turn never asks a model for it.
"""

from __future__ import annotations

import re

from cogmem.errors import InvalidInput
from cogmem.language.similarity import exact_cosine
from cogmem.models.prompts import prompt
from cogmem.ports import asked
from cogmem.records import Record, most_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from cogmem.ports import Model

RANKERS = ("recency", "similar", "model")


class SessionTold(Record):
    """What is told of a session: its name, its lines or its narrative, how many turns it had, how it ended."""

    session: str
    uid: str
    summary: str
    turns: int
    outcome: str
    happened_at: datetime


# -- finding them again ----------------------------------------------------------------------------


def ranked(
    sessions: Sequence[SessionTold],
    query: str,
    limit: int = 5,
    *,
    ranker: str = "recency",
    model: Model | None = None,
    settings: Mapping[str, str] | None = None,
) -> list[SessionTold]:
    """Past sessions, the latest first, for a query, the best first; 0: all of them."""
    if ranker not in RANKERS:
        raise InvalidInput(f"ranker {ranker!r} is not known: use {', '.join(RANKERS)}")
    found = list(sessions)
    if found and query.strip() and ranker == "similar":
        # Counted, not projected: the noise of a projection would let a stranger in.
        scores = {id(one): exact_cosine(query, one.summary) for one in found}
        found = sorted(
            (one for one in found if scores[id(one)] > 0), key=lambda one: -scores[id(one)]
        )
    elif found and query.strip() and ranker == "model" and model is not None:
        found = _ranked_by_model(found, query, model, settings)
    return found if most_rows(limit) < 0 else found[:limit]


def _ranked_by_model(
    found: list[SessionTold], query: str, model: Model, settings: Mapping[str, str] | None
) -> list[SessionTold]:
    listed = "\n".join(
        f"{number}. {' '.join(one.summary.split())[:200]}" for number, one in enumerate(found)
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


def context_block(sessions: Sequence[SessionTold], query: str, limit: int = 3) -> str:
    """Return the sessions that resemble a query, as a block of a prompt; no model is asked."""
    found = ranked(sessions, query, limit, ranker="similar")
    if not found:
        return ""
    rows = [
        f"- [{one.session}]{f' ({one.turns} turns)' if one.turns else ''}: {' '.join(one.summary.split())}\n"
        for one in found
    ]
    return "## Relevant past sessions\n" + "".join(rows)
