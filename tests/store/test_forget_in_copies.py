"""What was forgotten goes from the backups of a file too.

Modules: forget_in_copies.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from conftest import DAY, NOW

import cogmem
from cogmem.exchange.copies import restore_backup, verify
from cogmem.file.backups import kept, made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., cogmem.Memory]

PINS = "The locker of Ann opens with marzipan seven."


def saying(folder: Path, word: bytes) -> list[str]:
    """The files below a folder that hold a word, in whatever byte."""
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and word in path.read_bytes()
    )


def lived(mem: cogmem.Memory, folder: Path) -> str:
    """A memory that was talked of, changed, and copied in every way; returns its uid."""
    talk = mem.conversation("talk")
    talk.append("user", PINS, at=NOW)
    uid = mem.learn(PINS, now=NOW).uid
    mem.update(uid, tags=["marzipan"], now=NOW + 1)
    mem.learn("Herons wade in ponds.", now=NOW)
    mem.file.backup(now=NOW + 2)
    os.mkdir(folder / "far")
    mem.file.backup(folder / "far" / "mine.db", now=NOW + 2)
    mem.nightly(now=NOW + DAY)
    return uid


def test_a_sync_takes_what_was_forgotten_from_all_backups(
    path: str, open_memory: Open, tmp_path: Path
) -> None:
    with open_memory(path) as mem:
        uid = lived(mem, tmp_path)
        driver = mem.db.driver
    restore_backup(path, now=NOW + DAY + 1, driver=driver)
    with open_memory(path) as mem:
        copies = made(path)
        assert len(copies) == 4, "by hand, far away, of the night, set aside"
        receipt = mem.forget(uid, now=NOW + DAY + 2)
        assert (receipt.copies, receipt.files) == (copies, []), "it says what is outstanding"
        mem.learn("Storks stalk.", now=NOW + DAY + 2)
        done = mem.sync.exchange(f"{tmp_path}/shared/", now=NOW + DAY + 3)
        assert done.outstanding == []
        mem.db.fold_log(1_000)
        assert saying(tmp_path, b"marzipan") == []
        assert made(path) == copies
        for copy in copies:
            verify(copy, driver)
            with open_memory(copy) as old:
                assert [row.content for row in old.list()] == ["Herons wade in ponds."]
                assert old.file.check() == []
        mem.nightly(now=NOW + 2 * DAY)
        assert not any("-held" in name for name in kept(path)), "it did not shrink"


def test_words_go_from_a_backup_in_the_sight_in_which_they_were_looked_for(
    path: str, open_memory: Open
) -> None:
    with open_memory(path, user="ann") as ann, open_memory(path, user="bob") as bob:
        one = ann.learn("The cake of Ann is of marzipan.", now=NOW).uid
        ann.learn("Marzipan is what Ann bakes on Sunday.", now=NOW)
        bob.learn("Bob sells marzipan in Lübeck.", now=NOW)
        bob.conversation("talk").append("user", "marzipan!", at=NOW)
        copy = ann.file.backup(now=NOW + 1)
        ann.forget(one, words=["marzipan"], now=NOW + 2)
        assert ann.file.scrub(now=NOW + 3) == []
    with open_memory(copy) as old:
        assert {row.content for row in old.list(everywhere=True)} == {
            "Bob sells marzipan in Lübeck."
        }
        assert old.db.ask("select text from message") == [("marzipan!",)]


def test_a_backup_that_cannot_be_written_is_told_until_it_can(
    path: str, open_memory: Open, tmp_path: Path, monkeypatch: Any
) -> None:
    with open_memory(path) as mem:
        uid = mem.learn(PINS, now=NOW).uid
        copy = mem.file.backup(now=NOW + 1)
        mem.forget(uid, now=NOW + 2)
        with monkeypatch.context() as full:
            full.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
            assert mem.file.scrub(now=NOW + 3) == [copy]
        assert [p.name for p in tmp_path.iterdir() if "partial" in p.name] == []
        assert saying(tmp_path, b"marzipan") != []
        assert mem.file.scrub(now=NOW + 4) == []
        mem.db.fold_log(1_000)
        assert saying(tmp_path, b"marzipan") == []
        os.rename(copy, f"{copy}.away")
        assert mem.file.scrub(now=NOW + 5) == []
