"""Agent hooks of VS Code: the start of a session and what happens around a tool bring text, a message does not.

VS Code runs the hooks of Claude Code and of Copilot CLI as well. Its own lie in a file that those two do not
read, and where that file is, theirs are silent in VS Code: `answers_itself`.
"""

from __future__ import annotations

import os

from cogmem.hosts.host import Host, editor_folder, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from cogmem.hosts.command import Ask
    from cogmem.hosts.host import Edit

LOCATIONS = "chat.hookFilesLocations"  # the setting that names files of hooks
FILE = ".vscode/cogmem-hooks.json"  # in the home, or in the project


class VSCode(Host):
    """VS Code's agent."""

    events = tuple(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart Stop".split()
    )
    means: ClassVar[dict[str, str]] = {"UserPromptSubmit": "said"}
    renamed: ClassVar[dict[str, str]] = {
        "sessionId": "session_id",
        "hookEventName": "hook_event_name",
    }

    def folder(self, *, wide: bool) -> str:
        return editor_folder("Code") if wide else os.path.join(os.getcwd(), ".vscode")

    def files(self, ask: Ask, *, wide: bool) -> list[tuple[str, Edit]]:
        from cogmem.hosts.edits import hooks_edit, json_edit, named_edit

        def located(it: dict[str, Any]) -> None:
            named = it.setdefault(LOCATIONS, {})
            if not isinstance(named, dict):
                raise ValueError(f'"{LOCATIONS}" in it is not an object')
            place = f"~/{FILE}" if wide else FILE
            if ask.is_there:
                named[place] = True
            else:
                named.pop(place, None)
            if not named:
                del it[LOCATIONS]

        base = self.folder(wide=wide)
        entry = ask.entry()
        server = {"type": "stdio", **entry} if entry else None
        return [
            (_hooks_file(wide=wide), json_edit(lambda it: hooks_edit(it, ask, self))),
            (f"{base}/settings.json", json_edit(located)),
            (f"{base}/mcp.json", json_edit(lambda it: named_edit(it, "servers", server))),
        ]

    def entry(self, words: list[str], seconds: int) -> dict[str, Any]:
        return {"type": "command", "command": self.line(words), "timeout": seconds}

    def left_to_do(self) -> list[str]:
        return [
            "VS Code lets no hook bring text with a message: what always holds comes at the start, what is known"
            " about a file or a command with the tool, the rest when the model asks for it."
        ]


def answers_itself(folder: str) -> bool:
    """Tell whether it has hooks of its own, so that those of other hosts, which it runs too, are silent."""
    return any(map(os.path.exists, (home(FILE), os.path.join(folder, FILE))))


def _hooks_file(*, wide: bool) -> str:
    return home(FILE) if wide else os.path.join(os.getcwd(), FILE)


HOST = VSCode("vscode")
