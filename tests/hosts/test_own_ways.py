"""What one host alone does, offline: how it compacts, what its plugin brings, when Claude Code asks its person.

Modules: act, claude_code, gemini, opencode, pi.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from real_host import HERON, RULE, Host, goes_on, home_of, learned, needs_hosts, told, turns_of

import cogmem
from cogmem.hosts import install

if TYPE_CHECKING:
    from collections.abc import Callable

    At = Callable[[str], Host]

pytestmark = [pytest.mark.slow, needs_hosts]
ROOT = Path(__file__).resolve().parents[2]
ASKED = "What is the staging host called?"


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> At:
    """A host at home, by its name; at(name)."""

    def opened(name: str) -> Host:
        home = home_of(name, tmp_path, monkeypatch)
        host = home.__enter__()
        request.addfinalizer(partial(home.__exit__, None, None, None))
        return host

    return opened


def has_program(host: Host, folder: Path) -> None:
    """Take cogmem out of the host, and put its program where a plugin finds it."""
    install.uninstall(host.name)
    folder.mkdir()
    (folder / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    host.environment["PATH"] = f"{folder}:{host.environment['PATH']}"
    host.environment["COGMEM_DB"] = str(host.database)


# -- what a host compacted has the stable text again -------------------------------------------------


def test_after_claude_code_compacted_the_stable_text_comes_again(at: At) -> None:
    claude = at("claude-code")
    first = claude.ask(HERON)[-1]
    assert "mcp__cogmem__recall" in told(first), "the tools are there when the first turn begins"
    claude.say("-p", "--continue", "/compact", answer="")
    second = claude.go_on("Go on.")[-1]
    assert not goes_on(first, second), "it compacted"
    assert RULE in told(second["messages"])


def test_after_codex_compacted_the_stable_text_comes_again(at: At) -> None:
    codex = at("codex")
    settings = codex.home / ".codex/config.toml"
    settings.write_text(f"model_auto_compact_token_limit = 100000\n{settings.read_text()}")
    codex.model.tokens = 150_000
    (first,) = codex.ask(HERON)
    assert "mcp__cogmem" in told(first["tools"]), "the tools are there when the first turn begins"
    asked = codex.go_on("Go on.")
    assert len(asked) > 1, "it asked for a summary first"
    assert not goes_on(first, asked[-1])
    assert RULE in told(asked[-1])
    (last,) = codex.go_on(ASKED)
    assert goes_on(asked[-1], last)
    assert "heron" in told(last["input"][-1]), "what the summary lost, memory has"
    assert sorted(map(len, codex.recorded())) == [6], "the summary that it asked for is no talk"


def test_after_opencode_compacted_memory_has_what_the_summary_lost(at: At) -> None:
    opencode = at("opencode")
    opencode.ask(HERON)
    opencode.model.tokens = 199_000  # of its window of 200,000
    assert len(opencode.go_on("Go on.")) > 1, "its window was full, so it compacted"
    (after,) = opencode.go_on(ASKED)
    assert RULE in told([m for m in after["messages"] if m["role"] == "system"])
    assert "heron" in told(after["messages"][-1])
    assert sorted(map(len, opencode.recorded())) == [6]
    # Its own files hold one answer more: the one to itself, after it compacted.
    assert sorted(map(len, opencode.kept())) == [7]


def test_after_gemini_compressed_its_prompt_the_stable_text_comes_again(at: At) -> None:
    gemini = at("gemini")
    settings = json.loads((gemini.home / ".gemini/settings.json").read_text())
    settings["model"] = {"name": "gemini-2.5-flash", "compressionThreshold": 0.004}
    gemini.write(".gemini/settings.json", settings)
    gemini.ask(HERON)
    gemini.ask(f"Tell me a story. {'word salad ' * 2_500}")
    asked = gemini.go_on("Go on.")
    assert len(asked) > 1, "it asked for a summary first"
    assert "word salad" not in told(asked[-1])
    assert RULE not in told(asked[-1]), "nobody told the hook in time"
    (after,) = gemini.go_on(ASKED)
    assert RULE in told(after["contents"][-1])
    assert "heron" in told(after["contents"][-1]), "what the summary lost, memory has"
    assert sorted(map(len, gemini.recorded())) == [2, 6], "the record lost nothing"


def test_what_a_model_tells_a_sub_agent_is_not_recorded_as_said_by_a_person(at: At) -> None:
    opencode = at("opencode")
    order = {
        "description": "look",
        "prompt": "Never touch the vendored parser.",
        "subagent_type": "general",
    }
    opencode.model.calls.append(("task", order))
    asked = opencode.ask("Have somebody look at the parser.")
    assert len(asked) == 3, "the order, the sub-agent at work, its report"
    assert RULE in told(asked[1]), "a sub-agent knows the rules too"
    assert [len(talk) for talk in opencode.recorded()] == [2]
    with cogmem.open(opencode.database) as mem:
        assert not [row for row in mem.list(everywhere=True) if "vendored" in row.content]


# -- plugins -----------------------------------------------------------------------------------------


def test_claude_code_with_the_plugin_remembers_too(at: At, tmp_path: Path) -> None:
    claude = at("claude-code")
    has_program(claude, tmp_path / "bin")
    plugin = ("--plugin-dir", str(ROOT / "integrations" / "claude-code"))
    assert RULE in told(claude.ask(HERON, *plugin)[-1]["messages"])
    assert "heron" in told(claude.ask(ASKED, *plugin)[-1]["messages"])
    assert sorted(map(len, claude.recorded())) == [2, 2]
    for folder in (ROOT / "integrations" / "claude-code", ROOT):
        claude.say("plugin", "validate", "--strict", str(folder), answer="passed")


def test_copilot_installs_the_shared_plugin_from_the_marketplace(at: At, tmp_path: Path) -> None:
    copilot = at("copilot")
    has_program(copilot, tmp_path / "bin")
    copilot.say("plugin", "marketplace", "add", str(ROOT), answer="added")
    copilot.say("plugin", "install", "cogmem@cogmem", answer="Installed 1 skill")
    assert "cogmem-recall" in told(copilot.ask("Hello.")[-1]["tools"])


def test_gemini_with_the_extension_remembers_too(at: At, tmp_path: Path) -> None:
    gemini = at("gemini")
    has_program(gemini, tmp_path / "bin")
    folder = str(ROOT / "integrations" / "gemini")
    gemini.say("extensions", "validate", folder, answer="validated")
    gemini.say("extensions", "link", "--consent", folder, answer="enabled")
    assert RULE in told(gemini.ask(HERON))
    assert "heron" in told(gemini.ask(ASKED))
    assert sorted(map(len, gemini.recorded())) == [2, 2]


# -- Claude Code before its tools ----------------------------------------------------------------------

ASKS = ("--permission-prompt-tool", "stdio")  # as if a person were there
OPTIONS = [
    {"label": "npm", "description": "It comes with node."},
    {"label": "pnpm", "description": "It is quick."},
]
QUESTION = {"question": "Which package manager for the web client?", "header": "Packages"}


def answers(asked: list[dict[str, Any]]) -> str:
    """What came in answer to the tools of one prompt."""
    return told(turns_of(asked[-1])[len(turns_of(asked[0])) :])


def test_before_it_asks_its_person_it_hears_what_is_known(at: At) -> None:
    claude = at("claude-code")
    claude.learn(
        "The web client uses the package manager pnpm: npm broke its lockfile.", "decision"
    )
    question = {"questions": [{**QUESTION, "multiSelect": False, "options": OPTIONS}]}
    claude.model.calls = [("AskUserQuestion", question)]
    assert "broke its lockfile" in answers(claude.ask("Go on.", *ASKS))


def test_before_it_shows_a_plan_it_hears_what_was_rejected_there(at: At) -> None:
    claude = at("claude-code")
    claude.learn("We rejected retries in billing.py: customers paid twice.", "decision")
    asked = claude.ask("Plan the work.", *ASKS, "--permission-mode", "plan")
    place = re.search(r"/[^\s\"]+/plans/[\w-]+\.md", told(asked))
    assert place, "it says where the plan shall lie"
    plan = {"file_path": place[0], "content": "1. Retry in billing.py. 2. Run the tests."}
    claude.model.calls = [("Write", plan), ("ExitPlanMode", {})]
    shown = claude.go_on("Show it.", *ASKS, "--permission-mode", "plan")
    assert "paid twice" in answers(shown)


def test_who_goes_into_a_worktree_hears_the_rule_about_worktrees(at: At) -> None:
    claude = at("claude-code")
    name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    words = ("git", *name, "commit", "--quiet", "--allow-empty", "-m", "begin")
    subprocess.run(words, cwd=claude.project, check=True)
    claude.learn("Always run `make links` after `git worktree add`.")
    claude.model.calls = [("EnterWorktree", {"name": "billing"})]
    assert "make links" in answers(claude.ask("Go on."))


def test_claude_code_hears_of_every_failing_command_and_of_no_other(at: At) -> None:
    """Fifty commands that failed once and fifty that did not, ten of each in a session."""
    claude = at("claude-code")
    animals = "adder badger condor dingo egret falcon gecko heron ibis jackal".split()
    tasks = ("build", "deploy", "migrate", "package", "release")
    failing = [f"make {task}-{animal}" for task in tasks for animal in animals]
    others = [f"ls {task}-{animal}.txt" for task in tasks for animal in reversed(animals)]
    cure = "Mended by running `./mend --step {}`."
    learned(claude, *failing, cure=cure)
    heard, loud = 0, 0
    for first in range(0, len(failing), 10):
        ours, theirs = failing[first : first + 10], others[first : first + 10]
        pairs = [command for pair in zip(ours, theirs, strict=True) for command in pair]
        claude.model.calls = [("Bash", {"command": one, "description": "run"}) for one in pairs]
        last = claude.ask("Go through them.", "--allowedTools=Bash", "--max-turns", "40")[-1]
        text = told(last["messages"])
        heard += sum(cure.format(number) in text for number in range(first, first + 10))
        loud += text.count("./mend --step") - 10
    assert heard == len(failing)
    assert loud <= 5
