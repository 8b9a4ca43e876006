"""A small repository for tests: real git, its own identity, instants that the test names."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

AT = 1_780_000_000  # s, UTC


class Checkout:
    """A working tree that tests commit to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.hours = 0
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str, at: int | None = None) -> str:
        """Run git here, as Mara."""
        when = f"{AT if at is None else at} +0000"
        environment = {
            **os.environ,
            "HOME": str(self.root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_DATE": when,
        }
        identity = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
        done = subprocess.run(
            ["git", *identity, *words],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        """Put a file into the tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, message: str, *words: str, **files: str) -> str:
        """Write files (`a__b_py` is a/b.py) and commit all; an hour later each. Returns the commit's name."""
        self.hours += 1
        for name, text in (files or {"notes_txt": str(self.hours)}).items():
            self.write(name.replace("__", "/").replace("_", "."), text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", message, *words, at=AT + 3_600 * self.hours)
        return self.git("rev-parse", "HEAD")
