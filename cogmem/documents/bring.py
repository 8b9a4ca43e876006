"""Bring over what another program remembers, through the one write path.

What comes in is an import to the guard and waits as a candidate until a person or a repetition confirms it. By the
key of its source what is here is left alone, what changed there changes here unless somebody confirmed it
meanwhile, and what a person removed stays out. All of it is one run, taken back by one undo; a dry run is the same,
rolled back at the end.
"""

from __future__ import annotations

import os
from contextlib import nullcontext

from cogmem.documents.files import Problem
from cogmem.documents.foreign import READERS
from cogmem.errors import CapacityReached, GuardRefused, InvalidInput
from cogmem.records import Draft, Report, new_uid
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.documents.foreign_gather import Record as Foreign
    from cogmem.records import Learned
    from cogmem.scope import Scope
    from cogmem.store.kinds import Kind
    from cogmem.store.store import Store

CHUNK = 100  # memories stored at a time: the write lock is never held for long
PLAIN = "fact"  # the kind of what has none, or one that an import cannot have


class BroughtIn(Report):
    """What an import did, or in a dry run would do."""

    source: str
    run: str  # undo(run) takes it back
    dry_run: bool
    found: int
    before: int  # memories that were here
    after: int  # … and are here then
    user: str  # who imports
    users: dict[str, int]  # whose they are there, and how many
    agents: dict[str, int]
    added: int
    changed: int  # the source says something else now
    known: int  # here already, word for word
    removed: int  # brought here before and removed since: they stay out
    refused: int
    kinds: dict[str, int]
    problems: list[Problem]

    def problem(self, record: Foreign, text: str) -> None:
        """Note what did not work for one record."""
        self.problems.append(Problem(record["origin"], 0, text))


def bring(
    store: Store,
    source: str,
    path: str,
    scope: Scope,
    learn: Callable[[Draft, int, str], Learned],
    heard: Callable[[str], str],
    *,
    now: int,
    dry_run: bool = False,
) -> BroughtIn:
    """Read what lies at `path` and remember it; `heard` names the kind of a plain sentence, if it has one."""
    reader = READERS.get(source)
    if reader is None:
        raise InvalidInput(f"source {source!r} is not known: use {', '.join(READERS)}")
    if not os.path.exists(path):
        raise InvalidInput(f"{path} is not there: name the file or folder that {source} keeps")
    reading = reader(path)
    result = BroughtIn(
        source, new_uid("run"), dry_run, len(reading.records), problems=list(reading.problems)
    )
    records = list(reading.records)
    result.user = scope.user
    result.before = result.after = _count(store)
    if not records:
        return result
    with store.db.together(keep=False) if dry_run else nullcontext():
        opening = {"uid": result.run, "period": f"{source} {path}", "note": f"from {source}"}
        store.db.write([("documents.open_run", {**opening, "now": now})], verb="import", at=now)
        intake = _Intake(store, source, scope, learn, heard, result, now)
        for first in range(0, len(records), CHUNK):
            with store.db.together(run=result.run):
                for record in records[first : first + CHUNK]:
                    intake.take(record)
        result.after = _count(store)
        closing = {"uid": result.run, "changed": result.added + result.changed, "now": now}
        store.db.write([("documents.close_run", closing)], verb="import", at=now)
    return result


def _count(store: Store) -> int:
    return int(store.db.read("documents.held")[0][0])


class _Intake:
    """Takes one record after another."""

    def __init__(
        self,
        store: Store,
        source: str,
        scope: Scope,
        learn: Callable[[Draft, int, str], Learned],
        heard: Callable[[str], str],
        result: BroughtIn,
        now: int,
    ) -> None:
        self.store = store
        self.scope = scope
        self.result = result
        self.now = now
        self._learn = learn
        self._heard = heard
        self._room: dict[str, int] = {}
        self._source = source
        self._of_owner: dict[Scope, tuple[dict[str, tuple[str, str]], set[str]]] = {}

    def _brought(self, owner: Scope) -> tuple[dict[str, tuple[str, str]], set[str]]:
        if owner not in self._of_owner:
            place = {"user": owner.user, "project": owner.project, "runtime": owner.runtime}
            bounds = {"first": f"{self._source}:", "last": f"{self._source};"}
            here: dict[str, tuple[str, str]] = {}
            for key, state, said in self.store.db.read("documents.imported", {**place, **bounds}):
                here.setdefault(key, (state, said))  # living ones come first
            self._of_owner[owner] = here, {said for _, said in here.values()}
        return self._of_owner[owner]

    def take(self, record: Foreign) -> None:
        """Remember one record, or count why not."""
        said = lines.content_hash(record["text"])
        owner = self._owner(record)
        here, texts = self._brought(owner)
        users, agents = self.result.users, self.result.agents
        for counts, name in ((users, owner.user), (agents, record["agent"])):
            if name:
                counts[name] = counts.get(name, 0) + 1
        state, before = here.get(record["key"], ("", ""))
        if state in ("archived", "deleted"):
            self.result.removed += 1
            return
        if before == said or (not state and said in texts):
            self.result.known += 1
            return
        kind = self._kind(record)
        try:
            learned = self._learn(self._draft(record, kind, said, owner), self.now, "import")
        except (CapacityReached, GuardRefused, InvalidInput) as error:
            self.result.refused += 1
            self.result.problem(record, str(error))
            return
        texts.add(said)
        if learned.outcome == "known":
            self.result.known += 1
            return
        if learned.outcome == "updated":
            self.result.changed += 1
        else:
            self.result.added += 1
            self._room[kind.name] = self._room.get(kind.name, 0) - 1
        self.result.kinds[kind.name] = self.result.kinds.get(kind.name, 0) + 1
        for note in learned.notes:
            self.result.problem(record, note)

    def _owner(self, record: Foreign) -> Scope:
        """Return whose a record is: its own user's, unless one was asked for; an agent's own stays that agent's."""
        user = self.scope.user or record["user"]
        runtime = "" if user else record["agent"]
        return self.scope.replacing(runtime=runtime, user=user, session="")

    def _kind(self, record: Foreign) -> Kind:
        """Return the kind that the other program's word means here, if an import can have it."""
        plain = self.store.kinds.of(PLAIN)[0]
        word = record["kind"] or self._heard(record["text"])
        if not word:
            return plain
        kind, note = self.store.kinds.of(word, record["vocabulary"])
        is_bound = kind.layer == "procedural" or kind.max_characters is not None
        if note or is_bound or kind.standing("import") == "refused":
            return plain
        if kind.max_rows is not None:  # an import pushes nothing out that is here
            if kind.name not in self._room:
                whose = {"runtime": "", "user": self.scope.user, "project": self.scope.project}
                usage = self.store.db.read("store.usage", {"kind": kind.name, **whose})
                self._room[kind.name] = kind.max_rows - usage[0][0]
            if self._room[kind.name] <= 0:
                return plain
        return kind

    def _draft(self, record: Foreign, kind: Kind, said: str, owner: Scope) -> Draft:
        tags = list(record["tags"])
        if record["kind"] and record["kind"] != kind.name:
            tags.append(record["kind"])
        if record["agent"] and owner.runtime != record["agent"]:
            tags.append(f"agent:{record['agent']}")
        data: dict[str, Any] = {"origin": record["origin"], "from": record["source"], "said": said}
        detail: dict[str, Any] = {}
        created = record["created_at"]
        if created is not None and 0 < created <= self.now:
            data["created_at"] = created
            detail["valid_from" if kind.layer == "semantic" else "happened_at"] = created
        if kind.layer == "semantic" and record["ended_at"] is not None:
            detail["valid_to"] = record["ended_at"]
        globs = [_glob(glob) for glob in record["globs"]]
        if len(globs) > 1:  # a memory has one glob; shown everywhere is better than nowhere
            data["globs"] = globs
        made = Draft(record["text"], kind.name, owner, tags=tags, data=data, detail=detail)
        made.key, made.source = record["key"], "import"
        made.path_glob = globs[0] if len(globs) == 1 else ""
        return made


def _glob(glob: str) -> str:
    """Return a foreign glob in our words: a bare `*.ts` means such files in every folder."""
    glob = glob.strip()
    return f"**/{glob}" if "/" not in glob and any(mark in glob for mark in "*?[") else glob
