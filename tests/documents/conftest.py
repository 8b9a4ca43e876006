"""What the tests of this room start from."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    (folder / "AGENTS.md").write_text("# House\n\n## Build\n\nRun `make all` before a push.\n")
    return folder


@pytest.fixture
def user(tmp_path: Path) -> Path:
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("Answer in short sentences.\n")
    return folder
