"""A store behind its own MCP server: what its documents tell people to connect, called as an agent calls it."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any


class Tools:
    """The tools of a server on standard input and output."""

    def __init__(self, command: list[str], **environment: str) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | environment,
            text=True,
            encoding="utf-8",
        )
        self._number = 0
        asked = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "scoreboard", "version": "1"},
        }
        self._request("initialize", asked)
        self._write({"method": "notifications/initialized"})

    def call(self, name: str, **arguments: Any) -> str:
        """The text that a tool answers; a refusal is an error."""
        found = self._request("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(part["text"] for part in found["content"] if part["type"] == "text")
        if found.get("isError"):
            raise RuntimeError(f"{name}: {text[:500]}")
        return text

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line) if line.startswith("{") else {}
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
        raise RuntimeError(f"{method}: the server has ended")

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        self._process.stdin.flush()
