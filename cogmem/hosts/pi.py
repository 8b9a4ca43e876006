"""pi: an extension runs the hooks, and its model hears nothing before a tool has run. It has no MCP."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Pi(Host):
    """pi: an extension runs the hooks, and its model hears nothing before a tool has run."""

    brings = "start"
    tells_beside = True

    def folder(self, *, wide: bool) -> str:
        if not wide:
            return os.path.join(os.getcwd(), ".pi")
        return os.environ.get("PI_CODING_AGENT_DIR") or home(".pi", "agent")

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import script

        place = f"{self.folder(wide=wide)}/extensions/cogmem.ts"
        return [(place, lambda _: script("pi.ts", self.name, ask))]

    def left_to_do(self) -> list[str]:
        return [
            "pi has no MCP: memory comes by itself, and its tools are the commands of `cogmem`."
        ]


HOST = Pi("pi")
