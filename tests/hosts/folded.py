"""A hook as a host runs it, in a process of its own, and what is written down after its answer."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from processes import ran

import cogmem
from cogmem.hosts.command import command
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


LATE = "it took more than"  # what the log says of a hook that gave up


def answered(words: Sequence[str], fields: Any, folder: Path, environment: dict[str, str]) -> str:
    """What a hook says to an event, after exit 0 with nothing on stderr."""
    raw = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    done = ran(words, input=raw, text=False, cwd=folder, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode("ascii")  # type: ignore[attr-defined]


def hooked(home: Path, event: str, fields: Any, host: str = "claude-code", **more: str) -> str:
    """The answer to one event about the memory of a folder; a busy machine, where time ran out, is asked again."""
    bare = {name: os.environ[name] for name in ("PATH", "XDG_RUNTIME_DIR")}
    words = command(event, host, str(home / "memory.db"))
    log = home / "hook.log"
    for _ in range(5):
        said = answered(words, fields, home, {**bare, "LC_ALL": "C", "HOME": str(home), **more})
        if said or not log.exists() or LATE not in log.read_text():
            break
        log.unlink()
    return said


def opened(home: Path) -> cogmem.Memory:
    return cogmem.open(home / "memory.db", counter=counting.Simple())


def no_fault(home: Path) -> None:
    """Demand that the log of hooks was not begun."""
    assert not (home / "hook.log").exists(), (home / "hook.log").read_text()


def until_folded(home: Path) -> None:
    """Wait until no event waits beside a memory of this folder."""
    for _ in range(1_200):
        if not [name for name in os.listdir(home) if ".spool" in name]:
            return
        time.sleep(0.05)
    raise AssertionError("what waited was not written down")
