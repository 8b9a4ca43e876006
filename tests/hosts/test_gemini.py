"""Gemini CLI itself, offline, against a model on the loopback address."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

from cogmem.hosts import install

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, needs_hosts]
LONG = "word salad " * 2_500  # more than the 4 % of its window at which it is told to compress


@pytest.fixture
def gemini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("gemini", tmp_path, monkeypatch) as host:
        settings = json.loads((host.home / ".gemini/settings.json").read_text())
        settings["model"] = {"name": "gemini-2.5-flash", "compressionThreshold": 0.004}
        host.write(".gemini/settings.json", settings)
        yield host


def test_what_gemini_heard_in_one_session_is_in_the_request_of_the_next(gemini: Host) -> None:
    (first,) = gemini.say("-p", f"{NEVER} {HERON}")
    assert RULE in told(first)
    (second,) = gemini.say("-p", "What is the staging host called?")
    assert "heron" in told(second), "what was said in the first session"
    assert "deploy on Fridays" in told(second), "what a rule captured in it"
    (third,) = gemini.say("--resume", "latest", "-p", "And when do we deploy?")
    assert grows(second["contents"], third["contents"])
    assert RULE not in told(third["contents"][-1]), "its prompt holds the stable text already"
    assert sorted(map(len, gemini.recorded())) == [2, 4]


def test_gemini_with_the_extension_remembers_too(gemini: Host, tmp_path: Path) -> None:
    install.uninstall("gemini")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    gemini.environment["PATH"] = f"{commands}:{gemini.environment['PATH']}"
    gemini.environment["COGMEM_DB"] = str(gemini.database)
    folder = str(Path(__file__).resolve().parents[2] / "integrations" / "gemini")
    gemini.say("extensions", "validate", folder, answer="validated")
    gemini.say("extensions", "link", "--consent", folder, answer="enabled")
    (first,) = gemini.say("-p", HERON)
    assert RULE in told(first)
    (second,) = gemini.say("-p", "What is the staging host called?")
    assert "heron" in told(second)
    assert sorted(map(len, gemini.recorded())) == [2, 2]


def test_after_gemini_compressed_its_prompt_the_stable_text_comes_again(gemini: Host) -> None:
    gemini.say("-p", HERON)
    gemini.say("-p", f"Tell me a story. {LONG}")
    asked = gemini.say("--resume", "latest", "-p", "Go on.")
    assert len(asked) > 1, "it asked for a summary first"
    assert "word salad" not in told(asked[-1])
    assert RULE not in told(asked[-1]), "nobody told the hook in time"
    (after,) = gemini.say("--resume", "latest", "-p", "What is the staging host called?")
    assert RULE in told(after["contents"][-1])
    assert "heron" in told(after["contents"][-1]), "what the summary lost, memory has"
    assert sorted(map(len, gemini.recorded())) == [2, 6], "the record lost nothing"


def test_gemini_hears_with_the_result_how_a_command_failed_before(gemini: Host) -> None:
    learned(gemini, "make test")
    gemini.model.calls = [("run_shell_command", {"command": "make test"})]
    asked = gemini.say("--yolo", "-p", "Run the tests.")
    last = told(asked[-1]["contents"])
    assert "functionResponse" in last
    assert CURE in last
    gemini.model.calls = [("run_shell_command", {"command": "make lint"})]
    asked = gemini.say("--yolo", "-p", "Lint it.")
    assert CURE not in told(asked[-1]["contents"])
