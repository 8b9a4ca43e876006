"""What stands in a text of 800 tokens: how results are packed into it, and how much of an answer it tells."""

from __future__ import annotations

import re
from collections import Counter
from math import log

from retrieval import folded

from cogmem.tokens.counting import O200k

BUDGET = 800
COUNTER = O200k()
WORD = re.compile(r"\w{3,}")
RARE = 1 / 20  # share of a conversation's items: a word in no more of them is telling


class Telling:
    """How much the words of a conversation tell: the rarer, the more."""

    def __init__(self, said: dict[str, str]) -> None:
        self.words = {name: words(text) for name, text in said.items()}
        counts = Counter(word for mine in self.words.values() for word in mine)
        most = max(1.0, RARE * len(said))
        self.worth = {w: log(len(said) / n) for w, n in counts.items() if n <= most}

    def shown(self, evidence: list[str], block: str) -> float | None:
        """The share of what the evidence's words tell that a text has; None if they tell nothing."""
        wanted = set().union(*(self.words[name] for name in evidence)) & self.worth.keys()
        whole = sum(self.worth[word] for word in wanted)
        there = wanted & words(block)
        return sum(self.worth[word] for word in there) / whole if whole else None


def words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def packed(texts: list[str]) -> str:
    """Lines, best first, as many as fit; one that does not is skipped."""
    lines: list[str] = []
    left = BUDGET
    for text in texts:
        line = f"- {folded(text)}\n"
        cost = COUNTER.count(line)
        if cost <= left:
            lines.append(line)
            left -= cost
    return "".join(lines)
