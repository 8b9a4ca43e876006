"""Memories of a team as text in its repository: one small Markdown file each, so that a merge of git can follow.

`.cogmem/memories/deploy-on-fridays-1a2b3c4d.md` has a head of fields in a fixed order and the text below. Nothing in
it changes by itself: no counts, and days only where a person gave them. The uid says which memory it is, whatever the
file is called.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from cogmem.documents import frontmatter
from cogmem.errors import InvalidInput
from cogmem.records import PRIORITIES, PRIORITY_NAMES, Record
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
    def tags(self) -> list[str]:
        """Its tags, in order."""
        return list(frontmatter.items(self.fields.get("tags", "")))

    def instant(self, name: str) -> int | None:
        """Return the first moment of a day that a field names, in ms."""
        day = self.fields.get(name)
        if not day:
            return None
        return int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()) * 1000

    def text(self) -> str:
        """Return the whole file."""
        head = [
            f"{name}: {self.fields[name] if name == 'tags' else frontmatter.scalar(self.fields[name])}"
            for name in FIELDS
            if self.fields.get(name)
        ]
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
    uid = said.get("uid", "")
    if not (
        len(uid) == 20 and uid.startswith("mem_") and not set(uid[4:]) - set("0123456789abcdef")
    ):
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
