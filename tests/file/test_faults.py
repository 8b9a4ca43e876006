"""A disk that fails: every kind of write gets a clear error, is done whole or not at all, and goes on.

The disk is a VFS of SQLite below cogmem's own `db`, see tests/torture/disk.py. `make torture` runs the
same over all faults and places; here a few of each.
"""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from conftest import EVERYTHING, NOW
from processes import ran

pytest.importorskip("apsw")

from torture.deeds import LOADS
from torture.disk import FAULTS, Disk, Faults, Life, PowerCuts

import cogmem
from cogmem.errors import CogmemError, DatabaseProblem, DiskFull, InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAVY = ("import a restore", "nightly", "rebuild", "forget", "save a document")
KINDS = list(FAULTS)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    run = Faults(str(tmp_path_factory.mktemp("faults")), seed=2)
    yield run
    run.close()


def suffer(faults: Faults, deed: str, fault: str, *, lasts: bool, most: int) -> None:
    faults.faults.clear()
    faults.sweep(deed, fault, lasts=lasts, most=most)
    assert faults.faults == []


@pytest.mark.parametrize("deed", [deed for deed in LOADS if deed not in HEAVY])
def test_a_write_that_meets_a_fault_is_whole_or_not_there(faults: Faults, deed: str) -> None:
    place = sorted(LOADS).index(deed)
    for turn, lasts in enumerate((False, True)):
        if not EVERYTHING and turn != place % 2:
            continue
        suffer(faults, deed, KINDS[(place + 3 * turn) % len(KINDS)], lasts=lasts, most=1)


@pytest.mark.slow
@pytest.mark.parametrize("deed", HEAVY)
def test_heavy_work_that_meets_a_fault_is_whole_or_taken_up_again(
    faults: Faults, deed: str
) -> None:
    for lasts in (False, True):
        for fault in ("full", "write"):
            if EVERYTHING or lasts == (fault == "full"):
                suffer(faults, deed, fault, lasts=lasts, most=1)


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk()
    yield disk
    disk.unregister()


@pytest.mark.parametrize(("fault", "error"), [("full", DiskFull), ("write", DatabaseProblem)])
def test_the_error_says_what_to_do_and_nothing_of_the_memory(
    disk: Disk, path: str, fault: str, error: type[Exception]
) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        disk.arm(fault, 1, lasts=True)
        with pytest.raises(error, match=r"make room|check the disk") as told:
            mem.learn("Storks stalk.", now=NOW)
        assert "stalk" not in str(told.value)
        disk.disarm()
        assert [row.content for row in mem.list(now=NOW)] == ["Herons wade."]
        mem.learn("Storks stalk.", now=NOW)
        assert mem.file.check() == []


def test_reading_goes_on_while_the_disk_is_full(disk: Disk, path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        disk.arm("full", 1, lasts=True)
        assert [row.content for row in mem.list(now=NOW)] == ["Herons wade."]
        assert mem.recall("herons", strengthen=False, now=NOW)
        disk.disarm()


def test_a_session_that_begins_while_the_disk_is_full_is_answered(disk: Disk, path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        mem.learn("Never feed the herons.", kind="policy", now=NOW)
        disk.arm("full", 1, lasts=True)
        first = mem.activate("Do herons wade?", session="s", now=NOW)
        assert "Herons wade" in first.text
        assert "Never feed" in first.stable
        assert mem.activate("Do herons wade?", session="s", now=NOW + 1).stable == first.stable
        disk.disarm()
        assert mem.activate("And now?", session="s", now=NOW + 2).stable == first.stable
        assert mem.file.check() == []


def test_a_new_file_that_cannot_be_made_leaves_nothing_that_looks_like_one(
    disk: Disk, tmp_path: Path
) -> None:
    whole = cogmem.open(tmp_path / "whole.db", counter=counting.Simple())
    last = disk.calls["write"]
    whole.close()
    assert last > 200
    for at in (1, 2, 5, 40, 200, last - 5, last):
        path = str(tmp_path / f"memory{at}.db")
        disk.arm("full", at, lasts=True)
        with pytest.raises(DatabaseProblem):
            cogmem.open(path, counter=counting.Simple())
        disk.disarm()
        with cogmem.open(path, counter=counting.Simple()) as mem:
            assert mem.notices == []
            mem.learn("Herons wade.", now=NOW)
            assert mem.file.check() == []


def test_what_was_closed_survives_a_power_cut_whole(tmp_path: Path) -> None:
    cuts = PowerCuts(str(tmp_path), seed=9)
    try:
        life = Life(cuts.origin.path, 1, cuts.origin.places, counted_from=1000)
        for deed in ("learn", "learn", "append", "remove", "activate"):
            life.process.do(deed)
        life.process.memory.learn("the last thing before closing", now=NOW)
        state = cuts._state(life)
        life.process.memory.close()
        for number in range(5):
            left = tmp_path / f"left{number}"
            cuts.disk.left_behind(random.Random(number), cuts.origin.path, str(left))
            with cogmem.open(left / "memory.db", counter=counting.Simple()) as mem:
                from torture.expected import observe

                assert observe(mem) == state
                assert mem.file.check() == []
    finally:
        cuts.close()


# -- documents, which are files of their own ---------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_document_that_meets_a_fault_is_the_old_or_the_new_one_in_file_and_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    (tmp_path / "here").mkdir()
    with cogmem.open(
        tmp_path / "memory.db",
        counter=counting.Simple(),
        documents=tmp_path / "here",
        user_dir=tmp_path / "own",
    ) as mem:
        mem.documents.save("page", "Notes of the lake", "The old text.", now=NOW)
        real = getattr(os, call)
        for at in (1, 2, 3):
            count = 0

            def failing(*given: object, at: int = at, **named: object) -> object:
                nonlocal count
                count += 1
                if count == at:
                    raise OSError(number, os.strerror(number))
                return real(*given, **named)

            with monkeypatch.context() as patch:
                patch.setattr(f"cogmem.documents.files.os.{call}", failing)
                with suppress(CogmemError):
                    mem.documents.save("page", "Notes of the lake", f"Text {at}.", now=NOW + at)
            refreshed = mem.documents.sync(now=NOW + 10 + at)
            assert [*refreshed.conflicts, *refreshed.problems] == []
            [saved] = mem.documents.project_memories.files.memories()
            assert saved.body.strip() in (
                "The old text.",
                *(f"Text {n}." for n in range(1, at + 1)),
            )
            [state] = mem.documents.status(now=NOW + 10 + at).saved
            assert state.state == "in step"
            assert mem.file.check() == []
        mem.documents.save("page", "Notes of the lake", "The last text.", now=NOW + 50)
        [saved] = mem.documents.project_memories.files.memories()
        assert saved.body.strip() == "The last text."
        left = [name for name in os.listdir(saved.path.rpartition("/")[0]) if name.startswith(".")]
        assert left == []


@pytest.fixture
def lying_in_wait() -> Iterator[Disk]:
    disk = Disk()
    yield disk
    disk.unregister()


@pytest.mark.parametrize("how", ["this one", "all of the space", "neither"])
def test_what_is_learned_durably_outlives_a_power_cut(
    lying_in_wait: Disk, tmp_path: Path, how: str
) -> None:
    """What was written since the last sync is gone; a durable write has had its own."""
    path = str(tmp_path / "memory.db")
    mem = cogmem.open(path, counter=counting.Simple())
    if how == "all of the space":
        mem.store.set_setting("durable", "1", now=NOW)
    mem.close()
    mem = cogmem.open(path, counter=counting.Simple())
    mem.learn("Herons wade in the shallow water.", durable=how == "this one", now=NOW)
    mem.conversation("talk").append("user", "The heron stood still.", at=NOW)
    left = tmp_path / "left"
    left.mkdir()
    for name, file in lying_in_wait.files.items():  # nothing of what no sync brought to the disk
        (left / os.path.basename(name)).write_bytes(bytes(file.durable))
    mem.close()
    with cogmem.open(left / "memory.db", counter=counting.Simple()) as found:
        assert found.file.check() == []
        texts = [row.content for row in found.list(now=NOW)]
        assert texts == ([] if how == "neither" else ["Herons wade in the shallow water."])
        said = [message.text for message in found.conversation("talk").messages()]
        assert said == (["The heron stood still."] if how == "all of the space" else [])


def test_a_durable_write_does_not_hide_in_a_block(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "memory.db", counter=counting.Simple()) as mem:
        with (
            pytest.raises(InvalidInput, match="a block of writes"),
            mem.db.together(),
        ):
            mem.learn("Herons wade.", durable=True, now=NOW)
        mem.learn("Herons wade.", durable=True, now=NOW)
        assert mem.db.ask("pragma synchronous") == [(2,)]
        mem.learn("Storks clatter.", now=NOW)
        assert mem.db.ask("pragma synchronous") == [(1,)]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files there")
@pytest.mark.parametrize("driver", ["apsw", "sqlite3"])
def test_a_turn_is_answered_where_no_file_finds_room(path: str, driver: str) -> None:
    """Not even the index of the log: what stands in the log alone is read too."""
    said = (
        "import os, cogmem; mem = cogmem.open(os.environ['COGMEM_DB']);"
        "mem.learn('The deploy of the shop runs on Fridays.'); mem.flush(); os._exit(0)"
    )
    asked = (
        "import os, resource, signal, cogmem;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        f"mem = cogmem.open(os.environ['COGMEM_DB'], driver={driver!r});"
        "print(mem.activate('When does the deploy of the shop run?', session='s').text);"
        "print(mem.notices)"
    )
    env = {**os.environ, "COGMEM_DB": path, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", said], check=True, env=env)
    for companion in (f"{path}-shm",):
        os.unlink(companion)
    done = ran([sys.executable, "-c", asked], check=True, env=env)
    assert "runs on Fridays" in done.stdout
    assert "nothing is learned" in done.stdout
    with cogmem.open(path) as mem:
        assert [row.content for row in mem.list()] == ["The deploy of the shop runs on Fridays."]
