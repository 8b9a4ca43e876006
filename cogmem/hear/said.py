"""Notices what a person says again: in a second session it counts more, in a third it becomes a rule.

The correction that an agent gets over and over is the most valuable thing that a memory can hold. Each statement
of a person's own on how something is to be done, a rebuke in question form too, leaves its place and the checksums
of its telling words (`said`, `said_word`). A later one that shares enough of them, weighed by how ordinary they are,
says the same, and in a second session the clearer one is active. Some can be the wording of a rule, as they stand
alone and look like a wish; `worth` is 0 of the others, which only count. A wording that was said in three sessions,
in its words or in others, stands in Always once its worth and their number are enough together, with its count and
its first day: an act that undo takes back. The name of a file that is pointed at ("@house-style.md") is a wording
where nothing clearer was said. What a person removed is not made a rule again.
"""

from __future__ import annotations

from json import dumps, loads
from math import log, sqrt
from zlib import crc32

from cogmem.language.contradiction import polarity
from cogmem.language.framing import without_opening
from cogmem.language.judge import judge
from cogmem.language.mood import after_opening
from cogmem.named import NamedTuple
from cogmem.records import Draft, json_list, json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem.file.db import Step
    from cogmem.hear.hearing import Hearing
    from cogmem.scope import Scope
    from cogmem.store.store import Store

ALIKE = 0.4  # how much two statements share, from which on they say the same
LEAST_SHARED = 2  # telling words
OFTEN = 3  # sessions in which something was said, so that it is a rule
SURE = 1.2  # how much the number of sessions and the worth of the wording come to, in logarithms
AGAIN = 2  # sessions in which something was said, so that it is active
SURE_AGAIN = 0.6  # what the same comes to there
POINTED = 0.01  # the chance of what is only the name of a file: the wording where nothing clearer was said
TRIED = 5  # wordings of a group, the likeliest first
ONCE_PRIORITY = 2  # of what is found, and does not stand in every prompt
BEYOND = 1 << 40  # from here on a statement's place is none in its message: a model worded it
ORDINARY = 3  # of so many statements one may have a word that only one of two has
FEW = 40  # statements that are reckoned with before there are as many
RULES = ("policy", "preference", "convention", "workflow", "architecture")


class Statement(NamedTuple):
    """A stretch that may be said again: its place and its telling words.

    Its chance is 0 if it only counts, and cannot be the wording of a rule.
    """

    start: int
    end: int
    chance: float
    words: frozenset[str]


class Saying(NamedTuple):
    """One place where something was said; of what was looked for it says a share."""

    message: int
    start: int
    end: int
    worth: int
    memory: str
    session: str
    at: int
    share: float = 1.0

    def place(self) -> dict[str, int]:
        """Return where it begins."""
        return {"message": self.message, "start": self.start}


def noticed(
    by: Hearing, message: int, statements: Sequence[Statement], scope: Scope, *, session: str, at: int
) -> int:  # fmt: skip
    """Note what a message states, and make a rule of what is said in a third session; how many were made."""
    rows: list[list[int]] = []
    sums: list[list[int]] = []
    for one in statements:
        words = checksums(one.words)
        rows.append([one.start, one.end, worth_of(one.chance), len(words)])
        sums += [[one.start, word] for word in words]
    by.write(
        ("said.add", {"message": message, "rows": dumps(rows)}),
        ("said.add_words", {"message": message, "rows": dumps(sums)}),
    )
    made = 0
    for one, row in zip(statements, rows, strict=True):
        own = Saying(message, one.start, one.end, row[2], "", session, at)
        before = earlier(by.store, message, checksums(one.words), own)
        if any(saying.session != session for saying in before):
            made += _joined(by, own, before, scope)
    return made


def checksums(words: frozenset[str]) -> list[int]:
    """Return the numbers that stand for telling words."""
    return sorted({crc32(word.encode()) for word in words})


def worth_of(chance: float) -> int:
    """Return a chance as it is kept: in hundredths."""
    return round(100 * chance)


def earlier(
    store: Store, message: int, words: list[int], own: Saying | None = None
) -> list[Saying]:
    """Find what was said in other messages and says the same, and not the contrary of one's `own` words."""
    rows = store.db.read(
        "said.near",
        {"words": json_numbers(words), "message": message, "least": LEAST_SHARED},
    )
    if not rows:
        return []
    every = store.db.read("said.known")[0][0] + FEW
    unknown = log(1 + every / ORDINARY)
    found: list[Saying] = []
    for number, start, end, worth, count, memory, session, at, often in rows:
        shared = [log(1 + every / (1 + times)) for times in loads(often)]
        mass = sum(shared)
        mine = mass + unknown * (len(words) - len(shared))
        other = mass + unknown * (count - len(shared))
        if mass >= ALIKE * sqrt(mine * other):
            found.append(Saying(number, start, end, worth, memory, session, at, mass / mine))
    if own is None or not found:
        return found
    text = _text(store, own)
    return [one for one in found if not _is_another_wish(_text(store, one), one.at, text, own.at)]


def _is_another_wish(one: str, at: int, other: str, then: int) -> bool:
    """Tell whether the later of two sayings wants another thing: "use npm, not pnpm", once it was the reverse.

    What ends without another in its place is the same wish: "you're editing in main again", "stop editing in main".
    """
    found = judge(one, other) if at <= then else judge(other, one)
    if found is None or found.relation == "against":
        return found is not None and polarity(one) == polarity(other)
    return found.relation == "changes"


def _joined(by: Hearing, own: Saying, before: list[Saying], scope: Scope) -> int:
    """Strengthen or make the rule that these sayings are."""
    store = by.store
    rules = [saying for saying in before if saying.memory]
    for rule in rules:
        if store.db.read("said.state", {"uid": rule.memory}):
            _stand(by, rule.memory, rule, _same(store, rule))
            return 0
    wording, same = _wording(store, own, before, OFTEN, SURE)
    is_rule = wording is not None
    orders = [one for one in same if (kept := _kept(store, one)) and _is_order(store, kept)]
    if orders and wording not in orders:
        wording = orders[0]  # it stands in Always as it is
    if not is_rule:
        if kept := _kept(store, before[0]):
            by.write(("said.strengthen", {"uid": kept, "now": by.now}))
            return 0
        wording, same = _wording(store, own, before, AGAIN, SURE_AGAIN)
    if wording is None:
        return 0
    text = _text(store, wording)
    draft = Draft(
        without_opening(text[after_opening(text) :]),
        "preference",
        scope.replacing(session=""),
        priority=ONCE_PRIORITY,
        source="observed",
        said_at=wording.at,
        state="active",
        data={"rule": "said often" if is_rule else "said again"},
    )
    uid = _kept(store, wording) or (by.learned(draft) if draft.content else "")
    if uid and is_rule:
        held, is_removed = _of_one_wish(store, same)
        if held is not None and (is_removed or held.worth >= wording.worth):
            uid = held.memory
        elif held is not None:
            change = {"rule": held.memory, "by": uid, "priority": ONCE_PRIORITY, "now": by.now}
            by.write(("said.reworded", change), ("said.no_rule", change))
        _stand(by, uid, wording, same)
        _outlive(by, uid, same)
    return 1 if uid else 0


def _outlive(by: Hearing, uid: str, same: list[Saying]) -> None:
    """End the older wishes beside which a rule cannot hold: who says it in three sessions has settled it."""
    said = {uid, *[_kept(by.store, one) for one in same]}
    older = by.store.db.read("said.outlived", {"uids": json_list(said)})
    by.write(*[("learn.close", {"uid": row[0], "ends": by.now, "successor": uid}) for row in older])


def _of_one_wish(store: Store, same: list[Saying]) -> tuple[Saying | None, bool]:
    """Find the clearest wording of the rule that half of these sayings say too, and tell whether it was removed."""
    found: dict[str, list[Saying]] = {}
    for one in same:
        rules = {rule.memory: rule for rule in _same(store, one) if rule.memory}
        for memory, rule in rules.items():
            found.setdefault(memory, []).append(rule)
    near = max(found.values(), key=len, default=[])
    state = store.db.read("said.state", {"uid": near[0].memory}) if near else []
    if not state or 2 * len(near) < len(same):
        return None, False
    return max(near, key=lambda one: one.worth), state[0][0] != "active"


def _wording(
    store: Store, own: Saying, before: list[Saying], least: int, best: float
) -> tuple[Saying | None, list[Saying]]:
    """Find the clearest saying that was said in so many sessions, and what says the same.

    Of two as clear it is the one whose words the others say too, and not one with a matter of its own beside.
    """
    clear = sorted([one for one in (*before, own) if one.worth], key=lambda one: -one.worth)
    found: tuple[float, Saying | None, list[Saying]] = 0.0, None, []
    for one in clear[:TRIED]:
        same = [*before, own] if one is own else _same(store, one)
        sessions = len({saying.session for saying in same})
        chance = min(max(one.worth / 100, 0.01), 0.99)
        sure = log(sessions) + log(chance / (1 - chance)) / 2
        if one.worth == clear[0].worth == worth_of(POINTED) and least == OFTEN:
            sure = best
        if sessions < least or sure < best or any(saying.memory for saying in same):
            continue
        sure += log(sum([saying.share for saying in same]) / len(same))
        if found[1] is None or sure > found[0]:
            found = sure, one, same
    return found[1], found[2]


def _same(store: Store, wording: Saying) -> list[Saying]:
    """Find all that says the same as one saying, and itself."""
    words = [row[0] for row in store.db.read("said.words", wording.place())]
    return [*earlier(store, wording.message, words, wording), wording]


def _stand(by: Hearing, uid: str, wording: Saying, same: list[Saying]) -> None:
    """Let a memory stand as the rule that some sayings are, in the words of one of them."""
    store, place = by.store, wording.place()
    others = [Saying(*row) for row in store.db.read("said.wordings", {**place, "memory": uid})]
    every = [*same, *[one for other in others for one in _same(store, other)]]
    # Who says it again believes it, whatever was replaced meanwhile.
    steps: list[Step] = [
        ("said.join_rule", {**place, "memory": uid}),
        ("learn.believe", {"uid": uid}),
    ]
    state = store.db.read("said.state", {"uid": uid})
    if state and state[0][0] in ("active", "candidate"):
        kind = state[0][1] if state[0][1] in RULES else "convention"
        since = min(saying.at for saying in every)
        said = len({saying.session for saying in every})
        figures = {"uid": uid, "said": said, "since": since, "kind": kind, "now": by.now}
        steps.append(("said.rule", figures))
    by.write(*steps)


def _text(store: Store, saying: Saying) -> str:
    rows = store.db.read("said.text", {**saying.place(), "end": saying.end})
    return " ".join(rows[0][0].split()) if rows else ""


def _is_order(store: Store, uid: str) -> bool:
    """Tell whether a memory is a standing order: "always answer in German"."""
    return bool(store.db.read("said.state", {"uid": uid})[0][2])


def _kept(store: Store, saying: Saying) -> str:
    """Return the memory that a saying left when it was heard; empty if none is in force."""
    text = _text(store, saying)
    for uid, content, _ in store.db.read("jobs.is_borne_out", {"message": saying.message}):
        if content not in text:
            continue
        state = store.db.read("said.state", {"uid": uid})
        if state and state[0][0] == "active":
            return str(uid)
    return ""
