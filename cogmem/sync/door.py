"""What may leave a file and what may enter it: scopes and the guard are asked about each memory of each act.

A memory leaves if the person who syncs may see it. What belongs to another user, or to a private project, stays. A
memory whose text holds a secret neither leaves nor enters. Through a hub, people bring only what is their own or
everyone's, and no policy except new kinds.
"""

from __future__ import annotations

from cogmem.guard import guard
from cogmem.guard.glance import may_name
from cogmem.scope import Scope
from cogmem.sync.acts import is_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.file.db import Database
    from cogmem.sync.acts import Act
    from cogmem.sync.fold import Change
    from cogmem.sync.forgetting import Told

_PLAIN = frozenset(  # columns that hold no words of anybody
    "uid layer kind state source token_counter content_hash relation to form system capacity_policy"
    " family language".split()
)


class Door:
    """For whom: a user, or None for all that the file holds. Projects that are named stay inside."""

    def __init__(self, user: str | None = None, private: frozenset[str] = frozenset()) -> None:
        self.user = user
        self.private = private
        self._sights: dict[str, bool] = {}

    def narrowed(self, user: str | None) -> Door:
        """The same door for one who wants less."""
        return self if user is None or self.user is not None else Door(user, self.private)

    @property
    def sight(self) -> str:
        """A name of what may be seen through it; '' for all."""
        if self.is_whole:
            return ""
        from hashlib import blake2b

        said = repr((self.user, sorted(self.private)))
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def moved(self, acts: list[Act]) -> list[str]:
        """Memories that these acts gave to somebody else or another project: who sees them now lacks their past."""
        return [
            subject
            for act in acts
            for subject, changes in act["subjects"].items()
            if any(
                record == "memory" and action == "update" and {"user", "project"} & after.keys()
                for record, action, _, after in changes
            )
        ]

    def all_of(self, db: Database, acts: list[Act]) -> list[Act]:
        """Those of these acts that may leave."""
        return [act for act in (self.leaving(db, act) for act in acts) if act is not None]

    @property
    def is_whole(self) -> bool:
        """Whether all of the file goes."""
        return self.user is None and not self.private

    def leaving(self, db: Database, act: Act) -> Act | None:
        """An act as far as it may leave; None if nothing of it may."""
        subjects = {
            subject: changes
            for subject, changes in act["subjects"].items()
            if self._may_leave(db, subject) and not holds_secret(changes)
        }
        if any(_is_secret(act[name] or "") for name in ("actor", "reason", "verb", "run")):
            return None
        return {**act, "subjects": subjects} if subjects else None

    def receipts(self, told: list[Told]) -> list[Told]:
        """That something was forgotten may be known to all, since a name says nothing; which words, to the owner."""
        return told if self.user is None else [{**one, "words": []} for one in told]

    @property
    def scope(self) -> Scope:
        """Whose words go with what is forgotten."""
        return Scope(everywhere=True) if self.user is None else Scope(user=self.user)

    def forgetting(self, db: Database, told: list[Told], refused: dict[str, int]) -> list[Told]:
        """Receipts as far as they may have something forgotten here: what is the user's own or everyone's."""
        if self.user is None:
            return told
        found = []
        for one in told:
            owner = db.read("sync.owner", {"uid": one["uid"]})
            if owner and owner[0][0] not in ("", self.user):
                refused["it is another user's"] = refused.get("it is another user's", 0) + 1
            else:
                found.append({**one, "words": []})
        return found

    def entering(self, db: Database, act: Act, refused: dict[str, int]) -> Act | None:
        """An act as far as it may enter; None if nothing of it may."""
        subjects = {}
        if any(_is_secret(act[name] or "") for name in ("actor", "reason", "verb", "run")):
            refused["it holds a secret"] = refused.get("it holds a secret", 0) + 1
            return None
        for subject, changes in act["subjects"].items():
            reason = self._reason_to_refuse(db, subject, changes)
            if reason:
                refused[reason] = refused.get(reason, 0) + 1
            else:
                subjects[subject] = changes
        return {**act, "subjects": subjects} if subjects else None

    def _reason_to_refuse(self, db: Database, subject: str, changes: list[Change]) -> str:
        if holds_secret(changes):
            return "it holds a secret"
        if self.user is None:
            return ""
        if not is_memory(subject):
            is_new = subject.startswith("kind ") and all(c[1] == "insert" for c in changes)
            return "" if is_new else "policy is for the owner of the hub to set"
        row = db.row("memory", "uid", subject)
        users = {row["user"]} if row is not None else set()
        for _, _, before, after in changes:
            users |= {side["user"] for side in (before, after) if side and "user" in side}
        return "" if users <= {"", self.user} else "it is another user's"

    def _may_leave(self, db: Database, subject: str) -> bool:
        if self.is_whole:
            return True
        if not is_memory(subject):
            return self.user is None or subject.startswith("kind ")
        seen = self._sights.get(subject)
        if seen is None:
            found = db.read("sync.owner", {"uid": subject})
            seen = bool(found) and (
                (self.user is None or found[0][0] in ("", self.user))
                and found[0][1] not in self.private
            )
            self._sights[subject] = seen
        return seen


def holds_secret(changes: list[Change]) -> bool:
    """Whether a text of these changes holds what may not be stored."""
    for _, _, before, after in changes:
        for side in (before, after):
            for name, text in (side or {}).items():
                if text.__class__ is str and text and name not in _PLAIN and _is_secret(text):
                    return True
    return False


def _is_secret(text: str) -> bool:
    return may_name(text) and any(
        finding.kind == "secret" for finding in guard.inspect(text, with_orders=False)
    )
