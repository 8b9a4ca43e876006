"""MemPalace over its MCP server: every message a drawer, in a room for each session."""

from __future__ import annotations

import json

from exchange import Ask, Item, said, serve
from meaning import MODEL, endpoint
from tools import Tools

LONGEST = 250  # characters of a query that its tool takes
FULL = 100_000  # characters of a drawer
palace = Tools(
    ["mempalace-mcp"],
    MEMPALACE_EMBEDDING_MODEL="openai-compat",
    MEMPALACE_EMBEDDING_API_URL=endpoint(),
    MEMPALACE_EMBEDDING_API_MODEL=MODEL,
)


def fill(_folder: str, items: list[Item]) -> Ask:
    for item in items:
        room = "session " + "".join(c for c in item["session"] if c.isalnum())
        text = said(item)[:FULL]
        filed = palace.call("mempalace_add_drawer", wing="talk", room=room, content=text)
        assert json.loads(filed)["success"], filed

    def ask(prompt: str, limit: int) -> list[str]:
        found = json.loads(palace.call("mempalace_search", query=prompt[:LONGEST], limit=limit))
        return [one["text"] for one in found["results"]]

    return ask


if __name__ == "__main__":
    serve(fill, "mempalace")
