"""Near-duplicates at night: statements that nobody compared when they were written.

learn() compares as it writes and leaves a projection beside the memory. What came another way (a
shell, an import, a changed text) has none; a night compares it with its neighbours by the same
verdict. Only what says the same is paired, and never judged: the job 30_deduplicate merges the pairs
under its own limits, in its own run, and here the survivor gets the words of both.
"""

from __future__ import annotations

import json

from cogmem.guard import guard
from cogmem.learn.alike import alike, projected
from cogmem.learn.decide import ALIKE
from cogmem.learn.join import joined_text, united
from cogmem.scope import Scope
from cogmem.text import lines
from cogmem.text.contradiction import polarity
from cogmem.text.similarity import classify, embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.store.store import Store

MOST = 500  # memories compared in one night, 7 ms each; the others wait for the next
_TOGETHER = 200  # stored in one transaction, so that no turn waits long for the lock
_PLACE = ("layer", "kind", "runtime", "user", "project", "session", "path_glob", "topic")


def resemble(store: Store, *, now: int, most: int = MOST) -> int:
    """Compare what has not been compared, and pair what says the same; returns how many it read."""
    thresholds = {name: float(value) for name, value in store.db.read("learn.thresholds")}
    rows = store.db.rows("learn.uncompared", {"limit": most})
    paired = {uid for (uid,) in store.db.read("learn.paired")}
    steps: list[Step] = []
    if rows:  # after an import, words are common that were not known the day before
        recount: list[Step] = [("learn.forget_common", {}), ("learn.count_common", {})]
        store.db.write(recount, verb="project", actor="cogmem", at=now)
    for row in rows:
        twin = None if row["uid"] in paired else _twin(store, row, thresholds, now)
        if twin is None:
            steps.append(projected(row["uid"], row["content"]))
        elif twin[0] not in paired:  # one pair for each and night: the next one compares it again
            paired |= {row["uid"], twin[0]}
            pair = {"one": row["uid"], "other": twin[0], "other_content": twin[1]}
            steps.append(("learn.resembles", {**pair, "one_seen": row["seen"]}))
        if len(steps) >= _TOGETHER:
            store.db.write(steps, verb="project", actor="cogmem", at=now)
            steps = []
    if steps:
        store.db.write(steps, verb="project", actor="cogmem", at=now)
    return len(rows)


def _twin(
    store: Store, row: dict[str, Any], thresholds: dict[str, float], now: int
) -> tuple[str, str] | None:
    """The memory that says the same: its uid and its text."""
    place = {**{name: row[name] for name in _PLACE}, "trusted": 1, "named": 1, "now": now}
    said = lines.content_hash(row["content"]) if row["content_hash"] else None
    found = [  # what says it to the letter is merged without a writer's help
        one
        for one in alike(store, row["content"], row["terms"], place, ALIKE + 1)
        if one[0] != row["uid"] and (said is None or lines.content_hash(one[1]) != said)
    ]
    verdict = classify(
        row["content"],
        [
            (uid, content, bytes(vector) if vector is not None else embed(content))
            for uid, content, _, vector in found
        ],
        merge=thresholds["merge_threshold"], add=thresholds["add_threshold"],
        same=thresholds["merge_same"],
    )  # fmt: skip
    if verdict.action not in ("reinforce", "merge"):
        return None
    stored, text = next((one[2], one[1]) for one in found if one[0] == verdict.uid)
    if min(stored, polarity(text)) != min(row["polarity"], polarity(row["content"])):
        return None
    return verdict.uid, text


def unite(store: Store, run: str, *, actor: str, now: int) -> int:
    """Give the survivors of a run the words of what was merged into them; returns how many."""
    merged = store.db.rows("learn.united", {"run": run})
    for row in merged:
        old = store.get(row["uid"], Scope(everywhere=True), now)
        content = joined_text(old.content, row["content"], guard.POLICIES[row["source"]])
        said = [*json.loads(row["data"]).get("also", ()), row["content"]]
        steps = united(store, old, content, said, json.loads(row["tags"]), now)
        store.db.write(steps, verb="nightly", actor=actor, at=now)
    return len(merged)
