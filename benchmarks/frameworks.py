"""What the adapters cost beside the stores that the frameworks bring: `make bench-frameworks`.

Each pair runs in one process on one machine, the two in turn, and what is compared is the ratio of each
round. The frameworks' own stores are theirs as they are installed, on files of their own.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cogmem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).parent / "results" / "frameworks.json"
ITEMS, MESSAGES, THREAD, ROUNDS, DIMS = 1_000, 400, 60, 200, 64
WORDS = "deploy staging heron invoice barley tractor refund mailbox lantern harbour copper violin".split()


def paired(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = ROUNDS
) -> dict[str, float]:
    """Microseconds of both, taken in turn, and the median of how many times as long ours takes."""
    taken: tuple[list[float], list[float]] = ([], [])
    for place in range(rounds + 5):
        pair = [(0, ours), (1, theirs)]
        for whose, call in pair if place % 2 else reversed(pair):
            begun = time.perf_counter()
            call()
            taken[whose].append(time.perf_counter() - begun)
    mine, their = (one[5:] for one in taken)
    ratios = [a / b for a, b in zip(mine, their, strict=True)]
    return {
        "ours_us": round(statistics.median(mine) * 1e6, 1),
        "theirs_us": round(statistics.median(their) * 1e6, 1),
        "ratio": round(statistics.median(ratios), 2),
    }


def text(number: int) -> str:
    return " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 5, 7)) + f" {number}"


def embed(texts: list[str]) -> list[list[float]]:
    """A hashed bag of words: what a model would take is not part of the comparison."""
    found = []
    for said in texts:
        vector = [0.001] * DIMS
        for word in said.split():
            vector[hashlib.md5(word.encode(), usedforsecurity=False).digest()[0] % DIMS] += 1.0
        found.append(vector)
    return found


@contextmanager
def memory(folder: str, name: str) -> Iterator[cogmem.Memory]:
    with cogmem.open(os.path.join(folder, f"{name}.db")) as mem:
        yield mem


def openai_session(folder: str) -> dict[str, Any]:
    """All items of a session of the OpenAI Agents SDK."""
    from agents import SQLiteSession

    from cogmem.frameworks.openai_agents import AgentSession

    items: list[Any] = [
        {"role": ("user", "assistant")[n % 2], "content": text(n)} for n in range(MESSAGES)
    ]
    loop = asyncio.new_event_loop()
    with memory(folder, "session") as mem:
        pair: list[Any] = [
            AgentSession(mem, "s"),
            SQLiteSession("s", os.path.join(folder, "theirs.db")),
        ]
        for session in pair:
            loop.run_until_complete(session.add_items(items))
        said = [loop.run_until_complete(session.get_items()) for session in pair]
        assert said[0] == said[1] == items
        ours, theirs = pair
        found = {
            f"get_items, {MESSAGES} items": paired(
                lambda: loop.run_until_complete(ours.get_items()),
                lambda: loop.run_until_complete(theirs.get_items()),
            ),
            "get_items, the last 20": paired(
                lambda: loop.run_until_complete(ours.get_items(20)),
                lambda: loop.run_until_complete(theirs.get_items(20)),
            ),
        }
        theirs.close()
    loop.close()
    return found


def langgraph_store(folder: str) -> dict[str, Any]:
    """get and search of a LangGraph store with a thousand items."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):  # their vectors want it
        import pysqlite3  # type: ignore[import-untyped,import-not-found,unused-ignore]

        sys.modules["sqlite3"] = pysqlite3
    from langgraph.store.base import PutOp
    from langgraph.store.sqlite import SqliteStore

    from cogmem.frameworks.langgraph import MemoryStore

    index: Any = {"dims": DIMS, "embed": embed, "fields": ["text"]}
    puts = [
        PutOp(("users", f"u{n % 10}"), f"k{n}", {"text": text(n), "even": n % 2 == 0})
        for n in range(ITEMS)
    ]
    found = {}
    with (
        memory(folder, "store") as mem,
        SqliteStore.from_conn_string(
            os.path.join(folder, "store-theirs.db"), index=index
        ) as theirs,
    ):
        theirs.setup()
        ours = MemoryStore(mem, index=index)
        for store in (ours, theirs):
            store.batch(puts)
        place = ("users", "u3")
        calls: dict[str, Callable[[Any], Any]] = {
            "get": lambda store: store.get(place, "k13"),
            "search, no query": lambda store: store.search(place, limit=10),
            "search, a filter": lambda store: store.search(place, filter={"even": False}, limit=10),
            "search, by meaning": lambda store: store.search(place, query="heron refund", limit=10),
        }
        for name, call in calls.items():
            assert call(theirs), name
            assert bool(call(ours)) == bool(call(theirs)), name
            found[name] = paired(lambda call=call: call(ours), lambda call=call: call(theirs))  # type: ignore[misc]
    return found


PARTS = {"openai_session": openai_session, "langgraph_store": langgraph_store}
PACKAGES = ("openai-agents", "langgraph-checkpoint-sqlite")


def main() -> None:
    result: dict[str, Any] = {"versions": {name: version(name) for name in PACKAGES}}
    for name, part in PARTS.items():
        with tempfile.TemporaryDirectory() as folder:
            result[name] = part(folder)
        for what, figures in result[name].items():
            print(f"{name:20} {what:24} {figures}")
    if "--write" in sys.argv:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
