"""Layer A: what always applies, whatever the prompt, and the text that it comes to.

It is the same turn after turn until somebody writes or time passes: a strength falls by a step, a fact begins
or ends. So whoever names no session is given it from what the process keeps, as long as neither happened. What
cites code is looked at every time.
"""

from __future__ import annotations

from cogmem.search.doubted import marks
from cogmem.store.policy import END
from cogmem.turn.block import Block
from cogmem.turn.cited import look_at, mark
from cogmem.turn.layers import CONSIDERED, LEAST_CONSIDERED, contradicted, numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cogmem.turn.activation import View
    from cogmem.turn.block import Costs, Item

ROWS = 200  # heads of the lists: far more than a budget of tokens can show
WISH_SHARE = 0.25  # of the budget, kept for what a person wished for below priority high


class Always:
    """Layer A within a budget: its text, what was chosen, and all that was considered."""

    def __init__(self, view: View, allowed: int, form: str) -> None:
        block = Block(allowed, view.costs, form)
        # What a person wished for has its share, however full of rules the rest is.
        share = int(block.budget * WISH_SHARE)
        rules, wishes, self.until = baseline(view, share)
        self.since = view.now
        self.considered: list[Item] = [*rules, *wishes]
        self.named = [item.ref for item in self.considered]
        self.cited = look_at(view.db, self.named, view.now)[0]
        mark(self.considered, self.cited, view.costs)
        block.take(rules, limit=block.budget - min(share, sum(item.tokens for item in wishes)))
        block.take(wishes, limit=block.spent + share)
        block.take(rules)
        block.fit()
        self.text = block.render()
        self.tokens = block.spent
        self.refs = [item.ref for item in block.chosen]

    def stands(self, view: View) -> bool:
        """Whether it would be the same now, if nobody wrote."""
        if not self.since <= view.now < self.until:
            return False
        return look_at(view.db, self.named, view.now)[0] == self.cited


def always(view: View, allowed: int, form: str) -> Always:
    """Layer A as it is now."""
    if view.costs.counter is not None:  # how a caller counts may change from turn to turn
        return Always(view, allowed, form)
    name = ("layer A", allowed, form, *view.scope.viewer().values())
    kept: list[Always] = view.db.kept(name, lambda _: [], of_history=True)
    if not kept or not kept[0].stands(view):
        kept[:] = [Always(view, allowed, form)]
    return kept[0]


def baseline(view: View, room: int) -> tuple[list[Item], list[Item], int]:
    """What always applies, by priority, then strength; wishes, by strength, then age, as many as `room` tokens
    could hold; and the instant until which time changes neither."""
    scope, costs, policy = view.scope, view.costs, view.policy
    asked = {**scope.viewer(), "now": view.now, "limit": ROWS}
    rows = []
    for user in {"", scope.user}:
        for project in {"", scope.project}:
            for least, most in ((3, 4), (1, 2)):
                place = {"of_user": user, "of_project": project, "least": least, "most": most}
                rows += view.db.read("turn.baseline", {**asked, **place})
    doubts = marks(view.db, [row[2] for row in rows], view.now)
    items = []
    wishes = []
    until = END
    for is_held, changes_at, *row in rows:
        until = min(until, changes_at)
        if not is_held:
            continue
        uid, kind, *_, priority, count, _, _, reinforced, accessed, created = row
        until = min(until, policy.fades_next(kind, view.now, reinforced, accessed))
        force = policy.strength(kind, view.now, reinforced, accessed, count)
        if priority < 3 and kind in policy.wishes:
            wishes.append((-round(force, 1), -created, uid, force, row))
        else:
            items.append(_item(costs, row, force, doubts))
    doubtful = contradicted(view.db, [*(item.ref for item in items), *(row[2] for row in wishes)])
    items = [item for item in items if item.ref not in doubtful]
    wishes = [row for row in wishes if row[2] not in doubtful]
    items.sort(key=lambda item: (-(item.score or 0), -(item.strength or 0), item.ref))
    wishes.sort()
    wished: list[Item] = []
    asked_for = 0
    for *_, force, row in wishes[:CONSIDERED]:
        wished.append(_item(costs, row, force, doubts))
        asked_for += wished[-1].tokens
        if asked_for > 2 * room and len(wished) > LEAST_CONSIDERED:
            break
    all_of_it = numbered([*items, *wished])
    return all_of_it[: len(items)], all_of_it[len(items) :], until


def _item(costs: Costs, row: list[Any], force: float, doubts: Mapping[str, str]) -> Item:
    uid, kind, layer, key, content, source, priority, _, tokens, by, *_ = row
    said = layer, key, content, None, None
    doubt = doubts.get(uid, "")
    item = costs.item(uid, "A", kind, said, tokens, by, source=source, doubt=doubt)
    item.strength, item.score = force, priority
    return item
