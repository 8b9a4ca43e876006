"""Two files bring each other up to date: each gets everything that only the other one knows.

The same four requests serve a file beside this one, a program on the other end of a pipe, and a hub:

    hello  who I am                      → who you are, how far your acts and mine are known
    give   acts and receipts after a place → what was left outside
    take   how far yours are known       → the next of yours
    done   all that you gave is known to you; do not send it back

What was given is stored, with the mark of how far it goes, before it is said to be; a request that was lost is sent
again, and does nothing the second time. A mark moves only from where it stood, and not past what waits outside.
What was forgotten in one file is forgotten in all. A receipt names the memory that is gone, never what it said;
words that a person named travel as their length and a digest, and each file looks for them in its own texts.
"""

from __future__ import annotations

from contextlib import contextmanager

from cogmem.errors import CogmemError, DatabaseProblem, InvalidInput
from cogmem.file.making import SCHEMA_VERSION
from cogmem.records import Record, Report, new_uid
from cogmem.store.erase import Receipt
from cogmem.store.forget import follow, words_of
from cogmem.sync import well_formed
from cogmem.sync.acts import AT_ONCE, Names, feed, is_ahead, note, own_name
from cogmem.sync.admission import Door, count, texts_of
from cogmem.sync.settle import Taking
from cogmem.sync.well_formed import FEEDS
from cogmem.text.cell import listed, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.sync.acts import Act
    from cogmem.sync.admission import Told
    from cogmem.sync.well_formed import Upto

    Message = dict[str, Any]
    Ask = Callable[[Message], Message]

NOWHERE: Upto = {**dict.fromkeys(FEEDS, 0), "proof": ""}


def receipts(db: Database, after: int) -> tuple[list[Told], int]:
    """Return the next receipts after this number, and how far that goes."""
    found: list[Told] = []
    rows = db.read("sync.receipts", {"after": after, "size": AT_ONCE})
    for _, uid, actor, at, words in rows:
        if uid.startswith("mem_") or words != "[]":  # a message has its number in this file only
            # Why is said at home: the others need to know that, and not more.
            found.append({"uid": uid, "actor": actor, "at": at, "words": listed(words)})
    return found, rows[-1][0] if rows else after


def forget_too(db: Database, told: Iterable[Told], scope: Scope) -> tuple[int, int]:
    """Forget here what others forgot. Returns how much of it was new, and how many memories went with it."""
    known = {uid for (uid,) in db.read("sync.forgotten")}
    new: dict[str, Told] = {}
    made: dict[tuple[str, int, str], Receipt] = {}
    for one in told:
        if (uid := one["uid"]) in known or new.setdefault(uid, one) is not one:
            continue
        actor, at, words = one["actor"], one["at"], one["words"]
        if (group := (actor, at, repr(words))) not in made:
            made[group] = Receipt([], actor=actor, reason="forgotten elsewhere", at=at)
            made[group].words = words
        made[group].uids.append(uid)
    if made:
        follow(db, [*made.values()], [words_of(db, one.words) for one in made.values()], scope)
    return len(new), sum(len(receipt.uids) for receipt in made.values())


class Side:
    """This file in an exchange: what it gives of its acts, and how it takes those of the other."""

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

    def heads(self) -> Upto:
        """Tell how far the feeds of this file go."""
        if self.db.read("seal.has_unnamed")[0][0]:
            note(self.db, self.now)  # names them
        if not self.db.read("sync.is_settled")[0][0]:
            with self.db.together():
                Taking(self.db, self.now).settle()
        return self._proved(dict(zip(FEEDS, self.db.read("sync.heads")[0], strict=True)))

    def known(self, origin: str, sight: str) -> Upto:
        """Tell how far the feeds of another file are known here, of what it lets this one see."""
        found = self.db.read("sync.peer", {"origin": self._peer(origin, sight)})
        return dict(zip(NOWHERE, found[0], strict=False)) if found else dict(NOWHERE)

    def taken_from(self, origin: str, sight: str) -> dict[str, int]:
        """Return what is known of the files of a folder."""
        found = self.db.read("sync.peer", {"origin": self._peer(origin, sight)})
        return mapped(found[0][4]) if found else {}

    def note(
        self, origin: str, sight: str, upto: Upto, *, label: str = "", taken: str = "{}"
    ) -> None:
        """Tell how far they are known now."""
        row = {name: upto[name] for name in NOWHERE} | {"origin": self._peer(origin, sight)}
        note(
            self.db,
            self.now,
            ("sync.met", {**row, "label": label, "taken": taken, "now": self.now}),
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

    def take_another_name(self) -> None:
        """Another file does acts under this one's name: it is a copy, or this one was restored from one."""
        self.self = new_uid("org")
        note(self.db, self.now, ("sync.rename_self", {"origin": self.self}))

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

    def batch(self, upto: Upto, without: str | None, door: Door) -> tuple[Message, Upto]:
        """Return the next acts and receipts after a place, and how far that goes. Of the acts of `without` only the
        names go: who has them all the same need not get them."""
        told, last = receipts(self.db, upto["receipts"])
        acts, changes, arrivals = feed(self.db, self.names, upto["changes"], upto["arrivals"])
        if not acts:
            heads = self.heads()
            changes, arrivals = heads["changes"], heads["arrivals"]
        to = {**upto, "changes": changes, "arrivals": arrivals, "receipts": last}
        leaving = [out for act in acts if (out := door.leaving(self.db, self.names, act))]
        given = [act for act in leaving if act["origin"] != without]
        yours = [[act["act"], list(act["subjects"])] for act in leaving if act["origin"] == without]
        return {"acts": given, "yours": yours, "receipts": door.receipts(told)}, self._proved(to)

    def lacks(self, yours: Any) -> bool:
        """Tell whether acts that bear this file's name are not here: it was restored, or another is a copy of it."""
        forgotten = {uid for (uid,) in self.db.read("sync.forgotten")} if yours else set()
        for one in yours if isinstance(yours, list) else ():
            if not isinstance(one, list) or len(one) != 2 or not isinstance(one[1], list):
                continue
            act = str(one[0])
            if self.db.read("sync.is_own", {"act": act})[0][0]:
                continue
            for subject in {*map(str, one[1])} - forgotten:
                if not self.db.read("sync.has_arrived", {"subject": subject, "act": act})[0][0]:
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
        for fault, many in faults.items():
            count(self.refused, fault, many)
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
        if is_ahead(act["clock"], self.now):
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
            is_told = isinstance(error, CogmemError)
            why = str(error) if is_told else "its changes do not fit together"
            self.refused[f"{act['act']}: {why}"] = 1
        return not self.door.is_exhausted

    def answer(self, said: Message) -> Message:
        """Return what this side says to a request of the other."""
        request = well_formed.request(said)
        do, origin, sight = request["do"], request["origin"], request["sight"]
        door = self.door.narrowed(request["user"])
        if do == "hello":
            if request.get("schema") != SCHEMA_VERSION:
                raise InvalidInput(_other_schema("the other cogmem", request))
            me = {"origin": self.self, "schema": SCHEMA_VERSION, "sight": door.sight}
            you = {"you": door.guest, "is_taken": self._is_of_another(origin)}
            return {**me, **you, "known": self.known(origin, sight), "heads": self.heads()}
        if do == "give" and "after" in request and "upto" in request:
            if self.lacks(request.get("yours")):  # a hub that was restored meets nobody by itself
                if not self.door.guest:
                    self.take_another_name()
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

    def _is_of_another(self, origin: str) -> bool:
        found = self.db.read("sync.named", {"origin": origin}) if self.door.guest else []
        mine = f" for {self.door.guest}"
        return bool(found) and not any(name.endswith(mine) for (name,) in found)


def _other_schema(whose: str, said: Message) -> str:
    return f"{whose} keeps files of schema {said.get('schema')}, this one of {SCHEMA_VERSION}: upgrade the older one"


class Synced(Report):
    """What an exchange did: acts and forgotten memories that went and came, and what stayed outside."""

    target: str
    sent: int
    received: int
    forgotten: int  # memories that went here because they were forgotten elsewhere
    refused: dict[str, int]  # why -> how many
    ahead: dict[str, int]  # origin -> ms by which its clock is ahead
    waiting: bool  # something is on its way and not whole yet
    conflicts: int  # contradictions that wait for a review; this and the next two are counted when something came
    without_key: int  # memories whose key another one took
    overwritten: int  # texts that a later one took the place of, whose writer had not seen them
    outstanding: list[str]  # files of this machine that may still hold what was forgotten


def exchange(side: Side, ask: Ask, target: str) -> Synced:
    """Give what the other lacks, then take what it has more."""
    result = Synced(target)
    heads = side.heads()
    hello = _hello(side, ask, target)
    if hello["origin"] == side.self or hello.get("is_taken"):
        side.take_another_name()
        hello = _hello(side, ask, target)
    other = hello["origin"]
    sent = _give(side, ask, other, side.trusted(hello["known"]), heads, result)
    known = side.known(other, hello["sight"])
    if not _is_same(known, hello["heads"]):
        is_alone = _take(side, ask, hello, known, target)
        came = side.taken["acts"] or side.taken["forgotten"]
        if came and (upto := side.unless_more_came(sent)):  # it need not be sent back
            ask(_request(side, "done", after=sent, upto=upto))
        if not is_alone:  # from now on the two can be told from each other
            side.take_another_name()
    result.received, result.forgotten = side.taken["acts"], side.taken["forgotten"]
    for reason, many in side.refused.items():
        count(result.refused, reason, many)
    for origin, at in side.held_back.items():
        result.ahead[origin] = max(at, result.ahead.get(origin, 0))
    return result


def _hello(side: Side, ask: Ask, target: str) -> Message:
    """Return who is there, as far as that can be believed."""
    said = ask(_request(side, "hello", schema=SCHEMA_VERSION))
    if said.get("schema") != SCHEMA_VERSION:
        raise InvalidInput(_other_schema(target, said))
    if said.get("you"):
        side.door.asks_as = str(said["you"])[:200]
    places = {name: well_formed.place(said.get(name)) for name in ("known", "heads")}
    return {
        **said,
        **places,
        "origin": well_formed.origin(said.get("origin")),
        "sight": str(said.get("sight", ""))[:100],
    }


def _request(side: Side, do: str, **more: Any) -> Message:
    door = side.door
    return {"do": do, "origin": side.self, "sight": door.sight, "user": door.user, **more}


def _is_same(upto: Upto, heads: Upto) -> bool:
    return all(upto[name] == heads[name] for name in NOWHERE)


def _give(side: Side, ask: Ask, other: str, upto: Upto, heads: Upto, result: Synced) -> Upto:
    while not _is_same(upto, heads):
        batch, to = side.batch(upto, other, side.door)
        if to == upto:
            break
        said = ask(_request(side, "give", after=upto, upto=to, **batch))
        if said.get("lacks"):
            batch, to = side.batch(upto, None, side.door)
            said = ask(_request(side, "give", after=upto, upto=to, **batch))
        result.sent += len(batch["acts"])
        for told, counts in (
            (said.get(name), getattr(result, name)) for name in ("refused", "ahead")
        ):
            for name, many in told.items() if isinstance(told, dict) else ():
                if isinstance(many, int):
                    counts[str(name)[:500]] = many
        upto = to
    return upto


def _take(side: Side, ask: Ask, hello: Message, upto: Upto, target: str) -> bool:
    """Take what is new there; False if something of it was done under this file's name, and not here."""
    is_alone = True
    while True:
        given = ask(_request(side, "take", after=upto))
        if side.lacks(given.get("yours")):
            is_alone = False
            given = ask(_request(side, "take", after=upto, with_own=True))
        to = well_formed.place(given.get("upto"))
        if to == upto:
            return is_alone
        side.take(given, hello["origin"], hello["sight"], upto, to, target)
        upto = to
        if all(upto[name] >= hello["heads"][name] for name in FEEDS):
            return is_alone


class Leaving(Record):
    """What would leave in an exchange: a memory or a piece of policy, in how many acts it was changed, and every text
    that these acts tell of it."""

    subject: str
    acts: int
    content: str
    user: str
    project: str
    texts: list[str]


class What(Report):
    """What an exchange would do: memories and policy that would leave, and how many acts would come."""

    target: str
    acts: int
    leaving: list[Leaving]
    reasons: list[str]  # why and by whom acts were done: that leaves with them
    receiving: int


def preview(side: Side, ask: Ask | None, target: str, upto: Upto) -> What:
    """Return what would go after a place in this file's feeds, and come from the other; nothing moves."""
    result = What(target)
    other = None
    if ask is not None:
        hello = _hello(side, ask, target)
        other, upto = hello["origin"], side.trusted(hello["known"])
        there = side.known(other, hello["sight"])
        while not _is_same(there, hello["heads"]):
            given = ask(_request(side, "take", after=there))
            acts, _, _ = well_formed.batch(given)
            result.receiving += len(acts)
            to = well_formed.place(given.get("upto"))
            if to == there:
                break
            there = to
    texts: dict[str, dict[str, None]] = {}
    counts: dict[str, int] = {}
    reasons: dict[str, None] = {}
    while True:
        batch, to = side.batch(upto, other, side.door)
        result.acts += len(batch["acts"])
        for act in batch["acts"]:
            reasons |= dict.fromkeys(said for said in (act["actor"], act["reason"]) if said)
            for subject, changes in act["subjects"].items():
                counts[subject] = counts.get(subject, 0) + 1
                texts.setdefault(subject, {}).update(dict.fromkeys(texts_of(changes)))
        if to == upto:
            break
        upto = to
    for subject, many in counts.items():
        row = side.db.row("memory", "uid", subject) or {}
        told = {name: row.get(name, "") for name in ("content", "user", "project")}
        others = [text for text in texts[subject] if text not in told.values()]
        result.leaving.append(Leaving(subject=subject, acts=many, texts=others, **told))
    result.reasons = list(reasons)
    return result
