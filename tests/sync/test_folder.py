"""A folder that everybody reads and writes."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import time
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from cogmem.errors import DiskFull, InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    import cogmem


NOW = time.time_ns() // 1_000_000 - 60_000  # hubs and other programs have clocks of their own


Opened = "Callable[[str], cogmem.Memory]"


def texts(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list(limit=0, everywhere=True, now=NOW + 86_400_000)}


def test_three_machines_meet_in_a_folder(opened: Opened, tmp_path: Path) -> None:
    mems = [opened(name) for name in "abc"]
    folder = f"{tmp_path}/shared/"
    for number, mem in enumerate(mems):
        mem.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
        mem.sync.exchange(folder, now=NOW + 10)
    for mem in mems:
        mem.sync.exchange(folder, now=NOW + 20)
    assert texts(mems[0]) == texts(mems[1]) == texts(mems[2])
    assert len(texts(mems[0])) == 3
    files = sorted(os.listdir(folder))
    for mem in mems:
        done = mem.sync.exchange(folder, now=NOW + 30)
        assert (done.sent, done.received) == (0, 0)
    assert sorted(os.listdir(folder)) == files
    assert len(files) == 4, "nobody writes what came from the folder back into it"


def acts(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith((".acts", ".encrypted")))


def test_files_of_a_folder_may_come_in_any_order_and_in_halves(
    opened: Opened, tmp_path: Path
) -> None:
    writers, reader = [opened(name) for name in "abc"], opened("reader")
    cloud, here = tmp_path / "cloud", tmp_path / "here"
    for number, writer in enumerate(writers):
        writer.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
        writer.sync.exchange(f"{cloud}/", now=NOW + 10 + number)
    here.mkdir()
    first, second, third = acts(cloud)
    shutil.copy(cloud / "cogmem-folder", here)
    shutil.copy(cloud / third, here)
    half = (cloud / first).read_bytes()
    (here / first).write_bytes(half[: len(half) // 2])
    done = reader.sync.exchange(f"{here}/", now=NOW + 20)
    assert done.waiting
    assert [name for name in done.refused if name.startswith(first)]
    assert len(texts(reader)) == 1
    shutil.copy(cloud / first, here)
    shutil.copy(cloud / second, here)
    assert not reader.sync.exchange(f"{here}/", now=NOW + 21).waiting
    assert len(texts(reader)) == 3


def test_many_small_visits_leave_few_files(opened: Opened, tmp_path: Path) -> None:
    mems, folder = [opened("one"), opened("other")], tmp_path / "shared"
    for number in range(60):
        mem = mems[number % 2]
        mem.learn(f"Host {number * 7919 % 1009} stands in rack {number}.", now=NOW + number)
        mem.sync.exchange(f"{folder}/", now=NOW + number)
    for mem in mems:
        mem.sync.exchange(f"{folder}/", now=NOW + 200)
    assert texts(mems[0]) == texts(mems[1])
    assert len(texts(mems[0])) == 60
    assert len(acts(folder)) <= 14
    late = opened("late")
    late.sync.exchange(f"{folder}/", now=NOW + 201)
    assert texts(late) == texts(mems[0])


def test_a_folder_is_its_owner_s_alone(opened: Opened, tmp_path: Path) -> None:
    one, folder = opened("one"), tmp_path / "shared"
    one.learn("Terns dive.", now=NOW)
    before = os.umask(0)
    try:
        one.sync.exchange(f"{folder}/", now=NOW + 1)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_what_is_no_sound_file_is_named_and_all_else_goes_on(
    opened: Opened, tmp_path: Path
) -> None:
    one, other, folder = opened("one"), opened("other"), tmp_path / "shared"
    one.learn("Terns dive.", now=NOW)
    one.sync.exchange(f"{folder}/", now=NOW + 1)
    (sound,) = acts(folder)
    body = (folder / sound).read_bytes()

    def bad(number: int) -> Path:
        return folder / f"org_{number:04x}.{number:016x}.acts"

    def whole(lines: bytes) -> bytes:
        proof = {"end": 1, "sha256": sha256(lines).hexdigest(), "instead": []}
        return lines + json.dumps(proof).encode() + b"\n"

    os.mkfifo(bad(0))
    bad(1).symlink_to("/etc/passwd")
    bad(2).mkdir()
    contents = [
        b"", b"\0" * 100, body[:-1], body[5:], body.replace(b"Terns", b"Terms"), b"null\n", b"[[[[\n" * 9,
        whole(b"{\n"), whole(b'{"act": 3}\n'), whole(b'{"receipt": []}\n'), whole(b"[" * 100_000 + b"\n"),
        whole(b'{"receipt": {"uid": "mem_0", "at": 1, "actor": "x", "words": [[1, "a"]]}}\n'),
        whole(b"\xff\xfe\n"), whole(b"9" * 9_000 + b"\n"), whole(b'"x"\n'),
    ]  # fmt: skip
    for number, content in enumerate(contents):
        bad(10 + number).write_bytes(content)
    (folder / "note.acts").write_text("a note")
    (folder / "photo (conflicted copy).acts").write_bytes(body)
    one.learn("Herons wade.", now=NOW + 2)
    one.sync.exchange(f"{folder}/", now=NOW + 3)
    done = other.sync.exchange(f"{folder}/", now=NOW + 4)
    assert texts(other) == {"Terns dive.", "Herons wade."}
    for number in (0, 1, 2, *range(10, 17)):
        assert [told for told in done.refused if told.startswith(bad(number).name)], number


def test_what_is_forgotten_is_in_no_byte_when_every_machine_has_met_the_folder(
    opened: Opened, tmp_path: Path
) -> None:
    mems, folder = [opened(name) for name in "abc"], tmp_path / "shared"
    uid = mems[0].learn("Ann is allergic to marzipan.", now=NOW).uid
    for mem in mems:
        mem.learn(f"The build of {mem.actor} takes an hour.", now=NOW + 1)
        mem.sync.exchange(f"{folder}/", now=NOW + 2)
    mems[1].sync.exchange(f"{folder}/", now=NOW + 3)
    mems[1].update(uid, content="Ann is allergic to marzipan and nuts.", now=NOW + 4)
    receipt = mems[2].forget(uid, now=NOW + 5)
    assert receipt.elsewhere == [f"{folder}/"], "it says who has not heard of it"
    for at in range(6, 8):
        for mem in mems:
            mem.sync.exchange(f"{folder}/", now=NOW + at)
    for mem in mems:
        assert len(texts(mem)) == 3
        assert mem.file.scrub() == []
        mem.db.fold_log(1_000)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"marzipan" not in path.read_bytes(), path
    assert len(acts(folder)) <= 3


def test_a_full_disk_leaves_nothing_to_clear_away(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, folder = opened("one"), tmp_path / "shared"
    one.learn("Terns dive.", now=NOW)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="make room"):
        one.sync.exchange(f"{folder}/", now=NOW + 1)
    assert os.listdir(folder) == ["cogmem-folder"]
    monkeypatch.undo()
    begun = folder / next(peer.origin for peer in one.sync.peers() if peer.is_self)
    for number in (9_999_999, os.getppid()):  # of a process that was killed, and of one that writes
        begun.with_suffix(f".partial-{number}").write_text("x")
    assert one.sync.exchange(f"{folder}/", now=NOW + 2).sent == 1
    assert begun.with_suffix(f".partial-{os.getppid()}").exists()
    assert len(os.listdir(folder)) == 3


def test_a_folder_with_a_key_tells_nothing_without_it(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cryptography")
    one, other, folder = opened("one"), opened("other"), tmp_path / "shared"
    one.learn("Terns dive.", now=NOW)
    one.sync.exchange(f"{folder}/", now=NOW + 1)
    monkeypatch.setenv("COGMEM_SYNC_KEY", one.sync.new_key())
    one.sync.exchange(f"{folder}/", now=NOW + 2)
    assert b"Terns" not in b"".join(path.read_bytes() for path in folder.iterdir())
    other.sync.exchange(f"{folder}/", now=NOW + 3)
    assert texts(other) == {"Terns dive."}
    other.learn("Herons wade.", now=NOW + 4)
    other.sync.exchange(f"{folder}/", now=NOW + 5)
    one.sync.exchange(f"{folder}/", now=NOW + 6)
    assert texts(one) == texts(other)
    stranger = opened("stranger")
    for key in ("", one.sync.new_key()):
        monkeypatch.setenv("COGMEM_SYNC_KEY", key)
        assert len(stranger.sync.exchange(f"{folder}/", now=NOW + 7).refused) >= 1
    assert texts(stranger) == set()
    monkeypatch.setenv("COGMEM_SYNC_KEY", "x")
    with pytest.raises(InvalidInput, match="no key"):
        stranger.sync.exchange(f"{folder}/", now=NOW + 8)


def test_a_folder_that_was_emptied_is_filled_again(opened: Opened, tmp_path: Path) -> None:
    writer, reader = opened("writer"), opened("reader")
    folder = tmp_path / "shared"
    writer.learn("Terns dive.", now=NOW)
    writer.sync.exchange(f"{folder}/", now=NOW + 1)
    shutil.rmtree(folder)
    writer.sync.exchange(f"{folder}/", now=NOW + 2)
    reader.sync.exchange(f"{folder}/", now=NOW + 3)
    assert texts(reader) == {"Terns dive."}


def test_a_folder_of_other_things_is_left_alone(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "bird.png").write_bytes(b"png")
    with pytest.raises(InvalidInput, match="holds other things"):
        opened("one").sync.exchange(f"{folder}/", now=NOW)
    assert os.listdir(folder) == ["bird.png"]
