"""What the repository at hand tells a turn: why files are as they are, and what changed them last."""

from __future__ import annotations

from cogmem.records import json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.search.memories import Candidate
    from cogmem.turn.activation import View, Wanted
    from cogmem.turn.block import Item

TOLD_OF_FILES = 6  # lines on the files at hand
COMMIT = " (commit "  # what a memory of a commit ends with: its name and day follow


def told_by_reasons(found: list[Candidate]) -> set[str]:
    """Commits whose reason was found as well: it begins with their words, so it takes their place."""
    of_commit: dict[str, Candidate] = {}
    for one in found:
        if one.layer == "semantic" and one.state == "active" and COMMIT in one.content:
            of_commit[commit_of(one.content)] = one
    told = set()
    for one in found if of_commit else ():
        reason = of_commit.get(commit_of(one.content)) if one.layer == "episodic" else None
        if reason is not None:
            told.add(one.uid)
            reason.relevance = max(reason.relevance, one.relevance)
            reason.cover = max(reason.cover, one.cover)
            if one.chance is not None and reason.chance is not None:
                reason.chance = max(reason.chance, one.chance)
    return told


def commit_of(content: str) -> str:
    """Return the name and day of the commit that a text ends with; the text itself if it ends with none."""
    return content.rpartition(COMMIT)[2]


def past_of(view: View, wanted: Wanted) -> list[Item]:
    """Return a few lines on the files: reasons, then the commits that no reason tells."""
    paths = json_list(dict.fromkeys(wanted.files))
    asked = {"paths": paths, "now": view.now, "limit": 2 * TOLD_OF_FILES}
    items: list[Item] = []
    told: set[str] = set()
    for row in view.db.read("turn.touched", {**view.scope.viewer(), **asked}):
        uid, kind, layer, key, content, source, _, count, tokens, by, reinforced, accessed, _ = row
        commit = commit_of(content)
        if uid in wanted.stable or commit in told or len(items) == TOLD_OF_FILES:
            continue
        told.add(commit)
        said: tuple[Any, ...] = (layer, key, content, None, None)
        item = view.costs.item(uid, "D", kind, said, tokens, by, source)
        item.stage = "shown" if uid in wanted.again else ""
        item.strength = view.policy.strength(kind, view.now, reinforced, accessed, count)
        items.append(item)
    return items
