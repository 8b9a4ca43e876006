"""A session's commands say how a procedure went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW

if TYPE_CHECKING:
    from cogmem import Memory

STEPS = ["bump the version", "npm test", "run eas build", "eas submit --latest"]


def session(memory: Memory, name: str, at: int, *commands: str) -> None:
    """A session of commands; `!` before one that failed with the error behind the bar."""
    talk = memory.conversation(name)
    talk.append("user", "Release the app please", at=at)
    for number, line in enumerate(commands):
        command, _, error = line.lstrip("!").partition(" | ")
        call = {"type": "tool_call", "id": str(number), "name": "Bash"}
        result: dict[str, Any] = {"type": "tool_result", "tool_call_id": str(number)}
        result |= {"content": error or "ok"} | ({"is_error": True} if line[0] == "!" else {})
        entries = [
            ("assistant", [{**call, "arguments": {"command": command}}], None, at, None),
            ("tool", [result], None, at, None),
        ]
        talk.extend(entries, counted=False)
    memory.sessions.conclude(name, now=at + 60_000)
    memory.sessions.conclude(name, now=at + 70_000)


@pytest.mark.parametrize(
    ("commands", "went"),
    [
        (("npm test", "eas build --platform ios", "eas submit --latest"), "worked 1 of 1"),
        (("cd app && npm test && eas build", "eas submit --latest"), "worked 1 of 1"),
        (("npm test", "!eas build | Error: keystore password was incorrect"), "keystore"),
        (("!npm test | 1 failed", "npm test", "eas build"), "worked 1 of 1"),
        (("npm test",), ""),
        (("npm install", "eas login"), ""),
        (("git status", "cat release.md"), ""),
    ],
)
def test_commands_of_a_session_say_how_it_went(
    memory: Memory, commands: tuple[str, ...], went: str
) -> None:
    memory.procedure("release", STEPS, description="Release the app", now=NOW)
    session(memory, "a", NOW + DAY, *commands)
    ending = memory.get("release").as_dict()["ending"]
    assert went in ending if went else not ending


def test_what_somebody_said_of_it_counts_once(memory: Memory) -> None:
    memory.procedure("release", STEPS, description="Release the app", now=NOW)
    memory.tried("release", success=False, reason="the store refused it", now=NOW + DAY + 1000)
    session(memory, "a", NOW + DAY, "npm test", "eas build", "eas submit --latest")
    assert "failed 1 of 1" in memory.get("release").line
