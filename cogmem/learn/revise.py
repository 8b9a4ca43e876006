"""Rewrites a memory: parts of what it says, or whose it is. Its history keeps what it was."""

from __future__ import annotations

from cogmem.errors import Conflict, InvalidInput
from cogmem.guard import guard
from cogmem.language.contradiction import polarity
from cogmem.learn.admit import (
    as_json,
    checked_length,
    clean,
    guarded,
    layer_columns,
    room,
    within,
)
from cogmem.learn.doubt import believed
from cogmem.scope import Scope
from cogmem.store.kinds import checked_priority
from cogmem.text import lines
from cogmem.text.cell import listed
from cogmem.text.tags import auto_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.store.kinds import Kind
    from cogmem.store.store import Store


def revise(
    store: Store,
    memory: Remembered,
    changes: dict[str, Any],
    *,
    now: int,
    verb: str = "update",
    capped: Kind | None = None,
) -> str:
    """Change parts of a memory through the same guard; returns the act.

    `capped` is its kind under a name that has caps of its own.
    """
    asked = {name: value for name, value in changes.items() if value is not None}
    if not asked:
        raise InvalidInput("nothing to change: give content, tags, priority, path, key or kind")
    kind = _kind(store, memory, asked)
    notes: list[str] = []
    _screen(memory, asked, kind, notes)
    told: list[Step] = []
    if "detail" in asked:
        policy = guard.POLICIES["user_explicit"]
        asked["detail"] = layer_detail(memory, asked["detail"], policy, notes)
        told = [(_TELLS[memory.layer], {**asked["detail"], "uid": memory.uid})]
    steps = [
        unchanged(store, memory, now),
        *store.rewrite_steps(memory, asked, now)[1:],
        *told,
    ]
    if "content" in asked or "detail" in asked:
        steps.append(believed(memory.uid))
    if "content" in asked or "kind" in asked:
        row = {"content": asked.get("content", memory.content), "kind": kind.name}
        row.update({name: getattr(memory, name) for name in ("runtime", "user", "project")})
        moves = "kind" in asked and kind.name != memory.kind
        replacing = None if moves else memory.content
        steps += room(store, capped or kind, row, memory.uid, now, replacing=replacing)
    return store.db.write(steps, verb=verb, at=now).act


def _kind(store: Store, memory: Remembered, asked: dict[str, Any]) -> Kind:
    """Return the kind that the memory has afterwards; one that is asked for must be known, and of its layer."""
    if "kind" not in asked:
        return store.kinds.of(memory.kind)[0]
    kind = store.kinds.demand(asked["kind"])
    if kind.layer != memory.layer:
        raise InvalidInput(
            f"a memory keeps its layer: {kind.name} is {kind.layer}, not {memory.layer}"
        )
    asked["kind"] = kind.name
    return kind


def _screen(memory: Remembered, asked: dict[str, Any], kind: Kind, notes: list[str]) -> None:
    """Put what was asked for through the guard, and add what follows from it."""
    policy = guard.POLICIES["user_explicit"]
    if "priority" in asked:
        asked["priority"] = checked_priority(asked["priority"], kind)
    if "key" in asked:
        asked["key"] = guarded(lines.one_line(clean(asked["key"], "key")), policy, notes)
    if "path_glob" in asked:
        asked["path_glob"] = clean(asked["path_glob"], "path")
    if "content" in asked:
        asked["content"] = guarded(clean(asked["content"], "content"), policy, notes)
        if not asked["content"]:
            raise InvalidInput(
                "there is nothing to remember: the new text is empty; `remove` takes it away"
            )
        checked_length(asked["content"])
        asked["polarity"] = polarity(asked["content"])
        if "also" in memory.data:  # other wordings of what it no longer says
            data = asked.get("data", memory.data)
            asked["data"] = {name: value for name, value in data.items() if name != "also"}
    if "data" in asked:
        asked["data"] = within(asked["data"], policy, notes)
    if "content" in asked or "tags" in asked:
        given = lines.several(asked.get("tags", [] if "content" in asked else memory.tags), "tags")
        given = [guarded(lines.one_line(clean(str(tag), "tag")), policy, notes) for tag in given]
        found = auto_tags(asked.get("content", memory.content))
        asked["tags"] = [*dict.fromkeys([*given, *found])]


_TELLS = {
    "semantic": "store.set_fact",
    "episodic": "store.set_episode",
    "procedural": "store.set_steps",
}


def layer_detail(
    memory: Remembered, changes: dict[str, Any], policy: guard.Screening, notes: list[str]
) -> dict[str, Any]:
    """Return the columns of the layer's own row, with what is to be another one put in and guarded."""
    known = layer_columns(memory.layer, {}, 0)
    unknown = [name for name in changes if name not in known]
    if unknown:
        raise InvalidInput(f"a memory of layer {memory.layer} has no {', '.join(unknown)}")
    row = {name: value for name, value in memory.detail.items() if name in known}
    for name, value in changes.items():
        row[name] = within(value, policy, notes) if isinstance(value, (str, list)) else value
    if memory.layer == "procedural":
        steps = row["steps"] if isinstance(row["steps"], list) else listed(row["steps"])
        if not steps:
            raise InvalidInput("a procedure needs at least one step")
        return {"context": row["context"], "steps": as_json([str(step) for step in steps])}
    return row


def move(store: Store, memory: Remembered, to: Scope, *, now: int, reason: str = "") -> str:
    """Give a memory to another user, project, session or runtime; returns the act.

    A key or a text that the new owner holds already is not overwritten: that is a Conflict.
    """
    if to == scope_of(memory):
        raise InvalidInput(f"{memory.uid} belongs there already: nothing was moved")
    place = to.owner()
    named = {"key": memory.key, "layer": memory.layer, **place}
    same = {
        "content_hash": lines.content_hash(memory.content),
        **{name: getattr(memory, name) for name in ("layer", "kind", "path_glob")},
        **place,
    }
    for question, asked in (("store.owned_key", named), ("store.owned_text", same)):
        held = store.db.read(question, asked)
        if held:
            what = f"the key {memory.key!r}" if question == "store.owned_key" else "this text"
            raise Conflict(
                f"{held[0][0]} holds {what} there: "
                f"`cogmem fact merge {held[0][0]} {memory.uid} --everywhere` makes them one"
            )
    still = unchanged(store, memory, now)
    kind, _ = store.kinds.of(memory.kind)
    row = {"content": memory.content, "kind": kind.name, **place}
    steps: list[Step] = [
        still,
        ("store.still_free", named),
        ("store.move", {"uid": memory.uid, **place, "now": now}),
        *room(store, kind, row, memory.uid, now),
    ]
    return store.db.write(steps, verb="move", at=now, reason=told(reason)).act


def unchanged(store: Store, memory: Remembered, now: int) -> Step:
    """Return the step that checks once more, as it writes, that a memory still is as it was read."""
    seen = store.seen(memory.uid)
    there = store.get(memory.uid, Scope(everywhere=True), now)
    if any(getattr(there, name) != getattr(memory, name) for name in _DECIDED_ON):
        raise Conflict(f"{memory.uid} was changed meanwhile: read it again")
    return "store.still", {"uid": memory.uid, "seen": seen}


_DECIDED_ON = ("content", "key", "kind", "tags", "state", "data", "detail", "priority", "path_glob")


def scope_of(memory: Remembered) -> Scope:
    """Return whose a memory is."""
    return Scope(memory.runtime, memory.user, memory.project, memory.session)


def told(reason: str) -> str:
    """Return a reason as it may stand in the history."""
    return guarded(lines.one_line(clean(reason, "reason")), guard.POLICIES["user_explicit"], [])
