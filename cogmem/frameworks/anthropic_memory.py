"""Anthropic's memory tool (memory_20250818): a folder of text files that lives in the memory file.

    from cogmem.frameworks.anthropic_memory import MemoryTool
    tool = MemoryTool(mem)
    answer = tool.call({"command": "view", "path": "/memories"})

Each file is one memory of kind `note` whose key is its path: what Claude writes is found by recall and can
be undone. Paths are names below /memories; nothing of the real file system is ever touched. With the
package `anthropic`, `client_tool(mem)` and `async_client_tool(mem)` give what its tool runner expects.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from json import dumps, loads
from typing import Any

from cogmem.errors import CogmemError, InvalidInput, UnknownMemory
from cogmem.memory import Memory
from cogmem.records import Remembered

ROOT = "/memories"
KIND = "note"
EMPTY = "(empty)"  # a memory says something; a file may be empty
LONGEST = 500_000  # characters of one file
MOST_LINES = 999_999  # what the tool's line numbers have room for


class MemoryTool:
    """The six commands of the tool, answered with the sentences that the model was taught."""

    def __init__(self, mem: Memory) -> None:
        self.mem = mem
        self.commands: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "view": self._view, "create": self._create, "str_replace": self._replace,
            "insert": self._insert, "delete": self._delete, "rename": self._rename,
        }  # fmt: skip

    def call(self, command: Mapping[str, Any]) -> str:
        """Answer one call of the model. Never raises: a fault is a sentence that begins with Error."""
        try:
            run = self.commands.get(str(command.get("command")))
            if run is None:
                raise InvalidInput(f"unknown command: use one of {', '.join(self.commands)}")
            return run(command)
        except (CogmemError, KeyError, TypeError, ValueError) as error:
            said = f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
            return f"Error: {said}"

    def clear(self) -> str:
        """Delete all files."""
        for key, _ in self._files():
            self.mem.remove(key, reason="cleared by the host")
        return "All memory cleared"

    # -- commands --------------------------------------------------------------------------------

    def _view(self, command: Mapping[str, Any]) -> str:
        path = self.path(command["path"])
        row = self._file(path)
        if row is None:
            return self._folder(path)
        lines = self._text(row).split("\n")
        first, last = 1, len(lines)
        if command.get("view_range"):
            first, last = (int(number) for number in command["view_range"])
            last = len(lines) if last == -1 else last
            if not 1 <= first <= len(lines) or last < first:
                raise InvalidInput(
                    f"Invalid `view_range` parameter: {[first, last]}. It should lie within the "
                    f"lines of the file: [1, {len(lines)}]"
                )
        return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first, last)}"

    def _folder(self, path: str) -> str:
        below = [(key, row) for key, row in self._files() if key.startswith(f"{path}/")]
        if not below and path != ROOT:
            raise UnknownMemory(f"The path {path} does not exist. Please provide a valid path.")
        sizes = Counter({path: 0})
        depth = path.count("/")
        for key, row in below:
            size = len(self._text(row).encode("utf-8", "replace"))
            parts = key.split("/")
            for length in range(depth + 1, min(len(parts), depth + 3) + 1):
                sizes["/".join(parts[:length])] += size
        listed = "\n".join(f"{_human(size)}\t{name}" for name, size in sorted(sizes.items()))
        return (
            f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden "
            f"items and node_modules:\n{listed}"
        )

    def _create(self, command: Mapping[str, Any]) -> str:
        path, text = self.path(command["path"]), _string(command["file_text"])
        self._must_be_file(path)
        if self._file(path) is not None:
            raise InvalidInput(f"File {path} already exists")
        self._store(path, text)
        return f"File created successfully at: {path}"

    def _replace(self, command: Mapping[str, Any]) -> str:
        path, row = self._existing(command["path"])
        text = self._text(row)
        old, new = _string(command["old_str"]), _string(command.get("new_str") or "")
        count = text.count(old) if old else 0
        if count == 0:
            raise InvalidInput(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            )
        if count > 1:
            lines = [n for n, line in enumerate(text.split("\n"), 1) if old in line]
            raise InvalidInput(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{', '.join(map(str, lines))}. Please ensure it is unique"
            )
        changed = text.replace(old, new)
        self._store(path, changed)
        around = changed.split("\n")
        middle = text.count("\n", 0, text.index(old)) + 1
        first, last = max(1, middle - 2), min(len(around), middle + new.count("\n") + 2)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line "
            f"numbers):\n{_numbered(around, first, last)}"
        )

    def _insert(self, command: Mapping[str, Any]) -> str:
        path, row = self._existing(command["path"])
        lines = self._text(row).removesuffix("\n").split("\n") if self._text(row) else []
        at = int(command["insert_line"])
        if not 0 <= at <= len(lines):
            raise InvalidInput(
                f"Invalid `insert_line` parameter: {at}. It should be within the range of lines of "
                f"the file: [0, {len(lines)}]"
            )
        text = _string(command.get("insert_text", command.get("new_str", "")))
        lines[at:at] = text.removesuffix("\n").split("\n")
        self._store(path, "\n".join([*lines, ""]))
        return f"The file {path} has been edited."

    def _delete(self, command: Mapping[str, Any]) -> str:
        path = self.path(command["path"])
        if path == ROOT:
            raise InvalidInput(f"Cannot delete the {ROOT} directory itself")
        doomed = [key for key, _ in self._files() if f"{key}/".startswith(f"{path}/")]
        if not doomed:
            raise UnknownMemory(f"The path {path} does not exist")
        for key in doomed:
            self.mem.remove(key, reason="deleted by the agent")
        return f"Successfully deleted {path}"

    def _rename(self, command: Mapping[str, Any]) -> str:
        old, new = self.path(command["old_path"]), self.path(command["new_path"])
        if ROOT in (old, new):
            raise InvalidInput(f"Cannot rename the {ROOT} directory itself")
        self._must_be_file(new)
        held = [key for key, _ in self._files()]
        moved = [key for key in held if f"{key}/".startswith(f"{old}/")]
        if not moved:
            raise UnknownMemory(f"The path {old} does not exist")
        if any(f"{key}/".startswith(f"{new}/") for key in held):
            raise InvalidInput(f"The destination {new} already exists")
        if new.startswith(f"{old}/"):
            raise InvalidInput(f"{old} cannot be moved into itself")
        for key in moved:
            self.mem.update(key, key=new + key[len(old) :])
        return f"Successfully renamed {old} to {new}"

    # -- files -----------------------------------------------------------------------------------

    def path(self, given: Any) -> str:
        """Return a path as a plain name below the root; whatever would lead elsewhere is refused."""
        text = _string(given).replace("\\", "/").rstrip("/")
        parts = text.split("/")
        is_below = f"{text}/".startswith(f"{ROOT}/")
        if is_below and ".." in parts:
            raise InvalidInput(f"Path {text} would escape {ROOT} directory")
        # No decoding, no resolving: a name with dots, percent signs or signs one cannot see is refused.
        if (
            not is_below
            or any(part in ("", ".", "..") for part in parts[1:])
            or any(sign in text.lower() for sign in ("%2e", "%2f", "%5c"))
            or not text.isprintable()
            or len(text) > 500
        ):
            raise InvalidInput(f"Path must start with {ROOT} and lead nowhere else")
        return text

    def _files(self) -> list[tuple[str, Remembered]]:
        rows = self.mem.list(kind=KIND, state="active", limit=0)
        return sorted((row.key, row) for row in rows if row.key.startswith(f"{ROOT}/"))

    def _file(self, path: str) -> Remembered | None:
        if path == ROOT:
            return None
        try:
            row = self.mem.get(path)
        except UnknownMemory:
            return None
        return row if row.state == "active" else None

    def _existing(self, given: Any) -> tuple[str, Remembered]:
        path = self.path(given)
        row = self._file(path)
        if row is None:
            raise UnknownMemory(f"The path {path} does not exist. Please provide a valid path.")
        return path, row

    def _must_be_file(self, path: str) -> None:
        """Demand a file: it has no files below it, and lies in folders only."""
        if path == ROOT:
            raise InvalidInput(f"{path} is a directory")
        for key, _ in self._files():
            if key.startswith(f"{path}/"):
                raise InvalidInput(f"{path} is a directory")
            if path.startswith(f"{key}/"):
                raise InvalidInput(f"{key} is a file, not a directory")

    def _store(self, path: str, text: str) -> None:
        if len(text) > LONGEST or text.count("\n") >= MOST_LINES:
            raise InvalidInput(f"the file would be longer than {LONGEST} characters: split it")
        is_empty = not text.strip()
        # White space at the ends is not part of a memory, but it is of a file: kept quoted.
        lead = text[: len(text) - len(text.lstrip())]
        tail = "" if is_empty else text[len(text.rstrip()) :]
        data = {"lead": dumps(lead), "tail": dumps(tail), "is_empty": is_empty}
        self.mem.learn(
            EMPTY if is_empty else text,
            KIND,
            key=path,
            source="inferred",
            state="active",
            data=data,
            tags=["memory-tool"],
        )

    def _text(self, row: Remembered) -> str:
        lead, tail = (str(loads(row.data.get(end) or '""')) for end in ("lead", "tail"))
        return lead if row.data.get("is_empty") else f"{lead}{row.content}{tail}"


def client_tool(mem: Memory) -> Any:
    """Return the tool as the runner of an `Anthropic` client takes it (package `anthropic`)."""
    return _for_runner(MemoryTool(mem), "BetaAbstractMemoryTool", operator.call)


def async_client_tool(mem: Memory) -> Any:
    """Return the same for an `AsyncAnthropic` client; the work is done in a thread."""
    from asyncio import to_thread

    return _for_runner(MemoryTool(mem), "BetaAsyncAbstractMemoryTool", to_thread)


def _for_runner(tool: MemoryTool, base: str, run: Callable[..., Any]) -> Any:
    # The package is the caller's: who has no tool runner needs none of it.
    from anthropic.lib import tools  # type: ignore[import-not-found,unused-ignore]

    def told(command: Any) -> str:
        said = tool.call(command.model_dump())
        if said.startswith("Error: "):  # raised as the runner expects it, and marked as one
            raise tools.ToolError(said)
        return said

    methods: dict[str, Any] = dict.fromkeys(tool.commands, lambda _, command: run(told, command))
    methods["clear_all_memory"] = lambda _: run(tool.clear)
    return type("CogmemMemoryTool", (getattr(tools, base),), methods)()


def _numbered(lines: list[str], first: int, last: int) -> str:
    shown = enumerate(lines[first - 1 : last], first)
    return "\n".join(f"{number:6d}\t{line}" for number, line in shown)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"expected text, not {type(value).__name__}")
    return value


def _human(size: float) -> str:
    """Return a size as `du -h` shows it."""
    for unit in ("", "K", "M"):
        if size < 1024:
            return f"{size:.1f}{unit}".replace(".0", "") if unit else str(int(size))
        size /= 1024
    return f"{size:.1f}G"
