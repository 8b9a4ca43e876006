"""`mem.skills`: procedures beside the skills of an agent, folders with a SKILL.md each.

Which file tells which procedure, and what both said when they last agreed, stands in `document`. Who alone moved away
from that is followed by the other; if both did, nothing happens until a person says which one holds. How often a
procedure worked stays in the memory. A skill of somebody else waits as a candidate, guarded as an import is.
"""

from __future__ import annotations

import os

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
from cogmem.named import NamedTuple
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


class Skills(Area):
    """Procedures beside the skills of an agent: `mem.skills`."""

    def __init__(self, space: Space, learn: Learn, revise: Revise) -> None:
        super().__init__(space)
        self.learn = learn
        self.revise = revise

    def offered(self, *, limit: int = 100) -> list[Offered]:
        """Procedures that worked three times and are no skill yet, the latest first.

        >>> mem.skills.offered()
        []
        """
        params = {**self.space.scope.viewer(), "limit": most_rows(limit)}
        return [Offered(**row) for row in self.space.db.rows("documents.offered_skills", params)]

    def decline(self, name: str, *, now: Instant = None) -> str:
        """Say that a procedure is not to be offered as a skill.

        name: its uid or key

        >>> uid = mem.procedure("restart", ["stop the queue", "start the queue"]).uid
        >>> act = mem.skills.decline("restart")
        """
        at = self.space.instant(now)
        row = _procedure(self.space, name, at)
        return self.revise(row, {"data": {**row.data, "skill": DECLINED}}, at)

    def export(self, folder: str, names: Sequence[str] = (), *, now: Instant = None) -> SkillsDone:
        """Write procedures as skills; those that are named win over what their files say.

        folder: the folder of skills
        names: uids or keys; default: those that are offered, and what changed here of those that are skills

        >>> uid = mem.procedure("restart", ["stop the queue", "start the queue"]).uid
        >>> mem.skills.export("skills", ["restart"]).done[0].what
        'written'
        """
        step = Step(self, folder, now, takes=False)
        make_folder(step.folder)
        if names:
            for name in names:
                step.export(name)
        else:
            step.through()
            for one in self.offered(limit=0):
                step.export(one.uid, wins=False)
        return step.result.closed()

    def take_in(self, folder: str, names: Sequence[str] = (), *, now: Instant = None) -> SkillsDone:
        """Take in what the files of a folder say; those that are named win over what is held here.

        A skill that is new waits as a candidate until somebody confirms it.

        folder: the folder of skills
        names: names of skills, as their folders are called; default: all

        >>> mem.skills.take_in("skills").problems
        []
        """
        step = Step(self, folder, now, writes=False)
        step.through(names)
        return step.result.closed()

    def sync(self, folder: str, *, now: Instant = None) -> SkillsDone:
        """Bring skills and procedures into step, both ways.

        folder: the folder of skills

        >>> mem.skills.sync("skills").problems
        []
        """
        step = Step(self, folder, now)
        step.through()
        return step.result.closed()

    # -- for other stages --------------------------------------------------------------------------

    def folder(self) -> str:
        """Return the folder where skills lie here: of the repository at hand, or of the person."""
        top = (self.space.scope.project and git_root(os.getcwd())) or os.path.expanduser("~")
        places = [os.path.join(top, name) for name in FOLDERS]
        return next((place for place in places if os.path.isdir(place)), places[-1])


class Step:
    """One way through a folder of skills: what it may do, and what it did."""

    def __init__(
        self, skills: Skills, folder: str, now: Instant, *, takes: bool = True, writes: bool = True
    ) -> None:
        self.skills, self.space = skills, skills.space
        self.at = self.space.instant(now)
        self.folder = os.path.realpath(os.path.expanduser(storable(folder, "the folder")))
        self.takes, self.writes = takes, writes
        self.result = SkillsDone()
        rows = self.space.db.read("documents.skills")
        within = self.folder + os.sep
        # What was brought into step once, by its file.
        self.agreed = {row[0]: Agreed(*row[1:]) for row in rows if row[0].startswith(within)}

    def through(self, names: Sequence[str] = ()) -> None:
        """Bring all of the folder into step; of what is named the files win."""
        there = _there(self.folder)
        wanted = [there[name] for name in names if name in there]
        self.result.problems += [
            f"{self.folder} has no skill {name}: look at its folders"
            for name in names
            if name not in there
        ]
        for path in wanted if names else sorted({*self.agreed, *there.values()}):
            try:
                self._one(path, wins=bool(names))
            except (CogmemError, OSError) as error:
                self.result.problems.append(f"{path}: {error}")

    def export(self, name: str, *, wins: bool = True) -> None:
        """Write one procedure; where `wins`, whatever stands there."""
        row = _procedure(self.space, name, self.at)
        new = os.path.join(self.folder, skill.slug_of(row), FILE)
        path = next((path for path, one in self.agreed.items() if one.uid == row.uid), new)
        if not wins and os.path.lexists(path):
            self.result.problems.append(_which(path, row.uid, "another skill has its name"))
        else:
            self._write(path, row)

    def _one(self, path: str, *, wins: bool) -> None:
        """Bring one file and its procedure into step."""
        agreed = self.agreed.get(path)
        if not os.path.lexists(path):
            if agreed and not agreed.is_missing:
                self._note("documents.miss", {"path": path}, "gone", agreed.uid or "")
            return
        name, said = _said(path)
        row = _living(self.space, agreed.uid if agreed else name, self.at)
        if row is None and agreed:
            raise InvalidInput(
                f"its procedure was removed here; delete the folder too, or `cogmem restore {agreed.uid}`"
            )
        if row is None:
            if self.takes:
                self._bring(path, name, said)
            return
        here = skill.of_memory(row)
        file_moved = agreed is None or digest_of(said.text.encode()) != agreed.file
        memory_moved = agreed is None or here.text != agreed.here
        if here == said:
            if file_moved or memory_moved:
                self._agree(path, row, "agreed")
        elif file_moved and memory_moved and not wins:
            why = "it and its procedure say different things"
            self.result.problems.append(_which(path, row.uid, why))
        elif file_moved:
            if self.takes:
                self._take(path, row, here, said)
        elif memory_moved and self.writes and row.state == "active":
            self._write(path, row)

    def _bring(self, path: str, name: str, said: Skill) -> None:
        """Let a skill that nobody here knows wait as a candidate."""
        if not said.steps:
            raise InvalidInput("it says nothing to do: give it a list of steps")
        what, context = said.parts
        scope = self.space.scope.replacing(session="")
        detail = {"context": context, "steps": list(said.steps)}
        draft = Draft(what, "procedure", scope, key=name, source="import", detail=detail)
        learned = self.skills.learn(draft, self.at, "import")
        row = self.space.get(learned.uid, now=self.at)
        if learned.outcome == "known" and skill.of_memory(row) != said:
            raise InvalidInput(f"{row.uid} says the same for something else: describe it otherwise")
        self.result.problems += [f"{path}: {note}" for note in learned.notes]
        self._agree(path, row, "waits")

    def _take(self, path: str, row: Remembered, here: Skill, said: Skill) -> None:
        """Take what a person changed in a skill; how its tries went stays."""
        changes: dict[str, Any] = {"detail": {}}
        if said.steps != here.steps:
            changes["detail"]["steps"] = list(said.steps)
        if said.description != here.description:
            changes["content"], changes["detail"]["context"] = said.parts
        self.skills.revise(row, changes, self.at)
        self._agree(path, self.space.get(row.uid, now=self.at), "taken in")

    def _write(self, path: str, row: Remembered) -> None:
        folder = os.path.dirname(path)
        make_folder(folder)
        if os.path.realpath(folder) != folder:
            raise InvalidInput(f"{folder} is a link: name the folder that it leads to")
        slug = os.path.basename(folder)
        told = skill.of_memory(row)
        with FolderLock(folder):
            rewrite(path, lambda text: skill.written(text, slug, row.key or slug, told))
        self._agree(path, row, "written")

    def _agree(self, path: str, row: Remembered, what: str) -> None:
        """Note what both sides say now; the guard may have made it two things."""
        found = read_file(path)
        name, said = _said(path)
        seen = {
            "path": path,
            "name": name,
            "scope": "skill",
            "project": row.project,
            "hash": digest_of(said.text.encode()),
            "size": len(found.data),
            "body": skill.of_memory(row).text,
            "uid": row.uid,
            "modified_at": found.modified_ns // 1_000_000,
        }
        self._note("documents.see", seen, what, row.uid)

    def _note(self, step: str, seen: dict[str, Any], what: str, uid: str) -> None:
        steps = [(step, {**seen, "now": self.at})]
        self.space.db.write(steps, verb="documents", actor=self.space.actor, at=self.at)
        self.result.done.append(SkillDone(what, uid, seen["path"]))


class Agreed(NamedTuple):
    """What was said when a file and its procedure last agreed: by the file, as a digest, and by the memory."""

    uid: str | None
    file: str
    here: str
    is_missing: int


def _procedure(space: Space, name: str, at: int) -> Remembered:
    row = space.get(name, now=at)
    if row.layer != "procedural" or not row.detail.get("steps"):
        raise InvalidInput(f"{name} is no procedure with steps: `cogmem learn procedure` makes one")
    return row


def _living(space: Space, name: str | None, at: int) -> Remembered | None:
    try:
        row = _procedure(space, name or "", at)
    except (InvalidInput, UnknownMemory):
        return None
    return row if row.state in ("active", "candidate") else None


def _there(folder: str) -> dict[str, str]:
    """Return the skills of a folder by name; a link to another folder's skill is that skill."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    paths = {name: os.path.join(folder, name, FILE) for name in names if not name.startswith(".")}
    return {name: os.path.realpath(path) for name, path in paths.items() if os.path.isfile(path)}


def _said(path: str) -> tuple[str, Skill]:
    """Return the name of a skill's folder, and what its file says."""
    text, wrong = shown_text(read_file(path).data)
    if wrong:
        raise InvalidInput(f"it is {wrong}")
    name = os.path.basename(os.path.dirname(path))
    return name, skill.of_file(text, name)


def _which(path: str, uid: str, why: str) -> str:
    folder, name = os.path.split(os.path.dirname(path))
    return (
        f"{path}: {why}; `cogmem skills export {folder} {uid}` keeps what is held here,"
        f" `cogmem skills import {folder} {name}` what the file says"
    )
