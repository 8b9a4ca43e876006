"""The memory_* tools: three layers by name, with trust rules for what may be asserted."""

from __future__ import annotations

from typing import Any

from cogmem.errors import GuardRefused
from cogmem.tools import forms
from cogmem.tools.default_set import consolidate, episode, found, procedure, stats, told
from cogmem.tools.toolset import Answer, Spec

_CONFIDENCE = {"user_explicit": 1.0, "external_unverified": 0.5}


def memory_learn(mem: Any, form: forms.MemoryLearn) -> Answer:
    kind, _ = mem.store.kinds.of(form.type, "zara")
    asserts = kind.needs_person or kind.needs_trust
    if form.agent and asserts:
        raise GuardRefused(
            f"sub-agent {form.agent} may not assert a {kind.name}: leave it to the main agent"
        )
    if form.source == "external_unverified" and asserts:
        raise GuardRefused(f"an unverified source cannot assert a {kind.name}: store it as a fact")
    source = "web" if form.source == "external_unverified" else form.source
    learned = mem.learn(
        form.value,
        form.type,
        key=form.key,
        path=form.scope,
        priority=form.priority,
        source=source,
        confidence=_CONFIDENCE.get(form.source, 0.8) if kind.layer == "semantic" else None,
        profile="zara",
        session="",
    )
    return {**told(learned), "deduped": learned.outcome in ("reinforced", "known")}


def memory_recall(mem: Any, form: forms.MemoryRecall) -> Answer:
    rows = mem.recall(
        form.query,
        layer=None if form.layer == "all" else form.layer,
        kind=form.type,
        limit=50 if form.scope else form.limit,
        tokens=form.tokens,
        messages=False,
    )
    if form.scope:
        from cogmem.scope import fits

        # What is about no file in particular holds for this one too.
        here = [row for row in rows if not row.path_glob or fits(row.path_glob, form.scope)]
        rows = here[: form.limit]
    return found(rows)


def memory_contradictions(mem: Any, _: forms.Nothing) -> Answer:
    pairs = mem.facts.conflicts(limit=50)
    message = f"{len(pairs)} contradictions." if pairs else "None."
    return {"message": message, "pairs": [pair.as_dict() for pair in pairs]}


def memory_delete(mem: Any, form: forms.MemoryDelete) -> Answer:
    """Take away what holds a text: removed, not forgotten, so that one undo brings all back."""
    removal = mem.many.remove(
        form.pattern, dry_run=form.dry_run, confirm=form.confirm, reason="deleted by a tool"
    )
    uids = [row.uid for row in removal.memories]
    if form.dry_run:
        return {"message": f"{len(uids)} would be deleted.", "uids": uids, "deleted": 0}
    message = f"{len(uids)} deleted; `undo` brings them back."
    return {"message": message, "uids": uids, "deleted": len(uids), "act": removal.act}


TOOLS = (
    Spec(
        "memory_learn",
        "Store or confirm one statement under a key. source is user_explicit only for what the user said"
        " in so many words; policy and architecture need it.",
        forms.MemoryLearn, memory_learn,
    ),
    Spec(
        "memory_recall", "Search facts, episodes and procedures before you act or ask.",
        forms.MemoryRecall, memory_recall,
    ),
    Spec("memory_episode", "Record an event with its outcome and tags.", forms.Episode, episode),
    Spec(
        "memory_procedure", "Store a workflow by name; the same name updates it. outcome tells how a try went.",
        forms.Procedure, procedure,
    ),
    Spec("memory_stats", "Count memories by type, and their tokens.", forms.Nothing, stats),
    Spec(
        "memory_consolidate", "Merge duplicates, archive what faded, promote what recurs.",
        forms.Consolidate, consolidate,
    ),
    Spec(
        "memory_contradictions", "List pairs of memories that cannot both hold.",
        forms.Nothing, memory_contradictions,
    ),
    Spec(
        "memory_delete",
        "Delete memories that hold a text. dry_run first; more than 10 need confirm.",
        forms.MemoryDelete, memory_delete,
    ),
)  # fmt: skip
