"""What may leave a file and what may enter it: scopes and the guard are asked about each memory of each act.

A memory leaves if the person who syncs may see it; what was taken out of another user's sight or a private project
leaves as it stood then, without its past. A text that holds a secret neither leaves nor enters. Through a hub,
people bring only what is their own or everyone's, and no policy except new kinds; they take away only what they
made.

Who made a memory is said by the act that came first of it, in its actor: `ada (as laptop)` was done under ada's
token, `ben (as ada (as laptop))` is what ben says that ada made, `* (as desk)` of the hub's owner. A lie can give a
memory to somebody else only. Each file judges by that for itself whether a guest's receipt holds: a hub may have
been restored.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from cogmem.guard import guard
from cogmem.guard.glance import may_name
from cogmem.scope import Scope
from cogmem.sync.acts import deeds, is_memory, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.sync.acts import Act, Names
    from cogmem.sync.fold import Change, Stamp
    from cogmem.sync.settle import Taking

    Told = dict[str, Any]  # one receipt as it travels

_PLACES = frozenset("runtime user project session path_glob expires_at".split())
_PLAIN = frozenset(  # columns that hold no words of anybody
    "uid layer kind state source token_counter content_hash relation to form system capacity_policy"
    " family language".split()
)

_NOTHING = ("[]", "{}")
WHOLE = "*"  # the token that sees all: the hub's owner
WAITS = "forgotten by "  # and who said so of a memory that is not here: a claim, until it comes
_SIGNED = re.compile(r"(.*?) \(as (.*)\)", re.DOTALL)
LOCAL = frozenset(("setting private_projects",))  # what one file says of itself alone
MOST_OF_OTHERS = 100  # changes of what other people share, in one exchange; the rest waits
_ORDERS = ("is_baseline", "is_pinned", "needs_person", "is_wish", "is_rule")  # what a kind may be


class Door:
    """For whom: a user, or None for all that the file holds. Projects that are named stay inside. A guest is the user
    behind a token of a hub. He writes in his own name, and takes away only what he made."""

    asks_as: str | None = None  # as whom the hub at the other end knows this file, if it is a hub

    def __init__(
        self, user: str | None = None, private: frozenset[str] = frozenset(), guest: str = ""
    ) -> None:
        self.user = user
        self.private = private
        self.guest = guest
        self.is_exhausted = False
        self._left = MOST_OF_OTHERS
        self._entries: dict[str, Stamp | None] = {}

    def narrowed(self, user: str | None) -> Door:
        """Return the same door for one who wants less."""
        if user is None or self.user is not None:
            return self
        return Door(user, self.private, self.guest)

    @property
    def sight(self) -> str:
        """A name of what may be seen through it; '' for all."""
        said = repr((self.user, sorted(self.private))).encode("utf-8", "surrogatepass")
        return "" if self.is_whole else blake2b(said, digest_size=8).hexdigest()

    @property
    def is_whole(self) -> bool:
        """Tell whether all of the file goes."""
        return self.user is None and not self.private

    @property
    def scope(self) -> Scope:
        """Whose words go with what is forgotten."""
        return Scope(everywhere=True) if self.user is None else Scope(user=self.user)

    def leaving(self, db: Database, names: Names, act: Act) -> Act | None:
        """Return an act as far as it may leave; None if nothing of it may."""
        subjects = {}
        for subject, changes in act["subjects"].items():
            told = self._told(db, names, act, subject, changes)
            if told and not holds_secret(told):
                subjects[subject] = told
        if not subjects or _hides(act):
            return None
        if self.guest and not _SIGNED.fullmatch(act["actor"]):
            act = {**act, "actor": f"{WHOLE} (as {act['actor']})"}
        return {**act, "subjects": subjects}

    def _told(
        self, db: Database, names: Names, act: Act, subject: str, changes: list[Change]
    ) -> list[Change] | None:
        """Return what may be told of what an act did to a subject: what came into sight begins as it was then."""
        if subject in LOCAL:
            return None
        if self.is_whole:
            return changes
        if not is_memory(subject):
            return changes if self.user is None or subject.startswith("kind ") else None
        owner = db.read("sync.owner", {"uid": subject})
        if not owner or not self._sees(*owner[0]):
            return None
        if subject not in self._entries:
            self._entries[subject] = self._entered(db, names, subject)
        entered, here = self._entries[subject], (act["clock"], act["act"])
        if entered is None or here > entered:
            return changes
        return _as_it_was(db, names, subject, here) if here == entered else None

    def _sees(self, user: str, project: str) -> bool:
        return (self.user is None or user in ("", self.user)) and project not in self.private

    def _entered(self, db: Database, names: Names, subject: str) -> Stamp | None:
        """Return the act by which a memory last came into sight; None if it was never out of it."""
        user = project = ""
        was_seen, entered = True, None
        for clock, act, changes in deeds(db, names, subject):
            for record, action, _, after in changes:
                if record != "memory" or not after:
                    continue
                if action == "insert":
                    was_seen = self._sees(after.get("user", ""), after.get("project", ""))
                user, project = after.get("user", user), after.get("project", project)
                sees = self._sees(user, project)
                if sees and not was_seen:
                    entered = (clock, act)
                was_seen = sees
        return entered

    def receipts(self, told: list[Told]) -> list[Told]:
        """That something was forgotten may be known to all, since a name says nothing; which words, to the owner."""
        return told if self.user is None else [{**one, "words": []} for one in told]

    def forgetting(self, db: Database, told: list[Told], refused: dict[str, int]) -> list[Told]:
        """Receipts as far as they may have something forgotten here; a guest's may have to wait for its memory."""
        found: list[Told] = []
        for one in told:
            if self.user is not None:
                one = {**one, "actor": self._signed(one["actor"]), "words": []}
            by, uid = _signer(one["actor"]), one["uid"]
            owner = db.read("sync.owner", {"uid": uid})
            whose = owner[0][0] if owner else self.user
            if self.user is not None and whose not in ("", self.user):
                count(refused, "it is another user's")
            elif by in ("", WHOLE, self.asks_as) or not uid.startswith("mem_"):
                found.append(one)
            elif owner and whose != by and not self._is_of(db, uid, by):
                count(refused, "only who made it, or the owner of the hub, forgets it for all")
            elif owner or db.read("sync.is_forgotten", {"uid": uid})[0][0]:
                found.append(one)
            else:
                note(db, one["at"], ("sync.claim", {"wants": f"{WAITS}{by}", "subject": uid}))
        return found

    def due(self, db: Database, now: int) -> list[tuple[Told, Scope]]:
        """Receipts that waited for a memory that came meanwhile, and hold: it is of him who forgot it."""
        found: list[tuple[Told, Scope]] = []
        for wants, uid, user in db.read("sync.waited_for"):
            by = wants.removeprefix(WAITS)
            if by in (user, _maker(db, uid)):
                one = {"uid": uid, "actor": f"{by} (as {by})", "at": now, "words": []}
                found.append((one, Scope(user=by) if self.guest else self.scope))
            else:
                note(db, now, ("sync.unclaim", {"wants": wants, "subject": uid}))
        return found

    def entering(
        self, db: Database, act: Act | None, origin: str, refused: dict[str, int]
    ) -> Act | None:
        """Return an act as far as it may enter; None if nothing of it may."""
        if act is None:
            return None
        if _hides(act):
            count(refused, "it holds a secret")
            return None
        subjects = {}
        for subject, changes in act["subjects"].items():
            if reason := self._reason_to_refuse(db, subject, changes):
                count(refused, reason)
            else:
                subjects[subject] = changes
        if not subjects:
            return None
        if self.guest:
            act = {**act, "actor": self._signed(act["actor"]), "origin": origin}
        return {**act, "subjects": subjects}

    def _signed(self, actor: str) -> str:
        """Return who did it, as far as the token vouches for that."""
        is_his = not self.guest or _signer(actor) == self.guest
        return actor if is_his else f"{self.guest} (as {actor})"

    def _is_of(self, db: Database, uid: str, by: str) -> bool:
        """Tell whether somebody made a memory, as this file knows it. Machines of one's own say what no token vouches
        for: they have looked at it.
        """
        maker = _maker(db, uid)
        return maker == by or (not maker and not self.guest and self.asks_as is None)

    def _reason_to_refuse(self, db: Database, subject: str, changes: list[Change]) -> str:
        if subject in LOCAL:
            return "it is each file's own to set"
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
        if not users <= {"", self.user}:
            return "it is another user's"
        if not self.guest or row is None or row["user"] or self._is_of(db, subject, self.guest):
            return ""
        if any(map(_takes_away, changes)):
            return "only who made it, or the owner of the hub, removes it"
        if self._left == 0:
            self.is_exhausted = True
            return f"more than {MOST_OF_OTHERS} changes of what others share at once: sync again for the rest"
        self._left -= 1
        return ""

    def review(self, db: Database, taking: Taking, act: Act, now: int) -> None:
        """Let orders and rules that a guest brought for everybody wait as candidates, as an import's do."""
        steps: list[Step] = [
            ("sync.wait", {"uid": uid, "now": now})
            for uid, changes in act["subjects"].items()
            if self.guest and is_memory(uid) and any(map(_says, changes)) and _orders(db, uid)
        ]
        if steps:
            why = "a guest's rule waits for the owner"
            db.write(steps, verb="review", actor="hub", at=now, reason=why)
            taking.forget_what_was_read()


def _signer(actor: str) -> str:
    signed = _SIGNED.fullmatch(actor)
    return signed[1] if signed else ""


def _maker(db: Database, uid: str) -> str:
    """Whose token a memory was made under, as the act that came first of it says; '' if no token vouches for it."""
    [(actor, is_own)] = db.read("sync.brought_by", {"subject": uid})
    maker = ""
    while not is_own and actor and (signed := _SIGNED.fullmatch(actor)):
        maker, actor = signed.groups()
    return maker


def count(counts: dict[str, int], reason: str, many: int = 1) -> None:
    """Count what was left outside, by why."""
    counts[reason] = counts.get(reason, 0) + many


def _takes_away(change: Change) -> bool:
    """Tell whether a change takes a memory out of the sight of those who had it."""
    record, action, _, after = change
    said = after or {}
    if record == "memory":
        is_gone = action == "delete" or said.get("state") in ("archived", "deleted")
        return is_gone or bool(action == "update" and _PLACES & said.keys())
    return record == "fact" and bool({"valid_to", "superseded_by"} & said.keys())


def _says(change: Change) -> bool:
    """Tell whether a change says what a memory says, or for what it holds."""
    words = {"content", "kind", "state", "priority"}
    return change[0] == "memory" and bool(words & (change[3] or {}).keys())


def _orders(db: Database, uid: str) -> bool:
    """Tell whether a memory for everybody is active and tells an agent what to do."""
    row = db.row("memory", "uid", uid)
    if row is None or row["user"] or row["state"] != "active":
        return False
    kind = db.row("kind", "name", row["kind"]) or {}
    is_bidding = any(kind.get(name) for name in _ORDERS)
    return is_bidding or any(one.kind == "injection" for one in guard.inspect(row["content"]))


def _as_it_was(db: Database, names: Names, uid: str, at: Stamp) -> list[Change] | None:
    """Return a memory as it stood after an act, told as if it began with it."""
    from cogmem.sync import fold

    state = fold.memory([d for d in deeds(db, names, uid) if d[:2] <= at])
    if state.row is None:
        return None
    ties = [
        ["link", "insert", None, {"relation": relation, "to": to, "created_at": when}]
        for (relation, to), when in state.links.items()
    ]
    return [
        ["memory", "insert", None, state.row],
        [state.table, "insert", None, state.detail],
        *ties,
    ]


def texts_of(changes: list[Change]) -> list[str]:
    """Return every text that these changes tell, once."""
    found: dict[str, None] = {}
    for _, _, before, after in changes:
        for side in (before, after):
            for name, text in (side or {}).items():
                if text.__class__ is str and text and name not in _PLAIN and text not in _NOTHING:
                    found[text] = None
    return list(found)


def holds_secret(changes: list[Change]) -> bool:
    """Tell whether a text of these changes holds what may not be stored."""
    return any(_is_secret(text) for text in texts_of(changes))


def _hides(act: Act) -> bool:
    return any(_is_secret(act[name] or "") for name in ("actor", "reason", "verb", "run"))


def _is_secret(text: str) -> bool:
    return may_name(text) and any(
        finding.kind == "secret" for finding in guard.inspect(text, with_orders=False)
    )
