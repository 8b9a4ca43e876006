"""LangGraph's SqliteStore: put() in batches, search() by the meaning of a prompt."""

from __future__ import annotations

import os

from exchange import Ask, Item, extensible, said, serve
from meaning import DIMENSIONS, embed

extensible()
import sqlite3  # noqa: E402

from langgraph.store.base import PutOp  # noqa: E402
from langgraph.store.sqlite import SqliteStore  # noqa: E402


def fill(folder: str, items: list[Item]) -> Ask:
    connection = sqlite3.connect(
        os.path.join(folder, "store.db"), check_same_thread=False, isolation_level=None
    )
    store = SqliteStore(connection, index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]})
    store.setup()
    # The field is named here as well: what `fields` says, this version reads under another name.
    put = [PutOp(("said",), item["id"], {"text": said(item)}, index=["text"]) for item in items]
    for start in range(0, len(put), 100):
        store.batch(put[start : start + 100])
    return lambda prompt, limit: [
        one.value["text"] for one in store.search(("said",), query=prompt, limit=limit)
    ]


if __name__ == "__main__":
    serve(fill, "langgraph-checkpoint-sqlite")
