"""A short dose of what `make torture` does for long: kills, power cuts, a crowd, forks, long readers."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import DAY, EVERYTHING, NOW
from processes import ran
from torture.expected import ANY, Expected

import cogmem
from cogmem.errors import InvalidInput
from cogmem.file.snapshot import snapshot
from cogmem.tokens import counting

ROOT = Path(cogmem.__file__).resolve().parents[1]
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def torture(part: str, **options: object) -> dict[str, Any]:
    """Run a part in a process of its own; its figures."""
    named = [f"--{name}={value}" for name, value in options.items()]
    done = ran(
        [sys.executable, "-m", "torture", part, *named],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))},
        timeout=300,
    )
    assert "{" in done.stdout, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    return figures


# -- kills and cuts ----------------------------------------------------------------------------------


@posix
def test_processes_killed_at_random_leave_every_acknowledged_write_and_nothing_by_half() -> None:
    figures = torture("kill", kills=12, seed=4)
    assert figures["faults"] == []
    assert figures["kills"] == 12
    assert figures["acknowledged_writes"] > 0


def test_a_power_cut_leaves_the_life_up_to_some_write() -> None:
    figures = torture("power", seconds=3, seed=3)
    assert figures["faults"] == []
    assert figures["honest"]["cuts"] > 0
    assert figures["honest"]["damage_told"] == 0


def test_a_simulation_of_users_doors_fields_and_faults_agrees_with_its_oracle() -> None:
    """`make simulate` takes 10,000 steps, `make torture` as many as its time allows."""
    steps = 500 if EVERYTHING else 150
    figures = torture("simulate", steps=steps, seed=11)
    assert figures["faults"] == []
    assert figures["steps"] == steps
    assert figures["acknowledged"] > 0.3 * steps
    assert min(figures[fault] for fault in ("disk", "lock", "clock", "guest")) > 0


def test_the_harness_itself_finds_what_is_lost_doubled_or_half_done() -> None:
    journal = [
        '["?", "learn", {"memory a": [1, "active"]}]\n',
        '["!", "learn", {"memory a": [1, "active"]}]\n',
        '["?", "import", {"memory b": [1, "*"], "memory c": [1, "*"]}]\n',
    ]
    assert ANY == "*"

    def faults(found: dict[str, Any]) -> int:
        expected = Expected()
        expected.read(journal)
        return len(expected.compare(found, 0))

    a, b, c = ({f"memory {name}": [1, "active"]} for name in "abc")
    assert faults({**a}) == faults({**a, **b, **c}) == 0
    assert faults({}), "an acknowledged write is missing"
    assert faults({**a, **b}), "an import is half done"
    assert faults({**a, "memory d": [1, "active"]}), "a memory that nobody announced"
    assert faults({"memory a": [2, "active"]}), "another version than was written"


# -- many at once ------------------------------------------------------------------------------------


@pytest.mark.slow
@posix
def test_a_crowd_of_processes_loses_nothing_and_meets_no_lock() -> None:
    figures = torture("crowd", processes=6, seconds=4, seed=5)
    assert figures["faults"] == []
    assert figures["deeds"]["worst_ms"] < 20_000, "what a caller waits for a lock at most"


def test_o05_threads_that_share_one_memory_lose_no_turn(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade in the shallows.", now=NOW)
    faults: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(25):
                memory.activate(
                    f"heron {number}", session=f"s{name}", turn=f"t{name}_{number}", now=NOW
                )
                memory.recall("heron", now=NOW)
                memory.conversation(f"c{name}").append("user", f"line {number}", at=NOW)
                if number % 10 == 0:
                    memory.flush()
        except BaseException as fault:
            faults.append(fault)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(name,)) for name in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert faults == []
    memory.flush()
    assert memory.db.ask("select count(*) from activation") == [(125,)]
    assert memory.db.ask("select count(*), sum(turn_count) from session") == [(5, 125)]
    assert memory.db.ask("select access_count from memory") == [(125,)]


def test_a_turn_whose_row_can_never_be_stored_does_not_stop_those_behind_it(
    memory: cogmem.Memory,
) -> None:
    memory.activate("heron", now=NOW)
    assert memory._kept.ledger is not None
    memory._kept.ledger._waiting.append(
        ([("update activation set budget = -1", {})], "test", NOW, [])
    )
    with pytest.raises(InvalidInput, match="budget_was_kept"):
        memory.flush()
    memory.activate("stork", turn="behind", now=NOW)
    assert memory.turns.get("behind").turn == "behind"


def test_undo_goes_through_though_others_write_all_the_time(
    memory: cogmem.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cogmem.store import history

    act = memory.learn("Herons wade.", now=NOW).act
    inverse = history._inverse
    overtaken = []

    def overtake(*given: Any) -> Any:
        """Somebody else writes after every decision that others can still overtake."""
        decided = inverse(*given)
        if memory.db._together is None:
            overtaken.append(memory.learn(f"stork {len(overtaken)}", now=NOW).uid)
        return decided

    monkeypatch.setattr(history, "_inverse", overtake)
    memory.undo(act, now=NOW)
    assert len(overtaken) == history._DECISIONS
    assert sorted(row.uid for row in memory.list(now=NOW)) == sorted(overtaken)


# -- long readers ------------------------------------------------------------------------------------


def test_a_long_reader_lets_the_log_grow_and_no_longer_than_it_reads(path: str) -> None:
    def log() -> int:
        return os.path.getsize(path + "-wal")

    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.nightly(now=NOW, job="optimise")
        with snapshot(mem.db) as frozen:
            before = frozen.ask("select count(*) from memory")
            for number in range(60):
                mem.learn(f"heron {number} " + "wades " * 200, now=NOW)
            mem.nightly(now=NOW + 1, job="optimise", force=True)
            assert frozen.ask("select count(*) from memory") == before == [(0,)]
            assert log() > 1_000_000, "the reader's state lies before all that was written since"
        mem.nightly(now=NOW + 2, job="optimise", force=True)
        assert log() < 100_000, "only the end of the job was written since"
        assert mem.file.check() == []


def test_doctor_warns_of_a_log_that_a_reader_keeps_from_being_folded_in(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cogmem.file import check

    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        monkeypatch.setattr(check, "LONG_LOG", os.path.getsize(path + "-wal") + 50_000)
        assert not any("write-ahead log" in one for one in mem.file.doctor().warnings)
        with snapshot(mem.db):
            for number in range(20):
                mem.learn(f"heron {number} wades", now=NOW)
            assert any("write-ahead log" in one for one in mem.file.doctor().warnings)


@posix
def test_a_night_beside_a_long_reader_keeps_no_writer_waiting(path: str) -> None:
    """A checkpoint that waits for readers holds the write lock while it waits."""
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", now=NOW)
        with snapshot(mem.db):
            mem.learn("Storks stalk.", now=NOW)
            waits: list[int] = []
            ask = mem.db.ask

            def watched(text: str, params: Any = None) -> Any:
                if "wal_checkpoint" in text and "passive" not in text:
                    waits.append(ask("pragma busy_timeout")[0][0])
                return ask(text, params)

            mem.db.ask = watched  # type: ignore[method-assign]
            night = mem.nightly(now=NOW)
            mem.forget(mem.list(now=NOW)[0].uid, now=NOW)
            assert night.is_sound
            assert waits
            assert max(waits) <= 100
            assert ask("pragma busy_timeout") == [(mem.db.busy_ms,)]


# -- forks -------------------------------------------------------------------------------------------

FORK = """
import os, sys, threading, cogmem
from cogmem.tokens import counting
path, driver, how = sys.argv[1:]
mem = cogmem.open(path, driver=driver, counter=counting.Simple())
mem.learn("before the fork")
mem.activate("heron", turn="parent", session="s")
mem.recall("fork")  # counts that the parent has gathered
waiting = [("update setting set value = value where name = 'half_life_days'", {})]
mem._kept.ledger._waiting.append((waiting, "p", 1, []))

def child():
    assert [row.content for row in mem.list()] == ["before the fork"]
    mem.learn("in the child")
    mem.activate("heron", turn="child", session="s")
    if how != "left open":
        mem.close()

def fork():
    pid = os.fork()
    if pid == 0:
        try:
            child()
        except BaseException as fault:
            print("child:", repr(fault), flush=True)
            os._exit(3)
        sys.exit(0) if how == "ends as a program does" else os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0, "the child failed"

if how == "within a block of another thread":
    inside, go = threading.Event(), threading.Event()
    def hold():
        with mem.db.together():
            mem.learn("in the block")
            inside.set()
            go.wait()
    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    pid = os.fork()
    if pid == 0:
        try:
            assert [row.content for row in mem.list()] == ["before the fork"]
            assert mem.db._together is None, "the block is the parent's"
        except BaseException as fault:
            print("child:", repr(fault), flush=True)
            os._exit(3)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0, "the child failed"
    go.set()
    thread.join()
    mem.learn("in the child")
else:
    fork()
mem.learn("in the parent")
mem.flush()
print(sorted(row.content for row in mem.list() if "block" not in row.content), mem.file.check())
mem.close()
"""


@posix
@pytest.mark.parametrize(
    "how", ["closes", "left open", "ends as a program does", "within a block of another thread"]
)
def test_a_fork_with_an_open_memory_harms_neither_side(path: str, driver: str, how: str) -> None:
    done = ran([sys.executable, "-W", "ignore", "-c", FORK, path, driver, how])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == (
        "['before the fork', 'in the child', 'in the parent'] []"
    ), done.stdout + done.stderr


# -- what a crash leaves beside the file ---------------------------------------------------------------


def test_an_unfinished_backup_of_a_killed_process_goes_with_the_next_one(
    memory: cogmem.Memory, path: str
) -> None:
    memory.learn("Herons wade.", now=NOW)
    os.mkdir(path + ".backups")
    abandoned = [
        path + ".backup-20260101T000000Z.partial-99",
        os.path.join(path + ".backups", "20260101T000000Z.db.partial-99"),
    ]
    at_work = path + ".backup-20260102T000000Z.partial-98"
    for name in (*abandoned, at_work):
        Path(name).write_bytes(b"half of it")
    for name in abandoned:
        os.utime(name, (1, 1))
    memory.file.backup(now=NOW)
    assert [name for name in abandoned if os.path.exists(name)] == []
    assert os.path.exists(at_work), "somebody may still be writing it"


# -- a long life ---------------------------------------------------------------------------------------


def test_copies_of_what_an_old_session_was_shown_go_and_its_own_words_stay(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Never push on a Friday.", kind="policy", now=NOW)
    for name in ("old", "new"):
        at = NOW if name == "old" else NOW + 80 * DAY
        memory.activate("push?", session=name, now=at)
        memory.sessions.notes(name).pin(f"pinned by {name}", at)
    memory.nightly(now=NOW + 91 * DAY, job="prune")
    rows = (
        "select name, stable is null, last_text, pinned, turn_count from session order by name desc"
    )
    [old, new] = memory.db.ask(rows)
    assert (old[0], old[1], old[2], old[3], old[4]) == ("old", 1, "", "pinned by old", 1)
    assert (new[0], new[1], new[3]) == ("new", 0, "pinned by new")
    again = memory.activate("push?", session="old", now=NOW + 92 * DAY)
    assert "Never push on a Friday." in again.stable
    assert "pinned by old" in again.volatile
    assert memory.activate("push?", session="old", now=NOW + 92 * DAY).stable == again.stable


def test_what_leaves_the_ledger_gives_its_room_back_to_the_disk(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        for number in range(12):
            mem.learn(f"heron {number} wades in the lake", now=NOW)
        for number in range(400):
            mem.activate(f"heron {number} lake " + "what " * 60, now=NOW + number)
        mem.nightly(now=NOW + DAY, job="optimise")
        before = os.path.getsize(path)
        mem.nightly(now=NOW + 91 * DAY, force=True)
        assert mem.db.ask("select count(*) from activation") == [(0,)]
        assert mem.db.ask("pragma freelist_count") == [(0,)]
        assert os.path.getsize(path) < before - 400_000
        assert mem.file.check() == []


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_work_leaves_no_descriptor_open(path: str, tmp_path: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = descriptors()
    with cogmem.open(path, counter=counting.Simple()) as mem:
        counts = []
        for number in range(3):
            for turn in range(5):
                mem.learn(f"heron {number} {turn}", now=NOW)
                mem.activate("heron", session=f"s{turn}", now=NOW)
                mem.recall("heron", now=NOW)
            mem.nightly(now=NOW + number * DAY)
            mem.file.backup(tmp_path / f"copy{number}.db", now=NOW)
            list(mem.file.export())
            assert mem.file.check() == []
            assert mem.file.query("select 1").rows
            mem.turns.replay(mem.turns.list(limit=1)[0].turn)
            counts.append(descriptors())
        assert counts[-1] == counts[0]
    assert descriptors() == before


def test_a_restore_killed_at_its_last_step_leaves_the_memory_in_its_place(
    path: str, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cogmem.exchange import copies

    def open_it() -> cogmem.Memory:
        return cogmem.open(path, driver=driver, counter=counting.Simple())

    with open_it() as mem:
        mem.learn("in the backup", now=NOW)
        backup = mem.file.backup(now=NOW)
        mem.learn("after it", now=NOW)

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("cogmem.exchange.copies.os.replace", killed)
        with pytest.raises(Killed):
            copies.restore_backup(path, backup, now=NOW, driver=driver)
    with open_it() as mem:
        assert mem.notices == []
        assert [row.content for row in mem.list(now=NOW)] == ["after it", "in the backup"]
        mem.learn("and it goes on", now=NOW)
        assert mem.file.check() == []
    done = copies.restore_backup(path, backup, now=NOW, driver=driver)
    with open_it() as mem:
        assert [row.content for row in mem.list(now=NOW)] == ["in the backup"]
    assert done.kept_as


def test_two_nights_that_let_the_same_backup_go_do_not_stumble_over_it(
    memory: cogmem.Memory, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(10):
        memory.nightly(now=NOW + day * DAY, job="back_up")
    unlink = os.unlink

    gone: list[str] = []

    def twice(name: str, **options: Any) -> None:
        unlink(name, **options)
        if name.endswith("Z.db"):
            gone.append(name)
            unlink(name, **options)  # the other night was faster

    with monkeypatch.context() as patch:
        patch.setattr("cogmem.file.backups.os.unlink", twice)
        assert memory.nightly(now=NOW + 10 * DAY, job="back_up").is_sound
    assert [os.path.basename(name) for name in gone] == ["20270118T080000Z.db"]
    assert sorted(os.listdir(path + ".backups")) == [
        f"202701{day}T080000Z.db" for day in (17, *range(19, 26))
    ], "seven days, and the last of the week before"
    with monkeypatch.context() as patch:
        patch.setattr(
            "cogmem.night.jobs.os.makedirs", lambda *_, **__: os.stat(path + "/no such folder")
        )
        night = memory.nightly(now=NOW + 11 * DAY, job="back_up")
    assert [job.outcome for job in night.jobs] == ["failed"]
    assert "check that folder" in night.jobs[0].note


def test_a_thread_that_undoes_does_not_take_the_store_from_another(memory: cogmem.Memory) -> None:
    faults: list[BaseException] = []
    acts = [memory.learn(f"heron {number}", now=NOW).act for number in range(60)]

    def learn() -> None:
        try:
            for number in range(150):
                assert memory.store is not None
                assert memory.listener is not None
                if number % 50 == 0:
                    memory.learn(f"stork {number}", now=NOW)
        except BaseException as fault:
            faults.append(fault)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=learn) for _ in range(3)]
        for thread in threads:
            thread.start()
        for act in acts:
            memory.undo(act, now=NOW)
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert faults == []
