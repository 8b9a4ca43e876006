"""Turns: what a prompt was given, line by line, and what it would be given now or would have been given then."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import asyncio
from typing import Any

from datasette.utils.asgi import NotFound

from cogmem.errors import CogmemError, InvalidInput
from cogmem.inspect.page import ENDLESS, narrowed, number, owner_of, page, rows, word
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.inspect.page import Desk

SHOWN = 60
EARNED = 12  # memories beside the turns, with what came of them
PARTS = {
    "A": ("Always", "stable_tokens"),
    "B": ("Relevant now", "contextual_tokens"),
    "C": ("How it is done", "procedure_tokens"),
    "D": ("About these files", "scoped_tokens"),
    "H": ("Headings", "heading_tokens"),
}
# What dropped a candidate, as the view turn_item says it for turns that were.
WHY = {
    "chosen": "shown",
    "weak": "weaker than the threshold",
    "failing": "it keeps failing",
    "budget": "did not fit into what was left of the budget",
    "duplicate": "a line that was shown says the same",
    "rank": "others fitted the prompt much better",
    "superseded": "a newer fact took its place",
    "expired": "not valid at that instant",
    "silent": "too little spoke for it",
    "shown": "this session was shown it not long ago",
    "confided": "the person asked that it be kept by nobody",
    "noted": "the notes of that conversation stand for it",
    "amended": "what was said later took its place",
    "state": "not active",
}
ASKED = ("prompt", "user", "project", "file", "budget", "as_of")


async def page_of(datasette: Any, request: Any) -> Any:
    """Turns, the latest first, each with a bar of what it took."""
    session = word(request, "session")
    place = {"before": number(request, "before"), "session": session, "limit": SHOWN}
    asked = {**owner_of(request), **place}
    found = await rows(datasette, "inspect.turns", asked)
    for turn in found:
        turn["parts"] = _parts(turn)
    more = found[-1]["activation_id"] if len(found) == SHOWN else None
    earned = await rows(datasette, "inspect.earned", {"limit": EARNED})
    told = {"turns": found, "session": session, "more": more, "earned": earned}
    return await narrowed(datasette, request, "turns", **told)


async def one(datasette: Any, request: Any) -> Any:
    """Return one turn: the prompt, what it was given, what was left out and why."""
    name = request.url_vars["turn"]
    found = await rows(datasette, "inspect.turn", {"turn": name})
    if not found:
        raise NotFound(f"no turn is called {name}: the ledger keeps them for a while only")
    turn = {**found[0], "files": listed(found[0]["files"])}
    items = await rows(datasette, "inspect.items", {"turn": name})
    exact, fault = None, ""
    if word(request, "exact"):
        try:
            exact = await asyncio.to_thread(_replayed, datasette.desk, name)
        except CogmemError as error:
            fault = str(error)
    left_out = [item for item in items if not item["is_shown"]]
    told: dict[str, Any] = {"parts": _parts(turn), "layers": _layers(items), "left_out": left_out}
    return page(datasette, "turn", turn=turn, **told, exact=exact, fault=fault)


def _parts(turn: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a turn spent its budget on: (layer, its title, tokens, share of the budget)."""
    share = 100 / max(turn["budget"] or 1, 1)
    return [
        {"layer": layer, "title": title, "tokens": spent, "share": share * spent}
        for layer, (title, column) in PARTS.items()
        if (spent := turn[column])
    ]


def _layers(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that were shown, by layer, each with its share of the dearest line."""
    shown = [item for item in items if item["is_shown"]]
    share = 100 / (max((item["tokens"] for item in shown), default=1) or 1)
    layers = []
    for layer in "ABCD":
        lines = [{**one, "share": share * one["tokens"]} for one in shown if one["layer"] == layer]
        tokens = sum(one["tokens"] for one in lines)
        if lines:
            told = {"layer": layer, "title": PARTS[layer][0], "tokens": tokens, "lines": lines}
            layers.append(told)
    return layers


def _replayed(desk: Desk, turn: str) -> Any:
    with desk.opened() as memory:
        return memory.turns.replay(turn)


async def tried(datasette: Any, request: Any) -> Any:
    """Return what would be injected for a prompt, now or at any instant; nothing is recorded."""
    asked = {name: word(request, name) for name in ASKED}
    values: dict[str, Any] = {"asked": asked, "turn": None, "heard": None, "fault": ""}
    if asked["prompt"] and word(request, "as") == "message":
        values |= await asyncio.to_thread(_heard, datasette.desk, asked)
    elif asked["prompt"]:
        try:
            values |= await asyncio.to_thread(_tried, datasette.desk, asked)
        except CogmemError as error:
            values["fault"] = str(error)
    return page(datasette, "try", **values)


def _heard(desk: Desk, asked: dict[str, str]) -> dict[str, Any]:
    from cogmem.language.typed import parts

    text = asked["prompt"].replace("\r\n", "\n")
    with desk.opened(user=asked["user"], project=asked["project"], everywhere=False) as memory:
        drafts = memory.listener.rehearse(text)
    heard = []
    for draft in drafts:
        fate = "only replaces what it corrects" if draft.only_corrects else "is kept at once"
        if draft.state == "candidate":
            fate = "waits until it is said again"
        told = {"content": draft.content, "kind": draft.kind, "rule": draft.data.get("rule", "")}
        owner = {"user": draft.scope.user, "project": draft.scope.project}
        heard.append({**told, **owner, "fate": fate})
    message = [(one.is_typed, text[one.start : one.end]) for one in parts(text)]
    return {"heard": heard, "message": message}


def _tried(desk: Desk, asked: dict[str, str]) -> dict[str, Any]:
    if asked["budget"] and not asked["budget"].isdecimal():
        raise InvalidInput("a budget is a number of tokens")
    budget = int(asked["budget"]) if asked["budget"] else None
    files = [asked["file"]] if asked["file"] else []
    with desk.opened(user=asked["user"], project=asked["project"], everywhere=False) as memory:
        if asked["as_of"]:
            turn = memory.turns.then(
                asked["prompt"], as_of=asked["as_of"], budget=budget, files=files
            )
        else:
            turn = memory.activate(asked["prompt"], budget, files=files, explain=True)
        least = memory.turns.least_chance()
    items: list[dict[str, Any]] = [
        {
            **item.as_dict(),
            "content": item.text,
            "is_shown": item.stage == "chosen",
            "why": WHY.get(item.stage, item.stage),
            "place": item.position + 1,
        }
        for item in [*turn.items, *turn.omitted]
    ]
    # What is over or replaced is not a candidate, whatever its chance would be.
    gone = ("expired", "superseded", "state", "amended")
    chances = [
        item["chance"] for item in items if item["chance"] is not None and item["stage"] not in gone
    ]
    return {
        "turn": turn,
        "layers": _layers(items),
        "left_out": [item for item in items if not item["is_shown"]],
        "least": least,
        "likeliest": max(chances, default=None),
    }


SESSIONS, MESSAGES = 60, 120
PLACE = ("name", "runtime", "user", "project")


async def sessions_page(datasette: Any, request: Any) -> Any:
    """Sessions, the latest first."""
    asked = {**owner_of(request), "before": number(request, "before"), "limit": SESSIONS}
    found = await rows(datasette, "inspect.sessions", asked)
    more = found[-1]["at"] if len(found) == SESSIONS else None
    return await narrowed(datasette, request, "sessions", sessions=found, more=more)


async def session_page(datasette: Any, request: Any) -> Any:
    """Return one session: its talk with the turns in between, the latest part first asked for."""
    place = {name: word(request, name) for name in PLACE}
    found = await rows(datasette, "inspect.session", place)
    if not found:
        raise NotFound(f"no session is called {place['name']!r}")
    session = found[0]
    before = number(request, "before")
    messages: list[dict[str, Any]] = []
    summaries: list[dict[str, Any]] = []
    if session["conversation_id"] is not None:
        asked = {"conversation": session["conversation_id"], "before": before, "limit": MESSAGES}
        messages = (await rows(datasette, "inspect.talk", asked))[::-1]
        of = {"conversation": session["conversation_id"]}
        summaries = await rows(datasette, "inspect.summaries", of)
    learned: dict[int, list[dict[str, Any]]] = {}
    since, until = 0, ENDLESS
    if messages:
        ends = {"first": messages[0]["id"], "last": messages[-1]["id"]}
        for row in await rows(datasette, "inspect.learned_from", ends):
            learned.setdefault(row["message_id"], []).append(row)
        since = messages[0]["at"] if messages[0]["seq"] else 0
        until = ENDLESS if before == ENDLESS else messages[-1]["at"]
    between = {**place, "since": since, "until": until}
    turns = await rows(datasette, "inspect.turns_between", between)
    timeline = [
        {**row, "sort": "message", "learned": learned.get(row["id"], [])} for row in messages
    ]
    timeline += [{**row, "sort": "turn"} for row in turns]
    timeline.sort(key=lambda one: (one["at"], one["sort"] == "turn"))
    told: dict[str, Any] = {"session": session, "place": place, "summaries": summaries}
    told["in_short"] = await rows(datasette, "inspect.told_of", {"name": place["name"]})
    more = messages[0]["seq"] if messages and messages[0]["seq"] > 0 else None
    return page(datasette, "session", **told, timeline=timeline, more=more)
