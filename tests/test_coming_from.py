"""docs/coming-from.md: every feature of the five systems has a row, and what a row names exists."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW

import cogmem
from cogmem.tools.toolset import TOOLSETS, toolset

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(cogmem.__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "coming-from.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="needs the repository")
COUNTS = {"G": 43, "F": 49, "O": 29, "Z": 30, "K": 29}


def rows() -> dict[str, list[str]]:
    """What was there and where it is now, behind its number."""
    found: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"- ([GFOZK]-\d\d) (.+?) → (.+)", line)
        if row:
            assert row[1] not in found, f"{row[1]} has two rows"
            found[row[1]] = [row[2], row[3]]
    return found


def test_every_number_has_one_row_that_says_what_it_was_and_where_it_is() -> None:
    wanted = [f"{system}-{n:02}" for system, most in COUNTS.items() for n in range(1, most + 1)]
    found = rows()
    assert list(found) == wanted
    for number, (there, here) in found.items():
        assert len(there) > 10, number
        assert "`" in here or "](" in here, f"{number} names no place"


def test_every_row_is_proved_by_a_test_of_its_number_and_no_other_number_is_named() -> None:
    known = {number.lower().replace("-", "") for number in rows()}
    proved: set[str] = set()
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for names in re.findall(r"def test_((?:[gfozk]\d\d_)+)", file.read_text(encoding="utf-8")):
            proved |= (numbers := set(names.strip("_").split("_")))
            assert numbers <= known, f"{file.name}: {names}"
    assert sorted(known - proved) == []


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The objects that the page's calls begin with."""
    with cogmem.open(tmp_path / "memory.db", documents=tmp_path, user_dir=tmp_path) as mem:
        mem.learn("A kind, a view and a table exist.", now=NOW)
        talk = mem.conversation("talk")
        yield {
            "mem": mem,
            "talk": talk,
            "facts": mem.collections(),
            "notes": mem.sessions.notes("s"),
            "window": mem.conversations.window("talk", "m"),
            "documents": mem.documents,
            "experience": mem.experience,
        }


def words(mem: cogmem.Memory) -> set[str]:
    """Every bare word that the page may set in code: names that a person can look up."""
    mem.file.show()
    names = {row[0] for row in mem.db.ask("select name from sqlite_schema")}
    names |= {tool.name for name in TOOLSETS for tool in toolset(name, mem)}
    names |= set(mem.store.settings()) | set(mem.store.kinds.all()) | set(TOOLSETS)
    names |= {row[0] for row in mem.db.ask("select alias from kind_alias")}
    return names | {"auto_inject", "archive", "mem_", "test_z13_…"}


def test_every_command_call_setting_kind_and_tool_that_is_named_exists(
    places: dict[str, Any],
) -> None:
    known = words(places["mem"])
    spans = re.findall(r"`([^`]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(spans) > 250
    jobs = {file.stem for file in (ROOT / "schema" / "jobs").glob("*.sql")}
    for span in spans:
        first, *rest = span.partition("(")[0].split(".")
        if span.startswith("cogmem "):
            continue  # as on every page: test_docs
        if span.startswith("cogmem://"):
            pages = (ROOT / "docs/how-to/mcp.md").read_text(encoding="utf-8")
            assert f"`{span}`" in pages, span
        elif first == "cogmem" and rest:
            pkgutil.resolve_name(span.partition("(")[0])
        elif first in places:
            place = places[first]
            for name in rest:
                assert hasattr(type(place), name) or hasattr(place, name), span
                place = getattr(place, name, None)
        elif re.fullmatch(r"\d\d_\w+", span):
            assert span in jobs, span
        elif re.fullmatch(r"[a-z_]+", span):
            assert span in known or span in places, f"`{span}` is nothing that exists"


def test_g14_without_a_budget_the_hooks_bring_nothing_and_record_all_the_same(
    tmp_path: Path,
) -> None:
    with cogmem.open(tmp_path / "m.db") as mem:
        mem.learn("Deploys need a green build.", kind="policy", now=NOW)
        assert mem.activate("How do I deploy?", session="s", now=NOW).text
        mem.store.set_setting("budget_tokens", "0", now=NOW)
        turn = mem.activate("How do I deploy?", session="t", now=NOW)
        assert (turn.stable, turn.volatile, turn.tokens) == ("", "", 0)
        mem.conversation("t").append("user", "Never deploy on a Friday.", at=NOW)
        assert mem.capture_conversation("t", now=NOW).memories == 1
