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
    words = text.split()
    wanted = FEWEST_WORDS - 1  # the first may stand right behind a colon
    row, read = 0, -1  # how many stand in a row before the place up to which is read
    while row < wanted:
        # Backwards from the nearest place where a row could be full: mostly one of the first words there parts it,
        # and what stands before that need not be read.
        last, here = read + wanted - row, 0
        if last >= len(words):
            return False
        for place in range(last, read, -1):
            word = words[place].lower()
            if 2 < len(word) < 10 and word not in _USUAL:
                here += 1
            elif word.strip(_AROUND):  # numbers may stand between
                row = 0
                break
        row, read = row + here, last
    return True
