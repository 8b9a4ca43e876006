"""Two files bring each other up to date: each gets everything that only the other one knows."""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.file.making import SCHEMA_VERSION
from cogmem.records import Record, Report, new_uid
from cogmem.sync import well_formed
from cogmem.sync.admission import texts_of
from cogmem.sync.well_formed import FEEDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.sync.give_and_take import Message, Side
    from cogmem.sync.well_formed import Upto

    Ask = Callable[[Message], Message]


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
        side.take_another_name(new_uid("org"))
        hello = _hello(side, ask, target)
    other = hello["origin"]
    sent = _give(side, ask, other, side.trusted(hello["known"]), heads, result)
    known = side.known(other, hello["sight"])
    if not _is_same(known, hello["heads"]):
        is_alone = _take(side, ask, hello, known, target)
        if side.taken["acts"] or side.taken["forgotten"]:
            _done(side, ask, sent)
        if not is_alone:  # from now on the two can be told from each other
            side.take_another_name(new_uid("org"))
    result.received, result.forgotten = side.taken["acts"], side.taken["forgotten"]
    for reason, count in side.refused.items():
        result.refused[reason] = result.refused.get(reason, 0) + count
    for origin, clock in side.held_back.items():
        result.ahead[origin] = max(clock, result.ahead.get(origin, 0))
    return result


def _hello(side: Side, ask: Ask, target: str) -> Message:
    """Return who is there, as far as that can be believed."""
    said = ask(_request(side, "hello", schema=SCHEMA_VERSION))
    if said.get("schema") != SCHEMA_VERSION:
        raise InvalidInput(
            f"{target} keeps files of schema {said.get('schema')}, this cogmem of {SCHEMA_VERSION}:"
            " upgrade the older one"
        )
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
    return all(upto[name] == heads[name] for name in FEEDS) and upto["proof"] == heads["proof"]


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
        result.refused.update(_counts(said.get("refused")))
        result.ahead.update(_counts(said.get("ahead")))
        upto = to
    return upto


def _counts(said: Any) -> dict[str, int]:
    if not isinstance(said, dict):
        return {}
    return {str(name)[:500]: count for name, count in said.items() if isinstance(count, int)}


def _take(side: Side, ask: Ask, hello: Message, upto: Upto, target: str) -> bool:
    """Take what is new there; False if something of it was done under this file's name, and not here."""
    heads = hello["heads"]
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
        if all(upto[name] >= heads[name] for name in FEEDS):
            return is_alone


def _done(side: Side, ask: Ask, sent: Upto) -> None:
    """Tell the other that what came from it need not be sent back, if nothing else came meanwhile."""
    heads = side.unless_more_came(sent)
    if heads is not None:
        ask(_request(side, "done", after=sent, upto=heads))


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
    for subject, count in counts.items():
        row = side.db.row("memory", "uid", subject) or {}
        told = {name: row.get(name, "") for name in ("content", "user", "project")}
        others = [text for text in texts[subject] if text not in told.values()]
        result.leaving.append(Leaving(subject=subject, acts=count, texts=others, **told))
    result.reasons = list(reasons)
    return result
