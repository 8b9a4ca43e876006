"""Layer A: what always applies, whatever the prompt, and the text that it comes to.

First what a person told as a standing wish, then what they said again and again, then the rest by priority and
strength: at most a share of the budget and a dozen lines (settings `always_share`, `always_lines`), so that rules
never silence the memory. What is beyond is found when it fits.

It is the same turn after turn until somebody writes or time passes: a strength falls by a step, a fact begins
or ends. So a session that has no memories of its own is given it from what the process keeps, as long as neither
happened. What cites code is looked at every time.
"""

from __future__ import annotations

from cogmem.store.policy import END
from cogmem.text.lines import told_day
from cogmem.turn.amended import contradicted
from cogmem.turn.block import Block
from cogmem.turn.cited import look_at, mark
from cogmem.turn.layers import CONSIDERED, numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.turn.activation import View
    from cogmem.turn.block import Costs, Item

YEAR = 300 * 86_400_000  # ms after which a day is told with its year
ROWS = 200  # heads of the lists: far more than a budget of tokens can show
LEAST = 80  # tokens that Always may take of any budget
TOLD = "user_explicit"  # the source of what a person told as a standing wish


class Always:
    """Layer A within a budget: its text, what was chosen, and all that was considered."""

    def __init__(self, view: View, allowed: int, form: str) -> None:
        block = Block(allowed, view.costs, form)
        items, self.until = baseline(view)
        self.since = view.now
        self.considered: list[Item] = items
        self.named = [item.ref for item in items]
        self.cited = look_at(view.db, self.named, view.now)[0]
        mark(items, self.cited, view.costs)
        share, most = view.policy.number("always_share"), int(view.policy.number("always_lines"))
        block.take(items, limit=max(LEAST, int(block.budget * share)), most=most)
        block.fit()
        self.text = block.render()
        self.tokens = block.spent
        self.refs = [item.ref for item in block.chosen]

    def stands(self, view: View) -> bool:
        """Tell whether it would be the same now, if nobody wrote."""
        if not self.since <= view.now < self.until:
            return False
        return look_at(view.db, self.named, view.now)[0] == self.cited


def always(view: View, allowed: int, form: str) -> Always:
    """Layer A as it is now."""
    if view.costs.counter is not None:  # how a caller counts may change from turn to turn
        return Always(view, allowed, form)
    viewer = view.scope.viewer()
    if (
        viewer["session"]
        and not view.db.read("turn.is_of_session", {"session": viewer["session"]})[0][0]
    ):
        viewer["session"] = ""  # it sees what any other sees
    name = ("layer A", allowed, form, *viewer.values())
    kept: list[Always] = view.db.kept(name, lambda _: [], of_history=True)
    if not kept or not kept[0].stands(view):
        kept[:] = [Always(view, allowed, form)]
    return kept[0]


def baseline(view: View) -> tuple[list[Item], int]:
    """Return what always applies, best first, and the instant until which time changes nothing of it."""
    scope, costs, policy = view.scope, view.costs, view.policy
    asked = {**scope.viewer(), "now": view.now, "limit": ROWS}
    rows = []
    for user in {"", scope.user}:
        for project in {"", scope.project}:
            for least, most in ((3, 4), (1, 2)):
                place = {"of_user": user, "of_project": project, "least": least, "most": most}
                rows += view.db.read("turn.baseline", {**asked, **place})
    ranked = []
    until = END
    for is_held, changes_at, *row in rows:
        until = min(until, changes_at)
        if not is_held:
            continue
        uid, kind, *_, source, priority, count, _, _, reinforced, accessed, created, said, _, _ = (
            row
        )
        until = min(until, policy.fades_next(kind, view.now, reinforced, accessed))
        force = policy.strength(kind, view.now, reinforced, accessed, count)
        rank = 0 if source == TOLD else 1 if said else 2
        ranked.append((rank, -priority, -(said or 0), -round(force, 1), -created, uid, force, row))
    doubtful = contradicted(view.db, [one[5] for one in ranked])
    ranked = sorted([one for one in ranked if one[5] not in doubtful])
    return numbered(
        [_item(costs, row, force, view.now) for *_, force, row in ranked[:CONSIDERED]]
    ), until


def _item(costs: Costs, row: list[Any], force: float, now: int) -> Item:
    uid, kind, layer, key, content, source, priority, _, tokens, by, _, _, _, times, since, end = (
        row
    )
    said = layer, key, content, end, None
    item = costs.item(uid, "A", kind, said, tokens, by, source)
    if times:
        hint = often(times, since, now)
        item.say((*said, hint))
        item.tokens += costs.counts().count(hint) + 1
    item.strength, item.score = force, priority
    return item


def often(times: int, since: int, now: int) -> str:
    """Say how often a person said something, and since when."""
    day = told_day(since)
    day = day if now - since > YEAR else day.rpartition(" ")[0]
    return f" (said {times} times since {day})"
