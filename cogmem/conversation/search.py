"""Search in what was said, by a regular expression of linear time, however long the record is."""

from __future__ import annotations

import time
from itertools import islice

from cogmem.conversation.parts import text_of
from cogmem.errors import InvalidInput
from cogmem.records import Record, most_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.conversation.record import Message, Talk

AROUND = 50  # characters shown on either side of a match
PER_PART = 5
PATTERN_LENGTH = 1_000
PAGE = 500
SECONDS = 5.0  # for which it looks


class Match(Record):
    """One match: where it is, who said it, and the words around it."""

    seq: int
    role: str
    excerpt: str


class Found(Record):
    """Matches in the order of the record, and whether there may be more."""

    matches: list[Match]
    is_cut: bool
    searched: int

    def text(self) -> str:
        """Return the matches for a reader, one line each."""
        if not self.matches:
            return "no matches"
        rows = [f"[{match.seq}] {match.role}: {match.excerpt}" for match in self.matches]
        return "\n".join([*rows, "… more matches are not shown"] if self.is_cut else rows)


def compiled(pattern: str) -> Any:
    """Return a case-insensitive pattern of linear time; what re2 cannot do is refused with a reason."""
    import re2  # type: ignore[import-untyped]

    if not pattern or len(pattern) > PATTERN_LENGTH:
        raise InvalidInput(f"a pattern has 1 to {PATTERN_LENGTH:,} characters, not {len(pattern)}")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        return re2.compile(pattern, options=options)
    except (re2.error, UnicodeEncodeError) as error:
        fault = error.args[0] if error.args else error
        told = fault.decode("utf-8", "replace") if isinstance(fault, bytes) else error
        raise InvalidInput(
            f"{pattern!r} is not a regular expression ({told}); references and look-around are not supported"
        ) from None


def search(talk: Talk, pattern: str, *, limit: int = 20) -> Found:
    """Return where a pattern occurs in text parts and in the names of called tools, the oldest first."""
    expression = compiled(pattern)
    state = talk.state()
    most = most_rows(limit)
    matches: list[Match] = []
    searched = 0
    if state is None:
        return Found(matches, False, 0)
    until = time.monotonic() + SECONDS
    for start in range(0, state.next_seq, PAGE):
        for message in talk.messages(start, start + PAGE):
            searched += 1
            for excerpt in _excerpts(message, expression):
                if len(matches) == most:
                    return Found(matches, True, searched)
                matches.append(Match(message.seq, message.role, excerpt))
        if time.monotonic() > until:
            return Found(matches, True, searched)
    return Found(matches, False, searched)


def _excerpts(message: Message, expression: Any) -> Iterator[str]:
    for part in message.parts:
        if part.get("type") == "text":
            text = text_of([part])
        elif part.get("type") in ("tool_call", "tool_result"):
            text = str(part.get("name") or "")
        else:
            continue
        for match in islice(expression.finditer(text), PER_PART):
            start, end = max(0, match.start() - AROUND), min(len(text), match.end() + AROUND)
            shown = " ".join(text[start:end].split())
            yield f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
