"""Many processes and threads on one file: nothing is lost, nobody meets a lock he must handle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EVERYTHING
from processes import ran

import cogmem

ROOT = Path(cogmem.__file__).resolve().parents[2]

# Each writer waits for the starting signal, writes until its time is up and says how much it did.
WRITER = """
import sys, time
import cogmem
from cogmem.tokens import counting
path, driver, name, seconds = sys.argv[1:]
with cogmem.open(path, driver=driver, counter=counting.Simple(), actor=name) as mem:
    print("ready", flush=True)
    sys.stdin.readline()
    end, count = time.monotonic() + float(seconds), 0
    while time.monotonic() < end:
        mem.learn(f"{name} saw heron number {count}")
        if count % 10 == 0:
            mem.learn("everyone saw the same stork")
            mem.learn(f"{name} was here", key="visitor")
            mem.list(limit=5)
        count += 1
    print(count)
"""


def writers(path: str, number: int, seconds: float, drivers: list[str]) -> list[int]:
    """Start writers, let them go at once, and return how many rows each believes it stored."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, drivers[n % len(drivers)], f"w{n}", str(seconds)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(number)
    ]
    for process in processes:
        assert process.stdout
        said = process.stdout.readline()
        if said != "ready\n":  # what it waits for will not come
            process.kill()
            raise AssertionError(said + process.communicate()[1])
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    counts = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        counts.append(int(out))
    return counts


def everything_is_there(path: str, counts: list[int]) -> None:
    with cogmem.open(path) as mem:
        for n, count in enumerate(counts):
            found = mem.db.ask(
                "select count(*), count(distinct content) from memory where content like :text",
                {"text": f"w{n} saw heron number %"},
            )
            assert found == [(count, count)], f"writer {n} lost rows"
        repeated = sum((count + 9) // 10 for count in counts)
        [(rows, times)] = mem.db.ask(
            "select count(*), sum(reinforcement_count) from memory where content = 'everyone saw the same stork'"
        )
        assert (rows, times) == (1, repeated), "each repetition counts once, in one row"
        [(rows, times)] = mem.db.ask(
            "select count(*), sum(reinforcement_count) from memory where key = 'visitor'"
        )
        assert (rows, times) == (1, repeated)
        assert mem.file.check() == []


@pytest.mark.slow
def test_o05_eight_processes_write_at_once_and_lose_nothing(path: str) -> None:
    cogmem.open(path).close()
    counts = writers(path, 8, 4.0 if EVERYTHING else 1.5, ["apsw"])
    assert all(counts), "nobody starved"
    everything_is_there(path, counts)


@pytest.mark.slow
@pytest.mark.parametrize("drivers", [["sqlite3"], ["apsw", "sqlite3"]])
def test_o05_o06_processes_on_either_driver_share_one_file(path: str, drivers: list[str]) -> None:
    counts = writers(path, 4, 2.0 if EVERYTHING else 1.0, drivers)
    everything_is_there(path, counts)


# Six processes at a time open a new file in the same instant, and say what they met.
MAKERS = """
import os, sys, time
import cogmem
cogmem.open(":memory:").close()  # what all need is loaded before they part
for number in range(int(sys.argv[2])):
    start, children = time.monotonic() + 0.01, []
    for _ in range(6):
        child = os.fork()
        if not child:
            while time.monotonic() < start:
                pass
            try:
                cogmem.open(f"{sys.argv[1]}.{number}").close()
            except BaseException as error:
                print(number, repr(error), flush=True)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_o05_processes_that_make_a_file_in_the_same_instant_wait_for_each_other(path: str) -> None:
    done = ran([sys.executable, "-c", MAKERS, path, "80" if EVERYTHING else "10"])
    assert (done.stdout, done.stderr) == ("", "")


def test_o05_a_file_that_another_process_makes_meanwhile_is_not_taken_for_protected(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = os.access

    def made_meanwhile(name: str, mode: int) -> bool:
        answer = asked(name, mode)
        if name == path and not os.path.exists(path):
            subprocess.run(
                [sys.executable, "-c", f"import cogmem; cogmem.open({path!r}).close()"],
                cwd=ROOT,
                check=True,
            )
        return answer

    monkeypatch.setattr(os, "access", made_meanwhile)
    with cogmem.open(path) as mem:
        assert not mem.db.read_only


def test_o06_what_was_learned_survives_a_kill(path: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, path, "apsw", "w0", "60"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdout.readline()
    process.stdin.write("go\n")
    process.stdin.flush()
    with cogmem.open(path) as mem:
        while mem.stats().memories < 20:
            pass
        process.kill()
        process.wait()
        process.stdout.close()
        process.stdin.close()
        assert mem.file.check() == []
        assert mem.stats().memories >= 20
