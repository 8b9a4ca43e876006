"""What a damaged file still holds comes into a new one; the damaged one stays as it is.

Modules: file.pages.
"""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.exchange.salvage import salvage
from cogmem.file import layout
from cogmem.tokens import counting

PAGE = layout.PAGE_SIZE
COUNT = 120


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a memory with facts, messages and a procedure."""
    path = tmp_path_factory.mktemp("whole") / "memory.db"
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for number in range(COUNT):
            mem.learn(
                f"Heron {number} waits at lake {number * 7}.", key=f"k{number}", now=NOW + number
            )
        talk = mem.conversation("talk")
        for number in range(60):
            talk.append("user", f"Message {number}: " + "wade " * 40, at=NOW)
        mem.procedure("release", ["tag", "push"], now=NOW)
        mem.learn("A long one: " + "reeds and water " * 900, key="long", now=NOW)
    return path.read_bytes()


@pytest.mark.parametrize("size", [512, 1024, 4096])
def test_a_file_without_its_first_page_is_read_in_the_pages_that_it_has(
    tmp_path: Path, whole: bytes, size: int
) -> None:
    path = str(tmp_path / "sized.db")
    with sqlite3.connect(damaged(tmp_path, whole)) as db:
        db.execute("pragma journal_mode = delete")
        db.execute(f"pragma page_size = {size}")
        db.execute("vacuum into ?", (path,))
    data = bytearray(Path(path).read_bytes())
    assert int.from_bytes(data[16:18], "big") == size
    data[:size] = bytes(size)
    Path(path).write_bytes(data)
    assert salvage(path, f"{path}.new").rows["memory"] == COUNT + 2


def damaged(tmp_path: Path, data: bytes) -> str:
    path = tmp_path / "damaged.db"
    path.write_bytes(data)
    return str(path)


def contents(path: str) -> set[str]:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert not [
            line for line in mem.file.check() if "damaged" in line or "search index" in line
        ]
        return {row.content for row in mem.list(limit=0, now=NOW)}


@pytest.mark.parametrize("how", ["nothing", "first page", "schema page"])
def test_all_comes_back_while_the_pages_of_the_rows_are_there(
    tmp_path: Path, whole: bytes, how: str
) -> None:
    data = bytearray(whole)
    if how == "first page":
        data[:PAGE] = bytes(PAGE)
    elif how == "schema page":
        data[100:PAGE] = b"\xff" * (PAGE - 100)
    path = damaged(tmp_path, bytes(data))
    done = salvage(path, f"{path}.new")
    assert Path(path).read_bytes() == bytes(data)
    assert done.rows["memory"] == COUNT + 2
    assert done.rows["message"] == 60
    told = contents(f"{path}.new")
    assert len(told) == COUNT + 2
    assert any(len(text) > 10_000 for text in told)  # over many pages


@pytest.mark.alike
@pytest.mark.parametrize("seed", range(6))
def test_holes_cost_what_stood_in_them(tmp_path: Path, whole: bytes, seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(whole)
    for _ in range(12):
        at = dice.randrange(1, len(data) // PAGE) * PAGE
        data[at : at + PAGE] = dice.randbytes(PAGE)
    path = damaged(tmp_path, bytes(data))
    texts = [f"Heron {number} waits at lake {number * 7}." for number in range(COUNT)]
    # Key and text stand side by side in the row itself, and nowhere else.
    rows = {text: f"k{number}{text}".encode() for number, text in enumerate(texts)}
    untouched = {
        text for text, row in rows.items() if 0 < whole.count(row) == bytes(data).count(row)
    }
    done = salvage(path, f"{path}.new")
    told = {text for text in contents(f"{path}.new") if text.startswith("Heron")}
    assert untouched <= told <= set(texts)
    assert done.rows["memory"] >= len(untouched) > 0


def test_what_is_only_in_the_log_comes_too(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Storks stalk.", now=NOW)
        copy = str(tmp_path / "copy.db")
        data = bytearray(Path(path).read_bytes())
        data[:PAGE] = bytes(PAGE)
        Path(copy).write_bytes(bytes(data))
        Path(f"{copy}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    salvage(copy, f"{copy}.new")
    assert contents(f"{copy}.new") == {"Herons wade.", "Storks stalk."}


def test_nothing_is_written_over_and_nothing_is_made_of_nothing(
    tmp_path: Path, whole: bytes
) -> None:
    path = damaged(tmp_path, whole)
    Path(f"{path}.new").write_text("mine")
    with pytest.raises(InvalidInput, match="name a new file"):
        salvage(path, f"{path}.new")
    assert Path(f"{path}.new").read_text() == "mine"
    noise = damaged(tmp_path, random.Random(1).randbytes(50_000))
    with pytest.raises(DatabaseProblem, match="nothing that can be read"):
        salvage(noise, f"{noise}.out")
    assert not Path(f"{noise}.out").exists()


@pytest.mark.alike
@pytest.mark.parametrize("seed", range(20))
def test_any_damage_is_told_and_never_another_programs_error(
    tmp_path: Path, whole: bytes, seed: int
) -> None:
    dice = random.Random(seed)
    data = bytearray(whole)
    for _ in range(dice.choice((1, 30, 2_000))):
        data[dice.randrange(len(data))] = dice.randrange(256)
    path = damaged(
        tmp_path, bytes(data[: dice.randrange(2_000, len(data))] if seed % 3 == 0 else data)
    )
    for doing in (
        lambda mem: mem.list(limit=0, now=NOW),
        lambda mem: mem.activate("Where does the heron wait?", session="s", now=NOW),
        lambda mem: mem.recall("heron", now=NOW),
        lambda mem: mem.file.check(),
        lambda mem: mem.learn("One more.", now=NOW),
    ):
        try:
            with cogmem.open(path, counter=counting.Simple()) as mem:
                doing(mem)
        except CogmemError:
            pass
