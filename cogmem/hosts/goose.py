"""Goose: a plugin with the server, and with hooks that record and stop; none of them brings text to its model."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit

MANIFEST = """\
{
  "name": "cogmem",
  "version": "1.0.0",
  "description": "What was decided, asked for and found out in earlier sessions."
}
"""


class Goose(Host):
    """Goose. Of what a hook says it takes a decision alone, so memory comes when the model asks for it."""

    events = tuple("UserPromptSubmit PreToolUse Stop SessionEnd".split())
    means: ClassVar[dict[str, str]] = {"UserPromptSubmit": "said"}
    renamed: ClassVar[dict[str, str]] = {
        "event": "hook_event_name",
        "message": "prompt",
        "working_dir": "cwd",
    }
    brings = ""
    tells_beside = True
    tells_words = True

    def refusal(self, name: str, reason: str) -> str:
        return f'{{"decision":"block","reason":{quoted(reason)}}}\n'

    def folder(self, *, wide: bool) -> str:
        above = home() if wide else os.getcwd()
        return os.path.join(above, ".agents", "plugins", "cogmem")

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit

        base = self.folder(wide=wide)
        return [
            (f"{base}/plugin.json", lambda _: MANIFEST if ask.is_there else ""),
            (f"{base}/hooks/hooks.json", json_edit(lambda it: hooks_edit(it, ask, self))),
            (f"{base}/.mcp.json", json_edit(lambda it: named_edit(it, "mcpServers", ask.entry()))),
        ]

    def left_to_do(self) -> list[str]:
        return [
            "Goose lets no hook bring text to its model: memory comes when the model asks for it,"
            " as the server's own words tell it to."
        ]


HOST = Goose("goose")
