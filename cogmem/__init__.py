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

    from cogmem.frameworks.loop import Session

__all__ = ["CogmemError", "Memory", "Session", "__version__", "open"]
__version__ = "0.1.0"

open = Memory


def __getattr__(name: str) -> Any:
    """Session is loaded by who asks for it; a hook does not."""
    if name != "Session":
        raise AttributeError(f"module 'cogmem' has no attribute {name!r}")
    from cogmem.frameworks.loop import Session

    return Session
