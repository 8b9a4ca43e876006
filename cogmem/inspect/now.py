"""Now: turns, what was said, what was learned and what nights did, as they happen."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from cogmem.inspect.page import held, number, page, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIRST, MORE = 40, 60  # lines that the page begins with, and that may come at once
PULSE = 100  # turns
# What an act did, as a person says it.
_DID = {
    "learn": "Learned",
    "capture": "Captured",
    "update": "Changed",
    "edit": "Changed",
    "archive": "Archived",
    "restore": "Restored",
    "remove": "Removed",
    "keep": "Kept",
    "move": "Moved",
    "undo": "Took back a change of",
    "recall": "Recalled",
    "used": "Found useful",
    "tried": "Tried",
    "merge": "Merged",
    "supersede": "Replaced",
    "correct": "Corrected",
    "retire": "Retired",
    "import": "Imported",
    "nightly": "Night",
}


async def page_of(datasette: Any) -> Any:
    """The page."""
    states: dict[str, int] = {}
    for row in await held(datasette):
        states[row["state"]] = states.get(row["state"], 0) + row["memories"]
    (newest,) = await rows(datasette, "inspect.newest")
    (pulse,) = await rows(datasette, "inspect.pulse", {"turns": PULSE})
    stream = await _stream(datasette, {"turn": 0, "change": 0, "message": 0}, FIRST)
    return page(
        datasette, "now", states=states, pulse=pulse, stream=stream, newest=newest, is_whole=True
    )


async def more(datasette: Any, request: Any) -> Any:
    """What came since the page asked last."""
    after = {name: number(request, name, 0) for name in ("turn", "change", "message")}
    (newest,) = await rows(datasette, "inspect.newest")
    if all(newest[name] <= after[name] for name in after):
        return page(datasette, "_stream", stream=[], newest=newest)
    return page(datasette, "_stream", stream=await _stream(datasette, after, MORE), newest=newest)


async def _stream(datasette: Any, after: dict[str, int], most: int) -> list[dict[str, Any]]:
    """Everything that came after three places, the latest first."""
    found: list[dict[str, Any]] = []
    for sort, name, place in (
        ("turn", "inspect.turns_after", "turn"),
        ("act", "inspect.acts_after", "change"),
        ("message", "inspect.messages_after", "message"),
    ):
        came = await rows(datasette, name, {place: after[place], "limit": most})
        found += [{**row, "sort": sort, "did": _did(row) if sort == "act" else ""} for row in came]
    found.sort(key=lambda row: (row["at"] or 0, row["sort"], row["id"]), reverse=True)
    return found[:most]


def _did(act: dict[str, Any]) -> str:
    if act["job"]:
        return "Night"
    verb = str(act["verb"] or "changed")
    return _DID.get(verb, verb[:1].upper() + verb[1:])
