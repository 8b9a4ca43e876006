"""GitHub Copilot CLI itself, offline, against a model on the loopback address."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

import cogmem
from cogmem.hosts import install

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, needs_hosts]


@pytest.fixture
def copilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("copilot", tmp_path, monkeypatch) as host:
        yield host


def said(host: Host, *words: str) -> list[dict[str, Any]]:
    return host.say("--allow-all-tools", *words)


def test_what_copilot_heard_in_one_session_is_in_the_request_of_the_next(copilot: Host) -> None:
    first = said(copilot, "-p", f"{NEVER} {HERON}")[-1]
    assert RULE in told(first["messages"])
    assert "cogmem" in told(first["tools"]), "the tools are there when the first turn begins"
    second = said(copilot, "-p", "What is the staging host called?")[-1]
    assert "heron" in told(second["messages"]), "what was said in the first session"
    assert "deploy on Fridays" in told(second["messages"]), "what a rule captured in it"
    third = said(copilot, "--continue", "-p", "And when do we deploy?")[-1]
    assert RULE in told(third["messages"]), "the stable text is still there"
    assert grows(second["messages"][1:], third["messages"][1:])
    assert sorted(map(len, copilot.recorded())) == [2, 4]
    assert sorted(copilot.kept()) == sorted(copilot.recorded()), "its own files say the same"


def test_copilot_hears_how_a_command_failed_before(copilot: Host) -> None:
    learned(copilot, "make test")
    copilot.model.calls = [("bash", {"command": "make test", "description": "test"})]
    asked = said(copilot, "-p", "Run the tests.")
    assert CURE in told(asked[-1]["messages"])
    copilot.model.calls = [("bash", {"command": "make lint", "description": "lint"})]
    asked = said(copilot, "-p", "Lint it.")
    assert CURE not in told(asked[-1]["messages"])


def test_a_rule_that_blocks_stops_a_tool_of_copilot(copilot: Host) -> None:
    with cogmem.open(copilot.database) as mem:
        mem.learn("Never run `touch made`.", "policy", tags=["blocks"])
    copilot.model.calls = [("bash", {"command": "touch made", "description": "make"})]
    asked = said(copilot, "-p", "Make it.")
    assert not (copilot.project / "made").exists()
    assert "Never run" in told(asked[-1]["messages"])


def test_copilot_installs_the_shared_plugin_from_the_marketplace(
    copilot: Host, tmp_path: Path
) -> None:
    install.uninstall("copilot")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    copilot.environment["PATH"] = f"{commands}:{copilot.environment['PATH']}"
    root = str(Path(__file__).resolve().parents[2])
    copilot.say("plugin", "marketplace", "add", root, answer="added")
    copilot.say("plugin", "install", "cogmem@cogmem", answer="Installed 1 skill")
    asked = said(copilot, "-p", "Hello.")[-1]
    assert "cogmem-recall" in told(asked["tools"])
