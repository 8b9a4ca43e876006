"""Writes down what the SDK's server answers to a greeting: `python tests/hosts/prepare_greeting.py`.

Run it when a tool, the instructions or the version of cogmem changes (`make mcp-greeting`); the test
of the greeting compares the file with the SDK.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from cogmem.hosts import mcp as adapter
from cogmem.hosts.mcp_greeting import ABLE, CLIENT, PREPARED, VERSION
from cogmem.tools.toolset import TOOLSETS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
CLIENT_INFO = {"name": "prepare", "version": "1"}


class Lines:
    """A client that says its lines, and goes when each request is answered."""

    def __init__(self, messages: Sequence[dict[str, Any]]) -> None:
        self._said = [json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages]
        self._due = sum("id" in one for one in messages)
        self._answered = threading.Event()
        self.answers: list[dict[str, Any]] = []

    def readline(self) -> str:
        if self._said:
            return self._said.pop(0)
        self._answered.wait(30)
        return ""

    def write(self, text: str) -> int:
        self.answers.append(json.loads(text))
        if len(self.answers) == self._due:
            self._answered.set()
        return len(text)

    def flush(self) -> None:
        """Do nothing: nothing is held back."""


def asked(version: str) -> list[dict[str, Any]]:
    """Return what a client of this version of the protocol says first."""
    if version in HANDSHAKE_PROTOCOL_VERSIONS:
        hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT_INFO}
        methods = ("ping", *LISTS)
        return [
            {"id": "initialize", "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            *({"id": method, "method": method} for method in methods),
        ]
    meta = {VERSION: version, CLIENT: CLIENT_INFO, ABLE: {}}
    methods = ("server/discover", *LISTS)
    return [{"id": method, "method": method, "params": {"_meta": meta}} for method in methods]


def answered(toolset: str, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the SDK's server answers to these messages; the memory is never opened."""
    mem = adapter.Opened(":memory:")
    made = adapter.server(mem, adapter.offered([toolset], mem))
    lines = Lines(messages)

    async def run() -> None:
        wire: Any = anyio.wrap_file(lines)  # type: ignore[arg-type]
        async with stdio_server(wire, wire) as (read, write):
            await made.run(read, write, made.create_initialization_options())

    anyio.run(run)
    return lines.answers


def prepared() -> dict[str, Any]:
    """Return all that data/mcp.json holds. Each text once: a tool reads the same in most versions."""
    answers: dict[str, dict[str, str]] = {}
    tools: dict[str, dict[str, dict[str, int]]] = {name: {} for name in TOOLSETS}
    texts: dict[str, int] = {}
    for version in (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS):
        for name in TOOLSETS:
            held = {str(one["id"]): one["result"] for one in answered(name, asked(version))}
            for tool in held["tools/list"].pop("tools"):
                text = _json(tool)
                at = texts.setdefault(text, len(texts))
                tools[name].setdefault(tool["name"], {})[version] = at
            held["tools/list"]["tools"] = []
            answers[version] = {method: _json(result) for method, result in sorted(held.items())}
    return {
        "handshakes": list(HANDSHAKE_PROTOCOL_VERSIONS),
        "answers": answers,
        "tools": tools,
        "texts": list(texts),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Write the file."""
    with open(PREPARED, "w", encoding="utf-8") as file:
        file.write(json.dumps(prepared(), ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
