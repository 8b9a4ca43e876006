"""Claude Code itself at the moments that memory waits for: the act that was meant, the branch that learned a rule."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from real_host import Host, home_of, needs_hosts, told, turns_of

import cogmem
from cogmem.hosts import hooks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]
LOCK, STAGED = "check the lock of the pipeline", "Uploads go through the new exporter."


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with home_of("claude-code", tmp_path, monkeypatch) as found:
        yield found


def runs(host: Host, command: str) -> str:
    """What the model is told in a session in which it runs a command."""
    host.model.calls = [("Bash", {"command": command, "description": "run"})]
    return told(host.ask("Run it.", "--allowedTools=Bash")[-1])


def test_what_was_meant_for_a_command_is_told_as_it_runs_and_once(host: Host) -> None:
    host.write("project/Makefile", "deploy test:\n\t@true\n")
    host.ask(f"Remind me to {LOCK} when you run `make deploy`.")
    assert "Intended on" not in runs(host, "make test")
    assert f"now is the moment: {LOCK}" in runs(host, "make deploy")
    assert "Intended on" not in runs(host, "make deploy")
    with cogmem.open(host.database, project=hooks.project(str(host.project))) as mem:
        (meant,) = mem.intentions.list()
        assert (meant.content, meant.when) == (LOCK, ["command:make deploy"])
        assert meant.told_at is not None, "it waits for a word that it is done"


def test_a_rule_of_a_branch_is_told_on_it_and_on_main_when_it_is_merged(host: Host) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
        subprocess.run(["git", *who, *words], cwd=host.project, check=True, capture_output=True)

    def memory() -> cogmem.Memory:
        return cogmem.open(host.database, project=hooks.project(str(host.project)))

    def knows() -> bool:
        return STAGED in told(turns_of(host.ask("How do uploads go?")[-1]))

    git("switch", "-q", "-c", "main")
    git("commit", "-q", "--allow-empty", "-m", "Begin")
    git("switch", "-q", "-c", "exporter")
    with memory() as mem:
        mem.on_branch(str(host.project))
        mem.learn(STAGED, "policy")
    git("commit", "-q", "--allow-empty", "-m", "Export")
    assert knows()
    git("switch", "-q", "main")
    assert not knows()
    git("merge", "-q", "--no-ff", "-m", "Merge", "exporter")
    knows()  # beside a session that begins another process asks git what was merged
    patience = time.monotonic() + 30
    with memory() as mem:
        while mem.list(kind="policy", limit=0)[0].content != STAGED:
            assert time.monotonic() < patience, "nobody asked git"
            time.sleep(0.1)
    assert knows()
