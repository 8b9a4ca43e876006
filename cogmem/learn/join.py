"""Two memories that say the same become one: its text, and what it is found by."""

from __future__ import annotations

from cogmem.guard import guard
from cogmem.learn.alike import projected
from cogmem.records import CONTENT_LIMIT
from cogmem.text.similarity import merge_text, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cogmem.file.db import Step
    from cogmem.records import Memory
    from cogmem.store.store import Store

OTHER_WORDINGS = 5  # kept of one memory


def joined_text(old: str, new: str, policy: guard.Policy) -> str:
    """One text for both. Two harmless halves may make something else when joined; then the older
    one stays."""
    joined = merge_text(old, new)
    result = guard.apply(joined, policy)
    fits = result.verdict in ("allow", "warn") and len(joined) <= CONTENT_LIMIT
    return joined if fits else old


def keeps(written: str, said: str, share: float) -> bool:
    """Whether a telling still holds such a share of a text's words, and every figure in it."""
    words, held = set(tokens(said)), set(tokens(written))
    figures = {word for word in words if any(mark.isdigit() for mark in word)}
    return figures <= held and len(words & held) >= share * len(words)


def keeps_both(written: str, old: str, new: str) -> bool:
    """Whether one note may stand for two: it holds half of each, and half of what only one says."""
    olds, news, held = set(tokens(old)), set(tokens(new)), set(tokens(written))
    return all(keeps(written, text, 0.5) for text in (old, new)) and all(
        2 * len(own & held) >= len(own) for own in (olds - news, news - olds)
    )


def united(
    store: Store, old: Memory, content: str, said: Iterable[str], tags: Iterable[str], now: int
) -> list[Step]:
    """Steps that give a memory its text, and the words and tags of what it takes in."""
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
