"""Freeze documents and saved memories into the text at the head of a prompt.

Equal files give equal bytes, and nothing in the text depends on how many memories were left out, so that a
provider's prompt cache keeps hitting. What is learned later waits as a note for the next message, and stands in the
next session.
"""

from __future__ import annotations

import os

from cogmem.documents import saved, saved_index
from cogmem.documents.discover import Document, Screening, cautioned, discover
from cogmem.documents.files import Problem
from cogmem.documents.markdown import one_line
from cogmem.documents.saved import SavedMemories
from cogmem.errors import CogmemError
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NONE_SAVED = SavedMemories("", 0)
INDEX_ENTRIES = 30
INDEX_LINE = 300
PENDING_CAP = 256
PENDING_DROPPED = 128
COMPACT_WAIT_SECONDS = 0.2  # a session's start does not wait for another process's save

TITLE = "# Memory"
ABOUT = (
    "Durable guidance that people keep in files. Later files are more specific: "
    "where two disagree, the later one holds."
)
SAVED_TITLE = "## Saved memories"
SAVED_ABOUT = (
    "What earlier sessions saved, as reference. Read a memory's file when the task touches it; "
    "save a new one with the `remember` tool."
)
SHARED_TITLE = "# Shared Knowledge"
SHARED_ABOUT = "What sessions in all projects saved, as reference."
LEFT_OUT = "Left out for room (setting stable_budget_tokens); read them when the task touches them"
LEFT_OUT_NAMED, LEFT_OUT_PATH = 4, 100  # documents named, characters of a path
LONGEST_TOKEN = 8  # characters: a text with more of them for each token allowed is not counted
_TURNS = {"saved": 0, "shared": 2}  # which pieces are served before and after the documents
MORE = f"- … and more; {saved.INDEX} lists them all."


class DocumentSet(NamedTuple):
    """What the files said at one instant. It never changes; load again to see changes."""

    documents: tuple[Document, ...]
    index: str  # type: ignore[assignment]  # a tuple has a method of this name
    index_folder: str
    shared_index: str
    shared_folder: str
    cwd: str
    root: str
    user_dir: str
    problems: tuple[Problem, ...]


def load(
    cwd: str = ".",
    user_dir: str = "",
    home: str = "",
    screen: Callable[[str], Screening] | None = None,
    *,
    project: SavedMemories = NONE_SAVED,
    shared: SavedMemories = NONE_SAVED,
) -> DocumentSet:
    """Read everything for a session that starts in `cwd`, whatever state the files are in; saved memories are
    brought within their caps first."""
    found = discover(cwd, user_dir, home, screen)
    problems = list(found.problems)
    for memories in (project, shared):
        try:
            memories.compact(COMPACT_WAIT_SECONDS)
        except (CogmemError, OSError) as error:
            problems.append(Problem(memories.folder, 0, f"not compacted: {error}"))
    return DocumentSet(
        found.documents,
        project.index(),
        project.folder,
        shared.index(),
        shared.folder,
        found.cwd,
        found.root,
        os.path.abspath(user_dir) if user_dir else "",
        tuple(problems),
    )


def block(documents: DocumentSet | None) -> str:
    """Return the snapshot as text, or "" if it says nothing."""
    return _joined(parts_of(documents))


class Part(NamedTuple):
    """One piece of the block: a document, or an index of saved memories (scope saved, shared)."""

    path: str
    scope: str
    text: str


def parts_of(documents: DocumentSet | None) -> list[Part]:
    """Return the pieces of the block in reading order; the later one holds where two disagree."""
    if documents is None:
        return []
    parts = []
    for document in documents.documents:
        head = f"## {_shown(document.path)} ({document.scope})\n\n"
        if document.caution:
            head += f"{cautioned(document.caution)}\n\n"
        parts.append(Part(document.path, document.scope, head + document.text))
    own, shared = documents.index_folder, documents.shared_folder
    for scope, title, about, index, folder in (
        ("saved", SAVED_TITLE, SAVED_ABOUT, documents.index, own),
        ("shared", SHARED_TITLE, SHARED_ABOUT, documents.shared_index, shared),
    ):
        if entries := index_lines(index):
            text = f"{title}\n\n{about}\n\n{entries}\n\nStored in {_shown(folder)}"
            parts.append(Part(folder, scope, text))
    return parts


def _joined(parts: Sequence[Part], note: str = "") -> str:
    """Return the block of these pieces. The shared index stands under its own title."""
    texts = [part.text for part in parts]
    if note:
        texts.insert(0, note)
    if note or any(part.scope != "shared" for part in parts):
        texts.insert(0, f"{TITLE}\n\n{ABOUT}")
    return "\n\n".join(texts)


class Fitted(NamedTuple):
    """The block as it fits a limit, what it costs, and the pieces that had to stay out."""

    text: str
    tokens: int
    left_out: tuple[Part, ...]


def fitted(documents: DocumentSet | None, count: Callable[[str], int], limit: int) -> Fitted:
    """Return the block within a number of tokens, ready to stand before something else. Pieces stay whole: half a
    document may say the opposite of all of it. The index of saved memories comes first, then documents, the most
    specific first, then the shared index."""
    parts = parts_of(documents)
    if not parts:
        return Fitted("", 0, ())
    text = _joined(parts) + "\n\n"
    if len(text) <= limit * LONGEST_TOKEN and (cost := count(text)) <= limit:
        return Fitted(text, cost, ())
    taken: list[Part] = []
    left = limit - count(f"{TITLE}\n\n{ABOUT}\n\n")
    served = parts[::-1]  # a sort keeps this order among the documents
    served.sort(key=lambda part: _TURNS.get(part.scope, 1))
    for part in served:
        if len(part.text) <= left * LONGEST_TOKEN and (cost := count(part.text + "\n\n")) <= left:
            taken.append(part)
            left -= cost
    while True:
        left_out = tuple(part for part in parts if part not in taken)
        shown = [part for part in parts if part in taken]
        text = _joined(shown, _left_out_note(left_out)) + "\n\n"
        cost = count(text)
        if cost <= limit:
            return Fitted(text, cost, left_out)
        if not taken:
            return Fitted("", 0, left_out)
        taken.pop()


def _left_out_note(parts: Sequence[Part]) -> str:
    names = [_shown(part.path) for part in parts[-LEFT_OUT_NAMED:]]
    names = [name if len(name) <= LEFT_OUT_PATH else f"…{name[-LEFT_OUT_PATH:]}" for name in names]
    more = f" and {len(parts) - len(names)} more" if len(parts) > len(names) else ""
    return f"{LEFT_OUT}: {', '.join(names)}{more}."


def compose(base: str, documents: DocumentSet | None) -> str:
    """Return a host's prompt with the block behind it. Without a block, `base` to the byte."""
    text = block(documents)
    if not text or not base.strip():
        return text or base
    return base.rstrip("\r\n") + "\n\n" + text


def index_lines(index: str) -> str:
    """Return the first entries of an index, with a note that does not change with what is left out."""
    lines = [line.rstrip() for line in index.split("\n") if line.strip()]
    if lines and lines[0] == saved_index.TITLE:
        del lines[0]
    # A person may have written a whole page into a line.
    shown = [
        line if len(line) <= INDEX_LINE else line[:INDEX_LINE].rstrip() + "…"
        for line in lines[:INDEX_ENTRIES]
    ]
    return "\n".join(shown + [MORE] * (len(lines) > INDEX_ENTRIES))


def _shown(path: str) -> str:
    return one_line(path.encode("utf-8", "replace").decode())
