"""Several writes as one transaction: all or none, and each may fail by itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from planted import DAY, plant
from processes import ran

import cogmem
from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_800_000_000_000


def uids(memory: cogmem.Memory) -> list[str]:
    return [row[0] for row in memory.db.ask("select uid from memory order by id")]


def test_writes_together_are_kept_together_or_not_at_all(memory: cogmem.Memory) -> None:
    with memory.db.together():
        first, second = plant(memory, "one", at=NOW), plant(memory, "two", at=NOW)

    def give_up() -> None:
        with memory.db.together():
            plant(memory, "three", at=NOW)
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    assert uids(memory) == [first, second]
    assert len({row[0] for row in memory.db.ask("select act from change")}) == 2


def test_a_rehearsal_is_seen_from_within_and_leaves_nothing(memory: cogmem.Memory) -> None:
    with memory.db.together(keep=False):
        uid = plant(memory, "for now", at=NOW)
        assert uids(memory) == [uid]
        with memory.db.together():
            plant(memory, "a block within", at=NOW)
    assert uids(memory) == []
    assert memory.db.ask("select count(*) from change") == [(0,)]
    assert memory.db.ask("select last_at from context") == [(0,)]


def test_a_write_that_fails_leaves_the_others(memory: cogmem.Memory) -> None:
    with memory.db.together():
        kept = plant(memory, "good", at=NOW)
        with pytest.raises(InvalidInput):
            plant(memory, "bad", at=NOW, priority=9)
        also = plant(memory, "good again", at=NOW)
    assert uids(memory) == [kept, also]


def test_a_block_within_a_block_can_be_taken_back_alone(memory: cogmem.Memory) -> None:
    with memory.db.together():
        kept = plant(memory, "outer", at=NOW)
        with memory.db.together(keep=False):
            plant(memory, "inner", at=NOW)
    assert uids(memory) == [kept]


def test_the_history_of_all_writes_carries_the_run(memory: cogmem.Memory) -> None:
    with memory.db.together(run="run_1"):
        plant(memory, "one", at=NOW)
        with memory.db.together():
            plant(memory, "two", at=NOW)
    plant(memory, "three", at=NOW)
    runs = memory.db.ask(
        "select run, count(*) from change where record = 'memory' group by run order by run"
    )
    assert runs == [(None, 1), ("run_1", 2)]


def test_other_threads_and_connections_wait(
    memory: cogmem.Memory, path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    order: list[str] = []

    def other() -> None:
        plant(memory, "by another thread", at=NOW + DAY)
        order.append("other")

    with memory.db.together(), open_memory(path) as reader:
        plant(memory, "first", at=NOW)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.1)
        assert uids(reader) == []
        order.append("block")
    thread.join(5)
    assert order == ["block", "other"]
    assert len(uids(memory)) == 2


# -- what breaks a block ------------------------------------------------------------------------------

HOLDER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin immediate")
print("held", flush=True)
time.sleep(1)
db.execute("rollback")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="needs signals")
def test_who_interrupts_a_block_that_waits_leaves_no_transaction(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as mem:
        with subprocess.Popen(
            [sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE
        ) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt), mem.db.together():
                pytest.fail("the lock was free")
        assert not mem.db.is_writing
        with mem.db.together():
            plant(mem, "after it", at=NOW)
        assert len(uids(mem)) == 1


def test_who_interrupts_the_end_of_a_block_leaves_no_transaction(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    def write() -> None:
        with memory.db.together() as block:
            plant(memory, "heron", at=NOW)
            monkeypatch.setattr(block, "must_stand", interrupted)

    with pytest.raises(KeyboardInterrupt):
        write()
    assert not memory.db.is_writing
    assert uids(memory) == []
    with memory.db.together():
        plant(memory, "stork", at=NOW)


FULL = """
import resource, signal, sys, cogmem
from cogmem.tokens import counting
from cogmem.errors import CogmemError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, driver, keep = sys.argv[1], sys.argv[2], sys.argv[3] == "True"
most = resource.RLIM_INFINITY
with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
    mem.learn("Herons wade.")
    try:
        with mem.db.together(keep=keep):
            mem.learn("First of the block.")
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, most))
            try:
                with mem.db.together():
                    for number in range(40):
                        mem.learn(f"{number} Storks stalk. " * 50_000)
            except CogmemError:
                pass
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            mem.learn("Second of the block.")
    except CogmemError as error:
        print(error)
    print([row.content for row in mem.list()], mem.file.check())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("driver", ["apsw", "sqlite3"])
def test_a_block_whose_disk_fails_stores_nothing_of_it(path: str, driver: str, keep: bool) -> None:
    done = ran([sys.executable, "-c", FULL, path, driver, str(keep)])
    said, left = done.stdout.splitlines() or ["", done.stderr]
    assert "failed within a block of writes: nothing of it is stored" in said
    assert left == "['Herons wade.'] []"


@pytest.mark.parametrize("driver", ["apsw", "sqlite3"])
def test_a_block_whose_memory_is_closed_says_so(path: str, driver: str) -> None:
    mem = cogmem.open(path, driver=driver)
    with pytest.raises(DatabaseProblem, match="closed within a block"), mem.db.together():
        mem.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_block_is_for_the_process_that_began_it_to_end(path: str) -> None:
    script = (
        "import os, sys, cogmem\n"
        "mem = cogmem.open(sys.argv[1])\n"
        "with mem.db.reading(), mem.db.reading():\n"
        "    child = os.fork()\n"
        "if child == 0: os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "with mem.db.together():\n"
        "    mem.learn('Herons wade.')\n"
        "    child = os.fork()\n"
        "if child == 0: os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "print(len(mem.list()), mem.file.check())"
    )
    done = ran([sys.executable, "-W", "ignore", "-c", script, path])
    assert done.stdout.strip() == "1 []", done.stderr


def test_the_work_of_another_thread_is_not_told_of_the_run_of_a_block(
    memory: cogmem.Memory,
) -> None:
    inside, asked = threading.Event(), threading.Event()

    def other() -> None:
        inside.wait()
        threading.Timer(0.2, asked.set).start()
        value = {"name": "ledger_days", "value": "7"}
        memory.db.write([("store.set_setting", value)], verb="setting", actor="person", at=NOW)

    thread = threading.Thread(target=other)
    thread.start()
    with memory.db.together(run="run_of_a_night"):
        inside.set()
        asked.wait()
    thread.join()
    assert memory.db.ask("select actor, run from change") == [("person", None)]


def test_a_write_among_reads_is_refused_and_they_stay_at_their_instant(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as mem, open_memory(path) as other:
        with mem.db.reading():
            before = uids(mem)
            with pytest.raises(DatabaseProblem, match="read first, then write"):
                mem.db.write([], verb="test", at=NOW)
            plant(other, "meanwhile", at=NOW)
            assert uids(mem) == before
        assert len(uids(mem)) == 1


def test_a_block_with_a_turn_in_it_leaves_one_file(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem, mem.db.together():
        mem.learn("Herons wade.", now=NOW)
        mem.activate("herons?", session="s", now=NOW)
        mem.flush()
    assert not os.path.exists(f"{path}-wal")
