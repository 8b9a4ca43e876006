"""Claude Code itself, offline, against a model on the loopback address."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from real_host import CURE, HERON, NEVER, RULE, Host, grows, learned, needs_hosts, told

import cogmem
from cogmem.hosts import install
from cogmem.hosts.trial import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, needs_hosts]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with serving() as model:
        yield Host(
            "claude",
            tmp_path,
            model,
            ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_API_KEY="sk-ant-no-key",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            DISABLE_TELEMETRY="1",
        )


def test_what_claude_code_heard_in_one_session_is_in_the_request_of_the_next(claude: Host) -> None:
    install.install("claude-code", str(claude.database))
    with cogmem.open(claude.database) as mem:
        mem.learn(RULE, kind="policy")
    first = claude.say("-p", f"{NEVER} {HERON}")[-1]
    assert RULE in told(first["messages"])
    assert "mcp__cogmem__recall" in told(first), "the tools are there when the first turn begins"
    second = claude.say("-p", "What is the staging host called?")[-1]
    assert "heron" in told(second["messages"]), "what was said in the first session"
    assert "deploy on Fridays" in told(second["messages"]), "what a rule captured in it"
    third = claude.say("-p", "--continue", "And when do we deploy?")[-1]
    assert grows(second["messages"], third["messages"])
    claude.say("-p", "--continue", "/compact", answer="")
    fourth = claude.say("-p", "--continue", "Go on.")[-1]
    assert not grows(third["messages"], fourth["messages"]), "it compacted"
    assert RULE in told(fourth["messages"])
    assert sorted(map(len, claude.recorded())) == [2, 6]


def test_claude_code_with_the_plugin_remembers_too(claude: Host, tmp_path: Path) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "cogmem").symlink_to(Path(sys.executable).parent / "cogmem")
    claude.environment["PATH"] = f"{commands}:{claude.environment['PATH']}"
    claude.environment["COGMEM_DB"] = str(claude.database)
    with cogmem.open(claude.database) as mem:
        mem.learn(RULE, kind="policy")
    plugin = ("--plugin-dir", str(ROOT / "integrations" / "claude-code"))
    first = claude.say(*plugin, "-p", HERON)[-1]
    assert RULE in told(first["messages"])
    second = claude.say(*plugin, "-p", "What is the staging host called?")[-1]
    assert "heron" in told(second["messages"])
    assert sorted(map(len, claude.recorded())) == [2, 2]


def test_claude_code_finds_no_fault_with_the_plugin(claude: Host) -> None:
    for folder in (ROOT / "integrations" / "claude-code", ROOT):
        done = subprocess.run(
            [claude.path, "plugin", "validate", "--strict", str(folder)],
            env=claude.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=claude.project,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_claude_code_hears_how_a_command_failed_before_it_runs_again(claude: Host) -> None:
    install.install("claude-code", str(claude.database))
    learned(claude, "make test")
    claude.model.calls = [("Bash", {"command": "make test", "description": "test"})]
    asked = claude.say("-p", "Run the tests.", "--allowedTools", "Bash")
    assert CURE in told(asked[-1]["messages"])
    claude.model.calls = [("Bash", {"command": "make lint", "description": "lint"})]
    asked = claude.say("-p", "Lint it.", "--allowedTools", "Bash")
    assert CURE not in told(asked[-1]["messages"])
    assert len(claude.recorded()) == 2


def test_claude_code_hears_of_every_failing_command_and_of_no_other(claude: Host) -> None:
    """A hundred commands that failed once and a hundred that did not, in sessions of twenty."""
    install.install("claude-code", str(claude.database))
    words = (
        *(
            "adder",
            "badger",
            "condor",
            "dingo",
            "egret",
            "falcon",
            "gecko",
            "heron",
            "ibis",
            "jackal",
        ),
        *(
            "kestrel",
            "lemur",
            "marten",
            "newt",
            "otter",
            "puffin",
            "quail",
            "raven",
            "stoat",
            "tapir",
        ),
    )
    tasks = ("build", "deploy", "migrate", "package", "release")
    failing = [f"make {task}-{word}" for task in tasks for word in words]
    others = [f"ls {task}-{word}.txt" for task in tasks for word in reversed(words)]
    cure = "Mended by running `./mend --step {}`."
    learned(claude, *failing, cure=cure)
    heard, loud = 0, 0
    for first in range(0, 100, 10):
        ours, theirs = failing[first : first + 10], others[first : first + 10]
        pairs = [command for pair in zip(ours, theirs, strict=True) for command in pair]
        claude.model.calls = [("Bash", {"command": one, "description": "run"}) for one in pairs]
        last = claude.say("-p", "Go through them.", "--allowedTools", "Bash", "--max-turns", "40")[
            -1
        ]
        text = told(last["messages"])
        heard += sum(cure.format(number) in text for number in range(first, first + 10))
        loud += text.count("./mend --step") - 10
    assert heard == 100
    assert loud <= 5
