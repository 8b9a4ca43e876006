"""Review: what waits for a person, one card and one key for each decision."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from typing import Any

from cogmem.inspect import past
from cogmem.inspect.page import PATIENT, QUICK, TooLong, narrowed, owner_of, page, rows, said, word
from cogmem.text.lines import how_it_came

SHOWN = 25  # of each sort; what is decided makes room for the next
SORTS = {
    "inspect.conflicts": "contradiction", "inspect.doubted": "doubt",
    "inspect.failing": "failing", "inspect.candidates": "candidate",
}  # fmt: skip


async def page_of(datasette: Any, request: Any) -> Any:
    """Return what waits, at once; suspects are asked for, since finding them reads the whole ledger."""
    asked = {**owner_of(request), "limit": SHOWN}
    cards = []
    is_late = False
    for name, sort in SORTS.items():
        try:
            found = await rows(datasette, name, asked, ms=QUICK)
        except TooLong:
            is_late, found = True, []
        cards += [_card(row, sort) for row in found]
    told = {"cards": cards, "is_late": is_late}
    return await narrowed(datasette, request, "review", **told, **said(request))


async def suspects(datasette: Any, request: Any) -> Any:
    """Return the rest, and what the page could not wait for."""
    asked = {**owner_of(request), "limit": SHOWN}
    cards = []
    if word(request, "late"):
        late = await rows(datasette, "inspect.conflicts", asked, ms=PATIENT)
        cards += [_card(row, "contradiction") for row in late]
    found = await rows(datasette, "inspect.suspects", asked, ms=PATIENT)
    return page(datasette, "_cards", cards=cards + [_card(row, "suspect") for row in found])


def _card(row: dict[str, Any], sort: str) -> dict[str, Any]:
    why = row.get("why") or how_it_came(row["source"])
    if sort == "contradiction":
        why = f"both speak of {row['topic']}" if row["topic"] else "both cannot hold"
        row = {**row, "pieces": past.compared(row["other_content"], row["content"])}
    return {**row, "sort": sort, "why": why}
