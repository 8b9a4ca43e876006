"""The two blocks of a project assistant: what is relevant to this turn, and a hot set by lifetime."""

from __future__ import annotations

from cogmem.strength import DAY_MS
from cogmem.text.lines import MEMORY, framed, line, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.records import Remembered

HOT_ROWS, SHOWN_CHARACTERS = 12, 220
LIFETIMES = SESSION, PROJECT, USER = "Current Session", "Project Knowledge", "User Preferences"


def project_block(relevant: Sequence[Remembered], held: Sequence[Remembered], now: int) -> str:
    """Return what a project assistant injects: what is relevant to this turn, then a hot set, by lifetime.

    `held` is all that is active; each entry is cut to a line of SHOWN_CHARACTERS.
    """
    known = {row.uid for row in relevant}
    hot = sorted(
        (row for row in held if row.uid not in known), key=lambda row: (-_heat(row, now), row.uid)
    )
    groups: dict[str, list[Remembered]] = {}
    for row in hot[:HOT_ROWS]:
        groups.setdefault(_lifetime(row), []).append(row)
    sections = [("## Relevant to this turn\n", relevant)]
    sections += [(f"### {title}\n", groups.get(title, ())) for title in LIFETIMES]
    return framed(MEMORY, [(title, [*map(_bullet, rows)], "") for title, rows in sections], "")


def _heat(row: Remembered, now: int) -> float:
    from math import exp, log

    successes = row.detail.get("success_count") or 0
    failures = row.detail.get("failure_count") or 0
    tried = successes + failures
    rate = (successes + 1) / (tried + 2) if tried else 0.5
    accessed = now - (row.raw("accessed_at") or row.raw("created_at"))
    return (
        4 * exp(-max(0, now - row.raw("reinforced_at")) / (21 * DAY_MS))
        + 3 * rate
        + 0.40 * log(1 + row.reinforcement_count)
        + 0.30 * log(1 + row.access_count)
        + exp(-max(0, accessed) / (30 * DAY_MS))
        + 0.6 * bool(row.key)
        + 0.2 * log(1 + len(row.tags))
    )


def _lifetime(row: Remembered) -> str:
    if row.session:
        return SESSION
    return PROJECT if row.project else USER


def _bullet(row: Remembered) -> str:
    text = one_line(row.content)
    cut = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
    return line(f"**{row.key}**: {cut}" if row.key else cut)
