"""Other programs' files: read and replaced whole, and put back as they were.

A host writes its own configuration whenever it likes. So a file is looked at again right before it is
replaced, and who changed it meanwhile keeps the change. What stood there before the first change is copied
beside it, and a note in the state folder says what was left in its place: as long as that still stands
there, taking cogmem out brings back every byte.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable

from cogmem.documents.files import ABSENT, digest_of, replace_file
from cogmem.errors import Conflict, DatabaseProblem, InvalidInput
from cogmem.file.places import state_folder
from cogmem.file.private import plain_file, write_private

LIMIT = 64 << 20  # bytes; no configuration is that large
TRIES = 20  # while somebody else keeps writing the file
COPY = ".before-cogmem"


def read(file: str) -> bytes | None:
    """Return what stands in a file; None where there is none. Only an ordinary file of this person is one."""
    target = _target(file)
    try:
        with plain_file(target, LIMIT) as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(
            f"{file} cannot be read ({error.strerror}): look at it; nothing was changed"
        ) from error


def change(file: str, before: bytes | None, edit: Callable[[bytes | None], bytes | None]) -> None:
    """Replace a file by what `edit` makes of it; where it changed meanwhile, of what it is by then."""
    for _ in range(TRIES):
        after = edit(before)
        if after == before or _replace(file, before, after):
            return
        before = read(file)
    raise DatabaseProblem(f"{file} is written by another program all the time: try again later")


def _target(file: str) -> str:
    """Return where a link leads. People keep their settings in a repository at home; elsewhere is refused."""
    target = os.path.realpath(file)
    beside = os.path.realpath(os.path.dirname(file))
    homes = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.getcwd()), beside}
    if os.path.islink(file) and not target.startswith(
        tuple(os.path.join(home, "") for home in homes)
    ):
        raise InvalidInput(
            f"{file} is a link that leads out of your home, to {target}: edit that file by hand"
        )
    return target


def _replace(file: str, before: bytes | None, after: bytes | None) -> bool:
    """Put a file in its place whole; False where it is not what it was any more."""
    target = _target(file)
    try:
        if after is not None:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            expected = ABSENT if before is None else digest_of(before)
            replace_file(target, after, expected, 0o600, LIMIT)
        elif read(file) == before:
            os.unlink(target)
        else:
            return False
    except (Conflict, FileNotFoundError):
        return False
    except OSError as error:
        raise DatabaseProblem(
            f"{file} cannot be written ({error}): check its permissions"
        ) from error
    return True


# -- what was there before -----------------------------------------------------------------------


def keep(file: str, before: bytes | None, after: bytes | None, *, is_ours: bool) -> str:
    """Note what is left in place of what, which may hold what is ours already; returns the copy of what was there, ''
    where none is needed."""
    notes = _notes()
    name = os.path.realpath(file)
    held = notes.get(name)
    copy = ""
    if held is None or held["left"] != _hash(before):  # not as we left it: this is the person's own
        if held is None and before is not None and not is_ours:
            copy = f"{file}{COPY}"
            _replace_copy(copy, file, before)
        elif before is not None:
            notes.pop(name, None)
            _write(notes)
            return ""
        held = {"before": _hash(before)}
    notes[name] = {**held, "left": _hash(after)}
    _write(notes)
    return copy


def earlier(file: str, now: bytes | None) -> tuple[bool, bytes | None]:
    """Tell whether nobody else changed the file since, and what was there before."""
    held = _notes().get(os.path.realpath(file))
    if held is None or held["left"] != _hash(now):
        return False, None
    if held["before"] is None:
        return True, None
    copy = read(f"{file}{COPY}")
    return (True, copy) if _hash(copy) == held["before"] else (False, None)


def existed(file: str) -> bool:
    """Tell whether the file was there before cogmem came."""
    held = _notes().get(os.path.realpath(file))
    return held is not None and held["before"] is not None


def forget(file: str, *, is_restored: bool) -> None:
    """Forget what was there before: it is there again."""
    notes = _notes()
    if notes.pop(os.path.realpath(file), None) is not None:
        _write(notes)
        if is_restored and os.path.exists(f"{file}{COPY}"):
            os.unlink(f"{file}{COPY}")


def _replace_copy(copy: str, file: str, before: bytes) -> None:
    try:
        handle = os.open(
            copy, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600
        )
        with open(handle, "wb") as opened:
            opened.write(before)
        shutil.copymode(file, copy)
    except OSError as error:
        raise DatabaseProblem(
            f"{copy} cannot be written ({error}): check its permissions"
        ) from error


def _hash(text: bytes | None) -> str | None:
    return None if text is None else digest_of(text)


def _notes() -> dict[str, dict[str, str | None]]:
    """Return for each file the hash of what was there before, and of what we left."""
    try:
        with open(os.path.join(state_folder(), "installed.json"), encoding="utf-8") as file:
            held = json.load(file)
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def _write(notes: dict[str, dict[str, str | None]]) -> None:
    place = os.path.join(state_folder(), "installed.json")
    if notes:
        write_private(place, json.dumps(notes, indent=1))
    elif os.path.exists(place):
        os.unlink(place)
