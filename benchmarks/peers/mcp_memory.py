"""mcp-memory-service over its MCP server, with sqlite-vec, searched as its tool does by default."""

from __future__ import annotations

import re
import sys

from exchange import Ask, Item, said, serve
from meaning import MODEL, endpoint
from tools import Tools

SERVER = (
    "import exchange; exchange.extensible(); from mcp_memory_service.server import main; main()"
)
MOST = 100  # results that its tool gives
FOUND = re.compile(r"^\d+\. (.*?)\n   Hash: [0-9a-f]{64}$", re.DOTALL | re.MULTILINE)


service = Tools(
    [sys.executable, "-c", SERVER],
    PYTHONPATH=sys.path[0],
    MCP_MEMORY_STORAGE_BACKEND="sqlite_vec",
    MCP_EXTERNAL_EMBEDDING_URL=f"{endpoint()}/embeddings",
    MCP_EXTERNAL_EMBEDDING_MODEL=MODEL,
)


def fill(_folder: str, items: list[Item]) -> Ask:
    held: set[str] = set()
    for item in items:
        if said(item) in held:
            continue  # it refuses what it has, word for word
        held.add(said(item))
        # With the name of a conversation it keeps what is like something that it has.
        service.call(
            "memory_store", content=said(item), conversation_id=f"session {item['session']}"
        )

    def ask(prompt: str, limit: int) -> list[str]:
        return FOUND.findall(service.call("memory_search", query=prompt, limit=min(limit, MOST)))

    return ask


if __name__ == "__main__":
    serve(fill, "mcp-memory-service")
