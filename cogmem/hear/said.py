"""Notices what a person says again: in a second session it counts more, in a third it becomes a rule.

The correction that an agent gets over and over is the most valuable thing that a memory can hold. Each statement of
a person's own that is at all likely to last leaves its place and the checksums of its telling words (`said`,
`said_word`). A later one that shares enough of them, weighed by how ordinary they are, says the same. What is the
same in three sessions stands in Always, worded as its clearest saying, with its count and its first day: an act
that undo takes back, and what a person removed is not made a rule again.
"""

from __future__ import annotations

from collections import namedtuple
from math import log, sqrt
from zlib import crc32

from cogmem.errors import CapacityReached, Conflict, GuardRefused, InvalidInput
from cogmem.records import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cogmem.hear.capture import Statement
    from cogmem.records import Learned
    from cogmem.scope import Scope
    from cogmem.store.store import Store

ALIKE = 0.5  # how much two statements share, from which on they say the same
LEAST_SHARED = 2  # telling words
OFTEN = 3  # sessions in which something was said, so that it is a rule
CLEAR = 60  # hundredths: how likely the clearest saying of a rule is worth keeping
RULE_PRIORITY = 3
BEYOND = 1 << 40  # from here on a statement's place is none in its message: a model worded it
FEW = 40  # statements that are reckoned with before there are as many
RULES = ("policy", "preference", "convention", "workflow", "architecture")


class Saying(namedtuple("Saying", "message start end worth memory session at")):
    """One place where something was said."""

    __slots__ = ()
    message: int
    start: int
    end: int
    worth: int
    memory: str
    session: str
    at: int


def noticed(
    store: Store,
    learn: Callable[[Draft, int], Learned],
    message: int,
    statements: Sequence[Statement],
    scope: Scope,
    *,
    session: str,
    at: int,
    actor: str,
    now: int,
) -> int:
    """Note what a message states, and make a rule of what is said in a third session; how many were made."""
    made = 0
    for statement in statements:
        own = Saying(
            message, statement.start, statement.end, round(100 * statement.chance), "", session, at
        )
        words = sorted({crc32(word.encode()) for word in statement.words})
        before = earlier(store, message, words)
        place = {"message": message, "start": own.start}
        steps = [("said.add", {**place, "end": own.end, "worth": own.worth, "count": len(words)})]
        steps += [("said.add_word", {**place, "word": word}) for word in words]
        store.db.write(steps, verb="capture", actor=actor, at=now)
        if before:
            made += _joined(store, learn, own, before, scope, actor, now)
    return made


def earlier(store: Store, message: int, words: list[int]) -> list[Saying]:
    """Find what was said in other sessions and says the same."""
    rows = store.db.read(
        "said.near",
        {"words": f"[{','.join(map(str, words))}]", "message": message, "least": LEAST_SHARED},
    )
    if not rows:
        return []
    every = store.db.read("said.known")[0][0] + FEW
    unknown = log(1 + every / 2)  # how much a word weighs that nobody else said
    found: list[Saying] = []
    from json import loads

    for number, start, end, worth, count, memory, session, at, often in rows:
        shared = [log(1 + every / (1 + times)) for times in loads(often)]
        mass = sum(shared)
        mine = mass + unknown * (len(words) - len(shared))
        other = mass + unknown * (count - len(shared))
        if mass >= ALIKE * sqrt(mine * other):
            found.append(Saying(number, start, end, worth, memory, session, at))
    return found


def _joined(
    store: Store,
    learn: Callable[[Draft, int], Learned],
    own: Saying,
    before: list[Saying],
    scope: Scope,
    actor: str,
    now: int,
) -> int:
    """Strengthen or make the rule that these sayings are."""
    group = [*before, own]
    clearest = max(group, key=lambda saying: (saying.worth, saying.at))
    held = next((saying.memory for saying in before if saying.memory), "")
    if held and store.db.read("said.state", {"uid": held})[:1] == []:
        held = ""
    names = {saying.session for saying in group}
    if held:  # what said the same as one of these counts too
        names |= {row[0] for row in store.db.read("said.sessions", {"uid": held})}
    sessions = len(names)
    uid = held
    made = 0
    if sessions >= OFTEN and clearest.worth >= CLEAR:
        uid = uid or _kept(store, clearest)
        if not uid:
            text = _text(store, clearest)
            draft = Draft(
                text,
                "preference",
                scope.replacing(session=""),
                priority=RULE_PRIORITY,
                source="observed",
                said_at=clearest.at,
                state="active",
                data={"rule": "said often"},
            )
            try:
                uid = learn(draft, now).uid if text else ""
            except (CapacityReached, Conflict, GuardRefused, InvalidInput):
                return 0
        made = 0 if held or not uid else 1
        state = store.db.read("said.state", {"uid": uid}) if uid else []
        if state and state[0][0] in ("active", "candidate"):
            kind = state[0][1] if state[0][1] in RULES else "convention"
            since = min(saying.at for saying in group)
            figures = {"uid": uid, "said": sessions, "since": since, "kind": kind, "now": now}
            store.db.write([("said.rule", figures)], verb="capture", actor=actor, at=now)
    elif kept := held or _kept(store, before[0]):
        step = ("said.strengthen", {"uid": kept, "now": now})
        store.db.write([step], verb="capture", actor=actor, at=now)
    if uid:
        steps = [
            ("said.join_rule", {"message": saying.message, "start": saying.start, "memory": uid})
            for saying in group
            if not saying.memory
        ]
        store.db.write(steps, verb="capture", actor=actor, at=now)
    return made


def _text(store: Store, saying: Saying) -> str:
    place = {"message": saying.message, "start": saying.start, "end": saying.end}
    rows = store.db.read("said.text", place)
    return " ".join(rows[0][0].split()) if rows else ""


def _kept(store: Store, saying: Saying) -> str:
    """The memory that a saying left when it was heard; empty if none is in force."""
    text = _text(store, saying)
    for uid, content, _ in store.db.read("jobs.is_borne_out", {"message": saying.message}):
        if content not in text:
            continue
        state = store.db.read("said.state", {"uid": uid})
        if state and state[0][0] == "active":
            return str(uid)
    return ""
