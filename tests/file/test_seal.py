"""The chain over the history, and what is noted of it outside the file.

Modules: last_seen, private.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import DatabaseProblem
from cogmem.exchange.copies import accept, restore_backup
from cogmem.file import last_seen
from cogmem.tokens import counting
from cogmem.tools.toolset import toolset


def kept(path: str, *texts: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for text in texts:
            mem.learn(text, now=NOW)


def told(path: str) -> list[str]:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        return mem.file.check()


def warned(path: str) -> list[str]:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        return mem.file.warnings()


def test_every_close_of_a_writer_adds_one_link_and_a_reader_none(path: str) -> None:
    for number in range(3):
        kept(path, f"Heron {number} waits.")
        kept(path)
    with cogmem.open(path) as mem:
        assert mem.db.ask("select count(*) from seal") == [(3,)]
        mem.activate("Where does the heron wait?", session="s", now=NOW)
    known = last_seen.seen(path)
    assert known is not None
    assert known.seal == 3


def test_a_change_that_was_edited_breaks_the_chain(path: str) -> None:
    kept(path, "Herons wade.", "Storks stalk.")
    with cogmem.open(
        path
    ) as mem:  # as another client does it, past the verbs that the guards let pass
        [(guard,)] = mem.db.ask("select sql from sqlite_schema where name = 'change_bu'")
        mem.db.ask("drop trigger change_bu")
        mem.db.ask("update change set reason = 'for fun' where id = 1")
        mem.db.ask(guard)
    assert any("the history is not what was sealed: changes 1 to" in line for line in told(path))


def test_a_seal_that_the_disk_tore_hinders_nobody_who_closes_and_is_told(path: str) -> None:
    kept(path, "Herons wade.")
    rule = "update sqlite_schema set sql = ? where name = 'seal'"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        [(ddl,)] = db.execute("select sql from sqlite_schema where name = 'seal'").fetchall()
        db.execute("pragma writable_schema = on")
        db.execute(rule, (ddl.replace("not null", ""),))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update seal set changes = null")
        db.execute("pragma writable_schema = on")
        db.execute(rule, (ddl,))
    kept(path, "Storks stalk.")
    with cogmem.open(path) as mem:
        assert {row.content for row in mem.list(now=NOW)} == {"Herons wade.", "Storks stalk."}
    assert any("SQLite finds the file damaged" in line for line in told(path))


def test_an_older_state_in_its_place_is_told(path: str) -> None:
    kept(path, "Herons wade.")
    shutil.copyfile(path, f"{path}.older")
    kept(path, "Storks stalk.")
    os.replace(f"{path}.older", path)
    assert any("this is an older state" in line for line in told(path))
    with cogmem.open(path) as mem:
        assert any("older state" in line for line in mem.file.warnings())
    accept(path)
    assert told(path) == []


def test_another_memory_in_its_place_is_told(path: str, tmp_path: Path) -> None:
    kept(path, "Herons wade.", "Storks stalk.")
    other = str(tmp_path / "other.db")
    for number in range(4):
        kept(other, f"Ibis {number} eats.")
    os.replace(other, path)
    assert any("history was written anew" in line for line in told(path))


def test_bringing_back_a_backup_is_meant_so(path: str) -> None:
    kept(path, "Herons wade.")
    with cogmem.open(path) as mem:
        made = mem.file.backup(now=NOW)
    kept(path, "Storks stalk.")
    restore_backup(path, made, now=NOW)
    assert told(path) == []


def test_who_is_killed_between_a_forgetting_and_its_note_is_no_stranger(path: str) -> None:
    kept(path, "Herons wade.", "Storks stalk.")
    killed = (
        "import os, sys, cogmem\nfrom cogmem.file import seal\nseal.note_anew = lambda db: os._exit(9)\n"
        "mem = cogmem.open(sys.argv[1])\n[one, *_] = mem.list()\nmem.forget(one.uid)"
    )
    assert subprocess.run([sys.executable, "-c", killed, path], check=False).returncode == 9
    kept(path, "Ibis eats.")  # seals behind it, more than once
    kept(path, "Terns fish.")
    assert told(path) == warned(path) == []
    shutil.copyfile(path, f"{path}.older")
    kept(path, "Grebes dive.")
    os.replace(f"{path}.older", path)
    assert any("this is an older state" in line for line in told(path)), "it is still looked at"


def test_a_note_that_cannot_be_written_hinders_nobody(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    kept(path, "Herons wade.")
    assert told(path) == []


def test_another_memory_in_its_place_stays_told_however_often_it_is_written_to(
    path: str, tmp_path: Path
) -> None:
    kept(path, "Herons wade.")
    other = str(tmp_path / "other.db")
    kept(other, "Ibises eat.")
    os.replace(other, path)
    for number in range(3):
        kept(path, f"Stork {number} stalks.")
    assert any("history was written anew" in line for line in told(path))


def test_two_copies_that_both_went_on_are_told_until_a_person_keeps_both(
    path: str, tmp_path: Path
) -> None:
    kept(path, "Herons wade.")
    other = str(tmp_path / "elsewhere" / "memory.db")
    os.mkdir(os.path.dirname(other))
    shutil.copyfile(path, other)
    assert warned(path) == warned(other) == []
    kept(path, "Storks stalk.")
    assert warned(path) == []  # the copy only lags behind
    assert [line for line in warned(other) if line.startswith(f"{path} is a copy")]
    kept(other, "Ibises eat.")
    assert [line for line in warned(path) if line.startswith(f"{other} is a copy")]
    accept(path)
    assert warned(path) == []
    kept(path, "Terns dive.")
    assert warned(path) == []


def test_a_file_that_is_replaced_while_it_is_open_takes_no_more_writes(
    path: str, driver: str
) -> None:
    kept(path, "Herons wade.")
    mem = cogmem.open(path, driver=driver, counter=counting.Simple())
    shutil.copyfile(path, f"{path}.new")
    os.replace(f"{path}.new", path)
    with pytest.raises(DatabaseProblem, match="moved or replaced"):
        mem.learn("Storks stalk.", now=NOW)
    with pytest.raises(DatabaseProblem, match="moved or replaced"), mem.db.together():
        pass
    assert any("moved or replaced" in line for line in mem.file.warnings())
    mem.close()
    assert told(path) == []


def test_tools_count_and_warn_at_once(path: str) -> None:
    kept(path, "Herons wade.")
    shutil.copyfile(path, f"{path}.set-aside-20260101T000000Z")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        tools = {tool.name: tool for tool in toolset("default", mem)}
        answer = tools["stats"].call({})
    assert "was set aside" in answer["warnings"][0]
    assert "was set aside" in answer["message"]
