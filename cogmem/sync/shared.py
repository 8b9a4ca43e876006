"""A team's memory in its repository: one person proposes, a pull request reviews, everybody takes it in.

The files are the record. A memory notes in its data what file and memory last agreed on, so it is clear which side
changed since; what both changed is left to a person. Taking in happens only when someone asks for it: a repository
that somebody cloned must not put words into a memory.
"""

from __future__ import annotations

import json
import os
import subprocess

from cogmem.errors import CogmemError, Conflict, GuardRefused, InvalidInput, UnknownMemory
from cogmem.file.pristine import pristine
from cogmem.language.contradiction import polarity
from cogmem.records import PRIORITIES, Record, Report
from cogmem.space import Area
from cogmem.sync.shared_files import FOLDER, Shared, of_memory, read_all, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.space import Instant

TRUST = 0.9  # of what a team has reviewed
DRIVER = "cogmem sync merge %O %A %B"
ATTRIBUTE = f"{FOLDER.replace(os.sep, '/')}/*.md merge=cogmem"


class TakenFile(Record):
    """What became of a shared memory: imported, updated, archived …; `path` is empty where its file is gone."""

    what: str
    uid: str
    path: str


class TakenIn(Report):
    """What taking in did, and what wants a person."""

    done: list[TakenFile]
    problems: list[str]


class Sharing(Area):
    """Memories that a team shares in its repository: `mem.sharing`."""

    def propose(self, name: str, root: str, *, now: Instant = None) -> str:
        """Write a memory into the repository, for others to review; returns the file's path.

        name: its uid or key
        root: the folder of the working tree

        >>> path = mem.sharing.propose("staging", ".")
        """
        at = self.space.instant(now)
        memory = self.space.get(name, now=at)
        if memory.layer != "semantic":
            raise InvalidInput(
                f"{memory.uid} is {memory.layer}: what a team shares is what is held true"
            )
        shared = of_memory(memory)
        if why := shared.refusal():
            raise GuardRefused(f"{memory.uid} is not to be shared: {why}")
        path = write(root, shared)
        self._agree(memory, shared.digest, at)
        return path

    def take_in(self, root: str, *, take: str = "", now: Instant = None) -> TakenIn:
        """Take in what the repository's files say; `take` names a memory whose file is to win.

        root: the folder of the working tree
        take: the uid of a memory whose file is to win over it

        >>> mem.sharing.take_in(".").problems
        []
        """
        at = self.space.instant(now)
        result = TakenIn()
        there: set[str] = set()
        for one in read_all(root):
            if isinstance(one, str):
                result.problems.append(one)
                continue
            there.add(one.uid)
            try:
                if what := self._take(one, take == one.uid, at):
                    result.done.append(TakenFile(what, one.uid, one.path))
            except CogmemError as error:
                result.problems.append(f"{one.name}: {error}")
        if (result.problems and not there) or not os.path.isdir(os.path.join(root, FOLDER)):
            return result.closed()
        store, actor, why = self.space.store, self.space.actor, "taken out of the repository"
        for (uid,) in self.space.db.read("sync.shared", {"project": self.space.scope.project}):
            if uid not in there and (memory := self._row(uid, at)) is not None:
                store.set_state(memory, "archived", reason=why, actor=actor, now=at, verb="share")
                result.done.append(TakenFile("archived", uid, ""))
        return result.closed()

    def _take(self, shared: Shared, wins: bool, at: int) -> str:
        if why := shared.refusal():
            raise GuardRefused(f"it is not taken in: {why}")
        memory = self._row(shared.uid, at)
        if memory is None:
            if self.space.db.read("sync.is_forgotten", {"uid": shared.uid})[0][0]:
                raise UnknownMemory(
                    "it was forgotten here: take it out of the repository, or leave it"
                )
            self._insert(shared, at)
            return "new"
        agreed = str((memory.data.get("shared") or {}).get("agreed", ""))
        here = of_memory(memory).digest
        if here == shared.digest:
            if agreed != here:
                self._agree(memory, here, at)
            return ""
        if agreed == shared.digest and not wins:
            raise Conflict(
                f"the memory was changed here: `cogmem sync share {shared.uid}` proposes that"
            )
        if agreed != here and not wins:
            raise Conflict(
                f"both were changed: `cogmem sync share {shared.uid}` keeps yours, with --take the file's"
            )
        self._update(memory, shared, at)
        return "updated"

    def _row(self, uid: str, at: int) -> Remembered | None:
        try:
            everywhere = self.space.scope.replacing(everywhere=True)
            return self.space.store.get(uid, everywhere, at, living=False)
        except UnknownMemory:
            return None

    def _columns(self, shared: Shared) -> dict[str, Any]:
        store = self.space.store
        kind, _ = store.kind(shared.fields["kind"])
        if kind.name != shared.fields["kind"] or kind.layer != "semantic":
            raise InvalidInput(f"no kind of facts is called {shared.fields['kind']}")
        return {
            "kind": kind.name,
            "key": shared.fields.get("key", ""),
            "content": shared.content,
            "tags": shared.tags,
            "path_glob": shared.fields.get("path", ""),
            "priority": PRIORITIES[shared.fields["priority"]],
        }

    def _fact(self, shared: Shared) -> Step:
        ends = {"valid_from": shared.instant("from"), "valid_to": shared.instant("until")}
        topic = shared.fields.get("topic", "")
        return "sync.set_fact", {"uid": shared.uid, "topic": topic, **ends}

    def _insert(self, shared: Shared, at: int) -> None:
        columns = self._columns(shared)
        row = {
            **pristine(self.space.db.driver).defaults["memory"],
            **columns,
            **self.space.store.written_form("semantic", columns["key"], shared.content, {}),
            "uid": shared.uid,
            "layer": "semantic",
            "tags": json.dumps(columns["tags"], ensure_ascii=False),
            "project": self.space.scope.project,
            "source": "import",
            "trust": TRUST,
            "polarity": polarity(shared.content),
            "data": json.dumps({"shared": {"agreed": shared.digest}}),
            **dict.fromkeys(("created_at", "updated_at", "reinforced_at"), at),
        }
        self._write([("store.insert_memory", row), self._fact(shared)], at)

    def _update(self, memory: Remembered, shared: Shared, at: int) -> None:
        columns = self._columns(shared)
        columns["data"] = {**memory.data, "shared": {"agreed": shared.digest}}
        steps = self.space.store.rewrite_steps(memory, columns, at)
        self._write([*steps, self._fact(shared)], at)

    def _agree(self, memory: Remembered, digest: str, at: int) -> None:
        data = {**memory.data, "shared": {"agreed": digest}}
        self._write(self.space.store.rewrite_steps(memory, {"data": data}, at), at)

    def _write(self, steps: list[Step], at: int) -> None:
        self.space.db.write(steps, verb="share", actor=self.space.actor, at=at)


def set_up(root: str) -> list[str]:
    """Tell git how edits of one shared memory are merged: in the repository's attributes, and in this clone."""
    path, done = os.path.join(root, ".gitattributes"), []
    with open(path, "a+", encoding="utf-8", newline="\n") as file:
        file.seek(0)
        text = file.read()
        if ATTRIBUTE not in text.splitlines():
            file.write(("" if not text or text.endswith("\n") else "\n") + ATTRIBUTE + "\n")
            done.append(path)
    for name, value in (("name", "shared memories of cogmem"), ("driver", DRIVER)):
        config = ["git", "-C", root, "config", f"merge.cogmem.{name}", value]
        try:
            subprocess.run(config, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise InvalidInput(
                f"git cannot be configured in {root} ({type(error).__name__}): is it a clone?"
            ) from None
    done.append("merge.cogmem.driver")
    return done
