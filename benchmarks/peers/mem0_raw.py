"""mem0 with texts as they are (infer=False), and Qdrant in a folder."""

from __future__ import annotations

import os

from exchange import Ask, Item, said, serve
from langchain_core.embeddings import Embeddings
from meaning import DIMENSIONS, embed
from mem0 import Memory


class Local(Embeddings):
    """MiniLM at mem0's port for an embedder of LangChain."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return embed([text])[0]


def fill(folder: str, items: list[Item]) -> Ask:
    store = {
        "path": os.path.join(folder, "qdrant"),
        "embedding_model_dims": DIMENSIONS,
        "on_disk": True,
    }
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": {"provider": "langchain", "config": {"model": Local()}},
            "llm": {"provider": "openai", "config": {"api_key": "never asked"}},
            "history_db_path": os.path.join(folder, "history.db"),
        }
    )
    for item in items:
        memory.add(said(item), user_id="anyone", infer=False)

    def ask(prompt: str, limit: int) -> list[str]:
        found = memory.search(prompt, top_k=limit, filters={"user_id": "anyone"})
        return [one["memory"] for one in found["results"]]

    return ask


if __name__ == "__main__":
    serve(fill, "mem0ai")
