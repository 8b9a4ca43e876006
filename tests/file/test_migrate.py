"""Old files come up to date without losing a row, and what is derived can be made anew at any time.

Modules: layout.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import DatabaseProblem, InvalidInput, ReadOnly
from cogmem.file import migrate, sql
from cogmem.file.db import Database
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures" / "schema").glob("v*.db"))
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
        return structure(mem.db)


# -- released schemas --------------------------------------------------------------------------------


def test_there_is_a_fixture_of_every_schema_up_to_the_present_one() -> None:
    assert [file.name for file in FIXTURES] == [
        f"v{n}.db" for n in range(1, migrate.SCHEMA_VERSION + 1)
    ]


def test_the_present_fixture_holds_a_row_of_every_durable_table(path: str) -> None:
    shutil.copyfile(FIXTURES[-1], path)
    empty = [name for name, rows in raw_contents(path).items() if not rows]
    assert empty == [], "add rows in tests/fixtures/schema/make_fixture.py and run `make fixture`"


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.stem)
def test_z03_a_migrated_file_has_the_structure_of_a_fresh_one(
    fixture: Path,
    path: str,
    fresh: dict[tuple[str, str], str],
    open_memory: Callable[..., cogmem.Memory],
) -> None:
    shutil.copyfile(fixture, path)
    with open_memory(path) as mem:
        found = structure(mem.db)
        assert {thing: found.get(thing) for thing in fresh} == fresh, (
            "has the schema changed? `make fixture`"
        )
        assert set(found) == set(fresh)
        assert mem.file.check() == []


# What the schema before called an instant.
RENAMED = {
    ("message", "at"): "said_at",
    ("activation", "at"): "activated_at",
    ("context", "at"): "acted_at",
    ("change", "at"): "changed_at",
    ("model_call", "at"): "asked_at",
    ("receipt", "at"): "forgotten_at",
    ("task", "lease_until"): "lease_ends_at",
}


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.stem)
def test_migrating_loses_no_row_and_no_value(
    fixture: Path, path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    shutil.copyfile(fixture, path)
    before = raw_contents(path)
    open_memory(path).close()
    after = raw_contents(path)
    for table, rows in before.items():
        if fixture.stem == "v1":
            rows = [{RENAMED.get((table, name), name): row[name] for name in row} for row in rows]
        kept = [{name: row[name] for name in rows[0]} for row in after[table]] if rows else []
        if fixture.stem == "v1":
            if table in ("kind", "kind_alias", "setting"):  # policy that a migration turns
                continue
            if table == "capture_rule":  # a blank says by itself that it is any white space
                rows = json.loads(json.dumps(rows).replace("(?:", "(").replace("\\\\s+", " "))
            rows = json.loads(json.dumps(rows, default=repr).replace("events", "event"))
            kept = json.loads(json.dumps(kept, default=repr))
        assert [row for row in kept if row in rows] == rows, table  # a migration may add policy


# What the schema before called what is one kind now.
UNITED = {
    "entities": "entity",
    "events": "event",
    "cases": "case",
    "patterns": "pattern",
    "preferences": "preference",
    "about_user": "profile",
    "user_note": "profile",
    "profile": "profile",
    "preference": "preference",
    "pattern": "pattern",
    "fact": "fact",
}


@pytest.fixture
def apart(path: str) -> str:
    """A file of the first schema with a memory of each kind that was united since, turned and told of."""
    shutil.copyfile(FIXTURES[0], path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(
        "update context set act = 'act_00000000000000aa', verb = 'learn', actor = 'Mara', at = 7"
    )
    for number, kind in enumerate(UNITED):
        db.execute(
            "insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)"
            " select printf('mem_%016x', 4096 + ?), layer, name, 'About ' || name, 7, 7, 7 from kind where name = ?",
            (number, kind),
        )
    db.execute("update context set act = 'act_00000000000000bb', verb = 'update'")
    db.execute("update memory set kind = 'fact' where content = 'About user_note'")
    db.execute("update context set act = null, verb = null, actor = null, at = null")
    db.execute("update kind set weight = 1.7 where name = 'entities'")
    db.execute("update kind set weight = 1.1 where name = 'user_note'")
    db.execute("update kind set half_life_days = 33 where name = 'pattern'")
    db.execute("update capture_rule set kind = 'preferences' where name = 'preference.always'")
    db.execute(
        "insert into kind_alias values ('', 'biography', 'about_user'), ('mine', 'user', 'user_note')"
    )
    db.execute("insert into archiving values ('run_00000000000000aa', 2, 7)")
    db.execute(
        "insert into job_run (uid, job, period, started_at, archived_count, allowed_archived)"
        " values ('run_00000000000000aa', '50_archive', '2027-W02', 7, 1, 9)"
    )
    db.close()
    return path


def test_kinds_that_were_apart_are_united_and_their_words_go_on(
    apart: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(apart) as mem:
        found = {
            row.content.removeprefix("About "): row.kind
            for row in mem.list(limit=0, now=NOW)
            if row.content.startswith("About ")
        }
        assert found == {**UNITED, "user_note": "fact"}
        for word, kind in UNITED.items():
            assert mem.store.kind(word)[0].name == kind
            assert mem.list(kind=word, now=NOW) == mem.list(kind=kind, now=NOW)
        kinds = mem.store.kinds()
        assert not set(kinds) & {was for was, kind in UNITED.items() if was != kind}
        assert kinds["entity"].weight == 1.7, "what a person turned goes along"
        assert (kinds["pattern"].half_life_days, kinds["preference"].half_life_days) == (33, 365)
        assert mem.store.kind("biography")[0].name == "profile"
        assert mem.store.kind("user", "mine")[0].name == "profile"
        assert mem.store.kind("user", "odek")[0].max_characters == 4000
        assert mem.file.check() == []


def test_what_is_about_a_person_goes_back_to_them_where_the_file_knows_whose_it_is(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    shutil.copyfile(FIXTURES[0], path)
    db = sqlite3.connect(path, isolation_level=None)

    def add(
        number: int, kind: str, content: str, user: str = "", key: str = "", act: str = ""
    ) -> int:
        db.execute(
            "update context set act = ?, verb = 'capture', actor = 'test', at = 7",
            (act or f"act_b{number:015x}",),
        )
        row = (f"mem_a{number:015x}", kind, content, user, key)
        return db.execute(
            "insert into memory (uid, layer, kind, content, user, key, created_at, updated_at, reinforced_at)"
            " values (?, 'semantic', ?, ?, ?, ?, 7, 7, 7) returning id",
            row,
        ).fetchall()[0][0]

    def says(memory: int, user: str) -> None:
        talk = f"talk of {user}"
        db.execute(
            "insert or ignore into conversation (name, user, created_at, next_seq) values (?, ?, 7, 99)",
            (talk, user),
        )
        where = db.execute("select id from conversation where name = ?", (talk,)).fetchall()[0][0]
        message = db.execute(
            "insert into message (conversation_id, seq, role, parts, text, at)"
            " values (?, ?, 'user', '[]', 'x', 7) returning id",
            (where, memory),
        ).fetchall()[0][0]
        db.execute(
            "insert into link (from_id, relation, message_id, created_at) values (?, 'evidence', ?, 7)",
            (memory, message),
        )

    says(add(1, "profile", "Is a nurse."), "ann")
    says(add(2, "preferences", "Likes short answers."), "bo")
    both = add(3, "profile", "Sings in a choir.")
    says(both, "ann")
    says(both, "bo")
    add(4, "profile", "Has a cat.", act="act_00000000000000dd")
    add(5, "fact", "Ann asked for the rota.", "ann", act="act_00000000000000dd")
    add(6, "profile", "Is tall.")
    says(add(7, "patterns", "The rota was mended."), "ann")
    says(add(8, "preference", "We all like tea."), "ann")  # was never a kind that is shared
    add(9, "profile", "Is a nurse of children.", "ann", key="job")
    says(add(10, "profile", "Is a doctor.", key="job"), "ann")
    says(add(11, "profile", "Speaks for everyone."), "")
    topic = add(
        12, "fact", 'The topic "webpack" comes up again and again.', key="auto.topic.webpack"
    )
    db.execute("update memory set state = 'candidate', source = 'inferred' where id = ?", (topic,))
    db.execute("update context set act = null, verb = null, actor = null, at = null")
    db.close()
    with open_memory(path) as memory:
        assert memory.db.ask("select state from memory where id = ?", (topic,)) == [("deleted",)]
        rows = memory.db.ask("select content, user from memory where uid glob 'mem_a00000*'")
        moved = {content: user for content, user in rows if content != "Ann asked for the rota."}
        assert {content: user for content, user in moved.items() if user} == {
            "Is a nurse.": "ann",
            "Likes short answers.": "bo",
            "Has a cat.": "ann",
            "Is a nurse of children.": "ann",
        }
        left = {row[0] for row in memory.db.ask("select content from of_nobody")}
        assert left >= {"Sings in a choir.", "Is tall.", "Is a doctor.", "Speaks for everyone."}
        assert not left & {"Is a nurse.", "Has a cat.", "The rota was mended."}
        assert any("belongs to nobody (profile: 4)" in one for one in memory.file.doctor().warnings)
        assert memory.file.check() == []
        told = memory.history.log(uid="mem_a000000000000001", everywhere=True)
        assert told[0].reason == "it is about this person"


def test_the_history_of_an_older_file_is_undone_though_a_kind_has_another_name(
    apart: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(apart) as mem:
        mem.undo("act_00000000000000bb", now=NOW)
        [row] = [row for row in mem.list(limit=0, now=NOW) if row.content == "About user_note"]
        assert row.kind == "profile"
        mem.undo("act_00000000000000aa", now=NOW)
        assert [r for r in mem.list(limit=0, now=NOW) if r.content.startswith("About ")] == []
        assert mem.file.check() == []


def test_a_run_that_was_cut_off_before_the_upgrade_is_not_taken_for_done(
    apart: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(apart) as mem:
        [run] = mem.db.ask(
            "select is_stopped, note from job_run where uid = 'run_00000000000000aa'"
        )
        assert run[0] == 1
        assert "plans anew" in run[1]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.stem)
def test_a_migrated_memory_is_used_like_any_other(
    fixture: Path, path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    shutil.copyfile(fixture, path)
    with open_memory(path) as mem:
        assert mem.get("deploy", now=NOW).content == "Deploys need a green build."
        found = mem.db.ask("select rowid from memory_fts where memory_fts match 'heron'")
        assert found == [(2,)]
        mem.undo("act_0000000000000002", now=NOW)
        assert mem.learn("Herons wade.", now=NOW).outcome in ("inserted", "reinforced")
        assert mem.file.check() == []


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.stem)
def test_z03_opening_twice_changes_nothing_more(
    fixture: Path, path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    shutil.copyfile(fixture, path)
    open_memory(path).close()
    with open_memory(path) as mem:
        assert mem.notices == []


# -- migrations to come ------------------------------------------------------------------------------


@pytest.fixture
def next_schema(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Pretend that a later cogmem has these migrations: next_schema("alter table …;", …)."""
    present = migrate.SCHEMA_VERSION
    read = sql.script

    def pretend(*texts: str) -> None:
        numbered = [(f"{present + n:04d}_step", text) for n, text in enumerate(texts, 1)]
        monkeypatch.setattr(migrate, "SCHEMA_VERSION", present + len(texts))
        monkeypatch.setattr(
            sql, "script", lambda folder: numbered if folder == "migrations" else read(folder)
        )

    return pretend


def test_migrations_run_once_in_order_after_a_backup(
    path: str, open_memory: Callable[..., cogmem.Memory], next_schema: Callable[..., None]
) -> None:
    with open_memory(path) as mem:
        mem.learn("Herons wade.", now=NOW)
    next_schema(
        "alter table memory add column mood text not null default '';\n",
        "update memory set mood = 'calm';\n",
    )
    with open_memory(path) as mem:
        [notice] = mem.notices
        backup = notice.rpartition("before it: ")[2]
        assert mem.db.ask("select content, mood from memory") == [("Herons wade.", "calm")]
        assert mem.db.ask("pragma user_version") == [(migrate.SCHEMA_VERSION,)]
        assert mem.db.ask("pragma foreign_keys") == [(1,)]
        mem.db.ask("update memory set mood = 'glad'")
    with open_memory(path) as mem:
        assert mem.notices == []
        assert mem.db.ask("select mood from memory") == [("glad",)]
    old = sqlite3.connect(backup)
    assert old.execute("select content from memory").fetchall() == [("Herons wade.",)]
    assert old.execute("pragma user_version").fetchone()[0] < migrate.SCHEMA_VERSION
    old.close()
    assert os.stat(backup).st_mode & 0o077 == 0, "a backup is as private as the memory"


@pytest.mark.parametrize(
    "broken",
    [
        "alter table memory add column mood text;\ninsert into nowhere values (1);\n",
        "delete from fact;\ndrop table memory_that_never_was;\n",
        "update memory set priority = 99;\n",
        "create table half (id integer primary key);\ncreate table half (id integer primary key);\n",
    ],
)
def test_a_migration_that_fails_half_way_leaves_the_file_as_it_was(
    path: str,
    open_memory: Callable[..., cogmem.Memory],
    next_schema: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    with open_memory(path) as mem:
        mem.learn("Herons wade.", now=NOW)
    with open_memory(path) as mem:  # closing has sealed the history
        before = (structure(mem.db), contents(mem.db), contents(mem.db, derived=True))
    next_schema(broken)
    with pytest.raises((DatabaseProblem, InvalidInput)):
        open_memory(path)
    monkeypatch.undo()
    with open_memory(path) as mem:
        assert (structure(mem.db), contents(mem.db), contents(mem.db, derived=True)) == before
        assert mem.notices == []
        assert mem.file.check() == []


def test_a_migration_that_would_leave_dangling_rows_is_refused(
    path: str, open_memory: Callable[..., cogmem.Memory], next_schema: Callable[..., None]
) -> None:
    with open_memory(path) as mem:
        mem.learn("Herons wade.", now=NOW)
    next_schema("delete from memory;\n")
    with pytest.raises(DatabaseProblem, match="dangling rows in fact"):
        open_memory(path)


def test_a_migration_may_rebuild_a_table(
    path: str, open_memory: Callable[..., cogmem.Memory], next_schema: Callable[..., None]
) -> None:
    with open_memory(path) as mem:
        learned = mem.learn("Herons wade.", topic="gait", now=NOW)
        [(ddl,)] = mem.db.ask("select sql from sqlite_schema where name = 'fact'")
        indexes = [
            text
            for (text,) in mem.db.ask(
                "select sql from sqlite_schema where tbl_name = 'fact' and type = 'index' and sql is not null"
            )
        ]
    remade = ddl.replace("CREATE TABLE fact", "create table fact_new", 1)
    next_schema(
        f"{remade};\ninsert into fact_new select * from fact;\ndrop table fact;\n"
        "alter table fact_new rename to fact;\n" + "".join(f"{text};\n" for text in indexes)
    )
    with open_memory(path) as mem:
        assert mem.get(learned.uid, now=NOW).detail["topic"] == "gait"
        assert mem.file.check() == []


def test_an_older_file_is_not_upgraded_by_one_who_may_only_read(
    path: str, open_memory: Callable[..., cogmem.Memory], next_schema: Callable[..., None]
) -> None:
    open_memory(path).close()
    next_schema("alter table memory add column mood text;\n")
    with pytest.raises(ReadOnly, match="open it once for writing"):
        open_memory(path, read_only=True)


# -- rebuild -----------------------------------------------------------------------------------------


@pytest.fixture
def lived_in(path: str, open_memory: Callable[..., cogmem.Memory]) -> str:
    """A file with a few rows of everything."""
    shutil.copyfile(FIXTURES[-1], path)
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
    table, trigger = migrate.split(text)
    assert table.startswith("create table a")
    assert trigger.endswith("end;")
    with pytest.raises(InvalidInput, match="without an end"):
        migrate.split("create table a (x text)\n")


def test_a_backup_never_keeps_a_write_that_comes_later(memory: cogmem.Memory, path: str) -> None:
    memory.learn("before", now=NOW)
    migrate.copy_to(memory.db, path + ".copy")
    memory.learn("after", now=NOW)
    with cogmem.open(path + ".copy", driver=memory.db.driver, counter=counting.Simple()) as copy:
        assert [row.content for row in copy.list(now=NOW)] == ["before"]
