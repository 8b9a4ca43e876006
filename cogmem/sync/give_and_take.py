"""One side of an exchange: what it gives of its acts, and how it takes those of the other.

The same four requests serve a file beside this one, a program on the other end of a pipe, and a hub:

    hello  who I am                      → who you are, how far your acts and mine are known
    give   acts and receipts after a place → what was left outside
    take   how far yours are known       → the next of yours
    done   all that you gave is known to you; do not send it back

Every answer is whole: what was given is stored, with the mark of how far it goes, before it is said to be. A request
that was lost is sent again, and does nothing the second time. A mark moves only from where it stood, and not past
what waits outside; who begins anew may say so at any time.
"""

from __future__ import annotations

from contextlib import contextmanager

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.file import clock
from cogmem.file.making import SCHEMA_VERSION
from cogmem.records import new_uid
from cogmem.sync import well_formed
from cogmem.sync.acts import Names, feed, own_name
from cogmem.sync.admission import Door
from cogmem.sync.forgetting import forget_too, receipts
from cogmem.sync.settle import Taking
from cogmem.sync.well_formed import FEEDS
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.sync.acts import Act
    from cogmem.sync.well_formed import Upto

    Message = dict[str, Any]

NOWHERE: Upto = {**dict.fromkeys(FEEDS, 0), "proof": ""}


class Side:
    """This file in an exchange."""

    def __init__(self, db: Database, door: Door, *, now: int, label: str = "") -> None:
        self.db = db
        self.door = door
        self.now = now
        self.label = label
        self.self = own_name(db)
        self.names = Names(db)
        self.taken: dict[str, int] = {"acts": 0, "forgotten": 0}
        self.refused: dict[str, int] = {}  # why, and how many
        self.held_back: dict[str, int] = {}  # origin to the clock of acts that are too far ahead
        self.arrived = 0  # rows of `arrival` that this exchange wrote
        self.told = 0  # receipts that it brought

    # -- what it knows ---------------------------------------------------------------------------

    def heads(self) -> Upto:
        """Tell how far the feeds of this file go."""
        if self.db.read("sync.has_unnamed")[0][0]:
            self.db.write([], verb="sync", actor="sync", at=self.now)  # names them
        if not self.db.read("sync.is_settled")[0][0]:
            with self.db.together():
                Taking(self.db, self.now).settle()
        return self._proved(dict(zip(FEEDS, self.db.read("sync.heads")[0], strict=True)))

    def known(self, origin: str, sight: str) -> Upto:
        """Tell how far the feeds of another file are known here, of what it lets this one see."""
        found = self.db.read("sync.peer", {"origin": self._peer(origin, sight)})
        return dict(zip((*FEEDS, "proof"), found[0], strict=False)) if found else dict(NOWHERE)

    def taken_from(self, origin: str, sight: str) -> dict[str, int]:
        """Return what is known of the files of a folder."""
        found = self.db.read("sync.peer", {"origin": self._peer(origin, sight)})
        return mapped(found[0][4]) if found else {}

    def note(
        self, origin: str, sight: str, upto: Upto, *, label: str = "", taken: str = "{}"
    ) -> None:
        """Tell how far they are known now."""
        row = {name: upto[name] for name in (*FEEDS, "proof")}
        row |= {"origin": self._peer(origin, sight), "label": label, "taken": taken}
        self.db.write(
            [("sync.met", {**row, "now": self.now})], verb="sync", actor="sync", at=self.now
        )

    def _peer(self, origin: str, sight: str) -> str:
        """Name the peer: how far a feed is known depends on what of it one sees, and at a hub on the token."""
        bound = f"for {self.door.guest}" if self.door.guest else ""
        return " ".join(part for part in (origin, sight, bound) if part)

    def _proved(self, upto: Upto) -> Upto:
        """Return a place with what stands there: where that is gone, the file was restored."""
        return {**upto, "proof": str(self.db.read("sync.proof", upto)[0][0])}

    def trusted(self, upto: Upto) -> Upto:
        """Return a place in this file's feeds, if it is one: a file that was restored begins anew."""
        return upto if self._proved(upto) == upto else dict(NOWHERE)

    def take_another_name(self, origin: str) -> None:
        """Another file does acts under this one's name: it is a copy, or this one was restored from one."""
        self.db.write(
            [("sync.rename_self", {"origin": origin})], verb="sync", actor="sync", at=self.now
        )
        self.self = origin

    def unless_more_came(self, sent: Upto) -> Upto | None:
        """Tell how far the feeds go now, if nothing stands in them after a place but what this exchange brought."""
        heads = self.heads()
        own = self.db.read("sync.changes", {"after": sent["changes"], "size": 1})
        if any(row[0] <= heads["changes"] for row in own):
            return None
        arrived = self.db.read("sync.arrived_since", {"after": sent["arrivals"]})[0][0]
        gone = self.db.read("sync.receipts", {"after": sent["receipts"], "size": 1 << 40})
        is_echo = arrived <= self.arrived and len(gone) <= self.told
        return heads if is_echo else None

    # -- giving and taking -----------------------------------------------------------------------

    def batch(self, upto: Upto, without: str | None, door: Door) -> tuple[Message, Upto]:
        """Return the next acts and receipts after a place, and how far that goes.

        Of the acts of `without` only the names go: who has them all the same need not get them.
        """
        told, last = receipts(self.db, upto["receipts"])
        acts, changes, arrivals = feed(self.db, self.names, upto["changes"], upto["arrivals"])
        if not acts:
            heads = self.heads()
            changes, arrivals = heads["changes"], heads["arrivals"]
        to = {**upto, "changes": changes, "arrivals": arrivals, "receipts": last}
        leaving = [
            act
            for act in (door.leaving(self.db, self.names, act) for act in acts)
            if act is not None
        ]
        given = [act for act in leaving if act["origin"] != without]
        yours = [[act["act"], list(act["subjects"])] for act in leaving if act["origin"] == without]
        return {"acts": given, "yours": yours, "receipts": door.receipts(told)}, self._proved(to)

    def lacks(self, yours: Any) -> bool:
        """Tell whether acts that bear this file's name are not here: it was restored, or another is a copy of it."""
        forgotten: set[str] | None = None
        for one in yours if isinstance(yours, list) else ():
            if not isinstance(one, list) or len(one) != 2 or not isinstance(one[1], list):
                continue
            act, subjects = str(one[0]), [str(subject) for subject in one[1]]
            if self.db.read("sync.is_own", {"act": act})[0][0]:
                continue
            if forgotten is None:
                forgotten = {uid for (uid,) in self.db.read("sync.forgotten")}
            for subject in subjects:
                place = {"subject": subject, "act": act}
                if subject not in forgotten and not self.db.read("sync.has_arrived", place)[0][0]:
                    return True
        return False

    def take(
        self, given: Message, origin: str, sight: str, after: Upto, upto: Upto, label: str = ""
    ) -> None:
        """Take in what another file gave after a place, and note how far its feeds are known."""
        with self._taking(given, origin) as is_all:
            began = after == NOWHERE or after == self.known(origin, sight)
            if is_all and began:
                self.note(origin, sight, upto, label=label)

    def take_in(self, given: Message, origin: str) -> bool:
        """Take in what lay in a folder; False if some of it has to wait outside."""
        with self._taking(given, origin) as is_all:
            return is_all

    @contextmanager
    def _taking(self, given: Message, origin: str) -> Iterator[bool]:
        """Take a batch in within a block of writes; say whether nothing of it waits outside."""
        acts, told, faults = well_formed.batch(given)
        for fault, count in faults.items():
            self.refused[fault] = self.refused.get(fault, 0) + count
        told = self.door.forgetting(self.db, told, self.refused)
        news, gone = forget_too(self.db, told, self.door.scope)
        self.taken["forgotten"] += gone
        self.told += news
        acts.sort(key=lambda act: (act["clock"], act["act"]))
        with self.db.together():
            taking = Taking(self.db, self.now)
            taking.settle()
            came_in = [self._take(taking, act, origin) for act in acts]
            yield all(came_in)
            taking.done()
        for one, scope in self.door.due(self.db, self.now):
            self.taken["forgotten"] += forget_too(self.db, [one], scope)[1]
        self.arrived += taking.arrived

    def _take(self, taking: Taking, act: Act, origin: str) -> bool:
        """Take in one act; False if it has to wait outside."""
        if clock.is_ahead(act["clock"], self.now):
            self.held_back[act["origin"]] = max(act["clock"], self.held_back.get(act["origin"], 0))
            return False
        entering = self.door.entering(self.db, taking.unknown(act), origin, self.refused)
        try:
            if entering is not None:
                taking.take(entering)
                self.taken["acts"] += 1
                self.door.review(self.db, taking, entering, self.now)
        except DatabaseProblem:
            raise  # no room, a lock, a damaged file: nothing of this batch is stored, and it comes again
        except (CogmemError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            taking.forget_what_was_read()
            why = (
                str(error) if isinstance(error, CogmemError) else "its changes do not fit together"
            )
            self.refused[f"{act['act']}: {why}"] = 1
        return not self.door.is_exhausted

    # -- answering -------------------------------------------------------------------------------

    def answer(self, said: Message) -> Message:
        """Return what this side says to a request of the other."""
        request = well_formed.request(said)
        do, origin, sight = request["do"], request["origin"], request["sight"]
        door = self.door.narrowed(request["user"])
        if do == "hello":
            return self._hello(request, door)
        if do == "give" and "after" in request and "upto" in request:
            if self.lacks(request.get("yours")):  # a hub that was restored meets nobody by itself
                if not self.door.guest:
                    self.take_another_name(new_uid("org"))
                return {"lacks": True}
            self.take(request, origin, sight, request["after"], request["upto"], self.label)
            return {"refused": self.refused, "ahead": self.held_back}
        if do == "take" and "after" in request:
            without = None if request.get("with_own") else origin
            batch, upto = self.batch(self.trusted(request["after"]), without, door)
            return {**batch, "upto": upto}
        if do == "done" and "after" in request and "upto" in request:
            if self.known(origin, sight) == request["after"]:
                self.note(origin, sight, request["upto"], label=self.label)
            return {}
        raise InvalidInput(f"no request is called {do!r}: is the other side a later cogmem?")

    def _hello(self, request: Message, door: Door) -> Message:
        if request.get("schema") != SCHEMA_VERSION:
            raise InvalidInput(
                f"the other cogmem keeps files of schema {request.get('schema')}, this one of {SCHEMA_VERSION}: "
                "upgrade the older one"
            )
        return {
            "origin": self.self,
            "schema": SCHEMA_VERSION,
            "sight": door.sight,
            "you": door.guest,
            "is_taken": self._is_of_another(request["origin"]),
            "known": self.known(request["origin"], request["sight"]),
            "heads": self.heads(),
        }

    def _is_of_another(self, origin: str) -> bool:
        """Tell whether a name belongs to a file that comes with the token of another user."""
        if not self.door.guest:
            return False
        mine = f" for {self.door.guest}"
        found = [name for (name,) in self.db.read("sync.named", {"origin": origin})]
        return bool(found) and not any(name.endswith(mine) for name in found)
