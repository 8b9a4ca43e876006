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
        from cogmem.hosts.edits import json_edit, named_edit

        base = self.folder(wide=wide)
        entry = (
            {"type": "local", "command": ask.server(), "enabled": True} if ask.is_there else None
        )
        config = f"{base}/opencode.json" if wide else f"{os.path.dirname(base)}/opencode.json"
        return [
            (config, json_edit(lambda it: named_edit(it, "mcp", entry))),
            (f"{base}/plugin/cogmem.ts", lambda _: plugin(ask) if ask.is_there else ""),
        ]


def plugin(ask: Ask) -> str:
    """The plugin for OpenCode, with the command that it runs."""
    import json

    with open(os.path.join(os.path.dirname(__file__), "opencode.ts"), encoding="utf-8") as file:
        text = file.read()
    line = 'const COMMAND = ["cogmem", "hook", "EVENT", "--host", "opencode"]'
    words = json.dumps(ask.words("EVENT", "opencode"))
    return text.replace(line, f"const COMMAND = {words}")


HOST = OpenCode("opencode")
