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
  -- who is writing, as the history signs a change
  select act, coalesce(verb, '') as verb, coalesce(actor, 'unknown') as actor, coalesce(reason, '') as reason,
         run, undoes, acted_at, case when act is not null then clock end as clock, origin
    from context;

create view inside_record as
  -- Where the triggers below put a row as it was and as it becomes. What makes a change of it is said once, in the
  -- trigger of this view, and not in each of them, because every process that opens the file reads them all.
  select record, row_key, uid, before, after from change;

create trigger inside_record_ii instead of insert on inside_record begin
  insert into change
    (act, verb, actor, reason, run, undoes, changed_at, clock, origin, record, row_key, uid, action, before, after)
  select w.*, new.record, new.row_key, new.uid,
         case when new.before is null then 'insert' when new.after is null then 'delete' else 'update' end,
         new.before, new.after
    from inside_writer w;
end;
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


def in_lines(parts: list[str]) -> str:
    """Parts of a list, a few to a line."""
    lines = [""]
    for part in parts:
        if len(lines[-1]) + len(part) > 110:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part},"
    return "\n    ".join(lines).removesuffix(",")


def whole_row(row: str, names: list[str]) -> str:
    pairs = in_lines([f"'{name}', {row}.{name}" for name in names])
    return f"json_object(\n    {pairs})"


def becomes(table: str, name: str) -> str:
    """The value of a column after an update."""
    if (table, name) not in TAKEN_AWAY:
        return f"new.{name}"
    when, left = TAKEN_AWAY[table, name]
    return f"case when {when} then {left} else new.{name} end"


def triggers(table: str, key: str, uid: str, names: list[str], when: str) -> str:
    into = "  insert into inside_record"
    first, *others = names
    was_and_becomes = in_lines(
        [f"('{name}', old.{name}, {becomes(table, name)})" for name in others]
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
{into} values ('{table}', new.{key}, {uid.format(row="new")}, null, {whole_row("new", names)});
end;

create trigger {table}_au_history after update on {table} begin
{into}
  select '{table}', old.{key}, {uid.format(row="new")}, json_group_object(name, was), json_group_object(name, becomes)
  from (select '{first}' as name, old.{first} as was, new.{first} as becomes union all values
    {was_and_becomes})
  where was is not becomes having count(*) > 0;
{TAKE_AWAY if table == "memory" else ""}end;

create trigger {table}_ad_history after delete on {table} begin
{into} values ('{table}', old.{key}, {uid.format(row="old")}, {whole_row("old", names)}, null);
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
