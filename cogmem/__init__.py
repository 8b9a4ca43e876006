"""The memory of an AI agent in one SQLite file.

    import cogmem

    with cogmem.open("memory.db") as mem:
        mem.learn("Deploys need a green build.", kind="policy")
        print(mem.activate("How do I deploy?").text)
"""

from __future__ import annotations

from cogmem.errors import CogmemError
from cogmem.memory import Memory

__all__ = ["CogmemError", "Memory", "__version__", "open"]
__version__ = "0.1.0"

open = Memory
