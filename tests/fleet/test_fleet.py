"""A fleet: only due files are opened, each file's night runs once whoever is killed, and what failed is told.

Modules: due_list, workers.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import EVERYTHING
from processes import ran

import cogmem
from cogmem.fleet import fleet
from cogmem.fleet.due_list import DueList, mark_of
from cogmem.fleet.fleet import Work, one
from cogmem.fleet.workers import Workers

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MANY = 30 if EVERYTHING else 14  # files of a fleet that is killed


def ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of some days, to be copied."""
    place = tmp_path_factory.mktemp("seed") / "seed.db"
    with cogmem.open(place) as mem:
        for one in (
            "The user lives in Turku.",
            "Ilse is the dentist.",
            "Bread is baked on Sundays.",
        ):
            mem.learn(one, now=BEGIN)
        mem.store.set_setting("backups_kept", "0", now=ms(BEGIN))
    return place


@pytest.fixture
def folder(tmp_path: Path, seed: Path) -> Path:
    """Six files of that, in two folders."""
    for number in range(6):
        place = tmp_path / f"users{number % 2}" / f"user{number}.db"
        place.parent.mkdir(exist_ok=True)
        shutil.copy(seed, place)
    return tmp_path


Fleet = Callable[..., dict[str, Any]]


@pytest.fixture
def fleet_of(program: Path) -> Fleet:
    """`cogmem nightly fleet VERB` as a process, whose workers are processes again."""

    def run(verb: str, folder: Path, *more: str) -> dict[str, Any]:
        workers = [] if verb == "status" else ["--workers", "1"]
        words = [program, "nightly", "fleet", verb, *workers, str(folder), "--json", *more]
        done = ran(words)
        return {**json.loads(done.stdout), "exit": done.returncode}

    return run


@pytest.fixture
def run(fleet_of: Fleet) -> Fleet:
    return partial(fleet_of, "nightly")


def at_night(number: int) -> str:
    return f"{BEGIN + number * DAY:%Y-%m-%dT%H:%M:%SZ}"


def nights_of(file: Path) -> int:
    """How many nights came to their end in a file, by its own ledger."""
    with cogmem.open(file) as mem:
        [(many,)] = mem.store.db.ask(
            "select count(*) from job_run where job = '20_decay' and finished_at is not null"
        )
        assert mem.file.check() == []
    return int(many)


def spoil(file: Path) -> None:
    """Other bytes, of the same size and time."""
    before = file.stat()
    with file.open("r+b") as out:
        out.write(os.urandom(before.st_size))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_each_file_has_its_night_once_and_then_none_is_opened(folder: Path, run: Fleet) -> None:
    first = run(folder, "--now", at_night(1), "--workers", "2")
    assert (first["files"], first["due"], first["done"], first["exit"]) == (6, 6, 6, 0)
    files = sorted(folder.rglob("user*.db"))
    assert [nights_of(file) for file in files] == [1] * 6
    for file in files:  # who opened one now would see that it is broken
        spoil(file)
    again = run(folder, "--now", at_night(1))
    tomorrow = run(folder, "--now", at_night(2))
    assert (again["due"], again["done"], tomorrow["due"], tomorrow["exit"]) == (0, 0, 0, 0)


def test_a_file_that_was_used_is_due_the_next_day_and_the_others_are_not(
    folder: Path, run: Fleet
) -> None:
    run(folder, "--now", at_night(1))
    used = folder / "users0" / "user2.db"
    with cogmem.open(used) as mem:
        mem.learn("The user plays the oboe.", now=BEGIN + 1.2 * DAY)
    assert run(folder, "--now", at_night(2), "--dry-run")["due"] == 1
    done = run(folder, "--now", at_night(2))
    assert (done["due"], done["done"]) == (1, 1)
    assert nights_of(used) == 2


def test_a_dry_run_makes_and_changes_nothing(folder: Path, run: Fleet) -> None:
    before = sorted(folder.rglob("*"))
    assert run(folder, "--now", at_night(1), "--dry-run")["due"] == 6
    assert sorted(folder.rglob("*")) == before


def test_a_text_file_may_name_the_files_and_one_that_is_gone_is_counted(
    folder: Path, run: Fleet
) -> None:
    listed = folder / "list.txt"
    listed.write_text("# two\nusers0/user0.db\nusers1/user1.db\nusers1/never.db\n")
    done = run(listed, "--now", at_night(1))
    assert (done["files"], done["done"], done["gone"], done["exit"]) == (2, 2, 1, 0)
    assert (folder / "list.txt.due.db").exists()


def test_what_is_no_memory_is_left_alone_and_what_is_damaged_is_told(
    folder: Path, fleet_of: Fleet
) -> None:
    (folder / "users0" / "notes.db").write_bytes(b"not a database" * 100)
    broken = folder / "users1" / "user3.db"
    data = bytearray(broken.read_bytes())
    data[4096 : len(data) // 2] = os.urandom(len(data) // 2 - 4096)
    broken.write_bytes(data)
    done = fleet_of("nightly", folder, "--now", at_night(1))
    assert (done["done"], done["not_memories"], done["exit"]) == (5, 1, 1)
    assert [Path(one["path"]).name for one in done["failed"]] == ["user3.db"]
    assert fleet_of("status", folder)["failing"] == 1


def test_workers_that_are_killed_lose_no_night_and_double_none(folder: Path, seed: Path) -> None:
    for number in range(6, MANY):
        shutil.copy(seed, folder / f"user{number}.db")
    workers = Workers(2)
    due = DueList(str(folder / "due.db"))
    killed = 0

    def kill(_done: int, _total: int) -> None:
        nonlocal killed
        victims = workers.pids()
        if killed < 4 and victims:
            os.kill(victims[0], signal.SIGKILL)
            killed += 1

    done = fleet.run(
        due,
        fleet.found(str(folder)),
        workers,
        Work("night", ms(BEGIN + DAY)),
        clock=lambda: time.time_ns() // 1_000_000,
        progress=kill,
    )
    due.close()
    assert killed == 4
    assert (done.done + done.already, done.failed, done.left) == (MANY, [], 0)
    assert {nights_of(file) for file in folder.rglob("user*.db")} == {1}


def test_a_fleet_that_is_killed_is_taken_up_where_it_stood(
    folder: Path, seed: Path, run: Fleet
) -> None:
    for number in range(6, MANY):
        shutil.copy(seed, folder / f"user{number}.db")
    command = [sys.executable, "-m", "cogmem", "nightly", "fleet", "nightly", str(folder)]
    command += ["--workers", "1", "--now", at_night(1)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as first:
        listed = folder / fleet.LIST
        while not listed.exists() or _kept(listed) == 0:
            time.sleep(0.02)
            assert first.poll() is None, "it was done before it could be killed"
        os.killpg(first.pid, signal.SIGKILL)
    rest = run(folder, "--now", at_night(1))
    assert (rest["exit"], rest["left"]) == (0, 0)
    assert 0 < rest["due"] < MANY
    assert {nights_of(file) for file in folder.rglob("user*.db")} == {1}


def _kept(listed: Path) -> int:
    due = DueList(str(listed))
    rows = due._read("select count(*) from due_file where done_at is not null")
    due.close()
    return int(rows[0][0])


def test_a_file_that_kills_every_process_is_told_and_does_not_hold_up_the_others(
    folder: Path, run: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a worker imports first ends it when it meets this file.
    (folder / "sitecustomize.py").write_text(
        "import os\nimport cogmem.fleet.fleet as works\n_one = works.one\n"
        "def one(path, work):\n"
        "    if path.endswith('user4.db'):\n        os._exit(9)\n"
        "    return _one(path, work)\n"
        "works.one = one\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder))
    done = run(folder, "--now", at_night(1))
    assert (done["done"] + done["already"], done["exit"]) == (5, 1)
    assert [Path(one["path"]).name for one in done["failed"]] == ["user4.db"]
    assert "processes died" in done["failed"][0]["problem"]


def test_the_night_of_one_file_says_when_it_is_due_again(seed: Path, tmp_path: Path) -> None:
    file = shutil.copy(seed, tmp_path / "one.db")
    first = one(str(file), Work("night", ms(BEGIN + DAY)))
    assert (first.outcome, first.mark) == ("done", mark_of(str(file)))
    assert first.due_at is not None
    assert first.due_at > ms(BEGIN + 5 * DAY)
    assert one(str(file), Work("night", ms(BEGIN + DAY))).outcome == "already"


@pytest.fixture
def due(tmp_path: Path) -> Iterator[DueList]:
    made = DueList(str(tmp_path / "due.db"))
    yield made
    made.close()


def test_what_somebody_has_on_lease_nobody_else_takes_until_it_is_over(due: DueList) -> None:
    due.look((f"/m/{number}.db", "1 1") for number in range(5))
    mine = due.take("me", 3, now=1, clock=100, until=200)
    yours = due.take("you", 9, now=1, clock=150, until=250)
    assert (len(mine), len(yours), set(mine) & set(yours)) == (3, 2, set())
    assert due.take("she", 9, now=1, clock=199, until=300) == []
    assert sorted(due.take("she", 9, now=1, clock=200, until=300)) == sorted(mine)


def test_a_due_list_that_is_damaged_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "due.db").write_bytes(b"x" * 5000)
    with pytest.raises(cogmem.CogmemError, match="can be deleted"):
        DueList(str(tmp_path / "due.db"))


@pytest.mark.parametrize("verb", ["backup", "check", "migrate"])
def test_a_work_goes_round_all_files_and_a_bad_one_holds_up_none(
    folder: Path, fleet_of: Fleet, verb: str
) -> None:
    with cogmem.open(folder / "users0" / "user0.db") as mem:
        mem.store.set_setting("backups_kept", "1", now=ms(BEGIN))
    broken = folder / "users1" / "user3.db"
    raw = broken.read_bytes()
    broken.write_bytes(raw[:100] + os.urandom(len(raw) - 100))
    for _ in range(1 + (verb == "check")):  # the next round looks at all of them again
        done = fleet_of(verb, folder)
        assert (done["files"], done["due"], done["done"] + done["already"]) == (6, 6, 5)
        assert [Path(one["path"]).name for one in done["failed"]] == ["user3.db"]
        assert done["exit"] == 1
    status = fleet_of("status", folder)
    assert status["failing"] == 0, "of nights"
    assert [one["work"] for one in status["failures"]] == [verb]
    copies = list(folder.rglob("*.backups/*.db"))
    assert len(copies) == (1 if verb == "backup" else 0)


def test_a_round_that_was_killed_goes_on(folder: Path) -> None:
    due = DueList(str(folder / "due.list"))
    files = list(fleet.found(str(folder)))
    work = Work("check", ms(BEGIN))
    some = fleet.run(due, files, Workers(1), work, clock=lambda: 1, most=2)
    rest = fleet.run(due, files, Workers(1), work._replace(now=work.now + 1), clock=lambda: 1)
    again = fleet.run(due, files, Workers(1), work._replace(now=work.now + 2), clock=lambda: 1)
    due.close()
    assert (some.done, some.left, rest.done, rest.left, again.done) == (2, 4, 4, 0, 6)


def test_a_user_is_forgotten_in_every_file_and_copy_with_receipts(
    tmp_path: Path, fleet_of: Fleet
) -> None:
    from cogmem.fleet.pool import file_of

    for name, users in (("one", ("ann", "ben")), ("two", ("ben",))):
        with cogmem.open(tmp_path / f"{name}.db") as mem:
            for user in users:
                view = mem.as_user(user)
                view.learn(f"The quokka of {user} is small.", now=BEGIN)
                view.conversation("t").append("user", f"Marmalade for {user}.", at=BEGIN)
            mem.file.backup(now=BEGIN)
    with cogmem.Pool(tmp_path / "users") as pool:
        for user in ("ann", "ben"):
            with pool.user(user) as mem:
                mem.learn(f"The quokka of {user} is small.", now=BEGIN)
            cogmem.open(pool.path(user)).file.backup(now=BEGIN)
    done = fleet_of("forget", "ann", str(tmp_path))
    assert (done["files"], done["done"], done["already"], done["exit"]) == (4, 2, 2, 0)
    by_name = {Path(one["path"]).name: one for one in done["receipts"]}
    assert set(by_name) == {"one.db", file_of("ann")}
    assert (by_name["one.db"]["memories"], by_name["one.db"]["messages"]) == (1, 1)
    assert len(by_name["one.db"]["wiped"]) == 1
    assert by_name["one.db"]["left"] == []
    assert not (tmp_path / "users" / file_of("ann")).exists()
    held = [
        file.name
        for file in tmp_path.rglob("*")
        if file.is_file()
        and b"ann" in file.read_bytes().replace(b"annotat", b"")
        and any(word in file.read_bytes() for word in (b"of ann", b"for ann"))
    ]
    assert held == []
    with cogmem.open(tmp_path / "one.db") as mem:
        assert [row.content for row in mem.as_user("ben").list()] == ["The quokka of ben is small."]
