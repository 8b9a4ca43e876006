"""pi itself, offline, against a model on the loopback address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

import cogmem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("pi", tmp_path, monkeypatch) as host:
        yield host


def said(host: Host, *words: str) -> list[dict[str, Any]]:
    return host.say("--provider", "check", "--model", "m", "-p", *words)


def test_what_pi_heard_in_one_session_is_in_the_request_of_the_next(pi: Host) -> None:
    (first,) = said(pi, f"{NEVER} {HERON}")
    assert RULE in told(first["messages"][0]), "it joins the system prompt"
    (second,) = said(pi, "What is the staging host called?")
    assert "heron" in told(second["messages"]), "what was said in the first session"
    assert "deploy on Fridays" in told(second["messages"]), "what a rule captured in it"
    (third,) = said(pi, "--continue", "And when do we deploy?")
    assert grows(second["messages"], third["messages"])
    assert sorted(map(len, pi.recorded())) == [2, 4]
    assert sorted(pi.kept()) == sorted(pi.recorded()), "its own files say the same"


def test_pi_hears_with_the_result_how_a_command_failed_before(pi: Host) -> None:
    learned(pi, "make test")
    pi.model.calls = [("bash", {"command": "make test"})]
    asked = said(pi, "Run the tests.")
    assert CURE in told([one for one in asked[-1]["messages"] if one["role"] == "tool"])
    pi.model.calls = [("bash", {"command": "make lint"})]
    asked = said(pi, "Lint it.")
    assert CURE not in told(asked[-1]["messages"])


def test_a_rule_that_blocks_stops_a_tool_of_pi(pi: Host) -> None:
    with cogmem.open(pi.database) as mem:
        mem.learn("Never run `touch made`.", "policy", tags=["blocks"])
    pi.model.calls = [("bash", {"command": "touch made"})]
    asked = said(pi, "Make it.")
    assert not (pi.project / "made").exists()
    assert "Never run" in told(asked[-1]["messages"])
