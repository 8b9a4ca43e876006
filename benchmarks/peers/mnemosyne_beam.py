"""mnemosyne by remember() and recall(), with the embedder at a URL as its documents have it."""

from __future__ import annotations

import os

from exchange import Ask, Item, extensible, said, serve
from meaning import DIMENSIONS, MODEL, endpoint

extensible()
os.environ |= {
    "MNEMOSYNE_DATA_DIR": os.environ["HOME"],  # that of this run alone
    "MNEMOSYNE_EMBEDDING_API_URL": endpoint(),
    "MNEMOSYNE_EMBEDDING_MODEL": MODEL,
    "MNEMOSYNE_EMBEDDING_DIM": str(DIMENSIONS),
}
from mnemosyne import recall, remember  # noqa: E402


def fill(_folder: str, items: list[Item]) -> Ask:
    for item in items:
        remember(said(item), scope="global")
    return lambda prompt, limit: [one["content"] for one in recall(prompt, top_k=limit)]


if __name__ == "__main__":
    serve(fill, "mnemosyne-memory")
