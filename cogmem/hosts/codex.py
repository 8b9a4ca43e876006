"""Codex."""

from __future__ import annotations

from cogmem.hosts.host import Host, answered, called, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Codex(Host):
    """Codex."""

    at = ".codex"
    moved_by = "CODEX_HOME"
    talks: ClassVar[dict[str, str]] = {"sessions": ".jsonl", "archived_sessions": ".jsonl"}
    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart"
        " SubagentStop Stop".split()
    )
    tools: ClassVar[dict[str, str]] = {
        "PreToolUse": "Bash|Read|Edit|Write|MultiEdit|NotebookEdit|apply_patch",
        "PostToolUse": "Bash",
    }
    shell_on_windows = "powershell"
    not_said = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions")

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for said in lines_of(head):
            meta = said.get("payload")
            if isinstance(meta, dict) and said.get("type") == "session_meta" and meta.get("id"):
                began = meta.get("timestamp") or said.get("timestamp")
                return str(meta["id"]), str(meta.get("cwd") or ""), str(began or "")
        return None

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        if line.get("type") != "response_item":
            return None
        found = message(line.get("payload"))
        return [found] if found else []

    def left_to_do(self) -> list[str]:
        return ["Codex asks whether you trust the hooks when it starts next: say yes."]

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit, toml_edit

        base = self.folder(wide=wide)
        return [
            (f"{base}/hooks.json", json_edit(lambda it: hooks_edit(it, ask, self))),
            (
                f"{base}/config.toml",
                toml_edit(lambda it: named_edit(it, "mcp_servers", ask.entry())),
            ),
        ]


def message(item: Any) -> dict[str, Any] | None:
    """A message, a call or a result of Codex."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind == "message" and item.get("role") in ("user", "assistant"):
        return item
    if kind in ("function_call", "custom_tool_call"):
        given = item.get("arguments", item.get("input"))
        call = called(item.get("call_id"), item.get("name"), given)
        return {"role": "assistant", "tool_calls": [call]}
    if kind in ("function_call_output", "custom_tool_call_output"):
        output = item.get("output")
        text = output if isinstance(output, str) else str((output or {}).get("content", ""))
        return answered(item.get("call_id"), text)
    return None


HOST = Codex("codex")
