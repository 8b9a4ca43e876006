"""OpenCode itself, offline, against a model on the loopback address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

import cogmem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]
FULL = 199_000  # of its window of 200,000: then it compacts


@pytest.fixture
def opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("opencode", tmp_path, monkeypatch) as host:
        yield host


def said(host: Host, text: str, *options: str) -> list[dict[str, Any]]:
    """What it asked the model for one message, without the requests for a title."""
    asked = host.say("run", *options, *text.split())  # one word each: it puts longer ones in quotes
    return [one for one in asked if "title generator" not in told(one)]


def test_what_opencode_heard_in_one_session_is_in_the_request_of_the_next(opencode: Host) -> None:
    (first,) = said(opencode, f"{NEVER} {HERON}")
    assert RULE in told([m for m in first["messages"] if m["role"] == "system"])
    assert "cogmem_recall" in told(first["tools"]), "the tools are there too"
    (second,) = said(opencode, "What is the staging host called?")
    assert "heron" in told(second), "what was said in the first session"
    assert "deploy on Fridays" in told(second), "what a rule captured in it"
    opencode.model.tokens = FULL
    third = said(opencode, "And when do we deploy?", "--continue")
    assert grows(second["messages"], third[0]["messages"])
    assert len(third) > 1, "its window was full, so it compacted"
    (after,) = said(opencode, "What is the staging host called?", "--continue")
    assert RULE in told([m for m in after["messages"] if m["role"] == "system"])
    assert "heron" in told(after["messages"][-1]), "what the summary lost, memory has"
    assert sorted(map(len, opencode.recorded())) == [2, 6]
    # Its own files hold one answer more: the one to itself, after it compacted.
    assert sorted(map(len, opencode.kept())) == [2, 7]
    assert sorted(map(set, opencode.kept()), key=len) == sorted(
        map(set, opencode.recorded()), key=len
    )


def test_what_a_model_tells_a_sub_agent_is_not_recorded_as_said_by_a_person(opencode: Host) -> None:
    order = {
        "description": "look",
        "prompt": "Never touch the vendored parser.",
        "subagent_type": "general",
    }
    opencode.model.calls.append(("task", order))
    asked = said(opencode, "Have somebody look at the parser.")
    assert len(asked) == 3, "the order, the sub-agent at work, its report"
    assert RULE in told(asked[1]), "a sub-agent knows the rules too"
    assert [len(talk) for talk in opencode.recorded()] == [2]
    with cogmem.open(opencode.database) as mem:
        assert not [row for row in mem.list(everywhere=True) if "vendored" in row.content]


def test_opencode_tells_beside_the_result_how_a_command_failed_before(opencode: Host) -> None:
    learned(opencode, "make test")
    opencode.model.calls = [("bash", {"command": "make test", "description": "test"})]
    asked = said(opencode, "Run the tests.")
    results = [m for m in asked[-1]["messages"] if m["role"] == "tool"]
    assert CURE in told(results)
