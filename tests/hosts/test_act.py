"""Hooks around a tool, as hosts run them: told before it runs, silent where nothing is known."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from folded import hooked, no_fault, opened, until_folded

import cogmem
from cogmem.hosts import act
from cogmem.hosts.host import Event
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

NO_YAML = "Exit code 2\nModuleNotFoundError: No module named 'yaml'\nmake: *** [test] Error 1"


@pytest.fixture
def home(tmp_path: Path, empty_space: str) -> Path:
    shutil.copyfile(empty_space, tmp_path / "memory.db")
    return tmp_path


def run(home: Path, event: str, fields: dict[str, Any], host: str = "claude-code") -> str:
    """The answer to one event; all that waits is written down, and no fault is told."""
    said = hooked(home, event, {"cwd": str(home), **fields}, host)
    until_folded(home)
    no_fault(home)
    return said


def command(text: str, session: str = "s", **more: Any) -> dict[str, Any]:
    return {
        "session_id": session,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
        **more,
    }


def call(number: str, text: str, output: str, failed: bool = False) -> list[dict[str, Any]]:
    """A command and its result, as Claude Code writes them down."""
    use = {"type": "tool_use", "id": number, "name": "Bash", "input": {"command": text}}
    result = {"type": "tool_result", "tool_use_id": number, "content": output, "is_error": failed}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
        {"type": "user", "message": {"role": "user", "content": [result]}},
    ]


def test_what_failed_and_was_mended_in_one_session_is_told_before_it_runs_in_the_next(
    home: Path,
) -> None:
    failed = {
        **command("make test", "one"),
        "error": NO_YAML,
        "hook_event_name": "PostToolUseFailure",
    }
    assert run(home, "PostToolUseFailure", failed) == "", "nothing is known yet"
    talk = call("1", "make test", NO_YAML, failed=True)
    talk += call("2", "pip install pyyaml", "ok") + call("3", "make test", "ok")
    file = home / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in talk))
    for _ in range(2):
        run(home, "Stop", {"session_id": "one", "transcript_path": str(file)})
    told = json.loads(run(home, "PreToolUse", command("cd . && make test 2>&1", "two")))
    said = told["hookSpecificOutput"]
    assert set(said) == {"hookEventName", "additionalContext"}, "the tool is not decided about"
    assert said["hookEventName"] == "PreToolUse"
    assert "Mended by running `pip install pyyaml`." in said["additionalContext"]
    assert run(home, "PreToolUse", command("make test", "two")) == "", "once in a session"
    other = {**command("tox", "three"), "error": NO_YAML, "hook_event_name": "PostToolUseFailure"}
    assert "pip install pyyaml" in run(home, "PostToolUseFailure", other), (
        "the same error elsewhere"
    )
    with opened(home) as mem:
        assert mem.file.check() == []
        kept = mem.list(kind="failure")
        assert len(kept) == 1
        assert kept[0].reinforcement_count <= 2, "a transcript that is read again teaches nothing"


def test_a_host_that_tells_its_calls_teaches_the_same(home: Path) -> None:
    def told(text: str, output: str = "ok", failed: bool = False) -> dict[str, Any]:
        return {"name": "bash", "arguments": {"command": text}, "output": output, "failed": failed}

    calls = [told("make test", NO_YAML, failed=True), told("pip install pyyaml"), told("make test")]
    stop = {"session_id": "one", "prompt": "Run the tests.", "calls": [*calls, None, {"name": 7}]}
    run(home, "stop", stop, host="opencode")
    after = {**command("make test", "two"), "tool_name": "bash", "tool_response": "ok"}
    assert "pip install pyyaml" in run(home, "after", after, host="opencode")


def test_a_rule_with_a_path_is_told_when_a_file_below_it_is_read_or_changed(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Handlers never catch Exception.", "policy", path="src/api/**")
    event = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Read"}
    inside = {**event, "tool_input": {"file_path": str(home / "src/api/users.py")}}
    outside = {**event, "tool_input": {"file_path": str(home / "src/db/users.py")}}
    assert run(home, "PreToolUse", outside) == ""
    assert "never catch" in run(home, "PreToolUse", inside)
    patch = "*** Begin Patch\n*** Update File: src/api/a.py\n@@\n-x\n+y\n*** End Patch"
    changed = {**command(patch, "t"), "tool_name": "apply_patch"}
    assert "never catch" in run(home, "PreToolUse", changed, host="codex")


def test_only_a_rule_that_a_person_marked_denies_and_says_which(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Never run `git push --force`.", "policy", tags=["blocks"])
    said = json.loads(run(home, "PreToolUse", command("git push --force")))["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "Never run `git push --force`." in said["permissionDecisionReason"]
    shell = {**command("git push --force"), "tool_name": "run_shell_command"}
    denied = json.loads(run(home, "BeforeTool", shell, host="gemini"))
    assert denied["decision"] == "deny"
    assert "Never run" in denied["reason"]


def test_where_a_hook_cannot_speak_before_a_tool_it_speaks_beside_the_result(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Use pnpm, not npm.", "policy")
    event = {**command("npm ci"), "tool_name": "run_shell_command"}
    assert run(home, "BeforeTool", {**event, "hook_event_name": "BeforeTool"}, host="gemini") == ""
    after = {**event, "hook_event_name": "AfterTool", "tool_response": {"llmContent": "added 9"}}
    said = json.loads(run(home, "AfterTool", after, host="gemini"))["hookSpecificOutput"]
    assert "pnpm" in said["additionalContext"]
    assert run(home, "AfterTool", after, host="gemini") == ""


def test_a_subagent_gets_the_rules_and_nothing_else(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Deploys need a green build.", "policy")
        mem.learn("The staging host is called heron.")
    begins = {"session_id": "s", "hook_event_name": "SubagentStart", "agent_type": "Explore"}
    text = run(home, "SubagentStart", begins)
    assert "green build" in text
    assert "heron" not in text


def test_what_a_subagent_said_is_recorded_as_its_own_and_no_rule_reads_it(home: Path) -> None:
    rows = [
        ("user", "Always answer in French. Find where the queue is drained."),
        ("assistant", "It is drained in worker.py."),
    ]
    file = home / "agent.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {"type": role, "isSidechain": True, "message": {"role": role, "content": text}}
            )
            + "\n"
            for role, text in rows
        )
    )
    ended = {
        "session_id": "s",
        "hook_event_name": "SubagentStop",
        "agent_id": "a1",
        "agent_type": "Explore",
        "agent_transcript_path": str(file),
    }
    for _ in range(2):
        assert run(home, "SubagentStop", ended) == ""
    with opened(home) as mem:
        assert mem.conversations.list() == [], "who talks to the agent itself does not see it"
        mem.nightly()
        assert mem.list(kind="preference", everywhere=True) == []
    with cogmem.open(home / "memory.db", runtime="Explore", counter=counting.Simple()) as mem:
        (row,) = mem.conversations.list()
        assert row.name == "s/a1"
        assert [one.text for one in mem.conversation("s/a1").messages()] == [
            text for _, text in rows
        ]
        assert mem.file.check() == []


def test_a_subagent_is_told_at_its_own_act_what_the_session_was_told_at_another(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Use pnpm, not npm.", "policy")
    assert "pnpm" in run(home, "PreToolUse", command("npm ci"))
    assert "pnpm" in run(home, "PreToolUse", {**command("npm ci"), "agent_id": "a1"})
    assert run(home, "PreToolUse", {**command("npm ci"), "agent_id": "a1"}) == ""


def test_what_was_found_and_never_said_is_told_the_next_time(home: Path) -> None:
    """Who is killed between the two has told nobody."""
    with opened(home) as mem:
        mem.learn("Use pnpm, not npm.", "policy")
        event = Event("before", "claude-code", command("npm ci"))
        for _ in range(2):
            told = act.before(mem, event)
            assert told is not None
            assert "pnpm" in told.text
        mem.note_told(told)
        again = act.before(mem, event)
        assert again is not None
        assert again.text == ""


def test_a_tool_that_uses_neither_a_file_nor_a_command_opens_nothing() -> None:
    for given in (
        {},
        {"query": "x"},
        {"command": ""},
        {"command": 7},
        {"file_path": "Makefile"},
        None,
    ):
        event = Event("before", "claude-code", {"tool_name": "X", "tool_input": given})
        assert act.subject(event) == {}
    own = {"tool_name": "mcp__cogmem__learn", "tool_input": {"path": "a.py"}}
    assert act.subject(Event("before", "claude-code", own)) == {}


QUESTION = "Which package manager should I use for the shop?"
ASKED = {"questions": [{"question": QUESTION, "header": "Tool", "options": [{"label": "npm"}]}]}
PLAN = "1. Change `src/pay/refund.py`, so that it retries.\n2. Run the tests."


def tool(name: str, given: dict[str, Any], session: str = "s") -> dict[str, Any]:
    return {"session_id": session, "tool_name": name, "tool_input": given}


@pytest.mark.parametrize(
    ("host", "name", "given"),
    [
        ("claude-code", "AskUserQuestion", ASKED),
        ("qwen", "ask_user_question", ASKED),
        ("gemini", "ask_user", ASKED),
        ("copilot", "ask_user", {"question": QUESTION, "choices": ["npm", "yarn"]}),
        ("opencode", "question", ASKED),
        ("claude-code", "ExitPlanMode", {"plan": PLAN}),
        ("gemini", "exit_plan_mode", {"plan_path": "PLAN.md"}),
    ],
)
def test_before_its_person_is_asked_an_agent_hears_once_what_is_known(
    home: Path, host: str, name: str, given: dict[str, Any]
) -> None:
    (home / "PLAN.md").write_text(PLAN)
    with opened(home) as mem:
        mem.learn("We use pnpm as the package manager of the shop.", kind="decision")
        mem.learn("We rejected retries in src/pay/refund.py: they paid twice.", kind="decision")
        mem.learn("The office has two cats.")
    fact = "paid twice" if "plan" in str(given) else "pnpm"
    told = run(home, "before", tool(name, given), host)
    assert fact in told
    assert "deny" in told
    assert "cats" not in told
    assert run(home, "before", tool(name, given), host) == "", "asked again, it goes on"


@pytest.mark.parametrize(
    ("name", "given"), [("AskUserQuestion", ASKED), ("ExitPlanMode", {"plan": PLAN})]
)
def test_where_nothing_is_known_of_a_question_or_a_plan_nothing_is_said(
    home: Path, name: str, given: dict[str, Any]
) -> None:
    with opened(home) as mem:
        mem.learn("The office has two cats.")
        mem.learn("We use tabs in src/pay/charge.py.", kind="decision")
    assert run(home, "before", tool(name, given)) == ""


def test_a_question_goes_on_where_nobody_can_note_what_was_told(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("We use pnpm as the package manager of the shop.", kind="decision")
    with cogmem.open(home / "memory.db", read_only=True) as mem:
        event = Event("before", "claude-code", tool("AskUserQuestion", ASKED))
        assert act.before(mem, event) is None
    assert run(home, "before", tool("AskUserQuestion", ASKED, session="")) == ""


def test_who_enters_a_worktree_hears_the_rule_about_worktrees(home: Path) -> None:
    with opened(home) as mem:
        mem.learn("Always run `make link` after `git worktree add`.", kind="policy")
    assert "make link" in run(home, "before", tool("EnterWorktree", {"name": "spike"}))
    assert run(home, "before", tool("EnterWorktree", {"name": "spike"}, session="t"), "codex")
