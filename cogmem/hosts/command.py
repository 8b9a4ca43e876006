"""The commands that a host runs: a hook for each event, and the server."""

from __future__ import annotations

import os
import shlex
import sys
from typing import NamedTuple

from cogmem.file.places import resolved


def command(event: str, host: str, path: str) -> list[str]:
    """Return the words of the command that a host runs: this very interpreter, no shim in between."""
    import apsw

    import cogmem

    package = os.path.dirname(os.path.abspath(cogmem.__file__))
    words = [sys.executable, "-X", "utf8", "-I", "-S", os.path.join(package, "hook.py"), event]
    words += ["--host", host, "--db", resolved(path)]
    packages = os.path.dirname(os.path.dirname(os.path.abspath(apsw.__file__)))
    return words if packages == os.path.dirname(package) else [*words, "--packages", packages]


def shell_line(words: list[str], shell: str = "sh") -> str:
    """Words as one line of the shell that a host runs its hooks with. Whatever becomes of them, the line ends with 0
    and says nothing of it: to many hosts any other number means that the prompt, or the tool, is refused.

    `cmd` is for hosts that take cmd.exe on Windows and Git Bash where they find it. A backslash is an escape to that
    one; slashes and double quotes mean the same to both. PowerShell takes a quoted word at the head for a value, and
    knows `||` only since its seventh version.
    """
    if shell == "sh":
        return f"{shlex.join(words)}{QUIET}"
    slashed = [word.replace("\\", "/") for word in words]
    if shell == "cmd":
        said = " ".join(word if _is_plain(word) else f'"{word}"' for word in slashed)
        return f"{said} || exit 0"
    doubled = ((word, word.replace("'", "''")) for word in slashed)
    said = " ".join(word if _is_plain(word) else f"'{twice}'" for word, twice in doubled)
    return f"& {said} 2>$null; exit 0"


QUIET = " 2>/dev/null || exit 0"


def words_of(line: str) -> list[str]:
    """Return the words of such a line."""
    if line.startswith("& "):
        line = line.removeprefix("& ").removesuffix(" 2>$null; exit 0")
    return shlex.split(line.removesuffix(QUIET).removesuffix(" || exit 0"))


def _is_plain(word: str) -> bool:
    return bool(word) and all(mark.isalnum() or mark in "-_./:=+" for mark in word)


class Ask(NamedTuple):
    """What the files are made for."""

    path: str  # the database
    documents: bool
    is_there: bool  # False: take it out
    may_stay: bool = False  # a process may stay that answers hooks faster
    caller: str = ""  # the program in C that asks it

    def words(self, event: str, host: str, seconds: int = 10) -> list[str]:
        """Return the command of a hook, which its host gives so many seconds."""
        flags = [*(["--documents"] * self.documents), *(["--resident"] * self.may_stay)]
        front = [self.caller, str(seconds - 1)] if self.may_stay and self.caller else []
        return [*front, *command(event, host, self.path), *flags]

    def server(self) -> list[str]:
        # -P: hosts start it in the project's folder, whose files must not pass for Python's modules.
        words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem"]
        return [*words, "--db", resolved(self.path), "mcp"]
