"""How much shared words say: the figures of BM25, how two orders become one, and how likely a score makes something.

A turn, a recall and a search among summaries weigh words alike.
"""

from __future__ import annotations

from math import exp, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

K1, B = 1.2, 0.75  # how fast a repeated word stops counting; how much the length of a text counts
LEAST = 1e-12  # the chance of what is as good as out of the question
FUSION = 60  # the usual constant of reciprocal rank fusion


def idf(size: int, documents: int) -> float:
    """Return what a word is worth that stands in so many of so many texts."""
    return log(1 + (size - documents + 0.5) / (documents + 0.5))


def likely(score: float) -> float:
    """Return the chance that a weighed sum of figures comes to."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def shifted(chance: float, by: float) -> float:
    """Return a chance to whose weighed sum so much is added."""
    chance = min(max(chance, LEAST), 1 - LEAST)
    return likely(log(chance / (1 - chance)) + by)


def by_rank(place: int) -> float:
    """Return what a place in one order is worth beside places in another, whatever their scores mean."""
    return 1 / (FUSION + place)


def bm25(query: set[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Return the score of each text for the words of a query."""
    if not texts:
        return []
    average = sum(map(len, texts)) / len(texts) or 1.0
    scores = [0.0] * len(texts)
    for word in query:
        counts = [text.count(word) for text in texts]
        holding = sum(1 for count in counts if count)
        weight = idf(len(texts), holding)
        for place, count in enumerate(counts):
            if count:
                scale = K1 * (1 - B + B * len(texts[place]) / average)
                scores[place] += weight * count * (K1 + 1) / (count + scale)
    return scores
