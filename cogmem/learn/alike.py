"""Finds memories that may say the same, through the search index and the few words that tell most.

learn() compares as it writes and leaves a projection beside the memory. A memory that came another
way (from a shell, an import, a changed text) has none; the night compares it with its neighbours in
the same way. It pairs only memories that say the same: the job 30_deduplicate merges the pairs under
its own limits, in its own run, and the survivor gets the words of both.
"""

from __future__ import annotations

from math import log

from cogmem.language.contradiction import polarity
from cogmem.language.similarity import classify, embed
from cogmem.records import add_up, json_list, json_numbers
from cogmem.store.policy import number
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.language.similarity import Verdict
    from cogmem.store.store import Store

    Params = Mapping[str, Any]
    Row = tuple[Any, ...]

POSTINGS = 300  # how many memories may be looked at to find them
RARE = 32  # memories in which a stem that is not among the common ones is taken to stand
TERMS = 3  # from the beginning of a text, and as many from all of it
MOST = 60  # memories of the best that are looked at, until enough of them may be joined
ALIKE = 5  # memories that a new text is compared with
A_NIGHT = 500  # memories compared in one night, 7 ms each; the others wait for the next
_TOGETHER = 200  # stored in one transaction, so that no turn waits long for the lock
_OWNER = ("runtime", "user", "project", "session")
_PLACE = ("layer", "kind", *_OWNER, "path_glob", "topic")


def alike(store: Store, ranked: list[str], place: Params, most: int) -> list[Row]:
    """Return the few memories of a place among those that share telling words with a text, best first.

    As rows of uid, content, polarity, projection and thresholds; `place` has the other parameters of learn.alike.
    """
    if not ranked:
        return []
    there = {**place, "ids": json_numbers(ranked[:MOST]), "most": most}
    return store.db.read("learn.alike", there)


def compared(new: str, found: list[Row]) -> Verdict:
    """Decide what a text is to become beside memories that `alike` found."""
    if not found:
        return classify(new, ())
    merge, add = found[0][4:]
    return classify(
        new,
        [
            (uid, content, bytes(vector) if vector is not None else embed(content))
            for uid, content, _, vector, *_ in found
        ],
        merge=number({"merge_threshold": merge}, "merge_threshold"),
        add=number({"add_threshold": add}, "add_threshold"),
    )


def having(store: Store, matches: list[str], limit: int = POSTINGS) -> list[list[str]]:
    """Return numbers of the memories that each of several queries finds, the newest first."""
    asked = {"matches": json_list(matches), "limit": limit}
    rows = store.db.read("learn.having", asked) if matches else ()
    return [(listed or "").split() for (listed,) in rows]


def beside(store: Store, row: Params, ids: Iterable[str], *, most: int, now: int) -> list[Row]:
    """Return the statements of exactly a row's place that hold now: uid, content, key and state. These are of some
    memories, and of what is always shown of the person."""
    place = {name: row[name] for name in (*_OWNER, "path_glob")}
    asked = {**place, "ids": json_numbers(ids), "most": most, "now": now}
    return store.db.read("learn.beside", asked)


def found_by_words(store: Store, content: str, terms: str) -> list[str]:
    """Return numbers of the memories that share telling words with a text, best first."""
    score: dict[str, float] = {}  # in the order of the lists, so of equals the newest comes first
    for ids in having(store, _telling(store, content, terms)):
        worth = log(1 + 100_000 / (len(ids) or 1))  # the rarer the word, the more it tells
        add_up(score, ids, worth)
    return sorted(score, key=score.__getitem__, reverse=True)


def _telling(store: Store, content: str, terms: str) -> list[str]:
    """Full-text queries for the few telling words that a similar text must share."""
    text = f"{content[:4000]} {terms[:1000]}"
    # FTS5 stems what it is asked for, so it gets the words; the stems say how common they are.
    words = dict(zip(store.db.stems(text), store.db.words(text), strict=True))
    if not words:
        return []
    common = dict(store.db.read("learn.common", {"terms": json_list(words)}))
    ranked = sorted(words, key=lambda stem: (common.get(stem, RARE), -len(stem)))
    # A remark at the end may bring rare words of its own: half of them come from the beginning.
    first = {*list(words)[: (len(words) + 1) // 2]}
    leading = [stem for stem in ranked if stem in first][:TERMS]
    ranked = [*leading, *(stem for stem in ranked if stem not in leading)]
    chosen: list[str] = []
    spent = 0
    for stem in ranked[: 2 * TERMS]:
        cost = common.get(stem, RARE)
        if chosen and spent + cost > POSTINGS:
            continue
        chosen.append(stem)
        spent += cost
    if spent > POSTINGS:  # common words only: together they are rare
        return [" AND ".join(f'"{words[stem]}"' for stem in ranked[:4])]
    return [f'"{words[stem]}"' for stem in chosen]


def projected(uid: str, content: str) -> Step:
    """Keeps the projection of a memory, if it says this when it is written."""
    return "learn.project", {"uid": uid, "content": content, "vector": embed(content)}


def resemble(store: Store, *, now: int, most: int = A_NIGHT) -> int:
    """Compare what has not been compared, and pair what says the same; returns how many it read."""
    rows = store.db.rows("learn.uncompared", {"limit": most})
    paired = {uid for (uid,) in store.db.read("learn.paired")}
    steps: list[Step] = []
    if rows:  # after an import, words are common that were not known the day before
        recount: list[Step] = [("learn.forget_common", {}), ("learn.count_common", {})]
        store.db.write(recount, verb="project", actor="cogmem", at=now)
    for row in rows:
        twin = None if row["uid"] in paired else _twin(store, row, now)
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


def _twin(store: Store, row: dict[str, Any], now: int) -> tuple[str, str] | None:
    """Return the memory that says the same: its uid and its text."""
    place = {**{name: row[name] for name in _PLACE}, "trusted": 1, "named": 1, "now": now}
    said = lines.content_hash(row["content"]) if row["content_hash"] else None
    sharing = found_by_words(store, row["content"], row["terms"])
    found = [  # what says it to the letter is merged without a writer's help
        one
        for one in alike(store, sharing, place, ALIKE + 1)
        if one[0] != row["uid"] and (said is None or lines.content_hash(one[1]) != said)
    ]
    verdict = compared(row["content"], found)
    if verdict.action not in ("reinforce", "merge"):
        return None
    stored, text = next((one[2], one[1]) for one in found if one[0] == verdict.uid)
    if min(stored, polarity(text)) != min(row["polarity"], polarity(row["content"])):
        return None
    return verdict.uid, text
