"""Takes in acts of other files: what a subject is now follows from all the acts that are known about it.

An act is stored as it came (`arrival`). What it changes in this file is written under the act's own name, actor and
instant, so the history here shows it and undo takes it back. A key goes to the memory that claimed it last. Of two
memories that were merged into each other, one stays. What a memory claims and cannot have yet stands in `claim`, and
is looked at again when that changes.
"""

from __future__ import annotations

from json import dumps

from cogmem.sync import fold
from cogmem.sync.acts import FIELDS, Names, deeds, is_memory, own_name, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.sync.acts import Act
    from cogmem.sync.fold import Deed, Row, Stamp, State

TO_REST = "rest"  # the claim of a memory that was merged into one that was merged into it: it stays
KEPT = 2_000  # subjects held in memory while a batch is taken in


class Taking:
    """Acts on their way into a file. All of it happens within one block of writes."""

    def __init__(self, db: Database, now: int) -> None:
        self.db = db
        self.now = now
        self.names = Names(db)
        self.self = own_name(db)
        self.forgotten = {uid for (uid,) in db.read("sync.forgotten")}
        self.arrived = 0
        self._deeds: dict[str, list[Deed]] = {}
        self._numbers: dict[str, int] = {}  # the last that each table gave

    def unknown(self, act: Act) -> Act | None:
        """Return what of an act is not here yet; None if all of it is."""
        if self.db.read("sync.is_own", {"act": act["act"]})[0][0]:
            return None
        new = {
            subject: changes
            for subject, changes in act["subjects"].items()
            if subject not in self.forgotten
            and not self.db.read("sync.has_arrived", {"subject": subject, "act": act["act"]})[0][0]
        }
        return {**act, "subjects": new} if new else None

    def take(self, act: Act) -> None:
        """Take in an act of which nothing is here."""
        self._let_go()
        new = act["subjects"]
        enter = {name: act[name] for name in FIELDS}
        told = {**enter, "changed_at": enter["at"]}
        arrive: list[Step] = []
        for subject, changes in new.items():
            known = self._known(subject)
            known.append((act["clock"], act["act"], changes))
            known.sort(key=stamp)
            said = dumps(changes, ensure_ascii=False)
            arrive.append(("sync.arrive", {**told, "subject": subject, "changes": said}))
        self._write([*arrive, ("sync.enter", enter), *self._settled(list(new))])
        self.arrived += len(arrive)

    def settle(self) -> None:
        """Draw the consequences of what this file did by itself: a key that became free, a memory that came back.
        What arrived and was not settled is settled too, as in files of a cogmem that lost some of it on the way."""
        if self.db.read("sync.is_settled")[0][0]:
            return
        wanting = {subject for _, subject in self.db.read("sync.claims")}
        wanting |= {uid for (uid,) in self.db.read("sync.merged_round")}
        after = self.db.read("sync.settled_upto")[0][0]
        self.mend(sorted(wanting), [s for (s,) in self.db.read("sync.unsettled", {"after": after})])
        self.done()

    def mend(self, *groups: list[str]) -> int:
        """Let the tables hold what is known of these subjects; says how much differed."""
        act, differed = f"act_{self.db.number():016x}", 0
        for group in groups:
            for at in range(0, len(group), KEPT):
                self._let_go()
                steps = self._settled(group[at : at + KEPT])
                differed += len(steps)
                if not steps:
                    continue
                enter: dict[str, Any] = {"act": act, "verb": "sync", "actor": "sync", "reason": ""}
                enter |= {"run": None, "undoes": None, "at": self.now, "origin": self.self}
                enter["clock"] = self.db.read("sync.clock")[0][0]
                self._write([("sync.enter", enter), *steps])
                self._numbers.clear()
        return differed

    def differing(self) -> list[str]:
        """Return what came from others and does not stand in the tables as it follows from all that is known."""
        wrong: list[str] = []
        for (subject,) in self.db.read("sync.unsettled", {"after": 0}):
            self._let_go()
            stands = self._stands(subject) if is_memory(subject) else not self._policy(subject, {})
            if not stands:
                wrong.append(subject)
        return wrong

    def _stands(self, uid: str) -> bool:
        row = self.db.row("memory", "uid", uid)
        wanted = fold.memory(self._known(uid)).row
        if wanted is None or row is None or not self.has_kind(wanted["kind"]):
            return row is None and (wanted is None or not self.has_kind(wanted["kind"]))
        claims = self.db.read("sync.claims_of", {"subject": uid})
        kinds = {wants.partition(" ")[0] for (wants,) in claims}
        # What it wants and cannot have is looked at when files meet, and not at each write.
        beside = {"key"} if "key" in kinds else set()
        beside |= {"state", "archived_at", "archive_reason"} if TO_REST in kinds else set()
        return all(row[name] == value for name, value in wanted.items() if name not in beside)

    def done(self) -> None:
        """Note that all that is here now is settled."""
        self._write([("sync.note_settled", {})])

    def forget_what_was_read(self) -> None:
        """Read anew what was read: an act could not be stored, or another one followed here."""
        self._deeds.clear()
        self._numbers.clear()
        self.names = Names(self.db)

    def _write(self, steps: list[Step]) -> None:
        # The door has looked for secrets in all that comes.
        self.db.write(steps, verb="sync", actor="sync", at=max(self.now, 0), is_screened=True)

    def _let_go(self) -> None:
        """Between two acts: what belongs to one that is not stored yet stands nowhere else."""
        if len(self._deeds) > KEPT:
            self._deeds.clear()

    def _known(self, subject: str) -> list[Deed]:
        if subject not in self._deeds:
            self._deeds[subject] = deeds(self.db, self.names, subject)
        return self._deeds[subject]

    def _settled(self, subjects: list[str]) -> list[Step]:
        """Return the steps after which the tables hold what is known of these subjects and of what hangs on them."""
        memories = Memories(self, [subject for subject in subjects if is_memory(subject)])
        memories.look_around([subject for subject in subjects if subject.startswith("kind ")])
        steps: list[Step] = []
        for subject in subjects:
            if not is_memory(subject):
                steps += self._policy(subject, memories.kinds)
        return [*steps, *memories.kinds_back(subjects), *memories.steps()]

    def _policy(self, subject: str, needed: Mapping[str, bool]) -> list[Step]:
        record, _, name = subject.partition(" ")
        there, row = fold.policy(self._known(subject))
        present = self.db.row(record, "name", name)
        if there is False:
            is_used = record == "kind" and (
                needed.get(name) or self.db.read("sync.is_of_kind", {"kind": name})[0][0]
            )
            if present is None or is_used:
                return []
            return [self.db.restore_row(record, "name", name, None, present=True)]
        row.pop("name", None)
        if present is not None:
            return self.turned(record, "name", name, present, row)
        if not there:
            return []
        return [self.db.restore_row(record, "name", name, {"name": name, **row}, present=False)]

    def turned(self, table: str, key: str, value: Any, present: Row, wanted: Row) -> list[Step]:
        """Return the step, if one is needed, after which a row that is there is as it should be."""
        differing = {name: said for name, said in wanted.items() if present[name] != said}
        return (
            [self.db.restore_row(table, key, value, differing, present=True)] if differing else []
        )

    def has_kind(self, name: str) -> bool:
        """Tell whether a kind is here, or is known and comes back with the memory that needs it."""
        return (
            self.db.row("kind", "name", name) is not None
            or fold.last_row(self._known(f"kind {name}")) is not None
        )

    def number(self, table: str) -> int:
        """Return the next number of a table, while nobody else writes."""
        if table not in self._numbers:
            self._numbers[table] = self.db.read("sync.number", {"table": table})[0][0]
        self._numbers[table] += 1
        return self._numbers[table]


class Memories:
    """Memories that are settled together, because they want the same keys or lead to each other."""

    def __init__(self, taking: Taking, subjects: list[str]) -> None:
        self.taking = taking
        self.db = taking.db
        self.states: dict[str, State] = {}
        self.rows: dict[str, dict[str, Any] | None] = {}  # as they stand in the table
        self.ids: dict[str, int | None] = {}
        self.kinds: dict[str, bool] = {}
        self.claimants: dict[tuple[str, ...], set[str]] = {}
        self.staying: set[str] = set()  # merged, and yet the one of its round that stays
        self._waiting = subjects

    def look_around(self, came: list[str]) -> None:
        """Find all that is touched: who wants a key that one of these has or had, who leads to one of these."""
        for wanted in came:
            self._waiting += [uid for (uid,) in self.db.read("sync.claimants", {"wants": wanted})]
        while self._waiting:
            self._look()
            for uid in self._rounds() - self.staying:
                self._stay(uid)

    def _look(self) -> None:
        while self._waiting:
            uid = self._waiting.pop()
            if uid in self.states:
                continue
            state = fold.memory(self.taking._known(uid))
            row = self.db.row("memory", "uid", uid)
            if uid in self.taking.forgotten:
                state.row = None
            self.states[uid], self.rows[uid] = state, row
            is_there = self._is_there(uid)
            if row is None and is_there:
                self._waiting += [w for (w,) in self.db.read("sync.claimants", {"wants": uid})]
            elif row is not None and not is_there:
                self._waiting += [w for (w,) in self.db.read("sync.referring", {"id": row["id"]})]
            # Whether one of those that it took in, or that took it in, stays depends on all of them.
            self._waiting += {to for relation, to in state.links if relation == "merged_from"}
            if row is not None:
                self._waiting += [
                    other for (other,) in self.db.read("sync.merged_with", {"id": row["id"]})
                ]
            for place in {fold.place_of(row), state.place if is_there else None} - {None}:
                self._meet(place, uid)

    def _meet(self, place: Any, uid: str) -> None:
        if place not in self.claimants:
            self.claimants[place] = set()
            held = self.db.read("sync.holder", dict(zip(fold.PLACE, place, strict=True)))
            claimed = self.db.read("sync.claimants", {"wants": _key(place)})
            self._waiting += [other for (other,) in held + claimed]
        self.claimants[place].add(uid)

    def _rounds(self) -> set[str]:
        """Merged memories that stay, since all that took them in were merged into them."""
        there = {uid: state for uid, state in self.states.items() if self._is_there(uid)}
        merged = {uid: state.put_away for uid, state in there.items() if state.is_merged}
        took_in: dict[str, set[str]] = {uid: set() for uid in self.states}
        for uid, state in there.items():
            for relation, to in state.links:
                if relation == "merged_from" and to in took_in and to != uid:
                    took_in[to].add(uid)
        return who_stays(merged, took_in) if len(merged) > 1 else set()

    def _stay(self, uid: str) -> None:
        state = self.states[uid]
        assert state.row is not None
        self.staying.add(uid)
        state.row = {**state.row, "state": "active", "archived_at": None, "archive_reason": ""}
        if state.place is not None:
            self._meet(state.place, uid)

    def _is_there(self, uid: str) -> bool:
        """Tell whether a memory is to stand in the table: it needs its kind."""
        if (row := self.states[uid].row) is None:
            return False
        if (kind := row["kind"]) not in self.kinds:
            self.kinds[kind] = self.taking.has_kind(kind)
        return self.kinds[kind]

    def kinds_back(self, subjects: list[str]) -> list[Step]:
        """Bring back the kinds that somebody removed where nothing was of them, while elsewhere a memory was."""
        steps: list[Step] = []
        for kind, is_there in sorted(self.kinds.items()):
            if is_there and self.db.row("kind", "name", kind) is None:
                known = self.taking._known(f"kind {kind}")
                if f"kind {kind}" in subjects and fold.policy(known)[0]:
                    continue  # it comes itself
                row = {**(fold.last_row(known) or {}), "name": kind}
                steps.append(self.db.restore_row("kind", "name", kind, row, present=False))
        return steps

    def _id(self, uid: str) -> int | None:
        """Return the number of a memory that is here when the steps are done."""
        if uid not in self.ids:
            self.ids[uid] = None
            if uid not in self.states or self._is_there(uid):
                row = self.rows.get(uid) or self.db.row("memory", "uid", uid)
                if row is not None:
                    self.ids[uid] = row["id"]
                elif uid in self.states:
                    former = self.db.read("sync.former_number", {"uid": uid})
                    self.ids[uid] = former[0][0] if former else self.taking.number("memory")
        return self.ids[uid]

    def steps(self) -> list[Step]:
        """Return what to write: what goes, keys given up, memories with their keys, and links between them."""
        order = sorted(self.states)
        wants: dict[str, list[str]] = {uid: [] for uid in order}
        keys = self._keys(order, wants)
        gone: list[Step] = []
        freed: list[Step] = []
        made: list[Step] = []
        ties: list[Step] = []
        for uid in order:
            state, row = self.states[uid], self.rows[uid]
            if not self._is_there(uid):
                if row is not None:
                    gone.append(self.db.restore_row("memory", "uid", uid, None, present=True))
                if state.row is not None:
                    wants[uid].append(f"kind {state.row['kind']}")
                continue
            assert state.row is not None
            target = {**state.row, "uid": uid, "key": keys[uid]}
            if uid in self.staying:
                wants[uid].append(TO_REST)
            if row is None:
                whole = {**target, "id": self._id(uid)}
                made.append(self.db.restore_row("memory", "uid", uid, whole, present=False))
            else:
                if row["key"] and any(row[name] != target[name] for name in (*fold.PLACE, "state")):
                    freed += self.taking.turned("memory", "uid", uid, row, {"key": ""})
                    row = {**row, "key": ""}
                made += self.taking.turned("memory", "uid", uid, row, target)
            detail, led = self._led(uid, state, wants[uid])
            number = self._id(uid)
            if row is None:
                ties.append(
                    self.db.restore_row(state.table, "memory_id", number, detail, present=True)
                )
            elif present := self.db.row(state.table, "memory_id", number):
                ties += self.taking.turned(state.table, "memory_id", number, present, detail)
            ties += self._ties(uid, led, is_new=row is None)
        return [*gone, *freed, *made, *ties, *self._claims(wants)]

    def _keys(self, order: list[str], wants: dict[str, list[str]]) -> dict[str, str]:
        """Return who has which key: the last to claim it. The others go without, and say so."""
        keys: dict[str, str] = {}
        best: dict[tuple[str, ...], tuple[Any, str]] = {}
        for uid in order:
            place = self.states[uid].place
            if place is not None and self._is_there(uid):
                claim = (self.states[uid].claimed, uid)
                best[place] = max(best.get(place, claim), claim)
        for uid in order:
            state = self.states[uid]
            if not self._is_there(uid) or state.row is None:
                continue
            place = state.place
            keys[uid] = state.row["key"]
            if place is not None and best[place][1] != uid:
                keys[uid] = ""
                wants[uid].append(_key(place))
        return keys

    def _led(
        self, uid: str, state: State, wants: list[str]
    ) -> tuple[dict[str, Any], dict[tuple[str, str], int]]:
        """Return the row of the layer and the ties, as far as what they lead to is here."""
        detail = dict(state.detail)
        successor = detail.get("superseded_by")
        if successor is not None:
            detail["superseded_by"] = self._id(successor)
            if detail["superseded_by"] is None and successor not in self.taking.forgotten:
                wants.append(successor)  # for what was forgotten it would wait for ever
        led = {}
        for tie, at in state.links.items():
            if tie[1] == uid:
                continue
            if tie[1].startswith("mem_") and self._id(tie[1]) is None:
                if tie[1] not in self.taking.forgotten:
                    wants.append(tie[1])
            else:
                led[tie] = at
        return detail, led

    def _ties(self, uid: str, led: dict[tuple[str, str], int], *, is_new: bool) -> list[Step]:
        number = self._id(uid)
        present = {
            (relation, to or self.taking.names.message(message)): (link, at)
            for link, relation, to, message, at in (
                [] if is_new else self.db.read("sync.ties", {"id": number})
            )
        }
        steps: list[Step] = [
            ("sync.untie", {"id": link}) for tie, (link, _) in present.items() if tie not in led
        ]
        for tie, at in led.items():
            if tie in present:
                link, was = present[tie]
                steps += [("sync.retie", {"id": link, "created_at": at})] if was != at else []
                continue
            to = self._id(tie[1]) if tie[1].startswith("mem_") else None
            message = None if to is not None else self.taking.names.message_called(tie[1])
            if to is None and message is None:
                continue
            row = {"from_id": number, "relation": tie[0], "to_id": to, "message_id": message}
            steps.append(("sync.tie", {**row, "created_at": at}))
        return steps

    def _claims(self, wants: dict[str, list[str]]) -> list[Step]:
        steps: list[Step] = []
        for uid, wanted in wants.items():
            stands = {name for (name,) in self.db.read("sync.claims_of", {"subject": uid})}
            for statement, names in (
                ("sync.claim", [name for name in wanted if name not in stands]),
                ("sync.unclaim", sorted(stands.difference(wanted))),
            ):
                steps += [(statement, {"wants": name, "subject": uid}) for name in names]
        return steps


def _key(place: tuple[str, ...]) -> str:
    return "key " + dumps(place, ensure_ascii=False)


def differing(db: Database) -> list[str]:
    """Return what another file said and this one does not hold, though nobody here or there took it back."""
    if not db.read("sync.self"):
        return []  # it never met another
    return Taking(db, 0).differing()


def mend(db: Database, now: int) -> list[str]:
    """Bring back what came from others and does not stand here; says what it was."""
    wrong = differing(db)
    if wrong:
        with db.together():
            Taking(db, now).mend(wrong)
    return [f"{subject} stands again as the files that were met have it" for subject in wrong]


def who_stays(put_away: dict[str, Stamp], took_in: dict[str, set[str]]) -> set[str]:
    """Return, of memories that were merged, with when, those that stay because all that took them in were merged into
    them: one file merged B into A while another merged A into B. Of such a circle the one archived first stays:
    whoever archived the last one meant another to carry its words. `took_in` names those that took each one in, of
    which some may not be merged themselves."""
    # What leads to one that is not merged, or to none at all, is well.
    well = {uid for uid in put_away if not took_in[uid] or took_in[uid] - put_away.keys()}
    while more := {uid for uid in put_away.keys() - well if took_in[uid] & well}:
        well |= more
    lost = put_away.keys() - well
    reached = {uid: _reached(uid, took_in) for uid in lost}
    rounds = {
        frozenset(reached[uid]) for uid in lost if all(uid in reached[o] for o in reached[uid])
    }
    return {min(one, key=lambda uid: (put_away[uid], uid)) for one in rounds}


def _reached(uid: str, took_in: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [uid]
    while waiting:
        for other in took_in[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found
