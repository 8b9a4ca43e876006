"""What a conversation says, and what a model finds in it."""

from __future__ import annotations

GO = {
    "category": "entity",
    "content": "Project Heron is written in Go.",
    "keywords": ["heron", "go"],
}


SAID = [
    {
        "role": "user",
        "content": "I am Mara. Project Heron is written in Go, and I prefer green tea.",
    }
]
