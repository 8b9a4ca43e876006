"""Qwen Code itself, offline, against a model on the loopback address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, home_of, learned, needs_hosts, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]


@pytest.fixture
def qwen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("qwen", tmp_path, monkeypatch) as host:
        yield host


def said(host: Host, *words: str) -> list[dict[str, Any]]:
    """What it asked the model for one message, without the requests of its own memory."""
    asked = host.say(*words)
    return [one for one in asked if "managed memory" not in told(one["messages"][0])]


def test_what_qwen_heard_in_one_session_is_in_the_request_of_the_next(qwen: Host) -> None:
    first = said(qwen, "-p", f"{NEVER} {HERON}")[-1]
    assert RULE in told(first)
    second = said(qwen, "-p", "What is the staging host called?")[-1]
    assert "heron" in told(second), "what was said in the first session"
    assert "deploy on Fridays" in told(second), "what a rule captured in it"
    third = said(qwen, "--continue", "-p", "And when do we deploy?")[-1]
    assert grows(second["messages"], third["messages"])
    assert sorted(map(len, qwen.recorded())) == [2, 4]
    assert sorted(qwen.kept()) == sorted(qwen.recorded()), "its own files say the same"


def test_qwen_hears_with_the_result_how_a_command_failed_before(qwen: Host) -> None:
    learned(qwen, "make test")
    call = {"command": "make test", "description": "test", "is_background": False}
    qwen.model.calls = [("run_shell_command", call)]
    asked = said(qwen, "--yolo", "-p", "Run the tests.")
    assert CURE in told([one for one in asked[-1]["messages"] if one["role"] == "tool"])
    qwen.model.calls = [("run_shell_command", {**call, "command": "make lint"})]
    asked = said(qwen, "--yolo", "-p", "Lint it.")
    assert CURE not in told(asked[-1]["messages"])
