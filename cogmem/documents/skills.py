"""`mem.skills`: procedures beside the skills of an agent, folders with a SKILL.md each (the Agent Skills format).

Who alone moved away from what both said when they last agreed is followed by the other; if both did, a person says
which one holds. Of a file's body only the steps are the memory's: its longest numbered list, or bulleted one. A
skill of somebody else waits as a candidate, guarded as an import is.
"""

from __future__ import annotations

import os
import re

from cogmem.documents import frontmatter
from cogmem.documents.discover import git_root
from cogmem.documents.files import (
    digest_of,
    folder_lock,
    make_folder,
    read_file,
    rewrite,
    shown_text,
)
from cogmem.documents.markdown import code_lines, one_line
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

        >>> written = mem.skills.export("skills")
        >>> mem.skills.take_in("skills").problems
        []
        """
        step = Step(self, folder, now, writes=False)
        step.through(names)
        return step.result.closed()

    def sync(self, folder: str, *, now: Instant = None) -> SkillsDone:
        """Bring skills and procedures into step, both ways.

        folder: the folder of skills

        >>> written = mem.skills.export("skills")
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
        if not os.path.isdir(self.folder) and not self.agreed:
            raise InvalidInput(f"{self.folder} is not a folder: name the one with the skills")
        there = _there(self.folder)
        wanted = [there[name] for name in names if name in there]
        missing = [name for name in names if name not in there]
        problem = f"{self.folder} has no skill {{}}: look at its folders"
        self.result.problems += map(problem.format, missing)
        for path in wanted if names else sorted({*self.agreed, *there.values()}):
            try:
                self._one(path, wins=bool(names))
            except (CogmemError, OSError) as error:
                self.result.problems.append(f"{path}: {error}")

    def export(self, name: str, *, wins: bool = True) -> None:
        """Write one procedure; where `wins`, whatever stands there."""
        row = _procedure(self.space, name, self.at)
        new = os.path.join(self.folder, slug_of(row), FILE)
        path = next((path for path, one in self.agreed.items() if one.uid == row.uid), new)
        if not wins and os.path.lexists(path):
            self.result.problems.append(_which(path, row.uid, "another skill has its name"))
        else:
            self._write(path, row)

    def _one(self, path: str, *, wins: bool) -> None:
        agreed = self.agreed.get(path)
        if not os.path.lexists(path):
            if agreed and not agreed.is_missing:
                self._note("documents.miss", {"path": path}, "gone", agreed.uid or "")
            return
        name, said = _said(path)
        row = _living(self.space, agreed.uid if agreed else name, self.at)
        if row is None:
            if agreed:
                raise InvalidInput(
                    f"its procedure was removed here; delete the folder too, or `cogmem restore {agreed.uid}`"
                )
            if self.takes:
                self._bring(path, name, said)
            return
        here = of_memory(row)
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
        if learned.outcome == "known" and of_memory(row) != said:
            raise InvalidInput(f"{row.uid} says the same for something else: describe it otherwise")
        self.result.problems += [f"{path}: {note}" for note in learned.notes]
        self._agree(path, row, "waits")

    def _take(self, path: str, row: Remembered, here: Skill, said: Skill) -> None:
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
        told = of_memory(row)
        with folder_lock(folder):
            rewrite(path, lambda text: written(text, slug, row.key or slug, told))
        self._agree(path, row, "written")

    def _agree(self, path: str, row: Remembered, what: str) -> None:
        """Note what both sides say now; the guard may have made it two things."""
        found = read_file(path)
        name, said = _said(path)
        place = {"path": path, "name": name, "scope": "skill", "project": row.project}
        agreed = {"hash": digest_of(said.text.encode()), "body": of_memory(row).text}
        size, at = len(found.data), found.modified_ns // 1_000_000
        seen = {**place, **agreed, "uid": row.uid, "size": size, "modified_at": at}
        self._note("documents.see", seen, what, row.uid)

    def _note(self, step: str, seen: dict[str, Any], what: str, uid: str) -> None:
        steps = [(step, {**seen, "now": self.at})]
        self.space.db.write(steps, verb="documents", at=self.at)
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
    text, wrong = shown_text(read_file(path).data)
    if wrong:
        raise InvalidInput("it is not text in UTF-8")
    name = os.path.basename(os.path.dirname(path))
    return name, of_file(text, name)


def _which(path: str, uid: str, why: str) -> str:
    folder, name = os.path.split(os.path.dirname(path))
    return (
        f"{path}: {why}; `cogmem skills export {folder} {uid}` keeps what is held here,"
        f" `cogmem skills import {folder} {name}` what the file says"
    )


LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024  # of the format
WHEN = " Use when "  # between what a skill does and when to use it
_ITEM = re.compile(r" {0,3}(?:(\d{1,3})[.)]|[-*+])\s+(\S.*)")
_FENCES = ("```", "~~~")


class Skill(NamedTuple):
    """What a skill says, as far as a memory holds it."""

    description: str
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its text: equal texts are equal skills."""
        return "\n".join((self.description, *self.steps))

    @property
    def parts(self) -> tuple[str, str]:
        """Return what it does, and when to use it."""
        what, when, context = self.description.partition(WHEN)
        return (what, context.rstrip(".")) if when and what and context else (self.description, "")


class _Item(NamedTuple):
    """One step, with the lines where it stands."""

    first: int
    end: int
    text: str


def of_memory(memory: Remembered) -> Skill:
    """Return a procedure as its skill would say it."""
    context = one_line(memory.detail.get("context") or "").rstrip(".").removeprefix("when ")
    what, steps = one_line(memory.content), map(one_line, memory.detail.get("steps") or ())
    told = f"{what.rstrip('.')}.{WHEN}{context}." if context else what
    return Skill(one_line(told, LONGEST_DESCRIPTION - 1), tuple(steps))


def of_file(text: str, name: str) -> Skill:
    """Return what a SKILL.md says; without a list of steps, each of its paragraphs is one."""
    fields, body = frontmatter.parse(text)
    lines = body.split("\n")
    steps = [item.text for item in _items(lines)] or _paragraphs(lines)
    said = fields.get("description") or fields.get("name") or name
    return Skill(one_line(said, LONGEST_DESCRIPTION - 1), tuple(steps))


def slug_of(memory: Remembered) -> str:
    """Return the name of a procedure as the format has it: its folder's name, too."""
    words = "-".join(re.findall(r"[a-z0-9]+", memory.key.lower()))
    return words[:LONGEST_NAME].strip("-") or memory.uid.replace("_", "-")


def written(text: str, slug: str, title: str, skill: Skill) -> str:
    """Return a SKILL.md that says this, made new or from what stands there."""
    if not text.strip():
        head = f"---\nname: {slug}\ndescription: {frontmatter.scalar(skill.description)}\n---\n"
        return f"{head}\n# {title}\n\n" + "".join(_numbered(skill.steps, {}))
    there = of_file(text, slug)
    lines = text.split("\n")
    if there.steps != skill.steps:
        _, body = frontmatter.parse(text)
        above = len(lines) - len(body.split("\n"))
        items = _items(lines[above:])
        kept = {item.text: lines[above + item.first : above + item.end] for item in reversed(items)}
        new = "".join(_numbered(skill.steps, kept)).rstrip("\n").split("\n")
        if items:
            lines[above + items[0].first : above + items[-1].end] = new
        else:
            lines += ["## Steps", "", *new, ""]
    if there.description != skill.description:
        _describe(lines, f"description: {frontmatter.scalar(skill.description)}", slug)
    return "\n".join(lines)


def _describe(lines: list[str], field: str, slug: str) -> None:
    fields, _ = frontmatter.parse("\n".join(lines))
    if not fields:
        lines[:0] = [frontmatter.FENCE, f"name: {slug}", field, frontmatter.FENCE, ""]
        return
    end = next(at for at in range(1, len(lines)) if lines[at].rstrip() == frontmatter.FENCE)
    first = next((at for at in range(1, end) if lines[at].startswith("description:")), end)
    last = min(first + 1, end)
    while last < end and (not lines[last].strip() or lines[last][0] in " \t"):
        last += 1
    lines[first:last] = [field]


def _numbered(steps: Sequence[str], kept: dict[str, list[str]]) -> list[str]:
    """Return steps as a list; one that stood there before keeps its lines."""
    told = []
    for number, step in enumerate(steps, 1):
        lines = kept.get(step) or [f"1. {step}"]
        found = _ITEM.match(lines[0])
        told.append("\n".join([f"{number}. {found[2] if found else step}", *lines[1:]]) + "\n")
    return told


def _items(lines: Sequence[str]) -> list[_Item]:
    """Return the steps of a body: the longest numbered list, or if there is none the longest bulleted one."""
    code = code_lines(lines)
    found: list[tuple[bool, list[_Item]]] = []
    is_going = False
    for at, line in enumerate(lines):
        item = _ITEM.match(line) if at not in code else None
        if item:
            is_numbered = item[1] is not None
            if not is_going or found[-1][0] != is_numbered:
                found.append((is_numbered, []))
            found[-1][1].append(_Item(at, at + 1, item[2].strip()))
            is_going = True
        elif is_going and (at in code or line[:2] in ("  ", "\t") or line[:1] == "\t"):
            last = found[-1][1].pop()
            more = "" if line.strip()[:3] in _FENCES else f" {line.strip()}"
            found[-1][1].append(_Item(last.first, at + 1, one_line(last.text + more)))
        elif line.strip():
            is_going = False
    return max(found, key=lambda one: (one[0], len(one[1])), default=(False, []))[1]


def _paragraphs(lines: Sequence[str]) -> list[str]:
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [one_line(part) for part in re.split(r"\n\s*\n", text) if part.strip()]
