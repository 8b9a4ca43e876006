"""The embedder that minilm.py serves, as a URL and as a function for ports within a process."""

from __future__ import annotations

import json
import os
import urllib.request

MODEL = "all-MiniLM-L6-v2"
DIMENSIONS = 384


def endpoint() -> str:
    """The base URL, as OpenAI's clients take it."""
    return f"{os.environ['PEERS_EMBEDDER']}/v1"


def embed(texts: list[str]) -> list[list[float]]:
    """A unit vector for each text."""
    request = urllib.request.Request(
        f"{endpoint()}/embeddings",
        json.dumps({"input": texts, "model": MODEL}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return [one["embedding"] for one in json.load(answer)["data"]]
