"""Tasks: leases, back-off, dead letters, idempotent folds, and caps that are never exceeded.

Modules: calls.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from planted import DAY, plant

import cogmem
from cogmem.errors import InvalidInput, UnknownName
from cogmem.models.recorded import Scripted
from cogmem.night import calls, tasks
from cogmem.ports import Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.ports import Model

NOW = 1_800_000_000_000


def allow(memory: cogmem.Memory, calls: int, a_run: int = 0) -> None:
    memory.store.set_setting("model_calls_per_day", str(calls), now=NOW)
    memory.store.set_setting("model_calls_per_run", str(a_run), now=NOW)


def queued(memory: cogmem.Memory, count: int = 1) -> list[str]:
    return [
        tasks.queue(memory.db, "judge", f"subject {n}", {"n": n}, now=NOW + n) for n in range(count)
    ]


def ask(task: tasks.Task, model: Model) -> str:
    return model.complete(f"subject {task.payload['n']}")


ASKS = {"judge": ask}


def states(memory: cogmem.Memory) -> list[str]:
    return [row.state for row in tasks.list_tasks(memory.db)]


def test_the_same_work_waits_only_once(memory: cogmem.Memory) -> None:
    first = tasks.queue(memory.db, "judge", "a", {"n": 1}, now=NOW)
    assert tasks.queue(memory.db, "judge", "a", {"n": 2}, now=NOW) == first
    assert tasks.queue(memory.db, "merge", "a", {}, now=NOW) != first
    task = tasks.claim(memory.db, now=NOW, purposes=["judge"])
    assert task
    assert (task.uid, task.payload, task.attempts) == (first, {"n": 1}, 1)


def test_a_claim_is_a_lease_that_another_worker_takes_over_when_it_runs_out(
    memory: cogmem.Memory,
) -> None:
    queued(memory)
    slow = tasks.claim(memory.db, now=NOW)
    assert slow
    assert tasks.claim(memory.db, now=NOW + tasks.LEASE - 1) is None
    quick = tasks.claim(memory.db, now=NOW + tasks.LEASE)
    assert quick
    assert quick.uid == slow.uid
    assert not tasks.fill(memory.db, slow, "late", now=NOW + tasks.LEASE + 1)
    assert tasks.fill(memory.db, quick, "in time", now=NOW + tasks.LEASE + 2)
    assert not tasks.fail(memory.db, slow, "late too", now=NOW + tasks.LEASE + 3)
    assert states(memory) == ["filled"]


def test_failures_are_put_off_twice_as_long_each_time_and_the_fifth_is_a_dead_letter(
    memory: cogmem.Memory,
) -> None:
    (uid,) = queued(memory)
    at = NOW
    for attempt in range(1, 6):
        task = tasks.claim(memory.db, now=at)
        assert task
        assert task.attempts == attempt
        tasks.fail(memory.db, task, "TimeoutError", now=at)
        wait = tasks.BACK_OFF * 2 ** (attempt - 1)
        assert tasks.claim(memory.db, now=at + wait - 1) is None
        at += wait
    assert states(memory) == ["dead"]
    assert tasks.claim(memory.db, now=at + 365 * DAY) is None
    tasks.revive(memory.db, uid, now=at)
    assert states(memory) == ["ready"]
    with pytest.raises(UnknownName):
        tasks.revive(memory.db, uid, now=at)


def test_nothing_is_ever_asked_while_the_cap_is_zero(memory: cogmem.Memory) -> None:
    queued(memory, 3)
    model = Scripted("asked")
    counts = tasks.work(memory.db, model, ASKS, clock=lambda: NOW)
    assert model.asked == []
    assert counts == tasks.Filled(0, 0, 0, 0)
    assert memory.db.ask("select count(*) from model_call") == [(0,)]


def test_the_daily_cap_holds_and_opens_again_at_midnight_utc(memory: cogmem.Memory) -> None:
    allow(memory, 2)
    queued(memory, 5)
    model = Scripted(Reply("yes", tokens_in=10, tokens_out=1))
    assert tasks.work(memory.db, model, ASKS, clock=lambda: NOW + 10).filled == 2
    assert tasks.work(memory.db, model, ASKS, clock=lambda: NOW + 10).filled == 0
    midnight = NOW - NOW % DAY + DAY
    assert tasks.work(memory.db, model, ASKS, clock=lambda: midnight).filled == 2
    assert [one["prompt"] for one in model.asked] == [f"subject {n}" for n in range(4)]
    spent = memory.db.ask(
        "select outcome, sum(tokens_in), sum(tokens_out), count(*) from model_call group by outcome"
    )
    assert spent == [("ok", 40, 4, 4)]


def test_a_run_has_a_cap_of_its_own(memory: cogmem.Memory) -> None:
    allow(memory, 10, a_run=1)
    queued(memory, 3)
    model = Scripted("yes")
    for run in ("run_1", "run_2"):
        done = tasks.work(memory.db, model, ASKS, clock=lambda: NOW + 10, run=run)
        assert done.filled == 1
    assert calls.calls_left(memory.db, now=NOW + 10) == 8


def test_a_model_that_raises_costs_a_call_and_puts_the_task_off(memory: cogmem.Memory) -> None:
    allow(memory, 5)
    queued(memory, 2)
    model = Scripted(TimeoutError("secret words of a provider"), "yes")
    counts = tasks.work(memory.db, model, ASKS, clock=lambda: NOW + 10)
    assert (counts.filled, counts.failed, counts.left) == (1, 1, 3)
    assert [row.error for row in tasks.list_tasks(memory.db)] == ["TimeoutError", ""]
    assert memory.db.ask("select outcome from model_call order by id") == [("timeout",), ("ok",)]


def test_processes_together_never_exceed_the_cap(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as memory:
        allow(memory, 7)
        queued(memory, 40)
    model = Scripted("yes")

    def worker() -> None:
        with open_memory(path) as mine:
            tasks.work(mine.db, model, ASKS, clock=lambda: NOW + 100)

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asked = [one["prompt"] for one in model.asked]
    assert len(asked) == len(set(asked)) == 7
    with open_memory(path) as memory:
        assert sorted(states(memory)) == ["filled"] * 7 + ["ready"] * 33


def test_a_fold_is_applied_once_in_one_transaction_with_its_task(memory: cogmem.Memory) -> None:
    uid = plant(memory, "weak", at=NOW - DAY)
    queued(memory, 3)
    for n in range(3):
        task = tasks.claim(memory.db, now=NOW + 10)
        assert task
        tasks.fill(memory.db, task, n, now=NOW + 10)

    def judge(task: tasks.Task) -> list[tuple[str, dict[str, object]]]:
        if task.result == 2:
            raise InvalidInput("no such answer")
        return [("store.reinforce", {"uid": uid, "now": NOW + 20})]

    assert tasks.fold(memory.db, {"judge": judge}, now=NOW + 20, run=None) == {
        "folded": 2,
        "dead": 1,
        "later": 0,
    }
    assert memory.get(uid, now=NOW + 20).reinforcement_count == 3
    assert sorted(states(memory)) == ["dead", "done", "done"]
    assert tasks.fold(memory.db, {"judge": judge}, now=NOW + 30) == {
        "folded": 0,
        "dead": 0,
        "later": 0,
    }
    assert memory.get(uid, now=NOW + 30).reinforcement_count == 3


def test_a_fold_that_raced_with_another_is_left_to_it(memory: cogmem.Memory) -> None:
    (task_uid,) = queued(memory)
    task = tasks.claim(memory.db, now=NOW + 10)
    assert task
    tasks.fill(memory.db, task, 1, now=NOW + 10)

    def judge(_: tasks.Task) -> list[tuple[str, dict[str, object]]]:
        memory.db.write(
            [("tasks.done", {"uid": task_uid, "now": NOW})], verb="fold", actor="other", at=NOW
        )
        return []

    assert tasks.fold(memory.db, {"judge": judge}, now=NOW + 20)["later"] == 1
