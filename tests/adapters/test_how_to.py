"""The how-tos: their Python runs, and the commands they show exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import cogmem
from cogmem.cli import app

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
PAGES = ("claude-code", "codex", "gemini", "opencode", "cursor", "mcp", "agent-loops")


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist_with_their_options(page: str) -> None:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    shown = [line for line in text.split("\n") if line.startswith("$ ") and "cogmem " in line]
    for line in shown:
        words = line.partition("#")[0].split("cogmem ", 1)[1].split()
        if words[0].startswith("'") or "pip" in line:
            continue
        said = CliRunner().invoke(app, [words[0], "--help"])
        assert said.exit_code == 0, line
        for word in words[1:]:
            if word.startswith("--"):
                assert word in said.output, line


def test_the_loop_in_the_how_to_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (HOW_TO / "agent-loops.md").read_text(encoding="utf-8")
    code = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    exec(compile(code[0], "agent-loops.md", "exec"), {})
    with cogmem.open("memory.db") as mem:
        assert len(mem.conversation("monday").messages()) == 4
        exec(compile(code[1], "agent-loops.md", "exec"), {"mem": mem})
