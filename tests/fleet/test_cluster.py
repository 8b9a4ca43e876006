"""The nights of a fleet on a dask cluster, one of whose workers is killed at work."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

import cogmem
from cogmem.fleet import fleet
from cogmem.fleet.due_list import DueList
from cogmem.fleet.fleet import Work
from cogmem.fleet.workers import Cluster, NoScheduler

distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra: [fleet]")
DAY = 86_400_000
BEGIN = 1_803_902_400_000


def test_a_worker_of_a_cluster_that_is_killed_loses_no_night_and_doubles_none(
    tmp_path: Path,
) -> None:
    seed = tmp_path / "user0.db"
    with cogmem.open(seed) as mem:
        mem.learn("The user lives in Turku.", now=BEGIN)
        mem.store.set_setting("backups_kept", "0", now=BEGIN)
    for number in range(1, 40):
        shutil.copy(seed, tmp_path / f"user{number}.db")
    due = DueList(str(tmp_path / "due.list"))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        victim = min(client.run(os.getpid).values())
        is_killed = False

        def kill(_done: int, _total: int) -> None:
            nonlocal is_killed
            if not is_killed:
                os.kill(victim, signal.SIGKILL)
                is_killed = True

        done = fleet.run(
            due,
            fleet.found(str(tmp_path)),
            Cluster(local.scheduler_address),
            Work("night", BEGIN + DAY),
            clock=lambda: time.time_ns() // 1_000_000,
            progress=kill,
        )
    due.close()
    assert is_killed
    assert (done.done + done.already, done.failed, done.left) == (40, [], 0)
    for file in tmp_path.glob("user*.db"):
        with cogmem.open(file) as mem:
            ran = mem.store.db.ask("select count(*) from job_run where job = '20_decay'")
            assert ran == [(1,)]
            assert mem.file.check() == []


def test_a_scheduler_that_is_not_there_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cogmem.fleet.workers.PATIENCE", "1s")
    with pytest.raises(NoScheduler, match="dask scheduler"):
        Cluster("tcp://127.0.0.1:9")
