"""Writes cogmem/frameworks/awaited.pyi: what an editor knows of `cogmem.AsyncMemory`.

At run time its calls are found by name among those of `Memory`. The stub says each of them with its types and
its first line of help, from the sources of `Memory` and its areas. `make docs-reference` writes it, a test compares.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from pathlib import Path

from reference_pages import FACADE

import cogmem
from cogmem.verbs.areas import AreaOf, Areas
from cogmem.verbs.telling import Telling

PLACE = Path(cogmem.__file__).parent / "frameworks" / "awaited.pyi"
VALUES = {"path": "str", "scope": "Scope", "actor": "str", "notices": "builtins.list[str]"}
HEAD = '''"""What an editor knows of AsyncMemory: the calls of Memory, awaited. Made by `make docs-reference`."""

'''


class Names:
    """Where the names of annotations come from, and which of them were used."""

    def __init__(self) -> None:
        self.used: dict[str, set[str]] = {}

    def learn(self, module: str) -> dict[str, str]:
        """The module of each name that a module imports or defines."""
        source = inspect.getsource(importlib.import_module(module))
        found: dict[str, str] = {}
        tree = ast.parse(source)
        parts = [
            *tree.body,
            *(one for part in tree.body if isinstance(part, ast.If) for one in part.body),
        ]
        for part in parts:
            if isinstance(part, ast.ImportFrom):
                found |= {alias.asname or alias.name: str(part.module) for alias in part.names}
            elif isinstance(part, ast.Import):
                found |= {alias.name: "" for alias in part.names}
            elif isinstance(part, ast.ClassDef):
                found[part.name] = module
            elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                found.setdefault(part.targets[0].id, module)
        return found

    def use(self, annotation: ast.AST, known: dict[str, str]) -> None:
        for one in ast.walk(annotation):
            if isinstance(one, ast.Name) and (one.id in known or not hasattr(builtins, one.id)):
                self.used.setdefault(known[one.id], set()).add(one.id)

    def imports(self) -> str:
        whole = sorted(self.used.pop("", set()))
        lines = [f"import {name}" for name in whole]
        lines += [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self.used.items())
        ]
        return "\n".join(lines)


def stub() -> str:
    """The stub as it should stand."""
    names = Names()
    names.used["collections.abc"] = {"Awaitable"}
    names.used["cogmem.scope"] = {"Scope"}
    areas: dict[str, str] = {}
    calls = [call for kind in FACADE for call in _calls(kind, names)]
    known: dict[str, str] = {}
    for kind in (Areas, Telling):
        known |= names.learn(kind.__module__)
        for name, member in vars(kind).items():
            if isinstance(member, AreaOf):
                areas[name] = member.name
            elif isinstance(member, property) and not name.startswith("_"):
                areas[name] = member.fget.__annotations__["return"]  # type: ignore[union-attr]
    classes = []
    for area in dict.fromkeys(areas.values()):
        found = getattr(importlib.import_module(known[area]), area)
        classes.append(_class(f"Awaited{area}", inspect.getdoc(found) or "", _calls(found, names)))
    fields = [f"    {name}: Awaitable[{kind}]" for name, kind in VALUES.items()]
    fields += [f"    {name}: Awaited{kind}" for name, kind in areas.items()]
    head = _class("Awaited", "The calls of a memory, and its areas, awaited.", [*fields, *calls])
    return HEAD + names.imports() + "\n\n" + "\n\n".join([*classes, head]) + "\n"


def _class(name: str, doc: str, body: list[str]) -> str:
    return "\n".join([f"class {name}:", f'    """{doc.partition(chr(10))[0]}"""', "", *body])


def _calls(kind: type, names: Names) -> list[str]:
    """The public calls of a class as coroutine functions."""
    module = importlib.import_module(kind.__module__)
    known = names.learn(kind.__module__)
    tree = ast.parse(inspect.getsource(module))
    [body] = [
        part.body
        for part in tree.body
        if isinstance(part, ast.ClassDef) and part.name == kind.__name__
    ]
    made = []
    for part in body:
        is_call = isinstance(part, ast.FunctionDef) and not part.decorator_list
        if (
            not is_call
            or part.name.startswith("_")
            or (part.name in ("close", "reread", "as_user"))
        ):
            continue
        assert isinstance(part, ast.FunctionDef)
        given, back = part.args, part.returns or ast.Constant(None)
        stars = [one for one in (given.vararg, given.kwarg) if one is not None]
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *stars):
            if one.annotation is not None:
                names.use(one.annotation, known)
        names.use(back, known)
        given.defaults[:] = [_default(one) for one in given.defaults]
        given.kw_defaults[:] = [one and _default(one) for one in given.kw_defaults]
        said = (ast.get_docstring(part) or "").partition("\n")[0].replace("\\", "\\\\")
        made += [
            f"    async def {part.name}({ast.unparse(given)}) -> {ast.unparse(back)}:",
            f'        """{said}"""',
            "",
        ]
    return made


def _default(value: ast.expr) -> ast.expr:
    """A default as a stub says it: a constant of the module is only known there."""
    is_plain = isinstance(value, ast.Constant | ast.UnaryOp | ast.Tuple)
    return value if is_plain else ast.Constant(...)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PLACE.write_text(stub(), encoding="utf-8")
    else:
        print(stub(), end="")
