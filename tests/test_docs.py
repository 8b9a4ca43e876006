"""The documentation is true: its blocks run, its commands exist, its links lead somewhere, and every
page has its place on the site."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import reference_pages
from pages import FENCE, blocks, runs

from cogmem.cli.app import SECTIONS, app
from cogmem.cli.call import every_command, part_of
from cogmem.errors import CogmemError

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md")])

# Pages whose blocks another test runs, in surroundings of their own.
RUN_BY = {
    "README.md": "test_readme.py",
    "docs/how-to/sql-cookbook.md": "test_cookbook.py",
    "docs/how-to/web-service.md": "frameworks/test_web_service.py",
    **{
        f"docs/how-to/{page}.md": "frameworks/test_how_to.py"
        for page in (
            "anthropic-memory-tool", "claude-agent-sdk", "google-adk", "langchain", "langgraph",
            "llama-index", "notebook", "openai-agents", "pydantic-ai",
        )
    },
}  # fmt: skip
# Pages that show signatures or pieces of a larger program.
NOT_RUN = {f"docs/reference/{name}" for name in reference_pages.python_api()}
TYPED = re.compile(
    r"\s*\$ (?:\w+=\S+ )*(cogmem .*)"
)  # a call behind a prompt, and what is set for it
LONGEST_PAGE = 300  # lines


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


RUNS = [
    page
    for page in PAGES
    if blocks(page, "sh", "python") and name_of(page) not in RUN_BY and name_of(page) not in NOT_RUN
]


# -- blocks ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNS, ids=name_of)
def test_the_blocks_of_a_page_run_from_top_to_bottom_and_say_what_they_promise(
    page: Path, tmp_path: Path, program: Path
) -> None:
    runs(page, tmp_path, program)


def test_a_page_that_is_run_elsewhere_is_named_there() -> None:
    for page, test in RUN_BY.items():
        if (ROOT / page).exists():
            assert Path(page).stem in (ROOT / "tests" / test).read_text(encoding="utf-8"), page


# -- commands --------------------------------------------------------------------------------------


def commands(page: Path) -> list[str]:
    """Every call of cogmem on a page: in blocks, after a prompt sign, and whole calls in the prose."""
    found = []
    for kind, body in blocks(page):
        lines = body.replace("\\\n", " ").splitlines()
        if kind in ("sh", "bash"):
            found += [line.strip() for line in lines if line.strip().startswith("cogmem ")]
        elif kind in ("console", "text"):
            found += [call[1] for line in lines if (call := TYPED.match(line))]
    found += re.findall(r"(?<!`)`(cogmem [^`\n]+)`(?!`)", prose(page))
    return found


def parsed(line: str) -> None:
    """Fail unless the command and its options exist; what is left out of it may be missing."""
    line = re.split(r' [|>&]|"?\$\(|  #| # ', line)[0].strip()
    words = shlex.split(line)[1:]
    command: click.Command = app
    while isinstance(command, click.Group):
        options = {name for param in command.params for name in param.opts}
        while words and words[0].startswith("-"):
            option = words.pop(0)
            assert option.partition("=")[0] in options | {"--help", "-h"}, f"{line}: no {option}"
            taken = next((p for p in command.params if option in p.opts), None)
            if isinstance(taken, click.Option) and not taken.is_flag and words:
                words.pop(0)
        if not words or words[0].isupper():
            return  # `cogmem COMMAND --help`
        found = command.get_command(click.Context(command), words[0])
        if found is None and command is not app:
            return  # an argument of a family of commands
        assert found is not None, f"{line}: there is no command {words[0]!r}"
        command, words = found, words[1:]
        if part := part_of(command, words):
            words.remove(part)
            command = command.parts[part]  # type: ignore[attr-defined]
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    for word in words:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in known | {"--help", "-h"}, f"{line}: no option {word}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_that_a_page_names_exists_with_its_options(page: Path) -> None:
    for line in commands(page):
        parsed(line)


def test_a_command_that_does_not_exist_is_found() -> None:
    for wrong in ("cogmem lern x", "cogmem learn x --knid fact", "cogmem nightly schedule instal"):
        if wrong != "cogmem nightly schedule instal":
            with pytest.raises(AssertionError):
                parsed(wrong)
    parsed('cogmem learn "it is" --kind fact --json')


# -- links -----------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The places of a page, as GitHub and the site name them."""
    found = set()
    for title in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower()
        found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", words).strip()))
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"(https?|mailto):", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{name_of(page)} leads to {target}, which is not there"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{name_of(page)}: {there.name} has no #{anchor}"


# -- the site --------------------------------------------------------------------------------------


def site() -> Any:
    spec = importlib.util.spec_from_file_location("docs_site", DOCS / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nav_entries() -> list[Any]:
    """The nav of mkdocs.yml, read without a YAML parser: titles, pages, and pages with a title."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    entries: list[Any] = []
    for line in text.splitlines():
        bare = line.strip().removeprefix("- ")
        title, colon, page = bare.partition(":")
        deep = len(line) - len(line.lstrip()) > 2
        if colon and not page.strip():
            entries.append({title: []})
        elif deep:
            next(iter(entries[-1].values())).append(bare)
        elif colon:
            entries.append({title: page.strip()})
    return entries


def test_every_page_has_its_place_on_the_site_once() -> None:
    module = site()
    known = module.pages(str(DOCS))
    shown = module._leaves(module.ordered(nav_entries(), known))
    assert sorted(shown) == known, "give the page a place in the nav of mkdocs.yml"


def test_links_to_the_repository_s_own_pages_lead_to_their_place_on_the_site() -> None:
    rewritten = site().rewritten
    assert rewritten("[a](../schema/README.md#x)", "docs/schema.md") == "[a](house/schema.md#x)"
    assert rewritten("[a](docs/how-to/mcp.md)", "AGENTS.md") == "[a](../how-to/mcp.md)"
    assert rewritten("[the code](../../cogmem/db.py)", "docs/how-to/mcp.md") == "the code"
    assert rewritten("[a](https://x.org/a.md)", "docs/index.md") == "[a](https://x.org/a.md)"


# -- the reference ---------------------------------------------------------------------------------


def test_the_reference_is_what_the_code_says() -> None:
    made = reference_pages.made()
    there = {page: page.read_text(encoding="utf-8") for page in made if page.exists()}
    differs = [name_of(page) for page, text in made.items() if there.get(page) != text]
    assert differs == [], "run `make docs-reference`"
    assert [page for page in (DOCS / "reference").rglob("*.md") if page not in made] == []


def test_a_page_of_the_reference_is_read_on_a_screen_or_two() -> None:
    long = {
        name_of(page): len(text.splitlines())
        for page, text in reference_pages.made().items()
        if "reference" in page.parts and len(text.splitlines()) > LONGEST_PAGE
    }
    assert long == {}


def test_the_times_of_capture_are_those_that_were_kept() -> None:
    kept = json.loads((ROOT / "benchmarks/results/write.json").read_text(encoding="utf-8"))
    told = (DOCS / "capture.md").read_text(encoding="utf-8").partition("**Time**")[2]
    names = [name for name in kept["capture"] if name.startswith(("match", "capture_of"))]
    assert len(names) == 5
    for name in names:
        assert f"{kept['capture'][name]['p50_ms']:.2g} ms" in told, name


def test_every_command_names_the_keys_of_its_json() -> None:
    silent = {
        name
        for top in SECTIONS.values()
        for each in top
        for name, one in every_command(each, app.get_command(None, each))  # type: ignore[arg-type]
        if not isinstance(one, click.Group) and not re.search(r"JSON( \(.*\))?: ", one.help or "")
    }
    # These speak a protocol of their own: an agent's, MCP, and git's for merge drivers.
    assert silent == {"hook", "mcp", "sync merge"}


def test_the_reference_explains_every_command_and_method() -> None:
    pages = reference_pages.command_line()
    told = "".join(text for page, text in pages.items() if page != "cli.md")
    assert re.findall(r"^##? (.*)\n\n(?=#|-)", told, re.MULTILINE) == []
    methods = "".join(reference_pages.python_api().values())
    assert re.findall(r"^## (.*)\n\n```python\n[^`]*```\n\n(?=#)", methods, re.MULTILINE) == []


def test_every_error_is_documented() -> None:
    page = reference_pages.python_api()["python/errors.md"]
    for error in CogmemError.__subclasses__():
        if error.__module__ == "cogmem.errors":
            assert f"`{error.__name__}`" in page


# -- the site, built -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("material") is None,
    reason="the site needs the extra docs: make docs builds it",
)
def test_the_site_builds_strictly_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    # Not --quiet: it would silence the warnings that --strict counts.
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        check=True,
        timeout=300,
    )
    loaded = re.compile(
        r"<(?:script|img|iframe)[^>]+src=[\"']?(https?:)?//|<link[^>]+rel=[\"']?(?:stylesheet|preconnect|icon)"
        r"[\"']?[^>]+href=[\"']?(?:https?:)?//|@import\s+url\(https?:"
    )
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 20
    for page in [*pages, *tmp_path.rglob("*.css")]:
        assert not loaded.search(page.read_text(encoding="utf-8")), page
