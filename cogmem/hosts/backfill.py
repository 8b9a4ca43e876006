"""Sessions of the past: finds the transcripts that hosts keep on this machine, and records them.

A transcript is recorded into the project of the folder in which its session ran, through the guard, a few
thousand messages at a time. One that is recorded whole is noted with its size, so that another call
passes over it; one that was cut off midway goes on after the last message that the record has.
"""

from __future__ import annotations

import os
import time
from collections import namedtuple

from cogmem.errors import InvalidInput
from cogmem.hosts import transcript
from cogmem.hosts.host import HOSTS, decoded, find, objects
from cogmem.scope import Project, project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from cogmem.conversation.record import Entry
    from cogmem.memory import Memory

AT_ONCE = 2_000  # messages of one write
HEAD = 1 << 18  # bytes of a transcript that tell whose it is
WHOLE = 64 << 20  # bytes; a longer file that is one document is not read


class Session(
    namedtuple("Session", "path host name folder project label size file_time began_at ended_at")
):
    """One transcript: where it lies, what it is called, where its session ran, and how large it is."""

    __slots__ = ()
    path: str
    host: str
    name: str
    folder: str
    project: str
    label: str
    size: int
    file_time: int
    began_at: int
    ended_at: int


class Recorded:
    """What one call did."""

    def __init__(self, batch: str) -> None:
        self.batch = batch
        self.sessions = self.messages = self.proposed = self.bytes = 0
        self.faults: list[tuple[str, str]] = []

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def sessions(hosts: Sequence[str] = (), *, since: int = 0) -> list[Session]:
    """Every transcript of these hosts (all, by default) that lies on this machine, the oldest first."""
    for name in hosts:
        if name not in HOSTS:
            raise InvalidInput(f"host {name!r} is not known: use {', '.join(HOSTS)}")
    projects: dict[str, tuple[str, str]] = {}
    found = []
    for name in hosts or HOSTS:
        for path in find(name).transcripts():
            one = _session(name, path, projects)
            if one is not None and one.ended_at >= since:
                found.append(one)
    return sorted(found, key=lambda one: (one.began_at, one.path))


def waiting(mem: Memory, found: Iterable[Session]) -> list[Session]:
    """Those of which something is not recorded yet."""
    known = mem.backfilled.known()
    return [one for one in found if known.get(one.path) != (one.size, one.file_time)]


def record(
    mem: Memory,
    found: Sequence[Session],
    *,
    user: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Recorded:
    """Record them, and let the capture rules propose what is worth keeping: all of it waits for a yes."""
    result = Recorded(mem.backfilled.new_batch())
    total = sum(one.size for one in found)
    done = 0
    for one in found:
        try:
            count, proposed = _record(mem, one, user, result.batch)
            result.sessions += 1
            result.messages += count
            result.proposed += proposed
            result.bytes += one.size
        except (InvalidInput, OSError) as error:
            result.faults.append((one.path, str(error)))
        done += one.size
        if progress:
            progress(done, total)
    return result


def _record(mem: Memory, one: Session, user: str, batch: str) -> tuple[int, int]:
    now = time.time_ns() // 1_000_000
    talk = mem.conversation(one.name, user=user, project=one.project)
    state = talk.state()
    held = state.next_seq if state else 0
    is_new = not held or one.path in mem.backfilled.known()
    count = 0
    waiting: list[Entry] = []
    for number, entry in enumerate(_entries(one, now)):
        if number < held:
            if number == held - 1:
                last = talk.recent(1)
                if last and not transcript.is_same(last[0].role, last[0].parts, entry):
                    raise InvalidInput(
                        f"the record of {one.name} says otherwise than its transcript: it stays as it is"
                    )
            continue
        waiting.append(entry)
        if len(waiting) == AT_ONCE:
            talk.extend(waiting, counted=False)
            count += len(waiting)
            waiting = []
    if waiting:
        talk.extend(waiting, counted=False)
        count += len(waiting)
    proposed = 0
    if count:
        proposed = mem.capture_conversation(
            one.name, user=user, project=one.project, batch=batch, now=now
        )[1]
    row = {
        "path": one.path,
        "host": one.host,
        "conversation": talk.name,
        "user": user,
        "project": one.project,
        "size": one.size,
        "file_time": one.file_time,
    }
    mem.backfilled.note(row, batch=batch, messages=count if is_new else 0, now=now)
    return count, proposed


def _entries(one: Session, now: int) -> Iterator[Entry]:
    return transcript.entries(_objects(one.path), now)


def _objects(path: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a transcript, line by line; of a file that is one document, its messages."""
    with open(path, encoding="utf-8", errors="replace") as file:
        first = file.readline()
        if isinstance(decoded(first), dict) and not path.endswith(".json"):
            file.seek(0)
            for line in file:
                found = decoded(line)
                if isinstance(found, dict):
                    yield found
            return
        if os.path.getsize(path) <= WHOLE:
            file.seek(0)
            yield from objects(file.read())


def _session(host: str, path: str, projects: dict[str, tuple[str, str]]) -> Session | None:
    """What the head of a transcript and its file say of it."""
    try:
        stat = os.stat(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            head = file.read(HEAD)
    except OSError:
        return None
    told = find(host).session_of(path, head)
    if told is None or not stat.st_size:
        return None
    name, folder, instant = told
    if folder not in projects:
        projects[folder] = _project(folder)
    ended = stat.st_mtime_ns // 1_000_000
    project, label = projects[folder]
    began = min(transcript.instant(instant, ended), ended)
    return Session(
        path, host, name, folder, project, label, stat.st_size, stat.st_mtime_ns, began, ended
    )


def _project(folder: str) -> tuple[str, str]:
    """The project of a folder; of one that is gone, the one that it would be by its path."""
    if not folder:
        return "", ""
    try:
        found = project_of(folder)
    except InvalidInput:
        if os.path.isdir(folder):  # a home folder is no project
            return "", ""
        found = Project(f"path:{folder}", os.path.basename(folder), folder)
    return found.id, found.label
