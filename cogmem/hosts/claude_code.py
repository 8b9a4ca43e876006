"""Claude Code: what its settings say of the plugin of cogmem, and of the server."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ClaudeCode(Host):
    """Claude Code."""

    def left_to_do(self) -> list[str]:
        held = _held(os.path.join(self.folder(wide=True), "settings.json"), "enabledPlugins")
        if not any(str(name).startswith("cogmem@") and held[name] for name in held):
            return []
        return ["The plugin of cogmem is enabled too: its hooks stay silent while these are there."]


def has_server() -> bool:
    """Tell whether `cogmem install` has put the server into the configuration, besides the plugin."""
    config = os.environ.get("CLAUDE_CONFIG_DIR")
    wide = os.path.join(config, ".claude.json") if config else home(".claude.json")
    entries = (_held(file, "mcpServers").get("cogmem") for file in (wide, ".mcp.json"))
    return any(isinstance(one, dict) and "cogmem" in (one.get("args") or ()) for one in entries)


def _held(file: str, name: str) -> dict[str, Any]:
    """Return a table of a file of settings."""
    from cogmem.hosts import jsonc

    try:
        with open(file, encoding="utf-8") as opened:
            held = jsonc.read(opened.read())[name]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return held if isinstance(held, dict) else {}


OWN = ClaudeCode
