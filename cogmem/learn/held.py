"""Facts in time: what is held true, what took its place, and what contradicts it: `mem.facts`."""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.learn import merge, revise
from cogmem.records import Record, Remembered, given_instant, milliseconds, most_rows
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from cogmem.records import Learned
    from cogmem.space import Instant


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
        at = self.space.instant(now)
        row = self.space.get(name, now=at)
        return revise.correct(
            self.space.store, row, text, actor=self.space.actor, now=at, reason=reason
        )

    def supersede(self, old: str, new: str, *, reason: str = "", now: Instant = None) -> str:
        """Let one fact supersede another, from the time when the newer one became true.

        old: the uid or key of the fact that is over
        new: the uid or key of the fact that takes its place

        >>> new = mem.learn("The staging server is an egret.").uid
        >>> act = mem.facts.supersede("staging", new)
        """
        at = self.space.instant(now)
        rows = self.space.get(old, now=at), self.space.get(new, now=at)
        return revise.supersede(
            self.space.store, *rows, actor=self.space.actor, now=at, reason=reason
        )

    def retire(
        self, name: str, *, ends: Instant = None, reason: str = "", now: Instant = None
    ) -> str:
        """Say that a fact no longer holds; it stays, and answers questions about its time.

        name: the uid or key of the fact
        ends: when it ended or will end; default: now

        >>> act = mem.facts.retire("staging", ends="2030-01-01")
        """
        at = self.space.instant(now)
        over = given_instant(ends, "ends", at)
        row = self.space.get(name, now=at)
        return revise.retire(
            self.space.store, row, actor=self.space.actor, now=at, ends=over, reason=reason
        )

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
        if not keep:
            return revise.settle(self.space.store, *rows, actor=self.space.actor, now=at)
        kept = self.space.get(keep, now=at)
        lost = [row for row in rows if row.uid != kept.uid]
        if len(lost) != 1:
            raise InvalidInput(f"keep names {kept.uid}: it must be one of the two")
        return revise.supersede(self.space.store, lost[0], kept, actor=self.space.actor, now=at)

    def depend(self, name: str, on: str, *, now: Instant = None) -> str:
        """Say that a memory depends on a fact: when that is over, the memory is marked until you confirm it.

        name: the uid or key of the memory
        on: the uid or key of the fact

        >>> steps = mem.learn("Deploy steps copy the build to heron.", key="deploy-steps")
        >>> act = mem.facts.depend("deploy-steps", "staging")
        """
        at = self.space.instant(now)
        rows = self.space.get(name, now=at), self.space.get(on, now=at)
        return revise.depend(self.space.store, *rows, actor=self.space.actor, now=at)

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
        row = self.space.get(name, now=at)
        return revise.believe(self.space.store, row, actor=self.space.actor, now=at)

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
        rows = self.space.get(keep, now=at), self.space.get(other, now=at)
        return merge.merge(
            self.space.store, *rows, text, actor=self.space.actor, now=at, reason=reason
        )


def _why(row: dict[str, Any]) -> str:
    """Return why two memories cannot both hold, for a person."""
    from cogmem.language.judge import judge

    found = judge(row["other_content"], row["content"])
    about = f"both speak of {row['topic']}" if row["topic"] else ""
    told = found.reason if found is not None else ""
    return ": ".join(part for part in (about, told) if part) or "both cannot hold"
