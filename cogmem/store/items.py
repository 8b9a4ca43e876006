"""Items: values that an agent's own program keeps in a memory, under a namespace and a key.

An item is a memory of kind `item` whose key is `namespace.joined.by.dots/key`, so that what lies below
a namespace is one range of the index. `data` holds the value to the letter. It belongs to the exact
scope of the space it is kept in: what others share is not its program's to overwrite.
"""

from __future__ import annotations

import json

from cogmem.errors import CogmemError
from cogmem.space import Area
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

KIND = "item"
POLICY = {
    "name": KIND, "layer": "semantic", "meaning": "An item that an agent's own program keeps.",
    "weight": 0.9, "default_priority": 1, "half_life_days": 0, "is_baseline": 0, "is_pinned": 0,
    "is_shared": 0, "needs_person": 0, "max_rows": None, "max_characters": None,
    "capacity_policy": "archive_oldest",
}  # fmt: skip


def held(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an item's row says beside its words: the value as JSON, how it is indexed, its time to live."""
    return {"value": "{}", **mapped(row["data"])}


class Items(Area):
    """The items of one exact scope, as rows. What stands in their `data` is read by `held`."""

    def at(self, keys: Iterable[str], now: int) -> list[dict[str, Any]]:
        """Return items by their keys."""
        return self._rows("items.at", keys=json.dumps(list(keys)), now=now)

    def below(
        self, keys: tuple[str, str], now: int, *, equal: Sequence[tuple[str, Any]], limit: int
    ) -> list[dict[str, Any]]:
        """Return items in a range of keys, the latest first; `equal` holds paths and what must stand there."""
        low, high = keys
        path, wanted = equal[0] if equal else (None, None)
        asked = {"low": low, "high": high, "now": now, "path": path, "wanted": wanted}
        return self._rows("items.below", **asked, equal=json.dumps(equal[1:]), limit=limit)

    def by_words(
        self, keys: tuple[str, str], now: int, *, match: str, limit: int
    ) -> list[dict[str, Any]]:
        """Return items in a range of keys that share words with a query, the best first, with a score."""
        low, high = keys
        return self._rows("items.by_words", low=low, high=high, now=now, match=match, limit=limit)

    def namespaces(self, keys: tuple[str, str], now: int) -> list[str]:
        """Return the namespaces in a range of keys that hold items."""
        asked = {**self._place(), "low": keys[0], "high": keys[1], "now": now}
        return [row[0] for row in self.space.db.read("items.namespaces", asked)]

    def remove(self, keys: Iterable[str], now: int) -> None:
        """Take items out; undo brings them back."""
        self._write("items.remove", "remove", now, keys=json.dumps(list(keys)))

    def remove_expired(self, now: int) -> int:
        """Take out the items whose time is over; returns how many."""
        return len(self._write("items.remove_expired", "expire", now))

    def refresh(self, ends: Sequence[tuple[str, int]], now: int) -> None:
        """Items were read: their ends move away. Who may only read leaves them."""
        steps = [("items.refresh", {"uid": uid, "expires_at": end}) for uid, end in ends]
        if steps and not self.space.db.read_only:
            self.space.db.write(steps, verb="refresh", at=now)

    def know_the_kind(self, now: int) -> None:
        """Register the kind of items, unless the file has it."""
        store = self.space.store
        if KIND in store.kinds.all():
            return
        try:
            store.kinds.add(POLICY, now=now)
        except CogmemError:  # another process did it at the same time
            if store.kinds.of(KIND)[1]:
                raise

    def vectors(
        self, hashes: Iterable[str], names: tuple[str, str]
    ) -> dict[tuple[str, str], bytes]:
        """Vectors of items by text and model, for the models in a range of names."""
        asked = {"hashes": json.dumps(list(hashes)), "low": names[0], "high": names[1]}
        rows = self.space.db.rows("items.vectors", asked)
        return {(row["content_hash"], row["model"]): row["vector"] for row in rows}

    def keep_vectors(self, vectors: Mapping[tuple[str, str], bytes], now: int) -> None:
        """Keep vectors beside their memories, with which they go. Who may only read keeps none."""
        steps: list[Any] = [
            ("vectors.store", {"content_hash": said, "model": model, "vector": vector, "now": now})
            for (said, model), vector in vectors.items()
        ]
        if steps and not self.space.db.read_only:
            self.space.db.write(steps, verb="embed", at=now)

    def _place(self) -> dict[str, Any]:
        return {**self.space.scope.owner(), "kind": KIND}

    def _rows(self, name: str, **params: Any) -> list[dict[str, Any]]:
        rows = self.space.db.rows(name, {**self._place(), **params})
        # A person may have written a memory of this kind by hand: it is not an item.
        return [row for row in rows if '"value"' in row["data"] and "/" in row["key"]]

    def _write(self, name: str, verb: str, now: int, **params: Any) -> list[Any]:
        step = (name, {**self._place(), **params, "now": now})
        written = self.space.db.write([step], verb=verb, at=now)
        return list(written.rows[0])
