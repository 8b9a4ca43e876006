"""The file and its conditions: each has a clear error, and nothing is ever lost.

Modules: connection, driver_apsw, driver_sqlite3, damage, snapshot, process.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from processes import ran

import cogmem
from cogmem.errors import (
    Conflict,
    Damaged,
    DatabaseProblem,
    DiskFull,
    ForeignFile,
    InvalidInput,
    Locked,
    ReadOnly,
    UnknownName,
)
from cogmem.exchange.copies import accept, set_aside
from cogmem.file import making
from cogmem.file.connection import LOG, has_wal_reset_fault
from cogmem.file.db import APPLICATION_ID, LOG_OF_MANY, MANY, Database
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

ROOT = Path(cogmem.__file__).resolve().parents[2]


def a_memory(path: str, *texts: str) -> None:
    """Make a memory with a few facts and close it, so that all of it lies in the one file."""
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for text in texts or ("Herons wade.",):
            mem.learn(text, now=NOW)


def facts(path: str, driver: str = "apsw") -> list[str]:
    with cogmem.open(path, driver=driver) as mem:
        return [row.content for row in mem.list(now=NOW)]


# -- what opening makes ------------------------------------------------------------------------------


def test_z03_a_new_file_is_a_private_wal_database_that_names_its_maker(
    path: str, driver: str
) -> None:
    with cogmem.open(path, driver=driver) as mem:
        assert mem.db.ask("pragma journal_mode") == [("wal",)]
        assert mem.db.ask("pragma application_id") == [(APPLICATION_ID,)]
        assert mem.db.ask("pragma user_version") == [(making.SCHEMA_VERSION,)]
        assert mem.db.ask("pragma auto_vacuum") == [(2,)], "incremental"
        assert mem.db.ask("pragma foreign_keys") == [(1,)]
        assert mem.notices == []
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_missing_folders_are_made_for_their_owner_only(tmp_path: Path) -> None:
    cogmem.open(tmp_path / "a" / "b" / "memory.db").close()
    assert stat.S_IMODE(os.stat(tmp_path / "a" / "b").st_mode) == 0o700


def test_the_path_comes_from_cogmem_db_or_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from platformdirs import user_data_dir

    monkeypatch.setenv("COGMEM_DB", str(tmp_path / "named.db"))
    with cogmem.open() as mem:
        assert mem.path == str(tmp_path / "named.db")
    monkeypatch.delenv("COGMEM_DB")
    for base in ("", str(tmp_path / "data")):
        monkeypatch.setenv("XDG_DATA_HOME", base)
        expected = os.path.join(user_data_dir("cogmem", appauthor=False), "memory.db")
        assert cogmem.file.places.default_path() == expected


def test_a_file_name_may_hold_any_character(tmp_path: Path, driver: str) -> None:
    for name in ["a b.db", "100%.db", "what?.db", "a#b.db", "水鳥.db", "it's.db", "file:x.db"]:
        a_memory(str(tmp_path / name), name)
        assert facts(str(tmp_path / name), driver) == [name]


def test_a_memory_in_ram_leaves_no_file(
    driver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with cogmem.open(":memory:", driver=driver) as mem:
        mem.learn("Herons wade.", now=NOW)
        assert mem.file.check() == []
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_memory(path: str) -> None:
    Path(path).touch(mode=0o644)
    a_memory(path)
    assert facts(path) == ["Herons wade."]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_copy_made_without_wal_gets_it_back(path: str, driver: str) -> None:
    a_memory(path)
    copy = path + ".copy"
    with cogmem.open(path) as mem:
        making.copy_to(mem.db, copy)
    with cogmem.open(copy, driver=driver) as mem:
        assert mem.db.ask("pragma journal_mode") == [("wal",)]
    assert facts(copy) == ["Herons wade."]


def test_both_drivers_read_and_write_the_same_file_in_turn(path: str) -> None:
    for turn, driver in enumerate(["apsw", "sqlite3"] * 2):
        with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
            mem.learn(f"turn {turn}", now=NOW + turn)
            assert mem.file.check() == []
    assert facts(path) == ["turn 3", "turn 2", "turn 1", "turn 0"]


def test_a_python_without_apsw_is_told_of_both_ways_out(path: str) -> None:
    probe = (
        "import sys, cogmem; sys.modules['apsw'] = None\n"
        "try: cogmem.open(sys.argv[1])\n"
        "except cogmem.CogmemError as error: print(error)\n"
        "with cogmem.open(sys.argv[1], driver='sqlite3') as mem: print(mem.stats().memories)"
    )
    done = ran([sys.executable, "-c", probe, path], check=True)
    error, memories = done.stdout.splitlines()
    assert "pip install apsw" in error
    assert "driver='sqlite3'" in error
    assert memories == "0"


def test_both_drivers_offer_the_same() -> None:
    from cogmem.file import driver_apsw, driver_sqlite3

    def offered(module: ModuleType) -> dict[str, list[str]]:
        return {
            name: [word.strip("_") for word in inspect.signature(value).parameters]
            for name, value in vars(module).items()
            if inspect.isfunction(value) and not name.startswith("_")
        }

    assert offered(driver_apsw) == offered(driver_sqlite3)
    assert len(offered(driver_apsw)) == 9


def test_an_unknown_driver_is_named(path: str) -> None:
    with pytest.raises(InvalidInput, match="'apsw' or 'sqlite3'"):
        cogmem.open(path, driver="duckdb")


# -- files that are not ours -------------------------------------------------------------------------


def untouched(path: str, error: type[Exception], match: str, driver: str) -> None:
    before = Path(path).read_bytes()
    with pytest.raises(error, match=match):
        cogmem.open(path, driver=driver)
    assert Path(path).read_bytes() == before
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)], (
        "nothing was left beside it"
    )


@pytest.mark.parametrize(
    "bytes_", [b"# Notes\n" * 200, b"SQLite", b"\0" * 4096], ids=["text", "stub", "zeros"]
)
def test_a_file_that_is_no_database_is_left_alone(path: str, driver: str, bytes_: bytes) -> None:
    Path(path).write_bytes(bytes_)
    untouched(path, ForeignFile, "is not a database", driver)


def test_a_folder_is_named_with_the_file_it_could_hold(tmp_path: Path, driver: str) -> None:
    with pytest.raises(InvalidInput, match=r"is a folder: name a file in it, such as .*memory\.db"):
        cogmem.open(tmp_path, driver=driver)


def test_a_device_or_a_pipe_is_no_place_for_a_memory(tmp_path: Path, driver: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/null", tmp_path / "pipe"):
        with pytest.raises(InvalidInput, match="is not a file: name one in which a memory can lie"):
            cogmem.open(place, driver=driver)


def test_an_address_or_a_name_below_a_file_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="is an address, not a file"):
        cogmem.open("postgres://host:5432")
    (tmp_path / "notes").write_text("Herons wade.")
    with pytest.raises(InvalidInput, match="not a folder: name another file"):
        cogmem.open(tmp_path / "notes" / "memory.db")
    assert os.listdir(tmp_path) == ["notes"]


# -- damage ------------------------------------------------------------------------------------------


def everything(folder: str) -> dict[str, bytes]:
    """Names and bytes of all files of a folder."""
    return {name: Path(folder, name).read_bytes() for name in sorted(os.listdir(folder))}


@pytest.mark.parametrize(
    "keep", [110, 300, 511, 200_000, -512], ids=lambda keep: f"{keep} bytes left"
)
def test_a_file_that_was_cut_off_is_told_and_stays_as_it_is(
    path: str, driver: str, keep: int
) -> None:
    a_memory(path)
    whole = Path(path).read_bytes()
    assert len(whole) > keep
    Path(path).write_bytes(whole[:keep])  # -512: all but the last page
    before = everything(os.path.dirname(path))
    for _ in range(2):
        with pytest.raises(Damaged, match=r"cogmem file restore.*cogmem file salvage.*--set-aside"):
            cogmem.open(path, driver=driver)
    assert everything(os.path.dirname(path)) == before


def test_a_file_with_a_broken_schema_page_is_told_and_stays(path: str, driver: str) -> None:
    a_memory(path)
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 2000)
    before = everything(os.path.dirname(path))
    with pytest.raises(Damaged):
        cogmem.open(path, driver=driver)
    assert everything(os.path.dirname(path)) == before


def test_a_memory_without_its_first_page_is_no_other_programs_file(path: str) -> None:
    a_memory(path)
    with open(path, "r+b") as file:
        file.write(bytes(4096))
    with pytest.raises(Damaged, match="changes when it was last closed"):
        cogmem.open(path)


def test_a_memory_that_lost_all_its_bytes_does_not_begin_anew(path: str, driver: str) -> None:
    a_memory(path)
    os.truncate(path, 0)
    with pytest.raises(Damaged, match="it has no bytes"):
        cogmem.open(path, driver=driver)
    assert os.path.getsize(path) == 0


@pytest.mark.parametrize("how", ["gone", "empty"])
def test_a_log_without_its_file_is_never_thrown_away(path: str, how: str) -> None:
    Path(f"{path}-wal").write_bytes(b"x" * 5_000)
    if how == "empty":
        Path(path).touch()
    before = everything(os.path.dirname(path))
    with pytest.raises(Damaged, match="log of 5000 bytes"):
        cogmem.open(path)
    assert everything(os.path.dirname(path)) == before


def test_a_memory_that_is_gone_is_told_by_the_one_that_begins_in_its_place(path: str) -> None:
    a_memory(path)
    os.unlink(path)
    with cogmem.open(path) as mem:
        [problem] = mem.file.check()
        assert mem.notices == mem.file.warnings() == [problem]
        assert "was here until" in problem
        accept(path)
        assert mem.file.check() == []


def test_what_was_set_aside_is_told_until_it_is_moved_away(path: str) -> None:
    for number in (1, 2):
        a_memory(path)
        os.truncate(path, 200)
        kept = set_aside(path, now=NOW)
        assert os.path.getsize(kept) == 200
        with cogmem.open(path) as mem:
            assert [
                line for line in mem.file.check() if "was set aside" in line
            ] == mem.file.warnings()[:number]
            assert len(mem.file.warnings()) == number, "a person put it by: the new one is meant"
            assert mem.notices == []


def test_a_sound_file_is_not_set_aside(path: str) -> None:
    a_memory(path)
    with pytest.raises(InvalidInput, match="is not damaged"):
        set_aside(path, now=NOW)
    with cogmem.open(path) as mem:
        assert mem.file.check() == []


@pytest.mark.parametrize("rubbish", [b"", b"not a database at all" * 100])
def test_what_lies_in_the_place_of_a_memory_can_be_set_aside(path: str, rubbish: bytes) -> None:
    a_memory(path)
    Path(path).write_bytes(rubbish)
    with pytest.raises(Damaged):
        cogmem.open(path)
    set_aside(path, now=NOW)
    with cogmem.open(path) as mem:
        assert mem.notices == []


def test_a_file_that_opens_and_is_damaged_within_can_be_set_aside(path: str) -> None:
    a_memory(path, *[f"heron {number}" for number in range(50)])
    with cogmem.open(path) as mem:
        [(page,)] = mem.db.ask("select rootpage from sqlite_schema where name = 'memory'")
        [(size,)] = mem.db.ask("pragma page_size")
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    kept = set_aside(path, now=NOW)
    assert os.path.exists(kept)
    with cogmem.open(path) as mem:
        assert mem.list(now=NOW) == []


def test_damage_met_while_reading_is_told_and_the_file_stays_where_it_is(
    path: str, driver: str
) -> None:
    a_memory(path, *[f"heron {number}" for number in range(50)])
    with cogmem.open(path) as mem:
        [(page,)] = mem.db.ask("select rootpage from sqlite_schema where name = 'memory'")
        [(size,)] = mem.db.ask("pragma page_size")
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    damaged = Path(path).read_bytes()
    with cogmem.open(path, driver=driver) as mem:
        with pytest.raises(Damaged, match="cogmem file restore"):
            mem.list(now=NOW)
        assert mem.file.check() != []
    assert Path(path).read_bytes() == damaged


def test_a_damaged_file_is_not_set_aside_by_one_who_may_only_read(path: str, driver: str) -> None:
    a_memory(path)
    damaged = Path(path).read_bytes()[:300]
    Path(path).write_bytes(damaged)
    with pytest.raises(DatabaseProblem):
        cogmem.open(path, driver=driver, read_only=True)
    assert Path(path).read_bytes() == damaged


# -- reading only ------------------------------------------------------------------------------------


def test_a_memory_opened_for_reading_refuses_to_write_and_says_so(path: str, driver: str) -> None:
    a_memory(path)
    with cogmem.open(path, driver=driver, read_only=True, counter=counting.Simple()) as mem:
        assert [row.content for row in mem.list(now=NOW)] == ["Herons wade."]
        with pytest.raises(ReadOnly, match="cannot be written"):
            mem.learn("Storks stalk.", now=NOW)


def test_reading_what_is_not_there_makes_no_file(path: str, driver: str) -> None:
    with pytest.raises(DatabaseProblem, match="does not exist"):
        cogmem.open(path, driver=driver, read_only=True)
    assert not os.path.exists(path)
    with open(path, "wb"):
        pass
    with pytest.raises(DatabaseProblem, match="is empty: `cogmem learn` makes a memory of it"):
        cogmem.open(path, driver=driver, read_only=True)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_file_without_write_permission_is_told(path: str, driver: str) -> None:
    a_memory(path)
    os.chmod(path, 0o400)
    with pytest.raises(ReadOnly, match="permissions"), cogmem.open(path, driver=driver) as mem:
        mem.learn("Storks stalk.", now=NOW)


# -- locks -------------------------------------------------------------------------------------------


@pytest.fixture
def writer_at_work(path: str) -> Iterator[Callable[[], None]]:
    """Another process holds the write lock until the returned function is called."""
    a_memory(path)
    holder = subprocess.Popen(
        [
            sys.executable,
            "-I",
            "-c",
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
            "db.execute('begin immediate'); print('held', flush=True); sys.stdin.readline(); db.execute('rollback')",
            path,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"

    def release() -> None:
        if holder.stdin and not holder.stdin.closed:
            holder.stdin.close()
        holder.wait()

    yield release
    release()
    holder.stdout.close()


def test_a_lock_that_is_held_too_long_is_told_and_reading_goes_on(
    path: str, driver: str, writer_at_work: Callable[[], None]
) -> None:
    db = Database(path, driver=driver, busy_ms=10)
    with pytest.raises(Locked, match="try again"):
        db.write([("store.reinforce", {"uid": "x", "now": NOW})], verb="test", at=NOW)
    assert db.ask("select content from memory") == [("Herons wade.",)]
    writer_at_work()
    db.write([("update memory set priority = 4", {})], verb="test", at=NOW)
    assert db.ask("select priority from memory") == [(4,)]
    db.close()


def test_a_lock_is_waited_for(path: str, driver: str, writer_at_work: Callable[[], None]) -> None:
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        threading.Timer(0.2, writer_at_work).start()
        mem.learn("Storks stalk.", now=NOW)
        assert mem.stats().memories == 2


# -- a full disk -------------------------------------------------------------------------------------


def test_a_full_disk_is_told_nothing_of_the_write_is_stored_and_room_mends_it(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Herons wade.", now=NOW)
    pages = memory.db.ask("pragma page_count")[0][0]
    memory.db.ask(f"pragma max_page_count = {pages + 2}")
    with pytest.raises(DiskFull, match="make room"):
        memory.learn("Storks stalk. " * 20_000, now=NOW)
    assert [row.content for row in memory.list(now=NOW)] == ["Herons wade."]
    assert memory.file.check() == []
    memory.db.ask(f"pragma max_page_count = {pages + 100_000}")
    memory.learn("Storks stalk. " * 20_000, now=NOW)
    assert memory.stats().memories == 2


def test_a_file_whose_companions_find_no_room_is_read_and_looked_at(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cogmem.open(path) as memory:
        memory.learn("Herons wade.", now=NOW)

    def full(_: Database) -> None:
        raise DiskFull("no room for what lies beside it")

    monkeypatch.setattr(Database, "_connect", full)
    with cogmem.open(path) as memory:
        assert [row.content for row in memory.list(now=NOW)] == ["Herons wade."]
        assert memory.file.check() == []
        assert memory.file.doctor().problems == []
        with pytest.raises(ReadOnly):
            memory.learn("Storks stalk.", now=NOW)


def test_a_rebuilt_index_keeps_its_long_list_out_of_the_way_of_new_ones(path: str) -> None:
    memory = cogmem.open(
        path, counter=counting.Simple()
    )  # an older SQLite merges all of it, by design
    memory.db.ask(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 7000)"
        " insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)"
        " select printf('mem_%016x', i), 'semantic', 'fact',"
        "  'Heron ' || i || ' saw fish ' || (i * 7919 % 100003) || ' at pond ' || (i * 31 % 5003), 1, 1, 1 from n"
    )
    memory.file.rebuild()
    longest = (
        "select id >> 37 as list, count(*) as pages from memory_fts_data where id > 10"
        " group by 1 order by 2 desc limit 1"
    )
    before = memory.db.ask(longest)
    assert before[0][1] > 20
    for number in range(70):
        memory.learn(f"Crane {number} danced in March.", now=NOW)
    assert memory.db.ask(longest) == before, "nothing of it was written anew"
    assert memory.file.check() == []
    memory.close()


def test_buffers_of_a_large_write_go_between_two_writes_and_never_within_one(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Herons wade.", now=NOW)
    with memory.db.together():
        memory.learn("Storks nest.", now=NOW)
        memory.db.shrink()
        memory.learn("Cranes dance.", now=NOW)
    memory.db.shrink()
    memory.learn("Egrets fish.", now=NOW)
    found = [
        memory.recall(word, now=NOW)[0].content for word in ("wading", "nests", "dance", "fish")
    ]
    assert found == ["Herons wade.", "Storks nest.", "Cranes dance.", "Egrets fish."]


# -- closing, forking --------------------------------------------------------------------------------


def test_closing_twice_is_fine_and_using_it_afterwards_is_told(path: str, driver: str) -> None:
    mem = cogmem.open(path, driver=driver)
    mem.close()
    mem.close()
    with pytest.raises(DatabaseProblem, match="closed: open it again"):
        mem.list(now=NOW)


def test_closing_leaves_one_file(path: str, driver: str) -> None:
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
    assert os.listdir(os.path.dirname(path)) == ["memory.db"]


def test_acts_of_one_process_are_neighbours_and_those_of_two_are_not(path: str) -> None:
    acts = []
    for _ in range(2):
        with cogmem.open(path, counter=counting.Simple()) as mem:
            acts.append([int(mem.learn(f"Heron {n}.", now=NOW).act[4:], 16) for n in range(3)])
    (one, *rest), others = acts
    assert rest == [one + 2, one + 4]  # the memories are named from the same numbers
    assert not {*others} & {one, *rest}


FOLLOWED = """
import os, sys, threading, cogmem
from cogmem.tokens import counting
home, elsewhere = sys.argv[1:]
os.chdir(home)
mem = cogmem.open("memory.db", counter=counting.Simple())
parents = mem.db.connection
mem.learn("Herons wade.")
os.chdir(elsewhere)
open("memory.db-wal", "wb").close()  # as another memory of that name has it
for _ in range(210):
    mem.db.write([], verb="test", actor="test", at=1)
sys.stdout.flush()
if os.fork() == 0:
    found = []
    together = threading.Barrier(4)
    def read():
        together.wait()
        found.append((len(mem.list()), mem.db.connection is parents))
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(found, flush=True)
    os._exit(0)
os.wait()
print(os.listdir("."), os.path.getsize("memory.db-wal"), mem.path == os.path.join(home, "memory.db"))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_goes_elsewhere_or_forks_keeps_its_file(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    done = ran(
        [sys.executable, "-W", "ignore", "-c", FOLLOWED, home, elsewhere],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    in_child, in_parent = done.stdout.splitlines() or ["", done.stderr]
    assert in_child == str([(1, False)] * 4), "no thread of a child uses its parent's connection"
    assert in_parent == "['memory.db-wal'] 0 True", "and the other folder's file is left alone"


def test_the_log_of_a_linked_file_is_found_beside_the_file(path: str, tmp_path: Path) -> None:
    a_memory(path)
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with cogmem.open(link, counter=counting.Simple()) as mem:
        mem.learn("Storks nest.", now=NOW)
        assert mem.db.log_size() == mem.file.doctor().wal_size == os.path.getsize(f"{path}-wal") > 0


def test_an_error_on_looking_whether_anything_was_written_is_told(path: str, driver: str) -> None:
    a_memory(path)
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        mem.activate("herons?", now=NOW)
        done = (
            subprocess.run(
                [
                    "sqlite3",
                    path,
                    "update setting set meaning = meaning; pragma wal_checkpoint(truncate);",
                ],
                capture_output=True,
                check=False,
            )
            if shutil.which("sqlite3")
            else None
        )
        if done is None or done.returncode:
            pytest.skip("needs the sqlite3 shell")
        with open(path, "r+b") as file:
            file.write(bytes(100))
        with pytest.raises(DatabaseProblem):
            mem.activate("herons?", now=NOW)


def test_a_file_that_is_made_while_it_is_opened_is_taken_for_ours(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(Database(path)) as begun:  # as far as another process has come
        begun.ask("pragma auto_vacuum = incremental")
        begun.ask("pragma journal_mode = wal")
    ask = Database.ask

    def slowly(self: Database, text: str, params: object = None) -> object:
        found = ask(self, text, params)  # type: ignore[arg-type]
        if text == "pragma application_id" and not self.is_writing:
            subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "import cogmem, sys; cogmem.open(sys.argv[1]).close()",
                    path,
                ],
                cwd=ROOT,
                check=True,
                timeout=60,
            )
        return found

    monkeypatch.setattr(Database, "ask", slowly)
    with cogmem.open(path) as mem:
        assert mem.stats().memories == 0


# -- the seam ----------------------------------------------------------------------------------------


def test_a_write_is_all_or_nothing(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    steps = [
        ("store.reinforce", {"uid": learned.uid, "now": NOW}),
        ("update memory set priority = 9", {}),
    ]
    with pytest.raises(InvalidInput, match="priority_is_one_to_four"):
        memory.db.write(steps, verb="test", at=NOW)
    assert memory.get(learned.uid, now=NOW).reinforcement_count == 1
    assert memory.db.ask("select act, verb, acted_at from context") == [(None, None, None)]
    assert len(memory.history.log()) == 1


def test_a_turn_writes_its_instant_and_no_more_about_itself(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade.", now=NOW)
    told: list[str] = []
    memory.db.connection.set_profile(
        lambda text, _: told.append(text)
    ) if memory.db.driver == "apsw" else memory.db.connection.set_trace_callback(told.append)
    memory.activate("Where do herons wade?", session="s", now=NOW + 5)
    assert told
    assert not any("context set act" in text for text in told)
    assert memory.db.ask("select act, verb, acted_at, last_at from context") == [
        (None, None, None, NOW + 5)
    ]
    assert len(memory.history.log()) == 1


def test_a_turn_dates_what_a_shell_remembered(memory: cogmem.Memory) -> None:
    memory.db.ask("insert into remember (content) values ('Herons wade.')")
    memory.activate("Where do herons wade?", now=NOW)
    assert {row.raw("created_at") for row in memory.list(now=NOW)} == {NOW}
    assert memory.db.ask("select * from undated") == []


def test_a_write_decided_on_old_rows_is_a_conflict_and_changes_nothing(
    memory: cogmem.Memory,
) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    seen = memory.store.seen(learned.uid)
    memory.update(learned.uid, priority=4, now=NOW)
    steps = [
        ("store.still", {"uid": learned.uid, "seen": seen}),
        ("store.reinforce", {"uid": learned.uid, "now": NOW}),
    ]
    with pytest.raises(Conflict, match="read it again"):
        memory.db.write(steps, verb="test", at=NOW)
    assert memory.get(learned.uid, now=NOW).reinforcement_count == 1


def test_an_unknown_statement_is_told_before_anything_is_written(memory: cogmem.Memory) -> None:
    with pytest.raises(UnknownName, match=r"schema/queries/store\.sql"):
        memory.db.write([("store.no_such", {})], verb="test", at=NOW)
    with pytest.raises(UnknownName, match="no SQL file for 'nowhere'"):
        memory.db.read("nowhere.at_all")
    assert memory.history.log() == []


def test_errors_of_a_driver_never_reach_the_caller(memory: cogmem.Memory) -> None:
    for sql in ["select * from nowhere", "selec 1", "select :missing"]:
        with pytest.raises(DatabaseProblem, match=r"memory\.db"):
            memory.db.ask(sql)


def test_what_cannot_be_stored_is_invalid_input(memory: cogmem.Memory) -> None:
    for value in [2**70, "\ud800"]:
        with pytest.raises(InvalidInput):
            memory.db.ask("select :value", {"value": value})


@pytest.mark.parametrize(
    ("version", "fault"),
    [
        ("3.6.23", False),
        ("3.7.0", True),
        ("3.40.1", True),
        ("3.44.5", True),
        ("3.44.6", False),
        ("3.45.0", True),
        ("3.50.6", True),
        ("3.50.7", False),
        ("3.51.0", True),
        ("3.51.2", True),
        ("3.51.3", False),
        ("3.54.1", False),
    ],
)
def test_versions_with_the_wal_reset_fault_are_known(version: str, fault: bool) -> None:
    assert has_wal_reset_fault(version) is fault


def test_a_library_with_the_torn_log_fault_folds_it_only_when_alone(path: str) -> None:
    sound = not has_wal_reset_fault(sqlite3.sqlite_version)
    with cogmem.open(path, driver="sqlite3") as mem:
        assert mem.db.ask("pragma wal_autocheckpoint") == [(LOG if sound else 0,)]
        mem.learn("Herons wade.", now=NOW)
        assert not mem.db.fold_log()
        folded = "Herons wade." in Path(path).read_bytes().decode("latin-1")
        assert folded == sound, "a checkpoint that lets others write is not for it"
        assert mem.db.fold_log(100), "one that keeps them away is"
        assert b"Herons wade." in Path(path).read_bytes()
        assert mem.db.ask("pragma busy_timeout") == [(mem.db.busy_ms,)]
    assert not os.path.exists(path + "-wal")


def test_a_process_that_writes_often_waits_for_the_disk_less_often(path: str) -> None:
    with cogmem.open(path) as mem:
        assert mem.db.ask("pragma wal_autocheckpoint") == [(LOG,)]
        for number in range(MANY + 1):
            mem.db.write([], verb="test", at=NOW + number)
        assert mem.db.ask("pragma wal_autocheckpoint") == [(LOG_OF_MANY,)]
    assert not os.path.exists(path + "-wal"), "closing still moves all of it into the one file"


def test_only_what_a_turn_leaves_stays_in_the_log_when_a_memory_is_closed(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Herons wade.", now=NOW)
    with cogmem.open(path) as mem:
        mem.activate("What do herons do?", session="s", now=NOW)
    assert os.path.exists(path + "-wal"), "a turn does not wait for the disk"
    with cogmem.open(path) as mem:
        mem.activate("And storks?", session="s", now=NOW)
        mem.sessions.notes("s").pin("the deadline is Friday", NOW)
        mem.activate("And egrets?", session="s", now=NOW)
    assert not os.path.exists(path + "-wal"), "what a person pinned is on the disk"


# -- what is kept between reads, and one instant for many ----------------------------------------------


def half_life(db: Database) -> str:
    return str(dict(db.read("store.settings"))["half_life_days"])


def test_what_is_kept_is_read_anew_after_any_write_but_a_turn(path: str, driver: str) -> None:
    reads = []

    def asked(db: Database) -> str:
        reads.append(1)
        return half_life(db)

    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        before = mem.db.kept("half", asked)
        assert mem.db.kept("half", asked) == before
        assert len(reads) == 1
        mem.activate("Where do herons wade?", now=NOW)
        assert mem.db.kept("half", asked) == before
        assert len(reads) == 1
        mem.db.connection.execute("update setting set value = '7' where name = 'half_life_days'")
        assert mem.db.kept("half", asked) == "7"
        assert len(reads) == 2
        code = (
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
            "c.execute(\"update setting set value = '8' where name = 'half_life_days'\")"
        )
        subprocess.run([sys.executable, "-c", code, path], check=True)
        assert mem.db.kept("half", asked) == "8"
        assert len(reads) == 3


def test_what_a_rolled_back_block_read_is_not_kept(memory: cogmem.Memory) -> None:
    before = memory.db.kept("half", half_life)
    with memory.db.together(keep=False):
        memory.db.connection.execute("update setting set value = '9' where name = 'half_life_days'")
        assert memory.db.kept("half", half_life) == "9"
    assert memory.db.kept("half", half_life) == before


def test_a_reading_block_sees_one_instant_and_leaves_no_transaction(path: str, driver: str) -> None:
    a_memory(path)
    with cogmem.open(path, driver=driver) as mem, cogmem.open(path, driver=driver) as other:
        with mem.db.reading():
            before = len(mem.list(now=NOW))
            other.learn("Grebes dive.", now=NOW)
            with mem.db.reading():  # within another it is nothing of its own
                assert len(mem.list(now=NOW)) == before
        assert len(mem.list(now=NOW)) == before + 1
        assert not mem.db.is_writing
        with pytest.raises(ZeroDivisionError), mem.db.reading():
            raise ZeroDivisionError
        mem.learn("Coots swim.", now=NOW)
        with mem.db.together(), mem.db.reading():
            mem.learn("Ducks float.", now=NOW)
        assert len(mem.list(now=NOW)) == before + 3


_READS_WHERE_NOTHING_CAN_BE_WRITTEN = """
import sys, cogmem
from cogmem.tokens import counting
path, driver = sys.argv[1:]
with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
    print(mem.notices)
    print([row.content for row in mem.list()], [row.content for row in mem.recall("herons", now=1_800_000_000_000)])
    turn = mem.activate("Where do herons wade?", session="s", now=1_800_000_000_000)
    print("Herons" in turn.text, mem.file.check(), mem.file.warnings())
    if driver == "apsw":
        print(mem.file.query("select count(*) from memory").rows)
    try:
        mem.learn("Storks stalk.")
    except cogmem.errors.ReadOnly as error:
        print(error)
"""


def test_a_file_that_is_protected_against_writing_is_read(path: str, driver: str) -> None:
    a_memory(path)
    os.chmod(path, 0o444)
    words = [sys.executable, "-c", _READS_WHERE_NOTHING_CAN_BE_WRITTEN, path, driver]
    if not os.geteuid():  # to whom no mode of a file matters
        if shutil.which("setpriv") is None:
            pytest.skip("there is no setpriv")
        words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *words]
    done = ran(words)
    if "setpriv:" in done.stderr:
        pytest.skip("nobody may drop a capability here")
    said = done.stdout.splitlines()
    assert said[0].count("is protected against writing: it is read") == 1
    assert said[1] == "['Herons wade.'] ['Herons wade.']"
    assert said[2].startswith("True [] [")
    assert "cannot be written" in said[-1]


def test_a_memory_on_media_that_nothing_can_write_is_read(path: str, driver: str) -> None:
    a_memory(path)
    folder = os.path.dirname(path)
    words = [sys.executable, "-c", _READS_WHERE_NOTHING_CAN_BE_WRITTEN, path, driver]
    mount = (
        f'mount --bind "{folder}" "{folder}" && mount -o remount,ro,bind "{folder}" && exec "$@"'
    )
    try:
        done = ran(["unshare", "-Urm", "sh", "-c", mount, "sh", *words])
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if "unshare:" in done.stderr or "mount:" in done.stderr:
        pytest.skip("nobody may mount here")
    said = done.stdout.splitlines()
    assert said[0].count("nothing can be written where") == 1
    assert said[1] == "['Herons wade.'] ['Herons wade.']"
    assert said[2].startswith("True [] [")
    assert said[2].count("nothing can be written") == 1
    assert said[3:-1] == (["[(1,)]"] if driver == "apsw" else [])
    assert "cannot be written" in said[-1]
    assert os.listdir(folder) == [os.path.basename(path)]
