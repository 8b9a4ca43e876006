"""What the tests of this room start from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No choice, key, prompt or proxy of the machine reaches a test."""
    for name in os.environ:
        if name.startswith("COGMEM_") or name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COGMEM_CONFIG", str(tmp_path / "settings"))
