"""Memories that an agent saves as files: one Markdown file each, and an index, MEMORY.md.

A person may edit, add and delete them with any editor. So lines of the index that are not entries stay, an index
with nothing wrong is not touched, and every write happens under the folder's lock and replaces whole files. Past
its limit the oldest leave to the folder `archive`, by time of modification; each save gets the newest time of all,
even where the clock stands still. Without a user folder there is no store: reading finds nothing, saving says why.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from contextlib import suppress

from cogmem.documents import frontmatter
from cogmem.documents.files import (
    ABSENT,
    LOCK_WAIT_SECONDS,
    Problem,
    digest_now,
    folder_lock,
    make_folder,
    named_error,
    read_file,
    replace_file,
    rewrite,
    shown_text,
    sound_text,
)
from cogmem.documents.markdown import one_line
from cogmem.documents.saved_index import indexed, order, without_dangling
from cogmem.errors import CogmemError, Conflict, InvalidInput
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Protocol

    from cogmem.file.db import Database

    class Store(Protocol):
        """A folder of saved memories: alone, or kept in step with a database."""

        @property
        def folder(self) -> str: ...

        def save(self, name: str, description: str, body: str, type: str = "") -> Saved: ...


DEFAULT_TYPE = "project"
INDEX = "MEMORY.md"
ARCHIVE = "archive"
PRIVATE = 0o600  # the mode of new files: what is remembered is nobody else's
_LONGEST_SLUG = 100
_LONGEST_FOLDER = 160
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin", "conout"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in range(10)]
)
_RESERVED = _DEVICES | {"memory"}  # memory.md is MEMORY.md where case does not count


class SavedMemory(NamedTuple):
    """One saved memory as its file has it."""

    slug: str
    name: str
    description: str
    type: str
    body: str
    path: str
    digest: str
    modified_ns: int


class Saved(NamedTuple):
    """The outcome of a save: what the file holds now, and which memories had to leave for it."""

    memory: SavedMemory
    replaced: bool
    archived: tuple[SavedMemory, ...]
    uid: str = ""  # of the memory in the database, where one is kept in step
    notes: tuple[str, ...] = ()  # what else the caller should know


class SavedMemories:
    """A folder of saved memories; with an empty folder it is closed. `types` gives the words for what a memory is
    about."""

    __slots__ = ("cap", "folder", "types")

    def __init__(self, folder: str, cap: int, types: Callable[[], Collection[str]] = tuple) -> None:
        self.folder = folder
        self.cap = cap
        self.types = types

    def type_of(self, text: str) -> str:
        """Return the type that a word stands for."""
        word = one_line(text).lower()
        return word if word in self.types() else DEFAULT_TYPE

    def save(
        self,
        name: str,
        description: str,
        body: str,
        type: str = "",
        expected: str | None = None,
        slug: str = "",
    ) -> Saved:
        """Write a memory under its name, in the place of an older one. `expected` is the digest that its file had
        (`ABSENT`: none), another is a Conflict; None overwrites. `slug` names a file that a person gave another
        name."""
        if not self.folder:
            raise InvalidInput(
                "memories cannot be saved without a folder of yours: pass user_dir, or set COGMEM_USER_DIR"
            )
        path = self._path_of(slug) if slug else self.path(name)
        data = render(name, description, self.type_of(type), body).encode()
        make_folder(self.folder)
        with folder_lock(self.folder):
            try:
                digest = self._checked_digest(path, expected)
                replace_file(path, data, digest, PRIVATE)
                self._make_newest(path)
                archived = self._archive_oldest(keep=path)
                self._reindex(changed=path)
                return Saved(self._read(path), digest != ABSENT, archived)
            except OSError as error:
                raise named_error(error, path) from error

    def remove(self, name: str, expected: str | None = None) -> SavedMemory | None:
        """Archive a memory and take it out of the index; None if there is none of this name."""
        path = self.path(name)
        if not os.path.lexists(path):
            return None
        with folder_lock(self.folder):
            try:
                if self._checked_digest(path, expected) == ABSENT:
                    return None
                memory = self._read(path)
                self._archive(memory)
                self._reindex()
                return memory
            except OSError as error:
                raise named_error(error, path) from error

    def memories(self) -> tuple[SavedMemory, ...]:
        """Return all memories, sorted by name; a file that cannot be read is left out."""
        return self.read_all()[0]

    def read_all(self) -> tuple[tuple[SavedMemory, ...], tuple[Problem, ...]]:
        """Return all memories, and the files that could not be read."""
        found: list[SavedMemory] = []
        problems: list[Problem] = []
        for slug in self._slugs():
            path = self._path_of(slug)
            try:
                found.append(self._read(path))
            except (OSError, InvalidInput) as error:
                problems.append(Problem(path, 0, f"not read: {error}"))
        found.sort(key=lambda memory: order(memory.name))
        return tuple(found), tuple(sorted(problems, key=lambda one: (one.path, one.text)))

    def index(self) -> str:
        """Return the text of the index, or "" if there is none."""
        try:
            return shown_text(read_file(os.path.join(self.folder, INDEX)).data)[0]
        except OSError:
            return ""

    def path(self, name: str) -> str:
        """Return where the memory of this name lies or would lie; "" in a closed store."""
        if not self.folder:
            return ""
        # A file that a person made need not have a name of our making.
        return self._path_of(name if name in self._slugs() else slug_of(name))

    def compact(self, wait: float = LOCK_WAIT_SECONDS) -> tuple[SavedMemory, ...]:
        """Archive what is over the cap and drop entries of files that are gone; else the index is not touched."""
        slugs = self._slugs()
        index = self.index()
        if len(slugs) <= self.cap and without_dangling(index, slugs) == index:
            return ()
        with folder_lock(self.folder, wait):
            archived = self._archive_oldest()
            if archived:
                self._reindex()
            else:
                present = self._slugs()
                index = os.path.join(self.folder, INDEX)
                rewrite(index, lambda text: without_dangling(text, present), PRIVATE)
            return archived

    def reindex(self, changed: str = "") -> None:
        """Bring the index into step with files that a person wrote, changed or deleted; the line of
        the slug `changed` is written anew."""
        if not os.path.isdir(self.folder):
            return
        with folder_lock(self.folder):
            try:
                self._reindex(self._path_of(changed) if changed in self._slugs() else "")
            except OSError as error:
                raise named_error(error, self.folder) from error

    def is_gone(self) -> bool:
        """Tell whether the folder is missing or bare of everything: unmounted or moved, say."""
        try:
            return not os.listdir(self.folder)
        except OSError:
            return True

    def was_archived(self, slug: str, digest: str) -> bool:
        """Tell whether this content of a memory lies in the archive: it left, nobody deleted it."""
        return os.path.lexists(self._archived(slug, digest))

    def _slugs(self) -> frozenset[str]:
        try:
            names = os.listdir(self.folder) if self.folder else []
        except OSError:
            return frozenset()
        return frozenset(name[:-3] for name in names if _is_memory(name))

    def _path_of(self, slug: str) -> str:
        return os.path.join(self.folder, f"{slug}.md")

    def _checked_digest(self, path: str, expected: str | None) -> str:
        if os.path.islink(path):
            raise InvalidInput(f"{path} is a link; put a file in its place first")
        digest = digest_now(path)
        if expected is not None and digest != expected:
            raise Conflict(f"{path} was changed meanwhile; read it again and decide anew")
        return digest

    def _read(self, path: str) -> SavedMemory:
        found = read_file(path)
        text, wrong = shown_text(found.data)
        if wrong:
            raise InvalidInput(wrong)
        fields, body = frontmatter.parse(text)
        slug = slug_in(path)
        return SavedMemory(
            slug,
            one_line(fields.get("name", "")) or slug,
            one_line(fields.get("description", "")),
            self.type_of(fields.get("type", "")),
            body.strip(),
            path,
            found.digest,
            found.modified_ns,
        )

    def _ages(self, but: str = "") -> list[tuple[int, str]]:
        """(time of modification, path) of every memory, the oldest first."""
        ages = []
        for path in map(self._path_of, self._slugs()):
            with suppress(OSError):
                ages.append((os.lstat(path).st_mtime_ns, path))
        return sorted(age for age in ages if age[1] != but)

    def _make_newest(self, path: str) -> None:
        """Give the file a later time than all others, in steps that any file system can tell."""
        others = max((age for age, _ in self._ages(but=path)), default=0)
        for step in (0, 1_000, 1_000_000, 1_000_000_000, 2_000_000_000):
            if step:
                os.utime(path, ns=(others + step, others + step))
            if os.stat(path).st_mtime_ns > others:
                return

    def _archive_oldest(self, keep: str = "") -> tuple[SavedMemory, ...]:
        ages = self._ages(but=keep)
        over = len(ages) - self.cap + (1 if keep else 0)
        archived: list[SavedMemory] = []
        for _, path in ages:
            if len(archived) >= over:
                break
            try:
                memory = self._read(path)
            except (OSError, InvalidInput):
                over -= 1  # what cannot be read does not count, and is not ours to move
                continue
            self._archive(memory)
            archived.append(memory)
        return tuple(archived)

    def _archive(self, memory: SavedMemory) -> None:
        """Move the file aside under a name that its content gives, so that none is overwritten."""
        target = self._archived(memory.slug, memory.digest)
        make_folder(os.path.dirname(target))
        try:
            os.replace(memory.path, target)
        except OSError as error:
            raise named_error(error, memory.path) from error

    def _archived(self, slug: str, digest: str) -> str:
        return os.path.join(self.folder, ARCHIVE, f"{slug}~{digest[:8]}.md")

    def _reindex(self, changed: str = "") -> None:
        told = {one.slug: (one.name, one.description) for one in self.memories()}
        present = self._slugs()
        slug = slug_in(changed)
        index = os.path.join(self.folder, INDEX)
        rewrite(index, lambda text: indexed(text, told, present, slug), PRIVATE)


def folder_of_project(user_dir: str, cwd: str) -> str:
    """Return where the saved memories of the project at `cwd` lie, a canonical path; '' without a user folder."""
    if not user_dir:
        return ""
    return os.path.join(os.path.abspath(user_dir), "projects", project_slug(cwd), "memory")


def shared_folder(user_dir: str) -> str:
    """Return where those lie that all projects share."""
    return os.path.join(os.path.abspath(user_dir), "shared", "memory") if user_dir else ""


def is_in_a_store(path: str) -> bool:
    """Tell whether a path is one that a store of either sort would give a memory, by its name alone."""
    if not os.path.isabs(path) or path != os.path.normpath(path):
        return False
    place, name = os.path.split(path)
    store, folder = os.path.split(place)
    is_shared = os.path.basename(store) == "shared"
    of_one = os.path.basename(os.path.dirname(store)) == "projects"
    return _is_memory(name) and folder == "memory" and (is_shared or of_one)


def _is_memory(name: str) -> bool:
    return name.endswith(".md") and name[0] != "." and name.lower() != INDEX.lower()


def project_slug(path: str) -> str:
    """Return a folder name for a project's path: `/Users/me/proj` is `-Users-me-proj`. A path that cannot be read
    back from its name gets a hash, so that `/a-b` and `/a/b` stay apart."""
    name = "".join(c if c.isalnum() or c in "._ " else "-" for c in path)
    clear = path.startswith("/") and path.isascii() and name.count("-") == path.count("/")
    if clear and len(name) <= _LONGEST_FOLDER and name[-1] not in ". ":
        return name
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    kept = name.encode("utf-8", "replace")[-_LONGEST_FOLDER:].decode("utf-8", "ignore")
    return f"{kept}~{digest}"


def slug_of(name: str) -> str:
    """Return the file name of a memory, less `.md`: lower-case Latin letters, digits and hyphens. Letters of other
    scripts give a hash; a name that a file system reserves gets an underscore, which no other slug has."""
    name = unicodedata.normalize("NFC", one_line(name)).lower()
    slug = "".join(c if c.isascii() and c.isalnum() else " " for c in name)
    slug = "-".join(slug.split())
    lost = any(c.isalnum() and not c.isascii() for c in name) or not (slug or name.isascii())
    if not slug and not lost:
        raise InvalidInput("a saved memory needs a name with a letter or a digit in it")
    if lost or len(slug) > _LONGEST_SLUG:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        slug = f"{slug[:_LONGEST_SLUG]}-{digest}".lstrip("-")
    return f"{slug}_" if slug in _RESERVED else slug


def render(name: str, description: str, type: str, body: str) -> str:
    """Return the text of a memory's file; equal memories have equal bytes."""
    fields = (
        f"{frontmatter.FENCE}\n"
        f"name: {frontmatter.scalar(one_line(name))}\n"
        f"description: {frontmatter.scalar(one_line(description))}\n"
        f"metadata:\n  type: {type}\n"
        f"{frontmatter.FENCE}\n"
    )
    body = body.replace("\0", "").replace("\r\n", "\n").strip()
    return sound_text(f"{fields}\n{body}\n")


def slug_in(path: str) -> str:
    """Return the slug of the memory whose file this is."""
    return os.path.basename(path)[:-3]


def mirrors(db: Database) -> dict[str, str]:
    """Return every file that mirrors a saved memory, with the memory's uid: asked before it is forgotten."""
    return dict(db.read("documents.all_mirrors"))


def erase(paths: Iterable[str]) -> list[str]:
    """Remove these files; returns all that went. Rows may come from a stranger's export: a path that no store of
    saved memories would use is left alone."""
    gone: list[str] = []
    for path in filter(is_in_a_store, paths):
        folder, name = os.path.split(path)
        copies = [path]
        with suppress(OSError):
            archive = os.path.join(folder, ARCHIVE)
            start = f"{name.removesuffix('.md')}~"
            copies += [
                os.path.join(archive, one) for one in os.listdir(archive) if one.startswith(start)
            ]
        for copy in copies:
            with suppress(OSError):
                os.unlink(copy)
                gone.append(copy)
        with suppress(CogmemError, OSError):
            SavedMemories(folder, 0).reindex()
    return gone


NAME_LENGTH = 80


def remember(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Carry out one call of the tool."""
    if not store.folder:
        error = "saved memories are unavailable: COGMEM_USER_DIR names no folder of yours"
        return {"success": False, "error": error}

    def text(name: str) -> str:
        value = arguments.get(name, "")
        if not isinstance(value, str | None):
            raise InvalidInput(f"`{name}` must be text")
        return value or ""

    try:
        description, body = one_line(text("description")), text("body").strip()
        if not description or not body:
            missing = "description" if not description else "body"
            raise InvalidInput(f"`{missing}` is required and must not be empty")
        name = one_line(text("name")) or one_line(description, NAME_LENGTH)
        result = store.save(name, description, body, text("type"))
    except CogmemError as error:
        return {"success": False, "error": str(error)}
    verb = "Updated" if result.replaced else "Saved"
    return {
        "success": True,
        "message": f"{verb} the memory “{result.memory.name}” in {result.memory.path}",
        "path": result.memory.path,
        "name": result.memory.name,
        "replaced": result.replaced,
        "archived": [memory.name for memory in result.archived],
        **({"uid": result.uid} if result.uid else {}),
        **({"notes": list(result.notes)} if result.notes else {}),
    }
