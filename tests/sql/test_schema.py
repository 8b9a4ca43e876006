"""What holds for every table, view, trigger and index: the rules of portable SQL, one test each."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from derived_version import noted
from history_triggers import history_sql
from processes import ran

from cogmem.file.sql import expand

if TYPE_CHECKING:
    from space import Space

SCHEMA = Path(__file__).resolve().parents[2] / "schema"
FILES = [
    file
    for folder in ("tables", "derived", "views")
    for file in sorted((SCHEMA / folder).glob("*.sql"))
]
STATEMENT_FILES = [
    *FILES,
    *sorted((SCHEMA / "jobs").glob("*.sql")),
    *sorted((SCHEMA / "queries").glob("*.sql")),
]

# Built-in, deterministic, and in every build since 3.38: what triggers, views and constraints call.
# exp, ln, pow and the like are missing in common builds; concat, unistr, jsonb came after 3.40.
PLAIN_FUNCTIONS = {
    "abs", "avg", "char", "coalesce", "count", "datetime", "first_value", "glob",
    "group_concat", "ifnull", "iif", "instr", "json", "json_array_length", "json_each",
    "json_extract", "json_group_array", "json_group_object", "json_object", "json_type",
    "json_valid", "lag", "last_value", "lead", "length", "like", "lower", "max", "min",
    "nullif", "printf", "rank", "replace", "round", "row_number", "rtrim", "ltrim", "substr",
    "json_array", "->>", "strftime", "sum", "total", "trim", "unicode", "upper",
}  # fmt: skip
CLOCK_OR_CHANCE = re.compile(
    r"\b(random|randomblob|last_insert_rowid|changes|total_changes|sqlite_version|sqlite_source_id)\s*\("
    r"|\b(julianday|unixepoch|strftime|datetime|date|time)\s*\((\s*\)|[^()]*'(now|subsec|localtime)')"
    r"|\bcurrent_(timestamp|date|time)\b",
    re.IGNORECASE,
)
# The one question after the version: how the words of an index are laid out, which no row depends on.
ASKS_THE_VERSION = "inside_word_merging"
LATER_THAN_3_40 = re.compile(
    r"\b(concat|concat_ws|octet_length|string_agg|unistr|jsonb\w*|timediff|unhex|json_pretty|json_array_insert"
    r"|iif\s*\([^,()]*,[^,()]*\))\s*\(|\bcontentless_delete\b|\blocale\s*=|raise\s*\(\s*\w+\s*,(?!\s*')",
    re.IGNORECASE,
)


def code_of(sql: str) -> str:
    """The statement without its comments."""
    return "\n".join(line.partition("--")[0] for line in sql.splitlines())


def objects(space: Space, *types: str) -> list[tuple[str, str]]:
    """(name, DDL) of the objects of some types; FTS5's shadow tables are its own affair."""
    rows = space.all(
        "select type, name, sql from sqlite_schema where sql is not null order by type, name"
    )
    return [
        (str(name), str(sql))
        for kind, name, sql in rows
        if kind in types and not is_shadow(str(name))
    ]


def is_shadow(name: str) -> bool:
    return name.startswith("sqlite_") or bool(
        re.search(r"_fts_(data|idx|docsize|config|content)$", name)
    )


def tables(space: Space) -> list[str]:
    return [
        name
        for name, sql in objects(space, "table")
        if not sql.lower().startswith("create virtual table")
    ]


def test_every_table_is_strict(space: Space) -> None:
    loose = [row[1] for row in space.all("pragma table_list") if row[2] == "table" and not row[5]]
    assert [name for name in loose if not is_shadow(str(name))] == []


def test_every_table_and_view_says_inside_its_ddl_what_a_row_means(space: Space) -> None:
    for name, sql in objects(space, "table", "view"):
        if sql.lower().startswith("create virtual table"):
            continue
        second = sql.splitlines()[1].strip()
        assert second.startswith("-- "), f"{name}: the line after CREATE must say what a row means"
        assert len(second) > 20, f"{name}: {second!r} does not say much"


# What a name says by itself: keys, and flags and counts whose name is the sentence.
SELF_EVIDENT = re.compile(
    r"^(id|uid|name|layer|.+_id|.+_count|.+_hash|.+_seq|is_.+|created_at|updated_at|user|project|runtime|seq|title"
    r"|body|content|vector|priority|position|heading|scope|role|text|tokens|model|purpose|actor|reason|error|attempts"
    r"|tokens_in|tokens_out|elapsed_ms|started_at|turns|action|version|step|factor|label|relation|depth|verb|model"
    r"|turn|prompt|family|key|alias|kind|state|system|token_counter|stable|stable_tokens|note|input|method|size|type)$"
)


def durable_tables() -> list[str]:
    texts = [file.read_text(encoding="utf-8") for file in (SCHEMA / "tables").glob("*.sql")]
    return [
        name for text in texts for name in re.findall(r"^create table (\w+)", text, re.MULTILINE)
    ]


def test_every_column_of_the_record_is_explained_or_explains_itself(space: Space) -> None:
    silent = []
    for table in durable_tables():
        ddl = str(space.one("select sql from sqlite_schema where name = ?", table))
        for row in space.all(f'pragma table_xinfo("{table}")'):
            column = str(row[1])
            line = next(
                (line for line in ddl.splitlines() if re.match(rf'\s*"?{column}"?\s', line)), ""
            )
            if "--" not in line and not SELF_EVIDENT.match(column):
                silent.append(f"{table}.{column}")
    assert silent == []


def test_every_instant_is_an_integer_and_its_table_names_the_unit(space: Space) -> None:
    for table in tables(space):
        ddl = str(space.one("select sql from sqlite_schema where name = ?", table))
        instants = [
            row
            for row in space.all(f'pragma table_xinfo("{table}")')
            if str(row[1]).endswith("_at")
        ]
        assert all(row[2] == "INTEGER" for row in instants), table
        assert not instants or " ms" in ddl, f"{table} does not say that its instants are ms"


def test_every_constraint_is_named_by_a_sentence(space: Space) -> None:
    for table in tables(space):
        code = code_of(str(space.one("select sql from sqlite_schema where name = ?", table)))
        checks = re.findall(r"(?:constraint\s+(\w+)\s+)?\bcheck\s*\(", code)
        short = [name or "a check without a name" for name in checks if name.count("_") < 2]
        assert short == [], f"{table}: {short}"


def test_indexes_and_triggers_are_named_after_what_they_serve(space: Space) -> None:
    for name, sql in objects(space, "index"):
        table = re.search(r"\bon (\w+)", code_of(sql))
        assert table
        assert re.match(rf"{table[1]}_(by|once)(_|$)", name), f"index {name} on {table[1]}"
    for name, sql in objects(space, "trigger"):
        parts = re.search(
            r"\b(before|after|instead of) (insert|update|delete)\b.*?\bon (\w+)", code_of(sql), re.S
        )
        assert parts
        assert re.match(rf"{parts[3]}_{parts[1][0]}{parts[2][0]}(_\w+)?$", name), (
            f"trigger {name} on {parts[3]}"
        )


def without_the_one_question(code: str) -> str:
    asks = f"create view {ASKS_THE_VERSION}" in code.lower()
    return code.replace("sqlite_version()", "'3.44'", 1) if asks else code


def test_no_trigger_view_index_or_default_reads_a_clock_or_draws_lots(space: Space) -> None:
    for name, sql in objects(space, "table", "view", "index", "trigger"):
        found = CLOCK_OR_CHANCE.search(without_the_one_question(code_of(sql)))
        assert not found, (
            f"{name} uses {found and found[0]}: every node of a cluster would store its own value"
        )
    for table in tables(space):
        for row in space.all(f'pragma table_xinfo("{table}")'):
            assert row[4] is None or re.fullmatch(r"null|-?\d+(\.\d+)?|'[^']*'", str(row[4])), (
                table,
                row[1],
                row[4],
            )


def test_no_statement_chooses_memories_by_the_name_of_their_kind() -> None:
    """What is done with a kind stands in its row, so that one's own kind can be like a built-in one."""
    named = re.compile(r"\bkind (?:=|<>|in|not in) \(?'[^']")
    places = [
        f"{file.name}: {line.strip()}"
        for folder in ("queries", "derived", "views", "jobs")
        for file in (SCHEMA / folder).glob("*.sql")
        for line in file.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    assert places == []


def test_no_named_statement_reads_a_clock_or_draws_lots() -> None:
    for file in STATEMENT_FILES:
        code = code_of(expand(file.read_text(encoding="utf-8")))
        found = CLOCK_OR_CHANCE.search(without_the_one_question(code))
        assert not found, (
            f"{file.name} uses {found and found[0]!r}: pass :now and uids as parameters"
        )


def test_statements_that_fire_triggers_call_plain_functions_only(space: Space) -> None:
    called: dict[str, set[str]] = {}
    here = ""

    def notice(action: int, _: str | None, name: str | None, *__: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION and name:
            called.setdefault(name.lower(), set()).add(here)
        return sqlite3.SQLITE_OK

    space.set_authorizer(notice)
    for table in tables(space):
        columns = [str(row[1]) for row in space.all(f'pragma table_xinfo("{table}")')]
        here = table
        space.execute(f'explain insert into "{table}" default values')
        space.execute(f'explain delete from "{table}"')
        for column in columns:
            space.execute(f'explain update "{table}" set "{column}" = "{column}"')
    for name, _ in objects(space, "view"):
        here = name
        space.execute(f'explain select * from "{name}"')
    space.set_authorizer(None)
    assert "json_object" in called, "the history triggers call it: the authorizer saw nothing"
    strange = {name: places for name, places in called.items() if name not in PLAIN_FUNCTIONS}
    strange.pop("sqlite_version")  # of ASKS_THE_VERSION
    assert strange == {}


def test_nothing_newer_than_sqlite_3_40_is_written() -> None:
    for file in STATEMENT_FILES:
        code = code_of(expand(file.read_text(encoding="utf-8")))
        found = LATER_THAN_3_40.search(code)
        assert not found, f"{file.name} uses {found and found[0]!r}, which stock clients reject"
        assert not re.search(r"(group_concat|json_group_\w+)\s*\([^()]*\border by\b", code, re.I), (
            file.name
        )


def test_the_stock_shell_loads_the_whole_schema_once_its_sentences_are_written_out() -> None:
    shell = Path("/usr/bin/sqlite3")
    if not shell.exists():
        pytest.skip("this machine has no /usr/bin/sqlite3")
    script = "".join(expand(file.read_text(encoding="utf-8")) for file in FILES)
    script += "select count(*) from kind;\n"
    done = ran([str(shell), "-bail", ":memory:"], input=script)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20


def test_every_file_is_whole_statements_after_an_opening_sentence() -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("-- "), f"{file.name} must open with what it is about"
        assert sqlite3.complete_statement(expand(text)), f"{file.name} ends inside a statement"
        assert re.match(r"\d\d_[a-z_]+\.sql$", file.name), f"{file.name}: two digits give the order"


def test_the_history_triggers_are_those_that_the_tables_ask_for() -> None:
    written = (SCHEMA / "derived" / "20_history.sql").read_text(encoding="utf-8")
    assert written == history_sql(), "a table has changed: run `make history`"


def test_the_version_of_the_derived_half_names_its_files() -> None:
    there = (SCHEMA / "derived" / "VERSION").read_text(encoding="utf-8")
    assert there == noted(), "schema/derived has changed: run `make derived`"


def test_the_readme_names_every_file_table_and_view(space: Space) -> None:
    text = (SCHEMA / "README.md").read_text(encoding="utf-8")
    views = [name for name, _ in objects(space, "view")]
    assert [name for name in views if f"`{name}`" not in text] == []
    files = [file.name for file in FILES]
    assert [name for name in files if name not in text and name[3:] not in text] == []
