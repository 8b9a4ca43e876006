"""Change documents on a person's behalf: add a note to one, or write one anew.

A note is a one-line bullet under `## Notes`, where the newest 30 stay; bullets that a person continued or filed
under a sub-heading are theirs, neither counted nor dropped. Every other byte of the file stays as it is.
"""

from __future__ import annotations

import os

from cogmem.documents.discover import LOCAL_NAMES, NAMES, real_path
from cogmem.documents.files import (
    ABSENT,
    digest_now,
    digest_of,
    folder_lock,
    make_folder,
    named_error,
    plain_path,
    read_file,
    replace_file,
    rewrite,
    sound_text,
)
from cogmem.documents.markdown import BULLETS, code_lines, headings, newline_of, one_line
from cogmem.errors import Conflict, InvalidInput
from cogmem.named import NamedTuple
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.documents.compose import DocumentSet

DEFAULT_NAME = "AGENTS.md"
DEFAULT_LOCAL_NAME = "AGENTS.local.md"
EDIT_SCOPES = ("user", "project", "local")
TITLE = "# Project memory"
NOTES = "Notes"
NOTE_LENGTH = 200
NOTE_CAP = 30


class Note(NamedTuple):
    """A note that a person typed with a leading `#`, and the document that it is for."""

    scope: str
    text: str


class Appended(Record):
    """What adding a note did. An empty `note` means that there was nothing to add."""

    path: str
    note: str
    digest: str
    created: bool
    dropped: list[str]


class Written(Record):
    """What writing a document did."""

    path: str
    digest: str
    changed: bool
    created: bool


class EditConflict(Conflict):
    """A document changed since it was read. Both texts are here; the file holds `theirs`."""

    def __init__(self, path: str, theirs: str, ours: str) -> None:
        super().__init__(
            f"{path} was changed since it was read and was left alone; "
            "merge `ours` into `theirs` and write that"
        )
        self.path = path
        self.theirs = theirs
        self.ours = ours


def quick_note(text: str) -> Note | None:
    """Read `# note` or `#scope: note` as typed by a person; None for all other input: several lines are a pasted
    document, and `#!` begins a script."""
    text = text.strip()
    if not text.startswith("#") or text.startswith("#!") or "\n" in text:
        return None
    note = text.lstrip("#")
    scope, colon, rest = note.partition(":")
    if colon and scope.lower() in EDIT_SCOPES:
        return Note(scope.lower(), one_line(rest)) if rest.strip() else None
    return Note("project", one_line(note)) if note.strip() else None


def doc_path(scope: str, cwd: str, user_dir: str = "") -> str:
    """Return the document that a scope's notes go to: the first that exists, else the default name; "" without a
    user folder."""
    if scope == "user":
        if not user_dir:
            return ""
        # The user folder is a person's own, and may well link into a folder of dotfiles.
        path = _first(os.path.abspath(user_dir), NAMES, DEFAULT_NAME)
        return real_path(path) if os.path.islink(path) else path
    folder = real_path(cwd or ".")
    if scope == "local":
        return _first(folder, LOCAL_NAMES, DEFAULT_LOCAL_NAME)
    return _first(folder, NAMES, DEFAULT_NAME)


def append_doc(path: str, note: str) -> Appended:
    """Add a note to the document; create it if need be. Whoever else edits it loses nothing."""
    if not path.strip():
        raise InvalidInput("no document to add the note to; without a user folder there is none")
    path = plain_path(path)
    note = one_line(sound_text(note), NOTE_LENGTH)
    if not note:
        return Appended(path, "", digest_now(path), False, [])
    dropped: list[str] = []

    def edit(text: str) -> str:
        text, dropped[:] = with_note(text, note)
        return text

    folder = os.path.dirname(path)
    make_folder(folder)
    with folder_lock(folder):
        result = rewrite(path, edit)
    return Appended(path, note, result.digest, result.created, dropped)


def with_note(text: str, note: str) -> tuple[str, tuple[str, ...]]:
    """Return a document's text with one more note, and the notes that had to make room for it."""
    newline = newline_of(text)
    ending = newline[:-1]
    bullet = f"- {note}{ending}"
    if not text.replace("\ufeff", "").strip():
        return newline.join([TITLE, "", f"## {NOTES}", "", f"- {note}", ""]), ()
    lines = text.split("\n")
    code = code_lines(lines, unclosed_is_code=False)
    found = headings(lines, code)
    start = next((h.line for h in found if h.level == 2 and h.title == NOTES), -1)
    dropped: list[int] = []
    if start < 0:
        last = len(lines) - 1 if lines[-1] else len(lines) - 2
        gap = [ending] if lines[last].strip() else []
        new = [*gap, f"## {NOTES}{ending}", ending, bullet]
    else:
        end = next((h.line for h in found if h.line > start), len(lines))
        last = max(index for index in range(start, end) if lines[index].strip())
        notes = [i for i in range(start + 1, last + 1) if _is_note(lines, i, last, code)]
        dropped = notes[: max(0, len(notes) + 1 - NOTE_CAP)]
        in_list = last > start and (lines[last].startswith(BULLETS) or lines[last][0] in " \t")
        new = [bullet] if in_list else [ending, bullet]
    if last == len(lines) - 1:  # the file's last line has no end yet
        lines[last] += ending
        lines.append("")
    lines[last + 1 : last + 1] = new
    gone = set(dropped)
    kept = [line for index, line in enumerate(lines) if index not in gone]
    return "\n".join(kept), tuple(lines[index][2:].strip() for index in dropped)


def write_doc(
    documents: DocumentSet | None, path: str, body: str, expected: str | None = None
) -> Written:
    """Replace a whole document: one that the set found, or one where `doc_path` puts notes. If the file holds
    something else than `expected` by now, it stays and EditConflict carries both texts."""
    if documents is None:
        raise InvalidInput("there is no document set to write into; load one first")
    if not path.strip() or not body.strip():
        raise InvalidInput("a document needs a path and a text; delete the file to be rid of it")
    path = _recognised(documents, path)
    folder = os.path.dirname(path)
    make_folder(folder)
    with folder_lock(folder):
        before, digest = _standing(path)
        if expected is not None and digest != expected:
            raise EditConflict(path, before, body)
        text = sound_text(body.rstrip() + "\n")
        if newline_of(before) == "\r\n" and "\r\n" not in text:
            text = text.replace("\n", "\r\n")
        data = text.encode()
        if digest_of(data) == digest:
            return Written(path, digest, False, False)
        try:
            replace_file(path, data, digest)
        except OSError as error:
            raise named_error(error, path) from error
        except Conflict:
            raise EditConflict(path, _standing(path)[0], body) from None
    return Written(path, digest_of(data), True, digest == ABSENT)


def _standing(path: str) -> tuple[str, str]:
    """Return what a document says at this moment, and its digest."""
    try:
        found = read_file(path)
    except FileNotFoundError:
        return "", ABSENT
    except OSError as error:
        raise named_error(error, path) from error
    return found.data.decode("utf-8", "replace"), found.digest


def _recognised(documents: DocumentSet, path: str) -> str:
    """Return the file to write for `path`, if it is one of the documents and leads nowhere else."""
    if ".." in path.replace("\\", "/").split("/"):
        raise InvalidInput(f"{path} leads upward; name a document by its full path")
    absolute = os.path.normpath(os.path.join(documents.cwd, path))
    known = {doc_path(scope, documents.cwd, documents.user_dir) for scope in EDIT_SCOPES} - {""}
    for document in documents.documents:
        known.update((document.path, *document.aliases))
    if os.path.normcase(absolute) not in {os.path.normcase(name) for name in known}:
        raise InvalidInput(f"{path} is not one of the documents: name {', '.join(sorted(known))}")
    if documents.user_dir and absolute.startswith(os.path.join(documents.user_dir, "")):
        return real_path(absolute)
    return plain_path(absolute)


def _is_note(lines: list[str], index: int, last: int, code: frozenset[int]) -> bool:
    if index in code or not lines[index].startswith(BULLETS):
        return False
    following = next((i for i in range(index + 1, last + 1) if lines[i].strip()), -1)
    return following < 0 or lines[following][0] not in " \t"


def _first(folder: str, names: tuple[str, ...], default: str) -> str:
    paths = [os.path.join(folder, name) for name in names]
    return next(filter(os.path.isfile, paths), os.path.join(folder, default))
