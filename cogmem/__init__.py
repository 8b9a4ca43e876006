"""The memory of an AI agent in one SQLite file.

import cogmem

with cogmem.open("memory.db") as mem:
    mem.learn("Deploys need a green build.", kind="policy")
    print(mem.activate("How do I deploy?").text)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.errors import CogmemError
    from cogmem.fleet.pool import AsyncPool, Pool
    from cogmem.frameworks.aio import AsyncMemory
    from cogmem.frameworks.loop import Session
    from cogmem.frameworks.wrap import wrap
    from cogmem.memory import Memory
    from cogmem.memory import Memory as open

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

# Each is loaded by who asks for it: a version costs no memory, and a hook no more than it needs.
_LATER = {
    "AsyncMemory": "frameworks.aio",
    "AsyncPool": "fleet.pool",
    "CogmemError": "errors",
    "Memory": "memory",
    "Pool": "fleet.pool",
    "Session": "frameworks.loop",
    "open": "memory",
    "wrap": "frameworks.wrap",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'cogmem' has no attribute {name!r}")
    # importlib costs a hook a millisecond.
    module = __import__(f"cogmem.{_LATER[name]}", fromlist=[name])
    found = globals()[name] = getattr(module, "Memory" if name == "open" else name)
    return found


def __dir__() -> list[str]:
    return __all__
