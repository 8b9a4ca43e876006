"""What an assembler may use once more: for seconds only, and never after somebody wrote."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

MOST = 10_000  # entries of one cache
SWEEP = 60_000  # ms between two looks for what has expired
FRESH, STALE = 5_000, 30_000  # ms: a younger answer is taken whatever is asked, an older one never
CHANGED = 0.5  # share of a query that must differ for a new search


class Cache:
    """Answers with an expiry. One made before the latest write is none."""

    def __init__(self, ttl: int, most: int = MOST) -> None:
        self.ttl = ttl
        self.most = most
        self.hits = 0
        self.misses = 0
        self._rows: dict[Hashable, tuple[int, int, Any]] = {}
        self._swept = 0

    def get(self, key: Hashable, version: int, now: int) -> Any:
        """The answer, or None."""
        row = self._rows.get(key)
        if row is not None and row[1] == version and row[0] - self.ttl <= now < row[0]:
            self.hits += 1
            return row[2]
        self.misses += 1
        return None

    def put(self, key: Hashable, version: int, now: int, value: Any) -> None:
        """Keep an answer; when there is no room, the one that expires first goes."""
        if self.ttl <= 0:
            return
        if now - self._swept >= SWEEP or now < self._swept:
            self._swept = now
            for name in [name for name, row in self._rows.items() if row[0] <= now]:
                del self._rows[name]
        if key not in self._rows and len(self._rows) >= self.most:
            del self._rows[min(self._rows, key=lambda name: self._rows[name][0])]
        self._rows[key] = (now + self.ttl, version, value)

    def __len__(self) -> int:
        return len(self._rows)


class Throttle:
    """The latest answer of each scope, taken again while a person goes on typing about the same."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._latest: dict[Hashable, tuple[str, Any, int, int]] = {}

    def reusable(self, scope: Hashable, query: str, version: int, now: int) -> Any:
        """The latest answer if it will do, else None."""
        before = self._latest.get(scope)
        if before is None:
            return None
        asked, answer, at, of_version = before
        age = now - at
        if not answer or of_version != version or not 0 <= age < STALE:
            return None
        if age < FRESH or asked == query or change(asked, query) < CHANGED:
            return answer
        return None

    def put(self, scope: Hashable, query: str, answer: Any, version: int, now: int) -> None:
        """Keep the answer of a scope."""
        self._latest.pop(scope, None)
        while len(self._latest) >= self.most:
            del self._latest[next(iter(self._latest))]
        self._latest[scope] = (query, answer, now, version)


def change(before: str, after: str) -> float:
    """How much of a text differs, place by place: 0 for the same, 1 for nothing in common."""
    longer = max(len(before), len(after))
    if not longer:
        return 0.0
    same = sum(a == b for a, b in zip(before, after, strict=False))
    return 1 - same / longer
