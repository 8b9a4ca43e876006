"""Claude Code."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, home, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class ClaudeCode(Host):
    """Claude Code."""

    at = ".claude"
    moved_by = "CLAUDE_CONFIG_DIR"
    talks: ClassVar[dict[str, str]] = {"projects": ".jsonl"}
    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUseFailure"
        " SubagentStart SubagentStop Stop SessionEnd".split()
    )
    tools: ClassVar[dict[str, str]] = {
        "PreToolUse": "Bash|Read|Edit|Write|MultiEdit|NotebookEdit|apply_patch"
        "|AskUserQuestion|ExitPlanMode|EnterWorktree",
        "PostToolUseFailure": "Bash",
    }
    loads_tools: ClassVar[dict[str, bool]] = {"alwaysLoad": True}
    not_said = (
        "<command-",
        "<local-command-",
        "<system-reminder>",
        "<task-notification>",
        "<bash-",
        "<new-diagnostics>",
        "<teammate-message",
        "[Request interrupted by user",
        "Caveat: ",
    )

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for said in lines_of(head):
            if "sessionId" in said and said.get("cwd"):
                if said.get("isSidechain"):
                    return None  # a subagent's: its like alone has it in sight
                if "parts" in (said.get("message") or ()):
                    return None  # Qwen Code writes lines like these
                name = os.path.basename(path).removesuffix(".jsonl")
                return name, str(said["cwd"]), str(said.get("timestamp") or "")
        return None

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        said = line.get("message")
        if line.get("type") not in ("user", "assistant") or not isinstance(said, dict):
            return None
        if line.get("isMeta") or line.get("isSidechain") or line.get("isCompactSummary"):
            return []
        return [said]

    def left_to_do(self) -> list[str]:
        if not _has_plugin(self.folder(wide=True)):
            return []
        return ["The plugin of cogmem is enabled too: its hooks stay silent while these are there."]

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit

        base = self.folder(wide=wide)
        # What a person keeps to themselves in a project; its settings.json is for everyone.
        settings = os.path.join(base, "settings.json" if wide else "settings.local.json")
        if not wide:
            servers = os.path.join(os.path.dirname(base), ".mcp.json")
        elif os.environ.get("CLAUDE_CONFIG_DIR"):
            servers = os.path.join(base, ".claude.json")
        else:
            servers = f"{base}.json"
        entry = ask.entry()
        server = {**entry, **self.loads_tools} if entry else None
        return [
            (settings, json_edit(lambda it: hooks_edit(it, ask, self))),
            (servers, json_edit(lambda it: named_edit(it, "mcpServers", server))),
        ]


def has_server() -> bool:
    """Tell whether `cogmem install` has put the server into the configuration, besides the plugin."""
    from cogmem.hosts import jsonc

    config = os.environ.get("CLAUDE_CONFIG_DIR")
    wide = os.path.join(config, ".claude.json") if config else home(".claude.json")
    for file in (wide, ".mcp.json"):
        try:
            with open(file, encoding="utf-8") as held:
                entry = jsonc.read(held.read())["mcpServers"]["cogmem"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if isinstance(entry, dict) and "cogmem" in (entry.get("args") or ()):
            return True
    return False


def _has_plugin(folder: str) -> bool:
    """Tell whether Claude Code has the plugin of the marketplace enabled."""
    from cogmem.hosts import jsonc

    try:
        with open(os.path.join(folder, "settings.json"), encoding="utf-8") as file:
            enabled = jsonc.read(file.read()).get("enabledPlugins") or {}
    except (OSError, ValueError, AttributeError):
        return False
    return any(str(name).startswith("cogmem@") and enabled[name] for name in enabled)


HOST = ClaudeCode("claude-code")
