"""Stage search: which memories each proposal may meet.

Only memories of the same kind, runtime, user and project are offered: whatever a model answers, it
cannot reach what belongs to another. A search that fails finds nothing, and the proposal is new.
"""

from __future__ import annotations

import json

from cogmem.errors import CogmemError
from cogmem.extraction.work import VOCABULARY
from cogmem.records import Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.extraction.work import Proposal, Work

WORDS = 8  # of a proposal, its rarest ones
COMMON = 300  # a word in more memories than this is not searched for, unless there is no other
RARE = 32  # memories in which a word that is not among the common ones is taken to stand


def search(work: Work) -> None:
    """Offer to each proposal the memories most like it."""
    for one in work.open():
        try:
            one.offered = _alike(work, one)
        except CogmemError:
            work.measures.count("errors", "search")
            one.offered = []


def _alike(work: Work, one: Proposal) -> list[Remembered]:
    match = telling_match(work, one.content)
    if not match:
        return []
    kind = work.store.kind(one.kind, VOCABULARY)[0]
    place = work.owner(bool(kind.is_shared)).owner()
    # Without a session of its own, a talk may meet what any session of this user holds.
    place["session"] = place["session"] or None
    wanted = {
        **place,
        "match": match,
        "kind": one.kind,
        "limit": work.options.alike,
        "now": work.now,
    }
    return [Remembered(row) for row in work.store.db.rows("extraction.alike", wanted)]


def telling_match(work: Work, content: str) -> str:
    """A full-text query for the rarest words of a statement."""
    db = work.store.db
    text = content[:4000]
    # FTS5 stems what it is asked for, so it gets the words; the stems say how common they are.
    words = dict(zip(db.stems(text), db.words(text), strict=True))
    common = dict(db.read("extraction.common", {"terms": json.dumps([*words], ensure_ascii=False)}))
    ranked = sorted(words, key=lambda stem: (common.get(stem, RARE), -len(stem)))
    chosen = [stem for stem in ranked[:WORDS] if common.get(stem, RARE) <= COMMON]
    if not chosen and ranked:  # common words only: together they are rare
        return " AND ".join(f'"{words[stem]}"' for stem in ranked[:4])
    return " OR ".join(f'"{words[stem]}"' for stem in chosen)
