"""Several writes as one transaction: all or none, and each may fail by itself."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from planted import DAY, plant

from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    import cogmem

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
