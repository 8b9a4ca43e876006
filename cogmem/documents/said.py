"""A saved memory in one form, whether its file or its row tells it."""

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


def _is_told(description: str, body: str) -> bool:
    """Tell whether the body begins with the description, so that it need not be said twice."""
    return one_line(body).startswith(description.removesuffix("…"))


def _headline(text: str, limit: int) -> str:
    return one_line(text.strip().partition("\n")[0].lstrip("#-* "), limit)
