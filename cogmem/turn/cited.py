"""Before a memory is shown, the code that it cites is looked at: the file's size and time first, its text only
where those changed.

What was moved within its file still holds. What was changed is shown with a word on it, and what is
gone is held back until somebody looks: `cogmem review`. What stands elsewhere now, `cogmem git verify` and
the start of a session find; here nobody waits for a search.

The repository at hand tells a turn, too, why files are as they are, and what changed them last.
"""

from __future__ import annotations

import os

from cogmem.records import json_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.search.memories import Candidate
    from cogmem.turn.activation import View, Wanted
    from cogmem.turn.block import Costs, Item

SIZE = 1 << 20  # bytes; a longer file is not read while somebody waits
MOST = 40  # candidates whose citations are looked at
CHANGED = " (the code changed since: {})"

TOLD_OF_FILES = 6  # lines on the files at hand
COMMIT = " (commit "  # what a memory of a commit ends with: its name and day follow


class Citation:
    """One row of the table of citations; its fields are the columns of "act.cited", in their order."""

    uid: str
    memory_id: int
    root: str
    path: str
    symbol: str
    first_line: int
    count: int
    text_hash: str
    head_hash: str
    standing: str
    size: int
    time: int

    def __init__(self, row: Sequence[Any]) -> None:
        self.__dict__.update(zip(Citation.__annotations__, row, strict=True))

    def look(self, now: int) -> Step | None:
        """See what became of it; the step that notes it, if anything is to be noted."""
        if not os.path.isdir(self.root):
            return None  # a tree that is not on this machine now says nothing
        whole = os.path.join(self.root, self.path)
        try:
            found = os.stat(whole)
            size, time = found.st_size, found.st_mtime_ns
        except OSError:
            size, time = -1, 0
        if (size, time) == (self.size, self.time):
            return None
        if size < 0:
            self.standing = "gone"
        elif not self.text_hash or size > SIZE:
            self.standing = "holds" if self.standing == "gone" else self.standing
        else:
            self.read(read_lines(whole))
        self.size, self.time = size, time
        return self.noted(now)

    def read(self, lines: Sequence[str]) -> None:
        """Read what the lines of its file say of it."""
        from cogmem.text.cited import definition, found_again

        if self.symbol:
            place = definition(lines, self.symbol)
            if place is None:
                self.standing = "gone"
                return
            self.standing = "holds" if place.hash == self.text_hash else "changed"
            self.first_line = place.first + 1
            return
        at = found_again(lines, self.count, self.text_hash, self.head_hash, self.first_line - 1)
        self.standing = "holds" if at >= 0 else "changed"
        self.first_line = at + 1 if at >= 0 else self.first_line

    def noted(self, now: int) -> Step:
        """Return the step that keeps what was found."""
        names = ("memory_id", "root", "path", "symbol", "text_hash", "standing", "first_line")
        row = {name: getattr(self, name) for name in names}
        return "act.note_citation", {**row, "size": self.size, "time": self.time, "now": now}


def read_lines(path: str) -> list[str]:
    """Return the lines of a file; none where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split("\n")
    except OSError:
        return []


def look_at(db: Database, refs: Iterable[str], now: int) -> tuple[dict[str, str], list[Step]]:
    """Return what became of the code that these memories cite, where it does not hold: {uid: "gone" or the files that
    changed}; and the steps that note what was found anew."""
    if not db.is_so("act.is_anything_cited"):
        return {}, []
    found: dict[str, list[Citation]] = {}
    steps: list[Step] = []
    for row in db.read("act.cited", {"uids": json_list(list(refs)[:MOST])}):
        one = Citation(row)
        step = one.look(now)
        if step is not None:
            steps.append(step)
        found.setdefault(one.uid, []).append(one)
    said: dict[str, str] = {}
    for uid, cited in found.items():
        if all(one.standing == "gone" for one in cited):
            said[uid] = "gone"
        elif any(one.standing != "holds" for one in cited):
            changed = [one.path for one in cited if one.standing != "holds"]
            said[uid] = ", ".join(dict.fromkeys(changed))
    return said, steps


def mark(items: Sequence[Item], said: Mapping[str, str], costs: Costs) -> None:
    """Hold back what cites code that is gone, and say of the others what changed: `said`, by `look_at`."""
    for item in items if said else ():
        what = said.get(item.ref)
        if what is None or item.stage:
            continue
        if what == "gone":
            item.stage = "gone"
        else:
            item.line = item.line[:-1] + CHANGED.format(what) + "\n"
            item.tokens = costs.line(item.line)


def look_at_items(db: Database, items: Sequence[Item], costs: Costs, now: int) -> list[Step]:
    """Look at the code that these cite, and mark them; returns what is to be noted."""
    waiting = [item for item in items if not item.stage and item.ref.startswith("mem_")]
    said, steps = look_at(db, [item.ref for item in waiting], now) if waiting else ({}, [])
    mark(waiting, said, costs)
    return steps


# -- what the repository tells -------------------------------------------------------------------


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
