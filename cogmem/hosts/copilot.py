"""GitHub Copilot CLI."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, answered, called, lines_of, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Copilot(Host):
    """GitHub Copilot CLI. Events named like those of Claude Code come with the same fields."""

    at = ".github"
    at_home = ".copilot"
    moved_by = "COPILOT_HOME"
    talks: ClassVar[dict[str, str]] = {"session-state": "events.jsonl"}
    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart Stop SessionEnd".split()
    )
    keeps_start = False
    not_said = ("<current_datetime>", "<system_reminder>")

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for line in lines_of(head):
            said = line.get("data")
            if line.get("type") == "session.start" and isinstance(said, dict):
                place = said.get("context")
                folder = place.get("cwd") if isinstance(place, dict) else ""
                name = said.get("sessionId") or os.path.basename(os.path.dirname(path))
                began = said.get("startTime") or line.get("timestamp")
                return str(name), str(folder or ""), str(began or "")
        return None

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        said = line.get("data")
        if not isinstance(said, dict) or "parentId" not in line:
            return None
        if line.get("type") == "user.message":
            return [{"role": "user", "content": said.get("content") or ""}]
        if line.get("type") == "assistant.message":
            calls = [one for one in said.get("toolRequests") or () if isinstance(one, dict)]
            asked = [
                called(one.get("toolCallId"), one.get("name"), one.get("arguments"))
                for one in calls
            ]
            content = said.get("content") or ""
            return [{"role": "assistant", "content": content, "tool_calls": asked}]
        if line.get("type") == "tool.execution_complete":
            return [answered(said.get("toolCallId"), _output(said))]
        return []

    def reply(self, name: str, text: str) -> str:
        return f'{{"additionalContext":{quoted(text)}}}\n'

    def refusal(self, name: str, reason: str) -> str:
        return f'{{"permissionDecision":"deny","permissionDecisionReason":{quoted(reason)}}}\n'

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import json_edit, named_edit, versioned_hooks

        base = self.folder(wide=wide)
        entry = ask.entry()
        server = {"type": "local", **entry, "tools": ["*"]} if entry else None
        servers = f"{base}/mcp-config.json" if wide else f"{os.path.dirname(base)}/.mcp.json"
        return [
            (f"{base}/hooks/cogmem.json", versioned_hooks(ask, self)),
            (servers, json_edit(lambda it: named_edit(it, "mcpServers", server))),
        ]

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        from cogmem.hosts.command import shell_line

        lines = {"bash": shell_line(words), "powershell": shell_line(words, "powershell")}
        return {"type": "command", **lines, "timeoutSec": seconds}


def _output(said: dict[str, Any]) -> str:
    """Return what a tool answered."""
    result = said.get("result")
    text = str(result.get("content") or "") if isinstance(result, dict) else ""
    error = said.get("error")
    return text or str((error or {}).get("message", "") if isinstance(error, dict) else error or "")


HOST = Copilot("copilot")
