"""What is intended is told once by whoever knows of it, whatever two machines do, undo and hand to each other."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from conftest import DAY, NOW, examples
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

import cogmem
from cogmem.tokens import counting

MOMENTS = {
    "path:src/**": {"file": "src/a.py"},
    "command:make deploy": {"command": "make deploy"},
    "event:release": {"command": "git tag v1"},
    "words:exporter": {"prompt": "the exporter"},
}
OTHERS = ({"file": "docs/a.md"}, {"command": "make test"}, {"prompt": "hello"})
MACHINES = st.sampled_from([0, 1])


class Apart(RuleBasedStateMachine):
    """Two machines beside what each of them must know."""

    meant = Bundle("meant")

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.now = NOW
        self.acts = 0
        self.mems = [self.open(number) for number in (0, 1)]
        # By machine: what it knows of, and of these what it knows to have been told.
        self.known: list[dict[str, str]] = [{}, {}]
        self.told: list[set[str]] = [set(), set()]
        self.closed: set[str] = set()

    def open(self, number: int) -> cogmem.Memory:
        path = str(Path(self.folder) / f"{number}.db")
        return cogmem.open(path, user="ann", actor=f"m{number}", counter=counting.Simple())

    def later(self) -> int:
        self.now += 60_000
        return self.now

    @rule(target=meant, at=MACHINES, when=st.sampled_from(list(MOMENTS)))
    def add(self, at: int, when: str) -> tuple[str, str]:
        self.acts += 1
        done = self.mems[at].intentions.add(f"Do thing {self.acts}", when, now=self.later())
        self.known[at][done.uid] = when
        return done.uid, done.act

    @rule(at=MACHINES, doing=st.sampled_from([*MOMENTS.values(), *OTHERS]), is_killed=st.booleans())
    def do(self, at: int, doing: dict[str, str], is_killed: bool) -> None:
        """Everything that waits for this moment is told, and nothing else; who is killed first tells it again."""
        self.acts += 1
        mem, session = self.mems[at], f"s{self.acts}"
        if "prompt" in doing:
            is_killed = False
            text = mem.activate(doing["prompt"], session=session, now=self.later()).volatile
        else:
            told = mem.at_act(**doing, session=session, notes=not is_killed, now=self.later())  # type: ignore[arg-type]
            text = told.text
        waiting = [one for one, when in self.known[at].items() if MOMENTS[when] == doing]
        due = [one for one in waiting if one not in self.told[at]]
        came = [one for one in self.known[at] if one in text]
        assert set(came) <= set(due), "nothing comes early, and nothing twice"
        assert bool(came) == bool(due), "nothing comes late"
        if not is_killed:
            self.told[at].update(came)

    @rule()
    def meet(self) -> None:
        self.mems[0].sync.exchange(self.mems[1].path, now=self.later())
        known = {**self.known[0], **self.known[1]}
        known = {one: when for one, when in known.items() if one not in self.closed}
        self.known = [dict(known) for _ in self.mems]
        self.told = [self.told[0] | self.told[1] for _ in self.mems]

    @rule(one=consumes(meant), at=MACHINES, is_undone=st.booleans())
    def close(self, one: tuple[str, str], at: int, is_undone: bool) -> None:
        """It is done, or taken back, where it is known."""
        uid, act = one
        if uid not in self.known[at]:
            return
        if is_undone and uid not in self.told[at]:
            self.mems[at].undo(act, now=self.later())
        else:
            self.mems[at].intentions.done(uid, now=self.later())
        self.closed.add(uid)
        del self.known[at][uid]

    @rule(at=MACHINES)
    def restart(self, at: int) -> None:
        self.mems[at].close()
        self.mems[at] = self.open(at)

    @rule(at=MACHINES, days=st.integers(1, 40))
    def sleep(self, at: int, days: int) -> None:
        self.now += days * DAY
        self.mems[at].nightly(now=self.now)

    @invariant()
    def what_is_listed_is_what_is_known(self) -> None:
        for number, mem in enumerate(getattr(self, "mems", [])):
            listed = {one.uid: one.told_at is not None for one in mem.intentions.list(limit=0)}
            known = self.known[number]
            assert listed == {one: one in self.told[number] for one in known}

    def teardown(self) -> None:
        for mem in getattr(self, "mems", []):
            mem.close()
        shutil.rmtree(getattr(self, "folder", ""), ignore_errors=True)


TestApart = Apart.TestCase
TestApart.settings = settings(
    max_examples=examples(20), stateful_step_count=examples(45), deadline=None
)
