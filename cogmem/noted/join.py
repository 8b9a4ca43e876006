"""Joins notes on one matter that weeks of sessions left: one note in the place of two, in a model's words.

Two notes of a kind that are at rest, share a name and speak alike wait for the model, a few pairs a night. What it
makes of them counts only if nothing is lost and nothing is added: each number, each name, nearly every telling word
and each denial of both stand in the one, and its own in the two. Otherwise both stay, and nobody asks again. The two
are put away, not removed: undo brings them back.
"""

from __future__ import annotations

import json

from cogmem.errors import Conflict
from cogmem.guard import guard
from cogmem.language.passages import names_in
from cogmem.language.similarity import exact_cosine
from cogmem.noted.evidence import unsaid
from cogmem.noted.keep import ALIKE, REFUSALS, Run
from cogmem.noted.note import LONGEST, SHORTEST
from cogmem.noted.search import telling_match
from cogmem.records import json_list
from cogmem.strength import DAY_MS
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from cogmem.space import Space

REST = 7 * DAY_MS  # ms without news of its matter, after which a note is at rest
NEAR = 0.45  # likeness from which two notes that share a name speak of one matter
KEPT = 0.75  # share of the telling words of each note that the joined one must have, and the other way round
MOST = 3  # pairs of a night


def pairs(space: Space, at: int) -> Iterator[tuple[str, list[str]]]:
    """Yield two notes each that the model has not been asked to join: their project and uids, the older first."""
    owner = {"runtime": space.scope.runtime, "user": space.scope.user}
    found = space.db.read("noted.rested", {**owner, "before": at - REST})
    rested = {row[0]: row for row in found}
    taken: set[str] = set()
    for uid, project, content, sort, session, _ in found:
        match = telling_match(space.db, content) if uid not in taken else ""
        asked = {
            **owner,
            "project": project,
            "name": session,
            "match": match,
            "limit": ALIKE,
            "now": at,
        }
        for other, *_ in space.db.read("noted.alike", asked) if match else ():
            if other not in rested or other in taken or rested[other][3] != sort:
                continue
            two = [other, uid] if rested[other][5] <= rested[uid][5] else [uid, other]
            held = rested[other][2]
            is_alike = not set(names_in(held)).isdisjoint(names_in(content))
            is_tried = space.db.read("noted.is_tried", {"period": " ".join(two)})[0][0]
            if is_alike and exact_cosine(held, content) >= NEAR and not is_tried:
                taken.update(two)
                yield project, two
                break
        if len(taken) >= 2 * MOST:
            return


def both(space: Space, uids: list[str], place: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the two as they stand now; fewer where one of them changed meanwhile."""
    rows = space.db.rows("noted.both", {**place, "uids": json_list(uids)})
    return [dict(row) for row in rows]


def fault(one: str, other: str, joined: str) -> str:
    """Return why a text does not stand for two notes; '' if it does."""
    if not SHORTEST <= len(joined) <= LONGEST:
        return "it is too short or too long"
    whole = f"{one}\n{other}"
    lost = unsaid(one, joined, joined, joined, share=KEPT) or unsaid(
        other, joined, joined, joined, share=KEPT
    )
    if lost:
        return "it loses something of them"
    return "it adds something to them" if unsaid(joined, whole, whole, whole, share=KEPT) else ""


def join(run: Run, two: list[dict[str, Any]], answer: str, place: Mapping[str, str]) -> str:
    """Put one note in the place of two; returns its uid, or '' where both stay."""
    older, newer = two
    joined = one_line(guard.normalise(answer)).strip('`"“” ')
    is_kept = not fault(older["content"], newer["content"], joined)
    messages = [*json.loads(older["messages"]), *json.loads(newer["messages"])]
    names = [name for one in (newer, older) for name in one["tags"].split("\n") if name]
    kept = ""
    with run.once("join", f"{older['uid']} {newer['uid']}"):
        if both(run.space, [older["uid"], newer["uid"]], place) != two:
            raise Conflict("one of the two was changed or forgotten while the model was asked")
        if is_kept and messages:
            try:
                with run.space.db.together():
                    learned = run.learn(
                        newer["sort"], joined, place, newer["session"], newer["at"], names, messages[-1],
                    )  # fmt: skip
                    kept = learned.uid
                    run.bear_out(kept, messages)
                    for one in two:
                        if kept and one["uid"] != kept:
                            run.put_away(one["uid"], f"joined in {kept}")
            except REFUSALS:
                kept = ""
    return kept
