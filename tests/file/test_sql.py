"""Named SQL: what Python asks for exists, what exists is asked for, and what is declared is used."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from cogmem.errors import UnknownName
from cogmem.file import sql

PACKAGE = Path(sql.__file__).resolve().parents[1]
QUERIES = sorted(Path(sql.SCHEMA, "queries").glob("*.sql"))
VIEWER = ("everywhere", "runtime", "user", "project", "session", "own", "shared", "branch")
STANDS_FOR = {
    "viewer": VIEWER,
    "hearer": tuple(name for name in VIEWER if name not in ("session", "branch")),
}
NAME = re.compile(r"""(?<=")[a-z_]+\.[a-z_]+(?=")""")
SOURCES = {file: file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py"))}


@cache
def named_in_python() -> dict[str, set[str]]:
    """statement -> modules that name it; other dotted words do not count.

    A literal that ends with _ names the family of statements that begin with it.
    """
    modules = {file.stem for file in QUERIES}
    found: dict[str, set[str]] = {}
    for file, source in SOURCES.items():
        for text in NAME.findall(source):
            if text.partition(".")[0] in modules and not text.endswith((".sql", ".py")):
                found.setdefault(text, set()).add(str(file.relative_to(PACKAGE)))
    return found


def loaded() -> set[str]:
    return {name for file in QUERIES for name in sql.names(file.stem)}


def test_every_statement_that_python_names_exists() -> None:
    known = loaded()
    families = {
        name[: place + 1] for name in known for place, mark in enumerate(name) if mark == "_"
    }
    unknown = {
        name: places
        for name, places in named_in_python().items()
        if name not in known and name not in families
    }
    assert unknown == {}


def test_every_statement_is_named_somewhere() -> None:
    named = set(named_in_python())
    families = tuple(name for name in named if name.endswith("_"))
    assert [n for n in sorted(loaded() - named) if not (families and n.startswith(families))] == []


def test_a_query_file_is_named_after_the_module_or_the_table_that_it_serves() -> None:
    served = {file.stem for file in SOURCES} | {
        folder.name for folder in PACKAGE.iterdir() if folder.is_dir()
    }
    for text in (
        file.read_text(encoding="utf-8") for file in Path(sql.SCHEMA, "tables").glob("*.sql")
    ):
        served |= set(re.findall(r"^create table (\w+)", text, re.MULTILINE))
    assert [file.stem for file in QUERIES if file.stem not in served] == []


def test_sql_in_python_stands_only_where_it_may() -> None:
    # db, its drivers and migrate speak to SQLite itself; the others go through all tables, by their names.
    allowed = {
        "db.py",
        "connection.py",  # asks SQLite how far the history has grown
        "driver_sqlite3.py",
        "making.py",
        "layout.py",  # puts the rows of a new table in order
        "sql.py",
        "check.py",
        "bulk.py",
        "pristine.py",
        "snapshot.py",
        "forget.py",
        "erase.py",  # goes through the tables of a user
        "replay.py",  # goes through the tables that have a history
        "cells.py",
        "damage.py",  # asks any statement once more, around what is no text
        "backups.py",  # reads copies, of any version
        "foreign.py",  # reads other programs' tables
        "cluster.py",  # where the copy stands
        "cluster_nodes.py",  # speaks to nodes, and of the batches that they took
        "cluster_copy.py",
        "moving.py",  # all tables of two memories, compared
        "due_list.py",  # a file of its own, which holds no memory
        "foreign_triggers.py",  # looks for triggers in files of any version
        "user_sql.py",  # whether a person's statement finds the views
        "views.py",  # which views a file has
    }
    begun = re.compile(r"[\"']\s*(select\s|insert\s+into|update\s|delete\s+from)", re.I)
    statement = re.compile(
        r"\s*(select\s.+\sfrom|insert\s+into\s+\w+\s*\(|update\s+\w+\s+set|delete\s+from)\s",
        re.I | re.S,
    )
    found = {}
    for file, source in SOURCES.items():
        if file.name in allowed or "exchange" in file.parts or not begun.search(source):
            continue
        strings = [
            node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
        ]
        written = [text for text in strings if isinstance(text, str) and statement.match(text)]
        if written:
            found[file.name] = written
    assert found == {}


@pytest.mark.parametrize("file", QUERIES, ids=lambda file: file.stem)
def test_every_statement_says_why_it_is_there_and_declares_what_it_uses(file: Path) -> None:
    opening, *blocks = file.read_text(encoding="utf-8").split("\n-- name: ")
    assert opening.startswith("-- "), "a file opens with whom it serves"
    declared = {}
    for block in blocks:
        head, why, _ = block.split("\n", 2)
        short, _, words = head.rstrip(" )").partition("(")
        assert why.startswith("-- "), f"{short} does not say why it is there"
        assert short not in declared, f"{short} stands twice"
        declared[short] = {
            name
            for word in filter(None, map(str.strip, words.split(",")))
            for name in STANDS_FOR.get(word, (word,))
        }
    used = {short: set(sql.parameters(sql.statement(f"{file.stem}.{short}"))) for short in declared}
    assert declared == used


@pytest.fixture
def queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty schema/queries, and a loader that has seen nothing yet."""
    (tmp_path / "queries").mkdir()
    sql.expand("{lasting f}")  # the sentences of the real schema are kept
    monkeypatch.setattr(sql, "SCHEMA", str(tmp_path))
    monkeypatch.setattr(sql, "_statements", {})
    monkeypatch.setattr(sql, "_files", {})
    return tmp_path / "queries"


def test_macros_fill_in_the_alias_of_their_table(queries: Path) -> None:
    (queries / "t.sql").write_text(
        "-- For the test.\n\n-- name: seen(viewer)\n-- Why.\nselect 1 from memory m where {visible m}\n"
    )
    text = sql.statement("t.seen")
    assert "{" not in text
    assert "m.user" in text
    assert set(sql.parameters(text)) == set(VIEWER)


def test_colons_in_text_times_and_comments_are_no_parameters() -> None:
    assert sql.parameters("select :a, :b_2, '12:30' -- :c\n, x::y") == ["a", "b_2", "y"]


def test_an_unknown_name_says_where_to_look() -> None:
    with pytest.raises(UnknownName, match=r"look in schema/queries/store\.sql"):
        sql.statement("store.no_such_thing")


def test_a_sentence_is_filled_with_what_it_is_given_and_may_hold_others(
    queries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "_predicates", {})
    monkeypatch.setattr(sql, "_files", {})
    (queries.parent / "predicates.sql").write_text(
        "-- For the test.\n\n-- name: used(m)\n-- Why.\nmax({m}.a,\n  {m}.b)\n\n"
        "-- name: age(m, at)\n-- Why.\n{at} - {used {m}}\n"
    )
    assert sql.expand("select {age x, min(1, 2)}, '{}', '{1, 3}'") == (
        "select min(1, 2) - max(x.a, x.b), '{}', '{1, 3}'"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [("select {seen m}", "no sentence is called 'seen'"), ("{visible m, n}", "must say m")],
)
def test_a_sentence_that_is_not_there_or_is_given_too_much_is_named(text: str, fault: str) -> None:
    with pytest.raises(UnknownName, match=fault):
        sql.expand(text)


def test_every_sentence_says_why_it_is_there_and_is_used() -> None:
    text = Path(sql.SCHEMA, "predicates.sql").read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.split("\n-- name: ")[1:]]
    assert [head for head, why, *_ in blocks if not why.startswith("-- ")] == []
    everything = text + "".join(
        file.read_text(encoding="utf-8") for file in Path(sql.SCHEMA).glob("*/*.sql")
    )
    names = [head.partition("(")[0] for head, *_ in blocks]
    assert [name for name in names if f"{{{name} " not in everything] == []


def test_no_rule_of_the_predicates_is_spelled_again() -> None:
    spelled = re.compile(
        r"<< 24|>> 24|16777215|\w+\.valid_to is null or \w+\.valid_to > :now|\bhalving\b.*\bstep\b"
    )
    found = {
        file.name: spelled.findall(file.read_text(encoding="utf-8"))
        for file in Path(sql.SCHEMA).glob("*/*.sql")
        if file.name != "40_strength.sql"
    }
    assert {name: places for name, places in found.items() if places} == {}
