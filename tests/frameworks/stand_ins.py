"""A pytest plugin for `make suites`: the frameworks' own tests meet cogmem's adapters.

    COGMEM_STAND_IN=langgraph_memory python -m pytest -p stand_ins tests/test_store.py

Each stand-in takes the place of a store that a framework brings itself, with the constructor that
its tests know, before the tests are collected. What a stand-in adds to the adapter is only what
those tests need to open, close and look at it.
"""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    import pytest


def opened(path: Any = ":memory:") -> cogmem.Memory:
    """A memory that counts quickly: these suites do not look at tokens."""
    return cogmem.open(os.fspath(path), counter=counting.Simple())


def langgraph_memory() -> None:
    """langgraph-checkpoint tests its InMemoryStore."""
    import langgraph.store.memory as theirs

    from cogmem.frameworks.langgraph import MemoryStore

    class InMemoryStore(MemoryStore):
        def __init__(self, *, index: Mapping[str, Any] | None = None) -> None:
            super().__init__(opened(), index=index)

    theirs.InMemoryStore = InMemoryStore


def langgraph_sqlite() -> None:
    """langgraph-checkpoint-sqlite tests its SqliteStore and AsyncSqliteStore."""
    import langgraph.store.sqlite as theirs
    import langgraph.store.sqlite.aio as theirs_in_loops

    from cogmem.frameworks.langgraph import MemoryStore

    def fields(index: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return index and {**index, "fields": index.get("text_fields")}  # as they call them

    class SqliteStore(MemoryStore):
        MIGRATIONS = ("select 1",)

        @classmethod
        @contextmanager
        def from_conn_string(
            cls, path: str, *, index: Any = None, ttl: Any = None
        ) -> Iterator[Any]:
            with opened(path) as mem:
                yield cls(mem, index=fields(index), ttl=ttl)

        def setup(self) -> None: ...
        def start_ttl_sweeper(self) -> None: ...
        def stop_ttl_sweeper(self) -> None: ...

    class AsyncSqliteStore(MemoryStore):
        @classmethod
        @asynccontextmanager
        async def from_conn_string(
            cls, path: str, *, index: Any = None, ttl: Any = None
        ) -> AsyncIterator[Any]:
            with opened(path) as mem:
                yield cls(mem, index=fields(index), ttl=ttl)

        async def setup(self) -> None: ...
        async def start_ttl_sweeper(self) -> None: ...
        async def stop_ttl_sweeper(self) -> None: ...

        async def sweep_ttl(self) -> int:
            return super().sweep_ttl()

    theirs.SqliteStore = SqliteStore
    theirs.AsyncSqliteStore = theirs_in_loops.AsyncSqliteStore = AsyncSqliteStore


def openai_agents() -> None:
    """openai-agents tests its SQLiteSession."""
    import agents
    import agents.memory

    from cogmem.frameworks.openai_agents import AgentSession

    class SQLiteSession(AgentSession):
        def __init__(self, session_id: str, db_path: Any = ":memory:", **options: Any) -> None:
            self._mem = opened(db_path)
            super().__init__(self._mem, session_id, options.get("session_settings"))

        def close(self) -> None:
            self._mem.close()

    agents.SQLiteSession = agents.memory.SQLiteSession = SQLiteSession


def claude_sdk() -> None:
    """claude-agent-sdk tests its InMemorySessionStore."""
    import claude_agent_sdk

    from cogmem.frameworks.claude_sdk import PREFIX, TranscriptStore, _name
    from cogmem.frameworks.items import Items

    class InMemorySessionStore(TranscriptStore):
        def __init__(self) -> None:
            super().__init__(opened())

        def get_entries(self, key: Mapping[str, str]) -> list[Any]:
            return Items(self.mem, _name(key)).latest()

        @property
        def size(self) -> int:
            names = [row.name for row in self.mem.conversations.list(limit=0)]
            return sum(name.startswith(PREFIX) and name.count(" :: ") == 2 for name in names)

        def clear(self) -> None:
            self.mem = opened()

    claude_agent_sdk.InMemorySessionStore = InMemorySessionStore


def anthropic() -> None:
    """anthropic tests its tools over a real folder; its eye on the folder looks here instead."""
    import anthropic.lib.tools._beta_builtin_memory_tool as theirs

    from cogmem.frameworks.anthropic_memory import async_client_tool, client_tool

    def over(make: Any) -> Any:
        def tool(base_path: str) -> Any:
            _folders[base_path] = opened()
            made = make(_folders[base_path])
            made.base_path = made.memory_root = Path(base_path)
            return made

        return tool

    theirs.BetaLocalFilesystemMemoryTool = over(client_tool)
    theirs.BetaAsyncLocalFilesystemMemoryTool = over(async_client_tool)


_folders: dict[str, cogmem.Memory] = {}


def folder_of(base_path: str) -> dict[str, str]:
    """The files of a memory tool as the tests of anthropic list a folder."""
    from cogmem.frameworks.anthropic_memory import MemoryTool

    tool = MemoryTool(_folders[base_path])
    return {path.lstrip("/"): tool._text(row) for path, row in tool._files()}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        module = getattr(item, "module", None)
        if hasattr(module, "get_directory_snapshot"):
            module.get_directory_snapshot = folder_of


def pytest_configure(config: pytest.Config) -> None:
    del config
    globals()[os.environ["COGMEM_STAND_IN"]]()
