"""A folder that everybody reads and writes."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cogmem
from cogmem.errors import InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = time.time_ns() // 1_000_000 - 60_000  # hubs and other programs have clocks of their own


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], cogmem.Memory]]:
    mems: list[cogmem.Memory] = []

    def opened(name: str) -> cogmem.Memory:
        path = str(tmp_path / f"{name}.db")
        mems.append(cogmem.open(path, actor=name, counter=counting.Simple()))
        return mems[-1]

    yield opened
    for mem in mems:
        assert mem.file.check() == []
        mem.close()


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


def test_files_of_a_folder_never_change_and_may_come_in_any_order(
    opened: Opened, tmp_path: Path
) -> None:
    writer, reader = opened("writer"), opened("reader")
    cloud, here = tmp_path / "cloud", tmp_path / "here"
    for number in range(3):
        writer.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
        writer.sync.exchange(f"{cloud}/", now=NOW + 10 + number)
    here.mkdir()
    names = sorted(os.listdir(cloud))
    shutil.copy(cloud / names[0], here)  # the folder's own name
    shutil.copy(cloud / names[3], here)
    assert reader.sync.exchange(f"{here}/", now=NOW + 20).waiting
    assert texts(reader) == set()
    half = (cloud / names[1]).read_bytes()
    (here / names[1]).write_bytes(half[: len(half) // 2])
    assert reader.sync.exchange(f"{here}/", now=NOW + 21).waiting
    shutil.copy(cloud / names[1], here)
    shutil.copy(cloud / names[2], here)
    assert not reader.sync.exchange(f"{here}/", now=NOW + 22).waiting
    assert texts(reader) == texts(writer)


def test_a_folder_that_was_emptied_is_filled_again(opened: Opened, tmp_path: Path) -> None:
    writer, reader = opened("writer"), opened("reader")
    folder = tmp_path / "shared"
    writer.learn("Terns dive.", now=NOW)
    writer.sync.exchange(f"{folder}/", now=NOW + 1)
    shutil.rmtree(folder)
    writer.sync.exchange(f"{folder}/", now=NOW + 2)
    reader.sync.exchange(f"{folder}/", now=NOW + 3)
    assert texts(reader) == {"Terns dive."}


def test_what_is_forgotten_travels_through_a_folder(opened: Opened, tmp_path: Path) -> None:
    one, other = opened("one"), opened("other")
    folder = f"{tmp_path}/shared/"
    uid = one.learn("Ann is allergic to marzipan.", now=NOW).uid
    one.sync.exchange(folder, now=NOW + 1)
    other.sync.exchange(folder, now=NOW + 2)
    one.forget(uid, now=NOW + 3)
    one.sync.exchange(folder, now=NOW + 4)
    other.sync.exchange(folder, now=NOW + 5)
    assert texts(other) == set()


def test_a_folder_of_other_things_is_left_alone(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "bird.png").write_bytes(b"png")
    with pytest.raises(InvalidInput, match="holds other things"):
        opened("one").sync.exchange(f"{folder}/", now=NOW)
    assert os.listdir(folder) == ["bird.png"]
