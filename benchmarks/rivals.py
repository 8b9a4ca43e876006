"""Other stores that install without a model, filled with the same texts: for benchmarks/activate.py.

Each is optional. LangGraph's SqliteStore needs an embedder; a hashed bag of words stands in for one,
so its time is that of the store and its hits are those of word overlap. Nothing here opens the file
of cogmem: two SQLite libraries in one process would undo each other's locks.
"""

from __future__ import annotations

import hashlib
import math
import os
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Search = Callable[[str], list[str]]

DIMENSIONS = 256


def embed(texts: list[str]) -> list[list[float]]:
    """Hashed word counts, of unit length."""
    found = []
    for text in texts:
        vector = [0.0] * DIMENSIONS
        for word in text.lower().split():
            vector[hashlib.md5(word.encode()).digest()[0]] += 1.0
        length = math.sqrt(sum(x * x for x in vector)) or 1.0
        found.append([x / length for x in vector])
    return found


def langgraph(folder: str, texts: Iterable[str]) -> Search | None:
    """LangGraph's SqliteStore with sqlite-vec."""
    try:
        from langgraph.store.base import PutOp
        from langgraph.store.sqlite import SqliteStore
    except ImportError:
        return None
    connection = sqlite3.connect(
        os.path.join(folder, "langgraph.db"), check_same_thread=False, isolation_level=None
    )
    store = SqliteStore(connection, index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]})
    store.setup()
    batch = []
    for number, text in enumerate(texts):
        batch.append(PutOp(("m",), str(number), {"text": text}))
        if len(batch) == 500:
            store.batch(batch)
            batch = []
    store.batch(batch)
    return lambda prompt: [
        item.value["text"] for item in store.search(("m",), query=prompt, limit=10)
    ]


def sqlite_utils(folder: str, texts: Iterable[str]) -> Search | None:
    """sqlite-utils' full-text search, with the words joined by OR."""
    from sqlite_utils import Database

    db = Database(os.path.join(folder, "utils.db"))
    db["m"].insert_all(({"text": text} for text in texts), batch_size=5000)
    db["m"].enable_fts(["text"], tokenize="porter")

    def search(prompt: str) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(prompt.split()))
        return [row["text"] for row in db["m"].search(match, limit=10)]

    return search


RIVALS = {"LangGraph SqliteStore": langgraph, "sqlite-utils search": sqlite_utils}
