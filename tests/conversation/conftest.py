"""What the tests of this room start from."""

from __future__ import annotations

import pytest
from conftest import NOW

from cogmem import Memory


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A memory in which models may be asked."""
    memory.store.set_setting("model_calls_per_day", "100000", now=NOW)
    return memory
