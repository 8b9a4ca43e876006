"""OpenClaw: a plugin runs the hooks. Its settings must allow a plugin to read what is said."""

from __future__ import annotations

import json

from cogmem.hosts.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit

PACKAGE = {
    "name": "cogmem",
    "version": "1.0.0",
    "type": "module",
    "openclaw": {"extensions": ["./index.ts"]},
}
MANIFEST = {
    "id": "cogmem",
    "name": "cogmem",
    "activation": {"onStartup": True},
    "configSchema": {"type": "object", "additionalProperties": False},
}
ALLOWED = {"enabled": True, "hooks": {"allowConversationAccess": True}}


class OpenClaw(Host):
    """OpenClaw. What comes before a message is in no later request: the turn alone sees it."""

    at = ".openclaw"
    moved_by = "OPENCLAW_STATE_DIR"
    brings = "start"
    keeps_start = False  # its system prompt is made anew
    tells_beside = True
    tells_words = True
    consent = "OpenClaw's settings will allow this plugin to read what you and your agents say"

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import json_edit, named_edit, script

        base = self.folder(wide=wide)
        place = f"{base}/extensions/cogmem"
        entry = ask.entry()

        def allowed(it: dict[str, Any]) -> None:
            for table, inner, held in (
                ("plugins", "entries", ALLOWED if entry else None),
                ("mcp", "servers", entry),
            ):
                outer = it.setdefault(table, {})
                named_edit(outer, inner, held)
                if not outer:
                    del it[table]

        def written(what: dict[str, Any]) -> str:
            return json.dumps(what, indent=2) + "\n" if entry else ""

        return [
            (f"{base}/openclaw.json", json_edit(allowed)),
            (f"{place}/package.json", lambda _: written(PACKAGE)),
            (f"{place}/openclaw.plugin.json", lambda _: written(MANIFEST)),
            (f"{place}/index.ts", lambda _: script("openclaw.ts", self.name, ask)),
        ]


HOST = OpenClaw("openclaw")
