"""Rows put into a memory as they are, without the write path: what the nights of tests work on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import cogmem

DAY = 86_400_000


def plant(
    memory: cogmem.Memory,
    content: str,
    kind: str = "fact",
    *,
    at: int,
    tags: tuple[str, ...] = (),
    data: dict[str, Any] | None = None,
    detail: dict[str, Any] | None = None,
    **columns: Any,
) -> str:
    """One memory with any columns; `detail` are those of its layer. Returns its uid."""
    store = memory.store
    layer = store.kinds.all()[kind].layer
    number = memory.db.ask("select coalesce(max(id), 0) + 1 from memory")[0][0]
    row = {
        "uid": f"mem_{number:016x}",
        "layer": layer,
        "kind": kind,
        "key": "",
        "content": content,
        "tags": json.dumps(list(tags)),
        "runtime": "",
        "user": "",
        "project": "",
        "session": "",
        "path_glob": "",
        "priority": 1,
        "source": "observed",
        "trust": 0.85,
        "polarity": 1,
        "state": "active",
        "reinforcement_count": 1,
        "access_count": 0,
        "data": json.dumps(data or {}),
        "created_at": at,
        "updated_at": at,
        "reinforced_at": at,
        "accessed_at": None,
        "expires_at": None,
        "archived_at": None,
        "archive_reason": "",
        **store.written_form(layer, str(columns.get("key", "")), content, {}),
        **columns,
    }
    steps: list[tuple[str, dict[str, Any]]] = [("store.insert_memory", row)]
    if layer == "episodic":
        told = {"outcome": "", "happened_at": at, "session_name": "", "turns": 0, "form": "event"}
        steps.append(("store.set_episode", {**told, **(detail or {}), "uid": row["uid"]}))
    elif layer == "procedural":
        told = {
            "context": "",
            "steps": "[]",
            "success_count": 0,
            "failure_count": 0,
            "used_at": None,
        }
        steps.append(("store.set_procedure", {**told, **(detail or {}), "uid": row["uid"]}))
    elif detail:
        held = {
            "topic": "",
            "valid_from": None,
            "valid_to": None,
            "recorded_at": at,
            "confidence": 0.8,
        }
        steps.append(("store.set_fact", {**held, **detail, "uid": row["uid"]}))
    memory.db.write(steps, verb="plant", at=at)
    return str(row["uid"])


def tie(memory: cogmem.Memory, uid: str, relation: str, other: str, at: int) -> None:
    """A link between two memories."""
    text = (
        "insert into link (from_id, relation, to_id, created_at) select a.id, :relation, b.id, :at"
        " from memory a, memory b where a.uid = :uid and b.uid = :other"
    )
    params = {"uid": uid, "other": other, "relation": relation, "at": at}
    memory.db.write([(text, params)], verb="plant", at=at)


def state(memory: cogmem.Memory, uid: str) -> str:
    """What became of a memory."""
    return str(memory.db.ask("select state from memory where uid = :uid", {"uid": uid})[0][0])


def everything(memory: cogmem.Memory) -> dict[str, list[tuple[Any, ...]]]:
    """The durable rows that a night may touch, to compare before and after."""
    tables = ("memory", "fact", "episode", "procedure", "link")
    return {name: memory.db.ask(f"select * from {name} order by 1") for name in tables}
