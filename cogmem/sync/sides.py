"""One side of an exchange: what it gives of its acts, and how it takes those of the other.

The same four requests serve a file beside this one, a program on the other end of a pipe, and a hub:

    hello  who I am                  → who you are, how far your acts and mine are known
    give   acts and receipts of mine → how far mine are known now
    take   how far yours are known   → the next of yours
    done   all that you gave is known to you; do not send it back

Every answer is whole: what was given is stored, with the mark of how far it goes, before it is said to be. A request
that was lost is sent again, and does nothing the second time.
"""

from __future__ import annotations

from cogmem.errors import CogmemError, InvalidInput
from cogmem.file import clock
from cogmem.file.making import SCHEMA_VERSION
from cogmem.sync.acts import Names, feed, own_name, past
from cogmem.sync.door import Door
from cogmem.sync.forgetting import forget_too, receipts
from cogmem.sync.settle import Taking
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database

    Message = dict[str, Any]
    Upto = dict[str, Any]  # changes, arrivals, receipts, proof: a place in the feeds of a file

FEEDS = ("changes", "arrivals", "receipts", "messages")
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
        self.refused: dict[str, int] = {}  # why, and how many subjects of acts
        self.held_back: dict[str, int] = {}  # origin to the clock of acts that are too far ahead
        self.arrived = 0  # rows of `arrival` that this exchange wrote
        self.told = 0  # receipts that it brought

    # -- what it knows ---------------------------------------------------------------------------

    def heads(self) -> Upto:
        """How far the feeds of this file go."""
        if self.db.read("sync.has_unnamed")[0][0]:
            self.db.write([], verb="sync", actor="sync", at=self.now)  # names them
        if not self.db.read("sync.is_settled")[0][0]:
            with self.db.together():
                Taking(self.db, self.now).settle()
        heads = dict(zip(FEEDS, self.db.read("sync.heads")[0], strict=True))
        return {**heads, "proof": self._proof(heads["changes"])}

    def known(self, origin: str, sight: str) -> Upto:
        """How far the feeds of another file are known here, of what it lets this one see."""
        found = self.db.read("sync.peer", {"origin": _peer(origin, sight)})
        return dict(zip((*FEEDS, "proof"), found[0], strict=False)) if found else dict(NOWHERE)

    def taken_from(self, origin: str, sight: str) -> dict[str, int]:
        """How many of the files that lie in a folder were taken in, by whose they are."""
        found = self.db.read("sync.peer", {"origin": _peer(origin, sight)})
        return mapped(found[0][5]) if found else {}

    def note(
        self, origin: str, sight: str, upto: Upto, *, label: str = "", taken: str = "{}"
    ) -> None:
        """How far they are known now."""
        row = {name: upto[name] for name in (*FEEDS, "proof")}
        row |= {"origin": _peer(origin, sight), "label": label, "taken": taken, "now": self.now}
        self.db.write([("sync.met", row)], verb="sync", actor="sync", at=self.now)

    def _proof(self, number: int) -> str:
        found = self.db.read("sync.proof", {"id": number})
        return str(found[0][0] or "") if found else ""

    def trusted(self, upto: Upto) -> Upto:
        """A place in this file's feeds, if it is one: a file that was restored begins anew."""
        if upto["changes"] == 0 or self._proof(upto["changes"]) == upto["proof"]:
            return upto
        return {**NOWHERE, "receipts": min(upto["receipts"], self.db.read("sync.heads")[0][2])}

    def take_another_name(self, origin: str) -> None:
        """A copy of a file has the name of the other: one of them takes a new one."""
        self.db.write(
            [("sync.rename_self", {"origin": origin})], verb="sync", actor="sync", at=self.now
        )
        self.self = origin

    def unless_more_came(self, sent: Upto) -> Upto | None:
        """How far the feeds go now, if nothing stands in them after a place but what this exchange brought."""
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
        """The next acts and receipts after a place, those of `without` left out, and how far that goes."""
        told, last = receipts(self.db, upto["receipts"])
        acts, changes, arrivals = feed(self.db, self.names, upto["changes"], upto["arrivals"])
        if not acts:
            heads = self.heads()
            changes, arrivals = heads["changes"], heads["arrivals"]
        to = {**upto, "changes": changes, "arrivals": arrivals, "receipts": last}
        to["proof"] = self._proof(changes)
        leaving = [
            act
            for act in (door.leaving(self.db, act) for act in acts if act["origin"] != without)
            if act is not None
        ]
        if not door.is_whole:
            for subject in dict.fromkeys(door.moved(acts)):
                leaving += door.all_of(self.db, past(self.db, self.names, self.self, subject))
        return {"acts": leaving, "receipts": door.receipts(told)}, to

    def take(self, given: Message, origin: str, sight: str, upto: Upto, label: str = "") -> None:
        """Take in what another file gave, and note how far its feeds are known."""
        told, gone = forget_too(
            self.db,
            self.door.forgetting(self.db, given["receipts"], self.refused),
            self.door.scope,
        )
        self.taken["forgotten"] += gone
        self.told += told
        acts = sorted(given["acts"], key=lambda act: (act["clock"], act["act"]))
        with self.db.together():
            taking = Taking(self.db, self.now)
            taking.settle()
            for act in acts:
                if clock.is_ahead(act["clock"], self.now):
                    self.held_back[act["origin"]] = max(
                        act["clock"], self.held_back.get(act["origin"], 0)
                    )
                    continue
                self._take(taking, act)
            if not self.held_back:
                self.note(origin, sight, upto, label=label)
            taking.done()
            self.arrived += taking.arrived

    def _take(self, taking: Taking, act: Message) -> None:
        entering = self.door.entering(self.db, act, self.refused)
        if entering is None:
            return
        try:
            self.taken["acts"] += taking.take(entering)
        except CogmemError as error:
            taking.forget_what_was_read()
            reason = f"{type(error).__name__}: {error}"
            self.refused[reason] = self.refused.get(reason, 0) + len(entering["subjects"])

    # -- answering -------------------------------------------------------------------------------

    def answer(self, request: Message) -> Message:
        """What this side says to a request of the other."""
        do = request.get("do")
        origin, sight = str(request["origin"]), str(request["sight"])
        door = self.door.narrowed(request["user"])
        if do == "hello":
            return self._hello(request, door)
        if do == "give":
            self.take(request, origin, sight, request["upto"], self.label)
            return {"refused": self.refused, "ahead": self.held_back}
        if do == "take":
            without = None if request.get("with_own") else origin
            batch, upto = self.batch(self.trusted(request["after"]), without, door)
            return {**batch, "upto": upto}
        if do == "done":
            self.note(origin, sight, request["upto"], label=self.label)
            return {}
        raise InvalidInput(f"no request is called {do!r}: is the other side a later cogmem?")

    def _hello(self, request: Message, door: Door) -> Message:
        if request["schema"] != SCHEMA_VERSION:
            raise InvalidInput(
                f"the other cogmem keeps files of schema {request['schema']}, this one of {SCHEMA_VERSION}: "
                "upgrade the older one"
            )
        return {
            "origin": self.self,
            "schema": SCHEMA_VERSION,
            "sight": door.sight,
            "known": self.known(str(request["origin"]), str(request["sight"])),
            "heads": self.heads(),
        }


def _peer(origin: str, sight: str) -> str:
    """How far a feed is known depends on what of it one is let see."""
    return f"{origin} {sight}" if sight else origin
