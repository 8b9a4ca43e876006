"""What documents say, in the database: searchable by section, and compared with the disk by hash.

The file is the record. Its rows are what was last seen of it, so that a search can cite
`path#heading` and a change on disk is noticed. An unchanged file costs no write.
"""

from __future__ import annotations

import os

from cogmem.documents.compose import PENDING_CAP, PENDING_DROPPED
from cogmem.documents.discover import search_folders
from cogmem.documents.markdown import one_line, sections
from cogmem.language.cue import index_words
from cogmem.named import NamedTuple
from cogmem.records import Record
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from cogmem.documents.compose import DocumentSet
    from cogmem.documents.discover import Document
    from cogmem.file.db import Database, Step
    from cogmem.language.cue import Cue
    from cogmem.scope import Scope


class FoundSection(NamedTuple):
    """One section of a document that fits a search; the higher the score the better."""

    path: str
    scope: str
    heading: str
    anchor: str
    content: str
    score: float

    @property
    def ref(self) -> str:
        """Tell how it is cited: path#heading."""
        return f"{self.path}#{self.anchor}" if self.anchor else self.path


class Compared(Record):
    """Paths of documents that are new, changed or gone since they were last seen."""

    fresh: list[str]
    changed: list[str]
    gone: list[str]


def find_sections(db: Database, cue: Cue, scope: Scope, limit: int = 5) -> list[FoundSection]:
    """Return the sections of documents that share words with a cue, the best first."""
    if not cue.match:
        return []
    params = {"match": cue.match, "project": scope.project, "limit": limit}
    params["everywhere"] = int(scope.everywhere)
    return [FoundSection(*row) for row in db.read("documents.sections", params)]


def compare(db: Database, documents: DocumentSet, project: str) -> Compared:
    """Return what changed on disk since the documents were last seen."""
    known = {row[0]: row for row in db.read("documents.known", {"project": project})}
    fresh, changed = [], []
    for document in documents.documents:
        row = known.get(document.path)
        if not is_storable(document.path):
            continue
        if row is None or row[5]:
            fresh.append(document.path)
        elif row[1:5] != _seen(document, project):
            changed.append(document.path)
    here = {document.path for document in documents.documents if is_storable(document.path)}
    folders = search_folders(documents.cwd, documents.root, documents.user_dir)
    searched = {folder for folder, _ in folders}
    gone = [
        path
        for path, row in known.items()
        if path not in here
        and not row[5]
        # A document of another folder of the project is not looked for here, but may be gone too.
        and (os.path.dirname(path) in searched or not os.path.lexists(path))
    ]
    return Compared(fresh, changed, gone)


def index(db: Database, documents: DocumentSet, project: str, *, now: int) -> Compared:
    """Take over what changed on disk."""
    compared = compare(db, documents, project)
    renewed = {*compared.fresh, *compared.changed}
    steps: list[Step] = []
    for document in documents.documents:
        if document.path in renewed:
            steps += _seeing(document, project, now)
    for path in compared.gone:
        steps += [
            ("documents.miss", {"path": path, "now": now}),
            ("documents.drop_sections", {"path": path}),
        ]
    if steps:
        db.write(steps, verb="documents", at=now)
    return compared


def is_storable(path: str) -> bool:
    """Tell whether a path is text; file systems allow bytes that are not, and SQLite does not."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _seeing(document: Document, project: str, now: int) -> list[Step]:
    scope, project, digest, body = _seen(document, project)
    try:
        state = os.stat(document.path)
        size, modified = state.st_size, state.st_mtime_ns // 1_000_000
    except OSError:  # gone since it was read: the next look will tell
        size, modified = 0, now
    place, name = {"path": document.path}, os.path.basename(document.path)
    row: dict[str, Any] = {**place, "name": name, "scope": scope, "project": project, "uid": None}
    row |= {"hash": digest, "size": size, "body": body, "modified_at": modified, "now": now}
    steps: list[Step] = [("documents.see", row), ("documents.drop_sections", place)]
    for position, section in enumerate(sections(body)):
        if section.text.strip():
            part = {**place, "heading": section.title, "anchor": section.anchor}
            part |= {"content": section.text.strip(), "terms": index_words(section.text)}
            steps.append(("documents.add_section", {**part, "position": position}))
    return steps


def _seen(document: Document, project: str) -> tuple[str, str, str, str]:
    """Scope, project, hash and text: what a row must hold. Imports change the text alone."""
    owner = "" if document.scope == "user" else project
    return document.scope, owner, document.digest, document.text


NOTE_LENGTH = 240
NOTES_AT_ONCE = 8
RUNNING_MS = 30 * DAY_MS  # a session whose host never ended it is over by then


def tell(notes: Iterable[str], user: str, project: str, now: int) -> list[Step]:
    """Return steps that leave notes for every running session of this user and project ('' is all)."""
    told = [short for note in notes if (short := one_line(note, NOTE_LENGTH))]
    if len(told) > NOTES_AT_ONCE:
        rest = len(told) - NOTES_AT_ONCE + 1
        told[NOTES_AT_ONCE - 1 :] = [f"{rest} more saved memories and documents were changed."]
    steps: list[Step] = []
    for note in told:
        place = {"note": note, "user": user, "project": project, "now": now}
        steps += [
            ("documents.bound_notes", {"cap": PENDING_CAP, "kept": PENDING_CAP - PENDING_DROPPED}),
            ("documents.note", {**place, "since": now - RUNNING_MS}),
        ]
    return steps
