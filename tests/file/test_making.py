"""A file has the structure of a fresh one, and what is derived can be made anew at any time.

Modules: layout, views.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import ForeignFile, InvalidInput
from cogmem.file import making, sql
from cogmem.file.db import Database
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURE = Path(__file__).parents[1] / "fixtures" / "schema" / "v1.db"
SHADOW = re.compile(r"_fts_(data|idx|docsize|config|content)$")


def structure(db: Database) -> dict[tuple[str, str], str]:
    """(type, name) -> DDL of everything but what SQLite and FTS5 keep for themselves. The blanks before a comment
    do not count: a column that a migration renames keeps those of its old name."""
    rows = db.ask("select type, name, sql from sqlite_schema where name not like 'sqlite_%'")
    return {
        (kind, name): " ".join(str(text).split())
        for kind, name, text in rows
        if not SHADOW.search(name)
    }


def tables_of(db: Database, *, derived: bool) -> list[str]:
    """Tables that a person would miss, or those that can be made anew."""
    made = {name for (name,) in db.ask("select name from derivation where type = 'table'")}
    names = [name for kind, name in structure(db) if kind == "table" and name != "derivation"]
    virtual = {
        name
        for (name,) in db.ask("select name from sqlite_schema where sql like 'create virtual%'")
    }
    return [name for name in names if (name in made) is derived and name not in virtual]


def contents(db: Database, *, derived: bool = False) -> dict[str, list[Any]]:
    """What the tables hold; closing a file seals its history, so that is looked at elsewhere."""
    return {
        name: sorted(db.ask(f'select * from "{name}"'), key=repr)
        for name in tables_of(db, derived=derived)
        if name != "seal"
    }


def raw_contents(path: str) -> dict[str, list[Any]]:
    """The same, read before cogmem has touched the file."""
    db = sqlite3.connect(path)
    made = {name for (name,) in db.execute("select name from derivation")} | {"derivation"}
    names = db.execute(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
    )
    found = {}
    for (name,) in names.fetchall():
        if name not in made and not SHADOW.search(name):
            cursor = db.execute(f'select * from "{name}"')
            columns = [column[0] for column in cursor.description]
            found[name] = [dict(zip(columns, row, strict=True)) for row in cursor]
    db.close()
    return found


@pytest.fixture
def fresh(open_memory: Callable[..., cogmem.Memory]) -> dict[tuple[str, str], str]:
    with open_memory(":memory:") as mem:
        mem.file.show()
        return structure(mem.db)


# -- the fixture of the schema -----------------------------------------------------------------------


def test_the_fixture_holds_a_row_of_every_durable_table(path: str) -> None:
    shutil.copyfile(FIXTURE, path)
    empty = [name for name, rows in raw_contents(path).items() if not rows]
    assert empty == [], "add rows in tests/fixtures/schema/make_fixture.py and run `make fixture`"


def test_z03_a_file_that_was_made_earlier_has_the_structure_of_a_fresh_one(
    path: str,
    fresh: dict[tuple[str, str], str],
    open_memory: Callable[..., cogmem.Memory],
) -> None:
    shutil.copyfile(FIXTURE, path)
    with open_memory(path) as mem:
        found = structure(mem.db)
        assert {thing: found.get(thing) for thing in fresh} == fresh, (
            "has the schema changed? `make fixture`"
        )
        assert set(found) == set(fresh)
        assert mem.file.check() == []


def test_a_new_file_is_the_same_to_the_byte_wherever_it_is_made(
    tmp_path: Path, driver: str
) -> None:
    for name in ("one", "other"):
        cogmem.open(tmp_path / name, driver=driver).close()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_file_that_was_made_earlier_is_used_like_any_other(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    shutil.copyfile(FIXTURE, path)
    with open_memory(path) as mem:
        assert mem.get("deploy", now=NOW).content == "Deploys need a green build."
        found = mem.db.ask("select rowid from memory_fts where memory_fts match 'heron'")
        assert found == [(2,)]
        mem.undo("act_0000000000000002", now=NOW)
        assert mem.learn("Herons wade.", now=NOW).outcome in ("inserted", "reinforced")
        assert mem.file.check() == []


def test_a_version_that_no_cogmem_wrote_is_refused(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    open_memory(path).close()
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 0")
    db.close()
    with pytest.raises(ForeignFile, match="which no cogmem wrote"):
        open_memory(path)


# -- rebuild -----------------------------------------------------------------------------------------


@pytest.fixture
def lived_in(path: str, open_memory: Callable[..., cogmem.Memory]) -> str:
    """A file with a few rows of everything."""
    shutil.copyfile(FIXTURE, path)
    open_memory(path).close()
    return path


def test_rebuilding_leaves_structure_and_contents_as_they_were(
    lived_in: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(lived_in) as mem:
        before = (structure(mem.db), contents(mem.db), contents(mem.db, derived=True))
        mem.file.rebuild()
        assert (structure(mem.db), contents(mem.db), contents(mem.db, derived=True)) == before
        assert mem.file.check() == []


def test_rebuilding_keeps_what_a_person_made(
    lived_in: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    own = [
        "create view my_birds as select uid, content from semantic_memory where content like '%heron%'",
        "create table my_notes (memory_id integer, note text)",
        "create trigger my_trigger after insert on memory begin insert into my_notes values (new.id, 'new'); end",
        "create index my_index on memory (priority)",
    ]
    with open_memory(lived_in) as mem:
        for text in own:
            mem.db.ask(text)
        mem.file.rebuild()
        mem.learn("Ibises probe.", now=NOW)
        assert len(mem.db.ask("select * from my_birds")) == 1
        assert mem.db.ask("select note from my_notes") == [], "it rests while cogmem writes"
        mem.db.ask("insert into remember (content) values ('Storks stalk.')")
        assert mem.db.ask("select note from my_notes") == [("new",)]
        assert mem.db.ask("select count(*) from sqlite_schema where name like 'my_%'") == [(4,)]


def test_rebuilding_mends_a_search_index_that_was_damaged(
    lived_in: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(lived_in) as mem:
        mem.db.ask("insert into memory_fts (memory_fts) values ('delete-all')")
        mem.db.ask("delete from fading")
        assert len(mem.file.check()) >= 2
        mem.file.rebuild()
        assert mem.file.check() == []


@pytest.mark.parametrize(
    "damage",
    [
        "drop table derivation",
        "drop view semantic_memory",
        "drop trigger memory_ai_search",
        "drop table fading",
    ],
)
def test_rebuilding_brings_back_what_a_person_dropped(
    lived_in: str, open_memory: Callable[..., cogmem.Memory], damage: str
) -> None:
    with open_memory(lived_in) as mem:
        before = structure(mem.db)
        mem.db.ask(damage)
        mem.file.rebuild()
        assert structure(mem.db) == before
        assert mem.file.check() == []


def test_a_file_built_by_another_version_is_rebuilt_when_it_is_opened(
    lived_in: str, open_memory: Callable[..., cogmem.Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = sql.script
    later = [*read("derived"), ("60_later", "create view later as select 1 as one;\n")]
    monkeypatch.setattr(
        sql, "script", lambda folder: later if folder == "derived" else read(folder)
    )
    monkeypatch.setattr(sql, "derived_version", lambda: "later")
    with open_memory(lived_in) as mem:
        assert mem.db.ask("select one from later") == [(1,)]
        assert mem.db.ask("select distinct version from derivation") == [("later",)]
    monkeypatch.undo()
    with open_memory(lived_in) as mem:
        assert mem.db.ask("select count(*) from sqlite_schema where name = 'later'") == [(0,)]
        assert mem.file.check() == []


def test_statements_are_split_where_they_end_and_nowhere_else() -> None:
    text = (
        "-- A comment; with a semicolon.\n\ncreate table a (x text default ';');  -- and one; more\n"
        "create trigger t after insert on a begin\n  select 1;\n  select ';\n';\nend;\n-- The end.\n"
    )
    table, trigger = sql.split(text)
    assert table.startswith("create table a")
    assert trigger.endswith("end;")
    with pytest.raises(InvalidInput, match="without an end"):
        sql.split("create table a (x text)\n")


def test_a_backup_never_keeps_a_write_that_comes_later(memory: cogmem.Memory, path: str) -> None:
    memory.learn("before", now=NOW)
    making.copy_to(memory.db, path + ".copy")
    memory.learn("after", now=NOW)
    with cogmem.open(path + ".copy", driver=memory.db.driver, counter=counting.Simple()) as copy:
        assert [row.content for row in copy.list(now=NOW)] == ["before"]
