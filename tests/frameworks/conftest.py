"""What the tests of this room start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def mem() -> Iterator[cogmem.Memory]:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        yield memory
        assert memory.file.check() == []
