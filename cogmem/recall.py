"""Finds the memories that share the telling words of a prompt, in time that hardly grows with the store.

1. Document frequencies come from `common_term`; a stem that is not there is rare.
2. Rare terms, then the next few, are read as lists of ids; each adds its idf to the ids in its list.
3. Common terms cannot bring a memory to the top alone, only together: FTS5 itself intersects two
   halves of them, split twice, which costs a tenth of handing every posting to Python.
4. The best few by that rough sum are fetched and scored exactly (BM25 over every term), and the
   strength of a memory lifts or lowers it a little: relevance leads, use only tips the scales.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.cue import Cue
    from cogmem.db import Database
    from cogmem.scope import Scope

K1, B = 1.2, 0.75  # BM25's own
COMMON_SHARE = 0.03  # a term in more memories than this says nothing about any of them
PROCEDURES = 30  # procedures weighed beyond the best candidates
RARE = 64  # common_term holds stems from this many memories up


class Term:
    """One thing looked for: its stems and phrases, the query that finds it, and its worth."""

    __slots__ = ("documents", "idf", "match", "phrases", "stems")

    def __init__(self, stems: list[str], phrases: list[str], match: str) -> None:
        self.stems = stems
        self.phrases = phrases
        self.match = match
        self.documents: int | None = None  # None: rare, not counted yet
        self.idf = 0.0


class Candidate:
    """One memory that shares words with the prompt."""

    __slots__ = (
        "accessed_at", "content", "created_at", "expires_at", "id", "key", "kind", "layer", "outcome",
        "path_glob", "priority", "reinforced_at", "reinforcement_count", "relevance", "source",
        "recorded_at", "state", "steps", "success_count", "superseded_by", "tags", "text",
        "token_counter", "tokens", "uid", "valid_from", "valid_to",
    )  # fmt: skip

    def __init__(self, row: tuple[Any, ...]) -> None:
        (
            self.id, self.uid, self.layer, self.kind, self.key, self.content, self.tags, self.path_glob,
            terms, self.source, self.priority, self.state, self.reinforcement_count, self.tokens,
            self.token_counter, self.reinforced_at, self.accessed_at, self.created_at,
            self.expires_at, self.superseded_by, self.valid_from, self.valid_to, self.recorded_at,
            self.outcome, self.steps, self.success_count,
        ) = row  # fmt: skip
        self.text = f"{self.key} {self.content} {self.tags} {self.path_glob} {terms}"
        self.relevance = 0.0  # 0 to 1: the share of what a perfect match would score

    def is_valid(self, now: int) -> bool:
        """Held true now: not superseded, not expired, its time begun and not over."""
        return (
            self.superseded_by is None
            and (self.valid_to is None or self.valid_to > now)
            and (self.valid_from is None or self.valid_from <= now)
            and (self.expires_at is None or self.expires_at > now)
        )


def candidates(db: Database, cue: Cue, scope: Scope, *, wide: int = 1) -> list[Candidate]:
    """The memories that fit a cue best, in any state but removed, most relevant first.

    `wide` multiplies how many are weighed: for searches that filter what comes back.
    """
    size = db.read("recall.size")[0][0]
    terms = _terms(db, cue, size)
    if not terms or not size:
        return []
    keep = wide * max(60, round(6 * size**0.25))
    score = _rough(db, terms, size, keep)
    ids = _best(score, keep)
    if len(score) > keep:
        more = _best(score, 8 * keep)[keep:]
        found = db.read("recall.procedures_among", {"ids": "[" + ",".join(more) + "]"})
        ids += [str(row[0]) for row in found[:PROCEDURES]]
    rows = db.read("recall.by_ids", {**scope.viewer(), "ids": "[" + ",".join(ids) + "]"})
    return _exact(db, terms, rows, size)


def _terms(db: Database, cue: Cue, size: int) -> list[Term]:
    terms: list[Term] = []
    singles: dict[str, None] = {}
    for wanted in cue.terms:
        stems: list[str] = []
        phrases: list[str] = []
        for form in wanted.forms:
            parts = db.stems(form)
            if len(parts) == 1:
                stems.append(parts[0])
                singles[parts[0]] = None
            elif parts:
                phrases.append(" ".join(parts))
        if stems or phrases:
            terms.append(Term(list(dict.fromkeys(stems)), phrases, f"({wanted.match})"))
    # FTS5 gets the words and stems them itself: a stem stemmed again may differ.
    listed = '["' + '","'.join(singles) + '"]' if singles else "[]"
    common = dict(db.read("recall.common", {"terms": listed}))
    for term in terms:
        known = [common[stem] for stem in term.stems if stem in common]
        if known:
            term.documents = min(sum(known), size)
            term.idf = _idf(size, term.documents)
    return terms


def _idf(size: int, documents: int) -> float:
    return log(1 + (size - documents + 0.5) / (documents + 0.5))


def _rough(db: Database, terms: list[Term], size: int, keep: int) -> dict[str, float]:
    """Ids with the sum of the idf of the terms that stand in them, within a budget of postings."""
    budget = max(1_500.0, 2.0 * min(size, 1_000_000) ** (2 / 3))
    few = max(100.0, budget / 13)
    score: dict[str, float] = {}
    spent = 0

    def add(term: Term, ids: list[str]) -> None:
        nonlocal spent
        spent += len(ids)
        weight = term.idf
        for one in ids:
            score[one] = score.get(one, 0.0) + weight

    common: list[Term] = []
    for term in terms:
        if term.documents is not None:
            common.append(term)
            continue
        ids = _ids(db, term.match)
        term.documents = len(ids)
        if ids:
            term.idf = _idf(size, len(ids))
            add(term, ids)
    # What stands in too many memories tells nothing, unless nothing else was asked for.
    telling = [term for term in common if _is_telling(term, size)]
    common = sorted(telling or ([] if score else common), key=lambda term: term.documents or 0)
    at = 0
    while at < len(common) and spent + (common[at].documents or 0) <= few:
        add(common[at], _ids(db, common[at].match))
        at += 1
    rarest = at
    middle: list[Term] = []
    spent = 0
    while at < len(common):
        spent += common[at].documents or 0
        if spent > (budget if len(middle) > 1 else 4 * budget):
            break
        middle.append(common[at])
        at += 1
    if len(middle) > 1:
        weight = sum(term.idf for term in middle) / len(middle)
        for bit in (1, 2):
            halves: tuple[list[str], list[str]] = ([], [])
            for place, term in enumerate(middle):
                halves[bool(place & bit)].append(term.match)
            if halves[1]:
                both = f"({' OR '.join(halves[0])}) AND ({' OR '.join(halves[1])})"
                for one in _ids(db, both):
                    score[one] = score.get(one, weight) + weight
    if len(score) < keep and rarest < len(common):
        newest = {"match": common[rarest].match, "limit": keep}
        for one in (db.read("recall.newest_having", newest)[0][0] or "").split():
            score.setdefault(one, common[rarest].idf)
    return score


def _is_telling(term: Term, size: int) -> bool:
    return (term.documents or 0) <= max(RARE, COMMON_SHARE * size)


def _ids(db: Database, match: str) -> list[str]:
    return (db.read("recall.having", {"match": match})[0][0] or "").split()


def _best(score: dict[str, float], keep: int) -> list[str]:
    """The ids with the highest sums; of equals the newest."""
    if len(score) <= keep:
        return list(score)
    least = sorted(score.values(), reverse=True)[keep - 1]
    best = [one for one, value in score.items() if value > least]
    best.sort(key=lambda one: (-score[one], -int(one)))
    level = sorted((int(one) for one, value in score.items() if value == least), reverse=True)
    return best + [str(one) for one in level[: keep - len(best)]]


def _exact(
    db: Database, terms: list[Term], rows: list[tuple[Any, ...]], size: int
) -> list[Candidate]:
    """BM25 over every telling term; a row that only shares words that tell nothing is out."""
    counted = [term for term in terms if term.idf and _is_telling(term, size)]
    counted = counted or [term for term in terms if term.idf]
    whole = sum(term.idf for term in counted) * (K1 + 1) or 1.0
    read = [Candidate(row) for row in rows]
    texts = [db.stems(one.text) for one in read]
    mean = sum(map(len, texts)) / len(texts) if texts else 1.0
    found = []
    for one, text in zip(read, texts, strict=True):
        damp = K1 * (1 - B + B * len(text) / (mean or 1.0))
        there = set(text)
        joined = ""
        score = 0.0
        for term in counted:
            times = 0
            for stem in term.stems:
                if stem in there:
                    times += text.count(stem)
            if not times and term.phrases:
                joined = joined or f" {' '.join(text)} "
                for phrase in term.phrases:
                    times += joined.count(f" {phrase} ")
            if times:
                score += term.idf * times * (K1 + 1) / (times + damp)
        if score > 0:
            one.relevance = score / whole
            found.append(one)
    found.sort(key=lambda one: (-one.relevance, -one.id))
    return found
