"""Pages of the documentation: their blocks, and a run of these from top to bottom in one folder."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from processes import ROOT, ran

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *kinds: str) -> list[tuple[str, str]]:
    """Kind and text of each block, of these kinds alone where some are named."""
    text = page.read_text(encoding="utf-8")
    return [(kind, body) for _, kind, body in FENCE.findall(text) if not kinds or kind in kinds]


def promises_kept(body: str, said: str, beside: str = "") -> None:
    """Fail unless what stands behind each `# →` was said, in that order."""
    place = 0
    for promise in re.findall(r"# → (.+)$", body, re.MULTILINE):
        found = said.find(promise, place)
        assert found >= 0 or promise in beside, f"{promise!r} is not in\n{said}"
        place = max(place, found)


def runs(page: Path, folder: Path, program: Path) -> Path:
    """Run the blocks of shell and Python; returns the folder in which they ran."""
    work, programs = folder / "work", folder / "bin"
    (work / ".git").mkdir(parents=True)
    programs.mkdir()
    (programs / "cogmem").symlink_to(program)
    python = programs / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("COGMEM_")},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "COGMEM_DB": "memory.db",
        "XDG_DATA_HOME": str(folder / "data"),
        "COGMEM_USER_DIR": str(folder / "user"),
        "PYTHONWARNINGS": "ignore",
    }
    for kind, body in blocks(page, "sh", "python"):
        if body.startswith("make "):
            continue  # those targets are run by themselves
        start = ["bash", "-euo", "pipefail", "-c"] if kind == "sh" else [program, "-c"]
        done = ran([*start, body], cwd=work, env=environment)
        missing = re.search(r"No module named '(?!cogmem)\S+'|.* is not installed: .*", done.stderr)
        if done.returncode and missing:  # an extra that is not part of the tools
            pytest.skip(f"{page.name} needs what is not here: {missing[0]}")
        assert done.returncode == 0, f"{body}\n{done.stdout}\n{done.stderr}"
        promises_kept(body, f"{done.stdout}\n{done.stderr}", done.stderr)
    return work
