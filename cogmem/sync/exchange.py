"""Two files bring each other up to date: each gets everything that only the other one knows."""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.file.making import SCHEMA_VERSION
from cogmem.records import Record, Report, new_uid
from cogmem.sync.sides import FEEDS, Side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.sync.sides import Message, Upto

    Ask = Callable[[Message], Message]


class Synced(Report):
    """What an exchange did: acts and forgotten memories that went and came, and what stayed outside."""

    target: str
    sent: int
    received: int
    forgotten: int
    refused: dict[str, int]
    ahead: dict[str, int]
    waiting: bool
    conflicts: int

    def __init__(self, target: str) -> None:
        self.target = target
        self.sent = 0
        self.received = 0
        self.forgotten = 0  # memories that went here because they were forgotten elsewhere
        self.refused: dict[str, int] = {}  # why -> how many
        self.ahead: dict[str, int] = {}  # origin -> ms by which its clock is ahead
        self.waiting = False  # something is on its way and not whole yet
        self.conflicts = 0  # contradictions that wait for a review; counted when something came


def exchange(side: Side, ask: Ask, target: str) -> Synced:
    """Give what the other lacks, then take what it has more."""
    result = Synced(target)
    heads = side.heads()
    hello = ask(_request(side, "hello", schema=SCHEMA_VERSION))
    if hello["origin"] == side.self:
        side.take_another_name(new_uid("org"))
        hello = ask(_request(side, "hello", schema=SCHEMA_VERSION))
    if hello["schema"] != SCHEMA_VERSION:
        raise InvalidInput(
            f"{target} keeps files of schema {hello['schema']}, this cogmem of {SCHEMA_VERSION}:"
            " upgrade the older one"
        )
    other = str(hello["origin"])
    was_restored = side.trusted(hello["known"]) != hello["known"]
    sent = _give(side, ask, other, side.trusted(hello["known"]), heads, result)
    known = side.known(other, hello["sight"])
    if was_restored or not _is_same(known, hello["heads"]):
        _take(side, ask, hello, known, was_restored, target)
        if side.taken["acts"] or side.taken["forgotten"]:
            _done(side, ask, sent)
    result.received, result.forgotten = side.taken["acts"], side.taken["forgotten"]
    for reason, count in side.refused.items():
        result.refused[reason] = result.refused.get(reason, 0) + count
    for origin, clock in side.held_back.items():
        result.ahead[origin] = max(clock, result.ahead.get(origin, 0))
    return result


def _request(side: Side, do: str, **more: Any) -> Message:
    door = side.door
    return {"do": do, "origin": side.self, "sight": door.sight, "user": door.user, **more}


def _is_same(upto: Upto, heads: Upto) -> bool:
    return all(upto[name] == heads[name] for name in FEEDS) and upto["proof"] == heads["proof"]


def _give(side: Side, ask: Ask, other: str, upto: Upto, heads: Upto, result: Synced) -> Upto:
    while not _is_same(upto, heads):
        batch, to = side.batch(upto, other, side.door)
        if to == upto:
            break
        said = ask(_request(side, "give", upto=to, **batch))
        result.sent += len(batch["acts"])
        result.refused.update(said["refused"])
        result.ahead.update(said["ahead"])
        upto = to
    return upto


def _take(side: Side, ask: Ask, hello: Message, upto: Upto, with_own: bool, target: str) -> None:
    heads = hello["heads"]
    while True:
        given = ask(_request(side, "take", after=upto, with_own=with_own))
        if given["upto"] == upto:
            return
        side.take(given, hello["origin"], hello["sight"], given["upto"], target)
        upto = given["upto"]
        if all(upto[name] >= heads[name] for name in FEEDS):
            return


def _done(side: Side, ask: Ask, sent: Upto) -> None:
    """Tell the other that what came from it need not be sent back, if nothing else came meanwhile."""
    heads = side.unless_more_came(sent)
    if heads is not None:
        ask(_request(side, "done", upto=heads))


class Leaving(Record):
    """What would leave in an exchange: a memory or a piece of policy, and in how many acts it was changed."""

    subject: str
    acts: int
    content: str
    user: str
    project: str


class What(Report):
    """What an exchange would do: memories and policy that would leave, and how many acts would come."""

    target: str
    acts: int
    leaving: list[Leaving]
    receiving: int

    def __init__(self, target: str) -> None:
        self.target = target
        self.acts = 0
        self.leaving: list[Leaving] = []
        self.receiving = 0


def preview(side: Side, ask: Ask | None, target: str, upto: Upto) -> What:
    """What would go after a place in this file's feeds, and come from the other; nothing moves."""
    result = What(target)
    subjects: dict[str, int] = {}
    other = None
    if ask is not None:
        hello = ask(_request(side, "hello", schema=SCHEMA_VERSION))
        other, upto = str(hello["origin"]), side.trusted(hello["known"])
        there = side.known(other, hello["sight"])
        while not _is_same(there, hello["heads"]):
            given = ask(_request(side, "take", after=there, with_own=False))
            result.receiving += len(given["acts"])
            if given["upto"] == there:
                break
            there = given["upto"]
    while True:
        batch, to = side.batch(upto, other, side.door)
        result.acts += len(batch["acts"])
        for act in batch["acts"]:
            for subject in act["subjects"]:
                subjects[subject] = subjects.get(subject, 0) + 1
        if to == upto:
            break
        upto = to
    for subject, acts in subjects.items():
        row = side.db.row("memory", "uid", subject) or {}
        told = {name: row.get(name, "") for name in ("content", "user", "project")}
        result.leaving.append(Leaving(subject=subject, acts=acts, **told))
    return result
