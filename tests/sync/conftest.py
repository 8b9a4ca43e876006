"""What the tests of this room start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., cogmem.Memory]]:
    """A memory by its name; every one that was opened must be sound in the end."""
    mems: list[cogmem.Memory] = []

    def opened(name: str, **options: str) -> cogmem.Memory:
        path = str(tmp_path / f"{name}.db")
        mems.append(cogmem.open(path, actor=name, counter=counting.Simple(), **options))
        return mems[-1]

    yield opened
    for mem in mems:
        assert mem.file.check() == []
        mem.close()
