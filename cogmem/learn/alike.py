"""Finds what may say the same as a new text: by its few telling words, through the search index."""

from __future__ import annotations

from math import log

from cogmem.records import add_up, json_list, json_numbers
from cogmem.text.similarity import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.store.store import Store

    Params = Mapping[str, Any]
    Row = tuple[Any, ...]

POSTINGS = 300  # how many memories may be looked at to find them
RARE = 32  # memories in which a stem that is not among the common ones is taken to stand
TERMS = 3  # from the beginning of a text, and as many from all of it
MOST = 60  # memories of the best that are looked at, until enough of them may be joined


def alike(store: Store, content: str, terms: str, place: Params, most: int) -> list[Row]:
    """The few memories of a place that share telling words with a text, best first.

    As rows of uid, content, polarity and projection; `place` has the other parameters of learn.alike.
    """
    score: dict[str, float] = {}  # in the order of the lists, so of equals the newest comes first
    matches = _telling(store, content, terms)
    asked = {"matches": json_list(matches), "limit": POSTINGS}
    for (listed,) in store.db.read("learn.having", asked) if matches else ():
        ids = (listed or "").split()
        worth = log(1 + 100_000 / (len(ids) or 1))  # the rarer the word, the more it tells
        add_up(score, ids, worth)
    if not score:
        return []
    ranked = sorted(score, key=score.__getitem__, reverse=True)[:MOST]
    return store.db.read("learn.alike", {**place, "ids": json_numbers(ranked), "most": most})


def _telling(store: Store, content: str, terms: str) -> list[str]:
    """Full-text queries for the few telling words that a similar text must share."""
    text = f"{content[:4000]} {terms[:1000]}"
    # FTS5 stems what it is asked for, so it gets the words; the stems say how common they are.
    words = dict(zip(store.db.stems(text), store.db.words(text), strict=True))
    if not words:
        return []
    common = dict(store.db.read("learn.common", {"terms": json_list(words)}))
    ranked = sorted(words, key=lambda stem: (common.get(stem, RARE), -len(stem)))
    # A remark at the end may bring rare words of its own: half of them come from the beginning.
    first = {*list(words)[: (len(words) + 1) // 2]}
    leading = [stem for stem in ranked if stem in first][:TERMS]
    ranked = [*leading, *(stem for stem in ranked if stem not in leading)]
    chosen: list[str] = []
    spent = 0
    for stem in ranked[: 2 * TERMS]:
        cost = common.get(stem, RARE)
        if chosen and spent + cost > POSTINGS:
            continue
        chosen.append(stem)
        spent += cost
    if spent > POSTINGS:  # common words only: together they are rare
        return [" AND ".join(f'"{words[stem]}"' for stem in ranked[:4])]
    return [f'"{words[stem]}"' for stem in chosen]


def fill_projections(store: Store, *, now: int, limit: int = 1_000) -> int:
    """Project memories that have no projection: after a rebuild, or written by a shell."""
    rows = store.db.read("learn.unprojected", {"limit": limit})
    if rows:
        steps = [projected(uid, content) for uid, content in rows]
        store.db.write(steps, verb="project", actor="cogmem", at=now)
    return len(rows)


def projected(uid: str, content: str) -> Step:
    """Keeps the projection of a memory, if it says this when it is written."""
    return "learn.project", {"uid": uid, "content": content, "vector": embed(content)}
