"""`mem.skills`: procedures beside the skills of an agent, folders with a SKILL.md each.

Which file tells which procedure, and what both said when they last agreed, stands in `document`. Who alone moved away
from that is followed by the other; if both did, nothing happens until a person says which one holds. How often a
procedure worked stays in the memory. A skill of somebody else waits as a candidate, guarded as an import is.
"""

from __future__ import annotations

import os
from collections import namedtuple

from cogmem.documents import skill
from cogmem.documents.discover import git_root
from cogmem.documents.files import (
    FolderLock,
    digest_of,
    make_folder,
    read_file,
    rewrite,
    shown_text,
)
from cogmem.errors import CogmemError, InvalidInput, UnknownMemory
from cogmem.records import Draft, Record, Report, most_rows
from cogmem.space import Area
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.documents.in_step import Learn, Revise
    from cogmem.documents.skill import Skill
    from cogmem.records import Remembered
    from cogmem.space import Instant, Space

FILE = "SKILL.md"
FOLDERS = (os.path.join(".claude", "skills"), os.path.join(".agents", "skills"))
DECLINED = "no"  # in a procedure's data: it is never offered as a skill


class Offered(Record):
    """A procedure that worked three times and is no skill yet; `why` says how its tries went."""

    SHOWN = ("uid", "content", "why")
    uid: str
    key: str
    content: str
    why: str


class SkillDone(Record):
    """What became of one skill: written, taken in, waits, agreed, or gone: the file was deleted."""

    what: str
    uid: str
    path: str


class SkillsDone(Report):
    """What bringing skills and procedures into step did, and what wants a person."""

    done: list[SkillDone]
    problems: list[str]

    def __init__(self) -> None:
        self.done: list[SkillDone] = []
        self.problems: list[str] = []


class Skills(Area):
    """Procedures beside the skills of an agent: `mem.skills`."""

    def __init__(self, space: Space, learn: Learn, revise: Revise) -> None:
        super().__init__(space)
        self.db = space.store.db
        self._learn = learn
        self._revise = revise

    def offered(self, *, limit: int = 100) -> list[Offered]:
        """Return procedures that worked three times and are no skill yet, the latest first.

        limit: how many at most; 0: all

        >>> mem.skills.offered()
        []
        """
        params = {**self.space.scope.viewer(), "limit": most_rows(limit)}
        return [Offered(**row) for row in self.db.rows("documents.offered_skills", params)]

    def decline(self, name: str, *, now: Instant = None) -> str:
        """Say that a procedure is not to be offered as a skill.

        name: its uid or key
        now: the instant at which it happens; default: this one

        >>> uid = mem.procedure("restart", ["stop the queue", "start the queue"]).uid
        >>> act = mem.skills.decline("restart")
        """
        at = self.space.instant(now)
        row = self._procedure(name, at)
        return self._revise(row, {"data": {**row.data, "skill": DECLINED}}, at)

    def folder(self) -> str:
        """Return the folder where skills lie here: of the repository at hand, or of the person.

        >>> mem.skills.folder().endswith("skills")
        True
        """
        top = (self.space.scope.project and git_root(os.getcwd())) or os.path.expanduser("~")
        places = [os.path.join(top, name) for name in FOLDERS]
        return next((place for place in places if os.path.isdir(place)), places[-1])

    def export(self, folder: str, names: Sequence[str] = (), *, now: Instant = None) -> SkillsDone:
        """Write procedures as skills; those that are named win over what their files say.

        folder: the folder of skills
        names: uids or keys; default: those that are offered, and what changed here of those that are skills
        now: the instant at which it happens; default: this one

        >>> uid = mem.procedure("restart", ["stop the queue", "start the queue"]).uid
        >>> mem.skills.export("skills", ["restart"]).done[0].what
        'written'
        """
        at, folder = self.space.instant(now), _folder(folder)
        make_folder(folder)
        result = SkillsDone()
        if not names:
            self._step(folder, at, result, takes=False)
        for name in names or [one.uid for one in self.offered(limit=0)]:
            row = self._procedure(name, at)
            path = next(
                (path for path, one in self._known(folder).items() if one[0] == row.uid),
                os.path.join(folder, skill.slug_of(row), FILE),
            )
            if not names and os.path.lexists(path):
                result.problems.append(_which(path, row.uid, "another skill has its name"))
            else:
                self._write(path, row, at, result)
        return result.closed()

    def take_in(self, folder: str, names: Sequence[str] = (), *, now: Instant = None) -> SkillsDone:
        """Take in what the files of a folder say; those that are named win over what is held here.

        A skill that is new waits as a candidate until somebody confirms it.

        folder: the folder of skills
        names: names of skills, as their folders are called; default: all
        now: the instant at which it happens; default: this one

        >>> mem.skills.take_in("skills").problems
        []
        """
        result = SkillsDone()
        self._step(_folder(folder), self.space.instant(now), result, names=names, writes=False)
        return result.closed()

    def sync(self, folder: str, *, now: Instant = None) -> SkillsDone:
        """Bring skills and procedures into step, both ways.

        folder: the folder of skills
        now: the instant at which it happens; default: this one

        >>> mem.skills.sync("skills").problems
        []
        """
        result = SkillsDone()
        self._step(_folder(folder), self.space.instant(now), result)
        return result.closed()

    # -- one by one ------------------------------------------------------------------------------

    def _step(
        self,
        folder: str,
        at: int,
        result: SkillsDone,
        *,
        names: Sequence[str] = (),
        takes: bool = True,
        writes: bool = True,
    ) -> None:
        known, there = self._known(folder), _there(folder)
        missing = [name for name in names if name not in there]
        result.problems += [
            f"{folder} has no skill {name}: look at its folders" for name in missing
        ]
        named = [there[name] for name in names if name in there]
        for path in named if names else sorted({*known, *there.values()}):
            try:
                self._one(path, known.get(path), at, result, bool(names), takes, writes)
            except (CogmemError, OSError) as error:
                result.problems.append(f"{path}: {error}")

    def _one(
        self,
        path: str,
        agreed: Agreed | None,
        at: int,
        result: SkillsDone,
        wins: bool,
        takes: bool,
        writes: bool,
    ) -> None:
        """Bring one file and its procedure into step; `wins`: the file does."""
        if not os.path.lexists(path):
            if agreed and not agreed.is_missing:
                self._miss(path, at)
                result.done.append(SkillDone("gone", agreed.uid or "", path))
            return
        name = os.path.basename(os.path.dirname(path))
        said = skill.of_file(_text(path), name)
        row = self._living(agreed.uid if agreed else name, at)
        if agreed and row is None:
            result.problems.append(
                f"{path}: its procedure was removed here; delete the folder too, or `cogmem restore {agreed.uid}`"
            )
            return
        if row is None:
            if takes:
                self._bring(path, name, said, at, result)
            return
        here = skill.of_memory(row)
        file_moved = agreed is None or digest_of(said.text.encode()) != agreed.file
        memory_moved = agreed is None or here.text != agreed.here
        if here == said:
            if file_moved or memory_moved:
                self._agree(path, row, at, result, "agreed")
        elif file_moved and (wins or not memory_moved):
            if takes:
                self._take(path, row, said, at, result)
        elif file_moved and memory_moved:
            result.problems.append(
                _which(path, row.uid, "it and its procedure say different things")
            )
        elif memory_moved and writes and row.state == "active":
            self._write(path, row, at, result)

    def _bring(self, path: str, name: str, said: Skill, at: int, result: SkillsDone) -> None:
        """Let a skill that nobody here knows wait as a candidate."""
        if not said.steps:
            raise InvalidInput("it says nothing to do: give it a list of steps")
        what, context = said.parts
        draft = Draft(
            what,
            "procedure",
            self.space.scope.replacing(session=""),
            key=name,
            source="import",
            detail={"context": context, "steps": list(said.steps)},
        )
        learned = self._learn(draft, at, "import")
        row = self.space.get(learned.uid, now=at)
        if learned.outcome == "known" and skill.of_memory(row) != said:
            raise InvalidInput(f"{row.uid} says the same for something else: describe it otherwise")
        result.problems += [f"{path}: {note}" for note in learned.notes]
        self._agree(path, row, at, result, "waits")

    def _take(self, path: str, row: Remembered, said: Skill, at: int, result: SkillsDone) -> None:
        """What a person changed in a skill holds here; how its tries went stays."""
        changes: dict[str, Any] = {}
        here = skill.of_memory(row)
        if said.steps != here.steps:
            changes["detail"] = {"steps": list(said.steps)}
        if said.description != here.description:
            changes["content"], context = said.parts
            changes["detail"] = {**changes.get("detail", {}), "context": context}
        self._revise(row, changes, at)
        self._agree(path, self.space.get(row.uid, now=at), at, result, "taken in")

    def _write(self, path: str, row: Remembered, at: int, result: SkillsDone) -> None:
        folder = os.path.dirname(path)
        make_folder(folder)
        if os.path.realpath(folder) != folder:
            raise InvalidInput(f"{folder} is a link: name the folder that it leads to")
        slug = os.path.basename(folder)
        told = skill.of_memory(row)
        with FolderLock(folder):
            rewrite(path, lambda text: skill.written(text, slug, row.key or slug, told))
        self._agree(path, row, at, result, "written")

    def _agree(self, path: str, row: Remembered, at: int, result: SkillsDone, what: str) -> None:
        """Note what both sides say now; the guard may have made it two things."""
        found = read_file(path)
        name = os.path.basename(os.path.dirname(path))
        said = skill.of_file(_text(path), name)
        step = {
            "path": path,
            "name": name,
            "scope": "skill",
            "project": row.project,
            "hash": digest_of(said.text.encode()),
            "size": len(found.data),
            "body": skill.of_memory(row).text,
            "uid": row.uid,
            "modified_at": found.modified_ns // 1_000_000,
            "now": at,
        }
        self.db.write([("documents.see", step)], verb="documents", actor=self.space.actor, at=at)
        result.done.append(SkillDone(what, row.uid, path))

    def _miss(self, path: str, at: int) -> None:
        step = ("documents.miss", {"path": path, "now": at})
        self.db.write([step], verb="documents", actor=self.space.actor, at=at)

    def _procedure(self, name: str, at: int) -> Remembered:
        row = self.space.get(name, now=at)
        if row.layer != "procedural" or not row.detail.get("steps"):
            raise InvalidInput(
                f"{name} is no procedure with steps: `cogmem learn procedure` makes one"
            )
        return row

    def _living(self, name: str | None, at: int) -> Remembered | None:
        try:
            row = self._procedure(name or "", at)
        except (InvalidInput, UnknownMemory):
            return None
        return row if row.state in ("active", "candidate") else None

    def _known(self, folder: str) -> dict[str, Agreed]:
        """Return files of a folder that were brought into step once."""
        rows = self.db.read("documents.skills")
        return {row[0]: Agreed(*row[1:]) for row in rows if row[0].startswith(folder + os.sep)}


class Agreed(namedtuple("Agreed", ("uid", "file", "here", "is_missing"))):
    """What was said when a file and its procedure last agreed: by the file, as a digest, and by the memory."""

    __slots__ = ()
    uid: str | None
    file: str
    here: str
    is_missing: int


def _folder(folder: str) -> str:
    return os.path.realpath(os.path.expanduser(storable(folder, "the folder")))


def _there(folder: str) -> dict[str, str]:
    """Return the skills of a folder by name; a link to another folder's skill is that skill."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    paths = {name: os.path.join(folder, name, FILE) for name in names if not name.startswith(".")}
    return {name: os.path.realpath(path) for name, path in paths.items() if os.path.isfile(path)}


def _text(path: str) -> str:
    text, wrong = shown_text(read_file(path).data)
    if wrong:
        raise InvalidInput(f"it is {wrong}")
    return text


def _which(path: str, uid: str, why: str) -> str:
    folder, name = os.path.split(os.path.dirname(path))
    return (
        f"{path}: {why}; `cogmem skills export {folder} {uid}` keeps what is held here,"
        f" `cogmem skills import {folder} {name}` what the file says"
    )
