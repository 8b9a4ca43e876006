"""What hangs together with one memory, as a small picture: a trunk with a branch for every tie.

It is drawn narrow, so that a phone shows its letters large enough.
"""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import markupsafe

from cogmem.inspect.page import short

MOST = 8  # branches; the list below the picture has them all
WIDTH, ROW, TOP = 440, 46, 44
LETTERS = 52  # of a text on one line
# How a tie reads from each of its ends.
_OUTWARD = {
    "evidence": "borne out by",
    "merged_from": "merged from",
    "supersedes": "replaces",
    "contradicts": "contradicts",
    "derived_from": "derived from",
    "related": "related to",
}
_INWARD = {
    "evidence": "bears out",
    "merged_from": "merged into",
    "supersedes": "replaced by",
    "contradicts": "contradicted by",
    "derived_from": "led to",
    "related": "related to",
}


def reads(tie: dict[str, Any]) -> str:
    """Return what a tie says, seen from the memory that is looked at."""
    words = _OUTWARD if tie["is_outward"] else _INWARD
    return words.get(tie["relation"], str(tie["relation"]).replace("_", " "))


def draw(memory: dict[str, Any], ties: Sequence[dict[str, Any]]) -> markupsafe.Markup:
    """Return the picture; '' for a memory that nothing is tied to."""
    if not ties:
        return markupsafe.Markup("")
    shown = ties[:MOST]
    high = TOP + ROW * len(shown) + (18 if len(ties) > MOST else 0)
    escape = markupsafe.escape
    parts = [
        f'<svg class="plot tree" viewBox="0 0 {WIDTH} {high}" role="group" '
        f'aria-label="{len(ties)} ties of this memory">',
        f'<rect class="paper" width="{WIDTH}" height="{high}"/>',
        '<circle class="f0" cx="16" cy="22" r="6"/>',
        f'<text class="title" x="32" y="26">{escape(short(memory["content"], 46))}</text>',
    ]
    for place, tie in enumerate(shown):
        y = TOP + ROW * place + 18
        target = (
            f'<text x="52" y="{y + 13}">{escape(short(tie["text"] or tie["ref"], LETTERS))}</text>'
        )
        if str(tie["ref"]).startswith("mem_"):
            target = f'<a href="/-/look/memory/{escape(tie["ref"])}">{target}</a>'
        series = 1 if tie["relation"] in ("contradicts", "supersedes") else 2
        parts.append(
            f'<path class="grid branch" d="M16 28 V{y - 10} Q16 {y} 26 {y} H40"/>'
            f'<circle class="f{series}" cx="42" cy="{y}" r="4"/>'
            f'<text class="faint" x="52" y="{y - 3}">{escape(reads(tie))}</text>{target}'
        )
    if len(ties) > MOST:
        parts.append(
            f'<text class="faint" x="52" y="{high - 6}">and {len(ties) - MOST} more below</text>'
        )
    return markupsafe.Markup("".join([*parts, "</svg>"]))
