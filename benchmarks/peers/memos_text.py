"""MemOS' textual memory that needs no embedder: add() of each message, search() by shared words.

Its class wants the settings of a model that extracts memories; nothing here calls it.
"""

from __future__ import annotations

from exchange import Ask, Item, said, serve
from memos.configs.memory import NaiveTextMemoryConfig
from memos.memories.textual.naive import NaiveTextMemory


def fill(_folder: str, items: list[Item]) -> Ask:
    never_asked = {"model_name_or_path": "never asked", "api_key": "never asked"}
    memory = NaiveTextMemory(
        NaiveTextMemoryConfig(extractor_llm={"backend": "openai", "config": never_asked})
    )
    memory.add([{"memory": said(item)} for item in items])
    return lambda prompt, limit: [one.memory for one in memory.search(prompt, limit)]


if __name__ == "__main__":
    serve(fill, "MemoryOS")
