"""Writes docs/schema.md, the reference of tables and views, from the DDL and the comments inside it.

`make docs-schema` writes the page; without `--write` it goes to standard output. A test compares the two.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from space import SCHEMA

from cogmem.inspect.metadata import said_of

PAGE = SCHEMA.parent / "docs" / "schema.md"
HEAD = """\
# Tables and views

What a row of each stands for: made by `make docs-schema` from the comments inside the DDL. Any client lists
the columns, each with its meaning: `sqlite3 memory.db '.schema memory'`.
[schema/README.md](../schema/README.md) tells how a memory lives, [the cookbook](how-to/sql-cookbook.md) has
queries. An instant in a table is an integer, ms since 1970 in UTC; views show it as UTC text.
"""
MARK = str.maketrans({"|": "\\|", "<": "&lt;", ">": "&gt;"})


def page() -> str:
    """The whole page."""
    parts = [HEAD, *_chapter("tables", "table"), *_chapter("derived", "table"), *_views()]
    return "\n".join(parts)


def _chapter(folder: str, kind: str) -> list[str]:
    title, told = {
        "tables": (
            "Tables",
            "What was learned, said and done: nothing here can be made anew.",
        ),
        "derived": (
            "Tables that can be remade",
            "`cogmem file rebuild` drops them and fills them anew from the tables above.",
        ),
    }[folder]
    found = _objects(folder, kind)
    rows = [f"- `{name}`: {_sentence(ddl)}" for name, ddl in found]
    if folder == "derived":
        rows = [", ".join(f"`{name}`" for name, _ in found) + "."]
    return [f"## {title}", "", told, "", *rows, ""]


def _views() -> list[str]:
    found = [one for one in _objects("views", "view") if not one[0].startswith("inside_")]
    rows = [f"- `{name}`: {_sentence(ddl)}" for name, ddl in found]
    told = "A new file is without them: any command of `cogmem` lays them into it."
    return ["## Views for people", "", told, "", *rows, ""]


def _objects(folder: str, kind: str) -> list[tuple[str, str]]:
    """(name, DDL) of the tables or views that a folder makes, in reading order."""
    found = []
    for file in sorted((SCHEMA / folder).glob("*.sql")):
        text = file.read_text(encoding="utf-8")
        for match in re.finditer(rf"^create (?:virtual )?{kind} (\w+)", text, re.MULTILINE):
            found.append((match[1], _statement(text[match.start() :])))
    return found


def _statement(text: str) -> str:
    """The first statement of a text; a semicolon within a comment does not end it."""
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if line.partition("--")[0].rstrip().endswith(";"):
            break
    return "\n".join(lines)


def _sentence(ddl: str) -> str:
    """The first clause that can stand alone below CREATE; the DDL has the others."""
    first = re.match(r".{28,}?[.:;](?= |$)|.+", said_of(ddl))
    return (first[0].rstrip(".:;") + "." if first else "").translate(
        MARK
    ) or "An index for full-text search."


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        Path(PAGE).write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
