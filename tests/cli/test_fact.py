"""The commands that set right what is held, as a person types them.

Modules: capture.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from shell import typed

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]


@pytest.fixture
def run(path: str) -> Run:
    """Run one command on a file of its own; its JSON, or its output when `code` is not 0."""
    return partial(typed, path, "--json")


def test_a_fact_is_corrected_superseded_and_retired(run: Run) -> None:
    first = run("learn", "The port is 8080", "--key", "port")["uid"]
    second = run("fact", "correct", "port", "-", "--reason", "misread", said="The port is 8081\n")
    assert (second["outcome"], second["other"]) == ("superseded", first)
    third = run("learn", "It listens on 9000 since May")["uid"]
    assert run("fact", "supersede", "port", third)["act"]
    assert run("fact", "retire", third, "--reason", "switched off")["act"]
    assert "superseded by" in run("fact", "retire", "port", code=1)
    assert run("log")[0]["reason"] == "switched off"


def test_forgetting_shows_first_and_asks_for_yes(run: Run, path: str) -> None:
    uid = run("learn", "The locker word is zanzibar")["uid"]
    assert run("forget", uid)["removed"]["memory"] == 1
    assert run("get", uid)["content"] == "The locker word is zanzibar"
    receipt = run("forget", uid, "--yes", "--word", "zanzibar", "--reason", "asked")
    assert (receipt["uids"], receipt["is_scrubbed"]) == ([uid], True)
    with open(path, "rb") as file:
        assert b"zanzibar" not in file.read()
    assert "no memory" in run("forget", uid, "--yes", code=1)
    assert run("file", "scrub") == {"is_scrubbed": True, "left": []}


def test_a_message_is_captured_and_rules_are_kept(run: Run) -> None:
    heard = run("capture", "Never use --no-verify when you commit.")
    assert [one["outcome"] for one in heard["learned"]] == ["inserted"]
    assert run("capture", "What is the weather like today, then?")["learned"] == []
    assert run("capture", "rules", "check") == {"problems": []}
    rule = ("preference.house_style", r"^house style:\s*(?P<what>\S.*)")
    wanted = (
        "--family",
        "preference",
        "--kind",
        "preference",
        "--counter-example",
        "What is the house style?",
    )
    assert "example" in run(
        "capture", "rules", "add", *rule, *wanted, "--example", "Nothing like it", code=1
    )
    run(
        "capture",
        "rules",
        "add",
        *rule,
        *wanted,
        "--example",
        "House style: numbers are written as words.",
    )
    text = "House style: headlines are set in bold."
    assert len(run("capture", text)["learned"]) == 1
    run("capture", "rules", "disable", rule[0])
    assert [
        row["is_enabled"] for row in run("capture", "rules", "list") if row["name"] == rule[0]
    ] == [0]
    run("capture", "rules", "enable", rule[0])
    assert "no rule" in run("capture", "rules", "enable", "nobody", code=1)
