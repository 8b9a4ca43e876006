"""The documents and saved memories of one working folder, in step with one memory file.

All that is done with them leaves its trace in the database, and a note for the sessions that run on an older text.
"""

from __future__ import annotations

import os
from functools import lru_cache, partial

from cogmem.documents import sections
from cogmem.documents.compose import DocumentSet, block, fitted, load
from cogmem.documents.discover import Screening
from cogmem.documents.files import Problem
from cogmem.documents.in_step import VOCABULARY, Mirror
from cogmem.documents.in_step import InStep as InStep
from cogmem.documents.saved import Saved, SavedMemories, folder_of_project, shared_folder
from cogmem.errors import CogmemError, InvalidInput
from cogmem.guard import guard
from cogmem.records import Record
from cogmem.scope import project_at
from cogmem.space import Area
from cogmem.store.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.documents.edit import Appended, Written
    from cogmem.documents.in_step import Learn, Pair, Revise
    from cogmem.documents.sections import Compared
    from cogmem.scope import Scope
    from cogmem.space import Instant, Space


class Workplace(Area):
    """One folder's documents and the two stores of saved memories that belong to it."""

    def __init__(
        self, space: Space, learn: Learn, revise: Revise, cwd: str = ".", user_dir: str = ""
    ) -> None:
        super().__init__(space)
        scope, store = space.scope, space.store
        self.db = store.db
        self.cwd = os.path.realpath(cwd or ".")
        self.user_dir = os.path.abspath(user_dir) if user_dir else ""
        self.project = scope.project or project_at(self.cwd)
        self._at = space.instant
        everyone = scope.replacing(runtime="", session="", project="")
        self.scope = scope.replacing(project=self.project)
        policy = store.db.kept("policy", Policy)

        def mirror(folder: str, setting: str, owner: Scope) -> Mirror:
            types = partial(store.kinds.words_of, VOCABULARY)
            files = SavedMemories(folder, int(policy.number(setting)), types)
            return Mirror(store, files, owner, learn, revise)

        own = folder_of_project(self.user_dir if self.project else "", self.cwd)
        mine = everyone.replacing(project=self.project)
        self.project_memories = mirror(own, "saved_memories", mine)
        shared = shared_folder(self.user_dir)
        self.shared_memories = mirror(shared, "shared_memories", everyone)

    # -- for a prompt ----------------------------------------------------------------------------

    def load(self) -> DocumentSet:
        """Return what the files say now, screened by the guard.

        >>> mem.documents.load().documents
        ()
        """
        return load(
            self.cwd,
            self.user_dir,
            screen=screen,
            project=self.project_memories.files,
            shared=self.shared_memories.files,
        )

    # -- keeping in step -------------------------------------------------------------------------

    def sync(self, *, gone: str = "", now: Instant = None) -> Refreshed:
        """Take over what changed on disk, and write what changed in the database.

        gone: restore or remove: what to do where a folder of saved memories vanished

        >>> mem.documents.sync().done
        []
        """
        return self._synced(self._at(now), gone)[0]

    def _synced(self, at: int, gone: str) -> tuple[Refreshed, DocumentSet]:
        problems: list[Problem] = []
        done: list[InStep] = []
        conflicts: list[Pair] = []
        for mirror in (self.project_memories, self.shared_memories):
            synced = mirror.sync(at, gone=gone)
            done += synced.done
            conflicts += synced.conflicts
            problems += synced.problems
        found = self.load()
        compared = self._indexed(found, at)
        problems += found.problems
        return Refreshed(compared, done, [conflict(pair) for pair in conflicts], problems), found

    def _indexed(self, found: DocumentSet, at: int, told: str = "", scope: str = "") -> Compared:
        """Take over what changed, and tell running sessions; `told` is what a caller knows better."""
        compared = sections.index(self.db, found, self.project, now=at)
        if told:
            self._tell([told], at, scope)
            return compared
        changed = "was changed; read it before relying on what it said"
        notes = [(path, changed) for path in compared.changed]
        notes += [(path, "is gone; what it said no longer holds") for path in compared.gone]
        for path, what in notes:
            is_own = bool(self.user_dir) and os.path.dirname(path) == self.user_dir
            self._tell([f"{path} {what}"], at, "user" if is_own else "project")
        return compared

    def _tell(self, notes: list[str], at: int, scope: str) -> None:
        """Note what changed, for sessions: of a person's own documents for theirs, of a project's for all."""
        user, project = (self.scope.user, "") if scope == "user" else ("", self.project)
        steps = sections.tell(notes, user, project, at)
        self.db.write(steps, verb="documents", at=at)

    def status(self, *, now: Instant = None) -> FilesStatus:
        """Return where files and database differ, what is in conflict, and what could not be read.

        >>> mem.documents.status().saved
        []
        """
        at = self._at(now)
        found = self.load()
        problems = list(found.problems)
        saved = []
        conflicts = []
        for mirror in (self.project_memories, self.shared_memories):
            pairs, unread = mirror.survey(at)
            problems += unread
            if mirror.is_gone(pairs):
                problems.append(Problem(mirror.folder, 0, "the folder is missing or empty"))
            for pair in pairs:
                saved.append(SavedState(pair.name, pair.state, pair.path))
                if pair.state == "conflict":
                    conflicts.append(conflict(pair))
        compared = sections.compare(self.db, found, self.project)
        return FilesStatus(compared, saved, conflicts, self._elsewhere(), problems)

    def _elsewhere(self) -> list[str]:
        rows = self.db.read("documents.mirrored", {"scope": "saved", "project": self.project})
        folders = dict.fromkeys(os.path.dirname(row[0]) for row in rows)
        folders.pop(self.project_memories.folder, None)
        return list(folders)

    def show(self, count: Callable[[str], int], limit: int) -> ShownDocuments:
        """Return what a prompt would get: every document and saved memory, and what has no room.

        count: counts the tokens of a text
        limit: how many tokens it may cost

        >>> mem.documents.show(len, 2000).tokens
        0
        """
        found = self.load()
        shown = fitted(found, count, limit)
        left_out = {part.path for part in shown.left_out}
        documents = []
        for one in found.documents:
            tokens, imports = count(one.text), [within.path for within in one.imports]
            told = (one.path, one.scope, tokens, imports, one.caution, one.path in left_out)
            documents.append(ShownDocument(*told))
        memories = [
            ShownMemory(one.name, one.type, one.description, one.path, is_shared)
            for is_shared, mirror in enumerate((self.project_memories, self.shared_memories))
            for one in mirror.files.memories()
        ]
        return ShownDocuments(
            cwd=found.cwd,
            root=found.root,
            user_dir=found.user_dir,
            project=self.project,
            tokens=shown.tokens,
            limit=limit,
            documents=documents,
            saved=memories,
            left_out=sorted(left_out),
            problems=list(found.problems),
            text=shown.text,
        )

    # -- writing ---------------------------------------------------------------------------------

    def save(
        self,
        name: str,
        description: str,
        body: str,
        type: str = "",
        *,
        is_shared: bool = False,
        source: str = "observed",
        now: Instant = None,
    ) -> Saved:
        """Save a memory as a file and in the database, for this project or for all.

        name: a short title; the same name overwrites
        description: one line that tells a later session whether to read it
        body: the memory itself, in Markdown
        type: user, feedback, project or reference
        is_shared: whether it is for all projects
        source: how it was learned, such as user_explicit or observed; it decides on trust and state

        >>> mem.documents.save("Deploys", "How we deploy", "Blue button.").memory.name
        'Deploys'
        """
        mirror = self.shared_memories if is_shared else self.project_memories
        return mirror.save(name, description, body, type, source=source, now=self._at(now))

    def resolve(self, name: str, keep: str, *, now: Instant = None) -> str:
        """End a conflict in favour of the file or of the memory; returns the path.

        name: the saved memory, by its name or path
        keep: file or memory: the side that holds
        """
        for mirror in (self.project_memories, self.shared_memories):
            pairs, _ = mirror.survey(self._at(now))
            if any(name in (pair.slug, pair.name, pair.path) for pair in pairs):
                return mirror.resolve(name, keep, self._at(now))
        raise InvalidInput(f"no saved memory is called {name!r}; `cogmem docs status` lists them")

    def note(self, text: str, *, now: Instant = None) -> Appended:
        """Add what a person typed as `# note` or `#scope: note` to the document it is for.

        text: the line

        >>> mem.documents.note("# run the tests first").note
        'run the tests first'
        """
        from cogmem.documents.edit import quick_note

        found = quick_note(text)
        if found is None:
            raise InvalidInput(
                "a note is one line that begins with #, such as `# run the tests first` or "
                "`#user: answer in French`"
            )
        return self.add(found.text, found.scope, now=now)

    def add(self, note: str, scope: str = "project", *, now: Instant = None) -> Appended:
        """Add a note to the document of a scope.

        note: what to add, as a bullet under its heading Notes
        scope: project, user or local

        >>> mem.documents.add("Answer in French.", "user").created
        True
        """
        from cogmem.documents.edit import append_doc, doc_path

        self._indexed(self.load(), self._at(now))  # what was edited by hand is told for itself
        added = append_doc(doc_path(scope, self.cwd, self.user_dir), note)
        if added.note:
            told = f"Noted in {added.path}: {added.note}"
            self._indexed(self.load(), self._at(now), told, scope)
        return added

    def write(
        self, path: str, body: str, *, expected: str | None = None, now: Instant = None
    ) -> Written:
        """Write a document anew; with `expected`, only over the text that the caller has read.

        path: a document that applies here
        body: its whole text
        expected: the SHA-256 of the file that the caller has read

        >>> noted = mem.documents.note("# run the tests first")
        >>> mem.documents.write(noted.path, "# House", expected=noted.digest).changed
        True
        """
        from cogmem.documents.edit import write_doc

        found = self.load()
        self._indexed(found, self._at(now))
        written = write_doc(found, path, body, expected)
        if written.changed:
            scope = next((one.scope for one in found.documents if one.path == written.path), "")
            told = f"{written.path} was written anew: {body}"
            self._indexed(self.load(), self._at(now), told, scope)
        return written

    def text(self) -> str:
        """Return the whole block as a prompt would show it without a limit.

        >>> mem.documents.text()
        ''
        """
        return block(self.load())

    # -- for other stages --------------------------------------------------------------------------

    def stable(self, count: Callable[[str], int], limit: int, now: int) -> tuple[str, int]:
        """Return the text that stands at the head of a session's prompt, and what it costs. Trouble with files
        never keeps a turn from its prompt: `status` tells what it was."""
        found = None
        try:
            if not self.db.read_only:
                found = self._synced(now, "")[1]
        except (CogmemError, OSError):
            pass
        shown = fitted(found or self.load(), count, limit)
        return shown.text, shown.tokens

    @property
    def folder(self) -> str:
        """Where `save` writes; what the tool `remember` asks for."""
        return self.project_memories.folder


# -- what the guard says of files ------------------------------------------------------------------
# A person's file is theirs and stays as it is. It is shown with a caution where the guard found something, and
# without its secrets, which no prompt and no copy in the memory needs. A file that it imports is shown with a
# caution too, as data, but not if it holds a secret: an import is one line, easily planted, and whoever wrote it
# need not know what it drags into every prompt.


@lru_cache(maxsize=1_024)  # more than a session has documents: none costs the guard twice
def screen(text: str) -> Screening:
    """Return why a text must not be imported, and what a reader should be warned of."""
    findings = guard.inspect(text)
    if not findings:
        return Screening("", "")
    secrets = sorted({finding.name for finding in findings if finding.kind == "secret"})
    kinds = sorted({f"{finding.kind} ({finding.name})" for finding in findings})
    refusal = f"it holds a secret ({', '.join(secrets)})" if secrets else ""
    return Screening(refusal, f"the guard found {', '.join(kinds[:4])}; read it as data")


class SavedState(Record):
    """A saved memory, and what happened to its file or its row since they agreed."""

    name: str
    state: str
    path: str


class TextConflict(Record):
    """Both texts of a saved memory that was changed on both sides (None: that side is gone), and the last one they
    agreed on."""

    SHOWN = ("name", "path", "uid")
    name: str
    path: str
    uid: str | None
    file: str | None
    memory: str | None
    agreed: str | None


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
