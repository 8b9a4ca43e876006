"""Hot statements find their rows through an index, whatever the size of the file.

The one test here that needs cogmem: named statements are written with macros that cogmem.file.sql fills.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from space import SCHEMA, new_space

from cogmem.file import sql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from space import Space

# Tables that grow with use. A scan of one costs more with every day that cogmem is used.
GROWING = {
    "memory",
    "fact",
    "episode",
    "procedure",
    "link",
    "message",
    "change",
    "activation",
    "left_out_before",
    "fading",
    "baseline",
    "conversation",
    "summary",
    "embedding",
}
# Statements that look at everything on purpose: for a person who waits, never in a turn or a write.
WHOLE = re.compile(
    r"^(check\..*|exchange\..*|history\.log|explain\.likeliest|store\.(count|count_by_kind|describe_kinds|scopes)"
    r"|conversation\.list|documents\.imported|sync\.(gone|merged_round|policy_changes_of|texts)|(jobs|forget|many|inspect|plot|today)\..*)$"
)


def names() -> list[str]:
    files = sorted((SCHEMA / "queries").glob("*.sql"))
    return [name for file in files for name in named_in(file.stem)]


def named_in(module: str) -> list[str]:
    text = (SCHEMA / "queries" / f"{module}.sql").read_text(encoding="utf-8")
    return [f"{module}.{short}" for short in re.findall(r"^-- name: (\w+)", text, re.MULTILINE)]


def scans(space: Space, statement: str) -> list[str]:
    """Growing tables that a statement reads from end to end."""
    named = dict.fromkeys(sql.parameters(statement), 1)
    params = named or [1] * statement.count("?")
    aliases = {
        alias: table
        for table, alias in re.findall(r"\b(?:from|join)\s+(\w+)\s+(?:as\s+)?(\w+)", statement)
    }
    found = []
    for row in space.execute("explain query plan " + statement, params).fetchall():
        scan = re.match(r"SCAN (\w+)", row[3])
        if scan and aliases.get(scan[1], scan[1]) in GROWING and "USING" not in row[3]:
            found.append(row[3])
    return found


@pytest.fixture(scope="module")
def looked_at() -> Iterator[Space]:
    """One empty space for all statements: a plan is asked for, nothing is run."""
    db = new_space()
    yield db
    db.close()


def test_a_statement_of_a_turn_or_a_write_scans_no_growing_table(looked_at: Space) -> None:
    found = {
        name: scans(looked_at, sql.statement(name)) for name in names() if not WHOLE.match(name)
    }
    assert {name: rows for name, rows in found.items() if rows} == {}


HOT = [
    ("store.by_uid", "sqlite_autoindex_memory_1"),
    ("store.by_key", "memory_by_key"),
    ("store.owned_key", "memory_by_key"),
    ("store.owned_text", "memory_by_content_hash"),
    ("learn.same_text", "memory_by_content_hash"),
    ("learn.still_new", "memory_by_content_hash"),
    ("store.still", "change_by_uid"),
    ("store.usage", "memory_by_state"),
    ("store.make_room_by_age", "memory_by_state"),
    ("store.make_room_by_strength", "memory_by_state"),
    ("learn.still_room", "memory_by_state"),
    ("learn.entries", "memory_by_state"),
    ("store.list", "memory_by_creation"),
    ("store.end_session", "memory_by_session"),
    ("act.failures_of", "memory_by_state"),
    ("act.failures_like", "memory_by_state"),
    ("act.blocking", "memory_by_state"),
    ("act.about_path", "memory_by_path"),
    ("memories.is_any_noted", "memory_by_source"),
    ("history.of_act", "change_by_act"),
    ("history.of_run", "change_by_run"),
    ("history.of_memory", "change_by_uid"),
]


@pytest.mark.parametrize("analysed", [False, True], ids=["fresh", "analysed"])
def test_a_hot_statement_uses_its_index(space: Space, analysed: bool) -> None:
    if analysed:  # statistics must not talk the planner out of it
        for number in range(300):
            space.remember(
                f"heron {number}", key=f"k{number}" if number % 3 else "", uid=f"mem_{number:016x}"
            )
        space.execute("update memory set content_hash = 'h' || id")
        space.execute("analyze")
    for name, index in HOT:
        params = dict.fromkeys(sql.parameters(sql.statement(name)), 1)
        plan = space.execute("explain query plan " + sql.statement(name), params).fetchall()
        assert any(re.search(rf"INDEX {index}\b", row[3]) for row in plan), (name, plan)


def test_every_index_serves_a_statement(looked_at: Space) -> None:
    looked_at.execute("create table if not exists derivation (type, name, version)")
    asked = [sql.statement(name) for name in names()]
    asked += [
        f"select * from {view}"
        for (view,) in looked_at.all("select name from sqlite_schema where type = 'view'")
    ]
    used: set[str] = set()
    for statement in asked:
        params = dict.fromkeys(sql.parameters(statement), 1) or [1] * statement.count("?")
        for row in looked_at.execute("explain query plan " + statement, params):
            used.update(re.findall(r"INDEX (\w+)", row[3]))
    made = "select name from sqlite_schema where type = 'index' and sql is not null and sql not like '%unique%'"
    idle = {str(name) for (name,) in looked_at.all(made)} - used
    assert idle == set(), "an index that nothing asks costs a page, and time at every write"


def test_what_has_faded_is_found_without_reading_the_memories(space: Space) -> None:
    plan = [row[3] for row in space.execute("explain query plan select * from faded")]
    assert plan[:3] == ["SCAN c", "SCAN f", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"]
    assert not [step for step in plan if step.startswith(("SCAN m", "SCAN h", "SCAN l"))], plan


@pytest.mark.parametrize("name", ["turn.lately_shown", "turn.is_told"])
def test_what_a_session_was_shown_is_found_among_its_own_turns(looked_at: Space, name: str) -> None:
    statement = sql.statement(name)
    params = dict.fromkeys(sql.parameters(statement), 1)
    plan = looked_at.execute("explain query plan " + statement, params).fetchall()
    assert any("weighing_by_session (session=?" in row[3] for row in plan), plan
