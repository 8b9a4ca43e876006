"""The page of the scoreboard of work, made from results/scoreboard_work.json: a table for each question.

python benchmarks/scoreboard_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "scoreboard_work.json"
PAGE = HERE.parent / "docs" / "scoreboard.md"
TOP = HERE / "prompts" / "scoreboard.md"


def cell(value: list[float], best: bool) -> str:
    middle, low, high = value
    told = f"{middle:g} ({low:g}–{high:g})"
    return f"**{told}**" if best else told


def table(row: dict[str, Any]) -> str:
    """One question: a line a system, the best of each figure in bold."""
    names = list(row["goals"])
    lines = [
        "| | "
        + " | ".join(f"{name}, %" for name in names)
        + " | tokens a prompt | ms | file ÷ text |",
        "|---|" + "--:|" * (len(names) + 3),
    ]
    systems = list(row["systems"].values())
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
            f"{one['bytes']:g}" if one["bytes"] else "–",
        ]
        lines.append(f"| {one['called']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page(kept: dict[str, Any]) -> str:
    """The whole page; what people wrote of it stands in prompts/scoreboard.md."""
    parts = [TOP.read_text(encoding="utf-8").rstrip()]
    for row in kept.values():
        if "systems" in row:
            asks = max(one["asks"] for one in row["systems"].values())
            parts.append(f"## {row['title']}\n\n{asks} prompts.\n\n{table(row)}")
    machine = kept.get("machine", {})
    if machine:
        parts.append(f"Measured {machine['measured_at']}, Python {machine['python']}.")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")
