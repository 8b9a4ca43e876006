"""How a folder's documents and saved memories stand, as results: what differs, and what a prompt would get."""

from __future__ import annotations

from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.documents.files import Problem
    from cogmem.documents.in_step import Pair
    from cogmem.documents.sections import Compared


class SavedState(Record):
    """A saved memory, and what happened to its file or its row since they agreed."""

    name: str
    state: str
    path: str


class TextConflict(Record):
    """Both texts of a saved memory that was changed on both sides, and the last one they agreed on.

    `file` or `memory` is None where that side is gone.
    """

    SHOWN = ("name", "path", "uid")
    name: str
    path: str
    uid: str | None
    file: str | None
    memory: str | None
    agreed: str | None


class InStep(Record):
    """What bringing files and database into step did to one saved memory."""

    what: str
    name: str
    path: str


class Refreshed(Record):
    """What bringing files and database into step did, and what it left to a person."""

    documents: Compared
    done: list[InStep]
    conflicts: list[TextConflict]
    problems: list[Problem]


class FilesStatus(Record):
    """Where files and database differ. `elsewhere` names other folders that mirror the same project."""

    documents: Compared
    saved: list[SavedState]
    conflicts: list[TextConflict]
    elsewhere: list[str]
    problems: list[Problem]


class ShownDocument(Record):
    """A document that applies, what it costs, and whether the prompt has no room for it."""

    path: str
    scope: str
    tokens: int
    imports: list[str]
    caution: str
    is_left_out: bool


class ShownMemory(Record):
    """A saved memory whose line stands in the prompt's index."""

    name: str
    type: str
    description: str
    path: str
    is_shared: bool


class ShownDocuments(Record):
    """What a prompt would get of a folder's documents and saved memories, and what it has no room for."""

    SHOWN = ("cwd", "project", "tokens", "limit", "documents", "saved", "left_out", "problems")
    cwd: str
    root: str
    user_dir: str
    project: str
    tokens: int
    limit: int
    documents: list[ShownDocument]
    saved: list[ShownMemory]
    left_out: list[str]
    problems: list[Problem]
    text: str


def conflict(pair: Pair) -> TextConflict:
    """Return both texts of a conflict, for a person to compare."""
    row, file = pair.said_by_row, pair.said_by_file
    return TextConflict(
        pair.name,
        pair.path,
        pair.row.uid if pair.row else None,
        file.text if file else None,
        row.text if row else None,
        pair.agreed,
    )
