"""The secrets that tests try at every door, and the search for them in all bytes of a folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).resolve().parent / "fixtures"


def rows(name: str) -> list[dict[str, Any]]:
    """A fixture; texts stand there in pieces, so that no scanner of a forge takes them for real."""
    found = []
    for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["text"] = "".join(row["text"])
        row.setdefault("value", core(row["text"]))
        found.append(row)
    return found


def core(text: str) -> str:
    """The longest piece of a token that no form of quoting changes."""
    plain = "".join(sign if sign.isalnum() or sign in "_-" else " " for sign in text)
    return max(plain.split(), key=len)


SECRETS = rows("guard_secrets.jsonl")
FORMATS = [row for row in SECRETS if "language" not in row]
SENTENCES = [row for row in SECRETS if "language" in row]
LOOK_ALIKES = rows("guard_look_alikes.jsonl")

# What a call is made with where it is not tried.
USUAL: dict[str, Any] = {
    "text": "Herons wade.", "content": "Herons wade.", "name": "bird", "uid": "bird", "key": "bird", "kind": "fact",
    "prompt": "Where do herons wade?", "query": "herons", "role": "user", "steps": ["look", "wade"], "files": [],
    "messages": [{"role": "user", "content": "Herons wade."}], "entries": [("user", "Herons wade.")],
    "reason": "why not", "conversation": "talk", "pattern": "heron", "uids": ["bird"], "title": "Birds",
}  # fmt: skip


def leaked(folder: str, secrets: dict[str, str]) -> dict[str, str]:
    """Which secrets stand in any file of a folder, and through which door they came."""
    found: dict[str, str] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            data = Path(place, name).read_bytes()
            for value, door in secrets.items():
                if value.encode() in data:
                    found[f"{door} ({name})"] = value[:6]
    return found


def fields(schema: dict[str, Any]) -> Iterator[str]:
    """The arguments of a tool that take text."""
    for name, its in schema.get("properties", {}).items():
        if any(kind in json.dumps(its) for kind in ('"string"', '"array"', '"object"')):
            yield name
