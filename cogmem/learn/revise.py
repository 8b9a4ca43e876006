"""Setting right what is held: change parts, correct, retire, supersede, settle contradictions.

`revise` rewrites a row (its history keeps what it was). The other three never overwrite a fact:
`correct` says that it was wrong all along, `supersede` that another one took its place, `retire`
that it holds no more.
"""

from __future__ import annotations

from cogmem.errors import Conflict, InvalidInput
from cogmem.guard import guard
from cogmem.language.contradiction import polarity
from cogmem.learn.admit import (
    PROFILES,
    admit,
    as_json,
    checked_length,
    clean,
    guarded,
    layer_columns,
    room,
    within,
)
from cogmem.learn.alike import projected
from cogmem.learn.doubt import believed, doubts
from cogmem.records import Draft, Learned
from cogmem.scope import Scope
from cogmem.store.store import checked_priority
from cogmem.text import lines
from cogmem.text.cell import listed
from cogmem.text.tags import auto_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.store.store import Kind, Store


def revise(
    store: Store,
    memory: Remembered,
    changes: dict[str, Any],
    *,
    actor: str,
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
    return store.db.write(steps, verb=verb, actor=actor, at=now).act


def _kind(store: Store, memory: Remembered, asked: dict[str, Any]) -> Kind:
    """Return the kind that the memory has afterwards; one that is asked for must be known, and of its layer."""
    kind, note = store.kind(asked.get("kind", memory.kind))
    if "kind" in asked:
        if note:
            raise InvalidInput(
                f"kind {asked['kind']!r} is not registered: `cogmem setting kind list` shows them"
            )
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


def move(
    store: Store, memory: Remembered, to: Scope, *, actor: str, now: int, reason: str = ""
) -> str:
    """Give a memory to another user, project, session or runtime; returns the act.

    A key or a text that the new owner holds already is not overwritten: that is a Conflict.
    """
    if to == _scope(memory):
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
    kind, _ = store.kind(memory.kind)
    row = {"content": memory.content, "kind": kind.name, **place}
    steps: list[Step] = [
        still,
        ("store.still_free", named),
        ("store.move", {"uid": memory.uid, **place, "now": now}),
        *room(store, kind, row, memory.uid, now),
    ]
    return store.db.write(steps, verb="move", actor=actor, at=now, reason=_told(reason)).act


def correct(
    store: Store, memory: Remembered, text: str, *, actor: str, now: int, reason: str = ""
) -> Learned:
    """Say what was true all along: a new fact takes the place and the time of the wrong one."""
    _is_held_fact(memory, "corrected")
    owned = auto_tags(memory.content)
    draft = Draft(
        text,
        memory.kind,
        _scope(memory),
        key=memory.key,
        tags=[tag for tag in memory.tags if tag not in owned],
        path_glob=memory.path_glob,
        priority=memory.priority,
        expires_at=memory.raw("expires_at"),
        detail={name: memory.detail[name] for name in ("topic", "valid_from", "valid_to")},
    )
    kind, row, detail, _, _, notes = admit(store, draft, PROFILES["tool"], now)
    if row["content_hash"] == lines.content_hash(memory.content):
        raise InvalidInput(f"{memory.uid} says exactly this: there is nothing to correct")
    uid = lines.memory_uid(row["content"], store.db.number())
    steps = [unchanged(store, memory, now)]
    if memory.key:  # the name goes to what is true
        steps.append(("learn.set_key", {"uid": memory.uid, "key": "", "now": now}))
    steps += [
        ("store.insert_memory", {**row, "uid": uid}),
        ("store.set_fact", {**detail, "uid": uid}),
        ("learn.never_held", {"uid": memory.uid, "successor": uid}),
        projected(uid, row["content"]),
        *room(store, kind, row, uid, now),
    ]
    act = store.db.write(steps, verb="correct", actor=actor, at=now, reason=_told(reason)).act
    return Learned(uid, "superseded", act, memory.uid, None, notes)


def supersede(
    store: Store, old: Remembered, new: Remembered, *, actor: str, now: int, reason: str = ""
) -> str:
    """Let one fact take the place of another from the newer one's beginning on; returns the act."""
    if old.detail.get("superseded_by") != new.uid:  # learning it may have said so already
        _is_held_fact(old, "superseded")
    _is_held_fact(new, "put in the place of another")
    if old.uid == new.uid:
        raise InvalidInput("a fact cannot take its own place: name two memories")
    if (old.runtime, old.user) != (new.runtime, new.user):
        raise InvalidInput("a fact of one user never takes the place of another user's")
    begins = new.detail["valid_from"]
    steps = [unchanged(store, one, now) for one in (old, new)]
    close = {"uid": old.uid, "ends": now if begins is None else begins, "successor": new.uid}
    steps.append(("learn.close", close))
    steps += doubts(store, old.uid, new.content, now)
    return store.db.write(steps, verb="supersede", actor=actor, at=now, reason=_told(reason)).act


def retire(
    store: Store,
    memory: Remembered,
    *,
    actor: str,
    now: int,
    ends: int | None = None,
    reason: str = "",
) -> str:
    """Say that a fact holds no more, from an instant on; returns the act."""
    _is_held_fact(memory, "retired")
    close = {"uid": memory.uid, "ends": now if ends is None else ends, "successor": ""}
    steps = [unchanged(store, memory, now), ("learn.close", close)]
    steps += doubts(store, memory.uid, "", now)
    return store.db.write(steps, verb="retire", actor=actor, at=now, reason=_told(reason)).act


def depend(store: Store, one: Remembered, other: Remembered, *, actor: str, now: int) -> str:
    """Say that one memory depends on another: where that one ends, it is in doubt; returns the act."""
    if one.uid == other.uid:
        raise InvalidInput("a memory cannot depend on itself: name two memories")
    link = {"uid": one.uid, "relation": "depends_on", "other": other.uid, "now": now}
    return store.db.write([("learn.link", link)], verb="depend", actor=actor, at=now).act


def believe(store: Store, memory: Remembered, *, actor: str, now: int) -> str:
    """Say that a memory still holds, though what it depends on is over; returns the act."""
    return store.db.write([believed(memory.uid)], verb="believe", actor=actor, at=now).act


def settle(store: Store, one: Remembered, other: Remembered, *, actor: str, now: int) -> str:
    """Say that two memories both hold, however much alike they look; returns the act."""
    steps: list[Step] = [("learn.settle", {"uid": one.uid, "other": other.uid})]
    topics = [memory.detail.get("topic", "") for memory in (one, other)]
    if topics[0] and topics[0] == topics[1]:  # then they are about different things
        later = max((one, other), key=lambda memory: (memory.created_at, memory.uid))
        steps.append(("learn.clear_topic", {"uid": later.uid}))
    return store.db.write(steps, verb="settle", actor=actor, at=now).act


def unchanged(store: Store, memory: Remembered, now: int) -> Step:
    """Return the step that checks once more, as it writes, that a memory still is as it was read."""
    seen = store.seen(memory.uid)
    there = store.get(memory.uid, Scope(everywhere=True), now)
    if any(getattr(there, name) != getattr(memory, name) for name in _DECIDED_ON):
        raise Conflict(f"{memory.uid} was changed meanwhile: read it again")
    return "store.still", {"uid": memory.uid, "seen": seen}


_DECIDED_ON = ("content", "key", "kind", "tags", "state", "data", "detail", "priority", "path_glob")


def _is_held_fact(memory: Remembered, done: str) -> None:
    if memory.layer != "semantic":
        raise InvalidInput(
            f"only facts are {done}: {memory.uid} is {memory.layer}; `update` changes it"
        )
    if memory.state == "deleted":
        raise InvalidInput(
            f"{memory.uid} is removed: `cogmem restore {memory.uid}` brings it back first"
        )
    if memory.detail.get("superseded_by"):
        raise InvalidInput(
            f"{memory.uid} was superseded by {memory.detail['superseded_by']} already: name that one"
        )


def _scope(memory: Remembered) -> Scope:
    return Scope(memory.runtime, memory.user, memory.project, memory.session)


def _told(reason: str) -> str:
    """Return a reason as it may stand in the history."""
    return guarded(lines.one_line(clean(reason, "reason")), guard.POLICIES["user_explicit"], [])
