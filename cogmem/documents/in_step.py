"""One folder of saved memories, kept in step with the memories of the database, both ways.

File and row are brought into one form, `Said`, and compared with what they agreed on last. Who alone moved away
from that is followed by the other, through the one write path; if both moved, both texts stay and a person decides.
Nothing here deletes words for good: a file leaves to the archive, a memory can be restored. Each step writes the
side that follows first and notes the agreement afterwards; after a crash between the two both are equal.
"""

from __future__ import annotations

import os

from cogmem.documents import sections
from cogmem.documents.files import ABSENT, Problem
from cogmem.documents.said import KEY, Said, content_of, said, said_by_file, said_by_row
from cogmem.documents.saved import Saved, SavedMemories, SavedMemory, slug_in, slug_of
from cogmem.documents.sections import is_storable
from cogmem.errors import CogmemError, Conflict, DiskFull, InvalidInput, ReadOnly
from cogmem.named import NamedTuple
from cogmem.records import Draft, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Learned, Remembered
    from cogmem.scope import Scope
    from cogmem.store.store import Store

    Learn = Callable[[Draft, int, str], Learned]  # draft, now, profile
    Revise = Callable[[Remembered, dict[str, Any], int], str]  # memory, changes, now

VOCABULARY = "ok"  # whose words the types of saved memories are
KEEP = ("file", "memory")
GONE = ("restore", "remove")
MANY = 10  # files that vanish together, and most of all: rather a folder that is not all there yet


class Row(NamedTuple):
    """What the database has of a memory that a file mirrors."""

    uid: str
    user: str
    type: str
    key: str
    content: str
    data: str
    is_living: bool

    def said(self, known_name: str = "") -> Said:
        from json import loads

        return said_by_row(self.type, self.key, self.content, loads(self.data), known_name)


class Pair(NamedTuple):
    """A memory's file and row, and what happened since they agreed."""

    slug: str
    path: str
    file: SavedMemory | None
    row: Row | None
    agreed: str | None
    hash: str
    state: str

    @property
    def said_by_file(self) -> Said | None:
        return said_by_file(self.file) if self.file else None

    @property
    def said_by_row(self) -> Said | None:
        if self.row is None or not self.row.is_living:
            return None
        return self.row.said(self.file.name if self.file else "")

    @property
    def is_untouched(self) -> bool:
        """Tell whether the file has the very bytes that both agreed on."""
        return self.state == IN_STEP and self.file is not None and self.file.digest == self.hash

    @property
    def name(self) -> str:
        told = self.said_by_file or self.said_by_row
        return told.name if told else self.slug


class InStep(Record):
    """What bringing files and database into step did to one saved memory."""

    what: str
    name: str
    path: str


class Synced(NamedTuple):
    """What a sync did, and what it left to a person."""

    done: list[InStep]
    conflicts: list[Pair]
    problems: list[Problem]


def _agreed(pairs: list[Pair]) -> int:
    return sum(pair.agreed is not None for pair in pairs)


class Mirror:
    """One store of files beside the memories of one owner."""

    def __init__(
        self,
        store: Store,
        files: SavedMemories,
        owner: Scope,
        learn: Learn,
        revise: Revise,
    ) -> None:
        self.store = store
        self.db = store.db
        self.files = files
        self.owner = owner
        self.scope = "saved" if owner.project else "shared"
        self._learn = learn
        self._revise = revise

    @property
    def folder(self) -> str:
        return self.files.folder

    def survey(self, now: int) -> tuple[list[Pair], list[Problem]]:
        """Return every memory of either side with what happened to it; changes nothing."""
        if not self.folder:
            return [], []
        found, unreadable = self.files.read_all()
        problems = list(unreadable)
        files = {memory.slug: memory for memory in found}
        unread = {problem.path for problem in problems}
        pairs: list[Pair] = []
        rows = self.db.read("documents.mirrors", self._bounds())
        for path, name, digest, body, is_missing, uid, *told in rows:
            slug, agreed = slug_in(path), None if is_missing else body
            row = None if uid is None else Row._make((uid, *told))
            pair = Pair(slug, path, files.pop(slug, None), row, agreed, digest, "")
            if row is not None and row.user != self.owner.user:
                text = (
                    f"mirrors a memory of user {row.user!r}; give each user a folder of their own"
                )
                problems.append(Problem(path, 0, text))
            elif path in unread:
                pairs.append(pair._replace(state=UNREADABLE))
            elif pair.file or not is_missing or (row and row.is_living):
                pairs.append(pair._replace(state=self._state_of(pair, name)))
        for slug, file in files.items():
            if is_storable(file.path):
                pairs.append(Pair(slug, file.path, file, None, None, "", NEW_FILE))
            else:
                problems.append(Problem(file.path, 0, "its name is not text; rename it"))
        owner = {**self.owner.place(), **self._bounds(), "now": now}
        for uid, type, key, content, data in self.db.read("documents.unmirrored", owner):
            row = Row(uid, self.owner.user, type, key, content, data, True)
            pairs.append(Pair("", "", None, row, None, "", NEW_MEMORY))
        return pairs, problems

    def _state_of(self, pair: Pair, known_name: str) -> str:
        """Return what happened to a memory that has had a file. `known_name` is what its file called it last."""
        ours = None
        if pair.row and pair.row.is_living:
            ours = pair.row.said(pair.file.name if pair.file else known_name).text
        theirs = pair.said_by_file.text if pair.said_by_file else None
        state = verdict(theirs, ours, pair.agreed)
        if state == FILE_DELETED and self.files.was_archived(pair.slug, pair.hash):
            return FILE_ARCHIVED
        return state

    def is_gone(self, pairs: list[Pair]) -> bool:
        """Tell whether the whole folder went, which is no reason to remove every memory."""
        return _agreed(pairs) > 0 and self.files.is_gone()

    def _bounds(self) -> dict[str, Any]:
        folder = self.folder
        return {"first": folder + os.sep, "last": folder + chr(ord(os.sep) + 1)}

    def sync(self, now: int, *, gone: str = "", only: str = "") -> Synced:
        """Let each side follow the other. `gone` says what a missing folder means: restore its
        files, or remove their memories; without it the folder is waited for."""
        if gone and gone not in GONE:
            raise InvalidInput(f"a missing folder means {' or '.join(GONE)}, not {gone!r}")
        pairs, problems = self.survey(now)
        if not gone and self.is_gone(pairs):
            text = (
                f"the folder of {_agreed(pairs)} saved memories is missing or empty; nothing was changed. "
                "`cogmem docs sync --gone restore` writes the files again, `--gone remove` removes the memories"
            )
            problems.append(Problem(self.folder, 0, text))
            return Synced([], [], problems)
        missing = sum(pair.state == FILE_DELETED for pair in pairs)
        are_many = not gone and missing >= MANY and missing * 2 > _agreed(pairs)
        if are_many:
            text = (
                f"{missing} files are missing at once; their memories were kept. "
                "`cogmem docs sync --gone remove` removes them, `--gone restore` writes the files"
            )
            problems.append(Problem(self.folder, 0, text))
        waiting = {UNREADABLE, FILE_DELETED if are_many else ""}
        mine = [pair for pair in pairs if not only or pair.slug == only]
        conflicts = [pair for pair in mine if pair.state == CONFLICT]
        room = self.files.cap - sum(pair.file is not None for pair in pairs)
        over = 0
        done: list[InStep] = []
        for pair in mine:
            if pair.state == CONFLICT or pair.state in waiting or pair.is_untouched:
                continue
            if pair.state == NEW_MEMORY and pair.file is None and not pair.path:
                room -= 1
                if room < 0:
                    over += 1
                    continue
            if pair.state == FILE_DELETED and gone == "restore":
                pair = pair._replace(state=MEMORY_CHANGED)
            try:
                path = self._follow(pair, pairs, now)
            except (CogmemError, OSError) as error:
                problems.append(Problem(pair.path or self.folder, 0, f"{pair.name}: {error}"))
                continue
            if pair.state != IN_STEP:
                done.append(InStep(pair.state, pair.name, path))
        if over:
            text = f"{over} memories stay in the database only: the folder holds {self.files.cap}"
            problems.append(Problem(self.folder, 0, text))
        if done:
            self._tell([f"{one.what}: saved memory “{one.name}”" for one in done], now)
        return Synced(done, conflicts, problems)

    def _follow(self, pair: Pair, pairs: list[Pair], now: int) -> str:
        state, row, file = pair.state, pair.row, pair.file
        if state in (NEW_FILE, FILE_CHANGED):
            path = self._take_file(pair, pairs, now)
            self.files.reindex(pair.slug)
            return path
        if state in (NEW_MEMORY, MEMORY_CHANGED):
            return self._write_file(pair, now)
        if state == MEMORY_REMOVED and file is not None:
            self.files.remove(pair.slug, expected=file.digest)
            self._miss(pair.path, now)
        elif state in (FILE_DELETED, FILE_ARCHIVED) and row is not None:
            self._let_go(row.uid, state == FILE_ARCHIVED, now)
            self._miss(pair.path, now)
            self.files.reindex()
        elif state == IN_STEP and file is not None and row is not None:
            self._agree(file, row.uid, now)  # other bytes that say the same
        elif state == IN_STEP:
            self._miss(pair.path, now)
        return pair.path

    def _take_file(self, pair: Pair, pairs: list[Pair], now: int) -> str:
        file = pair.file
        assert file is not None
        told = said_by_file(file)
        row = pair.row
        if row is None:
            for other in pairs:
                twin = other.said_by_row
                if other.slug != pair.slug and twin and content_of(twin) == content_of(told):
                    if other.path:
                        raise InvalidInput(f"says the same as {other.path}; delete one of the two")
                    row = other.row  # it waits for a file, and this is one
        uid = self._stored(told, pair.slug, row, "observed", now)
        row = self._row(uid, told.type)
        if row.said(file.name) == told:
            self._agree(file, uid, now)
            return file.path
        # The guard took something out on the way: the file must not keep it either.
        return self._write_file(pair._replace(row=row), now)

    def _stored(self, told: Said, slug: str, row: Row | None, source: str, now: int) -> str:
        data = {"name": told.name, "description": told.description}
        if row is None:
            draft = Draft(content_of(told), told.type, self.owner, source=source, data=data)
            draft.key, draft.vocabulary = KEY + slug, VOCABULARY
            return self._learn(draft, now, VOCABULARY).uid
        memory = self.store.get(row.uid, self.owner, now)
        if memory.state != "active":
            by: dict[str, Any] = {"now": now, "verb": "restore"}
            self.store.set_state(memory, "active", reason="", **by)
            memory = self.store.get(row.uid, self.owner, now)
        changes = {
            "content": content_of(told),
            "kind": self.store.kinds.of(told.type, VOCABULARY)[0].name,
            "data": {**memory.data, **data},
        }
        if any(getattr(memory, name) != value for name, value in changes.items()):
            self._revise(memory, changes, now)
        return row.uid

    def _write_file(self, pair: Pair, now: int) -> str:
        assert pair.row is not None
        told = pair.row.said(pair.file.name if pair.file else "")
        slug = pair.slug or self._free_slug(told.name, pair.row.uid)
        expected = pair.file.digest if pair.file else ABSENT
        saved = self.files.save(
            told.name, told.description, told.shown_body, told.type, expected, slug
        )
        self._agree(saved.memory, pair.row.uid, now)
        self._left(saved.archived, now)
        return saved.memory.path

    def _free_slug(self, name: str, uid: str) -> str:
        try:
            slug = slug_of(name)
        except InvalidInput:
            return uid.replace("_", "-")
        return f"{slug}-{uid[4:12]}" if os.path.lexists(self.files.path(slug)) else slug

    def _left(self, archived: tuple[SavedMemory, ...], now: int) -> None:
        """Memories whose files had to make room are archived too."""
        known = {row[0]: row for row in self.db.read("documents.mirrors", self._bounds())}
        for memory in archived:
            row = known.get(memory.path)
            if row is not None and row[5] is not None and row[11]:
                self._let_go(row[5], True, now)
            self._miss(memory.path, now)

    def _let_go(self, uid: str, is_archived: bool, now: int) -> None:
        memory = self.store.get(uid, self.owner, now)
        state, reason, verb = ("deleted", "its file was deleted", "remove")
        if is_archived:
            state, reason, verb = ("archived", "capacity", "archive")
        self.store.set_state(memory, state, reason=reason, now=now, verb=verb)

    def _row(self, uid: str, type: str) -> Row:
        from json import dumps

        memory = self.store.get(uid, self.owner, 0)
        data = dumps(memory.data, ensure_ascii=False)
        return Row(uid, memory.user, type, memory.key, memory.content, data, True)

    def _agree(self, file: SavedMemory, uid: str, now: int) -> None:
        """Note what both sides say now."""
        told = said_by_file(file)
        row: dict[str, Any] = {
            "path": file.path,
            "name": file.name,
            "scope": self.scope,
            "project": self.owner.project,
            "hash": file.digest,
            "size": len(told.text.encode()),
            "body": told.text,
            "uid": uid,
            "modified_at": file.modified_ns // 1_000_000,
            "now": now,
        }
        self._note([("documents.see", row)], now)

    def _miss(self, path: str, now: int) -> None:
        self._note([("documents.miss", {"path": path, "now": now})], now)

    def _tell(self, notes: list[str], now: int) -> None:
        self._note(sections.tell(notes, self.owner.user, self.owner.project, now), now)

    def _note(self, steps: list[Step], now: int) -> None:
        self.db.write(steps, verb="documents", at=now)

    def save(
        self,
        name: str,
        description: str,
        body: str,
        type: str = "",
        *,
        now: int,
        source: str = "observed",
    ) -> Saved:
        """Save a memory under its name, as a file and in the database.

        The database comes first, as its guard may refuse; a folder that cannot be written gets its
        file with a later sync.
        """
        if not self.folder:
            raise InvalidInput(
                "memories cannot be saved without a folder of yours: pass user_dir, or set COGMEM_USER_DIR"
            )
        told = said(name, description, self.files.type_of(type), body)
        slug = os.path.basename(self.files.path(told.name))[:-3]
        first = self.sync(now, only=slug)  # what a person wrote there meanwhile becomes history
        for pair in first.conflicts:
            if pair.slug == slug:
                raise Conflict(
                    f"{pair.path} and its memory were both changed since they agreed; "
                    f"`cogmem docs resolve {pair.slug} --keep file` or `--keep memory` decides"
                )
        pairs, _ = self.survey(now)
        fresh = Pair(slug, "", None, None, None, "", NEW_MEMORY)
        pair = next((one for one in pairs if one.slug == slug), fresh)
        is_held = self.is_gone(pairs)
        if pair.file is not None and pair.state != IN_STEP:  # a person's words that were not taken
            raise Conflict(f"{pair.path} is not replaced: {first.problems[0].text}")
        uid = self._stored(told, slug, pair.row, source, now)
        row = self._row(uid, told.type)
        kept = row.said(told.name)
        notes: tuple[str, ...] = ()
        try:
            if is_held:
                raise ReadOnly(first.problems[0].text)
            expected = pair.file.digest if pair.file else ABSENT
            saved = self.files.save(
                kept.name, kept.description, kept.shown_body, kept.type, expected, slug
            )
        except (ReadOnly, DiskFull, OSError) as error:
            notes = (f"the memory is stored, its file is not: {error}",)
            path = self.files.path(slug)
            file = SavedMemory(slug, *kept[:3], kept.shown_body, path, "", 0)
            saved = Saved(file, pair.file is not None, ())
        else:
            self._agree(saved.memory, uid, now)
            self._left(saved.archived, now)
        headline = f": {kept.description}" if kept.description else ""
        self._tell([f"Saved memory “{kept.name}”{headline}"], now)
        return saved._replace(uid=uid, notes=notes)

    def resolve(self, name: str, keep: str, now: int) -> str:
        """End a conflict in favour of one side; the other's words go to archive or history."""
        if keep not in KEEP:
            raise InvalidInput(f"keep {' or '.join(KEEP)}, not {keep!r}")
        pairs, _ = self.survey(now)
        for pair in pairs:
            if pair.state != CONFLICT or name not in (pair.slug, pair.name, pair.path):
                continue
            if keep == "memory":
                if pair.file is not None:
                    self.files.remove(pair.slug, expected=pair.file.digest)
                if pair.said_by_row is None:
                    self._miss(pair.path, now)
                    return pair.path
                return self._write_file(pair._replace(file=None), now)
            if pair.file is None:
                assert pair.row is not None
                self._let_go(pair.row.uid, False, now)
                self._miss(pair.path, now)
                return pair.path
            return self._take_file(pair, pairs, now)
        raise InvalidInput(f"{name!r} is not in conflict; `cogmem docs status` lists what is")


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
