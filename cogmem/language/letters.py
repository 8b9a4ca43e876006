"""Where in a message somebody else's letter lies: a greeting, what it says, a sign-off with a name.

People paste a mail and ask below it what to answer. Nothing in the mail is said in their own name,
whatever it says of "I" and "we". A letter with nothing below it may be the person's own.
"""

from __future__ import annotations

from functools import cache

from cogmem.language.clauses import regex
from cogmem.text.data import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LAST_WORDS = 240  # characters of what stands below a letter and asks about it


@cache
def _patterns() -> list[Any]:
    return [regex(text) for _, _, text in patterns("letters")]


def without_letter(text: str) -> str:
    """Return the message with blank lines where a letter stands, so that every place stays as it is."""
    start, end = letter_in(text) if "\n" in text else (0, 0)
    return text[:start] + "\n" * (end - start) + text[end:]


def letter_in(text: str) -> tuple[int, int]:
    """Return where a letter lies that something stands below; (0, 0) if there is none."""
    greeting, sign_off, about_it = _patterns()
    begun = greeting.search(text)
    signed = sign_off.search(text, begun.end() if begun else 0)
    if signed:
        below = text[signed.end() :]
        own = below.lstrip()
        gap = below[: len(below) - len(own)].count("\n")
        if own and gap >= (1 if begun else 2) and not own.lower().startswith(("ps", "p.s")):
            return (begun.start() if begun else 0), signed.end()
    if begun:
        above, blank, last = text.rstrip().rpartition("\n\n")
        if blank and len(above) > begun.end() and len(last) <= LAST_WORDS and about_it.search(last):
            return begun.start(), len(above)
    return 0, 0
