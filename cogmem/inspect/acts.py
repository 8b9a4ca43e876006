"""What a person does on a page: through the library, with its guard and its history, and the way back.

Who may is settled before: the server asks for the key, for a page of our own and for its token.
"""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import asyncio
from urllib.parse import parse_qsl, urlencode

from datasette.utils.asgi import Response

from cogmem.errors import CogmemError, Conflict, InvalidInput
from cogmem.inspect.page import counted, page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.inspect.page import Desk
    from cogmem.memory import Memory

    Form = dict[str, str]
    Done = tuple[str, str]  # what is told, and the act that an undo takes back ('' where none can)


async def act(datasette: Any, request: Any) -> Any:
    """Return one act of one form. A script is answered in JSON, a plain form by the page it came from."""
    desk: Desk = datasette.desk
    if request.method != "POST":
        return Response.text("An act is posted by a form of these pages.", status=405)
    body = await request.post_body()
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    form = {**dict(pairs), "uids": " ".join(value for name, value in pairs if name == "uids")}
    wants_json = "json" in request.headers.get("accept", "")
    back = form.get("back", "")
    if not back.startswith("/-/look"):
        back = "/-/look"
    try:
        if form.get("verb") == "forget" and not form.get("confirm"):
            receipt = await asyncio.to_thread(_preview, desk, form)
            return page(datasette, "forget", receipt=receipt, form=form, back=back)
        told, undo = await asyncio.to_thread(_done, desk, form)
    except CogmemError as error:
        if wants_json:
            return Response.json({"error": str(error)}, status=409)
        if form.get("content"):  # what was typed stays on the page
            return page(datasette, "refused", status=409, fault=str(error), form=form, back=back)
        return Response.redirect(_with(back, fault=str(error)), status=303)
    if wants_json:
        return Response.json({"told": told, "undo": undo})
    if form["verb"] == "forget" and form.get("uid", "") in back:
        back = "/-/look/memories"
    return Response.redirect(_with(back, told=told, undo=undo), status=303)


def _with(path: str, **words: str) -> str:
    place, _, query = path.partition("?")
    kept = [pair for pair in parse_qsl(query) if pair[0] not in ("told", "fault", "undo")]
    return f"{place}?{urlencode([*kept, *(pair for pair in words.items() if pair[1])])}"


def _done(desk: Desk, form: Form) -> Done:
    verb = form.get("verb", "")
    if verb not in _VERBS:
        raise InvalidInput(f"{verb!r} is nothing that a page can do")
    with desk.opened(writes=True) as memory:
        if form.get("seen") and form.get("uid"):
            _look_again(memory, form)
        return _VERBS[verb](memory, form)


def _look_again(memory: Memory, form: Form) -> None:
    """Demand that what a page shows is still there: it may have been open for hours."""
    latest = memory.history.log(uid=form["uid"], limit=1)
    if latest and str(latest[0].id) != form["seen"]:
        raise Conflict(
            f"{form['uid']} was changed since this page was loaded: look at it again, then decide"
        )


def _last(memory: Memory, uid: str) -> str:
    latest = memory.history.log(uid=uid, limit=1)
    return str(latest[0].act or latest[0].id) if latest else ""


def _edit(memory: Memory, form: Form) -> Done:
    row = memory.get(form["uid"])
    has = {name: getattr(row, name) for name in ("content", "key", "kind")}
    has |= {"priority": str(row.priority), "path": row.path_glob}
    # A browser sends the ends of lines as CR LF.
    given = {name: form[name].replace("\r\n", "\n") for name in has if name in form}
    changed: dict[str, Any] = {name: said for name, said in given.items() if said != has[name]}
    if not changed:
        return "Nothing was changed.", ""
    if "priority" in changed:
        changed["priority"] = int(changed["priority"])
    memory.update(row.uid, seen=row, **changed)
    return "Changed.", _last(memory, row.uid)


def _learn(memory: Memory, form: Form) -> Done:
    done = memory.learn(
        form.get("content", "").replace("\r\n", "\n"),
        form.get("kind") or "fact",
        user=form.get("user", ""),
        project=form.get("project", ""),
    )
    told = {"inserted": "Remembered.", "known": "That is held already."}
    return told.get(done.outcome, f"Remembered: {done.outcome}."), done.act


def _change_all(memory: Memory, form: Form, action: str) -> Done:
    uids = form["uids"].split()
    if not uids:
        raise InvalidInput("nothing was chosen: tick the memories first")
    reason = f"{action}d by hand"
    done = memory.many.change(action, dry_run=False, uids=uids, everywhere=True, reason=reason)
    told = counted(len(done.memories), "memory", "memories")
    return f"{action.capitalize()}d: {told}.", done.act or ""


def _undo(memory: Memory, form: Form) -> Done:
    undone = memory.undo(form["act"], everywhere=True)
    count = len(undone.uids)
    return f"Taken back: {counted(count, 'memory', 'memories')}.", undone.act or ""


def _forget(memory: Memory, form: Form) -> Done:
    receipt = memory.forget(form["uid"], confirm=form["confirm"], reason="by hand")
    return f"Forgotten: {sum(receipt.removed.values())} rows are gone for good.", ""


def _update(memory: Memory, form: Form, told: str, **changes: Any) -> Done:
    memory.update(form["uid"], **changes)
    return told, _last(memory, form["uid"])


def _move(memory: Memory, form: Form) -> Done:
    row = memory.move(form["uid"], user=form.get("user", ""), project=form.get("project", ""))
    return "Moved.", _last(memory, row.uid)


def _settle(memory: Memory, form: Form) -> Done:
    keep = form.get("keep", "")
    act = memory.facts.settle(form["uid"], form["other"], keep=keep)
    return ("Settled." if keep else "Both hold."), act


_PUT_BY = "Archived: searches find it, prompts are not given it."
_PINNED = "Pinned: it does not fade, and comes first."
_VERBS: dict[str, Callable[[Memory, Form], Done]] = {
    "edit": _edit,
    "learn": _learn,
    "move": _move,
    "archive": lambda memory, form: (_PUT_BY, memory.archive(form["uid"])),
    "archive_all": lambda memory, form: _change_all(memory, form, "archive"),
    "remove_all": lambda memory, form: _change_all(memory, form, "remove"),
    "restore": lambda memory, form: ("Active again.", memory.restore(form["uid"])),
    "remove": lambda memory, form: ("Removed.", memory.remove(form["uid"])),
    "keep": lambda memory, form: ("Kept.", memory.keep(form["uid"])),
    "pin": lambda memory, form: _update(memory, form, _PINNED, priority="critical"),
    "unpin": lambda memory, form: _update(memory, form, "Unpinned.", priority="normal"),
    "settle": _settle,
    "merge": lambda memory, form: (
        "Merged.",
        memory.facts.merge(form["other"], form["uid"], reason="review"),
    ),
    "undo": _undo,
    "forget": _forget,
}


def _preview(desk: Desk, form: Form) -> Any:
    with desk.opened(writes=True) as memory:
        return memory.forget(form["uid"], dry_run=True)
