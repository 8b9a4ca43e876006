"""A memory on three real nodes: what one does with it, and what is left when nodes die, stop and lose answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from nodes import TABLES, Lossy, Nodes, plain, program

import cogmem
from cogmem.file import sql
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not program(), reason="rqlite is not here: make test-cluster"),
]

ENOUGH = int(os.environ.get("COGMEM_CLUSTER_WRITES", "3000"))
# Numbers of rows that turns wrote, and what follows from when they came: the copy had them first.
OWN = {"activation", "weighing", "session", "pending_update", "context"}


def of_copy(mem: cogmem.Memory) -> dict[str, list[str]]:
    names = [name for (name,) in mem.db.ask(TABLES)]
    return {
        name: plain(mem.db.ask(f"select * from {sql.quoted(name)}"))
        for name in names
        if not name.startswith("cluster_")
    }


def all_hold_the_same(nodes: Nodes, mem: cogmem.Memory) -> None:
    """Every node has the same rows, and the copy too, but for the order in which turns came."""
    nodes.settle()
    held = [nodes.contents(node) for node in range(3)]
    assert held[0] == held[1] == held[2]
    mem.db._asked_at = 0.0  # type: ignore[attr-defined]
    mem.list()
    copy = of_copy(mem)
    differ = [
        name
        for name, rows in held[0].items()
        if not name.startswith("cluster_") and name not in OWN and rows != copy[name]
    ]
    assert differ == []


def test_two_weeks_of_use_from_two_machines_are_the_same_on_all_nodes(
    nodes: Nodes, machine: Callable[[str], dict[str, str]]
) -> None:
    machine("one")
    one = cogmem.open(nodes.address, user="ada", counter=counting.Simple())
    machine("two")
    two = cogmem.open(nodes.address, user="ben", counter=counting.Simple())
    talk = one.conversation("talk")
    for day in range(14):
        at = NOW + day * 86_400_000
        one.learn(f"Never deploy project {day} on Fridays.", kind="policy", priority=3, now=at)
        two.learn(
            f"The build of branch {day} takes {day + 3} minutes.", key=f"b{day % 4}", now=at + 1
        )
        talk.append("user", f"Remember that the api {day} speaks gRPC.", at=at + 2)
        one.activate(f"When may I deploy project {day}?", session=f"s{day}", now=at + 3)
        two.recall("build branch", now=at + 4)
        done = one.procedure(f"release {day}", ["build", "push"], now=at + 5)
        one.tried(done.uid, success=day % 2 == 0, now=at + 6)
        two.nightly(now=at + 7)
    latest = one.learn("The kite circles over the weir.", now=NOW + 15 * 86_400_000)
    one.undo(latest.act, now=NOW + 15 * 86_400_000 + 1)
    assert one.file.check() == two.file.check() == []
    all_hold_the_same(nodes, one)
    all_hold_the_same(nodes, two)
    one.close()
    two.close()


def test_what_was_acknowledged_is_there_once_whatever_happens_to_nodes(
    nodes: Nodes, machine: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    """Four clients write; a tenth of the answers is lost, leaders are killed, a node stops, all are restarted in
    turn, and one begins anew from nothing."""
    machine("looker")
    cogmem.open(nodes.address, counter=counting.Simple()).close()
    ways = [Lossy(port, 0.1) for port in nodes.ports]
    address = "rqlite://" + ",".join(f"127.0.0.1:{way.port}" for way in ways)
    clients, journals = [], []
    for number in range(4):
        journals.append(tmp_path / f"journal{number}")
        command = [
            *(sys.executable, str(Path(__file__).with_name("client.py"))),
            *(address, str(number), "45", str(ENOUGH // 4)),
        ]
        with open(journals[-1], "wb") as journal:
            clients.append(
                subprocess.Popen(
                    command,
                    stdout=journal,
                    env=machine(f"client{number}"),
                    stdin=subprocess.DEVNULL,
                )
            )
    began = time.monotonic()
    try:
        time.sleep(6)
        lost = nodes.leader()
        nodes.kill(lost)
        time.sleep(5)
        nodes.start(lost)
        stopped = (
            nodes.leader()
        )  # it is there, and says nothing: to the others as if the network had parted
        nodes.signal(stopped, signal.SIGSTOP)
        time.sleep(5)
        nodes.signal(stopped, signal.SIGCONT)
        nodes.wait_for(stopped)
        for node in range(3):
            nodes.kill(node)
            time.sleep(1)
            nodes.start(node)
        empty = next(node for node in (1, 2) if node != nodes.leader())
        nodes.kill(empty)
        subprocess.run(["rm", "-rf", str(tmp_path / f"n{empty}")], check=True)
        nodes.start(empty)
        for client in clients:
            client.wait(timeout=600)
    finally:
        for client in clients:
            client.kill()
            client.wait()
        for way in ways:
            way.close()
    took = time.monotonic() - began
    lines = [
        [json.loads(line) for line in journal.read_text().splitlines()] for journal in journals
    ]
    ends = [told[-1] for told in lines]
    assert [end[0] for end in ends] == ["end"] * 4, ends
    done = [entry for told in lines for entry in told[:-1]]
    writes = [entry for entry in done if entry[0] != "turn"]
    print(
        f"\n{len(writes)} writes and {len(done) - len(writes)} turns in {took:.0f} s,"
        f" {sum(way.lost for way in ways)} answers lost, the longest turns {[end[1] for end in ends]} s,"
        f" not acknowledged: {[end[2] for end in ends]}"
    )
    assert len(writes) >= ENOUGH
    nodes.settle()
    uids = {uid for (uid,) in nodes.rows(0, "select uid from memory")}
    said = Counter(text for (text,) in nodes.rows(0, "select text from message"))
    texts = Counter(text for (text,) in nodes.rows(0, "select content from memory"))
    turns = {turn for (turn,) in nodes.rows(0, "select turn from activation")}
    assert [name for what, _, name in done if what == "learn" and name not in uids] == []
    assert [name for what, _, name in done if what == "append" and said[name] != 1] == []
    assert [name for what, _, name in done if what == "turn" and name not in turns] == []
    assert max(said.values()) == max(texts.values()) == 1
    machine("looker")
    with cogmem.open(nodes.address, counter=counting.Simple()) as mem:
        assert mem.file.check() == []
        all_hold_the_same(nodes, mem)


def test_of_two_nights_that_begin_at_once_one_runs(
    nodes: Nodes, machine: Callable[[str], dict[str, str]]
) -> None:
    machine("one")
    with cogmem.open(nodes.address, counter=counting.Simple()) as mem:
        for number in range(20):
            mem.learn(f"Heron {number} waits at lake {number * 7}.")
    command = [sys.executable, "-m", "cogmem", "--db", nodes.address, "--json", "nightly"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=machine(name))
        for name in ("a", "b")
    ]
    outcomes = []
    for night in both:
        said, errors = night.communicate(timeout=120)
        assert night.returncode == 0, errors
        outcomes.append({job["job"]: job["outcome"] for job in json.loads(said)["jobs"]})
    # Who finds a run of the other one unfinished goes on with it, as after a kill: the run is one all the same.
    for job in outcomes[0]:
        told = sorted(each[job] for each in outcomes)
        assert told in (["already", "done"], ["done", "done"]), job
    assert sum(each[job] == "already" for each in outcomes for job in each) >= 5
    ran = nodes.rows(
        nodes.leader(), "select job, count(*) from job_run group by job having count(*) > 1"
    )
    assert ran == []
    machine("one")
    with cogmem.open(nodes.address, counter=counting.Simple()) as mem:
        assert mem.file.check() == []
        all_hold_the_same(nodes, mem)
