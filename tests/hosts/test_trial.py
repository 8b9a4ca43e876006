"""A check runs the host itself where it is installed: against a stand-in for its model, in a home of its own."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from real_host import FOLDER, needs_hosts, program

from cogmem.hosts import install, trial

if TYPE_CHECKING:
    from pathlib import Path

WANTED = "The check arrived."
# What Copilot CLI does with the hooks that it is given, in a few lines.
HOST = """
import json, os, subprocess, sys, urllib.request
hooks = json.load(open(os.path.expanduser("~/.copilot/hooks/cogmem.json")))["hooks"]
event = {{"session_id": "s", "cwd": ".", "source": "startup", "hook_event_name": "SessionStart"}}
brought = subprocess.run(
    hooks["SessionStart"][0]["bash"], shell=True, input=json.dumps(event), capture_output=True, text=True
).stdout
asked = json.dumps({{"messages": [{{"role": "user", "content": {brought}}}]}}).encode()
url = os.environ["COPILOT_PROVIDER_BASE_URL"] + "/chat/completions"
print(urllib.request.urlopen(urllib.request.Request(url, asked)).read())
"""


def host(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program called copilot, the first on the PATH."""
    folder.mkdir()
    file = folder / "copilot"
    file.write_text(f"#!{sys.executable}\n{text}")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_what_a_host_makes_of_its_files_is_seen_in_its_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host(tmp_path / "bin", HOST.format(brought="brought"), monkeypatch)
    assert trial.tried("copilot", WANTED) == (
        "copilot",
        True,
        "memory reached the request of a session",
    )


def test_a_host_that_leaves_memory_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host(tmp_path / "bin", HOST.format(brought="'nothing'"), monkeypatch)
    assert trial.tried("copilot", WANTED)[1:] == (
        False,
        "it asked the model without what is in memory",
    )


def test_a_host_that_ends_with_an_error_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host(tmp_path / "bin", "raise SystemExit('it is too cold')", monkeypatch)
    assert trial.tried("copilot", WANTED)[1:] == (False, "it is too cold")


def test_a_host_that_is_not_there_is_not_tried_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert trial.tried("pi", WANTED) == ("pi", None, "not tried: it is not on the PATH")
    assert trial.tried("cursor", WANTED)[1] is None


@pytest.mark.slow
@needs_hosts
@pytest.mark.parametrize("name", trial.TRIALS)
def test_each_host_itself_takes_what_is_installed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(trial.TRIALS[name]["program"])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{FOLDER}{os.pathsep}{os.environ['PATH']}")
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    install.install(name, str(tmp_path / "memory.db"), resident=False)
    last = install.check(name)[-1]
    assert last.part.endswith(" itself")
    assert (last.is_good, last.said) == (True, "memory reached the request of a session")
