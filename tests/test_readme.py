"""README.md is run: every block of shell and Python, in order, in one empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.S | re.M)
BLOCKS = [(kind, block) for kind, block in FENCES if kind != "text"]


def run(block: str, kind: str, folder: Path) -> None:
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    cogmem = programs / "cogmem"
    cogmem.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cogmem "$@"\n')
    cogmem.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "COGMEM_DB": "memory.db",
        "PYTHONPATH": str(ROOT),
    }
    command = ["bash", "-euo", "pipefail", "-c"] if kind == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*command, block],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


def test_readme_names_only_targets_that_make_knows() -> None:
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", README, re.M)
    assert targets[:2] == ["demo", "test"]
    assert [name for name in targets if not re.search(rf"^{name}:", rules, re.M)] == []


@pytest.mark.slow
def test_what_readme_shows_of_the_demo_is_what_the_demo_says() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cogmem", "demo", "--fast"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ).stdout
    said = [without_names(line) for line in done.splitlines()]
    (shown,) = [block for kind, block in FENCES if kind == "text"]
    place = 0
    for line in shown.splitlines():
        assert without_names(line) in said[place:], line
        place = said.index(without_names(line), place) + bool(line)


def without_names(line: str) -> str:
    """A line of the demo without uids, and without the rule behind a title."""
    return re.sub(r"_[0-9a-f]{16}", "_", line).rstrip(" ─")


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("sqlite3") is None, reason="no sqlite3 here: install it to look inside"
)
def test_every_block_of_readme_does_what_it_says(tmp_path: Path) -> None:
    assert {kind for kind, _ in BLOCKS} == {"sh", "python"}
    for kind, block in BLOCKS:
        if not block.startswith("make "):  # those targets are run by themselves
            run(block, kind, tmp_path)
    held = subprocess.run(
        [sys.executable, "-m", "cogmem", "--db", "memory.db", "list", "--everywhere"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
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
    assert b"short answers" in (tmp_path / "for-ann.db").read_bytes()
