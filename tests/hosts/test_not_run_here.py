"""Hosts that cannot be run here, held to the form in which they tell events and read answers."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

import cogmem
from cogmem.hosts import install as installing
from cogmem.scope import project_of

if TYPE_CHECKING:
    from pathlib import Path

RULE = "Répondez toujours en français."
NEVER = "Never run `make deploy`."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a memory of two rules, and a project to stand in."""
    for name in ("XDG_CONFIG_HOME", "COGMEM_DB", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    with cogmem.open(tmp_path / "memory.db") as mem:
        mem.learn(RULE, "policy")
        mem.learn(NEVER, "policy", tags=["blocks"])
    return tmp_path


def put(home: Path, host: str, file: str) -> dict[str, Any]:
    """Install a host; its hooks."""
    installing.install(host, str(home / "memory.db"), resident=False)
    hooks: dict[str, Any] = json.loads((home / file).read_text(encoding="utf-8"))["hooks"]
    return hooks


def ran(line: str, **event: Any) -> str:
    """What a hook says to an event, run as a host does."""
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=json.dumps(event).encode(), capture_output=True, check=True
    )
    assert not done.stderr
    return done.stdout.decode("utf-8")


def recorded(home: Path, session: str, many: int) -> list[tuple[str, str]]:
    """What was said, as soon as the processes that write it down have done so."""
    path, told = str(home / "memory.db"), []
    for _ in range(600):
        with cogmem.open(path, project=project_of(str(home / "project")).id) as mem:
            told = [(one.role, one.told()) for one in mem.conversation(session).messages()]
        if len(told) >= many:
            break
        time.sleep(0.05)
    return told


def test_goose_records_what_goes_by_and_stops_a_tool_but_hears_nothing(home: Path) -> None:
    hooks = put(home, "goose", ".agents/plugins/cogmem/hooks/hooks.json")
    run = {event: groups[0]["hooks"][0]["command"] for event, groups in hooks.items()}
    given = {"session_id": "g1", "working_dir": str(home / "project")}
    asked = {**given, "event": "UserPromptSubmit", "message": "The geese need a pond."}
    assert ran(run["UserPromptSubmit"], **asked, matcher_context="The geese need a pond.") == ""
    acts = {**given, "event": "PreToolUse", "tool_name": "developer__shell"}
    told = ran(run["PreToolUse"], **acts, tool_input={"command": "make deploy"})
    assert json.loads(told)["decision"] == "block"
    assert "make deploy" in json.loads(told)["reason"]
    assert ran(run["PreToolUse"], **acts, tool_input={"command": "make lint"}) == ""
    edits = {"command": "view", "path": "src/pond.py"}
    assert ran(run["PreToolUse"], **{**acts, "tool_input": edits}) == ""
    assert ran(run["Stop"], **given, event="Stop", last_assistant_message="It is dug.") == ""
    assert recorded(home, "g1", 2) == [
        ("user", "The geese need a pond."),
        ("assistant", "It is dug."),
    ]
    assert json.loads((home / ".agents/plugins/cogmem/plugin.json").read_text())["name"] == "cogmem"
    server = json.loads((home / ".agents/plugins/cogmem/.mcp.json").read_text())["mcpServers"]
    assert isinstance(server["cogmem"]["command"], str)


def test_kiro_reads_plain_text_at_the_start_and_with_a_message(home: Path) -> None:
    hooks = put(home, "kiro", ".kiro/agents/cogmem.json")
    run = {event: groups[0]["command"] for event, groups in hooks.items()}
    assert set(run) == {"agentSpawn", "userPromptSubmit", "stop"}
    assert all(one[0]["timeout_ms"] >= 5_000 for one in hooks.values())
    given = {"session_id": "k1", "cwd": str(home / "project")}
    started = ran(run["agentSpawn"], **given, hook_event_name="agentSpawn")
    assert RULE in started, "as it stands, letters with marks too"
    with cogmem.open(home / "memory.db") as mem:
        mem.learn("The staging host is called heron.")
    asked = {**given, "hook_event_name": "userPromptSubmit", "prompt": "What is staging called?"}
    told = ran(run["userPromptSubmit"], **asked)
    assert "heron" in told
    assert RULE not in told
    assert ran(run["stop"], **given, hook_event_name="stop") == ""
    assert recorded(home, "k1", 1) == [("user", "What is staging called?")]
    assert json.loads((home / ".kiro/agents/cogmem.json").read_text())["tools"] == ["*"]


def test_vscode_hears_at_the_start_and_at_a_tool_and_no_hook_answers_twice(home: Path) -> None:
    claude = put(home, "claude-code", ".claude/settings.json")
    of_claude = claude["SessionStart"][0]["hooks"][0]["command"]
    given = {"sessionId": "v1", "cwd": str(home / "project"), "timestamp": "2026-02-09T10:30:00Z"}
    start = {**given, "hookEventName": "SessionStart", "source": "new"}
    assert RULE in json.loads(ran(of_claude, **start))["hookSpecificOutput"]["additionalContext"]
    hooks = put(home, "vscode", ".vscode/cogmem-hooks.json")
    run = {event: groups[0]["command"] for event, groups in hooks.items()}
    assert ran(of_claude, **start) == "", "its own answers"
    told = json.loads(ran(run["SessionStart"], **start))["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert RULE in told["additionalContext"]
    asked = {**given, "hookEventName": "UserPromptSubmit", "prompt": "The geese need a pond."}
    assert ran(run["UserPromptSubmit"], **asked) == ""
    acts = {**given, "hookEventName": "PreToolUse", "tool_name": "run_in_terminal"}
    stopped = json.loads(ran(run["PreToolUse"], **acts, tool_input={"command": "make deploy"}))
    assert stopped["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert ran(run["Stop"], **given, hookEventName="Stop", stop_hook_active=False) == ""
    assert ("user", "The geese need a pond.") in recorded(home, "v1", 1)
    settings = json.loads((home / ".config/Code/User/settings.json").read_text())
    assert settings == {"chat.hookFilesLocations": {"~/.vscode/cogmem-hooks.json": True}}
