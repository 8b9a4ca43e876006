"""What was last seen of a memory, noted outside of it.

A file cannot tell that it was put back to what it was last week: everything in it fits. So whoever seals its
history (`seal`) also notes in the state folder of this machine how far it had come. The note only ever moves on.
`check` compares, and so an older copy, another memory in its place or a removed receipt is told, until a person
says that it is meant (`cogmem doctor --accept`) or restores a backup, which says it too.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from cogmem.file.places import state_folder
from cogmem.file.private import write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FIELDS = {"path": str, "seal": int, "changes": int, "receipts": int, "digest": str, "at": int}


class Mark:
    """How far a memory had come: its newest seal, the changes below it, and what was lost before it."""

    __slots__ = ("at", "changes", "digest", "lost", "path", "receipts", "seal")

    def __init__(
        self, path: str, seal: int, changes: int, receipts: int, digest: str, at: int, lost: int = 0
    ) -> None:
        self.path = path
        self.seal = seal
        self.changes = changes
        self.receipts = receipts
        self.digest = digest
        self.at = at
        self.lost = lost  # changes of the memory that was here before, and is gone


def folder() -> str:
    """Where the notes lie: what a program remembers of its own work has a place on every platform."""
    return os.path.join(state_folder(), "marks")


def _file(path: str) -> str:
    from hashlib import blake2b

    name = blake2b(os.fsencode(os.path.realpath(path)), digest_size=16).hexdigest()
    return os.path.join(folder(), f"{name}.json")


def seen(path: str) -> Mark | None:
    """What was noted of the memory at a path; nothing if there is no note, or none that can be read."""
    return _read(_file(path))


def _read(file: str) -> Mark | None:
    try:
        with open(file, encoding="utf-8") as noted:
            said: Any = json.load(noted)
    except (OSError, ValueError):
        return None
    if not isinstance(said, dict) or any(
        not isinstance(said.get(name), kind) for name, kind in _FIELDS.items()
    ):
        return None
    lost = said.get("lost", 0)
    path, seal, changes, receipts, digest, at = (said[name] for name in _FIELDS)
    return Mark(path, seal, changes, receipts, digest, at, lost if isinstance(lost, int) else 0)


def note(mark: Mark) -> None:
    """Note how far a memory has come. A folder that cannot be written is no reason to fail."""
    said = {name: getattr(mark, name) for name in (*_FIELDS, "lost")}
    said["path"] = os.path.realpath(mark.path)
    with suppress(OSError):
        write_private(_file(mark.path), json.dumps(said))


def moved_on(now: Mark) -> None:
    """Note a newer seal, unless what is noted already is further on, which has to be told."""
    if now.path == ":memory:":
        return
    known = seen(now.path)
    if known is None or known.seal < now.seal:
        now.lost = known.lost if known else 0
        note(now)


def begun_anew(path: str, at: int) -> int:
    """A memory is made where one was: note its loss, and say how many changes are gone."""
    known = seen(path)
    if known is None or not known.changes:
        return 0
    note(Mark(path, 0, 0, 0, "", at, known.changes))
    return known.changes


def forgotten(path: str) -> None:
    """A person says that what is there is meant: nothing is noted any more."""
    with suppress(OSError):
        os.unlink(_file(path))
