"""What every fit of weights does: keeps the figures it read, which take long, and writes what it learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogmem.text.data import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def kept(file: Path | None, read: Callable[[], Any]) -> Any:
    """Return the figures that a file keeps; else read them, and keep them there."""
    if file is not None and file.exists():
        return json.loads(file.read_text("utf-8"))
    figures = read()
    if file is not None:
        file.write_text(json.dumps(figures), "utf-8")
    return figures


def write(name: str, meaning: str, table: Mapping[str, float]) -> None:
    """Write the weights that ship as cogmem/data/NAME, with a line that says what they are."""
    lines = [f"# {meaning} --write remakes it.", *(f"{one} {table[one]:.3f}" for one in table)]
    Path(FOLDER, name).write_text("\n".join(lines) + "\n", "utf-8")
