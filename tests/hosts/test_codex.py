"""Codex itself, offline, against a model on the loopback address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]
FULL = 150_000  # more than where it is told to compact


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("codex", tmp_path, monkeypatch) as host:
        settings = host.home / ".codex/config.toml"
        settings.write_text(f"model_auto_compact_token_limit = 100000\n{settings.read_text()}")
        yield host


def said(host: Host, *words: str) -> list[dict[str, Any]]:
    # Nobody is there to trust the hooks; `codex` asks for it once.
    return host.say("exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", *words)


def test_what_codex_heard_in_one_session_is_in_the_request_of_the_next(codex: Host) -> None:
    (first,) = said(codex, f"{NEVER} {HERON}")
    assert RULE in told(first)
    assert "mcp__cogmem" in told(first["tools"]), "the tools are there when the first turn begins"
    (second,) = said(codex, "What is the staging host called?")
    assert "heron" in told(second), "what was said in the first session"
    assert "deploy on Fridays" in told(second), "what a rule captured in it"
    codex.model.tokens = FULL
    (third,) = said(codex, "resume", "--last", "And when do we deploy?")
    assert grows(second["input"], third["input"])
    asked = said(codex, "resume", "--last", "Go on.")
    assert len(asked) > 1, "it asked for a summary first"
    assert not grows(third["input"], asked[-1]["input"])
    assert RULE in told(asked[-1]), "the stable text comes again"
    (last,) = said(codex, "resume", "--last", "What is the staging host called?")
    assert grows(asked[-1]["input"], last["input"])
    assert "heron" in told(last["input"][-1]), "what the summary lost, memory has"
    assert sorted(map(len, codex.recorded())) == [2, 8], "the summary that it asked for is no talk"


def test_codex_hears_how_a_command_failed_before_it_runs_again(codex: Host) -> None:
    learned(codex, "make test")
    codex.model.calls = [("exec_command", {"cmd": "make test"})]
    asked = said(codex, "--dangerously-bypass-approvals-and-sandbox", "Run the tests.")
    before, _, result = told(asked[-1]["input"]).partition('"function_call_output"')
    assert CURE in before, "it is there before the result is"
    assert "make" in result
    codex.model.calls = [("exec_command", {"cmd": "make lint"})]
    asked = said(codex, "--dangerously-bypass-approvals-and-sandbox", "Lint it.")
    assert CURE not in told(asked[-1]["input"])
