"""A repository, and a memory that looks at its project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from checkout import Checkout

import cogmem
from cogmem.scope import project_of
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "code")


@pytest.fixture
def memory(checkout: Checkout, path: str) -> Iterator[cogmem.Memory]:
    """An empty memory of the repository's project, found sound when the test is over."""
    project = project_of(str(checkout.root)).id
    with cogmem.open(path, project=project, counter=counting.Simple()) as mem:
        yield mem
        assert mem.file.check() == []
