"""The chain over the history, and what is noted of it outside the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.exchange.copies import accept, restore_backup
from cogmem.file import mark
from cogmem.tokens import counting


def kept(path: str, *texts: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for text in texts:
            mem.learn(text, now=NOW)


def told(path: str) -> list[str]:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        return mem.file.check()


def test_every_close_of_a_writer_adds_one_link_and_a_reader_none(path: str) -> None:
    for number in range(3):
        kept(path, f"Heron {number} waits.")
        kept(path)
    with cogmem.open(path) as mem:
        assert mem.db.ask("select count(*) from seal") == [(3,)]
        mem.activate("Where does the heron wait?", session="s", now=NOW)
    known = mark.seen(path)
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


def test_a_note_that_cannot_be_written_hinders_nobody(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    kept(path, "Herons wade.")
    assert told(path) == []
