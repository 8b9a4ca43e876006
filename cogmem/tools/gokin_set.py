"""The tools of an assistant with notes: memory, memorize, pin_context, history_search.

`memory` unites two vocabularies. With a target (user, env, episodes) it edits the two collections
of facts; without one it keeps notes.
"""

from __future__ import annotations

import time
from typing import Any

from cogmem.errors import CogmemError, InvalidInput, UnknownMemory
from cogmem.tools import forms
from cogmem.tools.default_set import latest_session, owner_of, told
from cogmem.tools.toolset import Answer, Spec

_CUT, _LISTED = 100, 60  # characters of a note that a message or a list shows
_SAME = {"remember": "add", "recall": "search", "forget": "remove"}
_COLLECTION_ONLY = ("replace", "read", "consolidate", "view")


def memory(mem: Any, form: Any) -> Answer:
    """Return one call of `memory`, by target or by note."""
    action = _SAME.get(form.action, form.action)
    if (
        form.target is not None
        or action in _COLLECTION_ONLY
        or isinstance(form, forms.CollectionAction)
    ):
        return _collection(mem, form, action)
    if action == "add":
        return _add(mem, form)
    if action in ("get", "search"):
        return _search(mem, form)
    if action == "list":
        kept = ("active", "archived") if form.include_archived else ("active",)
        rows = [row for row in mem.list(kind="note", limit=1000) if row.state in kept]
        shown = [row for row in rows if row.project or not form.project_only]
        return _listed(shown, "Notes", _LISTED)
    name = form.id or form.key
    if not name:
        raise InvalidInput("say what to remove: an id or a key")
    row = mem.get(name)
    mem.remove(row.uid, reason="removed by a tool")
    return {"message": f"Removed {row.uid}.", "id": row.uid, "key": row.key}


def _add(mem: Any, form: Any) -> Answer:
    if not form.content:
        raise InvalidInput("content is required: what should be remembered?")
    expires = None
    if form.ttl_minutes:
        expires = time.time_ns() // 1_000_000 + form.ttl_minutes * 60_000
    given = {"key": form.key, "tags": form.tags, "expires_at": expires, "source": "observed"}
    owner = owner_of(mem, form.scope)
    learned = mem.learn(form.content, "note", **given, profile="gokin", **owner)
    row = mem.get(learned.uid)
    kept = {"id": row.uid, "key": row.key, "content": row.content, "tags": row.tags}
    done = {"type": _lifetime(row), "outcome": learned.outcome, "notes": learned.notes}
    return {"message": f"Remembered: {_cut(row.line, _CUT)}", **kept, **done}


def _search(mem: Any, form: Any) -> Answer:
    if form.key:
        try:
            row = mem.get(form.key)
        except UnknownMemory:
            if not form.query:
                return _listed([], "Notes", _CUT)
        else:
            return {**_listed([row], "Notes", None), "content": row.content}
    if not (form.query or form.tags):
        raise InvalidInput("say what to look for: a query, a key or tags")
    rows = mem.recall(
        form.query,
        tags=form.tags,
        limit=20,
        messages=False,
        state=None if form.include_archived else "active",
        partitions=("user", "global"),
    )
    return _listed([mem.get(row.uid) for row in rows], "Notes", _CUT, form.project_only)


def _listed(rows: list[Any], what: str, cut: int | None, project_only: bool = False) -> Answer:
    groups: dict[str, list[dict[str, Any]]] = {"session": [], "project": [], "global": []}
    for row in rows:
        if project_only and _lifetime(row) == "global":
            continue
        told = {"id": row.uid, "key": row.key, "content": _cut(row.line, cut), "tags": row.tags}
        groups[_lifetime(row)].append(told)
    count = sum(map(len, groups.values()))
    said = f"{count} found." if count else f"{what}: nothing found."
    return {"message": said, "found": bool(count), "count": count, **groups}


def _cut(text: str, most: int | None) -> str:
    return text if most is None or len(text) <= most else text[: most - 1] + "…"


def _lifetime(row: Any) -> str:
    return "session" if row.session else "project" if row.project else "global"


# -- with a target -------------------------------------------------------------------------------


def _collection(mem: Any, form: Any, action: str) -> Answer:
    facts = mem.collections()
    target = form.target
    if action == "read":
        texts = {name: facts.text(name) or "(empty)" for name in ("user", "env")}
        return {"message": "Both collections.", **texts}
    if action == "search":
        return _episodes(mem, form.query)
    if action == "view":
        return _view(mem, target, form.query)
    if target not in ("user", "env"):
        raise InvalidInput(f"action {action} needs a target: user or env")
    if action == "add":
        said = told(facts.add(target, _given(form.content, "content")))["message"]
    elif action == "replace":
        old = _given(form.old_text, "old_text")
        facts.replace(target, old, _given(form.content, "content"))
        said = "Replaced."
    elif action == "remove":
        facts.remove(target, _given(form.old_text, "old_text"))
        said = "Removed."
    elif action == "consolidate":
        said = "There is nothing to consolidate."
        if len(facts.entries(target)) > 1:
            done = facts.consolidate(target)
            said = f"{done.before} entries became {done.after}."
    else:
        raise InvalidInput(f"action {action} takes no target: leave it out")
    return {"message": said, "entries": facts.entries(target)}


def _given(text: str, name: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{name} is required")
    return text


def _episodes(mem: Any, query: str) -> Answer:
    if not query.strip():
        raise InvalidInput("query is required: what should the session have been about?")
    rows = mem.recall(query, layer="episodic", limit=5, messages=False)
    shown = [
        {"id": mem.get(row.uid).detail["session_name"] or row.uid, "summary": row.content[:120]}
        for row in rows
    ]
    message = f"{len(shown)} matching." if shown else "No matching sessions."
    return {"message": message, "episodes": shown}


def _view(mem: Any, target: str | None, session: str) -> Answer:
    if target != "episodes":
        raise InvalidInput("view shows episodes only: set target to episodes")
    rows = mem.sessions.told(session)
    if not rows:
        raise UnknownMemory(f"no episode of session {session!r} is stored: search shows which are")
    shown = [row.as_dict() for row in rows]
    return {"message": f"{len(rows)} told of this session.", "episodes": shown}


# -- the others ----------------------------------------------------------------------------------


def memorize(mem: Any, form: forms.Memorize) -> Answer:
    if form.type == "forget":
        for key in (form.key, f"fact:{form.key}", f"convention:{form.key}"):
            try:
                row = mem.get(key)
            except CogmemError:
                continue
            mem.remove(row.uid, reason="removed by a tool")
            return {"message": f"Forgot {key}.", "id": row.uid}
        raise UnknownMemory(f"nothing is memorized under {form.key!r}: nothing changed")
    content = _given(form.content, "content")
    if form.type == "pattern":
        row = mem.experience.pattern(form.key, content)
        return {"message": f"Memorized pattern {form.key}.", "id": row.uid, "key": row.key}
    key = form.key if form.type == "preference" else f"{form.type}:{form.key}"
    learned = mem.learn(
        content, form.type, key=key, source="observed", profile="gokin", **owner_of(mem, "project")
    )
    return {**told(learned), "key": key}


def pin_context(mem: Any, form: forms.Pin) -> Answer:
    name = form.session or mem.scope.session or latest_session(mem)
    if not name:
        raise InvalidInput("no session has had a turn here yet: name one with session")
    text = "" if form.clear else form.content
    pinned = mem.sessions.notes(name).pin(text, time.time_ns() // 1_000_000)
    said = f"Pinned in session {name}." if pinned else f"Nothing is pinned in session {name} now."
    from cogmem.store.policy import number

    budget = int(number(mem.store.settings(), "budget_tokens"))
    if pinned and mem.store.counter.count(pinned) > budget:
        said += f" A turn has {budget} tokens, so only the beginning is shown: pin less."
    return {"message": said, "pinned": pinned, "session": name}


def _conversation(mem: Any, name: str) -> Any:
    """Return the one named, the one of this turn, or the latest that was recorded here."""
    try:
        return mem.conversation(name or None)
    except InvalidInput:
        latest = mem.conversations.list(limit=1)
        if name:
            raise
        if not latest:
            raise UnknownMemory("no conversation is recorded here yet") from None
        owner = {axis: getattr(latest[0], axis) for axis in ("user", "project", "runtime")}
        return mem.conversation(latest[0].name, **owner)


def history_search(mem: Any, form: forms.HistorySearch) -> Answer:
    result = _conversation(mem, form.conversation).search(form.pattern)
    return {
        "message": result.text(),
        "count": len(result.matches),
        "is_cut": result.is_cut,
        "matches": [match.as_dict() for match in result.matches],
    }


MEMORY = (
    "Keep notes for later: add, get, search, list, remove (or remember, recall, forget). With target"
    " user or env it edits the always-shown facts (add, replace, remove, read, consolidate); with"
    " episodes it searches and views earlier sessions."
)
TOOLS = (
    Spec("memory", MEMORY, forms.MemoryAction, memory),
    Spec(
        "memorize",
        "Store a fact, preference, convention or pattern of this project under a key, at once; type"
        " forget removes it. Use it when the user settles how things are done here.",
        forms.Memorize,
        memorize,
    ),
    Spec(
        "pin_context",
        "Keep one text in every prompt of this session, in the place of the one before. clear, or empty"
        " content, takes it away.",
        forms.Pin,
        pin_context,
    ),
    Spec(
        "history_search",
        "Search this conversation by a regular expression, also where it was summarised away.",
        forms.HistorySearch,
        history_search,
    ),
)
