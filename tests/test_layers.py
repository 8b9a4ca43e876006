"""Imports go downward only: edge → facade → stages → file → ground. The syntax tree says so.

Imports inside a function count. Those that only type checkers see do not go by floors, but they
may not close a circle either.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "cogmem"

GROUND, FILE, STAGE, FACADE, EDGE = range(5)
# A room stands whole on one floor, except for the modules that are named with their room.
FLOORS = {
    GROUND: "arguments cached errors named records ports scope strength text language tokens guard models"
    " hear.capture hear.proposals fleet.due_list file.places file.private file.packed"
    " file.foreign file.process inspect.plot",
    FILE: "file",
    STAGE: "space store hear learn search turn conversation documents noted exchange night"
    " repository sync",
    FACADE: "memory verbs",
    EDGE: "__init__ __main__ hook cli hosts frameworks tools inspect fleet",
}
FLOOR = {name: floor for floor, names in FLOORS.items() for name in names.split()}

# Stages are strangers: verbs/areas.py wires them. All may use the store and the open space, and a turn searches.
KNOWN = {
    "memory": {"verbs"},
    "turn": {"search"},
    "search": {"documents"},
    # What other programs remember is read as documents; a check compares what other machines said with what stands.
    "exchange": {"documents", "sync"},
    "repository": {"turn"},  # both look at cited code: a turn while somebody waits
    "sync": {"documents"},  # what a team shares are Markdown files with a head
    "night": {"search"},  # vectors are made when nobody waits
}

# A hook is a new process every turn: these modules cost it time before it has done anything.
HOT = [
    *(
        "hosts.launch",
        "hosts.hooks",
        "hosts.host",
        "language.ordinary",
        "language.asking",
        "search.gate",
    ),
    *("turn.act", "text.attempts", "repository.head"),
    *("__init__", "errors", "records", "scope", "space", "strength", "memory", "store.policy"),
    *("verbs.areas", "verbs.learning", "verbs.changing", "verbs.telling"),
    *(
        "text.lines",
        "language.cue",
        "language.cjk",
        "language.words",
        "text.tags",
        "tokens.counting",
        "tokens.bounds",
    ),
    *("file.connection", "file.db", "file.driver_apsw", "file.sql", "file.making", "file.places"),
    *(
        "search.memories",
        "search.messages",
        "search.figures",
        "search.near_words",
        "search.ground",
        "turn.turn",
        "turn.cited",
        "text.cited",
        "language.asked_past",
        "turn.activation",
        "turn.layers",
        "tokens.costs",
        "turn.block",
        "turn.session",
        "turn.ledger",
    ),
]
HEAVY = {
    "re",
    "json",
    "typing",
    "dataclasses",
    "pathlib",
    "enum",
    "inspect",
    "logging",
    "subprocess",
    "urllib",
    "sqlite3",
    "pydantic",
    "click",
    "rich",
    "tiktoken",
    "numpy",
    "re2",
    "sqlite_utils",
    "platformdirs",
    "asyncio",
}

MODULES = sorted(
    str(file.relative_to(PACKAGE).with_suffix("")).replace("/", ".")
    for file in PACKAGE.rglob("*.py")
)


def place(module: str) -> int:
    """The floor of a module below cogmem: its own, or that of its room."""
    room = module.partition(".")[0]
    assert module in FLOOR or room in FLOOR, f"{module} is in a room that no floor names"
    return FLOOR[module] if module in FLOOR else FLOOR[room]


@cache
def is_module(name: str) -> bool:
    """Whether a full name is a module or a room of cogmem, and not a name inside one."""
    place = PACKAGE.parent / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").is_file()


def imports(module: str, *, top_only: bool = False, with_types: bool = False) -> list[str]:
    """Full names of what a module imports when it runs, and with_types for a type checker too."""
    return imports_of(PACKAGE / (module.replace(".", "/") + ".py"), module, top_only, with_types)


@cache
def imports_of(file: Path, module: str, top_only: bool, with_types: bool) -> list[str]:
    """The same, of a file; each is read once."""
    found: list[str] = []

    def look(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue
            is_for_types = (
                isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"
            )
            if is_for_types and not with_types:
                continue
            if top_only and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.Import):
                found.extend(alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{module} imports relatively: write the full name"
                for alias in child.names if child.module else ():
                    part = f"{child.module}.{alias.name}"
                    found.append(part if is_module(part) else str(child.module))
            look(child)

    look(tree(file))
    return found


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def test_imports_go_downward_only() -> None:
    for module in MODULES:
        goes_downward(module)


def goes_downward(module: str) -> None:
    """Complain about an import that climbs."""
    here = place(module)
    for name in imports(module):
        if name == "cogmem" or not name.startswith("cogmem."):
            continue  # the package itself gives its version
        other = name.partition(".")[2]
        package, other_package = module.partition(".")[0], other.partition(".")[0]
        if package == other_package:
            continue  # parts of one package know each other
        there = place(other)
        if here == STAGE and there == STAGE:
            known = {"store", "space"} | KNOWN.get(package, set())
            assert other_package in known, f"{module} is a stage and may not import stage {other}"
        elif here == EDGE:
            # Datasette runs named SQL on a connection of its own.
            is_named_sql = (package, other) == ("inspect", "file.sql")
            assert there >= STAGE or there == GROUND or is_named_sql, (
                f"{module} must not reach into {other}"
            )
        elif here == FILE:
            assert there <= FILE, f"{module} is of the file and may not import {other}"
        elif here == GROUND:
            assert there == GROUND, f"{module} is ground and may not import {other}"
        else:
            is_beside = other_package in KNOWN.get(package, ())
            assert there < here or is_beside, f"{module} → {other} goes up"


def test_every_exception_for_a_stage_is_needed() -> None:
    used = {
        (module.partition(".")[0], name.split(".")[1])
        for module in MODULES
        for name in imports(module)
        if name.startswith("cogmem.")
    }
    listed = {(room, other) for room, others in KNOWN.items() for other in others}
    assert listed <= used, "take out of KNOWN what nobody imports any more"


def asks_the_database(source: str) -> list[str]:
    """Lines that reach for a database, or for a query by its name."""
    queries = {file.stem for file in (PACKAGE.parent / "schema/queries").glob("*.sql")}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ("db", "_db"):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "it")):
                found.append(f"{node.lineno}: .{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            room, dot, name = node.value.partition(".")
            if dot and room in queries and name.isidentifier():
                found.append(f"{node.lineno}: {node.value!r}")
    return found


# Datasette has a connection of its own, and runs named SQL on it.
ASKING = [name for name in MODULES if place(name) == EDGE and not name.startswith("inspect.")]


def test_the_edge_touches_no_sql() -> None:
    for module in ASKING:
        source = (PACKAGE / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
        assert asks_the_database(source) == [], f"{module}: ask an area of the memory for it"


def test_a_query_at_the_edge_is_found() -> None:
    found = asks_the_database("rows = mem.db.read('store.kinds')")
    assert sorted(found) == ["1: 'store.kinds'", "1: .db"]


@pytest.mark.parametrize("module", [name for name in HOT if name in MODULES])
def test_a_module_on_a_hook_s_path_imports_nothing_heavy_when_loaded(module: str) -> None:
    heavy = {name.partition(".")[0] for name in imports(module, top_only=True)} & HEAVY
    assert not heavy, f"{module} imports {', '.join(sorted(heavy))}: import it where it is used"


def test_only_db_knows_the_drivers() -> None:
    for module in MODULES:
        if place(module) in (STAGE, FACADE):
            drivers = {"apsw", "sqlite3"} & {name.partition(".")[0] for name in imports(module)}
            assert not drivers, f"{module} imports {drivers}: go through cogmem.file.db"


def test_no_imports_go_in_a_circle_not_even_those_for_type_checkers() -> None:
    known = {f"cogmem.{name}" for name in MODULES}
    follows = {
        f"cogmem.{name}": {other for other in imports(name, with_types=True) if other in known}
        for name in MODULES
    }
    assert circle(follows) == []


def test_the_way_of_a_prompt_is_as_its_page_says() -> None:
    page = PACKAGE.parent / "docs/decisions.md"
    if not page.exists():
        pytest.skip("needs the repository")
    rows = page.read_text(encoding="utf-8").partition("| module |")[2].splitlines()
    way = [row.split("`")[1].replace("/", ".") for row in rows if row.startswith("| `")]
    assert way[0] == "verbs.telling"
    assert len(way) == 7
    for number, module in enumerate(way[1:], 1):
        before = way[:number]
        assert any(f"cogmem.{module}" in imports(one) for one in before), f"nobody calls {module}"
        assert not {f"cogmem.{one}" for one in before} & set(imports(module)), (
            f"{module} turns back"
        )


def circle(follows: dict[str, set[str]]) -> list[str]:
    """A way through the modules that comes back to where it began; empty if there is none."""
    sorter = TopologicalSorter(follows)
    try:
        sorter.prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": set()}) == []
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == {"b", "c"}


def test_a_test_of_this_table_finds_a_climbing_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("text", "search", "file"):
        (tmp_path / room).mkdir()
    (tmp_path / "text/lines.py").write_text("def f():\n    from cogmem.store.store import Store\n")
    (tmp_path / "search/memories.py").write_text("from cogmem.learn.decide import learn\n")
    (tmp_path / "file/db.py").write_text(
        "if TYPE_CHECKING:\n    from cogmem.memory import Memory\n"
    )
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    with pytest.raises(AssertionError, match="lines is ground"):
        goes_downward("text.lines")
    with pytest.raises(AssertionError, match="may not import stage learn"):
        goes_downward("search.memories")
    goes_downward("file.db")
