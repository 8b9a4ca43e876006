"""Keeps a kind within its caps: something gives way, or the newcomer is refused with the figures."""

from __future__ import annotations

from cogmem.errors import CapacityReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.store.store import Kind, Store

SEPARATOR = 3  # entries of a capped collection are counted with the line that separates them


def room(
    store: Store,
    kind: Kind,
    row: dict[str, Any],
    uid: str,
    now: int,
    *,
    replacing: str | None = None,
) -> list[Step]:
    """Steps that keep a kind within its caps, or a refusal with the figures.

    `replacing` is the text that gives way; None: a memory is added.
    """
    if kind.max_rows is None and kind.max_characters is None:
        return []
    bucket = {name: row[name] for name in ("kind", "runtime", "user", "project")}
    caps = {"most_rows": kind.max_rows, "most_characters": kind.max_characters}
    count, characters = store.db.read("store.usage", bucket)[0]
    adding = replacing is None
    if kind.capacity_policy == "refuse":
        used = characters + SEPARATOR * max(count - 1, 0)
        size = (
            used
            - len(replacing or "")
            + len(row["content"])
            + (SEPARATOR if adding and count else 0)
        )
        if kind.max_characters is not None and size > kind.max_characters:
            raise CapacityReached(
                f"the entry has {len(row['content'])} characters and {kind.name} already holds "
                f"{used} of {kind.max_characters}: remove or shorten an entry first"
            )
        if adding and kind.max_rows is not None and count >= kind.max_rows:
            raise CapacityReached(
                f"{kind.name} already holds {count} of {kind.max_rows} memories: remove one first"
            )
        # Another process may add at the same time: the write itself checks once more.
        return [("learn.still_room", {**bucket, **caps, "separator": SEPARATOR})]
    if kind.max_rows is None or not adding or count < kind.max_rows:
        return []
    if kind.capacity_policy == "archive_weakest":
        return [
            (
                "store.make_room_by_strength",
                {**bucket, "keep": kind.max_rows, "newest": uid, "now": now},
            )
        ]
    return [("store.make_room_by_age", {**bucket, "keep": kind.max_rows, "now": now})]
