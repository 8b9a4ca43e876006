"""Records docs/terminal.svg: real commands on a new memory, typed line by line (`make docs-pictures`).

The picture moves by its own style, asks nothing of a network, and stands still for readers who want that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE = Path(__file__).resolve().parents[2] / "docs" / "terminal.svg"
COLUMNS = 92
COMMANDS = (
    ("learn", "Deploys need a green build.", "--kind", "policy"),
    ("learn", "The staging server is called heron.", "--key", "staging"),
    ("activate", "How do I deploy to the staging server?"),
    ("learn", "The staging server is called stork.", "--key", "staging"),
    ("log", "--limit", "2"),
    ("recall", "staging"),
    ("undo",),
    ("list",),
)
LETTER, LINE, EDGE = 8.4, 20, 18
TYPED, READ = 0.6, 0.35  # seconds for which a command is typed, and between lines of an answer
STYLE = (
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}"
    "text{fill:#d6dde4;white-space:pre}"
    ".typed{fill:#ffffff;font-weight:600}.sign{fill:#38c09a}g{animation:come .01s both}"
    "@keyframes come{from{opacity:0}to{opacity:1}}@media(prefers-reduced-motion:reduce){g{animation:none}}"
)


def recorded(program: Sequence[str] = (sys.executable, "-m", "cogmem")) -> list[tuple[str, bool]]:
    """The lines on the screen, and whether a person typed them."""
    lines: list[tuple[str, bool]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = {**os.environ, "COGMEM_DB": os.path.join(folder, "memory.db"), "HOME": folder}
        place |= {"COLUMNS": str(COLUMNS), "NO_COLOR": "1", "XDG_STATE_HOME": folder}
        for words in COMMANDS:
            said = " ".join(f'"{word}"' if " " in word else word for word in words)
            lines.append((f"cogmem {said}", True))
            answer = subprocess.run(
                [*program, *words],
                env=place,
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
            )
            for line in answer.stdout.splitlines():
                lines += [
                    (part, False) for part in wrap(line, COLUMNS, subsequent_indent="    ") or [""]
                ]
    return lines


def drawn(lines: list[tuple[str, bool]]) -> str:
    """The lines as a picture that tells them one after another."""
    width, height = EDGE * 2 + LETTER * COLUMNS, EDGE * 2 + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        f'aria-label="A terminal session with cogmem"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" rx="10" fill="#14181d"/>'
    ]
    at = 0.3
    for number, (text, is_typed) in enumerate(lines):
        y = EDGE + LINE * (number + 0.7)
        sign = '<tspan class="sign">$ </tspan>' if is_typed else ""
        kind = ' class="typed"' if is_typed else ""
        parts.append(
            f'<g style="animation-delay:{at:.1f}s"><text x="{EDGE}" y="{y:.0f}"{kind}>{sign}{escape(text)}</text></g>'
        )
        at += TYPED if is_typed else READ
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PLACE.write_text(drawn(recorded()), encoding="utf-8")
