"""What branches learned is told where it holds, whatever real git does: merge, squash, rebase, cherry-pick, delete.

Modules: branches.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from checkout import Checkout
from conftest import NOW, examples
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, rule

import cogmem
from cogmem.scope import project_of
from cogmem.tokens import counting

TRUNK = "main"
WAYS = st.sampled_from(["merge", "squash", "rebase", "cherry-pick"])


class Branches(RuleBasedStateMachine):
    """A repository and a memory, beside what each branch did and what was learned on it."""

    names = Bundle("names")

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.code = Checkout(self.folder / "code")
        self.code.commit("Begin")
        project = project_of(str(self.code.root)).id
        self.mem = cogmem.open(self.folder / "m.db", project=project, counter=counting.Simple())
        self.steps = 0
        self.ahead: dict[str, bool] = {}  # by branch: whether it has commits that main has not
        self.worked: set[str] = set()  # branches that have commits of their own
        self.waits: dict[str, set[str]] = {}  # by branch: what was learned on it and is not settled
        self.holds: set[str] = set()  # what holds for the project

    def next(self) -> int:
        self.steps += 1
        return NOW + self.steps * 60_000

    def on(self, name: str) -> None:
        """Stand on a branch, in its worktree if it has one."""
        beside = self.folder / name
        if not beside.exists():
            self.code.git("switch", "-q", name)
        self.mem.on_branch(str(beside if beside.exists() else self.code.root))

    def commit(self, name: str) -> None:
        self.steps += 1
        at = self.folder / name if (self.folder / name).exists() else self.code.root
        (at / f"{name}{self.steps}.txt").write_text(f"line of {self.steps}\n" * 3, "utf-8")
        self.code.git("-C", str(at), "add", "--all")
        self.code.git("-C", str(at), "commit", "-q", "-m", f"Step {self.steps}")

    @rule(target=names, has_worktree=st.booleans())
    def branch(self, has_worktree: bool) -> str:
        self.steps += 1
        name = f"b{self.steps}"
        if has_worktree:
            self.code.git("worktree", "add", "-q", "-b", name, str(self.folder / name), TRUNK)
        else:
            self.code.git("switch", "-q", "-c", name, TRUNK)
        self.ahead[name] = False
        return name

    @rule(name=names)
    def work(self, name: str) -> None:
        self.on(name)
        self.commit(name)
        self.ahead[name] = True
        self.worked.add(name)

    @rule()
    def work_on_main(self) -> None:
        self.on(TRUNK)
        self.commit(TRUNK)

    @rule(name=st.one_of(names, st.just(TRUNK)))
    def learn(self, name: str) -> None:
        text = f"Queue q{self.next()} belongs to part{self.steps}."
        self.on(name)
        self.mem.learn(text, "decision", now=self.next())
        if name == TRUNK:
            self.holds.add(text)
        else:
            self.waits.setdefault(name, set()).add(text)

    @rule(name=consumes(names), way=WAYS, is_deleted=st.booleans())
    def land(self, name: str, way: str, is_deleted: bool) -> None:
        """All that a branch did comes to main, and the branch goes or stays."""
        git, beside = self.code.git, self.folder / name
        if way == "rebase":
            self.on(name)
            git("-C", str(beside if beside.exists() else self.code.root), "rebase", "-q", TRUNK)
        git("switch", "-q", TRUNK)
        if self.ahead[name]:
            if way == "cherry-pick":
                git("cherry-pick", f"{TRUNK}..{name}")
            elif way == "squash":
                git("merge", "-q", "--squash", name)
                git("commit", "-q", "-m", f"All of {name}")
            else:
                git("merge", "-q", *(["--no-ff", "-m", "Merge"] if way == "merge" else []), name)
        self.ahead[name] = False
        if is_deleted:
            if (self.folder / name).exists():
                self.settle()  # what its worktree's log says goes with it
            self.delete(name)

    @rule(name=consumes(names))
    def drop(self, name: str) -> None:
        """A branch is deleted, whatever it did."""
        self.delete(name)

    def delete(self, name: str) -> None:
        if (self.folder / name).exists():
            self.code.git("worktree", "remove", str(self.folder / name))
        self.code.git("switch", "-q", TRUNK)
        self.code.git("branch", "-q", "-D", name)

    @rule()
    def settle(self) -> None:
        """Git is asked; what it says is what was done."""
        self.on(TRUNK)
        found = self.mem.repository.branches(str(self.code.root), now=self.next())
        there = self.code.git("branch", "--format=%(refname:short)").split()
        for one in found:
            is_merged = one.name in self.worked and not self.ahead[one.name]
            wanted = "merged" if is_merged else "open" if one.name in there else "gone"
            assert (one.name, one.standing) == (one.name, wanted)
            said = self.waits[one.name]
            if wanted != "open":
                del self.waits[one.name]
            if wanted == "merged":
                self.holds |= said
        assert {one.name for one in found if one.standing == "open"} == set(self.waits)

    @rule(name=st.one_of(names, st.just(TRUNK)))
    def listed(self, name: str) -> None:
        """A branch is told its own and what holds for the project, and nothing of another."""
        self.on(name)
        told = {row.content for row in self.mem.list(limit=0, state="active")}
        assert told == self.holds | self.waits.get(name, set())

    def teardown(self) -> None:
        if hasattr(self, "mem"):
            self.settle()
            self.listed(TRUNK)
            assert self.mem.file.check() == []
            self.mem.close()
            shutil.rmtree(self.folder)


TestBranches = Branches.TestCase
TestBranches.settings = settings(
    max_examples=examples(20), stateful_step_count=examples(40), deadline=None
)
