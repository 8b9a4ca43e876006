"""The whole library against a model of thirty lines: any order of doings leaves what it should.

Hypothesis draws sequences of what people and agents do with a memory. The model knows texts, states,
owners and messages; after each step the file must say the same, and at the end it must be sound.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, EVERYTHING, NOW, SHARE
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

import cogmem
from cogmem.errors import CogmemError, UnknownMemory
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator

# Nothing in one of these says what another says, and each has a word of its own.
TEXTS = {
    "heron": "A heron wades through the shallow pond at noon",
    "invoice": "Every invoice is archived in the green cabinet",
    "kernel": "The kernel upgrade broke suspend on laptops",
    "violin": "Mara practises violin before breakfast",
    "glacier": "Our glacier expedition leaves from Tromsø in March",
    "yeast": "Fresh yeast keeps two weeks when chilled",
    "quorum": "Votes need a quorum of seven members",
    "turbine": "Wind turbine four squeaks during storms",
}
EDITS = {word: f"{text}, as the {word} log says" for word, text in TEXTS.items()}
USERS = ("", "ann", "bob")
words = st.sampled_from(sorted(TEXTS))
users = st.sampled_from(USERS)
BUDGET = 120


class Remembering(RuleBasedStateMachine):
    """A memory, and what it should hold."""

    uids = Bundle("uids")

    @initialize(driver=st.sampled_from(["apsw", "sqlite3"]))
    def begin(self, driver: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="cogmem-machine-")
        self.path = os.path.join(self.folder, "memory.db")
        self.driver = driver
        self.now = NOW
        self.rows: dict[str, dict[str, str]] = {}
        self.said: list[str] = []
        self.acts: list[tuple[str, dict[str, dict[str, str]]]] = []
        self.copies = self.moves = 0
        self.mem = self.opened(self.path)

    def opened(self, path: str) -> cogmem.Memory:
        return cogmem.open(path, driver=self.driver, counter=counting.Simple(), actor="machine")

    def tick(self, ms: int = 1_000) -> int:
        self.now += ms
        return self.now

    def did(self, act: str, before: dict[str, dict[str, str]]) -> None:
        if act:
            self.acts.append((act, before))

    def held(self, word: str, user: str) -> str | None:
        """The uid of the active memory that says this for this owner, if there is one."""
        for uid, row in self.rows.items():
            if row["text"] == TEXTS[word] and row["user"] == user and row["state"] == "active":
                return uid
        return None

    def is_edited(self, word: str, user: str) -> bool:
        """Whether an active memory of this owner says it in edited words."""
        edited = (EDITS[word], user, "active")
        return any((row["text"], row["user"], row["state"]) == edited for row in self.rows.values())

    @contextmanager
    def owner_of(self, uid: str) -> Iterator[cogmem.Memory]:
        """The memory as its owner sees it; nobody else can so much as name what is theirs."""
        user = self.rows[uid]["user"]
        if user:
            with pytest.raises(UnknownMemory):
                self.mem.get(uid, now=self.now)
        self.mem.scope = self.mem.scope.replacing(user=user)
        try:
            yield self.mem
        finally:
            self.mem.scope = self.mem.scope.replacing(user="")

    def summaries(self) -> set[str]:
        """What a night told of the talk, which is everyone's."""
        return {
            uid
            for (uid,) in self.mem.db.ask("select uid from memory where kind = 'session_summary'")
        }

    def visible(self, user: str) -> set[str]:
        return {uid for uid, row in self.rows.items() if row["user"] in ("", user)}

    # -- writing ---------------------------------------------------------------------------------

    @rule(target=uids, word=words, user=users)
    def learn(self, word: str, user: str) -> Any:
        if self.is_edited(word, user):  # the two say nearly the same: learning may merge them
            return multiple()
        before = deepcopy(self.rows)
        known = self.held(word, user)
        learned = self.mem.learn(TEXTS[word], user=user, now=self.tick())
        if known is not None:
            assert (learned.outcome, learned.uid) == ("reinforced", known)
        else:
            assert learned.outcome == "inserted"
            assert learned.uid not in self.rows
            self.rows[learned.uid] = {
                "text": TEXTS[word],
                "word": word,
                "user": user,
                "state": "active",
            }
        self.did(learned.act, before)
        return learned.uid

    @rule(uid=uids)
    def edit(self, uid: str) -> None:
        row = self.rows.get(uid)
        if row is None or row["state"] != "active":
            return
        before = deepcopy(self.rows)
        with self.owner_of(uid) as mem:
            mem.update(uid, content=EDITS[row["word"]], now=self.tick())
            latest = mem.history.log(limit=1, uid=uid)[0].act
        row["text"] = EDITS[row["word"]]
        if before != self.rows:
            self.did(latest, before)

    @rule(uid=uids, to=st.sampled_from(["remove", "archive", "restore"]))
    def move(self, uid: str, to: str) -> None:
        row = self.rows.get(uid)
        state = {"remove": "deleted", "archive": "archived", "restore": "active"}[to]
        if row is None or row["state"] == state:
            return
        if to == "archive" and row["state"] == "deleted":
            return
        before = deepcopy(self.rows)
        with self.owner_of(uid) as mem:
            act = getattr(mem, to)(uid, now=self.tick())
        row["state"] = state
        self.did(act, before)

    @rule(uid=consumes(uids))
    def forget(self, uid: str) -> None:
        if uid not in self.rows:
            with pytest.raises(UnknownMemory):
                self.mem.get(uid, now=self.now)
            return
        with self.owner_of(uid) as mem:
            receipt = mem.forget(uid, now=self.tick())
        assert uid in receipt.uids
        word = self.rows[uid]["word"]
        for gone in receipt.uids:  # what says the same to the letter may go with it
            assert self.rows.pop(gone)["word"] == word
        for place, message in enumerate(self.mem.conversation("talk").messages()):
            if message.told() == "[forgotten]" and any(
                text in self.said[place] for text in (TEXTS[word], EDITS[word])
            ):
                self.said[place] = (
                    "[forgotten]"  # the words that bore it out go too, in their place
                )
        self.acts.clear()  # what was forgotten cannot be brought back by undoing around it

    @precondition(lambda self: self.acts)
    @rule()
    def undo(self) -> None:
        act, before = self.acts.pop()
        self.mem.undo(act, everywhere=True, now=self.tick())
        self.rows = before

    @rule(word=words)
    def say(self, word: str) -> None:
        text = f"Is it so that {TEXTS[word]}?"  # a question is not a statement: nothing is learned of it
        self.mem.conversation("talk").append("user", text, at=self.tick())
        self.said.append(text)

    @rule(word=words)
    def refuse(self, word: str) -> None:
        """What is refused changes nothing."""
        for doing in (
            lambda: self.mem.learn("", now=self.now),
            lambda: self.mem.learn(f"Nobody says {word} here", state="odd", now=self.now),
            lambda: self.mem.procedure("p", [], now=self.now),
            lambda: self.mem.undo("act_of_nobody", now=self.now),
            lambda: self.mem.file.import_(['{"content": 7}'], now=self.now),
        ):
            with pytest.raises(CogmemError):
                doing()

    # -- reading ---------------------------------------------------------------------------------

    @rule(word=words, user=users)
    def recall(self, word: str, user: str) -> None:
        found = {
            one.uid
            for one in self.mem.recall(word, user=user, limit=50, messages=False, now=self.tick())
        } - self.summaries()
        mine = {
            uid
            for uid in self.visible(user)
            if self.rows[uid]["word"] == word and self.rows[uid]["state"] == "active"
        }
        assert mine <= found, "what is visible and says the word is found"
        assert found <= self.visible(user), "nobody sees what is another's"
        assert all(self.rows[uid]["state"] != "deleted" for uid in found)

    @rule(word=words, user=users)
    def activate(self, word: str, user: str) -> None:
        turn = self.mem.activate(
            f"What about the {word}?",
            budget=BUDGET,
            user=user,
            session=f"of {user}",
            now=self.tick(),
        )
        assert turn.tokens <= BUDGET
        shown = {item.ref for item in turn.items if item.ref.startswith("mem_")} - self.summaries()
        assert shown <= self.visible(user)
        assert all(self.rows[uid]["state"] == "active" for uid in shown)
        again = self.mem.activate(
            "", budget=BUDGET, user=user, session=f"of {user}", now=self.tick()
        )
        assert again.stable == turn.stable, "what was put in the prompt stays"

    # -- the file --------------------------------------------------------------------------------

    @rule(days=st.sampled_from([0, 1, 30]))
    def sleep(self, days: int) -> None:
        self.tick(days * DAY)
        plan = self.mem.nightly(dry_run=True, now=self.now)
        assert plan is not None
        self.agrees()
        self.mem.nightly(now=self.now)

    @rule()
    def reopen(self) -> None:
        self.mem.close()
        self.driver = "sqlite3" if self.driver == "apsw" else "apsw"
        self.mem = self.opened(self.path)

    @rule()
    def rebuild(self) -> None:
        self.mem.file.rebuild()

    @precondition(lambda self: self.copies < 1)  # copies are slow: one of each is enough for a run
    @rule()
    def come_back_from_a_backup(self) -> None:
        self.copies += 1
        copy = self.mem.file.backup(
            os.path.join(self.folder, f"copy-{self.tick()}.db"), now=self.now
        )
        before = deepcopy(self.rows)
        self.mem.learn(TEXTS["heron"], user="eve", now=self.tick())
        self.mem.file.restore(copy, now=self.now)
        self.rows = before

    @precondition(lambda self: self.moves < 1)
    @rule()
    def move_house(self) -> None:
        """A whole export into an empty memory brings the same memory."""
        self.moves += 1
        lines = list(self.mem.file.export(history=True))
        with self.opened(os.path.join(self.folder, f"moved-{self.tick()}.db")) as other:
            other.file.import_(lines, now=self.now)
            assert list(other.file.export(history=True)) == lines
            assert "memory" not in other.file.import_(lines, as_is=False, now=self.now).added

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "mem"):
            return
        there: dict[str, Any] = {
            uid: (text, user, state)
            for uid, text, user, state in self.mem.db.ask(
                # A night tells of a long talk by itself.
                "select uid, content, user, state from memory where kind <> 'session_summary'"
            )
        }
        assert there == {
            uid: (row["text"], row["user"], row["state"]) for uid, row in self.rows.items()
        }
        recorded = [message.told() for message in self.mem.conversation("talk").messages()]
        assert recorded == self.said

    def teardown(self) -> None:
        if hasattr(self, "mem"):
            try:
                assert self.mem.file.check() == []
            finally:
                self.mem.close()
                shutil.rmtree(self.folder)


TestRemembering = pytest.mark.slow(Remembering.TestCase)
TestRemembering.settings = settings(
    max_examples=int((12 if EVERYTHING else 4) * SHARE),
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_nobody_sees_what_is_anothers(memory: cogmem.Memory) -> None:
    """The machine's rule, once in plain words."""
    uid = memory.learn(TEXTS["heron"], user="ann", now=NOW).uid
    for doing in (memory.get, memory.remove, memory.archive, memory.forget):
        with pytest.raises(UnknownMemory):
            doing(uid, now=NOW)
    for user in ("", "bob"):
        assert memory.recall("heron", user=user, now=NOW) == []
        assert "heron" not in memory.activate("heron", user=user, now=NOW).text
    assert [one.uid for one in memory.recall("heron", user="ann", now=NOW)] == [uid]


def test_the_past_of_a_memory_is_forgotten_by_its_owner_only(memory: cogmem.Memory) -> None:
    """A row that went by undo leaves its words in the history; nobody else may touch those either."""
    learned = memory.learn(TEXTS["heron"], user="ann", now=NOW)
    with pytest.raises(UnknownMemory):
        memory.undo(learned.act, now=NOW)
    memory.undo(learned.act, everywhere=True, now=NOW)
    with pytest.raises(UnknownMemory):
        memory.forget(learned.uid, now=NOW)
    memory.scope = memory.scope.replacing(user="ann")
    assert memory.forget(learned.uid, now=NOW).removed
