"""Facts in time: what is held true, what took its place, and what contradicts it: `mem.facts`.

None of this overwrites a fact: `correct` says that it was wrong all along, `supersede` that another one took its
place, `retire` that it holds no more. What the night merges by itself (schema/jobs/30_deduplicate.sql) under strict
limits, `merge` does to any two memories of one layer and scope. One undo takes each back.
"""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.language.contradiction import polarity
from cogmem.learn.admit import PROFILES, admit, checked_length, clean, guarded, room
from cogmem.learn.alike import projected
from cogmem.learn.doubt import believed, doubts
from cogmem.learn.merge import united
from cogmem.learn.revise import scope_of, told, unchanged
from cogmem.records import (
    Draft,
    Learned,
    Record,
    Remembered,
    given_instant,
    milliseconds,
    most_rows,
)
from cogmem.space import Area
from cogmem.text import lines
from cogmem.text.tags import auto_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.space import Instant

_SAME = ("layer", "runtime", "user", "project", "session")  # of two that are merged


class Contradiction(Record):
    """Two memories that cannot both hold: `other_uid` was there first, as a rule. `why` is for a person."""

    SHOWN = ("uid", "content", "other_uid", "other_content", "why")
    reason: str
    topic: str
    uid: str
    content: str
    other_uid: str
    other_content: str
    created_at: datetime
    other_created_at: datetime
    why: str


class Doubted(Record):
    """A memory whose ground is gone: `ended_uid` is over, and `newer_content`, if any, took its place."""

    SHOWN = ("uid", "content", "why")
    uid: str
    content: str
    ended_uid: str
    ended_content: str
    newer_content: str | None
    ended_at: datetime
    why: str


class Failing(Record):
    """A procedure that keeps failing: it is not offered, and `why` says how its tries went."""

    SHOWN = ("uid", "content", "why")
    uid: str
    content: str
    why: str


class Fading(Record):
    """A memory that a night will archive if nobody uses it: `day` says when."""

    SHOWN = ("uid", "content", "day")
    uid: str
    content: str
    kind: str
    day: str


class Held(Area):
    """What is held true, and when: facts as they were, as they are, and as they should be."""

    def at(
        self,
        instant: Instant = None,
        *,
        topic: str | None = None,
        known_at: Instant = None,
        limit: int = 100,
        now: Instant = None,
    ) -> list[Remembered]:
        """Return facts held true at an instant, as they are known now or were known at another instant.

        instant: when it was held true; default: now
        topic: only facts of this topic
        known_at: as it was known at this instant; default: now

        >>> [fact.key for fact in mem.facts.at()]
        ['staging', 'deploys']
        """
        today = self.space.instant(now)
        params = {
            **self.space.scope.viewer(),
            "topic": topic,
            "now": today,
            "limit": most_rows(limit),
            "valid_at": today if instant is None else milliseconds(instant, "instant", today),
            "known_at": today if known_at is None else milliseconds(known_at, "known_at", today),
        }
        return [Remembered(row) for row in self.space.db.rows("learn.held", params)]

    def correct(self, name: str, text: str, *, reason: str = "", now: Instant = None) -> Learned:
        """Say what was true all along: a new fact takes the place and the time of a wrong one.

        name: the uid or key of the fact
        text: what was true all along

        >>> mem.facts.correct("staging", "The staging server is called stork.").outcome
        'superseded'
        """
        at, store = self.space.instant(now), self.space.store
        memory = self.space.get(name, now=at)
        _demand_held_fact(memory, "corrected")
        owned = auto_tags(memory.content)
        draft = Draft(
            text,
            memory.kind,
            scope_of(memory),
            key=memory.key,
            tags=[tag for tag in memory.tags if tag not in owned],
            path_glob=memory.path_glob,
            priority=memory.priority,
            expires_at=memory.raw("expires_at"),
            detail={name: memory.detail[name] for name in ("topic", "valid_from", "valid_to")},
        )
        kind, row, detail, _, _, notes = admit(store, draft, PROFILES["tool"], at)
        if row["content_hash"] == lines.content_hash(memory.content):
            raise InvalidInput(f"{memory.uid} says exactly this: there is nothing to correct")
        uid = lines.memory_uid(row["content"], store.db.number())
        steps = [unchanged(store, memory, at)]
        if memory.key:  # the name goes to what is true
            steps.append(("learn.set_key", {"uid": memory.uid, "key": "", "now": at}))
        steps += [
            ("store.insert_memory", {**row, "uid": uid}),
            ("store.set_fact", {**detail, "uid": uid}),
            ("learn.never_held", {"uid": memory.uid, "successor": uid}),
            projected(uid, row["content"]),
            *room(store, kind, row, uid, at),
        ]
        act = self._done("correct", steps, at, reason)
        return Learned(uid, "superseded", act, memory.uid, None, notes)

    def supersede(self, old: str, new: str, *, reason: str = "", now: Instant = None) -> str:
        """Let one fact supersede another, from the time when the newer one became true.

        old: the uid or key of the fact that is over
        new: the uid or key of the fact that takes its place

        >>> new = mem.learn("The staging server is an egret.").uid
        >>> act = mem.facts.supersede("staging", new)
        """
        at = self.space.instant(now)
        over, newer = self.space.get(old, now=at), self.space.get(new, now=at)
        if over.detail.get("superseded_by") != newer.uid:  # learning it may have said so already
            _demand_held_fact(over, "superseded")
        _demand_held_fact(newer, "put in the place of another")
        if over.uid == newer.uid:
            raise InvalidInput("a fact cannot take its own place: name two memories")
        if (over.runtime, over.user) != (newer.runtime, newer.user):
            raise InvalidInput("a fact of one user never takes the place of another user's")
        begins = newer.detail["valid_from"]
        close = {"uid": over.uid, "ends": at if begins is None else begins, "successor": newer.uid}
        store = self.space.store
        steps = [unchanged(store, one, at) for one in (over, newer)]
        steps += [("learn.close", close), *doubts(store, over.uid, newer.content, at)]
        return self._done("supersede", steps, at, reason)

    def retire(
        self, name: str, *, ends: Instant = None, reason: str = "", now: Instant = None
    ) -> str:
        """Say that a fact no longer holds; it stays, and answers questions about its time.

        name: the uid or key of the fact
        ends: when it ended or will end; default: now

        >>> act = mem.facts.retire("staging", ends="2030-01-01")
        """
        at = self.space.instant(now)
        over, store = given_instant(ends, "ends", at), self.space.store
        memory = self.space.get(name, now=at)
        _demand_held_fact(memory, "retired")
        close = {"uid": memory.uid, "ends": at if over is None else over, "successor": ""}
        steps = [unchanged(store, memory, at), ("learn.close", close)]
        return self._done("retire", [*steps, *doubts(store, memory.uid, "", at)], at, reason)

    def conflicts(self, *, limit: int = 100, everywhere: bool = False) -> list[Contradiction]:
        """Pairs of memories that cannot both hold, the newest first; `why` says what stands against what.

        >>> mem.facts.conflicts()
        []
        """
        viewer = self.space.scope.replacing(everywhere=everywhere).viewer()
        rows = self.space.db.rows("learn.conflicts", {**viewer, "limit": most_rows(limit)})
        return [Contradiction(**row, why=_why(row)) for row in rows]

    def settle(self, one: str, other: str, *, keep: str = "", now: Instant = None) -> str:
        """End a contradiction: `keep` names the one that holds; without it both do.

        one: the uid or key of one
        other: the uid or key of the other
        keep: the one that holds; default: both do

        >>> new = mem.learn("The staging server is an egret.").uid
        >>> act = mem.facts.settle("staging", new)
        """
        at = self.space.instant(now)
        rows = [self.space.get(one, now=at), self.space.get(other, now=at)]
        if keep:
            kept = self.space.get(keep, now=at)
            lost = [row for row in rows if row.uid != kept.uid]
            if len(lost) != 1:
                raise InvalidInput(f"keep names {kept.uid}: it must be one of the two")
            return self.supersede(lost[0].uid, kept.uid, now=at)
        steps: list[Step] = [("learn.settle", {"uid": rows[0].uid, "other": rows[1].uid})]
        topics = [memory.detail.get("topic", "") for memory in rows]
        if topics[0] and topics[0] == topics[1]:  # then they are about different things
            later = max(rows, key=lambda memory: (memory.created_at, memory.uid))
            steps.append(("learn.clear_topic", {"uid": later.uid}))
        return self._done("settle", steps, at)

    def depend(self, name: str, on: str, *, now: Instant = None) -> str:
        """Say that a memory depends on a fact: when that is over, the memory is marked until you confirm it.

        name: the uid or key of the memory
        on: the uid or key of the fact

        >>> steps = mem.learn("Deploy steps copy the build to heron.", key="deploy-steps")
        >>> act = mem.facts.depend("deploy-steps", "staging")
        """
        at = self.space.instant(now)
        uid, other = self.space.get(name, now=at).uid, self.space.get(on, now=at).uid
        if uid == other:
            raise InvalidInput("a memory cannot depend on itself: name two memories")
        link = {"uid": uid, "relation": "depends_on", "other": other, "now": at}
        return self._done("depend", [("learn.link", link)], at)

    def doubts(self, *, limit: int = 100) -> list[Doubted]:
        """Return memories that depend on a fact which is over, the newest doubt first; `why` says it.

        >>> mem.facts.doubts()
        []
        """
        viewer = self.space.scope.viewer()
        rows = self.space.db.rows("learn.doubted", {**viewer, "limit": most_rows(limit)})
        return [Doubted(**row) for row in rows]

    def failing(self, *, limit: int = 100) -> list[Failing]:
        """Return procedures that keep failing, the latest first: change their steps, keep them or remove them.

        >>> mem.facts.failing()
        []
        """
        viewer = self.space.scope.viewer()
        rows = self.space.db.rows("learn.failing", {**viewer, "limit": most_rows(limit)})
        return [Failing(**row) for row in rows]

    def fading(self, *, days: int = 30, limit: int = 100) -> list[Fading]:
        """Return what would be forgotten within some days, the next one first: `mem.keep` keeps it.

        days: how far to look ahead

        >>> mem.facts.fading()
        []
        """
        asked = {**self.space.scope.viewer(), "until": days, "limit": most_rows(limit)}
        rows = self.space.db.rows("learn.fading", asked)
        return [Fading(**{**row, "day": row["day"][:10]}) for row in rows]

    def confirm(self, name: str, *, now: Instant = None) -> str:
        """Say that a memory in doubt still holds; changing it, or saying it again, does so too.

        name: the uid or key of the memory

        >>> act = mem.facts.confirm("staging")
        """
        at = self.space.instant(now)
        return self._done("believe", [believed(self.space.get(name, now=at).uid)], at)

    def merge(
        self, keep: str, other: str, *, text: str = "", reason: str = "", now: Instant = None
    ) -> str:
        """Merge another memory that says the same into one, which says `text` from now on.

        keep: the uid or key of the one that stays
        other: the uid or key of the one that goes
        text: what it says from now on; default: what it says

        >>> new = mem.learn("Staging runs on heron.").uid
        >>> act = mem.facts.merge("staging", new)
        """
        at = self.space.instant(now)
        kept, gone = self.space.get(keep, now=at), self.space.get(other, now=at)
        if kept.uid == gone.uid:
            raise InvalidInput("a memory is not merged with itself: name two")
        differ = [name for name in _SAME if getattr(kept, name) != getattr(gone, name)]
        if differ:
            raise InvalidInput(
                f"{kept.uid} and {gone.uid} differ in {', '.join(differ)}: "
                "only memories of one layer and scope are merged"
            )
        for one in (kept, gone):
            if one.state == "deleted":
                raise InvalidInput(
                    f"{one.uid} is removed: `cogmem restore {one.uid}` brings it back"
                )
        # What holds would go into what nobody is told.
        if kept.is_over(at) and not gone.is_over(at):
            raise InvalidInput(f"{kept.uid} holds no more: merge it into {gone.uid} instead")
        said = guarded(clean(text, "content"), guard.POLICIES["user_explicit"], [])
        content, store = said or kept.content, self.space.store
        checked_length(content)
        steps = [unchanged(store, one, at) for one in (kept, gone)]
        archived = {"state": "archived", "reason": "merged", "now": at}
        steps.append(("store.set_state", {**archived, "uid": gone.uid}))
        if kept.state != "active":
            active = {"state": "active", "reason": "", "now": at}
            steps.append(("store.set_state", {**active, "uid": kept.uid}))
        steps += united(store, kept, content, [gone.content], gone.tags, at)
        both = {"uid": kept.uid, "other": gone.uid}
        steps += [
            ("learn.take_over", {**both, "polarity": polarity(content)}),
            ("learn.take_over_trials", both),
            ("learn.take_over_evidence", {**both, "now": at}),
            ("learn.link", {**both, "relation": "merged_from", "now": at}),
        ]
        return self._done("merge", steps, at, reason)

    def _done(self, verb: str, steps: list[Step], at: int, reason: str = "") -> str:
        return self.space.db.write(steps, verb=verb, at=at, reason=told(reason)).act


def _demand_held_fact(memory: Remembered, done: str) -> None:
    if memory.layer != "semantic":
        raise InvalidInput(
            f"only facts are {done}: {memory.uid} is {memory.layer}; `update` changes it"
        )
    if memory.state == "deleted":
        raise InvalidInput(
            f"{memory.uid} is removed: `cogmem restore {memory.uid}` brings it back first"
        )
    if memory.detail.get("superseded_by"):
        raise InvalidInput(
            f"{memory.uid} was superseded by {memory.detail['superseded_by']} already: name that one"
        )


def _why(row: dict[str, Any]) -> str:
    """Return why two memories cannot both hold, for a person."""
    from cogmem.language.judge import judge

    found = judge(row["other_content"], row["content"])
    about = f"both speak of {row['topic']}" if row["topic"] else ""
    told = found.reason if found is not None else ""
    return ": ".join(part for part in (about, told) if part) or "both cannot hold"
