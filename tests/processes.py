"""A process as tests start one: from the repository, its words kept, within two minutes."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]


def ran(words: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run it to its end, however it ends; what else is wanted is an option of `subprocess.run`."""
    given: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 120, "check": False}
    return subprocess.run(words, **{"cwd": ROOT, **given, **options})
