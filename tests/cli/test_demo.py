"""The demo tells a true story: its commands exist, its figures are the file's, it takes a minute."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

import cogmem
from cogmem.cli import demo
from cogmem.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def told() -> str:
    done = CliRunner().invoke(app, ["demo", "--fast"])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_demo_hears_decides_keeps_silent_undoes_and_explains(told: str) -> None:
    for words in (
        "kept (policy)",
        "kept (preference)",
        "nothing to keep\n",
        "is active again.",
        "- The staging server is called heron.",
        "  (nothing)",
        "  - Parcels to Norway need form CN23.\n",
        "refused: The text holds a secret",
        "refused: The text holds instructions aimed at the model",
        "true on Monday: The staging server is called heron.",
        "true now: The staging server is called stork.",
        "is the same to the byte",
        "a newer fact took its place",
        "check: sound",
    ):
        assert words in told
    before = re.search(r"(\d+) memories now", told)
    assert before
    assert f"  {before[1]} memories\n" in told, "what was removed is back"
    # What was said on three days stands in the prompt of the next session, once.
    friday = told.partition("nobody has to say it")[2].partition("tokens")[0]
    assert friday.count("read the tests first") == 1
    # What was decided in November is there in March.
    assert (
        "decided against MongoDB" in told.partition("four months later")[2].partition("tokens")[0]
    )
    assert "ghp_" not in told.replace("ghp_…", "")
    assert "CHANGED" not in told


def test_headings_are_whole_at_eighty_columns_and_numbers_have_their_word(told: str) -> None:
    headings = [line for line in told.splitlines() if " · " in line]
    assert len(headings) > 10
    assert [line for line in headings if "…" in line] == []
    assert not re.search(r"\b1 (memories|messages|items)", told)


def test_every_command_that_the_demo_shows_can_be_typed(told: str) -> None:
    lines = re.findall(r"^\$ cogmem (.*)$", told, re.MULTILINE)
    assert len(lines) > 15
    for line in lines:
        words = shlex.split(line)
        name, command, rest = app.resolve_command(click.Context(app), words)
        assert command is not None, line
        command.make_context(name, rest, resilient_parsing=False)


@pytest.mark.slow
def test_the_demo_takes_a_minute_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(demo.time, "sleep", slept.append)
    from rich.console import Console

    with cogmem.open(str(tmp_path / "memory.db")) as mem:
        demo.tell(demo.Story(mem, Console(quiet=True), 1.0))
    assert 40 < 0.75 * sum(slept) < 60


@pytest.mark.slow
def test_a_kept_demo_is_a_sound_memory_and_nothing_is_overwritten(tmp_path: Path) -> None:
    kept = str(tmp_path / "story.db")
    done = CliRunner().invoke(app, ["--json", "demo", "--keep", kept])
    figures = json.loads(done.stdout)
    assert figures["sound"]
    with cogmem.open(kept) as mem:
        assert mem.stats().memories == figures["memories"]
        assert mem.stats().tokens == figures["tokens"]
        assert mem.file.check() == []
    again = CliRunner().invoke(app, ["demo", "--keep", kept])
    assert again.exit_code == 2
    assert "name a new file" in again.output
