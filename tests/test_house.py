"""The house itself: what its papers say is so."""

from __future__ import annotations

import ast
import contextlib
import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import reference_pages
from processes import ran
from test_layers import FLOOR

import cogmem
from cogmem import errors
from cogmem.language.table import TELLING, languages, table
from cogmem.language.words import ENGLISH

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(cogmem.__file__).resolve().parents[1]
DECISIONS = "docs/decisions.md"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
pytestmark = pytest.mark.skipif(not (ROOT / "Makefile").exists(), reason="needs the repository")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def targets() -> list[str]:
    """Every rule that is a command: a plain word, which may stand in several lines."""
    return list(dict.fromkeys(re.findall(r"^([a-z][a-z-]*):(?!=)", text("Makefile"), re.MULTILINE)))


def test_make_help_lists_every_target_in_a_sentence() -> None:
    told = ran(["make", "help"], check=True).stdout
    listed = {
        line.split()[0]: line.split(maxsplit=1)[1]
        for line in told.splitlines()
        if line.startswith("  ")
    }
    assert set(listed) == set(targets())
    assert all(len(meaning) > 10 for meaning in listed.values())


def test_the_guide_names_every_target() -> None:
    guide = text("AGENTS.md")
    assert [
        name
        for name in targets()
        if f"`make {name}`" not in guide and name not in ("help", "clean")
    ] == []


def test_the_guide_s_layer_table_names_real_modules_in_their_layer() -> None:
    rows = re.findall(
        r"^\| (\w+) \| (.*?) \|", text("AGENTS.md").partition("## Layers")[2], re.MULTILINE
    )
    layers = ["ground", "file", "stages", "facade", "edge"]
    found = {name: re.findall(r"`(\w+)/?`", names) for name, names in rows if name in layers}
    assert list(found) == layers[::-1]
    for layer, modules in found.items():
        assert modules
        for module in modules:
            assert FLOOR[module] == layers.index(layer), f"{module} is not of {layer}"


AT_THE_ROOT = set(
    ".ci .claude-plugin .dockerignore .gitignore AGENTS.md CHANGELOG.md Containerfile LICENSE Makefile NOTICE"
    " README.md benchmarks cogmem docs integrations mkdocs.yml pyproject.toml schema tests".split()
)


def test_nothing_lies_at_the_root_that_has_no_business_there() -> None:
    """A test that writes beside itself would leave it in the repository."""
    names = ran(["git", "ls-files"]).stdout.split()
    if not names:
        pytest.skip("needs the repository's own list of files")
    assert sorted({name.partition("/")[0] for name in names} - AT_THE_ROOT) == []


@cache
def committed() -> dict[str, str]:
    """Every text that git knows, by its path."""
    names = ran(["git", "ls-files"]).stdout.split()
    if not names:
        pytest.skip("needs the repository's own list of files")
    texts = {}
    for name in names:
        with contextlib.suppress(UnicodeDecodeError, FileNotFoundError):
            texts[name] = text(name)
    return texts


def test_no_page_or_message_prints_a_command_that_fetches_the_other_cogmem() -> None:
    # The requirement in quotes, as an extra, or bare behind `install`: never without "-sqlite".
    strangers = re.compile(
        r"\bcogmem\\?\[[a-z]|\b(?:install|uvx|add|run)\s+['\"]?cogmem['\"]?(?=[=<>~;@]|$)", re.M
    )
    said_in = committed()
    found = {
        name: strangers.findall(said)
        for name, said in said_in.items()
        if name not in ("tests/test_house.py", DECISIONS)
    }
    asks = re.compile(r"\b(?:pip3?|pipx|uvx?|poetry|pdm|conda|npx|npm|pnpm|bunx?)\s[^\n`|;&\"]*")
    bare = re.compile(r"(?<![\w./@-])cogmem(?![\w/.-])")
    for name, hits in found.items():
        commands = asks.findall(said_in[name])
        hits += [one for one in commands if errors.DISTRIBUTION not in one and bare.search(one)]
    assert {name: hits for name, hits in found.items() if hits} == {}


# The guard knows harm in any language; the others hold signs of a script.
IN_ROOM = (
    *("cogmem/language/", "cogmem/guard/"),
    *("cogmem/tokens/counting.py", "cogmem/search/spelling.py"),
)


def test_no_module_outside_the_language_room_holds_words_of_a_foreign_language() -> None:
    known = ENGLISH.union(table("en").words)
    small = {
        word
        for language in languages()[1:]
        for word, classes in table(language).words.items()
        if classes & TELLING and len(word) > 2 and word not in known
    }
    found = {}
    for name, said in committed().items():
        if not name.startswith("cogmem/") or not name.endswith(".py") or name.startswith(IN_ROOM):
            continue
        if said.isascii() and not small.intersection(re.findall(r"[a-z]{3,}", said)):
            continue  # nothing to look at more closely
        nodes = [*ast.walk(ast.parse(said))]
        docs = {ast.get_docstring(one, False) for one in nodes if isinstance(one, DOCUMENTED)}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = re.findall(r"[^\W\d_]{2,}", "" if node.value in docs else node.value)
                foreign = {word for word in words if not word.isascii()}
                foreign |= {word for word in words if word in small}
                if len(foreign) > 1 or not "".join(foreign).isascii():
                    found[f"{name}:{node.lineno}"] = foreign
    assert found == {}


def test_every_dependency_of_the_base_has_its_reason() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["name"] == errors.DISTRIBUTION
    wanted = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}  # type: ignore[index]
    page = text(DECISIONS).partition("a name of its own")[2]
    assert set(re.findall(r"^\| ([\w-]+) \| \w", page, re.MULTILINE)) - {"package"} == wanted


def test_the_changelog_knows_the_present_version_or_has_something_unreleased() -> None:
    changes = text("CHANGELOG.md")
    unreleased = changes.partition("## [Unreleased]")[2].partition("\n## [")[0]
    assert f"## [{cogmem.__version__}]" in changes or "\n- " in unreleased


def test_a_benchmark_touches_no_kept_result_unless_it_is_asked_to() -> None:
    benchmarks = [name for name in targets() if name.startswith("bench-")]
    for asked in ("", "WRITE=1"):
        for name in [*benchmarks, "torture"]:
            told = ran(
                ["make", "-n", "-o", ".venv/.bench-installed", name, *filter(None, [asked])],
                check=True,
            ).stdout
            writes = "--write" in told or "results/" in told or "docs/" in told
            keeps = name != "bench-kill"
            assert writes is (bool(asked) and keeps), f"{name} {asked}"


def test_what_is_seldom_run_uses_of_the_package_only_what_is_there() -> None:
    missing = []
    for file in [*(ROOT / "benchmarks").rglob("*.py"), *(ROOT / "tests" / "torture").glob("*.py")]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        modules: dict[str, ModuleType] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cogmem."):
                for name in node.names:
                    with contextlib.suppress(ModuleNotFoundError):  # most names are no modules
                        module = import_module(f"{node.module}.{name.name}")
                        modules[name.asname or name.name] = module
        missing += [
            f"{file.name}:{node.lineno} {node.value.id}.{node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in modules and not hasattr(modules[node.value.id], node.attr)
        ]
    assert missing == []


def test_the_pages_are_made_where_a_rival_was_not_measured() -> None:
    kept = {"10000": {"beside": {"LangGraph SqliteStore": "not installed"}}}
    for size in ("10000", "100000"):
        assert reference_pages._at(kept, size, "beside", "LangGraph SqliteStore", "p50_ms") is None
    assert reference_pages._figure(None) == "–"


def test_who_changes_a_module_finds_its_tests() -> None:
    """In the file of its name, or in one whose docstring names it among its modules."""
    package, tests = ROOT / "cogmem", ROOT / "tests"
    tried: set[str] = set()
    for file in sorted(tests.rglob("test_*.py")):
        room = "".join(f"{part}." for part in file.relative_to(tests).parts[:-1])
        _, _, told = file.read_text(encoding="utf-8").split('"""')[1].partition("\nModules: ")
        named = [name.strip(".") for name in told.replace(",", " ").split()]
        its = [
            name.removeprefix("cogmem.") if "." in name else f"{room}{name}"
            for name in (*named, file.stem.removeprefix("test_"))
        ]
        gone = [
            name for name in its[:-1] if not (package / f"{name.replace('.', '/')}.py").exists()
        ]
        assert gone == [], f"{file.name} names modules that are not there: take them out"
        tried.update(its)
    modules = [
        ".".join(file.relative_to(package).with_suffix("").parts)
        for file in sorted(package.rglob("*.py"))
        if file.name != "__init__.py"
    ]
    assert [name for name in modules if name not in tried] == [], (
        "write tests/<room>/test_<module>.py, or name it in the line `Modules:` of the test file that tries it"
    )


NO_VERB = frozenset(
    "What Whether How The One Where Who Why Of For An A All As By When Which Two Names Nothing No It This".split()
)


def test_the_docstring_of_a_function_begins_with_a_verb() -> None:
    """Of a property or a family of commands it may be a noun."""
    begun = re.compile(rf'^(?! *class ).*:\n +"""\s*(?:{"|".join(NO_VERB)})\s', re.M)
    found = []
    for file in sorted((ROOT / "cogmem").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if not begun.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            said = (ast.get_docstring(node) or "").split()
            how = " ".join(map(ast.unparse, node.decorator_list))
            may_be_noun = re.search(r"property|click\.|\.group", how)
            if said and said[0] in NO_VERB and not may_be_noun:
                found.append(f"{file.relative_to(ROOT)}:{node.lineno} {node.name}: {said[0]} …")
    assert found == []


def test_what_is_listed_as_slow_is_there() -> None:
    found: dict[str, str] = {}
    gone = []
    for name in text("tests/slow.txt").split():
        file, _, inner = name.partition("::")
        if file not in found:
            found[file] = text(file) if (ROOT / file).exists() else ""
        if not re.search(rf"\b{inner.partition('::')[0]}\b", found[file]):
            gone.append(name)
    assert gone == [], "take them out"
