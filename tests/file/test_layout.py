"""A new file is small, and says all that schema/ says."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.file import layout, sql
from cogmem.tokens import counting

WORDS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|\w+|[^\s\w]")
DERIVED = [one for _, text in sql.script("derived") for one in sql.split(text)]
DURABLE = [one for _, text in sql.script("tables") for one in sql.split(text)]


def words(text: str, *, comments: bool = True) -> list[str]:
    """The words and signs of a statement; blanks and the ends of lines do not count."""
    return [word for word in WORDS.findall(text) if comments or not word.startswith("--")]


def test_a_statement_says_the_same_when_it_is_set_close() -> None:
    wrong = [
        statement.split("\n")[0]
        for statement in (*DURABLE, *DERIVED)
        if words(layout.close_set(statement)) != words(statement)
        or words(layout.for_nobody(statement), comments=False) != words(statement, comments=False)
    ]
    assert wrong == []


def test_tables_and_views_for_people_keep_their_comments(memory: cogmem.Memory) -> None:
    made = dict(memory.db.ask("select name, sql from sqlite_schema where sql is not null"))
    for statement in DURABLE:
        if statement.startswith("create table "):
            comments = re.findall(r"--[^\n]*", statement)
            assert re.findall(r"--[^\n]*", made[statement.split()[2]]) == comments
    for (view,) in memory.db.ask("select name from guide"):
        assert "\n-- " in made[view]


def test_the_schema_leads_with_tables_and_views_for_people(memory: cogmem.Memory) -> None:
    first = memory.db.ask("select type from sqlite_schema where sql is not null limit 1")
    assert first == [("table",)]
    memory.file.show()  # as a person's first command does
    kinds = memory.db.ask("select type, name from sqlite_schema where sql is not null")
    for_people = {name for (name,) in memory.db.ask("select name from guide")}
    places = {name: place for place, (_, name) in enumerate(kinds)}
    assert for_people <= places.keys()
    for trigger in [name for kind, name in kinds if kind == "trigger" and name.endswith("_ii")]:
        assert places[trigger.removesuffix("_ii")] < places[trigger]  # what writing to it does


def test_triggers_of_one_table_keep_their_order(memory: cogmem.Memory) -> None:
    written = [
        (re.search(r"\bon (\w+)", one)[1], one.split()[2])  # type: ignore[index]
        for one in (*DURABLE, *DERIVED)
        if one.startswith("create trigger ")
    ]
    made = memory.db.ask("select tbl_name, name from sqlite_schema where type = 'trigger'")
    for table in {table for table, _ in written}:
        assert [name for its, name in made if its == table] == [
            name for its, name in written if its == table
        ]


@given(st.lists(st.tuples(st.integers(10, 2000), st.sampled_from("abc")), max_size=60))
def test_an_order_that_fills_pages_leaves_nothing_out(rows: list[tuple[int, str]]) -> None:
    sizes, groups = [size for size, _ in rows], [group for _, group in rows]
    assert sorted(layout.filling(sizes)) == list(range(len(rows)))
    order = layout.filling(sizes, groups)
    for group in "abc":
        places = [place for place in order if groups[place] == group]
        assert places == sorted(places)


def test_an_empty_file_is_small_and_its_pages_are_full(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    cogmem.open(path, counter=counting.Simple()).close()
    assert path.stat().st_size <= 250_000
    with sqlite3.connect(path) as db:
        [(page, free)] = db.execute(
            "select page_size, freelist_count from pragma_page_size, pragma_freelist_count"
        )
    assert (page, free) == (layout.PAGE_SIZE, 0)
