"""Litestream beside a memory, as the how-to has it: both are killed, and what comes back is whole.

`make test-litestream` fetches the program; without it this test is skipped.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.tokens import counting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "backups.md"
FILE, COPY = "/home/ada/.local/share/cogmem/memory.db", "/mnt/disk2/memory"
PATIENCE = 30  # seconds for a busy machine to copy what a second should do

# Keeps its file open and says what it stored, and when.
WRITER = """
import sys, time, cogmem
from cogmem.tokens import counting
with cogmem.open(sys.argv[1], counter=counting.Simple()) as mem:
    for number in range(100_000):
        mem.learn(f"Heron {number} waits at lake {number * 7}.", key=f"k{number}")
        print(number, time.time(), flush=True)
        time.sleep(0.02)
"""


def of_page(text: str, home: Path) -> str:
    """What the page says, with the paths of this test."""
    return text.replace(FILE, str(home / "memory.db")).replace(COPY, str(home / "copy"))


def words(begin: str, home: Path) -> list[str]:
    """The one command of the page that begins so."""
    [line] = [line for line in PAGE.read_text().splitlines() if line.startswith(begin)]
    return shlex.split(of_page(line, home))


def acknowledged(journal: Path) -> dict[str, float]:
    pairs = (line.split() for line in journal.read_text().splitlines(keepends=True) if "\n" in line)
    return {f"k{number}": float(at) for number, at in pairs}


@pytest.mark.slow
def test_what_litestream_copied_comes_back_when_both_are_killed(tmp_path: Path) -> None:
    if shutil.which("litestream") is None:
        pytest.skip("litestream is not here: make test-litestream")
    [config] = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "litestream.yml").write_text(of_page(config, tmp_path))
    path, journal = str(tmp_path / "memory.db"), tmp_path / "journal"
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", key="first", now=NOW)
    env = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    with open(tmp_path / "said", "wb") as said, open(journal, "wb") as acks:
        copier = subprocess.Popen(
            words("litestream replicate", tmp_path), cwd=tmp_path, env=env, stdout=said, stderr=said
        )
        writer = subprocess.Popen([sys.executable, "-c", WRITER, path], env=env, stdout=acks)
        try:
            until = time.monotonic() + PATIENCE
            while len(acknowledged(journal)) < 50 and time.monotonic() < until:
                time.sleep(0.05)
            begun = time.time()  # from now on Litestream has time for what was said before
            while time.monotonic() < until and not newer(tmp_path / "copy", begun + 1):
                time.sleep(0.05)
        finally:
            killed = time.time()
            for process in (copier, writer):
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
    subprocess.run(
        words("litestream restore", tmp_path),
        cwd=tmp_path,
        env=env,
        check=True,
        capture_output=True,
    )
    stored = acknowledged(journal)
    with cogmem.open(tmp_path / "restored.db", counter=counting.Simple()) as mem:
        assert mem.file.check() == []
        assert mem.get("first").content == "Herons wade."
        rows = mem.db.ask("select key from memory where key like 'k%' order by created_at, id")
        found = [key for (key,) in rows]
        assert found == [f"k{number}" for number in range(len(found))], "a beginning, without a gap"
        missing = [at for key, at in stored.items() if key not in found]
        print(f"{killed - min(missing, default=killed):.2f} s lost, {len(found)} restored")
        assert not [at for at in missing if at < begun]
        assert mem.stats().memories == len(found) + 1
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert mem.file.check() == []
        assert set(stored) <= {key for (key,) in mem.db.ask("select key from memory")}


def newer(folder: Path, instant: float) -> bool:
    """Whether anything came into a folder after an instant."""
    return any(file.stat().st_mtime > instant for file in folder.rglob("*.ltx"))
