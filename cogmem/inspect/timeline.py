"""The timeline of a project: sessions, what was learned by kind, what changed; its marks open what is behind them."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from datetime import UTC, datetime
from html import escape

import markupsafe

from cogmem.inspect import plot
from cogmem.inspect.page import ENDLESS, link, narrowed, number, owner_of, rows, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Rows = Sequence[dict[str, Any]]

MARKS, LINES = 3000, 15  # the newest that are drawn, and those that are listed
KINDS = 6  # lanes beside those of sessions and changes
HERE = "/-/look/timeline"
LANE, TOP = 36, 34  # heights in the picture
STEP = 11  # what is nearer than this becomes one mark


async def page_of(datasette: Any, request: Any) -> Any:
    """Return the picture, and below it what the marks that were opened stand for: the newest at first."""
    owner = owner_of(request)
    found = await rows(datasette, "inspect.timeline", {**owner, "limit": MARKS})
    lanes = _lanes(found)
    lane = word(request, "lane")
    since, until = number(request, "since", 0), number(request, "until")
    chosen = [
        row
        for row in found
        if since <= row["at"] <= until and (not lane or row["lane"] in lanes.get(lane, ()))
    ]
    told = {"lines": chosen[:LINES], "total": len(chosen), "lane": lane}
    told |= {"picture": markupsafe.Markup(drawn(found, lanes, owner))}
    told |= {"is_chosen": bool(lane or since or until != ENDLESS)}
    return await narrowed(datasette, request, "timeline", **told)


def _lanes(found: Rows) -> dict[str, list[str]]:
    counts: dict[str, int] = {}
    for row in found:
        counts[row["lane"]] = counts.get(row["lane"], 0) + 1
    kinds = sorted(
        (one for one in counts if not one.startswith("+")), key=lambda one: (-counts[one], one)
    )
    own = ["+sessions", "+changes"]
    lanes = {one[1:]: [one] for one in own if one in counts}
    lanes |= {one: [one] for one in kinds[:KINDS]}
    return lanes | ({"other kinds": kinds[KINDS:]} if kinds[KINDS:] else {})


def drawn(found: Rows, lanes: dict[str, list[str]], owner: dict[str, str]) -> str:
    """Return the picture as SVG: a lane for each sort, a mark for what happened at about the same time."""
    title = "What happened, by time"
    if not found:
        return plot.whole(title, [], "nothing to show yet", 120)
    first, last = found[-1]["at"], found[0]["at"]
    wide = plot.WIDTH - 2 * plot.LEFT / 2
    parts = [f'<text class="title" x="12" y="20">{title}</text>']
    for place, (name, kinds) in enumerate(lanes.items()):
        y = TOP + LANE * place + 28
        total = 0
        for members in _near([row for row in found if row["lane"] in kinds], first, last, wide):
            total += len(members)
            x = plot.LEFT / 2 + wide * _share(members[len(members) // 2]["at"], first, last)
            size = min(3.5 + len(members) ** 0.5, 9)
            said = f"{len(members)} {name}, {_day(members[-1]['at'])}"
            to = link(HERE, **owner, lane=name, since=members[-1]["at"], until=members[0]["at"])
            parts.append(
                f'<a href="{escape(to)}#lines" aria-label="{escape(said)}"><title>{escape(said)}</title>'
                f'<circle class="f{place % 6}" cx="{x:.1f}" cy="{y}" r="{size:.1f}"/></a>'
            )
        parts.append(
            f'<text class="faint" x="12" y="{y - 12}">{escape(name)} · {total}</text>'
            f'<line class="grid" x1="12" x2="{plot.WIDTH - 12}" y1="{y + 12}" y2="{y + 12}"/>'
        )
    high = TOP + LANE * len(lanes) + 30
    parts.append(f'<text class="faint" x="12" y="{high - 8}">{_day(first)}</text>')
    if last > first:
        parts.append(
            f'<text class="faint" x="{plot.WIDTH - 12}" y="{high - 8}" text-anchor="end">{_day(last)}</text>'
        )
    return plot.whole(title, parts, height=high, role="group")


def _near(members: Rows, first: int, last: int, wide: float) -> list[list[dict[str, Any]]]:
    groups: list[list[dict[str, Any]]] = []
    for row in members:
        x = wide * _share(row["at"], first, last)
        if groups and wide * _share(groups[-1][0]["at"], first, last) - x < STEP:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _share(at: int, first: int, last: int) -> float:
    return (at - first) / (last - first) if last > first else 0.5


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
