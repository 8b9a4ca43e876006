"""Search by words first, by meaning beside it: what vectors find is added, and never stands in the way."""

from __future__ import annotations

from threading import Lock

from cogmem.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from cogmem.search.recalled import Recalled
    from cogmem.search.vectors import Embedder

    Vector = Sequence[float]
    # (query, kind, limit, options of recall) and (vector, kind, limit, options of recall)
    Words = Callable[[str, str, int, dict[str, Any]], Sequence[Recalled]]
    Meanings = Callable[[Vector, str, int, dict[str, Any]], Sequence[Recalled]]
    Embed = Callable[[str], Vector]


class OneVector:
    """An embedder that makes the vector of one text once, whoever asks and however many at a time."""

    def __init__(self, embedder: Embedder) -> None:
        self.model = embedder.model
        self._embedder = embedder
        self._lock = Lock()
        self._made: dict[tuple[str, ...], Sequence[Vector]] = {}

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of some texts."""
        with self._lock:
            key = tuple(texts)
            if key not in self._made:
                self._made = {key: self._embedder.embed(texts)}
            return self._made[key]


class Hybrid:
    """Joins two searches. Faults of the embedder or of the vectors leave the words alone."""

    def __init__(
        self, words: Words, meanings: Meanings | None = None, embed: Embed | None = None
    ) -> None:
        if not callable(words):
            raise InvalidInput(
                "a hybrid search needs a search by words: pass mem.recall or your own"
            )
        self._words = words
        self._meanings = meanings
        self._embed = embed

    def vector(self, query: str) -> Vector | None:
        """The query's vector, or None where there is no embedder or it fails."""
        if self._embed is None or self._meanings is None or not query.strip():
            return None
        try:
            return self._embed(query) or None
        except Exception:  # someone else's code, often someone else's machine
            return None

    def search(
        self,
        query: str,
        kind: str,
        limit: int,
        options: dict[str, Any],
        vector: Vector | None = None,
    ) -> list[Recalled]:
        """What the words find, then what only the vector finds; a fault of the words goes on."""
        found = list(self._words(query, kind, limit, options))
        if vector is None or self._meanings is None:
            return found[:limit]
        try:
            near = list(self._meanings(vector, kind, limit, options))
        except Exception:
            return found[:limit]
        known = {one.uid for one in found}
        for one in near:
            if one.uid not in known:
                known.add(one.uid)
                found.append(one)
        return found[:limit]
