"""Upgrades that are disturbed: killed half way, raced, met by an older program, refused politely."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import CogmemError, TooNew
from cogmem.file import migrate, sql
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(cogmem.__file__).resolve().parents[2]
NEXT = migrate.SCHEMA_VERSION + 1

# A later cogmem: one migration that touches every memory, so that it takes a while.
LATER = """
import sys
from cogmem.file import migrate, sql
from cogmem.tokens import counting
read = sql.script
step = [("%04d_mood" % (migrate.SCHEMA_VERSION + 1),
         "alter table memory add column mood text not null default '';\\n"
         "update memory set mood = 'calm';\\nupdate memory set mood = 'glad' where id % 2;\\n")]
migrate.SCHEMA_VERSION += 1
sql.script = lambda folder: step if folder == "migrations" else read(folder)
import cogmem
"""
UPGRADE = LATER + (
    "print('ready', flush=True)\n"
    "with cogmem.open(sys.argv[1], counter=counting.Simple()) as mem:\n"
    "    print(mem.notices, mem.db.ask('pragma user_version'))\n"
)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Become the later cogmem in this process."""
    read = sql.script
    step = [
        (f"{NEXT:04d}_mood", "alter table memory add column mood text not null default 'calm';\n")
    ]

    def become() -> None:
        monkeypatch.setattr(migrate, "SCHEMA_VERSION", NEXT)
        monkeypatch.setattr(
            sql, "script", lambda folder: step if folder == "migrations" else read(folder)
        )

    return become


def filled(path: str, count: int = 1) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        lines = [json.dumps({"content": f"heron {n} wades"}) for n in range(count)]
        mem.file.import_(lines, as_is=True, now=NOW)


def version(path: str) -> int:
    with open(path, "rb") as file:
        return int.from_bytes(file.read(64)[60:], "big")


@pytest.mark.slow
def test_an_upgrade_killed_at_any_point_is_done_whole_by_the_next(tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    filled(str(made), 1_500)
    draw, killed = random.Random(7), 0
    longest = 0.6
    for number in range(7):
        path = str(tmp_path / f"memory{number}.db")
        Path(path).write_bytes(made.read_bytes())
        child = subprocess.Popen(
            [sys.executable, "-c", UPGRADE, path], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout
        child.stdout.readline()
        began = time.perf_counter()
        if number:
            time.sleep(draw.random() * longest)
            child.kill()
        child.wait()
        child.stdout.close()
        if not number:
            longest = time.perf_counter() - began
            continue
        killed += child.returncode != 0
        done = subprocess.run(
            [sys.executable, "-c", UPGRADE + "    print(mem.file.check())\n", path],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        # The later schema differs from this one's, which is all that check may find.
        assert f"[({NEXT},)]" in done.stdout
        assert "damaged" not in done.stdout
        db = sqlite3.connect(path)
        assert db.execute("select mood, count(*) from memory group by mood").fetchall() == [
            ("calm", 750),
            ("glad", 750),
        ]
        assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
        db.close()
    assert killed


def test_of_two_that_upgrade_at_once_neither_loses_the_copy_of_the_older_file(
    path: str, later: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path)
    later()
    copy_to = migrate.copy_to

    def overtaken(db: Any, target: str) -> None:
        """Just before this one makes its copy, another process upgrades the file."""
        monkeypatch.setattr(migrate, "copy_to", copy_to)
        cogmem.open(path, counter=counting.Simple()).close()
        copy_to(db, target)

    monkeypatch.setattr(migrate, "copy_to", overtaken)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert [row.content for row in mem.list(now=NOW)] == ["heron 0 wades"]
        assert mem.db.ask("pragma user_version") == [(NEXT,)]
    beside = sorted(os.listdir(os.path.dirname(path)))
    assert beside == ["memory.db", f"memory.db.before-schema-{NEXT}"]
    assert version(f"{path}.before-schema-{NEXT}") == NEXT - 1


def test_a_process_of_the_older_version_goes_on_beside_the_upgraded_file(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as older:
        older.learn("Herons wade.", now=NOW)
        done = subprocess.run(
            [sys.executable, "-c", UPGRADE, path],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert f"[({NEXT},)]" in done.stdout, done.stderr
        with suppress(CogmemError):  # it may be refused, and must then have changed nothing
            older.learn("Storks stalk.", now=NOW)
        contents = [row.content for row in older.list(now=NOW)]
        assert contents in (["Herons wade."], ["Storks stalk.", "Herons wade."])
        assert older.db.ask("pragma integrity_check") == [("ok",)]
    with pytest.raises(TooNew):
        cogmem.open(path)


# -- downgrade ---------------------------------------------------------------------------------------


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
    done = subprocess.run(
        [sys.executable, "-m", "cogmem", "--db", newer, "list"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode not in (0, 2)
    assert "upgrade cogmem" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_hook_stays_silent_over_a_file_of_a_later_version(newer: str) -> None:
    before = Path(newer).read_bytes()
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "herons?"}
    done = subprocess.run(
        [sys.executable, "-m", "cogmem", "hook", "prompt", "--host", "claude-code"],
        cwd=ROOT,
        env={**os.environ, "COGMEM_DB": newer},
        input=json.dumps(event),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert Path(newer).read_bytes() == before


def test_an_upgrade_that_failed_before_leaves_nothing_in_the_next_one_s_way(
    path: str, later: Callable[[], None]
) -> None:
    filled(path)
    for rest in (f"before-schema-{NEXT}", f"before-schema-{NEXT}.partial-1"):
        Path(f"{path}.{rest}").write_bytes(b"half a copy")
    later()
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert "upgraded" in mem.notices[0]
    assert version(f"{path}.before-schema-{NEXT}") == NEXT - 1
