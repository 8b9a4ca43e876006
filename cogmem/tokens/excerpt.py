"""Counts a few short texts exactly, from the part of the table that they can need.

A tokenizer merges bytes that stand side by side, so it only ever asks for what stands in the text: an excerpt of
its table gives the same tokens. To hand over the whole table takes twice as long as to read it, and a command
counts one line.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from bisect import bisect_left

import tiktoken

TEXTS = 60  # in one process: each takes some 7 ms, and the whole table 450 once
ENOUGH = 200_000  # places looked up: some 30 kB of prose, one of signs without blanks
LONGEST = 128  # bytes of the longest token
# Before a blank that follows a letter or a digit every piece ends, so no token stands across.
_ENDS = re.compile(r"(?<=[^\W_])(?= )")


class Excerpts:
    """The lines of the table in order, nothing of them decoded, and how much may still be looked up in them. A
    dictionary of them would hold twice as much."""

    def __init__(self, table: bytes, pieces: str) -> None:
        self._lines = table.split(b"\n")
        self._lines.append(b"~")  # behind all that may be looked for
        self._lines.sort()
        self._pieces = pieces
        self._left = ENOUGH
        self._texts = TEXTS
        self.table = table

    def encoding(self, text: str) -> tiktoken.Encoding | None:
        """Return a tokenizer for this text alone; None when so much was counted that the whole table is due."""
        self._texts -= 1
        if self._texts < 0 or len(text) > self._left:
            return None
        # Half a surrogate becomes what tiktoken makes of it.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        parts = {part.encode() for part in _ENDS.split(text)}
        self._left -= sum(len(part) * min(len(part), LONGEST) for part in parts)
        if self._left < 0:
            return None
        ranks = {}
        for part in parts:
            for start in range(len(part)):
                for end in range(start + 1, min(len(part), start + LONGEST) + 1):
                    token = part[start:end]
                    head = b"%b " % b2a_base64(token, newline=False)
                    line = self._lines[bisect_left(self._lines, head)]
                    if line.startswith(head):
                        ranks[token] = int(line[len(head) :])
        return tiktoken.Encoding(
            "o200k_excerpt", pat_str=self._pieces, mergeable_ranks=ranks, special_tokens={}
        )
