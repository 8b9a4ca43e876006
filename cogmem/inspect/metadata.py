"""What Datasette tells of tables, columns and questions: read from the comments inside the DDL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from cogmem.file import sql

# What a person narrows a table or view by.
FACETS = {
    "memory": ["layer", "kind", "state", "source"],
    "message": ["role"],
    "activation": ["session"],
    "activation_item": ["layer", "stage"],
    "change": ["verb", "record", "actor"],
    "job_run": ["job"],
    "link": ["relation"],
    "task": ["purpose", "state"],
    "kind": ["layer", "system"],
    "semantic_memory": ["kind", "state", "source"],
    "episodic_memory": ["kind", "state"],
    "procedural_memory": ["kind", "state"],
    "belief": ["kind", "source"],
    "turn_item": ["layer", "why"],
    "left_out": ["layer", "why"],
    "never_used": ["layer", "kind", "source"],
    "junk_suspect": ["why", "kind"],
    "night_change": ["job", "became"],
    "archived": ["kind", "archive_reason"],
}
NEWEST_FIRST = {
    "memory": "id", "message": "id", "activation": "id", "change": "id", "job_run": "started_at",
    "turn_cost": "activation_id", "turn_layer": "activation_id", "turn_item": "activation_id",
    "left_out": "activation_id", "night_change": "change_id", "night_run": "started_at", "act": "change_id",
    "growth": "day", "spend": "day",
}  # fmt: skip
QUESTION = "inspect.ask_"  # the family of statements that become forms


def said_of(ddl: str) -> str:
    """Return what the comment right below CREATE says."""
    return " ".join(_comment(ddl.splitlines()[1:]))


def _comment(lines: Iterable[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return [line[3:] for line in takewhile(lambda line: line.startswith("-- "), stripped)]


def meaning_of(ddl: str, column: str) -> str:
    """Return the comment behind a column, which may go on below it."""
    lines = ddl.splitlines()
    for place, line in enumerate(lines):
        if re.match(rf'\s*"?{re.escape(column)}"?\s', line) and not line.strip().startswith("--"):
            said = [line.partition("-- ")[2], *_comment(lines[place + 1 :])]
            return " ".join(part for part in said if part)
    return ""


def views() -> dict[str, str]:
    """Return the views for people and what a row of each is, those of the last file first."""
    found = {}
    for _, text in reversed(sql.script("views")):
        for match in re.finditer(r"^create view (?!inside_)(\w+)", text, re.MULTILINE):
            found[match[1]] = said_of(text[match.start() :])
    return found


def questions() -> dict[str, dict[str, Any]]:
    """Return the prepared questions: Datasette's canned queries, in the order of their numbers."""
    found = {}
    for name in sorted(sql.names("inspect")):
        if name.startswith(QUESTION):
            title, _, rest = re.split(r"(?<=[?.])( |$)", sql.reason(name), maxsplit=1)
            found[name.removeprefix(QUESTION)[2:]] = {
                "title": title,
                "description": rest,
                "statement": name,
                "sql": sql.statement(name),
                "params": sql.parameters(sql.statement(name)),
                "hide_sql": True,
            }
    return found


def metadata(objects: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """Datasette's metadata for one file, from (name, type, DDL, is derived) of its tables and views."""
    tables: dict[str, dict[str, Any]] = {}
    for name, kind, ddl, is_derived in objects:
        about: dict[str, Any] = {"description": said_of(ddl)}
        if kind == "table":
            names = re.findall(r"^ +(\w+) +(?:text|integer|real|blob)\b", ddl, re.MULTILINE)
            columns = {column: meaning_of(ddl, column) for column in names}
            about["columns"] = {column: said for column, said in columns.items() if said}
            about["hidden"] = bool(is_derived) or name == "derivation"
        if name in FACETS:
            about["facets"] = FACETS[name]
        if name in NEWEST_FIRST:
            about["sort_desc"] = NEWEST_FIRST[name]
            if kind == "view":  # Datasette sorts a view only by what is named
                about["sortable_columns"] = [NEWEST_FIRST[name]]
        if name == "memory":
            about["label_column"] = "content"
        tables[name] = about
    return {
        "title": "What this memory holds",
        "description": "Everything here is read-only: change it with cogmem, or with any SQLite client.",
        "databases": {"memory": {"tables": tables, "queries": questions()}},
    }
