"""The commands for one memory on several machines."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


def test_the_command_tells_what_moved(tmp_path: Path, program: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [program, "--db", str(tmp_path / "a.db"), *words],
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run("learn", "Terns dive.")
    other = str(tmp_path / "b.db")
    assert "Terns dive." in run("sync", other, "--what")
    assert run("sync", other) == "sent 1 act, received 0 acts\n"
    assert run("sync", other) == "nothing new\n"
    assert json.loads(run("--json", "sync", other))["sent"] == 0
    assert other in run("sync", "--peers")
