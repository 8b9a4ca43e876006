"""Memories of a team as text in its repository: one small Markdown file each, so that a merge of git can follow.

`.cogmem/memories/deploy-on-fridays-1a2b3c4d.md` has a head of fields in a fixed order and the text below. Nothing in
it changes by itself: no counts, and days only where a person gave them. The uid says which memory it is, whatever the
file is called.

Git merges two edits of one by fields, not by lines: a field that only one side changed takes that side's value; tags
are joined. What the two sides changed differently is left to a person, between git's own conflict marks.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from itertools import combinations

from cogmem.documents import frontmatter
from cogmem.errors import InvalidInput
from cogmem.file.pristine import pristine
from cogmem.guard import guard
from cogmem.language.contradiction import difference
from cogmem.language.similarity import exact_cosine
from cogmem.records import PRIORITIES, PRIORITY_NAMES, Record
from cogmem.scope import fits
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.records import Remembered

FOLDER = os.path.join(".cogmem", "memories")
FIELDS = ("uid", "kind", "key", "topic", "tags", "path", "priority", "from", "until")
LONGEST = 64 << 10  # bytes of one file
_WORDS = 6  # of a text, in the name of its file
REFUSED = ("secret", "injection", "invisible")
ALIKE = 0.6  # from where two texts speak of one matter, and must not say opposite things
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_LEFT_OUT = frozenset((".git", "node_modules", ".venv", "__pycache__"))
_OURS, _BETWEEN, _THEIRS = "<<<<<<< ours", "=======", ">>>>>>> theirs"


class Shared(Record):
    """One shared memory, as its file says it."""

    fields: dict[str, str]
    content: str
    path: str

    def __init__(self, fields: dict[str, str], content: str, path: str = "") -> None:
        super().__init__(fields, content, path)

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
    partial = f"{path}.partial-{os.getpid()}"
    with open(partial, "w", encoding="utf-8", newline="\n") as file:
        file.write(shared.text())
    os.replace(partial, path)
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
