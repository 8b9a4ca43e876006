"""docs/how-to/documents.md does what it says: its blocks run, and show what stands behind each `# →`."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from processes import ran

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "how-to" / "documents.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_page_on_documents_runs_from_top_to_bottom(tmp_path: Path, program: Path) -> None:
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "cogmem").symlink_to(program)
    env = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COGMEM_DB": str(tmp_path / "memory.db"),
        "COGMEM_USER_DIR": str(tmp_path / "user"),
    }
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 5
    promised = 0
    for language, text in blocks:
        start = ["sh", "-eu", "-c"] if language == "sh" else [program, "-c"]
        done = ran([*start, text], cwd=work, env=env)
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        for promise in re.findall(r"# → (.+)$", text, re.MULTILINE):
            assert promise in done.stdout, f"{promise!r} is not in\n{done.stdout}"
            promised += 1
    assert promised >= 8
