"""A saved memory as its file and its row tell it, and what to do where the two differ.

Both are brought into one form, `Said`, and compared with what they agreed on last. Who alone moved
away from that is followed by the other; if both moved, neither is touched and a person decides.
A file that is gone, or a memory that is no longer active, has moved away too.

The row holds a memory as one text, since that is what is searched and shown; name and description
stand in its data. `content_of` and `said_by_row` undo each other.
"""

from __future__ import annotations

from cogmem.documents.markdown import one_line
from cogmem.documents.saved import render
from cogmem.guard.guard import normalise
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cogmem.documents.saved import SavedMemory

KEY = "note/"  # before the slug: a saved memory must not take the key of another kind's
NAME_LENGTH = 80
DESCRIPTION_LENGTH = 160

IN_STEP = "in step"
NEW_FILE = "new file"
FILE_CHANGED = "file changed"
FILE_DELETED = "file deleted"
FILE_ARCHIVED = "file archived"
NEW_MEMORY = "new memory"
MEMORY_CHANGED = "memory changed"
MEMORY_REMOVED = "memory removed"
CONFLICT = "conflict"
UNREADABLE = "unreadable"


class Said(NamedTuple):
    """What a saved memory says. A body that only repeats the description is empty."""

    name: str
    description: str
    type: str
    body: str

    @property
    def text(self) -> str:
        """As its file reads: equal texts are equal memories."""
        return render(self.name, self.description, self.type, self.shown_body)

    @property
    def shown_body(self) -> str:
        """The body for a file: never empty, so that a reader is not left with a headline."""
        return self.body or self.description or self.name


def said(name: str, description: str, type: str, body: str) -> Said:
    """Return the canonical form of a memory's parts."""
    name, description = one_line(normalise(name)), one_line(normalise(description))
    body = normalise(body)
    while description and body.startswith(f"{description}\n\n"):
        body = body[len(description) :].strip()
    if body == (description or name):
        body = ""
    return Said(name, description, type, body)


def said_by_file(memory: SavedMemory) -> Said:
    return said(memory.name, memory.description, memory.type, memory.body)


def said_by_row(
    type: str, key: str, content: str, data: Mapping[str, object], known_name: str = ""
) -> Said:
    """Return what a row of a saved memory's kind says. `known_name` is the name that its file has."""
    name = str(data.get("name") or "") or known_name or one_line(key.removeprefix(KEY))
    name = name or _headline(content, NAME_LENGTH)
    description = one_line(str(data.get("description") or ""))
    if "description" not in data:
        return said(name, _headline(content, DESCRIPTION_LENGTH), type, content)
    if not description or content == description:
        return said(name, description, type, content)
    if content.startswith(f"{description}\n\n"):
        return said(name, description, type, content[len(description) + 2 :])
    if _is_told(description, content):
        return said(name, description, type, content)
    # The words were changed where there is no description: the old one no longer fits.
    return said(name, _headline(content, DESCRIPTION_LENGTH), type, content)


def content_of(memory: Said) -> str:
    """Return the one text of a row."""
    if not memory.body:
        return memory.description or memory.name
    if not memory.description or _is_told(memory.description, memory.body):
        return memory.body
    return f"{memory.description}\n\n{memory.body}"


def verdict(file: str | None, row: str | None, agreed: str | None) -> str:
    """Return what happened since both agreed; None stands for a side that has nothing."""
    if file == row:
        return IN_STEP
    if file == agreed:
        if row is None:
            return MEMORY_REMOVED
        return NEW_MEMORY if agreed is None else MEMORY_CHANGED
    if row == agreed:
        if file is None:
            return FILE_DELETED
        return NEW_FILE if agreed is None else FILE_CHANGED
    return CONFLICT


def _is_told(description: str, body: str) -> bool:
    """Tell whether the body begins with the description, so that it need not be said twice."""
    return one_line(body).startswith(description.removesuffix("…"))


def _headline(text: str, limit: int) -> str:
    return one_line(text.strip().partition("\n")[0].lstrip("#-* "), limit)
