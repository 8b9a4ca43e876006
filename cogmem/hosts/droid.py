"""Factory Droid: the hooks of Claude Code in `~/.factory`, with names of its own for the tools."""

from __future__ import annotations

from cogmem.hosts.host import Host, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Droid(Host):
    """Factory Droid. The lines of its sessions are written as those of pi."""

    at = ".factory"
    talks: ClassVar[dict[str, str]] = {"sessions": ".jsonl"}
    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact"
        " SubagentStop Stop SessionEnd".split()
    )
    tools: ClassVar[dict[str, str]] = {
        "PreToolUse": "Execute|Read|Edit|Create|MultiEdit|ApplyPatch|AskUser|ExitSpecMode",
        "PostToolUse": "Execute|Read|Edit|Create|MultiEdit|ApplyPatch",
    }
    tells_beside = True
    not_said = ("<system-reminder>",)

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for said in lines_of(head):
            if said.get("type") == "session_start" and said.get("id"):
                return str(said["id"]), str(said.get("cwd") or ""), ""
        return None

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        from cogmem.hosts.pi import HOST as PI

        return PI.messages(line)

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit

        base = self.folder(wide=wide)
        entry = ask.entry()
        server = {"type": "stdio", **entry} if entry else None
        return [
            (f"{base}/settings.json", json_edit(lambda it: hooks_edit(it, ask, self))),
            (f"{base}/mcp.json", json_edit(lambda it: named_edit(it, "mcpServers", server))),
        ]


HOST = Droid("droid")
