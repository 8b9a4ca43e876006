"""The memory of an AI agent in one SQLite file.

import cogmem

with cogmem.open("memory.db") as mem:
    mem.learn("Deploys need a green build.", kind="policy")
    print(mem.activate("How do I deploy?").text)
"""

from __future__ import annotations

from cogmem.errors import CogmemError
from cogmem.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.fleet.pool import AsyncPool, Pool
    from cogmem.frameworks.aio import AsyncMemory
    from cogmem.frameworks.loop import Session
    from cogmem.frameworks.wrap import wrap

__all__ = [
    "AsyncMemory",
    "AsyncPool",
    "CogmemError",
    "Memory",
    "Pool",
    "Session",
    "__version__",
    "open",
    "wrap",
]
__version__ = "0.1.0"

open = Memory


_LATER = {
    "AsyncMemory": "frameworks.aio",
    "AsyncPool": "fleet.pool",
    "Pool": "fleet.pool",
    "Session": "frameworks.loop",
    "wrap": "frameworks.wrap",
}


def __getattr__(name: str) -> Any:
    """Return what a hook has no use for is loaded by who asks for it."""
    if name not in _LATER:
        raise AttributeError(f"module 'cogmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"cogmem.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return __all__
