"""What memory brought, taken out again: no host's record of a talk hands it back as somebody's words.

A host puts the answer of a hook where it likes: a part of its own, the tail of the person's message, a tool's result,
between tags or behind a sentence of its own, and the next version elsewhere. So it is known by itself: a block begins
with the heading that all text of a memory has, and goes on for as long as its lines are of the form that one has.
"""

from __future__ import annotations

from cogmem.text.lines import DATA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEAD, ENDING = "# Memory", f"({DATA})"
OURS = ("## ", "- ", "  ", "cogmem: ")  # how its lines begin


def without(text: str) -> str:
    """Return a text without the blocks of a memory, and without what a host put around them alone."""
    while DATA in text:
        end = text.find(ENDING)
        start = text.rfind(HEAD, 0, end) if end >= 0 else -1
        if start < 0 or "\n" in text[start:end]:
            return text  # somebody speaks of it
        before, rest = text[:start], _after(text[end + len(ENDING) :], _opened(text[:start]))
        text = _joined(before, rest)
    return text


def said(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a message that a person or a tool said, without them."""
    name = "text" if part["type"] == "text" else "content"
    held = part.get(name)
    return {**part, name: without(held)} if isinstance(held, str) and DATA in held else part


def _opened(before: str) -> str:
    """Return the name of the tag that stands right before a block; '' where none does."""
    line = before.rstrip().rpartition("\n")[2]
    _, bracket, tag = line.rpartition("<")
    name = tag.removesuffix(">").split(None, 1)[0] if bracket and tag.endswith(">") else ""
    return "" if name.startswith("/") else name


def _after(rest: str, tag: str) -> str:
    """Return what follows a block, of which `rest` begins with what stands behind its heading."""
    if tag and (closing := f"</{tag}>") in rest:
        return rest.partition(closing)[2]
    lines = rest.split("\n")
    place = 1
    while place < len(lines) and (not lines[place].strip() or lines[place].startswith(OURS)):
        place += 1
    return "\n".join(lines[place:])


def _joined(before: str, rest: str) -> str:
    """Return what stood before and after a block, without the tag or the sentence that led to it."""
    if tag := _opened(before):
        before = before[: before.rindex(f"<{tag}")]
    head, _, line = before.rstrip().rpartition("\n")
    if line.endswith(":") and ("hook" in line.lower() or "context" in line.lower()):
        before = head
    before, rest = before.rstrip(), rest.lstrip()
    return f"{before}\n\n{rest}" if before and rest else before or rest
