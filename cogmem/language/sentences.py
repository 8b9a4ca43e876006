"""Where a sentence of prose ends: at a mark, what closes after it, and a blank that no small letter follows.

`clauses` parts what a person typed more finely, and knows what is no prose; `statement` reads one clause.
"""

from __future__ import annotations

import re

_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"'”)]))\s+(?=[^a-z\s])|(?<=[。！？])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a line is at least one."""
    return [said for line in text.split("\n") for one in _END.split(line) if (said := one.strip())]
