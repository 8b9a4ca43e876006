"""A team's memory in its repository: one person proposes, a pull request reviews, everybody takes it in.

The files are the record. A memory notes in its data what file and memory last agreed on, so it is clear which side
changed since; what both changed is left to a person. Taking in happens only when someone asks for it: a repository
that somebody cloned must not put words into a memory.

Each is one small Markdown file, `.cogmem/memories/deploy-on-fridays-1a2b3c4d.md`, with a head of fields in a fixed
order and the text below; nothing in it changes by itself, and the uid says which memory it is. Git merges two edits
of one by fields, not by lines: a field that only one side changed takes that side's value, and tags are joined.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import UTC, datetime
from itertools import combinations
from typing import NamedTuple

from cogmem.documents import frontmatter
from cogmem.errors import CogmemError, Conflict, GuardRefused, InvalidInput, UnknownMemory
from cogmem.file.pristine import pristine
from cogmem.file.private import write_whole
from cogmem.guard import guard
from cogmem.language.contradiction import difference, polarity
from cogmem.language.similarity import exact_cosine
from cogmem.records import PRIORITIES, PRIORITY_NAMES, Record, Report
from cogmem.scope import fits
from cogmem.space import Area
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Remembered
    from cogmem.space import Instant

FOLDER = os.path.join(".cogmem", "memories")
FIELDS = ("uid", "kind", "key", "topic", "tags", "path", "priority", "from", "until")
LONGEST = 64 << 10  # bytes of one file
_WORDS = 6  # of a text, in the name of its file
REFUSED = ("secret", "injection", "invisible")
ALIKE = 0.6  # from where two texts speak of one matter, and must not say opposite things
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_LEFT_OUT = frozenset((".git", "node_modules", ".venv", "__pycache__"))
_OURS, _BETWEEN, _THEIRS = "<<<<<<< ours", "=======", ">>>>>>> theirs"


class Shared(NamedTuple):
    """One shared memory, as its file says it."""

    fields: dict[str, str]
    content: str
    path: str = ""

    @property
    def uid(self) -> str:
        """Which memory it is."""
        return self.fields["uid"]

    @property
    def name(self) -> str:
        """The name of its file."""
        return os.path.basename(self.path)

    @property
    def tags(self) -> list[str]:
        """Its tags, in order."""
        return list(frontmatter.items(self.fields.get("tags", "")))

    def refusal(self) -> str:
        """Return why the guard does not let it through, or an empty text."""
        said = f"{self.content}\n{self.fields.get('key', '')}\n{self.fields.get('tags', '')}"
        found = [finding for finding in guard.inspect(said) if finding.kind in REFUSED]
        return guard.explain(found) if found else ""

    def instant(self, name: str) -> int | None:
        """Return the first moment of a day that a field names, in ms."""
        day = self.fields.get(name)
        if not day:
            return None
        return int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()) * 1000

    def text(self) -> str:
        """Return the whole file."""
        head = [line for name in FIELDS for line in _line(name, self.fields.get(name, ""))]
        return "\n".join(["---", *head, "---", "", self.content.strip(), ""])

    @property
    def digest(self) -> str:
        """Return what it says, in short."""
        return lines.sha256(self.text().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def of_memory(memory: Remembered) -> Shared:
    """Return a memory as its file would say it."""
    fields = {
        "uid": memory.uid,
        "kind": memory.kind,
        "key": memory.key,
        "topic": str(memory.detail.get("topic") or ""),
        "tags": _listed(memory.tags),
        "path": memory.path_glob,
        "priority": PRIORITY_NAMES[memory.priority],
        "from": _day(memory.detail.get("valid_from")),
        "until": _day(memory.detail.get("valid_to")),
    }
    return Shared({name: value for name, value in fields.items() if value}, memory.content.strip())


def parsed(text: str, path: str = "") -> Shared:
    """Return what a file says; raises with the fault and its place."""
    said, body = frontmatter.parse(text)
    name = os.path.basename(path)
    unknown = sorted(said.keys() - set(FIELDS))
    if unknown:
        raise InvalidInput(
            f"{name}: no field is called {unknown[0]}: there are {', '.join(FIELDS)}"
        )
    if not re.fullmatch(r"mem_[0-9a-f]{16}", said.get("uid", "")):
        raise InvalidInput(
            f"{name}: its uid must be mem_ and 16 hex digits: `cogmem sync share` writes it"
        )
    if not body.strip():
        raise InvalidInput(f"{name}: it says nothing below its head")
    if any(line.startswith(("<<<<<<< ", ">>>>>>> ")) for line in text.split("\n")):
        raise InvalidInput(f"{name}: a conflict of a merge stands in it: settle it first")
    priority = said.get("priority", "normal")
    if priority not in PRIORITIES:
        raise InvalidInput(f"{name}: priority is {', '.join(PRIORITIES)}, and not {priority!r}")
    fields = {**said, "kind": said.get("kind", "fact"), "priority": priority}
    fields["tags"] = _listed(frontmatter.items(said.get("tags", "")))
    shared = Shared({name: value for name, value in fields.items() if value}, body.strip(), path)
    for day in ("from", "until"):
        try:
            shared.instant(day)
        except ValueError:
            raise InvalidInput(f"{name}: {day} is a day like 2027-01-15") from None
    return shared


def read_all(root: str) -> Iterator[Shared | str]:
    """Yield the shared memories below a folder, by name; for one that cannot be read the fault."""
    folder = os.path.join(root, FOLDER)
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".md") or not os.path.isfile(path) or os.path.islink(path):
            continue
        try:
            if os.path.getsize(path) > LONGEST:
                yield f"{name}: it is longer than {LONGEST >> 10} KiB"
                continue
            with open(path, encoding="utf-8") as file:
                yield parsed(file.read(), path)
        except UnicodeDecodeError:
            yield f"{name}: it is not UTF-8 text"
        except (InvalidInput, OSError) as error:
            yield str(error)


def write(root: str, shared: Shared) -> str:
    """Write a memory's file, where it is or under a new name; returns the path."""
    folder = os.path.join(root, FOLDER)
    os.makedirs(folder, exist_ok=True)
    for there in read_all(root):
        if isinstance(there, Shared) and there.uid == shared.uid:
            path = there.path
            break
    else:
        path = os.path.join(folder, f"{_slug(shared)}-{shared.uid[4:12]}.md")
    write_whole(path, [shared.text().encode()], 0o666)
    return path


def _listed(tags: Any) -> str:
    found = sorted({str(tag).replace(",", " ").strip() for tag in tags} - {""})
    return f"[{', '.join(frontmatter.scalar(tag) for tag in found)}]" if found else ""


def _day(at: Any) -> str:
    return lines.day(at) if isinstance(at, int) else ""


def _slug(shared: Shared) -> str:
    said = shared.fields.get("key") or shared.content
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in said.lower()).split()
    return "-".join(words[:_WORDS])[:48].strip("-") or "memory"


def merged(base: str, ours: str, theirs: str) -> tuple[str, bool]:
    """Return the file that takes in both edits, and whether nothing in it wants a person."""
    mine, other = parsed(ours), parsed(theirs)
    was = parsed(base) if base.strip() else Shared({}, "")
    head: list[str] = []
    is_clean = True
    for name in FIELDS:
        if name == "tags":
            before, left, right = set(was.tags), set(mine.tags), set(other.tags)
            kept = (left & right) | (left - before) | (right - before)
            head += _line(name, _listed(kept))
            continue
        sides = (was.fields.get(name, ""), mine.fields.get(name, ""), other.fields.get(name, ""))
        value, is_one = _chosen(*sides)
        if is_one:
            head += _line(name, value)
        else:
            is_clean = False
            head += [_OURS, *_line(name, sides[1]), _BETWEEN, *_line(name, sides[2]), _THEIRS]
    body, is_one = _chosen(was.content, mine.content, other.content)
    if not is_one:
        is_clean = False
        body = "\n".join([_OURS, mine.content, _BETWEEN, other.content, _THEIRS])
    return "\n".join(["---", *head, "---", "", body, ""]), is_clean


def _line(name: str, value: str) -> list[str]:
    shown = value if name == "tags" else frontmatter.scalar(value)  # tags are a list already
    return [f"{name}: {shown}"] if value else []


def _chosen(was: str, mine: str, other: str) -> tuple[str, bool]:
    if mine == other or other == was:
        return mine, True
    if mine == was:
        return other, True
    return "", False


def faults(root: str) -> list[str]:
    """Sentences, each with the file that it is about; none if all is well."""
    read = [*read_all(root)]
    found = [one for one in read if isinstance(one, str)]
    shared = [one for one in read if isinstance(one, Shared)]
    kinds = pristine().policy["kind"]
    for one in shared:
        if (kind := one.fields["kind"],) not in kinds:
            known = "`cogmem setting kind list` shows them"
            found.append(f"{one.name}: no kind is called {kind}: {known}")
        if why := one.refusal():
            found.append(f"{one.name}: the guard refuses it: {why}")
    return [*found, *_twice(shared), *_opposed(shared), *_dead(root, shared)]


def _twice(shared: list[Shared]) -> Iterator[str]:
    for what in ("uid", "key", "topic"):
        seen: dict[str, str] = {}
        for one in shared:
            value = one.fields.get(what)
            if not value or (what == "topic" and one.fields.get("until")):
                continue
            if value in seen:
                yield f"{one.name}: its {what} {value} is that of {seen[value]} too: one of them has to go"
            seen.setdefault(value, one.name)


def _opposed(shared: list[Shared]) -> Iterator[str]:
    living = [one for one in shared if not one.fields.get("until")]
    for one, other in combinations(living, 2):
        is_alike = exact_cosine(one.content, other.content) >= ALIKE
        if is_alike and (apart := difference(one.content, other.content)):
            yield f"{other.name}: it contradicts {one.name} ({apart}): settle which one holds"


def _dead(root: str, shared: list[Shared]) -> Iterator[str]:
    files = _files(root) if any(one.fields.get("path") for one in shared) else []
    for one in shared:
        glob = one.fields.get("path")
        if glob and not any(fits(glob, file) for file in files):
            yield f"{one.name}: no file fits its path {glob}: was it moved?"
        for link in _LINK.findall(one.content):
            target = link.partition("#")[0]
            if not target or "://" in target or target.startswith("mailto:"):
                continue
            beside = os.path.join(os.path.dirname(one.path), target)
            if not any(map(os.path.exists, (beside, os.path.join(root, target.lstrip("/"))))):
                yield f"{one.name}: it cites {target}, which is not there"


def _files(root: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        inner = os.path.relpath(place, root).replace(os.sep, "/")
        prefix = "" if inner == "." else f"{inner}/"
        found += [prefix + name for name in names if not f"{prefix}{name}".startswith(FOLDER)]
    return found


TRUST = 0.9  # of what a team has reviewed
DRIVER = "cogmem sync merge %O %A %B"
ATTRIBUTE = f"{FOLDER.replace(os.sep, '/')}/*.md merge=cogmem"


class TakenFile(Record):
    """What became of a shared memory: imported, updated, archived …; `path` is empty where its file is gone."""

    what: str
    uid: str
    path: str


class TakenIn(Report):
    """What taking in did, and what wants a person."""

    done: list[TakenFile]
    problems: list[str]


class Sharing(Area):
    """Memories that a team shares in its repository: `mem.sharing`."""

    def propose(self, name: str, root: str, *, now: Instant = None) -> str:
        """Write a memory into the repository, for others to review; returns the file's path.

        name: its uid or key
        root: the folder of the working tree

        >>> path = mem.sharing.propose("staging", ".")
        """
        at = self.space.instant(now)
        memory = self.space.get(name, now=at)
        if memory.layer != "semantic":
            raise InvalidInput(
                f"{memory.uid} is {memory.layer}: what a team shares is what is held true"
            )
        shared = of_memory(memory)
        if why := shared.refusal():
            raise GuardRefused(f"{memory.uid} is not to be shared: {why}")
        path = write(root, shared)
        self._agree(memory, shared.digest, at)
        return path

    def take_in(self, root: str, *, take: str = "", now: Instant = None) -> TakenIn:
        """Take in what the repository's files say; `take` names a memory whose file is to win.

        root: the folder of the working tree
        take: the uid of a memory whose file is to win over it

        >>> mem.sharing.take_in(".").problems
        []
        """
        at = self.space.instant(now)
        result = TakenIn()
        there: set[str] = set()
        for one in read_all(root):
            if isinstance(one, str):
                result.problems.append(one)
                continue
            there.add(one.uid)
            try:
                if what := self._take(one, take == one.uid, at):
                    result.done.append(TakenFile(what, one.uid, one.path))
            except CogmemError as error:
                result.problems.append(f"{one.name}: {error}")
        if (result.problems and not there) or not os.path.isdir(os.path.join(root, FOLDER)):
            return result.closed()
        store, why = self.space.store, "taken out of the repository"
        for (uid,) in self.space.db.read("sync.shared", {"project": self.space.scope.project}):
            if uid not in there and (memory := self._row(uid, at)) is not None:
                store.set_state(memory, "archived", reason=why, now=at, verb="share")
                result.done.append(TakenFile("archived", uid, ""))
        return result.closed()

    def _take(self, shared: Shared, wins: bool, at: int) -> str:
        if why := shared.refusal():
            raise GuardRefused(f"it is not taken in: {why}")
        memory = self._row(shared.uid, at)
        if memory is None:
            if self.space.db.read("sync.is_forgotten", {"uid": shared.uid})[0][0]:
                raise UnknownMemory(
                    "it was forgotten here: take it out of the repository, or leave it"
                )
            self._insert(shared, at)
            return "new"
        agreed = str((memory.data.get("shared") or {}).get("agreed", ""))
        here = of_memory(memory).digest
        if here == shared.digest:
            if agreed != here:
                self._agree(memory, here, at)
            return ""
        if agreed == shared.digest and not wins:
            raise Conflict(
                f"the memory was changed here: `cogmem sync share {shared.uid}` proposes that"
            )
        if agreed != here and not wins:
            raise Conflict(
                f"both were changed: `cogmem sync share {shared.uid}` keeps yours, with --take the file's"
            )
        self._update(memory, shared, at)
        return "updated"

    def _row(self, uid: str, at: int) -> Remembered | None:
        try:
            everywhere = self.space.scope.replacing(everywhere=True)
            return self.space.store.get(uid, everywhere, at, living=False)
        except UnknownMemory:
            return None

    def _columns(self, shared: Shared) -> dict[str, Any]:
        store = self.space.store
        kind, _ = store.kinds.of(shared.fields["kind"])
        if kind.name != shared.fields["kind"] or kind.layer != "semantic":
            raise InvalidInput(f"no kind of facts is called {shared.fields['kind']}")
        return {
            "kind": kind.name,
            "key": shared.fields.get("key", ""),
            "content": shared.content,
            "tags": shared.tags,
            "path_glob": shared.fields.get("path", ""),
            "priority": PRIORITIES[shared.fields["priority"]],
        }

    def _fact(self, shared: Shared) -> Step:
        ends = {"valid_from": shared.instant("from"), "valid_to": shared.instant("until")}
        topic = shared.fields.get("topic", "")
        return "sync.set_fact", {"uid": shared.uid, "topic": topic, **ends}

    def _insert(self, shared: Shared, at: int) -> None:
        columns = self._columns(shared)
        row = {
            **pristine().defaults["memory"],
            **columns,
            **self.space.store.written_form("semantic", columns["key"], shared.content, {}),
            "uid": shared.uid,
            "layer": "semantic",
            "tags": json.dumps(columns["tags"], ensure_ascii=False),
            "project": self.space.scope.project,
            "source": "import",
            "trust": TRUST,
            "polarity": polarity(shared.content),
            "data": json.dumps({"shared": {"agreed": shared.digest}}),
            **dict.fromkeys(("created_at", "updated_at", "reinforced_at"), at),
        }
        self._write([("store.insert_memory", row), self._fact(shared)], at)

    def _update(self, memory: Remembered, shared: Shared, at: int) -> None:
        columns = self._columns(shared)
        columns["data"] = {**memory.data, "shared": {"agreed": shared.digest}}
        steps = self.space.store.rewrite_steps(memory, columns, at)
        self._write([*steps, self._fact(shared)], at)

    def _agree(self, memory: Remembered, digest: str, at: int) -> None:
        data = {**memory.data, "shared": {"agreed": digest}}
        self._write(self.space.store.rewrite_steps(memory, {"data": data}, at), at)

    def _write(self, steps: list[Step], at: int) -> None:
        self.space.db.write(steps, verb="share", at=at)


def set_up(root: str) -> list[str]:
    """Tell git how edits of one shared memory are merged: in the repository's attributes, and in this clone."""
    path, done = os.path.join(root, ".gitattributes"), []
    with open(path, "a+", encoding="utf-8", newline="\n") as file:
        file.seek(0)
        text = file.read()
        if ATTRIBUTE not in text.splitlines():
            file.write(("" if not text or text.endswith("\n") else "\n") + ATTRIBUTE + "\n")
            done.append(path)
    for name, value in (("name", "shared memories of cogmem"), ("driver", DRIVER)):
        config = ["git", "-C", root, "config", f"merge.cogmem.{name}", value]
        try:
            subprocess.run(config, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise InvalidInput(
                f"git cannot be configured in {root} ({type(error).__name__}): is it a clone?"
            ) from None
    done.append("merge.cogmem.driver")
    return done
