"""recall(): a search for tools and people, over memories, recorded messages and documents.

The same candidates as a turn has, then filters, then one order for all layers by the chance to help; what has
hardly any is left out, and counted.
When no word of the query is in the index, its neighbours in spelling are tried: words that begin
like it, then words that differ in few letters. A query never returns what matches nothing of it; a
blank query lists what is newest.

What holds no more comes with its time: where the query asks for it ("what was it called before?"), where
the caller does (`history`, `as_of`), and where nothing that holds is found.
"""

from __future__ import annotations

from cogmem.documents.sections import find_sections
from cogmem.errors import InvalidInput
from cogmem.language.asked_past import IDLE, AskedPast, asked_past
from cogmem.language.cue import Cue, Term, read_cue
from cogmem.named import NamedTuple
from cogmem.records import LAYERS, STATES, given_instant, json_list, most_rows, one_of
from cogmem.search.gate import Gate
from cogmem.search.memories import Candidate, candidates, read_endings, with_heirs, with_past
from cogmem.search.messages import Evidence, evidence
from cogmem.search.recalled import (
    SNIPPET_FROM,
    Found,
    Recalled,
    of_memory,
    of_message,
    of_section,
    snippet,
)
from cogmem.search.spelling import spelled
from cogmem.store.policy import Policy
from cogmem.strength import damped
from cogmem.text.cell import listed
from cogmem.text.lines import memory_text, one_line, storable
from cogmem.text.relevance import by_rank
from cogmem.tokens.costs import LineCosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.scope import Scope
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.store.store import Store

SECTIONS = 3  # of documents that one search cites
PER_LAYER = {"semantic": 8, "episodic": 5, "procedural": 3}
WIDE = 4  # more candidates are weighed when filters will drop some of them
NEIGHBOURS = 4
ARCHIVED = 0.65  # of its weight, for what a person or the night put away
HEIRS_LEAST = 0.5  # the chance to help from which a superseded fact brings what took its place
WEAK = 0.05  # a chance to help below which a result is left out where there are better ones
BEHIND = 0.8  # of its weight, for what holds no more: what holds comes first where both fit alike


class Filter(NamedTuple):
    """What a search keeps of what fits its words, whatever layer it comes from."""

    layer: str | None = None
    kind: str | None = None
    state: str | None = None
    key: str | None = None
    tags: Sequence[str] = ()
    since: int | None = None
    until: int | None = None
    as_of: int | None = None  # what was held and known then
    during: tuple[int, int] | None = None  # what was held at some time of it, and known before
    history: bool = False  # what holds no more as well
    messages: bool = True
    min_chance: float = 0.0

    def checked(self, store: Store) -> Filter:
        """Return the same with the kind's own name; what nothing could have is refused."""
        one_of("layer", self.layer, LAYERS)
        one_of("state", self.state, STATES)
        if not 0 <= self.min_chance <= 1:
            raise InvalidInput(f"min_chance is a chance from 0 to 1, not {self.min_chance!r}")
        if self.kind is None:
            return self
        return self._replace(kind=store.kinds.demand(self.kind).name)

    @property
    def is_narrow(self) -> bool:
        given = (self.layer, self.kind, self.state, self.key, self.since, self.until, self.as_of)
        return bool(self.tags) or any(value is not None for value in given)

    @property
    def wants_talk(self) -> bool:
        """Recorded messages have no kind, key, tag or state that a filter could ask for."""
        return (
            self.messages
            and self.layer in (None, "episodic")
            and self.kind is None
            and self.key is None
            and not self.tags
            and self.state in (None, "active")
        )

    @property
    def wants_documents(self) -> bool:
        return self.layer in (None, "semantic") and not self.is_narrow

    def takes(self, one: Candidate) -> bool:
        return (
            (self.layer is None or one.layer == self.layer)
            and (self.kind is None or one.kind == self.kind)
            and (one.state == self.state if self.state else one.state != "deleted")
            and (self.key is None or one.key == self.key)
            and (not self.tags or set(self.tags) <= set(listed(one.tags)))
            and self._is_in_time(one.created_at)
            and (one.chance or 0.0) >= self.min_chance
        )

    def takes_message(self, said: Evidence) -> bool:
        return (
            self._is_in_time(said.at)
            and (self.as_of is None or said.at <= self.as_of)
            and (said.chance or 0.0) >= self.min_chance
        )

    def _is_in_time(self, at: int) -> bool:
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)


def search(
    store: Store,
    scope: Scope,
    query: str,
    keeps: Filter,
    *,
    now: int,
    moment: datetime | None = None,
    limit: int = 8,
    tokens: int | None = None,
    near: Nearness | None = None,
    second: SecondReader | None = None,
) -> Found:
    """Return what fits a query best, within filters and a budget of tokens."""
    most_rows(limit)
    policy = Policy.of(store.db)
    keeps = keeps.checked(store)
    if not storable(query, "the query").strip():
        return Found(_newest(store, scope, now, keeps, limit))
    cue = read_cue(query, now if moment is None else moment, policy.stop_words())
    past = None
    if keeps.as_of is None:
        past = AskedPast() if keeps.history else asked_past(query, cue.spans, now)
    gate = Gate(query, cue, policy.weights, keeps.min_chance, store.db.stems, explains=True)
    gate.idle = IDLE if past else frozenset()
    cue, memories, talk = _found(store, scope, cue, gate, keeps, now, near, second)
    heirs: list[Candidate] = []
    if past:
        memories = with_past(store.db, scope, memories)
    elif keeps.as_of is None and any(one.superseded_by is not None for one in memories):
        known = {one.id for one in memories}
        heirs = with_heirs(store.db, scope, memories, max(keeps.min_chance, HEIRS_LEAST))
        heirs = [one for one in heirs if one.id not in known and keeps.takes(one)]
    fit = _fitting(memories, keeps, past, now, is_all=not talk)
    fit += [one for one in heirs if _held(one, now, False, keeps.during)]

    read_endings(store.db, fit)
    layers: dict[str, list[tuple[float, Recalled]]] = {name: [] for name in LAYERS}
    if keeps.wants_documents:
        layers["semantic"] += _weighed_sections(store, scope, cue, gate, keeps.min_chance)
    costs = LineCosts(store.counter if tokens is not None else None)
    for one in fit:
        is_past = one.is_over(now)
        force = policy.strength(
            one.kind, now, one.reinforced_at, one.accessed_at, one.reinforcement_count
        )
        weight = one.relevance * damped(force) * _exactness(one, query)
        is_behind = is_past and keeps.as_of is None
        weight *= ARCHIVED if one.state == "archived" else BEHIND if is_behind else 1.0
        row = of_memory(one, snippet(store, cue, one), force, is_past, costs)
        if one.layer in layers:  # of a damaged row it may be anything
            layers[one.layer].append((weight, row))
    asked = one_line(query)
    for said in talk:
        if keeps.takes_message(said):
            # What only repeats the question comes after what answers it.
            weight = said.score if one_line(said.text) != asked else 0.0
            layers["episodic"].append((weight, of_message(said, costs)))
    results = Found(_fused(layers, keeps.layer, keeps.layer is not None or second is not None))
    if not keeps.is_narrow and not past:
        _without_weak(results)
    if tokens is not None:
        results[:] = _within(results, tokens)
    if limit > 0:
        del results[limit:]
    for row in results:
        row.closed()
    return results


def _found(
    store: Store,
    scope: Scope,
    cue: Cue,
    gate: Gate,
    keeps: Filter,
    now: int,
    near: Nearness | None,
    second: SecondReader | None,
) -> tuple[Cue, list[Candidate], list[Evidence]]:
    """Return memories and messages that speak to the query; where none do, to words that begin like its own."""
    wide = WIDE if keeps.is_narrow or keeps.history else 1
    said_of: dict[str, Any] = {"limit": PER_LAYER["episodic"] * wide, "gate": gate}
    memories = candidates(store.db, cue, scope, wide=wide, near=near, gate=gate, second=second)
    talk = []
    if keeps.wants_talk:
        talk = evidence(store.db, cue, scope, now, near=near, second=second, **said_of)
    if not memories and not talk and cue.terms:
        cue = _beginning_alike(store, cue)
        memories = candidates(store.db, cue, scope, wide=wide, gate=gate)
        if keeps.wants_talk:
            talk = evidence(store.db, cue, scope, now, **said_of)
    return cue, memories, talk


def _fitting(
    memories: list[Candidate], keeps: Filter, past: AskedPast | None, now: int, *, is_all: bool
) -> list[Candidate]:
    """Return the memories that the filters take, held at the instant asked about.

    What no longer holds comes too if the query asks for the past, or if nothing else was found.
    """
    suited = [one for one in memories if keeps.takes(one)]
    if keeps.as_of is not None:
        return [one for one in suited if _held(one, keeps.as_of, True, keeps.during)]
    fit = [one for one in suited if _held(one, now, False, keeps.during)]
    if past or (is_all and not fit):
        fit += [one for one in suited if one.was_valid(now, past or AskedPast())]
    return fit


def _weighed_sections(
    store: Store, scope: Scope, cue: Cue, gate: Gate, least: float
) -> list[tuple[float, Recalled]]:
    """Sections of documents that are likely enough to help."""
    found = []
    for section in find_sections(store.db, cue, scope, SECTIONS):
        chance = gate.reads(f"{section.heading} {section.content}")
        if chance >= least:
            found.append((section.score, of_section(section, store, chance)))
    return found


def _newest(store: Store, scope: Scope, now: int, keeps: Filter, limit: int) -> list[Recalled]:
    tags = keeps.tags
    rows = store.list(
        scope,
        now,
        layer=keeps.layer,
        kind=keeps.kind,
        state=keeps.state,
        tag=tags[0] if tags else None,
        since=keeps.since,
        until=keeps.until,
        limit=limit if not tags else 0,
    )
    found = [row for row in rows if set(tags) <= set(row.tags)]
    return [
        Recalled(
            uid=row.uid,
            origin="memory",
            layer=row.layer,
            kind=row.kind,
            key=row.key,
            content=row.content,
            snippet=memory_text(
                row.layer,
                row.key,
                row.content[:SNIPPET_FROM],
                row.ending,
                row.detail.get("steps") or (),
            ),
            tags=row.tags,
            state=row.state,
            source=row.source,
            path_glob=row.path_glob,
            strength=row.strength,
            tokens=row.tokens or 0,
            created_at=row.raw("created_at"),
        ).closed()
        for row in (found[:limit] if limit > 0 else found)
    ]


def at_time(given: Any, now: int) -> tuple[int | None, tuple[int, int] | None]:
    """Return what `as_of` means: an instant, or the end of a time in words ("in March", "2024"), and that time.

    One that is not over ends now.
    """
    if not isinstance(given, str):
        return given_instant(given, "as_of", now), None
    try:
        return given_instant(given, "as_of", now), None
    except InvalidInput:
        from cogmem.language.days import days

        # A bare month or year is one where "in" stands before it.
        spans, _ = days([["in", *given.lower().split()]], now)
        if not spans:
            raise InvalidInput(
                "as_of names no time: write an instant like 2026-03-15, or a time like "
                "'March 2026', 'last spring', 2025 or 'two weeks ago'; ask for what was before an event in the query"
            ) from None
        begins, ends = min(start for start, _ in spans), max(end for _, end in spans)
        if begins > now:
            raise InvalidInput(
                f"as_of is {given[:40]!r}, which has not begun: ask for a time that has"
            ) from None
        return min(ends - 1, now), (begins, ends)


def _held(one: Candidate, instant: int, past: bool, during: tuple[int, int] | None = None) -> bool:
    """Tell whether a fact was held true at an instant, or in a time; in the past also whether it was known then."""
    if past and (one.created_at > instant or (one.recorded_at or 0) > instant):
        return False
    if not past and (
        one.created_at > instant or (one.expires_at is not None and one.expires_at <= instant)
    ):
        return False  # not learned yet, or over: whatever the state says until the next night
    if not past and one.state == "archived":
        return True  # archived memories are there to be searched
    over = instant if during is None else during[0]
    return (one.valid_to is None or one.valid_to > over) and (
        one.valid_from is None or one.valid_from <= instant
    )


def _exactness(one: Candidate, query: str) -> float:
    """Return a key or a tag that is the query itself says more than words in the text."""
    asked = one_line(query).casefold()
    if one.key and one.key.casefold() == asked:
        return 4.0
    if asked in (tag.casefold() for tag in listed(one.tags)):
        return 2.0
    if one.key and len(asked) >= 3 and (asked in one.key.casefold() or one.key.casefold() in asked):
        return 1.5
    return 1.0


def _fused(
    layers: dict[str, list[tuple[float, Recalled]]], only: str | None, by_rank_alone: bool
) -> list[Recalled]:
    """Return one order: by the chance to help, in tenths; of equals by rank in their layer, then the newer.

    Ranks of layers cannot be compared, so that what merely comes first in one is no match for what fits. Where one
    layer is asked for, or a second reader has read them, their order stands (`by_rank_alone`).
    """
    results = []
    for name, found in layers.items():
        found.sort(key=lambda pair: (-pair[0], -(pair[1].raw("created_at") or 0), pair[1].uid))
        for place, (weight, one) in enumerate(found if only else found[: 4 * PER_LAYER[name]]):
            one.score = round(by_rank(place), 6) if not only else round(weight, 6)
            results.append(one)
    results.sort(
        key=lambda one: (
            0.0 if by_rank_alone else -round(_standing(one), 1),
            -one.score,
            -one.relevance,
            -(one.raw("created_at") or 0),
            one.uid,
        )
    )
    return results


def _standing(one: Recalled) -> float:
    """Return the chance of what was found, less where it was put away or holds no more."""
    kept = ARCHIVED if one.state == "archived" else BEHIND if one.is_past else 1.0
    return (one.chance or 0.0) * kept


def _without_weak(results: Found) -> None:
    """Leave out what hardly speaks to the query, if anything better was found."""
    likely = [one for one in results if (one.chance or 0.0) >= WEAK]
    if likely:
        results.weaker = len(results) - len(likely)
        results[:] = likely


def _within(results: Iterable[Recalled], tokens: int) -> list[Recalled]:
    kept, left = [], tokens
    for one in results:
        if one.tokens <= left:
            left -= one.tokens
            kept.append(one)
    return kept


def _beginning_alike(store: Store, cue: Cue) -> Cue:
    """Return the cue with each word replaced by words of the index that begin like it."""
    terms = []
    for term in cue.terms:
        word = (store.db.stems(term.forms[0]) or [""])[-1]
        if not word:
            continue
        asked = {"beginnings": json_list([word]), "shortest": 1, "longest": 64, "limit": NEIGHBOURS}
        begins = store.db.read("memories.like_terms", asked)
        words = [one for row in begins if (one := spelled(store.db, row[0]))]
        if words:
            terms.append(Term(tuple(words)))
    return Cue(tuple(terms), cue.spans, cue.names, cue.calendar, cue.is_english)
