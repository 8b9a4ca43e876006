"""Which backups stay: of the last days, of each of the last weeks, and of each of the last months.

A copy that shrank against the one before it is no reason to let the older ones go: the last one before a loss
is held, under a name of its own, until a person takes it away.
"""

from __future__ import annotations

import glob
import os
from contextlib import closing, suppress
from datetime import UTC, datetime
from hashlib import blake2b

from cogmem.errors import CogmemError, DatabaseProblem
from cogmem.file import last_seen
from cogmem.file.db import Database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WEEKS, MONTHS = 4, 12
SHRANK = 0.9  # of the memories, or half of the bytes: below that a copy is not a successor
HELD = "-held"
_STAMP = "%Y%m%dT%H%M%SZ"


def folder_of(path: str, elsewhere: str = "") -> str:
    """Return where the nightly copies of a file lie: beside it, or in a folder of their own in the one named. A link
    there would lead them elsewhere."""
    folder = f"{path}.backups"
    if elsewhere:
        base = os.path.expanduser(elsewhere)
        if not os.path.isabs(base):
            raise DatabaseProblem(
                f"the setting backups_folder is {elsewhere!r}, not a whole path: begin it with / or ~"
            )
        if not os.path.isdir(base):
            raise DatabaseProblem(
                f"{base}, the setting backups_folder, is not there: bring it back, or name another folder"
            )
        # Two memories of one name may share the folder that was named.
        name = blake2b(os.fsencode(os.path.realpath(path)), digest_size=4).hexdigest()
        folder = os.path.join(base, f"{os.path.basename(path)}-{name}.backups")
    if os.path.islink(folder):
        raise DatabaseProblem(
            f"{folder} is a link, and nothing is written through it: make a folder of it, or remove it"
        )
    return folder


def kept(path: str) -> list[str]:
    """Return the backups of a file, made by hand or at night, the latest first: those beside it, and those in the
    folder that the last night used."""
    name = glob.escape(path)
    found = glob.glob(name + ".backup-*Z") + glob.glob(os.path.join(name + ".backups", "*Z*.db"))
    known = last_seen.seen(path)
    if known is not None and known.backups:
        found += glob.glob(os.path.join(glob.escape(known.backups), "*Z*.db"))
    stamps = {file: file.removesuffix(".db").removesuffix(HELD)[-16:] for file in found}
    return sorted(found, key=stamps.__getitem__, reverse=True)


def made(path: str) -> list[str]:
    """Every copy of a file that cogmem made or set aside and that may still be there, wherever a person wanted it."""
    if path == ":memory:":
        return []
    known = last_seen.seen(path)
    found = [*kept(path), *sorted(glob.glob(glob.escape(path) + ".replaced-*"))]
    found += known.copies if known is not None else ()
    return [
        copy
        for copy in dict.fromkeys(found)
        # One whose disk is away is named, since it keeps what it holds.
        if (os.path.isfile(copy) or not os.path.isdir(os.path.dirname(copy)))
        and not copy.endswith(("-wal", "-shm"))
    ]


def stamp_of(name: str) -> datetime | None:
    """Return the instant in the name of a nightly copy."""
    try:
        return datetime.strptime(name.removesuffix(".db"), _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def staying(names: Iterable[str], days: int) -> set[str]:
    """Return the latest of each of so many days, weeks and months; whatever is no nightly copy stays too."""
    dated = sorted(((stamp, name) for name in names if (stamp := stamp_of(name))), reverse=True)
    kept = {name for name in names if stamp_of(name) is None}
    for form, most in (("%Y-%m-%d", days), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        seen: dict[str, str] = {}
        for stamp, name in dated:
            seen.setdefault(stamp.strftime(form), name)
        kept |= set(list(seen.values())[:most])
    return kept


def has_shrunk(new: str, old: str, driver: str) -> bool:
    """Tell whether a copy holds clearly less than the one before it, or its history ends earlier."""
    before, now = _measure(old, driver), _measure(new, driver)
    if before is None or now is None:
        return now is None
    memories, changes, size = now
    return memories < SHRANK * before[0] or changes < before[1] or size < before[2] / 2


def _measure(path: str, driver: str) -> tuple[int, int, int] | None:
    try:
        with closing(Database(path, driver=driver, read_only=True)) as db:
            [(memories, changes)] = db.ask(
                "select (select count(*) from memory where state <> 'deleted'),"
                " (select coalesce(max(id), 0) from change)"
            )
    except CogmemError:
        return None
    return int(memories), int(changes), os.path.getsize(path)


def rotate(folder: str, newest: str, days: int, driver: str) -> str:
    """Let the copies go that no tier keeps, and say how many stay. The last one before a loss is held."""
    names = sorted(name for name in os.listdir(folder) if name.endswith("Z.db"))
    at = names.index(newest) if newest in names else 0
    note = ""
    if at and has_shrunk(os.path.join(folder, newest), os.path.join(folder, names[at - 1]), driver):
        last = names[at - 1]
        held = f"{last.removesuffix('.db')}{HELD}.db"
        os.rename(os.path.join(folder, last), os.path.join(folder, held))
        names.remove(last)
        note = f"; it holds clearly less than the one before, which is held as {held}: look why"
    else:
        stay = staying(names, days)
        for name in names:
            if name not in stay:
                with suppress(FileNotFoundError):  # another night lets the same one go
                    os.unlink(os.path.join(folder, name))
        names = [name for name in names if name in stay]
    return f"{len(names)} kept{note}"
