"""README.md is run: every block of shell and Python, in order, in one folder."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from pages import runs
from processes import ROOT, ran

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")


def test_readme_names_only_targets_that_make_knows() -> None:
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", README, re.M)
    assert targets[:2] == ["demo", "test"]
    assert [name for name in targets if not re.search(rf"^{name}:", rules, re.M)] == []


@pytest.mark.slow
def test_the_terminal_that_readme_shows_says_what_the_commands_say(program: Path) -> None:
    spec = importlib.util.spec_from_file_location("recording", ROOT / "tests/cli/recording.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = (ROOT / "docs/terminal.svg").read_text(encoding="utf-8")
    shown = [html.unescape(re.sub(r"<[^>]*>", "", line)) for line in kept.split("<g ")[1:]]
    now = [f"{'$ ' * typed}{text}" for text, typed in module.recorded([str(program)])]
    assert [steady(line) for line in shown] == [steady(line) for line in now], "make docs-pictures"


def steady(line: str) -> str:
    """A line without what differs from run to run: names, and the minute."""
    line = line.rpartition('s">')[2]
    return re.sub(r"_[0-9a-f]{16}|\d{4}-\d\d-\d\d \d\d:\d\d", "_", line).strip()


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("sqlite3") is None, reason="no sqlite3 here: install it to look inside"
)
def test_every_block_of_readme_does_what_it_says(tmp_path: Path, program: Path) -> None:
    work = runs(PAGE, tmp_path, program)
    held = ran(
        [program, "--db", "memory.db", "list", "--everywhere"],
        cwd=work,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ).stdout
    for words in (
        "Deploys need",
        "called heron",
        "Written by hand.",
        "short answers",
        "the cellar",
    ):
        assert words in held
    assert "stork" not in held, "it was undone"
    assert b"short answers" in (work / "for-ann.db").read_bytes()
