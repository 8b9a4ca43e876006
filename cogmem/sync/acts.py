"""Acts as they travel: what one transaction did, told by names that mean the same in every file.

An act goes out as `{act, clock, origin, verb, actor, reason, run, undoes, at, subjects}`. A subject is a memory by
its uid, or a row of policy (`setting silence`); what was done to it is a list of `[record, action, before, after]`.
Numbers of rows are this file's own and stay here: memories are named by their uids, messages by when and where they
were said.
"""

from __future__ import annotations

from json import dumps, loads

from cogmem.records import new_uid
from cogmem.text.cell import mapped
from cogmem.text.lines import hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.sync.fold import Change, Deed

    Act = dict[str, Any]

POLICY = ("kind", "setting", "gate_weight", "capture_rule")
AT_ONCE = 500  # changes of one batch, about
BYTES = 4 << 20  # of what they say
FIELDS = ("act", "clock", "origin", "verb", "actor", "reason", "run", "undoes", "at")
# A file's clock is the larger of its machine's time and the newest act that it knows, in ms and with a count below
# them, and one more for each act: what somebody does after he has seen an act comes after it, whatever his machine
# says. One that is more than a year ahead is not believed: its acts wait outside until their time comes.
MOST_AHEAD_MS = 400 * 86_400_000  # more than any clock that somebody looks at is ahead
WORTH_SAYING_MS = 2 * 86_400_000  # more than a wrong time zone does


def instant(clock: int) -> int:
    """Return the instant of a clock, in ms."""
    return clock >> 16


def is_ahead(clock: int, now: int, by: int = MOST_AHEAD_MS) -> bool:
    """Tell whether an act is of a time that no sound clock can have reached."""
    return instant(clock) > now + by


def is_memory(subject: str) -> bool:
    """Tell whether a subject is a memory, and not a row of policy."""
    return " " not in subject


def own_name(db: Database) -> str:
    """Return the name of this file among those that it exchanges acts with; made when it is first needed."""
    if not (found := db.read("sync.self")):
        note(db, db.read("sync.clock")[0][1], ("sync.name_self", {"origin": new_uid("org")}))
        found = db.read("sync.self")
    return str(found[0][0])


def note(db: Database, at: int, *steps: Step) -> None:
    """Write what an exchange keeps for itself."""
    db.write(steps, verb="sync", actor="sync", at=at)


class Names:
    """The uids behind the row numbers of this file, also of rows that are gone."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._known: dict[tuple[str, int], str | None] = {}
        self._gone: dict[int, str] | None = None

    def memory(self, number: Any) -> str | None:
        """Return the uid of a memory; None if it was forgotten."""
        return self._named("sync.uid_of", number, str)

    def message(self, number: Any) -> str | None:
        """Return the name of a message; None if it is gone."""
        return self._named("sync.message", number, _message_name)

    def _named(self, statement: str, number: Any, name: Callable[..., str]) -> str | None:
        if not isinstance(number, int):
            return None
        place = (statement, number)
        if place not in self._known:
            if found := self.db.read(statement, {"id": number}):
                self._known[place] = name(*found[0])
            elif statement == "sync.uid_of":
                if self._gone is None:
                    self._gone = {int(key): uid for key, uid in self.db.read("sync.gone")}
                self._known[place] = self._gone.get(number)
        return self._known.get(place)

    def message_called(self, name: str) -> int | None:
        """Return the number of a message of this name; None if none is here."""
        for number, *said in self.db.read("sync.messages_at", {"name": name}):
            if _message_name(*said) == name:
                return int(number)
        return None

    def told(self, record: str, action: str, *sides: str | None) -> Change:
        """Return one change of this file, with what was and what is, as others understand it."""
        return [record, action, *(self._row(record, side) for side in sides)]

    def _row(self, record: str, text: str | None) -> dict[str, Any] | None:
        if text is None:
            return None
        own = ("id", "memory_id", "from_id")
        row = {name: value for name, value in mapped(text).items() if name not in own}
        if record == "fact" and row.get("superseded_by") is not None:
            row["superseded_by"] = self.memory(row["superseded_by"])
        elif record == "link":
            to, message = row.pop("to_id", None), row.pop("message_id", None)
            row["to"] = self.memory(to) if to is not None else self.message(message)
        return row


def _message_name(said_at: int, place: str) -> str:
    return f"msg_{said_at}_{hash_of(place)[:16]}"


def subject_of(record: str, row_key: str, uid: str | None) -> str:
    """Return what a change is about."""
    return f"{record} {row_key}" if record in POLICY else uid or ""


def feed(db: Database, names: Names, changes: int, arrivals: int) -> tuple[list[Act], int, int]:
    """Return the next acts of this file after these numbers, and how far that goes: its own, and what it took in. An
    act of very many subjects goes in parts. What it did to one of them is never parted."""
    acts: dict[tuple[str, int], Act] = {}
    origin = own_name(db)
    rows, changes = _page(db, changes)
    clocks: dict[tuple[str, str], int] = {}
    for row in rows:
        act, clock_, verb, actor, reason, run, undoes, at, record, key, uid = row[1:12]
        subject = subject_of(record, key, uid)
        if not subject:
            continue
        clock_ = clocks.setdefault((act, subject), clock_)
        one = acts.get((act, clock_))
        if one is None:
            if undoes and undoes.startswith("change "):  # it had no act then, and has one now
                found = db.read("sync.act_of_change", {"id": undoes[7:]})
                undoes = str(found[0][0]) if found else None
            one = _act(act, clock_, origin, verb, actor, reason, run, undoes, at)
            acts[act, clock_] = one
        one["subjects"].setdefault(subject, []).append(names.told(record, *row[12:]))
    size = 0
    for number, *rest, subject, told in db.read(
        "sync.arrivals", {"after": arrivals, "size": AT_ONCE}
    ):
        if size > BYTES:
            break
        size += len(told)
        arrivals = number
        one = acts.setdefault((rest[0], rest[1]), _act(*rest))
        one["subjects"][subject] = loads(told)
    return list(acts.values()), changes, arrivals


def _page(db: Database, after: int) -> tuple[list[tuple[Any, ...]], int]:
    """Return the next own changes after a place, and their end; what an act did to one subject stays together."""
    rows = db.read("sync.changes", {"after": after, "size": AT_ONCE})
    size = 0
    for place, row in enumerate(rows):
        size += len(row[13] or "") + len(row[14] or "")
        if size > BYTES:
            rows = rows[: place + 1]
            break
    if not rows:
        return [], after

    def uids(act: str) -> str:
        return dumps(list({row[11] for row in rows if row[1] == act and row[11]}))

    upto, first, last = rows[-1][0], rows[0][1], rows[-1][1]
    there = {row[9:12] for row in rows if row[1] == last and not row[11]}
    told = {"act": last, "after": upto, "uids": uids(last), "policy": bool(there)}
    for row in db.read("sync.rest_of", told):
        if row[11] or row[9:12] in there:
            rows.append(row)
    policy = any(row[1] == first and not row[11] for row in rows)
    asked = {"act": first, "upto": after, "uids": uids(first), "policy": policy}
    begun = {
        subject_of(record, key, uid)
        for uid, record, key in (db.read("sync.begun", asked) if after else ())
    }
    return [
        row for row in rows if row[1] != first or subject_of(row[9], row[10], row[11]) not in begun
    ], upto


def _act(*told: Any) -> Act:
    return {**dict(zip(FIELDS, told, strict=True)), "subjects": {}}


def deeds(db: Database, names: Names, subject: str) -> list[Deed]:
    """Return all that is known of a subject, in the order of the clocks: acts of this file and of others."""
    found: dict[str, Deed] = {}
    if is_memory(subject):
        own = db.read("sync.changes_of", {"uid": subject})
    else:
        record, _, key = subject.partition(" ")
        own = db.read("sync.policy_changes_of", {"record": record, "key": key})
    for act, clock_, record, *told in own:
        found.setdefault(act, (clock_, act, []))[2].append(names.told(record, *told))
    for act, clock_, text in db.read("sync.arrivals_of", {"subject": subject}):
        found.setdefault(act, (clock_, act, loads(text)))
    return sorted(found.values(), key=stamp)


def stamp(deed: Deed) -> tuple[int, str]:
    """Return where a deed stands in the order of all acts."""
    return deed[:2]
