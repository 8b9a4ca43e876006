"""What the tests of this room start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from asked_models import at_home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(tmp_path, monkeypatch)
