"""The commands that a host runs: a hook for each event, and the server."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from cogmem.file.places import resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def command(event: str, host: str, path: str) -> list[str]:
    """The words of the command that a host runs: this very interpreter, no shim in between."""
    import apsw

    import cogmem

    package = os.path.dirname(os.path.abspath(cogmem.__file__))
    words = [sys.executable, "-X", "utf8", "-I", "-S", os.path.join(package, "hook.py"), event]
    words += ["--host", host, "--db", resolved(path)]
    packages = os.path.dirname(os.path.dirname(os.path.abspath(apsw.__file__)))
    return words if packages == os.path.dirname(package) else [*words, "--packages", packages]


def shell_line(words: list[str], on_windows: bool) -> str:
    """Words as one line of the shell that a host runs its hooks with.

    On Windows that is cmd.exe with some hosts and Git Bash with others, which takes a backslash for an
    escape. Slashes and double quotes mean the same to both.
    """
    if not on_windows:
        import shlex

        return shlex.join(words)
    slashed = [word.replace("\\", "/") for word in words]
    return " ".join(word if _is_plain(word) else f'"{word}"' for word in slashed)


def _is_plain(word: str) -> bool:
    return bool(word) and all(mark.isalnum() or mark in "-_./:=+@" for mark in word)


class Ask(NamedTuple):
    """What the files are made for."""

    path: str  # the database
    documents: bool
    is_there: bool  # False: take it out
    may_stay: bool = False  # a process may stay that answers hooks faster
    caller: str = ""  # the program in C that asks it

    def words(self, event: str, host: str) -> list[str]:
        """The command of a hook."""
        flags = [*(["--documents"] * self.documents), *(["--resident"] * self.may_stay)]
        front = [self.caller] if self.may_stay and self.caller else []
        return [*front, *command(event, host, self.path), *flags]

    def hook(self, event: str, host: str) -> str:
        """The same as one line of a shell."""
        return shell_line(self.words(event, host), on_windows=sys.platform == "win32")

    def server(self) -> list[str]:
        # -P: hosts start it in the project's folder, whose files must not pass for Python's modules.
        words = [sys.executable, "-P", "-X", "utf8", "-m", "cogmem"]
        return [*words, "--db", resolved(self.path), "mcp"]

    def entry(self) -> dict[str, Any] | None:
        """Our server as most hosts have it in their table of servers; None: it goes."""
        if not self.is_there:
            return None
        words = self.server()
        return {"command": words[0], "args": words[1:]}
