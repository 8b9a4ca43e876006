"""How a test waits for what a process of its own writes down after a hook has answered."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def until_folded(home: Path) -> None:
    """Wait until no event waits beside a memory of this folder."""
    for _ in range(1_200):
        if not [name for name in os.listdir(home) if ".spool" in name]:
            return
        time.sleep(0.05)
    raise AssertionError("what waited was not written down")
