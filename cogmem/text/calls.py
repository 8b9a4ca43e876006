"""What the call of a tool is about, in whatever words a host has for it: its command, its file, its patch."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FILES = (
    "file_path",
    "filePath",
    "notebook_path",
    "absolute_path",
    "path",
    "target_file",
    "filename",
    "file",
)
CHANGES = ("edit", "write", "replace", "patch", "create", "insert", "delete", "move", "rename")


def changes(tool: str) -> bool:
    """Tell whether a tool changes a file, as its name says."""
    low = tool.lower()
    return any(sign in low for sign in CHANGES)


def file_in(arguments: Any) -> str:
    """Return the file that a call names; '' for none."""
    held = arguments if isinstance(arguments, dict) else {}
    return next((one for one in map(held.get, FILES) if isinstance(one, str) and one), "")


def command_in(arguments: dict[str, Any]) -> str:
    """Return the command that a call runs; '' for none."""
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, list) and command:
        command = command[-1]
    return command if isinstance(command, str) and command.strip() else ""


def patch_in(arguments: Any) -> str:
    """Return Codex's patch that a call brings as its whole input, in a field of it or in a command; '' for none."""
    fields = arguments.values() if isinstance(arguments, dict) else [arguments]
    for value in fields:
        text = value[-1] if isinstance(value, list) and value else value
        if isinstance(text, str) and "*** Begin Patch" in text:
            return text
    return ""


def patched(text: str) -> str:
    """Return the first file that a patch of Codex names."""
    return next(patched_files(text), "")


def patched_files(text: str) -> Iterator[str]:
    """Yield the files that a patch of Codex changes, adds or takes away."""
    for line in text.splitlines():
        if line.startswith(("*** Update File: ", "*** Add File: ", "*** Delete File: ")):
            yield line.partition(": ")[2].strip()
