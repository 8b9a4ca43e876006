"""Sessions: what was said, what turns were given meanwhile, and what remained of it."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from typing import Any

from datasette.utils.asgi import NotFound

from cogmem.inspect.page import ENDLESS, narrowed, number, owner_of, page, rows, word

SESSIONS, MESSAGES = 60, 120
PLACE = ("name", "runtime", "user", "project")


async def page_of(datasette: Any, request: Any) -> Any:
    """Sessions, the latest first."""
    asked = {**owner_of(request), "before": number(request, "before"), "limit": SESSIONS}
    found = await rows(datasette, "inspect.sessions", asked)
    more = found[-1]["at"] if len(found) == SESSIONS else None
    return await narrowed(datasette, request, "sessions", sessions=found, more=more)


async def one(datasette: Any, request: Any) -> Any:
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
        summaries = await rows(
            datasette, "inspect.summaries", {"conversation": session["conversation_id"]}
        )
    learned: dict[int, list[dict[str, Any]]] = {}
    since, until = 0, ENDLESS
    if messages:
        ends = {"first": messages[0]["id"], "last": messages[-1]["id"]}
        for row in await rows(datasette, "inspect.learned_from", ends):
            learned.setdefault(row["message_id"], []).append(row)
        since = messages[0]["at"] if messages[0]["seq"] else 0
        until = ENDLESS if before == ENDLESS else messages[-1]["at"]
    turns = await rows(
        datasette, "inspect.turns_between", {**place, "since": since, "until": until}
    )
    timeline = [
        {**one, "sort": "message", "learned": learned.get(one["id"], [])} for one in messages
    ]
    timeline += [{**one, "sort": "turn"} for one in turns]
    timeline.sort(key=lambda one: (one["at"], one["sort"] == "turn"))
    return page(
        datasette,
        "session",
        session=session,
        place=place,
        timeline=timeline,
        summaries=summaries,
        in_short=await rows(datasette, "inspect.told_of", {"name": place["name"]}),
        more=messages[0]["seq"] if messages and messages[0]["seq"] > 0 else None,
    )
