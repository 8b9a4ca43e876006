"""The program at the other end of a pipe, as ssh opens it."""

from __future__ import annotations

import stat
import sys
import time
from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.errors import DatabaseProblem

if TYPE_CHECKING:
    from pathlib import Path


NOW = time.time_ns() // 1_000_000 - 60_000  # hubs and other programs have clocks of their own


Opened = "Callable[[str], cogmem.Memory]"


def texts(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list(limit=0, everywhere=True, now=NOW + 86_400_000)}


STAND_IN = """#!{python}
import os, subprocess, sys
words = sys.argv[1:]
words = words[words.index("--") + 2:]
remote = words[0].replace("cogmem", "{python} -m cogmem", 1)
sys.exit(subprocess.run(remote, shell=True).returncode)
"""


def test_a_machine_behind_ssh_is_met_through_its_own_cogmem(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(STAND_IN.format(python=sys.executable))
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("COGMEM_SSH", str(ssh))
    laptop = opened("laptop")
    laptop.learn("Terns dive.", now=NOW)
    with cogmem.open(str(tmp_path / "server.db")) as server:
        server.learn("Herons wade.", now=NOW)
    done = laptop.sync.exchange(f"ssh://ada@server{tmp_path}/server.db", now=NOW + 1)
    assert (done.sent, done.received) == (1, 1)
    assert texts(laptop) == texts(opened("server")) == {"Terns dive.", "Herons wade."}
    assert laptop.sync.what(f"server:{tmp_path}/server.db", now=NOW + 2).leaving == []


def test_a_machine_that_does_not_answer_is_told(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGMEM_SSH", f"{sys.executable} -c pass")
    with pytest.raises(DatabaseProblem, match="did not answer"):
        opened("laptop").sync.exchange("server:memory.db", now=NOW)
