"""Writes schema/derived/20_history.sql from the tables' own columns: `make history`.

The file stands in the repository so that the schema can be read and run without Python. A test
compares it with what this module makes, so a new column can never be left out of the history.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[2] / "schema"

# table -> (primary key, expression that finds the memory's uid from a row alias)
OWNER = "(select uid from memory where id = {row}.memory_id)"
RECORDED = {
    "memory": ("id", "{row}.uid"),
    "fact": ("memory_id", OWNER),
    "episode": ("memory_id", OWNER),
    "procedure": ("memory_id", OWNER),
    "link": ("id", "(select uid from memory where id = {row}.from_id)"),
    "kind": ("name", "null"),
    "setting": ("name", "null"),
    "gate_weight": ("name", "null"),
    "capture_rule": ("name", "null"),
}
COME_WITH_THEIR_MEMORY = ("fact", "episode", "procedure")
# What a trigger of 10_layers.sql gives such a row where a value is needed and no default says it.
CREATED = "(select created_at from memory where id = new.memory_id)"
# What else INSERT OR REPLACE would push aside, beside a row with the same primary key. Memories
# have a guard of their own in 10_layers.sql.
PUSHED_ASIDE = {
    "link": "\n     or (from_id, relation, coalesce(to_id, 0), coalesce(message_id, 0))"
    "\n      = (new.from_id, new.relation, coalesce(new.to_id, 0), coalesce(new.message_id, 0))"
}

# What is taken away from a memory whose text another client changed, and when: see 10_layers.sql. The change of that
# client tells of it. A trigger does not fire itself, so that taking it away leaves no second row.
UNKNOWN = "(select act from context) is null"
TEXT_GOES = f"new.content <> old.content and new.content_hash = old.content_hash and {UNKNOWN}"
LENGTH_GOES = f"(new.content, new.key) is not (old.content, old.key) and new.tokens is old.tokens and {UNKNOWN}"
TAKEN_AWAY = {
    ("memory", "content_hash"): (TEXT_GOES, "''"),
    ("memory", "terms"): (TEXT_GOES, "''"),
    ("memory", "tokens"): (LENGTH_GOES, "null"),
    ("memory", "token_counter"): (LENGTH_GOES, "''"),
}

TAKE_AWAY = f"""  update memory set tokens = null, token_counter = ''
   where id = new.id and {LENGTH_GOES};
  update memory set content_hash = '', terms = ''
   where id = new.id and {TEXT_GOES};
"""

HEAD = """\
-- History: each change of a memory, a link or a policy row leaves its before and after in `change`.
-- REPLACE would delete a row without a trace, and a new primary key would cut the trace: both are refused.
-- The row of a layer that comes with its memory and says nothing yet is told by the memory's own insert.
-- Made by `make history` from the columns of the tables; a test holds the two equal.

create view inside_writer as
  -- who is writing, as the history signs an insert or a delete. Said once and not in each trigger, because
  -- every process that opens the file reads them all.
  select act, coalesce(verb, '') as verb, coalesce(actor, 'unknown') as actor, coalesce(reason, '') as reason,
         run, undoes, acted_at, case when act is not null then clock end as clock, origin
    from context;
"""


def load_tables() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    for file in sorted((SCHEMA / "tables").glob("*.sql")):
        db.executescript(file.read_text())
    return db


def columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"pragma table_xinfo({table})")]


def says_something(db: sqlite3.Connection, table: str) -> str:
    """Whether a new row holds more than what it comes with, as the condition of a trigger."""
    said = {
        name: default or (CREATED if is_needed else "null")
        for _, name, _, is_needed, default, *_ in db.execute(f"pragma table_xinfo({table})")
        if name != RECORDED[table][0]
    }
    new = ", ".join(f"new.{name}" for name in said)
    return f"when ({new})\n       is not ({', '.join(said.values())})\n"


def whole_row(row: str, names: list[str]) -> str:
    lines: list[str] = []
    for start in range(0, len(names), 3):
        lines.append(", ".join(f"'{name}', {row}.{name}" for name in names[start : start + 3]))
    return "json_object(\n      " + ",\n      ".join(lines) + ")"


def becomes(table: str, name: str) -> str:
    """The value of a column after an update."""
    if (table, name) not in TAKEN_AWAY:
        return f" new.{name}"
    when, left = TAKEN_AWAY[table, name]
    return f"\n        case when {when} then {left} else new.{name} end"


def triggers(table: str, key: str, uid: str, names: list[str], when: str) -> str:
    into = (
        "  insert into change\n"
        "    (act, verb, actor, reason, run, undoes, changed_at, clock, origin,"
        " record, row_key, uid, action, before, after)\n"
    )
    who = (
        "c.act, coalesce(c.verb, ''), coalesce(c.actor, 'unknown'), coalesce(c.reason, ''),\n"
        "    c.run, c.undoes, c.acted_at, case when c.act is not null then c.clock end, c.origin"
    )
    pairs = " union all\n      ".join(
        f"select '{name}'{' as name' if first else ''}, old.{name}{' as was' if first else ''},"
        f"{becomes(table, name)}{' as becomes' if first else ''}"
        for first, name in zip([True] + [False] * len(names), names, strict=False)
    )
    guard = f"""
create trigger {table}_bi_history before insert on {table}
when exists (select 1 from {table} where {key} = new.{key}{PUSHED_ASIDE.get(table, "")})
begin
  select raise(abort, 'this row of {table} is there: update it instead of inserting');
end;
"""
    if table == "memory":
        guard = ""
    return f"""{guard}
create trigger {table}_bu_history before update of {key} on {table} when new.{key} is not old.{key} begin
  select raise(abort, 'the history knows this row of {table} by its {key}: add another row instead');
end;

create trigger {table}_ai_history after insert on {table}{when}begin
{into}  select w.*, '{table}', new.{key}, {uid.format(row="new")}, 'insert', null,
    {whole_row("new", names)}
  from inside_writer w;
end;

create trigger {table}_au_history after update on {table} begin
{into}  select {who}, '{table}', old.{key}, {uid.format(row="new")}, 'update',
    json_group_object(d.name, d.was), json_group_object(d.name, d.becomes)
  from context c, (
      {pairs}) d
  where d.was is not d.becomes
  group by c.id;
{TAKE_AWAY if table == "memory" else ""}end;

create trigger {table}_ad_history after delete on {table} begin
{into}  select w.*, '{table}', old.{key}, {uid.format(row="old")}, 'delete',
    {whole_row("old", names)}, null
  from inside_writer w;
end;
"""


def history_sql() -> str:
    db = load_tables()
    parts = [HEAD]
    for table, (key, uid) in RECORDED.items():
        if columns(db, table):
            comes = table in COME_WITH_THEIR_MEMORY
            when = f"\n{says_something(db, table)}" if comes else " "
            parts.append(triggers(table, key, uid, columns(db, table), when))
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(history_sql())
