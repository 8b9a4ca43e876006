"""Where a sentence of prose ends: at a mark, what closes after it, and a blank that no small letter follows.

`clauses` parts what a person typed more finely, and knows what is no prose; `statement` reads one clause.
"""

from __future__ import annotations

import re

_ENDS_A_PART = re.compile(r"(?<=[.!?;:])\s+|\n+|(?<=[。！？；])")
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"'”)]))\s+(?=[^a-z\s])|(?<=[。！？])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a line is at least one."""
    return [said for line in text.split("\n") for one in _END.split(line) if (said := one.strip())]


def parts(text: str) -> list[str]:
    """Return the sentences of a text, whatever letter one begins with, parted at colons and semicolons as well."""
    return [part for one in _ENDS_A_PART.split(text) if (part := one.strip())]
