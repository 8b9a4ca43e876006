"""Finds and names the SQL that lives in schema/.

Python names a statement by one literal, "store.by_uid": block `by_uid` of queries/store.sql, which opens with

    -- name: by_uid(uid, now, viewer)
    -- One memory by its name, in whatever state, if the viewer may see it.

A test proves that what is declared is what the statement uses. `{visible m}` stands for a sentence of
schema/predicates.sql, filled with the alias of a table; `viewer` declares the parameters that `visible` uses,
`hearer` those of `heard`. On the path of every hook: it reads only the files that are asked for, without `re`.
"""

from __future__ import annotations

import os

from cogmem.errors import UnknownName

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Inside a wheel schema/ lies in the package; in a checkout and an editable install, beside it.
SCHEMA = os.path.join(_PACKAGE, "schema")
if not os.path.isdir(SCHEMA):
    SCHEMA = os.path.join(os.path.dirname(_PACKAGE), "schema")

_statements: dict[str, str] = {}
_files: dict[str, str] = {}  # schema/queries as they stand, as far as they were read
# By name: what it is filled with, and its text; as far as asked for.
_predicates: dict[str, tuple[list[str], str]] = {}
_OPENING = "\n-- name: "


def statement(name: str) -> str:
    """Return the SQL text of a named statement, such as "store.insert_memory"."""
    text = _statements.get(name)
    if text is None:
        body = _block(name)
        while body.startswith("-- "):  # why it is there; SQLite would compare that with each call
            body = body.partition("\n")[2]
        text = _statements[name] = expand(body).strip()
    return text


def reason(name: str) -> str:
    """Return what a named statement says of itself, above its SQL."""
    lines = _block(name).split("\n")
    return " ".join(line[3:] for line in lines if line.startswith("-- "))


def _block(name: str) -> str:
    """Return a statement as it stands in its file, below its declaration."""
    module, _, short = name.partition(".")
    file = _files.get(module) or _read_file(module)
    # A hook needs a fifth of the statements of its files; the others are not worth its time.
    _, found, rest = file.partition(f"{_OPENING}{short}(")
    if not found:
        raise UnknownName(
            f"no SQL statement is called {name!r}: look in schema/queries/{module}.sql"
        )
    return rest.partition(_OPENING)[0].partition("\n")[2]


def quoted(name: str) -> str:
    """Return a name as SQL reads it. Names that a file tells of itself may hold anything, quotes too."""
    return '"' + name.replace('"', '""') + '"'


def names(module: str) -> list[str]:
    """Return the names of all statements of schema/queries/<module>.sql."""
    blocks = _read_file(module).split(_OPENING)[1:]
    return [f"{module}.{block.partition('(')[0]}" for block in blocks]


def _read_file(module: str) -> str:
    path = os.path.join(SCHEMA, "queries", module + ".sql")
    try:
        with open(path, "rb") as file:
            text = _files[module] = file.read().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise UnknownName(f"no SQL file for {module!r}: {error}") from error
    return text


def parameters(sql: str) -> list[str]:
    """Return the `:names` a statement uses, comments left out, in order of first appearance."""
    found: dict[str, None] = {}
    for line in sql.split("\n"):
        for piece in line.partition("--")[0].split(":")[1:]:
            end = 0
            while end < len(piece) and (piece[end].isalnum() or piece[end] == "_"):
                end += 1
            if end and not piece[0].isdigit():
                found[piece[:end]] = None
    return list(found)


def expand(text: str) -> str:
    """SQL with every `{name arguments}` replaced by that sentence of schema/predicates.sql."""
    end = len(text)
    while (start := text.rfind("{", 0, end)) >= 0:  # from the right, so that inner ones go first
        call, closed, rest = text[start + 1 :].partition("}")
        name, blank, given = call.partition(" ")
        if closed and blank and name.isidentifier():
            text = text[:start] + _filled(name, given) + rest
        end = start
    return text


def _filled(name: str, given: str) -> str:
    wanted, text = _predicates.get(name) or _read_predicate(name)
    arguments = _split(given)
    if len(arguments) != len(wanted):
        raise UnknownName(f"{{{name} {given}}} must say {', '.join(wanted)}")
    for word, argument in zip(wanted, arguments, strict=True):
        text = text.replace("{" + word + "}", argument)
    return expand(text)


def _split(given: str) -> list[str]:
    """Arguments, at the commas outside brackets."""
    if "(" not in given:
        return [one.strip() for one in given.split(",")]
    found = [""]
    depth = 0
    for sign in given:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [one.strip() for one in found]


def _read_predicate(name: str) -> tuple[list[str], str]:
    if "" not in _files:
        with open(os.path.join(SCHEMA, "predicates.sql"), encoding="utf-8") as file:
            _files[""] = file.read()
    _, found, rest = _files[""].partition(f"{_OPENING}{name}(")
    if not found:
        raise UnknownName(f"no sentence is called {name!r}: look in schema/predicates.sql")
    head, *lines = rest.partition(_OPENING)[0].split("\n")
    text = " ".join([line.strip() for line in lines if not line.startswith("-- ")])
    kept = _predicates[name] = _split(head.rstrip(" )")), text.strip()
    return kept


def script(folder: str) -> list[tuple[str, str]]:
    """Return files of schema/<folder> in the order in which they run: (name, text)."""
    path = os.path.join(SCHEMA, folder)
    found = []
    for name in sorted(os.listdir(path)):
        if name.endswith(".sql"):
            with open(os.path.join(path, name), encoding="utf-8") as file:
                found.append((name[:-4], expand(file.read())))
    return found


def derived_version() -> str:
    """Name the present schema/derived: a file remembering another one is rebuilt when opened."""
    return _noted()[0]


def own_triggers() -> int:
    """Count the triggers that schema/ makes, without those of views for people."""
    return int(_noted()[1])


def _noted() -> list[str]:
    with open(os.path.join(SCHEMA, "derived", "VERSION"), encoding="utf-8") as file:
        return file.read().split()


def says(message: str) -> bool:
    """Tell whether a trigger of ours refuses with these words."""
    said = message.rpartition(": ")[2] if message.startswith("ConstraintError") else message
    texts = (text for folder in ("tables", "derived", "views") for _, text in script(folder))
    return any(said.replace("'", "''") in text for text in texts)


_parted: dict[str, list[str]] = {}  # texts of schema/, for a process that makes many files


def statements(text: str) -> list[str]:
    """Split a file of schema/ once in a process."""
    if text not in _parted:
        _parted[text] = split(text)
    return _parted[text]


def made(statement: str) -> tuple[str, str, str]:
    """Return the kind of what a statement makes, its name and its table; of another statement its first words."""
    words = statement.split()
    if words[1].lower() in ("unique", "virtual"):
        del words[1]
    kind, name = words[1].lower(), words[2].partition("(")[0]
    owner = words[words.index("on") + 1].partition("(")[0] if kind in ("index", "trigger") else name
    return kind, name, owner


def makes(*folders: str) -> list[tuple[str, str]]:
    """Return kind and name of all that some folders of schema/ make, in their order."""
    texts = (text for folder in folders for _, text in script(folder))
    every = (one for text in texts for one in statements(text) if one.startswith("create "))
    return [made(one)[:2] for one in every]


def split(text: str) -> list[str]:
    """Split a file into its statements. After the semicolon of one, only a comment may stand on its line."""
    from sqlite3 import complete_statement

    from cogmem.errors import InvalidInput

    found: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        if not lines and (not line.strip() or line.startswith("--")):
            continue
        lines.append(line)
        if ";" in line and complete_statement("\n".join(lines)):
            found.append("\n".join(lines))
            lines = []
    if lines:
        raise InvalidInput(f"SQL without an end: {lines[0]!r}")
    return found
