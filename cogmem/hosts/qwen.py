"""Qwen Code."""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, answered, called, files_below, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit


class Qwen(Host):
    """Qwen Code."""

    at = ".qwen"
    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse"
        " PostToolUseFailure SubagentStart SubagentStop Stop SessionEnd".split()
    )
    tools: ClassVar[dict[str, str]] = {
        "PreToolUse": "run_shell_command|read_file|edit|write_file"
        "|ask_user_question|exit_plan_mode|enter_worktree",
        "PostToolUse": "run_shell_command|read_file|edit|write_file",
        "PostToolUseFailure": "run_shell_command|read_file|edit|write_file",
    }
    # It reads nothing of what a start brings, and of what is told before a tool only a no.
    brings = "UserPromptSubmit"
    brings_at_start = False
    tells_beside = True
    loads_tools: ClassVar[dict[str, bool]] = {"alwaysLoadTools": True}
    not_said = ("<system-reminder>", "This is the Qwen Code. We are setting up the context")

    def transcripts(self) -> list[str]:
        return [
            path
            for part in ("projects", "tmp")
            for path in files_below(os.path.join(self.folder(wide=True), part), ".jsonl")
            if f"{os.sep}chats{os.sep}" in path
        ]

    def session_of(self, path: str, head: str) -> tuple[str, str, str] | None:
        for said in lines_of(head):
            # Claude Code writes lines like these, with "content" where Qwen Code has "parts".
            if said.get("sessionId") and said.get("cwd") and "parts" in (said.get("message") or ()):
                began = str(said.get("timestamp") or "")
                return str(said["sessionId"]), str(said["cwd"]), began
        return None

    def messages(self, line: dict[str, Any]) -> list[dict[str, Any]] | None:
        said = line.get("message")
        kinds = ("user", "assistant", "tool_result")
        if line.get("type") not in kinds or not isinstance(said, dict) or "parts" not in said:
            return None
        return list(_messages(line["type"], said.get("parts")))

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_and_server

        return [(f"{self.folder(wide=wide)}/settings.json", hooks_and_server(ask, self))]

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        (run,) = super().entry(words, seconds * 1_000)["hooks"]  # it counts ms
        return {"hooks": [{"name": "cogmem", **run}]}


def _messages(kind: str, parts: Any) -> list[dict[str, Any]]:
    """Return a message of Qwen Code: what was said, the calls of tools, and their results."""
    held = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    texts = [
        part["text"]
        for part in held
        if isinstance(part.get("text"), str) and not part.get("thought")
    ]
    calls, results = (
        [part[name] for part in held if isinstance(part.get(name), dict)]
        for name in ("functionCall", "functionResponse")
    )
    found = [
        answered(one.get("id") or one.get("name"), _output(one.get("response"))) for one in results
    ]
    if kind != "tool_result":
        asked = [called(one.get("id"), one.get("name"), one.get("args")) for one in calls]
        found.append({"role": kind, "content": "\n".join(texts), "tool_calls": asked})
    return found


def _output(response: Any) -> str:
    if isinstance(response, dict):
        return str(response.get("output") or response.get("error") or "")
    return str(response or "")


HOST = Qwen("qwen")
