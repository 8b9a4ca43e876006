"""OpenCode: a plugin runs the hooks, and its model hears nothing before a tool has run."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class OpenCode(Host):
    """OpenCode: a plugin runs the hooks, and its model hears nothing before a tool has run."""

    brings = "start"
    tells_beside = True

    def folder(self, *, wide: bool) -> str:
        config = os.environ.get("XDG_CONFIG_HOME") or home(".config")
        return f"{config}/opencode" if wide else os.path.join(os.getcwd(), ".opencode")

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import json_edit, named_edit, script

        base = self.folder(wide=wide)
        entry = (
            {"type": "local", "command": ask.server(), "enabled": True} if ask.is_there else None
        )
        config = f"{base}/opencode.json" if wide else f"{os.path.dirname(base)}/opencode.json"
        return [
            (config, json_edit(lambda it: named_edit(it, "mcp", entry))),
            (f"{base}/plugin/cogmem.ts", lambda _: script("opencode.ts", self.name, ask)),
        ]


HOST = OpenCode("opencode")
