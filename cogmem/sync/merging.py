"""Merges two edits of one shared memory: by fields, not by lines. Git runs it as a merge driver.

A field that only one side changed takes that side's value; tags are joined. A text or a field that the two sides
changed differently is left to a person, between git's own conflict marks.
"""

from __future__ import annotations

from cogmem.documents import frontmatter
from cogmem.sync.shared_files import FIELDS, Shared, parsed

_OURS, _BETWEEN, _THEIRS = "<<<<<<< ours", "=======", ">>>>>>> theirs"


def merged(base: str, ours: str, theirs: str) -> tuple[str, bool]:
    """Return the file that takes in both edits, and whether nothing in it wants a person."""
    mine, other = parsed(ours), parsed(theirs)
    was = parsed(base) if base.strip() else Shared({}, "")
    head: list[str] = []
    is_clean = True
    for name in FIELDS:
        if name == "tags":
            tags = _tags(was, mine, other)
            if tags:
                head.append(f"tags: [{', '.join(map(frontmatter.scalar, tags))}]")
            continue
        sides = (was.fields.get(name, ""), mine.fields.get(name, ""), other.fields.get(name, ""))
        value, is_one = _chosen(*sides)
        if is_one:
            head += _line(name, value)
        else:
            is_clean = False
            head += [_OURS, *_line(name, sides[1]), _BETWEEN, *_line(name, sides[2]), _THEIRS]
    body, is_one = _chosen(was.content, mine.content, other.content)
    if not is_one:
        is_clean = False
        body = "\n".join([_OURS, mine.content, _BETWEEN, other.content, _THEIRS])
    return "\n".join(["---", *head, "---", "", body, ""]), is_clean


def _line(name: str, value: str) -> list[str]:
    return [f"{name}: {frontmatter.scalar(value)}"] if value else []


def _chosen(was: str, mine: str, other: str) -> tuple[str, bool]:
    if mine == other or other == was:
        return mine, True
    if mine == was:
        return other, True
    return "", False


def _tags(was: Shared, mine: Shared, other: Shared) -> list[str]:
    before, left, right = set(was.tags), set(mine.tags), set(other.tags)
    kept = (left & right) | (left - before) | (right - before)
    return sorted(kept)
