"""What is learned on a branch is told on that branch, and holds for the project when git says that it was merged.

Modules: branches, head, cli.repository.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from conftest import NOW

import cogmem
from cogmem.cli.app import app
from cogmem.repository import branches
from cogmem.repository.head import branch_at

if TYPE_CHECKING:
    from pathlib import Path

    from checkout import Checkout

    from cogmem import Memory

BEFORE, STAGED = "Uploads are limited to 2 GB.", "Uploads go through the new exporter."
ASKED = "How do uploads work?"


@pytest.fixture
def code(checkout: Checkout, memory: Memory) -> Checkout:
    """A repository whose main knows something, on a branch that has learned something else."""
    checkout.git("branch", "-M", "main")
    checkout.commit("Begin", a_txt="one\n" * 5)
    memory.on_branch(str(checkout.root))
    memory.learn(BEFORE, "decision", now=NOW)
    checkout.git("switch", "-q", "-c", "feature/exporter")
    memory.on_branch(str(checkout.root))
    learned = memory.learn(STAGED, "decision", now=NOW + 1)
    assert "until git says" in learned.notes[0]
    return checkout


def told(mem: Memory, code: Checkout, at: int = 100) -> set[str]:
    """What a turn tells where the working tree stands now."""
    mem.on_branch(str(code.root))
    text = mem.activate(ASKED, now=NOW + at).text
    return {one for one in (BEFORE, STAGED) if one in text}


def standings(mem: Memory, code: Checkout, at: int = 200) -> list[tuple[str, str]]:
    found = mem.repository.branches(str(code.root), now=NOW + at)
    return [(one.name, one.standing) for one in found]


def work(code: Checkout) -> None:
    """Two commits of the branch, and one of main that came meanwhile."""
    code.commit("Add an exporter", b_txt="exporter\n")
    code.commit("Use it", a_txt="one\n" * 5 + "use\n")
    code.git("switch", "-q", "main")
    code.commit("Something else", c_txt="else\n")


def test_what_a_branch_learned_is_told_on_it_and_in_its_worktrees_and_nowhere_else(
    code: Checkout, memory: Memory, tmp_path: Path
) -> None:
    assert told(memory, code) == {BEFORE, STAGED}
    assert standings(memory, code) == [("feature/exporter", "open")]
    code.git("switch", "-q", "main")
    assert told(memory, code) == {BEFORE}
    assert memory.recall("exporter", now=NOW + 101) == []
    code.git("worktree", "add", "-q", str(tmp_path / "beside"), "feature/exporter")
    assert branch_at(str(tmp_path / "beside")) == "branch feature/exporter"
    memory.on_branch(str(tmp_path / "beside"))
    assert STAGED in memory.activate(ASKED, now=NOW + 102).text
    code.git("switch", "-q", "-c", "other")
    assert told(memory, code) == {BEFORE}


@pytest.mark.parametrize("how", ["merge", "fast", "rebase", "cherry-pick", "squash", "gone squash"])
def test_a_branch_that_was_merged_holds_for_the_project(
    code: Checkout, memory: Memory, how: str
) -> None:
    work(code)
    assert standings(memory, code) == [("feature/exporter", "open")]
    if how == "merge":
        code.git("merge", "-q", "--no-ff", "-m", "Merge", "feature/exporter")
    elif how == "fast":
        code.git("reset", "-q", "--hard", "feature/exporter")
    elif how == "rebase":
        code.git("switch", "-q", "feature/exporter")
        code.git("rebase", "-q", "main")
        code.git("switch", "-q", "main")
        code.git("merge", "-q", "feature/exporter")
    elif how == "cherry-pick":
        code.git("cherry-pick", "feature/exporter~1", "feature/exporter")
    else:
        code.git("merge", "-q", "--squash", "feature/exporter")
        code.git("commit", "-q", "-m", "An exporter")
    if how.startswith("gone"):
        code.git("branch", "-q", "-D", "feature/exporter")
    code.commit("Later", d_txt="later\n")
    assert standings(memory, code) == [("feature/exporter", "merged")]
    assert told(memory, code, 300) == {BEFORE, STAGED}
    assert standings(memory, code, 400) == []
    row = memory.list(kind="decision", limit=0)[0]
    assert (row.content, row.session, row.state) == (STAGED, "", "active")
    memory.undo(memory.history.log(uid=row.uid, limit=1)[0].act, now=NOW + 500)
    assert told(memory, code, 600) == {BEFORE}


def test_a_branch_that_is_gone_unmerged_leaves_it_to_review(code: Checkout, memory: Memory) -> None:
    work(code)
    code.git("branch", "-q", "-D", "feature/exporter")
    assert standings(memory, code) == [("feature/exporter", "gone")]
    assert told(memory, code, 300) == {BEFORE}
    (row,) = memory.list(state="candidate")
    assert (row.content, row.session) == (STAGED, "")
    assert (
        memory.history.log(uid=row.uid, limit=1)[0].reason
        == "branch feature/exporter went unmerged"
    )
    memory.keep(row.uid, now=NOW + 400)
    assert told(memory, code, 500) == {BEFORE, STAGED}


def test_a_branch_without_a_commit_of_its_own_is_not_merged(code: Checkout, memory: Memory) -> None:
    assert standings(memory, code) == [("feature/exporter", "open")]
    code.git("switch", "-q", "main")
    code.git("branch", "-q", "-d", "feature/exporter")
    assert standings(memory, code, 300) == [("feature/exporter", "gone")]


def test_a_commit_that_does_nothing_is_not_merged_by_another_that_does_nothing(
    code: Checkout, memory: Memory
) -> None:
    code.git("commit", "-q", "--allow-empty", "-m", "Try again")
    code.git("switch", "-q", "main")
    code.git("commit", "-q", "--allow-empty", "-m", "Once more")
    assert standings(memory, code) == [("feature/exporter", "open")]


def test_a_branch_that_began_in_a_worktree_is_merged_when_its_commits_are(
    code: Checkout, memory: Memory, tmp_path: Path
) -> None:
    beside = str(tmp_path / "beside")
    code.git("switch", "-q", "main")
    code.git("worktree", "add", "-q", "-b", "agent/one", beside)
    memory.on_branch(beside)
    memory.learn("The exporter needs a queue.", "decision", now=NOW + 2)
    assert ("agent/one", "open") in standings(memory, code)
    code.git("-C", beside, "commit", "-q", "--allow-empty", "-m", "Nothing yet")
    assert ("agent/one", "open") in standings(memory, code)
    code.git("merge", "-q", "--no-ff", "-m", "Merge", "agent/one")
    assert ("agent/one", "merged") in standings(memory, code, 300)


def test_what_a_branch_that_is_gone_called_the_same_waits_without_the_name(
    code: Checkout, memory: Memory
) -> None:
    new = memory.learn("The queue is called egret.", key="queue", now=NOW + 2).uid
    memory.on_branch("/")
    old = memory.learn("The queue is called heron.", key="queue", now=NOW + 3).uid
    work(code)
    code.git("branch", "-q", "-D", "feature/exporter")
    standings(memory, code)
    assert memory.get("queue").uid == old
    waits = memory.get(new)
    assert (waits.state, waits.key, waits.session) == ("candidate", "", "")


def test_what_a_branch_calls_the_same_takes_the_name_when_it_is_merged(
    code: Checkout, memory: Memory
) -> None:
    memory.on_branch("/")
    old = memory.learn("The queue is called heron.", key="queue", now=NOW + 2).uid
    memory.on_branch(str(code.root))
    new = memory.learn("The queue is called egret.", key="queue", now=NOW + 3).uid
    assert new != old
    assert memory.get("queue").uid == new
    memory.on_branch("/")
    assert memory.get("queue").uid == old, "main has its own until then"
    work(code)
    code.git("merge", "-q", "feature/exporter")
    assert standings(memory, code) == [("feature/exporter", "merged")]
    assert memory.get("queue").uid == new
    assert memory.get(old).state == "archived"


def test_what_is_said_of_a_person_is_no_branch_s(code: Checkout, memory: Memory) -> None:
    memory.learn("The user likes short answers.", "preference", now=NOW + 2)
    memory.episode("The release failed.", now=NOW + 3)
    code.git("switch", "-q", "main")
    memory.on_branch(str(code.root))
    assert {row.kind for row in memory.list(limit=0)} == {"preference", "episode", "decision"}


def test_a_branch_is_read_from_files_alone(
    code: Checkout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code.commit("On the branch", b_txt="two\n")
    code.git("pack-refs", "--all")
    assert branch_at(str(code.root)) == "branch feature/exporter"
    code.git("switch", "-q", "main")
    code.commit("On main", b_txt="three\n")
    code.git("switch", "-q", "feature/exporter")
    with pytest.raises(subprocess.CalledProcessError):
        code.git("rebase", "-q", "main")
    monkeypatch.setenv("PATH", "")
    assert branch_at(str(code.root)) == "branch feature/exporter", "while it is rebased"
    assert branch_at(str(tmp_path)) == ""
    head = code.root / ".git" / "refs" / "remotes" / "origin"
    head.mkdir(parents=True)
    (head / "HEAD").write_text("ref: refs/remotes/origin/feature/exporter\n")
    assert branch_at(str(code.root)) == "", "what others start from is no branch"


def test_two_that_ask_git_at_once_let_it_out_once(
    code: Checkout, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(code)
    code.git("merge", "-q", "feature/exporter")
    asked = branches._standing

    def meanwhile(*words: object) -> str:
        monkeypatch.setattr(branches, "_standing", asked)
        with cogmem.open(memory.place, documents=code.root) as other:
            assert standings(other, code) == [("feature/exporter", "merged")]
        return asked(*words)

    monkeypatch.setattr(branches, "_standing", meanwhile)
    assert standings(memory, code) == [("feature/exporter", "merged")]
    assert told(memory, code) == {BEFORE, STAGED}


def test_the_commands_stage_and_settle(
    code: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(code.root)
    path = str(tmp_path / "other.db")

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, ["--db", path, *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    run("learn", STAGED, "--kind", "decision", "--project", ".")
    assert STAGED in run("activate", ASKED)
    assert "open" in run("git", "branches")
    work(code)
    assert STAGED not in run("activate", ASKED)
    with cogmem.open(path, documents=str(code.root)) as mem:
        assert mem.behind(str(code.root)) == "branches"
    code.git("merge", "-q", "feature/exporter")
    (one,) = json.loads(run("git", "branches", "--json"))
    assert (one["name"], one["standing"]) == ("feature/exporter", "merged")
    assert STAGED in run("activate", ASKED)
