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
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Mark(NamedTuple):
    """How far a memory had come: its newest seal, the changes below it, and what was lost before it."""

    path: str
    seal: int
    changes: int
    receipts: int
    digest: str
    at: int
    lost: int = 0  # changes of the memory that was here before, and is gone
    origin: str = ""  # the first act of its history, which copies of it share
    apart: tuple[str, ...] = ()  # copies that a person keeps on purpose
    backups: str = ""  # the folder of its nightly copies, if it is not beside the file
    own: tuple[str, ...] = ()  # digests of triggers that a person says are meant
    # Of the seal that a forgetting is about to begin with.
    announced: tuple[int, str] | tuple[()] = ()
    copies: tuple[str, ...] = ()  # backups that a person wanted at another place

    def choosing(self, known: Mark, **more: Any) -> Mark:
        """Return it with what a person chose before, whatever the file holds."""
        chosen = {name: getattr(known, name) for name in ("apart", "backups", "own", "copies")}
        return self._replace(**chosen, **more)

    def after(self, known: Mark | None) -> Mark:
        """Return it with what was noted before and holds still."""
        if known is None:
            return self
        # `forget` may take the first act away; and who announced may have sealed before.
        is_due = known.announced and known.announced[0] > self.seal
        announced = known.announced if is_due else self.announced
        origin = known.origin or self.origin
        return self.choosing(known, lost=known.lost, origin=origin, announced=announced)


_TEXTS = ("apart", "own", "copies")
_KINDS: dict[str, type] = {
    **dict.fromkeys(("path", "digest", "origin", "backups"), str),
    **dict.fromkeys(("seal", "changes", "receipts", "at", "lost"), int),
    **dict.fromkeys((*_TEXTS, "announced"), list),
}


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
    kinds = _KINDS.items() if isinstance(said, dict) else ()
    held = {name: said[name] for name, kind in kinds if isinstance(said.get(name), kind)}
    for name in _TEXTS:
        held[name] = tuple(text for text in held.get(name, ()) if isinstance(text, str))
    announced = tuple(held.pop("announced", ()))
    if [type(value) for value in announced] == [int, str]:
        held["announced"] = announced
    try:
        return Mark(**held)
    except TypeError:  # something that each note has is missing
        return None


def copies(path: str, origin: str) -> list[Mark]:
    """Return what was noted of files that are still there and whose history began as that of the file at a path."""
    here = os.path.realpath(path)
    try:
        names = sorted(os.listdir(_copies_folder(origin))) if origin else []
    except OSError:
        return []
    known = (_read(os.path.join(folder(), name)) for name in names)
    others = [mark for mark in known if mark and mark.seal and mark.path != here]
    return [mark for mark in others if os.path.isfile(mark.path)]


def note(mark: Mark) -> None:
    """Note how far a memory has come. A folder that cannot be written is no reason to fail."""
    said = mark._replace(path=os.path.realpath(mark.path))._asdict()
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
        note(now.after(known))


def begun_anew(path: str, at: int) -> str:
    """Note the loss of a memory where another one is made, and say so; '' if there was none."""
    known = seen(path)
    if known is None or not known.changes:
        return ""
    now = Mark(path, 0, 0, 0, "", at, known.changes)
    note(now)
    with suppress(OSError):  # for hooks, which have no time to look for the note at each turn
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
    """Forget the noted history, as what is there is meant; what a person chose stays."""
    with suppress(OSError):
        os.unlink(path + LOST)
    known = seen(path)
    if known is not None and (known.apart or known.backups or known.own or known.copies):
        note(Mark(path, 0, 0, 0, "", known.at).choosing(known))
        return
    with suppress(OSError):
        os.unlink(_file(path))


def meant(path: str, **chosen: Iterable[str]) -> None:
    """Note what a person means besides: copies that are kept `apart` are not told any more, triggers that are one's
    `own` run with cogmem's writes."""
    known = _known(path)
    more: dict[str, Any] = {}
    for name, said in chosen.items():
        more[name] = tuple(sorted({*getattr(known, name), *said}))
    note(known._replace(**more))


def kept_in(path: str, folder: str) -> None:
    """Note where the nightly copies of a memory lie, for when it can no longer say so itself."""
    known = _known(path)
    if known.backups != folder:
        note(known._replace(backups=folder))


def kept_copy(path: str, copy: str) -> None:
    """Note a backup that a person wanted at a place of his own: it forgets what the memory forgets."""
    known = _known(path)
    there = {
        one
        for one in known.copies
        if os.path.isfile(one) or not os.path.isdir(os.path.dirname(one))
    }
    note(known._replace(copies=tuple(sorted({*there, os.path.realpath(copy)}))))


def _known(path: str) -> Mark:
    return seen(path) or Mark(path, 0, 0, 0, "", 0)
