"""What a recall brings back: a memory, a message or a section of a document, each in one form."""

from __future__ import annotations

from cogmem.language.cue import Cue
from cogmem.records import Report
from cogmem.search.memories import Candidate
from cogmem.search.messages import Evidence
from cogmem.text.cell import listed
from cogmem.text.lines import held, line, memory_text, one_line, steps_of
from cogmem.text.passage import passage
from cogmem.tokens.costs import LineCosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from cogmem.documents.sections import FoundSection
    from cogmem.store.store import Store


SNIPPET_FROM = 300  # characters: shorter memories are shown whole
SNIPPET_TOKENS = 60
TOLD_WHOLE = 900  # characters of a line with its steps and its ending


class Recalled(Report):
    """One thing found. `origin` is memory, message or document; `score` orders all of them, and
    `chance` is what a turn's gate gives it, from 0 to 1. `snippet` is its line as a turn tells it, a long
    text cut. What `is_past` held from `valid_from` (None: nobody knows) to `valid_to` and holds no more.

    The uid of a document's section is how it is cited: path#heading.
    """

    SHOWN = ("uid", "kind", "content", "score", "chance", "past")
    uid: str
    origin: str
    layer: str
    kind: str
    key: str
    content: str
    snippet: str
    tags: list[str]
    state: str
    source: str
    speaker: str
    path_glob: str
    score: float
    relevance: float
    chance: float | None
    strength: float | None
    tokens: int
    created_at: datetime | None  # None: a document, which has no beginning
    is_past: bool
    valid_from: datetime | None
    valid_to: datetime | None

    @property
    def past(self) -> str:
        """Return what leads its text where it holds no more, such as "[past, until 2026-03-01] "."""
        over = self.raw("valid_to")
        return held(self.raw("valid_from"), over) if self.is_past and over is not None else ""

    @property
    def text(self) -> str:
        """Return what it says, as it is shown: its time if it holds no more."""
        return self.past + (self.snippet or self.content)


class Found(list[Recalled]):
    """What a search found, best first; `weaker` says how many were left out since they hardly fit."""

    weaker = 0


def of_memory(
    one: Candidate, snippet: str, force: float, is_past: bool, costs: LineCosts
) -> Recalled:
    ending, steps = one.ending or "", steps_of(one.steps)
    text = memory_text(one.layer, one.key, one.content, ending, steps)
    told = (
        text if len(text) <= TOLD_WHOLE else memory_text(one.layer, one.key, snippet, ending, steps)
    )
    return Recalled(
        uid=one.uid,
        origin="memory",
        layer=one.layer,
        kind=one.kind,
        key=one.key,
        content=one.content,
        snippet=told,
        tags=listed(one.tags),
        state=one.state,
        source=one.source,
        path_glob=one.path_glob,
        relevance=round(one.relevance, 4),
        chance=None if one.chance is None else round(one.chance, 4),
        strength=round(force, 4),
        tokens=costs.line(line(text), one.tokens, one.token_counter),
        created_at=one.created_at,
        is_past=is_past,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
    )


def of_message(said: Evidence, costs: LineCosts) -> Recalled:
    return Recalled(
        uid=said.ref,
        origin="message",
        layer="episodic",
        kind="message",
        content=said.text,
        snippet=_head(said.text),
        state="active",
        source="recorded",
        speaker=said.who,
        relevance=round(min(1.0, said.score), 4),
        chance=None if said.chance is None else round(said.chance, 4),
        tokens=costs.line(
            line(f"{said.who}: {one_line(said.text)}"), said.tokens, said.token_counter
        ),
        created_at=said.at,
    )


def of_section(found: FoundSection, store: Store, chance: float) -> Recalled:
    text = (
        f"{found.heading}: {one_line(found.content)}" if found.heading else one_line(found.content)
    )
    return Recalled(
        uid=found.ref,
        origin="document",
        layer="semantic",
        kind="document",
        content=found.content,
        snippet=_head(found.content),
        state="active",
        source="document",
        relevance=round(found.score, 4),
        chance=round(chance, 4),
        tokens=store.counter.count(line(text)),
    )


def _head(text: str) -> str:
    return text if len(text) <= SNIPPET_FROM else text[:SNIPPET_FROM] + "…"


def snippet(store: Store, cue: Cue, one: Candidate) -> str:
    """Return the part of a long memory that answers; FTS5's own snippet() takes minutes over a long one."""
    text = str(one.content)
    if len(text) <= SNIPPET_FROM:
        return text
    folded = text.lower()
    places = [folded.find(form) for term in cue.terms for form in term.forms]
    first = min((at for at in places if at >= 0), default=0)
    start = first - SNIPPET_FROM if first > SNIPPET_FROM else 0
    return ("… " if start else "") + passage(text[start:], cue, store.db.stems, SNIPPET_TOKENS)
