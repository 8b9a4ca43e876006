"""Imports go downward only: edge → facade → stages → database → ground. The syntax tree says so.

Imports that only type checkers see do not count; imports inside a function do.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "cogmem"

GROUND, DATABASE, STAGE, FACADE, EDGE = range(5)
LAYERS = {
    GROUND: (
        "errors records ports scope activation lines cue cue_days cue_words tags tokens clauses mood capture"
        " proposals when guard similarity contradiction compact passage plot private prompt prompts packed"
    ),
    DATABASE: "db driver_apsw driver_sqlite3 wal sql migrate snapshot pristine bulk user_sql",
    FACADE: "memory",
    EDGE: "__init__ __main__ cli adapters inspect tools hook",
}
PLACES = {name: layer for layer, names in LAYERS.items() for name in names.split()}
GROUND_FAMILIES = ("guard_", "token_")

# Stages are strangers, with two exceptions: all may use the store, and a turn is made of parts. What
# explains a turn or searches as a turn does looks at the same parts.
PARTS = {
    "turn": {"recall", "evidence", "session", "ledger"},
    "search": {"recall", "evidence", "documents", "turn"},
    "explain": {"turn", "ledger", "history"},
    "inject": {"turn", "ledger"},
}

# A hook is a new process every turn: these modules cost it time before it has done anything.
HOT = [
    *("__init__", "errors", "records", "scope", "activation", "lines", "cue", "cue_words", "tags"),
    *("tokens", "token_bound", "db", "driver_apsw", "sql", "migrate", "memory", "prompt"),
    *("turn", "recall", "evidence", "session", "ledger"),
]
HEAVY = {
    "re", "json", "typing", "dataclasses", "pathlib", "enum", "inspect", "logging", "subprocess",
    "urllib", "sqlite3", "pydantic", "click", "rich", "tiktoken", "numpy", "re2", "sqlite_utils",
    "platformdirs", "asyncio",
}  # fmt: skip

MODULES = sorted(
    str(file.relative_to(PACKAGE).with_suffix("")).replace("/", ".")
    for file in PACKAGE.rglob("*.py")
)


def place(module: str) -> int:
    """The layer of a module below cogmem; one that nobody placed is a stage."""
    first = module.partition(".")[0]
    if first.startswith(GROUND_FAMILIES):
        return GROUND
    return PLACES.get(first, STAGE)


def imports(module: str, *, top_only: bool = False) -> list[str]:
    """Full names of what a module imports when it runs."""
    tree = ast.parse((PACKAGE / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
    found: list[str] = []

    def look(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if top_only and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.Import):
                found.extend(alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{module} imports relatively: write the full name"
                if child.module == "cogmem":
                    found.extend(f"cogmem.{alias.name}" for alias in child.names)
                elif child.module:
                    found.append(child.module)
            look(child)

    look(tree)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_downward_only(module: str) -> None:
    here = place(module)
    for name in imports(module):
        if name != "cogmem" and not name.startswith("cogmem."):
            continue
        other = name.partition(".")[2] or "__init__"
        package, other_package = module.partition(".")[0], other.partition(".")[0]
        if package == other_package:
            continue  # parts of one package know each other
        there = place(other)
        if here == STAGE and there == STAGE:
            known = {"store"} | PARTS.get(package, set())
            assert other_package in known, f"{module} is a stage and may not import stage {other}"
        elif here == EDGE:
            # Datasette runs named SQL on a connection of its own.
            is_named_sql = (package, other) == ("inspect", "sql")
            assert there >= STAGE or there == GROUND or is_named_sql, (
                f"{module} must not reach into {other}"
            )
        elif here == DATABASE:
            assert there <= DATABASE, f"{module} is of the database and may not import {other}"
        elif here == GROUND:
            assert there == GROUND, f"{module} is ground and may not import {other}"
        else:
            assert there < here, f"{module} → {other} goes up"


@pytest.mark.parametrize("module", [name for name in HOT if name in MODULES])
def test_a_module_on_a_hook_s_path_imports_nothing_heavy_when_loaded(module: str) -> None:
    heavy = {name.partition(".")[0] for name in imports(module, top_only=True)} & HEAVY
    assert not heavy, f"{module} imports {', '.join(sorted(heavy))}: import it where it is used"


def test_only_db_knows_the_drivers() -> None:
    for module in MODULES:
        if place(module) in (STAGE, FACADE):
            drivers = {"apsw", "sqlite3"} & {name.partition(".")[0] for name in imports(module)}
            assert not drivers, f"{module} imports {drivers}: go through cogmem.db"


def test_a_test_of_this_table_finds_a_climbing_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lines.py").write_text("def f():\n    from cogmem.store import Store\n")
    (tmp_path / "recall.py").write_text("from cogmem.learn import learn\n")
    (tmp_path / "db.py").write_text("if TYPE_CHECKING:\n    from cogmem.memory import Memory\n")
    monkeypatch.setattr("test_layers.PACKAGE", tmp_path)
    with pytest.raises(AssertionError, match="lines is ground"):
        test_imports_go_downward_only("lines")
    with pytest.raises(AssertionError, match="may not import stage learn"):
        test_imports_go_downward_only("recall")
    test_imports_go_downward_only("db")
