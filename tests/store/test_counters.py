"""Coalesced counters: many increments, one write; flush waits and is quiet when nothing changed."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from planted import DAY, plant

import cogmem
from cogmem.file.db import Database
from cogmem.store.counters import Coalescer, as_step

if TYPE_CHECKING:
    import cogmem

NOW = 1_800_000_000_000


class Sink:
    """Takes writes; each lasts as long as `gate` is closed."""

    def __init__(self) -> None:
        self.writes: list[dict[str, tuple[int, int]]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.began = threading.Event()
        self.fails = 0

    def __call__(self, counts: Any) -> None:
        self.began.set()
        assert self.gate.wait(5)
        if self.fails:
            self.fails -= 1
            raise OSError("no room")
        self.writes.append(dict(counts))


def test_g09_many_mutations_within_the_delay_are_one_write() -> None:
    sink = Sink()
    gathered = Coalescer(sink, delay=0.15)
    for n in range(20):
        gathered.add(["a", "b"] if n % 2 else ["a"], NOW + n)
    assert sink.writes == []
    assert sink.began.wait(5)
    time.sleep(0.05)
    assert sink.writes == [{"a": (20, NOW + 19), "b": (10, NOW + 19)}]


def test_g09_the_delay_is_two_seconds_by_default_and_counts_from_the_last_mutation() -> None:
    sink = Sink()
    gathered = Coalescer(sink)
    gathered.add(["a"], NOW)
    assert gathered._timer is not None
    first = gathered._timer
    assert first.interval == 2.0
    gathered.add(["a"], NOW)
    assert first.finished.is_set(), "the earlier timer was taken back"
    gathered.close()
    assert sink.writes == [{"a": (2, NOW)}]


def test_g09_flush_writes_now_and_is_nothing_when_clean() -> None:
    sink = Sink()
    gathered = Coalescer(sink)
    assert gathered.flush() == 0
    gathered.add(["a"], NOW)
    assert gathered.flush() == 1
    assert gathered.flush() == 0
    assert sink.writes == [{"a": (1, NOW)}]
    assert gathered._timer is None


def test_g09_flush_waits_for_a_write_in_flight() -> None:
    sink = Sink()
    gathered = Coalescer(sink, delay=0.01)
    sink.gate.clear()
    gathered.add(["a"], NOW)
    assert sink.began.wait(5)  # the timer's write is under way
    done = threading.Event()
    flusher = threading.Thread(target=lambda: (gathered.flush(), done.set()))
    flusher.start()
    assert not done.wait(0.1), "flush came back before the write was done"
    gathered.add(["b"], NOW)  # counting never waits
    sink.gate.set()
    flusher.join(5)
    gathered.close()
    assert sorted(uid for write in sink.writes for uid in write) == ["a", "b"]


def test_g09_what_could_not_be_written_is_kept() -> None:
    sink = Sink()
    sink.fails = 1
    gathered = Coalescer(sink)
    gathered.add(["a"], NOW)
    with pytest.raises(OSError, match="no room"):
        gathered.flush()
    gathered.add(["a"], NOW + 1)
    gathered.close()
    assert sink.writes == [{"a": (2, NOW + 1)}]
    gathered.add(["b"], NOW)
    assert sink.writes[1:] == [{"b": (1, NOW)}], "after close nothing waits"


def test_g09_threads_lose_no_count() -> None:
    sink = Sink()
    gathered = Coalescer(sink, delay=0.001)
    workers = [
        threading.Thread(target=lambda: [gathered.add(["a"], NOW) for _ in range(200)])
        for _ in range(8)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    gathered.close()
    assert sum(write["a"][0] for write in sink.writes) == 1600


def test_gathered_recalls_strengthen_as_single_ones_do(memory: cogmem.Memory) -> None:
    uid = plant(memory, "recalled", at=NOW - DAY)
    gathered = Coalescer(
        lambda counts: memory.db.write([as_step(counts)], verb="recall", at=NOW) and None
    )
    for n in range(3):
        gathered.add([uid, "mem_0000000000000bad"], NOW - n)
    gathered.close()
    row = memory.get(uid, now=NOW)
    assert (row.reinforcement_count, row.access_count, row.raw("accessed_at")) == (4, 3, NOW)


# -- through the library ---------------------------------------------------------------------------


def recalls_written(memory: cogmem.Memory) -> int:
    """Acts of recalls in the file; Memory.db would have the rest written first."""
    acts = memory._db.ask("select count(distinct act) from change where verb = 'recall'")
    return int(acts[0][0])


def test_g09_many_recalls_within_two_seconds_are_one_write(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    for turn in range(5):
        memory.recall("walrus", now=NOW + turn)
    assert recalls_written(memory) == 0
    memory.flush()
    assert recalls_written(memory) == 1
    memory.flush()
    assert recalls_written(memory) == 1
    assert memory.get(uid, now=NOW).access_count == 5


def test_g09_whoever_reads_sees_what_was_counted_and_closing_writes_it(
    memory: cogmem.Memory, path: str
) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    memory.recall("walrus", now=NOW)
    assert memory.list(now=NOW)[0].access_count == 1
    memory.recall("walrus", now=NOW)
    memory.activate("walrus", now=NOW)
    assert recalls_written(memory) == 2
    memory.recall("walrus", now=NOW)
    again = Database(path, driver=memory.db.driver)
    memory.recall("walrus", now=NOW)
    memory._kept.recalls.close()  # type: ignore[union-attr]  # as close() does; the fixture closes the file
    assert again.ask("select access_count from memory where uid = :uid", {"uid": uid}) == [(4,)]
    again.close()


def test_g09_a_locked_file_keeps_the_counts_and_hinders_no_reader(
    memory: cogmem.Memory, path: str
) -> None:
    uid = memory.learn("The walrus swims.", now=NOW).uid
    other = Database(path, driver=memory.db.driver)
    memory.recall("walrus", now=NOW)
    other.connection.execute("begin immediate")
    began = time.monotonic()
    assert memory.get(uid, now=NOW).access_count == 0
    for _ in range(20):
        memory.get(uid, now=NOW)
    assert time.monotonic() - began < 2
    other.connection.execute("rollback")
    other.close()
    memory.flush()
    assert memory.get(uid, now=NOW).access_count == 1
