"""A file of a later version is refused politely at every door, and stays as it is."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import NOW
from processes import ran

import cogmem
from cogmem.errors import CogmemError, TooNew
from cogmem.file import making
from cogmem.tokens import counting

NEXT = making.SCHEMA_VERSION + 1


def filled(path: str, count: int = 1) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        lines = [json.dumps({"content": f"heron {n} wades"}) for n in range(count)]
        mem.file.import_(lines, as_is=True, now=NOW)


@pytest.fixture
def newer(path: str) -> str:
    """A file that a later cogmem has upgraded."""
    filled(path)
    db = sqlite3.connect(path)
    db.execute(f"pragma user_version = {NEXT}")
    db.close()
    return path


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_of_a_later_version_is_refused_and_stays_byte_for_byte(
    newer: str, driver: str, read_only: bool
) -> None:
    before = Path(newer).read_bytes()
    with pytest.raises(TooNew, match=rf"schema {NEXT}, this one knows {NEXT - 1}.*upgrade cogmem"):
        cogmem.open(newer, driver=driver, read_only=read_only)
    assert Path(newer).read_bytes() == before


def test_a_refused_file_keeps_what_its_own_version_still_has_in_the_log(newer: str) -> None:
    """Looking at it must not fold in or drop the log of a process that is at work."""
    script = (
        "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('pragma wal_autocheckpoint = 0')\n"
        "db.execute(\"update memory set content = 'in the log'\")\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "print(db.execute('select content from memory').fetchall())\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", script, newer],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    assert child.stdout.readline() == "ready\n"
    log = Path(newer + "-wal").read_bytes()
    assert log
    with pytest.raises(TooNew):
        cogmem.open(newer)
    assert Path(newer + "-wal").read_bytes() == log
    out, _ = child.communicate("go on\n", timeout=30)
    assert out == "[('in the log',)]\n"


def test_every_door_refuses_what_a_later_version_made(newer: str, tmp_path: Path) -> None:
    from cogmem.exchange.copies import restore_backup

    here = str(tmp_path / "here.db")
    filled(here)
    before = Path(here).read_bytes()
    with pytest.raises(TooNew):
        restore_backup(here, newer, now=NOW)
    with cogmem.open(here, counter=counting.Simple()) as mem:
        export = [json.dumps({"cogmem": 1, "schema": NEXT, "scope": "everything"}) + "\n"]
        with pytest.raises(CogmemError, match="upgrade cogmem"):
            mem.file.import_(export, now=NOW)
    assert Path(here).read_bytes() == before
    done = ran([sys.executable, "-m", "cogmem", "--db", newer, "list"])
    assert done.returncode not in (0, 2)
    assert "upgrade cogmem" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_hook_stays_silent_over_a_file_of_a_later_version(newer: str) -> None:
    before = Path(newer).read_bytes()
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "herons?"}
    done = ran(
        [sys.executable, "-m", "cogmem", "hook", "prompt", "--host", "claude-code"],
        env={**os.environ, "COGMEM_DB": newer},
        input=json.dumps(event),
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert Path(newer).read_bytes() == before
