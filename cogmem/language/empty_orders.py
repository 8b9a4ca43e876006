"""Orders that say nothing by themselves: "never again", "from now on", "don't do it", 下次不要这样.

They point at what was said or done before them. Kept alone, such a one would stand in every prompt
and tell nobody what to do.
"""

from __future__ import annotations

from functools import cache

from cogmem.language.cjk import is_cjk
from cogmem.text.data import words

LONGEST = 8  # words: a longer order says something

_SIGNS = ".,;:!?…\"'()。、，！？"


@cache
def _lists() -> tuple[frozenset[str], list[str]]:
    listed = words("empty_orders")
    return frozenset(listed["frame"].split()), listed["unspaced"].split()


def is_empty_order(text: str) -> bool:
    """Tell whether an order names nothing that is to be done, or left."""
    frame, unspaced = _lists()
    if any(map(is_cjk, text)):
        for word in unspaced:
            text = text.replace(word, "")
        return not any(map(str.isalnum, text))
    said = [word.strip(_SIGNS) for word in text.lower().replace("’", "'").split()]
    return len(said) <= LONGEST and frame.issuperset(said)
