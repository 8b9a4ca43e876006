"""Short words that follow each other, none of them one that most sentences have: as in a wallet's recovery phrase.

It is its own module since the first look at a text and the guard both ask it.
"""

from __future__ import annotations

from cogmem.text.data import listed

FEWEST_WORDS = 12  # short ones that follow each other: the shortest recovery phrase of a wallet
_AROUND = "0123456789.,;:)(-|>*\"'`"  # what stands around such words
# What no such row holds and most sentences do.
_USUAL = frozenset(listed("glance", "usual"))


def has_row(text: str) -> bool:
    """Tell whether so many short words follow each other, none of them usual: few texts have them."""
    row = 0
    for word in text.lower().split():
        if 2 < len(word) < 10 and word not in _USUAL:
            row += 1
            if row >= FEWEST_WORDS - 1:  # the first may stand right behind a colon
                return True
        elif word.strip(_AROUND):  # numbers may stand between
            row = 0
    return False
