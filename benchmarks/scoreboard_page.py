"""The page of the scoreboard of work, made from results/scoreboard_work.json: a table for each question.

python benchmarks/scoreboard_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "scoreboard_work.json"
# What the page calls two ways of asking FTS5; its first lines say what they are.
SHORT = {
    "plain FTS5, all words joined by OR": "FTS5",
    "plain FTS5 over whole chats, the best two from their end": "FTS5, whole chats",
}


def cell(value: list[float], best: bool) -> str:
    middle, low, high = value
    told = f"{middle:g} ({low:g}–{high:g})"
    return f"**{told}**" if best else told


def table(row: dict[str, Any]) -> str:
    """One question: a line a system, the best of each figure in bold."""
    names = list(row["goals"])
    lines = [
        "| | " + " | ".join(f"{name}, %" for name in names) + " | tokens a prompt | ms |",
        "|---|" + "--:|" * (len(names) + 2),
    ]
    systems = [one for one in row["systems"].values() if "cannot" not in one]
    for one in systems:
        cells = []
        for name in names:
            value = one["shares"].get(name)
            every = [other["shares"][name][0] for other in systems if name in other["shares"]]
            aim = max(every) if row["goals"][name] else min(every)
            cells.append("–" if value is None else cell(value, value[0] == aim))
        cells += [
            f"{one['tokens']:,}",
            f"{one['ms']:g}",
        ]
        called = SHORT.get(one["called"], one["called"])
        lines.append(f"| {called} | " + " | ".join(cells) + " |")
    lines += [
        f"\n{one['called']}: {one['cannot']}." for one in row["systems"].values() if "cannot" in one
    ]
    return "\n".join(lines)


def work() -> str:
    """All questions, as far as they were measured."""
    if not RESULTS.exists():
        return "Not measured yet."
    kept: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    parts = []
    for row in kept.values():
        if "systems" in row:
            asks = max(one.get("asks", 0) for one in row["systems"].values())
            parts.append(f"**{row['title']}** ({asks} prompts)\n\n{table(row)}")
    machine = kept["machine"]
    parts.append(f"Measured {machine['measured_at']}, Python {machine['python']}.")
    return "\n\n".join(parts)
