"""Which words of a statement find the others that speak of the same."""

from __future__ import annotations

from cogmem.records import json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database

WORDS = 8  # of a statement, its rarest ones
COMMON = 300  # a word in more memories than this is not searched for, unless there is no other
RARE = 32  # memories in which a word that is not among the common ones is taken to stand


def telling_match(db: Database, content: str) -> str:
    """Return a full-text query for the rarest words of a statement."""
    text = content[:4000]
    # FTS5 stems what it is asked for, so it gets the words; the stems say how common they are.
    words = dict(zip(db.stems(text), db.words(text), strict=True))
    common = dict(db.read("noted.common", {"terms": json_list(words)}))
    ranked = sorted(words, key=lambda stem: (common.get(stem, RARE), -len(stem)))
    chosen = [stem for stem in ranked[:WORDS] if common.get(stem, RARE) <= COMMON]
    if not chosen and ranked:  # common words only: together they are rare
        return " AND ".join(f'"{words[stem]}"' for stem in ranked[:4])
    return " OR ".join(f'"{words[stem]}"' for stem in chosen)
