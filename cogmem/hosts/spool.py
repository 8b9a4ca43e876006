"""Events that wait beside the file: while another process holds it, and when a session is over.

A host waits for its hooks. So an event that cannot be written down at once, or whose work takes longer
than its answer, is appended to FILE.spool, one line of JSON in a file that only its owner reads. A
process of its own folds it in: right after the answer, else with the next start. One folds at a time, a
portion after the other. Folding twice does no harm: a transcript is recorded from where the record ends, and
each event has a name. So who is killed while folding, or finds the file held, leaves its whole portion behind,
and the next one begins with it.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

from cogmem.file.places import beside
from cogmem.hosts.host import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LIMIT = 16 << 20  # bytes; what comes then is not kept, and the log says so
DEEPEST = 50  # levels of an argument within another; what lies deeper is not a call of a tool
# What folding needs of an event; the rest of what a host tells is not written down.
KEPT = (
    "session_id",
    "conversation_id",
    "cwd",
    "workspace_roots",
    "prompt",
    "transcript_path",
    "agent_id",
    "agent_type",
    "agent_transcript_path",
    "source",
    "trigger",
    "turn_id",
    "prompt_response",
    "last_assistant_message",
    "text",
    "calls",
    "reason",
)


def path_of(place: str) -> str:
    """Return where the events of a file wait."""
    return f"{beside(place)}.spool"


def keep(place: str, event: Event, with_documents: bool) -> None:
    """Let an event wait: a whole line, on the disk's side of this process when this returns."""
    fields = {name: _clean(event.fields[name]) for name in KEPT if name in event.fields}
    row = {
        "kind": event.kind,
        "host": event.host.name,
        "at": time.time_ns() // 1_000_000,
        "turn": event.turn or f"turn_{os.urandom(8).hex()}",
        "documents": with_documents,
        "fields": fields,
    }
    line = json.dumps(row).encode() + b"\n"
    os.makedirs(os.path.dirname(path_of(place)), mode=0o700, exist_ok=True)
    handle = _opened(path_of(place))
    try:
        size = os.fstat(handle).st_size
        if size + len(line) > LIMIT:
            raise OSError(
                "too many events wait beside the file: `cogmem doctor` tells who holds it"
            )
        if os.write(handle, line) < len(line):
            os.ftruncate(handle, size)  # half a line would spoil the next one
            raise OSError("the disk is full: an event could not be kept")
    finally:
        os.close(handle)


def _opened(path: str, waits: bool = True) -> int:
    """Return the file, to add to it. Who takes it away waits until it is closed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    while True:
        handle = os.open(path, flags, 0o600)
        try:
            _lock(handle, waits)
        except BlockingIOError:
            os.close(handle)
            raise
        try:
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)  # taken away between the opening and the lock


def _lock(handle: int, waits: bool = True) -> None:
    """Keep others from the file until it is closed."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows: who has the file open keeps it from being taken away
        return
    flock(handle, LOCK_EX if waits else LOCK_EX | LOCK_NB)


def _clean(said: Any, depth: int = 0) -> Any:
    """Return what an event says without its secrets: the guard that reads what is recorded has not read it yet."""
    from cogmem.guard.glance import may_name, may_tell

    if isinstance(said, str) and (may_tell(said) or may_name(said)):
        from cogmem.guard import guard

        return guard.apply(said, guard.POLICIES["record"]).text
    if isinstance(said, (dict, list)) and depth > DEEPEST:
        return None
    if isinstance(said, dict):
        return {_clean(name): _clean(value, depth + 1) for name, value in said.items()}
    if isinstance(said, list):
        return [_clean(value, depth + 1) for value in said]
    return said


def waiting(place: str) -> list[str]:
    """Return the files of events that wait, and of portions that were taken from them."""
    folder, base = os.path.split(path_of(place))
    names = os.listdir(folder) if os.path.isdir(folder) else ()
    parted = ((name, name.removeprefix(base)) for name in names if name.startswith(base))
    return [os.path.join(folder, name) for name, rest in parted if not rest or rest[1:].isdigit()]


def fold(place: str, write: Callable[[Event, bool], bool]) -> None:
    """Write down what waits, oldest first, until nothing does, or `write` says False: the file is not free.

    One process does so at a time: what was said first is written down first. Another leaves it to that one, which
    looks again after it has let go of the lock.
    """
    while waiting(place):
        lock = f"{path_of(place)}.lock"
        try:
            handle = _opened(lock, waits=False)
        except BlockingIOError:
            return
        try:
            if not _fold(place, write):
                return
        finally:
            if os.name == "posix":
                os.unlink(lock)
            os.close(handle)


def _fold(place: str, write: Callable[[Event, bool], bool]) -> bool:
    """Do the same with what waits now, for who has the lock; False when the file is not free."""
    newest = path_of(place)
    own = f"{newest}.{os.getpid()}"
    for path in sorted(waiting(place), key=lambda file: (file == newest, os.path.getmtime(file))):
        try:
            os.replace(path, own)
        except FileNotFoundError:  # another process took it
            continue
        if not all(write(event, with_documents) for event, with_documents in _read(own)):
            return False
        os.unlink(own)
    return True


def _read(path: str) -> Iterator[tuple[Event, bool]]:
    with open(path, "rb") as file:
        _lock(file.fileno())  # who opened it before it was taken away may still be adding a line
        for line in file:
            try:
                row = json.loads(line)
                event = Event(row["kind"], row["host"], row["fields"])
                event.at, event.turn = int(row["at"]), str(row["turn"])
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # half a line of a full disk
            yield event, bool(row.get("documents"))
