"""A person's own SQL: it reads what they see, and changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., cogmem.Memory]


def fresh(driver: str = "apsw", path: str = ":memory:", **options: Any) -> cogmem.Memory:
    return cogmem.open(path, driver=driver, counter=counting.Simple(), **options)


@pytest.fixture
def asked(path: str) -> cogmem.Memory:
    mem = fresh(path=path)
    mem.learn("Lunch is at noon.", now=NOW)
    mem.learn("Tea is at four.", now=NOW)
    return mem


def test_own_sql_reads_tables_views_and_the_search_index(asked: cogmem.Memory) -> None:
    answer = asked.file.query("select content, length(content) as n from memory order by id")
    assert (answer.columns, answer.rows[0]) == (["content", "n"], ("Lunch is at noon.", 17))
    assert len(asked.file.query("select * from semantic_memory").rows) == 2
    found = asked.file.query("select rowid from memory_fts where memory_fts match 'lunch'")
    assert (found.rows, found.is_cut) == ([(1,)], False)
    assert asked.file.query("pragma table_info(memory)").rows
    assert asked.file.query("select 1 where 0").columns == ["1"]
    assert asked.file.query("explain query plan select * from memory").rows
