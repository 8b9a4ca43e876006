"""Finds, names and checks the SQL that lives in schema/.

Python names a statement by one literal, "memories.by_text": block `by_text` of queries/recall.sql.
A block opens with its declaration and one sentence on why it is there:

    -- name: by_text(match, limit, viewer)
    -- The best matches of a full-text query within the viewer's scope.
    select ...

What is declared must be what the statement uses: `load` proves it, and a test loads every file. A process
that asks for a statement only seeks it.
`viewer` stands for the parameters of VISIBLE, the one predicate that decides who sees a row: a
statement writes `{visible m}` for it, with the alias of its table; `{told c}` asks it of the memory
that a change belongs to, which is `{owner c}`. `{memory m}` stands for the columns of a
records.Memory, `{held m}` for "held true at :valid_at, as known at :known_at".

This module is on the path of every hook: it reads only the files that are asked for, without `re`.
"""

from __future__ import annotations

import os

from cogmem.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Inside a wheel schema/ lies in the package; in a checkout and an editable install, beside it.
SCHEMA = os.path.join(_PACKAGE, "schema")
if not os.path.isdir(SCHEMA):
    SCHEMA = os.path.join(os.path.dirname(_PACKAGE), "schema")

# An empty column means everyone. `own` and `shared` are the two partitions of a user's sight, both on
# unless a caller narrows them; `everywhere` is for administration (list, stats, export) only.
VISIBLE = (
    "(:everywhere or (%s.runtime in ('', :runtime)"
    " and (%s.user = '' and :shared or %s.user <> '' and %s.user = :user and :own)"
    " and %s.project in ('', :project) and %s.session in ('', :session)))"
)
# Conversations have no session column: what was said in one session is evidence in the next.
HEARD = (
    "(:everywhere or (%s.runtime in ('', :runtime)"
    " and (%s.user = '' and :shared or %s.user <> '' and %s.user = :user and :own)"
    " and %s.project in ('', :project)))"
)
# Whose the memory of a change is: the scope of its row, or of one that is gone, as it was when it went.
OWNER = (
    "(select b.runtime, b.user, b.project, b.session from memory b where b.uid = %s.uid"
    " union all select * from (select json_extract(g.before, '$.runtime') as runtime,"
    " json_extract(g.before, '$.user') as user, json_extract(g.before, '$.project') as project,"
    " json_extract(g.before, '$.session') as session from change g"
    " where g.uid = %s.uid and g.record = 'memory' and g.action = 'delete' order by g.id desc limit 1) limit 1)"
)
# Who sees a memory sees its changes. Kinds, settings and capture rules are everyone's.
TOLD = (
    "(:everywhere or %s.record in ('kind', 'setting', 'gate_weight', 'capture_rule')"
    " or exists (select 1 from {owner %s} o where {visible o}))"
)
# What was held true at :valid_at, as it was known at :known_at. A fact that was closed by a successor
# learned after :known_at was not closed then; one that was never true has no time at all.
HELD = (
    "(%s.created_at <= :known_at and (%s.layer <> 'semantic' or exists ("
    "select 1 from fact h where h.memory_id = %s.id and h.recorded_at <= :known_at"
    " and (h.valid_from is null or h.valid_from <= :valid_at)"
    " and (h.valid_to is null or h.valid_to > :valid_at or h.superseded_by is not null"
    " and (select s.recorded_at from fact s where s.memory_id = h.superseded_by) > :known_at))))"
)
# The columns of records.Memory, in its order, as seen at :now; the layer's own row comes as JSON.
MEMORY = (
    "%s.uid, %s.layer, %s.kind, %s.key, %s.content, %s.tags,"
    " %s.runtime, %s.user, %s.project, %s.session, %s.path_glob,"
    " %s.priority, %s.source, %s.trust, %s.polarity, %s.state,"
    " %s.reinforcement_count, %s.access_count, %s.tokens, %s.token_counter, %s.data,"
    " %s.created_at, %s.updated_at, %s.reinforced_at, %s.accessed_at, %s.expires_at,"
    " %s.archived_at, %s.archive_reason,"
    " (select round(h.weight * d.factor * %s.reinforcement_count, 6) from half_life h, halving d"
    " where h.kind = %s.kind and d.step = case when h.half_life_ms = 0 then 0 else min(4096, max(0,"
    " (:now - max(%s.reinforced_at, coalesce(%s.accessed_at, 0))) * 64 / h.half_life_ms)) end) as strength,"
    " coalesce(case %s.layer when 'semantic' then (select json_object('topic', f.topic, 'valid_from', f.valid_from,"
    " 'valid_to', f.valid_to, 'recorded_at', f.recorded_at, 'confidence', f.confidence, 'superseded_by',"
    " (select n.uid from memory n where n.id = f.superseded_by)) from fact f where f.memory_id = %s.id)"
    " when 'episodic' then (select json_object('outcome', e.outcome, 'happened_at', e.happened_at,"
    " 'session_name', e.session_name, 'turns', e.turns, 'form', e.form) from episode e where e.memory_id = %s.id)"
    " else (select json_object('context', p.context, 'steps', json(p.steps), 'success_count', p.success_count,"
    " 'failure_count', p.failure_count, 'used_at', p.used_at) from procedure p where p.memory_id = %s.id)"
    " end, '{}') as detail"
)
VIEWER = ("everywhere", "runtime", "user", "project", "session", "own", "shared")
HEARER = tuple(name for name in VIEWER if name != "session")

_statements: dict[str, str] = {}
_files: dict[str, str] = {}  # schema/queries as they stand, as far as they were read
_OPENING = "\n-- name: "


def statement(name: str) -> str:
    """The SQL text of a named statement, such as "store.insert_memory"."""
    text = _statements.get(name)
    if text is None:
        body = _block(name)
        while body.startswith("-- "):  # why it is there; SQLite would compare that with each call
            body = body.partition("\n")[2]
        text = _statements[name] = _expand(body).strip()
    return text


def reason(name: str) -> str:
    """What a named statement says of itself, above its SQL."""
    lines = _block(name).split("\n")
    return " ".join(line[3:] for line in lines if line.startswith("-- "))


def _block(name: str) -> str:
    """A statement as it stands in its file, below its declaration."""
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
    """A name as SQL reads it. Names that a file tells of itself may hold anything, quotes too."""
    return '"' + name.replace('"', '""') + '"'


def load(module: str) -> list[str]:
    """Check every block of schema/queries/<module>.sql, return the names found."""
    found: list[str] = []
    for block in _read_file(module).split(_OPENING)[1:]:
        head, _, body = block.partition("\n")
        short, _, declared = head.rstrip(" )").partition("(")
        name = f"{module}.{short}"
        if name in found:
            raise UnknownName(f"{name} stands twice in schema/queries/{module}.sql")
        found.append(name)
        if not body.startswith("-- "):
            raise UnknownName(f"{name} in schema/queries does not say why it is there")
        promised = set(_declared(declared))
        used = set(parameters(statement(name)))
        if promised != used:
            raise UnknownName(
                f"{name} in schema/queries declares {sorted(promised)} but uses {sorted(used)}"
            )
    return found


def _read_file(module: str) -> str:
    path = os.path.join(SCHEMA, "queries", module + ".sql")
    try:
        with open(path, "rb") as file:
            text = _files[module] = file.read().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise UnknownName(f"no SQL file for {module!r}: {error}") from error
    return text


def parameters(sql: str) -> list[str]:
    """The `:names` a statement uses, comments left out, in order of first appearance."""
    found: dict[str, None] = {}
    for line in sql.split("\n"):
        code = line.partition("--")[0]
        for piece in code.split(":")[1:]:
            end = 0
            while end < len(piece) and (piece[end].isalnum() or piece[end] == "_"):
                end += 1
            if end and not piece[0].isdigit():
                found[piece[:end]] = None
    return list(found)


def _declared(text: str) -> Iterator[str]:
    for part in text.split(","):
        name = part.strip()
        if name == "viewer":
            yield from VIEWER
        elif name == "hearer":
            yield from HEARER
        elif name:
            yield name


def _expand(sql: str) -> str:
    for word, text in (
        ("{told ", TOLD),  # first: it is made of the next two
        ("{owner ", OWNER),
        ("{visible ", VISIBLE),
        ("{heard ", HEARD),
        ("{held ", HELD),
        ("{memory ", MEMORY),
    ):
        while word in sql:
            before, _, rest = sql.partition(word)
            alias, _, after = rest.partition("}")
            sql = before + text.replace("%s", alias) + after
    return sql


def script(folder: str) -> list[tuple[str, str]]:
    """Files of schema/<folder> in the order in which they run: (name, text)."""
    path = os.path.join(SCHEMA, folder)
    found = []
    for name in sorted(os.listdir(path)):
        if name.endswith(".sql"):
            with open(os.path.join(path, name), encoding="utf-8") as file:
                found.append((name[:-4], file.read()))
    return found


def derived_version() -> str:
    """Names the present schema/derived: a file remembering another one is rebuilt when opened."""
    with open(os.path.join(SCHEMA, "derived", "VERSION"), encoding="utf-8") as file:
        return file.read().strip()
