"""Copies of the file: verified, and cut to what one scope sees."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from lived import fresh, live_a_little

import cogmem
from cogmem import errors
from cogmem.exchange import copies
from cogmem.file.backups import kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., cogmem.Memory]


def mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_a_backup_is_whole_private_and_never_overwrites(path: str, driver: str) -> None:
    with fresh(driver, path) as mem:
        mem.learn("Precious.", now=NOW)
        made = mem.file.backup(now=NOW)
        assert made == f"{path}.backup-20270115T080000Z"
        assert mode(made) == 0o600
        with pytest.raises(errors.InvalidInput, match="exists: name a new file"):
            mem.file.backup(made)
        with pytest.raises(errors.InvalidInput, match="is not a folder"):
            mem.file.backup(os.path.join(os.path.dirname(path), "no", "where.db"))
    with fresh(driver, made) as copy:
        assert [row.content for row in copy.list()] == ["Precious."]
        assert copy.file.check() == []
    assert not [name for name in os.listdir(os.path.dirname(path)) if "partial" in name]


def test_the_latest_backup_comes_back_and_the_replaced_file_is_kept(path: str, driver: str) -> None:
    with fresh(driver, path) as mem:
        mem.learn("First.", now=NOW)
        mem.file.backup(now=NOW)
        mem.learn("Second.", now=NOW)
        mem.file.backup(now=NOW + 5_000)
        mem.learn("Third.", now=NOW)
        done = mem.file.restore(now=NOW + 9_000)
        assert sorted(row.content for row in mem.list()) == ["First.", "Second."]
        assert mem.file.check() == []
        assert mem.db.ask("pragma journal_mode") == [("wal",)]
    assert done.kept_as == f"{path}.replaced-20270115T080009Z"
    with fresh(driver, done.kept_as) as kept:
        assert sorted(row.content for row in kept.list()) == ["First.", "Second.", "Third."]
    assert mode(path) == 0o600


def test_backups_made_by_hand_and_at_night_are_listed_the_latest_first(path: str) -> None:
    os.mkdir(f"{path}.backups")
    names = [
        f"{path}.backup-20270101T000000Z",
        f"{path}.backups/20270103T000000Z.db",
        f"{path}.backup-20270102T000000Z",
    ]
    for name in [*names, f"{path}.backup-partial"]:
        open(name, "w").close()
    assert kept(path) == [names[1], names[2], names[0]]


def test_a_file_in_use_is_not_replaced(path: str) -> None:
    with fresh(path=path) as mem:
        mem.learn("Precious.", now=NOW)
        backup = mem.file.backup(now=NOW)
        with pytest.raises(errors.Locked, match="end it first"):
            copies.restore_backup(path, backup, now=NOW)
        assert [row.content for row in mem.list()] == ["Precious."]
    assert copies.restore_backup(path, backup, now=NOW).kept_as


def test_a_damaged_file_is_replaced_and_kept(path: str) -> None:
    with fresh(path=path) as mem:
        mem.learn("Precious.", now=NOW)
        backup = mem.file.backup(now=NOW)
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40960)
    done = copies.restore_backup(path, now=NOW)
    assert done.source == backup
    assert done.kept_as
    with fresh(path=path) as mem:
        assert [row.content for row in mem.list()] == ["Precious."]
        assert mem.file.check() == []


def test_only_a_sound_memory_is_taken_for_a_backup(path: str, tmp_path: Path) -> None:
    with fresh(path=path) as mem:
        mem.learn("Precious.", now=NOW)
        backup = mem.file.backup(now=NOW)
        damaged = mem.file.backup(tmp_path / "damaged.db")
    other = tmp_path / "other.db"
    other.write_bytes(b"nothing of ours")
    with open(damaged, "r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 8192)
    for source, error in (
        (str(other), errors.ForeignFile),
        (damaged, errors.Damaged),
        (str(tmp_path), errors.InvalidInput),
        (path, errors.InvalidInput),
    ):
        with pytest.raises(error):
            copies.restore_backup(path, source, now=NOW)
    with pytest.raises(errors.ForeignFile, match="move it away"):
        copies.restore_backup(str(other), backup, now=NOW)
    assert other.read_bytes() == b"nothing of ours"
    with pytest.raises(errors.InvalidInput, match="no backup beside"):
        copies.restore_backup(str(tmp_path / "none.db"), now=NOW)
    with fresh(path=path) as mem:
        assert [row.content for row in mem.list()] == ["Precious."]


def test_a_memory_without_a_file_loses_nothing_to_a_restore() -> None:
    with fresh() as mem:
        mem.learn("Precious.", now=NOW)
        with pytest.raises(errors.InvalidInput, match="without a file"):
            mem.file.restore()
        assert [row.content for row in mem.list()] == ["Precious."]


def test_a_copy_for_one_scope_holds_no_trace_of_the_rest(
    path: str, driver: str, tmp_path: Path
) -> None:
    with fresh(driver, path) as mem:
        live_a_little(mem)
        mem.learn("Bob hides the zanzibar.", user="bob", key="bird", now=NOW + 20)
        mem.learn("Bob hides the quetzal.", user="bob", key="bird", now=NOW + 21)
        mem.conversation("secret", user="bob").append("user", "The xylophone is mine.", at=NOW)
        mem.activate("zanzibar quetzal", session="b", user="bob", now=NOW + 22)
        mem.learn("Session of nobody: yttrium.", session="gone", now=NOW + 23)
        shared = mem.db.ask("select uid from memory where user = '' and state = 'active' limit 1")
        told = {
            "session": "b",
            "uids": json.dumps(shared[0]),
            "subject": "make wolfram",
            "now": NOW,
        }
        mem.db.write([("act.tell", told)], verb="test", at=NOW)
    target = str(tmp_path / "for-ann.db")
    with fresh(driver, path, user="ann", project="p1") as mem:
        assert mem.file.copy_for(target, now=NOW + 30) == target
        assert mem.file.check() == []
    with open(target, "rb") as file:
        data = file.read().lower()
    for word in (b"zanzibar", b"quetzal", b"xylophone", b"yttrium", b"wolfram", b"bob"):
        assert word not in data, word
    assert mode(target) == 0o600
    with fresh(driver, target, user="ann", project="p1") as copy:
        assert copy.file.check() == []
        assert {row.content for row in copy.list()} >= {"Moved to egret.", "Only in this project."}
        assert copy.recall("egret", now=NOW + 31)[0].content == "Moved to egret."
    with fresh(driver, path) as mem:
        assert mem.recall("quetzal", user="bob", now=NOW + 32), "the original keeps everything"
