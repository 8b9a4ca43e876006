"""The words of a text that tell what it is about, and by which it is known again."""

from __future__ import annotations

import re
from functools import lru_cache

from cogmem.language.cjk import has_any, runs, telling_pairs
from cogmem.language.clauses import fold
from cogmem.language.statement import unleaning
from cogmem.text.data import small_words

ENDINGS = ("ing", "ed", "es", "s")
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=64)  # what a message's clauses tell is asked by several
def telling(text: str) -> frozenset[str]:
    """Return the words of a text that say something: no small ones, no paths, without their endings."""
    low = text.lower()
    if "/" in low or "\\" in low:
        low = " ".join([word for word in low.split() if "/" not in word and "\\" not in word])
    said = {*_WORD.findall(low)} - small_words()["plain"]
    return frozenset([_stem(word) for word in said if len(word) > 1])


def telling_apart(text: str) -> frozenset[str]:
    """Return the telling words by which something is known again: without accents and whom an order is for, which
    some languages write behind it; of scripts without blanks pairs of signs."""
    if not has_any(text):
        return frozenset([unleaning(fold(word)) for word in telling(text)])
    found = {pair for run in runs(text) for pair in telling_pairs(run)}
    return frozenset(found.union([word for word in telling(text) if not has_any(word)]))


def _stem(word: str) -> str:
    if word.endswith(ENDINGS):
        for ending in ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 2:
                return word[: -len(ending)]
    return word
