"""Now: turns, what was said, what was learned and what nights did, as they happen."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import asyncio

import markupsafe

from cogmem.inspect.page import number, page, rows
from cogmem.verbs.today import health

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.inspect.page import Desk
    from cogmem.verbs.today import Today

FIRST, MORE = 12, 60  # lines that the page begins with, and that may come at once
# What an act did, as a person says it: a plain verb in the past, or words of its own.
_PLAIN = frozenset(
    "learn capture archive restore remove move recall merge correct retire import".split()
)
_DID = {
    "update": "Changed",
    "edit": "Changed",
    "keep": "Kept",
    "undo": "Took back a change of",
    "used": "Found useful",
    "supersede": "Replaced",
    "nightly": "Night",
}


async def page_of(datasette: Any) -> Any:
    """Return the page."""
    (newest,) = await rows(datasette, "inspect.newest")
    stream = await _stream(datasette, {"turn": 0, "change": 0, "message": 0}, FIRST)
    return page(datasette, "now", stream=stream, newest=newest, is_whole=True)


async def today(datasette: Any) -> Any:
    """Return the day in figures, which only a look at the whole file can tell: asked for by the script."""
    day = await asyncio.to_thread(_today, datasette.desk)
    told: dict[str, Any] = {
        "day": day,
        "health": health(day),
        "spent": sum(turn.tokens for turn in day.turns),
    }
    told |= {"learned": sum(act.memories for act in day.learned)}
    told |= {"changed": sum(act.memories for act in day.changed)}
    growth = markupsafe.Markup(_growth(day.growth)) if len(day.growth) > 1 else ""
    fading = markupsafe.Markup(_fading(day.fading_by_day())) if day.fading else ""
    return page(datasette, "_today", **told, growth=growth, fading=fading)


def _today(desk: Desk) -> Today:
    with desk.opened() as memory:
        return memory.today(everywhere=True)


def _growth(days: list[dict[str, Any]]) -> str:
    learned, gone = sum(row["learned"] for row in days), sum(row["gone"] for row in days)
    said = f"{learned} learned and {gone} gone since {days[0]['day']}"
    return _bars([(row["learned"], row["gone"]) for row in days], 42, said)


def _fading(days: list[int]) -> str:
    return _bars([(count, 0) for count in days], 78, f"{sum(days)} fade within {len(days)} days")


def _bars(days: list[tuple[int, int]], ground: int, said: str) -> str:
    most = max(max(pair) for pair in days) or 1
    step = 440 / len(days)
    parts = [
        f'<svg class="plot" viewBox="0 0 440 84" role="img" aria-label="{said}">'
        f'<rect class="paper" width="440" height="84"/><path class="grid" d="M0 {ground}H440"/>'
    ]
    for place, (came, went) in enumerate(days):
        x, wide = place * step + 2, max(step - 4, 2)
        up, down = (ground - 4) * came / most, (ground - 4) * went / most
        parts.append(
            f'<rect class="f0" x="{x:.1f}" y="{ground - up:.1f}" width="{wide:.1f}" height="{up:.1f}"/>'
            f'<rect class="f1" x="{x:.1f}" y="{ground}" width="{wide:.1f}" height="{down:.1f}"/>'
        )
    return "".join([*parts, "</svg>"])


async def more(datasette: Any, request: Any) -> Any:
    """Return what came since the page asked last."""
    after = {name: number(request, name, 0) for name in ("turn", "change", "message")}
    (newest,) = await rows(datasette, "inspect.newest")
    if all(newest[name] <= after[name] for name in after):
        return page(datasette, "_stream", stream=[], newest=newest)
    return page(datasette, "_stream", stream=await _stream(datasette, after, MORE), newest=newest)


async def _stream(datasette: Any, after: dict[str, int], most: int) -> list[dict[str, Any]]:
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
    past = verb.removesuffix("e") + "ed" if verb in _PLAIN else verb
    return _DID.get(verb, past.capitalize())
