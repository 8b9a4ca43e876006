"""A person's own SQL: it reads what they see, and changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from lived import fresh

import cogmem
from cogmem import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., cogmem.Memory]


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


def test_own_sql_is_one_statement_within_its_limits(asked: cogmem.Memory) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select {} from n"
    with pytest.raises(errors.InvalidInput, match="one statement at a time"):
        asked.file.query("select 1; select 2")
    with pytest.raises(errors.InvalidInput, match=r"longer than 0\.2 s"):
        asked.file.query(endless.format("count(*)"), seconds=0.2)
    with pytest.raises(errors.InvalidInput, match="longer than 64 MiB"):
        asked.file.query("select zeroblob(1 << 30)")
    with pytest.raises(errors.InvalidInput, match=r"does not understand this: .*syntax error"):
        asked.file.query("selec 1")
    with pytest.raises(errors.InvalidInput, match="no SQL"):
        asked.file.query("  ")
    cut = asked.file.query(endless.format("i"), rows=3)
    assert (cut.rows, cut.is_cut) == ([(1,), (2,), (3,)], True)
