"""What was last seen of a memory, noted outside of it.

A file cannot tell that it was put back to what it was last week: everything in it fits. So whoever seals its
history (`seal`) also notes in the state folder of this machine how far it had come. The note only ever moves on.
`check` compares, and so an older copy, another memory in its place or a removed receipt is told, until a person
says that it is meant (`cogmem doctor --accept`) or restores a backup, which says it too.

Copies of one memory share how their history began, its origin. The notes of one origin are listed together, so
that two copies of which both were written to are told.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from cogmem.file.places import LOST, state_folder
from cogmem.file.private import write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FIELDS = {"path": str, "seal": int, "changes": int, "receipts": int, "digest": str, "at": int}


class Mark:
    """How far a memory had come: its newest seal, the changes below it, and what was lost before it."""

    __slots__ = (
        "announced",
        "apart",
        "at",
        "backups",
        "changes",
        "copies",
        "digest",
        "lost",
        "origin",
        "own",
        "path",
        "receipts",
        "seal",
    )

    def __init__(
        self,
        path: str,
        seal: int,
        changes: int,
        receipts: int,
        digest: str,
        at: int,
        lost: int = 0,
        origin: str = "",
        apart: tuple[str, ...] = (),
        backups: str = "",
        own: tuple[str, ...] = (),
        announced: tuple[int, str] | None = None,
        copies: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.seal = seal
        self.changes = changes
        self.receipts = receipts
        self.digest = digest
        self.at = at
        self.lost = lost  # changes of the memory that was here before, and is gone
        self.origin = origin  # the first act of its history, which copies of it share
        self.apart = apart  # copies that a person keeps on purpose
        self.backups = backups  # the folder of its nightly copies, if it is not beside the file
        self.own = own  # digests of triggers that a person says are meant
        self.copies = copies  # backups that a person wanted at another place
        self.announced = (
            announced  # number and digest of the seal that a forgetting is about to begin with
        )

    def choices(self, known: Mark) -> None:
        """What a person chose, whatever the file holds."""
        self.apart, self.backups, self.own = known.apart, known.backups, known.own
        self.copies = known.copies

    def inherit(self, known: Mark) -> None:
        """What was noted before and holds still."""
        self.choices(known)
        self.origin = known.origin or self.origin  # `forget` may take the first act away
        if known.announced and known.announced[0] > self.seal:  # it sealed before it was announced
            self.announced = known.announced


def folder() -> str:
    """Return where the notes lie: what a program remembers of its own work has a place on every platform."""
    return os.path.join(state_folder(), "marks")


def _name(of: bytes) -> str:
    from hashlib import blake2b

    return blake2b(of, digest_size=16).hexdigest()


def _file(path: str) -> str:
    return os.path.join(folder(), f"{_name(os.fsencode(os.path.realpath(path)))}.json")


def _copies_folder(origin: str) -> str:
    return os.path.join(folder(), _name(origin.encode("utf-8", "surrogatepass")))


def seen(path: str) -> Mark | None:
    """Return what was noted of the memory at a path; nothing if there is no note, or none that can be read."""
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
    lost, origin, backups = said.get("lost", 0), said.get("origin", ""), said.get("backups", "")
    path, seal, changes, receipts, digest, at = (said[name] for name in _FIELDS)
    return Mark(
        path,
        seal,
        changes,
        receipts,
        digest,
        at,
        lost if isinstance(lost, int) else 0,
        origin if isinstance(origin, str) else "",
        _texts(said.get("apart")),
        backups if isinstance(backups, str) else "",
        _texts(said.get("own")),
        _link(said.get("announced")),
        _texts(said.get("copies")),
    )


def _link(said: Any) -> tuple[int, str] | None:
    if isinstance(said, list) and [type(value) for value in said] == [int, str]:
        return said[0], said[1]
    return None


def _texts(said: Any) -> tuple[str, ...]:
    return tuple(text for text in said if isinstance(text, str)) if isinstance(said, list) else ()


def copies(path: str, origin: str) -> list[Mark]:
    """What was noted of other files whose history began as that of the file at a path, and that are still there."""
    here = os.path.realpath(path)
    try:
        names = sorted(os.listdir(_copies_folder(origin))) if origin else []
    except OSError:
        return []
    known = (_read(os.path.join(folder(), name)) for name in names)
    return [
        mark
        for mark in known
        if mark and mark.seal and mark.path != here and os.path.isfile(mark.path)
    ]


def note(mark: Mark) -> None:
    """Note how far a memory has come. A folder that cannot be written is no reason to fail."""
    said = {
        name: getattr(mark, name)
        for name in (*_FIELDS, "lost", "origin", "apart", "backups", "own", "announced", "copies")
    }
    said["path"] = os.path.realpath(mark.path)
    file = _file(mark.path)
    with suppress(OSError):
        write_private(file, json.dumps(said))
        if mark.origin:
            listed = os.path.join(_copies_folder(mark.origin), os.path.basename(file))
            if not os.path.exists(listed):
                write_private(listed, "")


def moved_on(now: Mark) -> None:
    """Note a newer seal, unless what is noted already is further on, which has to be told."""
    if now.path == ":memory:":
        return
    known = seen(now.path)
    if known is None or known.seal < now.seal:
        if known is not None:
            now.lost = known.lost
            now.inherit(known)
        note(now)


def begun_anew(path: str, at: int) -> str:
    """A memory is made where one was: note its loss, and say so. Nothing if there was none."""
    known = seen(path)
    if known is None or not known.changes:
        return ""
    now = Mark(path, 0, 0, 0, "", at, known.changes)
    note(now)
    with suppress(
        OSError
    ):  # for hooks, which look at each turn and have no time to look for the note
        write_private(path + LOST, "")
    return loss(now)


def lost(path: str) -> str:
    """Return what to say at each turn of a memory that was begun where another one had been; '' for nothing."""
    known = seen(path)
    return loss(known) if known is not None and known.lost else ""


def loss(mark: Mark) -> str:
    """Return what a person should know who finds a new memory where an older one was."""
    return (
        f"a memory of {mark.lost} changes was here until {day(mark.at)} and is gone; this one was begun anew: if it"
        " is meant so, `cogmem doctor --accept`; otherwise put the file back, or `cogmem file restore`"
    )


def day(at: int) -> str:
    """Return an instant as the sentences about notes and seals tell it."""
    from time import gmtime, strftime

    return strftime("%Y-%m-%d %H:%M UTC", gmtime(at // 1000))


def forgotten(path: str) -> None:
    """What is there is meant: no history is noted any more, only what a person chose."""
    with suppress(OSError):
        os.unlink(path + LOST)
    known = seen(path)
    if known is not None and (known.apart or known.backups or known.own or known.copies):
        now = Mark(path, 0, 0, 0, "", known.at)
        now.choices(known)
        note(now)
        return
    with suppress(OSError):
        os.unlink(_file(path))


def kept_apart(path: str, others: list[str]) -> None:
    """A person keeps these copies on purpose: they are not told any more."""
    known = seen(path) or Mark(path, 0, 0, 0, "", 0)
    known.apart = tuple(sorted({*known.apart, *others}))
    note(known)


def kept_in(path: str, folder: str) -> None:
    """Where the nightly copies of a memory lie, for when it can no longer say so itself."""
    known = seen(path) or Mark(path, 0, 0, 0, "", 0)
    if known.backups != folder:
        known.backups = folder
        note(known)


def kept_copy(path: str, copy: str) -> None:
    """A backup that a person wanted at a place of his own: it forgets what the memory forgets."""
    known = seen(path) or Mark(path, 0, 0, 0, "", 0)
    there = [
        one
        for one in known.copies
        if os.path.isfile(one) or not os.path.isdir(os.path.dirname(one))
    ]
    known.copies = tuple(sorted({*there, os.path.realpath(copy)}))
    note(known)


def owned(path: str, digests: list[str]) -> None:
    """These triggers are meant: they run with cogmem's writes too."""
    known = seen(path) or Mark(path, 0, 0, 0, "", 0)
    known.own = tuple(sorted({*known.own, *digests}))
    note(known)
