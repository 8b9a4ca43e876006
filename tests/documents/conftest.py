"""What the tests of this room start from."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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


@pytest.fixture
def mem(
    tmp_path: Path, cwd: Path, user: Path, empty_space: str, driver: str
) -> Iterator[cogmem.Memory]:
    """A memory that is opened for both, with a rule of its own."""
    path = str(tmp_path / "memory.db")
    shutil.copyfile(empty_space, path)
    with cogmem.open(
        path, documents=cwd, user_dir=user, counter=counting.Simple(), driver=driver
    ) as opened:
        opened.learn("Never force-push.", kind="policy", now=NOW)
        yield opened
        assert opened.file.check() == []
