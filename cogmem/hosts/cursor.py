"""Cursor: only the start of a session brings text; the rest tells what was said."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Cursor(Host):
    """Cursor: only the start of a session brings text; the rest tells what was said."""

    events: ClassVar[dict[str, int]] = {
        "sessionStart": 10,
        "beforeSubmitPrompt": 10,
        "afterAgentResponse": 10,
        "sessionEnd": 30,
    }
    brings = "sessionStart"

    def transcript(self, path: str) -> str:
        return ""  # its own file has a form that nobody promised: its events carry the words

    def reply(self, name: str, text: str) -> str:
        return f'{{"additional_context":{quoted(text)}}}\n'

    def folder(self, *, wide: bool) -> str:
        return home(".cursor") if wide else os.path.join(os.getcwd(), ".cursor")

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import json_edit, named_edit, versioned_hooks

        base = self.folder(wide=wide)
        return [
            (f"{base}/hooks.json", versioned_hooks(ask, self)),
            (f"{base}/mcp.json", json_edit(lambda it: named_edit(it, "mcpServers", ask.entry()))),
        ]

    def entry(self, command: str, seconds: int) -> dict[str, Any]:
        return {"command": command}  # it has no agreed unit of time, and no groups


HOST = Cursor("cursor")
