"""Two memories that say the same become one: as a text is learned, at night, or because a person says so.

What the night does by itself (schema/jobs/30_deduplicate.sql) under strict limits, a person may do to
any two memories of one layer and scope: the one that stays takes the other's counts, tags, words and
evidence, the other one is archived, and a link leads to it. One undo brings both back.
"""

from __future__ import annotations

from collections import Counter

from cogmem.guard import guard
from cogmem.language.contradiction import denies
from cogmem.language.similarity import merge_text, tokens
from cogmem.learn.alike import projected
from cogmem.records import CONTENT_LIMIT
from cogmem.scope import Scope
from cogmem.text.cell import listed, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.store.store import Store

OWN_SHARE = 0.33  # of an entry's own words, found again in the one text that took it in
OF_ALL = frozenset(("user", "person", "env", "environment", "project"))  # whose it is, not what
OTHER_WORDINGS = 5  # kept of one memory


def joined_text(old: str, new: str, policy: guard.Screening) -> str:
    """Return one text for both. Two harmless halves may make something else when joined; then the older
    one stays."""
    joined = merge_text(old, new)
    result = guard.apply(joined, policy)
    fits = result.verdict in ("allow", "warn") and len(joined) <= CONTENT_LIMIT
    return joined if fits else old


def keeps(written: str, said: str, share: float) -> bool:
    """Tell whether a telling still holds such a share of a text's words, and every figure in it."""
    words, held = set(tokens(said)), set(tokens(written))
    figures = {word for word in words if any(mark.isdigit() for mark in word)}
    return figures <= held and len(words & held) >= share * len(words)


def lost(entries: Sequence[str], written: Sequence[str]) -> int | None:
    """Return the place of the first entry of which no text that was written in their stead holds enough: every
    figure, what it denies, and a share of the words that no other entry has. What many of them say, such as
    whose they are, tells of none."""
    each = [set(tokens(one)) for one in entries]
    held = [set(tokens(one)) for one in written]
    times = Counter(word for words in each for word in words)
    for place, words in enumerate(each):
        own = {word for word in words if times[word] == 1 and word not in OF_ALL} or words
        figures = {word for word in words if any(mark.isdigit() for mark in word)}
        refuses = denies(entries[place])
        if not any(
            figures <= other
            and len(own & other) >= OWN_SHARE * len(own)
            and (not refuses or denies(text))
            for other, text in zip(held, written, strict=True)
        ):
            return place
    return None


def keeps_both(written: str, old: str, new: str) -> bool:
    """Tell whether one note may stand for two: it holds half of each, and half of what only one says."""
    olds, news, held = set(tokens(old)), set(tokens(new)), set(tokens(written))
    return all(keeps(written, text, 0.5) for text in (old, new)) and all(
        2 * len(own & held) >= len(own) for own in (olds - news, news - olds)
    )


def united(
    store: Store, old: Remembered, content: str, said: Iterable[str], tags: Iterable[str], now: int
) -> list[Step]:
    """Return steps that give a memory its text, and the words and tags of what it takes in."""
    also = [*dict.fromkeys([*old.data.get("also", ()), old.content, *said])]
    also = [text for text in also if text.casefold() not in content.casefold()][-OTHER_WORDINGS:]
    tags = [*dict.fromkeys([*old.tags, *tags])]
    if content == old.content and also == old.data.get("also", []) and tags == old.tags:
        return []
    data = {**old.data, "also": also} if also else old.data
    changes = {"content": content, "tags": tags, "data": data}
    steps = store.rewrite_steps(old, changes, now)[1:]
    if content != old.content:
        steps.append(projected(old.uid, content))
    return steps


def unite(store: Store, run: str, *, now: int) -> int:
    """Give the survivors of a run the words of what was merged into them; returns how many."""
    merged = store.db.rows("learn.united", {"run": run})
    for row in merged:
        old = store.get(row["uid"], Scope(everywhere=True), now)
        content = joined_text(old.content, row["content"], guard.POLICIES[row["source"]])
        said = [*mapped(row["data"]).get("also", ()), row["content"]]
        steps = united(store, old, content, said, listed(row["tags"]), now)
        store.db.write(steps, verb="nightly", at=now)
    return len(merged)
