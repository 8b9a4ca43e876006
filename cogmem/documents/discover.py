"""Find the documents that apply to a folder, and inline what they import.

They are read from the general to the specific, and the later one holds: the user folder, every folder from the git
root down to the working folder, then its local files, which stay out of git. Without a git root only the working
folder is read: whoever can write to `/tmp` must not instruct an agent that works below it. A line that is only
`@path` is replaced by that file. A cloned project may be hostile, so an import must stay below the folder of the
file that imports it, links resolved; `@~/…` reaches the user folder and nothing else of the home. Nothing raises
for the state of the disk: what was stepped over is listed.
"""

from __future__ import annotations

import ntpath
import os
import stat
from functools import cache

from cogmem.documents.files import MAX_BYTES, Problem, is_inside, read_file, shown_text
from cogmem.documents.markdown import code_lines
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    Identity = tuple[int, int]

NAMES = ("OK.md", "REASONIX.md", "AGENTS.md", "CLAUDE.md")
LOCAL_NAMES = ("OK.local.md", "REASONIX.local.md", "AGENTS.local.md", "CLAUDE.local.md")
SCOPES = ("user", "ancestor", "project", "local")
MAX_DEPTH = 5


class Imported(NamedTuple):
    """A file whose text stands in a document."""

    path: str
    digest: str


class Screening(NamedTuple):
    """What a screen says of a text: why it must not be imported, and what to warn a reader of."""

    refusal: str
    caution: str


class Document(NamedTuple):
    """One document as an agent reads it. `digest` is of the file's bytes, without its imports."""

    path: str
    scope: str
    text: str
    digest: str
    imports: tuple[Imported, ...]
    aliases: tuple[str, ...]  # further paths in the search that are the same file
    caution: str = ""  # what a reader is warned of; mostly empty


class Discovery(NamedTuple):
    """All documents in reading order; `root` is the git root or empty."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    cwd: str
    root: str


def discover(
    cwd: str = ".",
    user_dir: str = "",
    home: str = "",
    screen: Callable[[str], Screening] | None = None,
) -> Discovery:
    """Read the documents for `cwd`. `screen` says why a text must not be imported (a secret in it, say), and what
    to warn of."""
    cwd = real_path(cwd or ".")
    root = git_root(cwd)
    user_dir = os.path.abspath(user_dir) if user_dir else ""
    problems: list[Problem] = []
    loaded: dict[Identity, _Source] = {}
    # A link out of the project could show an agent any file of the machine.
    fences = (root or cwd, real_path(user_dir)) if user_dir else (root or cwd,)
    for folder, scope in search_folders(cwd, root, user_dir):
        for name in LOCAL_NAMES if scope == "local" else NAMES:
            path = os.path.join(folder, name)
            _load(path, scope, () if scope == "user" else fences, loaded, problems)
    home = home or os.path.expanduser("~")
    imports = _Imports(user_dir, home, frozenset(loaded), screen, problems)
    documents = []
    for identity, source in loaded.items():
        text = imports.of(source.text, source.real, identity)
        refusal, caution = screen(source.text) if screen else ("", "")
        if caution:
            problems.append(Problem(source.path, 0, caution))
        if refusal:
            # The file keeps its secret; prompts and the memory do not get it.
            from cogmem.guard import guard

            text = guard.apply(text, guard.POLICIES["record"]).text
        inlined, aliases = tuple(imports.inlined), tuple(source.aliases)
        documents.append(
            Document(source.path, source.scope, text, source.digest, inlined, aliases, caution)
        )
    return Discovery(tuple(documents), tuple(problems), cwd, root)


def search_folders(cwd: str, root: str, user_dir: str) -> list[tuple[str, str]]:
    """Return the folders to look into with their scopes, the most specific last."""
    found = [(cwd, "local"), (cwd, "project")]
    folder = cwd
    while root and folder != root:
        folder = os.path.dirname(folder)
        found.append((folder, "ancestor"))
    return [*([(user_dir, "user")] if user_dir else []), *reversed(found)]


def git_root(folder: str) -> str:
    """Return the nearest folder upward that holds a `.git`, be it a folder or a worktree's file; or ""."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def real_path(path: str) -> str:
    """Return the canonical path, or as good as it can be had."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return os.path.abspath(path.replace("\0", ""))


def is_import(line: str) -> bool:
    """Tell whether the line is `@` and a path, and nothing else. `@someone` is prose."""
    text = line.strip()
    if len(text) < 2 or text[0] != "@" or not text.isprintable() or len(text.split()) != 1:
        return False
    return "/" in text or "\\" in text or "." in text


def import_place(
    target: str, folder: str, user_dir: str = "", home: str = "", flavour: ModuleType = os.path
) -> tuple[str, str, str]:
    """Return where an import leads, by name: (path, the folder that it must stay in, why it is refused). A project
    is shared between systems, so both slashes separate everywhere, and what is absolute on one is refused on
    all."""
    text = target.replace("\\", "/")
    if text.startswith("~"):
        if not text.startswith("~/") or not user_dir or not home:
            return "", "", "`~` is followed into the user folder only"
        base, fence, text = home, user_dir, text[2:]
    elif text.startswith("/") or ntpath.splitdrive(text)[0]:
        return "", "", "absolute paths are not followed"
    else:
        base = fence = folder
    path = str(flavour.normpath(flavour.join(base, *text.split("/"))))
    if not is_inside(fence, path, flavour):
        return "", "", f"leads out of {fence}"
    return path, fence, ""


class _Source(NamedTuple):
    """A document before its imports are followed."""

    path: str
    real: str
    scope: str
    text: str
    digest: str
    aliases: list[str]


def _load(
    path: str,
    scope: str,
    fences: tuple[str, ...],
    loaded: dict[Identity, _Source],
    problems: list[Problem],
) -> None:
    """Read one candidate into `loaded`, in the order of reading; missing ones are no problem."""
    try:
        state = os.lstat(path)
    except (OSError, ValueError):
        return
    real = path
    if scope == "user" or stat.S_ISLNK(state.st_mode):
        real = real_path(path)
    if fences and not any(is_inside(fence, real) for fence in fences):
        problems.append(Problem(path, 0, f"not read: it links to {real}, out of the project"))
        return
    try:
        found = read_file(path)
    except OSError as error:
        problems.append(Problem(path, 0, f"not read: {error.strerror or error}"))
        return
    if found.identity in loaded:
        loaded[found.identity].aliases.append(path)
        return
    text, wrong = shown_text(found.data)
    if wrong:
        problems.append(Problem(path, 0, wrong))
    if text.strip():
        loaded[found.identity] = _Source(path, real, scope, text.strip(), found.digest, [])


class _Imports:
    """Follows the imports of one document after another; `inlined` is the last one's harvest."""

    def __init__(
        self,
        user_dir: str,
        home: str,
        documents: frozenset[Identity],
        screen: Callable[[str], Screening] | None,
        problems: list[Problem],
    ) -> None:
        self._user_dir = user_dir
        self._home = home
        self._documents = documents
        self._screen = screen
        self._problems = problems
        self._real_folder = cache(real_path)  # each is asked for once: imports lie side by side
        self._seen: set[Identity] = set()
        self._left = 0
        self.inlined: list[Imported] = []

    def of(self, text: str, real: str, identity: Identity) -> str:
        """Return the document's text with its imports inlined."""
        self.inlined = []
        self._seen = set()
        self._left = MAX_BYTES - len(text)
        return self._expand(text, real, (identity,))

    def _expand(self, text: str, real: str, chain: tuple[Identity, ...]) -> str:
        if "@" not in text or len(chain) > MAX_DEPTH:
            return text
        lines = text.split("\n")
        code = code_lines(lines) if "```" in text or "~~~" in text else frozenset()
        for index, line in enumerate(lines):
            if "@" in line and is_import(line) and index not in code:
                lines[index] = self._inline(line, real, index + 1, chain)
        return "\n".join(lines)

    def _inline(self, line: str, real: str, number: int, chain: tuple[Identity, ...]) -> str:
        """Return what stands in the place of an import line; the line itself if it cannot be followed."""
        folder = os.path.dirname(real)
        path, fence, refused = import_place(line.strip()[1:], folder, self._user_dir, self._home)
        if not refused:
            folder, name = os.path.split(path)
            target = os.path.join(self._real_folder(folder), name)
            if os.path.islink(target):
                target = real_path(target)
            if not is_inside(self._real_folder(fence), target):
                refused = f"leads out of {fence}"
        if refused:
            return self._refused(line, real, number, f"refused: {refused}")
        try:
            found = read_file(target)
        except OSError as error:
            return self._refused(line, real, number, f"not read: {error.strerror or error}")
        for known, why in (
            (chain, "import cycle"),
            (self._seen, "already imported above"),
            (self._documents, "loaded as its own document"),
        ):
            if found.identity in known:
                return f"{line.rstrip()} <!-- skipped: {why} -->"
        text, wrong = shown_text(found.data)
        if not wrong and len(found.data) > self._left:
            wrong = f"the document would pass {MAX_BYTES // 1024} KiB"
        caution = ""
        if not wrong and self._screen is not None:
            wrong, caution = self._screen(text)
        if wrong:
            return self._refused(line, real, number, f"refused: {wrong}")
        self._left -= len(found.data)
        self._seen.add(found.identity)
        self.inlined.append(Imported(target, found.digest))
        shown = self._expand(text.strip(), target, (*chain, found.identity))
        if not caution:
            return shown
        self._problems.append(Problem(target, 0, caution))
        return f"{line.rstrip()} {cautioned(caution)}\n{shown}"

    def _refused(self, line: str, real: str, number: int, why: str) -> str:
        self._problems.append(Problem(real, number, f"import {why}"))
        return line


def cautioned(caution: str) -> str:
    """Return a caution as it stands in a prompt."""
    return f"<!-- caution: {caution} -->"
