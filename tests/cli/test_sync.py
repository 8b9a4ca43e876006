"""The commands for one memory on several machines."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from processes import ran

if TYPE_CHECKING:
    from pathlib import Path


def test_the_command_tells_what_moved(tmp_path: Path, program: Path) -> None:
    def run(*words: str) -> str:
        done = ran(
            [program, "--db", str(tmp_path / "a.db"), *words],
            env={**os.environ, "HOME": str(tmp_path)},
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


def test_what_waits_after_files_met_is_told_with_the_way_to_see_it(
    tmp_path: Path, program: Path
) -> None:
    def run(name: str, *words: str) -> str:
        done = ran(
            [program, "--db", str(tmp_path / name), *words],
            env={**os.environ, "HOME": str(tmp_path)},
            check=True,
        )
        return done.stdout

    run("a.db", "learn", "The server is called heron.", "--key", "server")
    run("a.db", "sync", str(tmp_path / "b.db"))
    run("b.db", "learn", "The server is called stork.", "--key", "server")
    run("a.db", "learn", "The server stands in Bonn.", "--key", "server")
    told = run("a.db", "sync", str(tmp_path / "b.db"))
    (line,) = [one for one in told.splitlines() if "to look at" in one]
    assert line == '1 text written over unseen to look at: `cogmem sql "select * from overwritten"`'
    assert "stork" in run("a.db", "sql", "select * from overwritten")
