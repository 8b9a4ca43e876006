"""Sessions of the past: finds the transcripts that hosts keep on this machine, and records them.

A transcript is recorded into the project of the folder in which its session ran, through the guard, a few
thousand messages at a time. One that is recorded whole is noted with its size, so that another call
passes over it; one that was cut off midway goes on after the last message that the record has.
"""

from __future__ import annotations

import json
import os
import time

from cogmem.conversation.backfilled import MOST
from cogmem.conversation.parts import sound
from cogmem.errors import InvalidInput
from cogmem.hosts import reading, transcript, whose
from cogmem.hosts.host import HOSTS, find
from cogmem.named import NamedTuple
from cogmem.records import foreign_instant
from cogmem.scope import Project, project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from cogmem.conversation.record import Message
    from cogmem.hear.old_talk import OldTalk
    from cogmem.hosts.session import Kept
    from cogmem.memory import Memory

AT_ONCE = 2_000  # messages of one write


class Session(NamedTuple):
    """One transcript: where it lies, what it is called, where its session ran, and how large it is."""

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
    """Return every transcript of these hosts (all, by default) that lies on this machine, the oldest first."""
    for name in hosts:
        if name not in HOSTS:
            raise InvalidInput(f"host {name!r} is not known: use {', '.join(HOSTS)}")
    projects: dict[str, tuple[str, str]] = {}
    found = []
    for name in hosts or HOSTS:
        host = find(name)
        lying = [whose.in_file(name, path) for path in host.transcripts()]
        for one in [*lying, *host.stored()]:
            if one is not None and one.file_time // 1_000_000 >= since:
                found.append(_session(name, one, projects))
    return sorted(found, key=lambda one: (one.began_at, one.path))


def waiting(mem: Memory, found: Iterable[Session]) -> list[Session]:
    """Return those of which something is not recorded yet."""
    known = mem.backfilled.known()
    return [one for one in found if known.get(one.path) != (one.size, one.file_time)]


def record(
    mem: Memory,
    found: Sequence[Session],
    *,
    user: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Recorded:
    """Record them, and let the capture rules propose what is worth keeping: the best of it waits for a yes."""
    result = Recorded(mem.backfilled.new_batch())
    now = time.time_ns() // 1_000_000
    old = mem.old_talk(result.batch, now=now)
    total = sum(one.size for one in found)
    done = 0
    begun = [_Begun(mem, one, user, old) for one in found]
    for number, piece in reading.pieces([one.job for one in begun], total):
        one = begun[number]
        try:
            if isinstance(piece, list):
                one.take(piece, result, now)
                continue
            if isinstance(piece, str):
                raise InvalidInput(piece)
            one.end(result, now)
        except (InvalidInput, OSError) as error:
            one.fails()
            result.faults.append((one.session.path, str(error)))
            if isinstance(piece, list):
                continue  # the rest of it still comes
        done += one.session.size
        if progress:
            progress(done, total)
    result.proposed = mem.backfilled.sift(old.propose(MOST), most=MOST, now=now)
    return result


class _Begun:
    """One session while it is recorded."""

    def __init__(self, mem: Memory, session: Session, user: str, old: OldTalk) -> None:
        self.session = session
        self._mem = mem
        self._old = old
        self._scope = mem.scope.owned(user=user, project=session.project)
        self._talk = mem.conversation(session.name, user=user, project=session.project)
        state = self._talk.state()
        self.held = state.next_seq if state else 0
        self._is_met = not self.held
        # Of a talk that hooks may have recorded in their own words, all that the record has is compared.
        tells = find(session.host).tells_words
        self._before = self._talk.messages() if self.held and tells else []
        self.job = (session.host, session.path, 0 if tells else self.held)
        self._has_failed = self._is_theirs = False
        self._waiting: list[dict[str, Any]] = []
        self._count = 0

    def take(self, piece: list[dict[str, Any]], result: Recorded, now: int) -> None:
        """Record messages. The first of a session that the record has in part is the last that it has."""
        if self._has_failed or self._is_theirs:
            return
        if self._before:
            piece = self._compared(piece)
        elif not self._is_met:
            self._meet(piece.pop(0))
        self._is_met = True
        self._waiting += piece
        while len(self._waiting) >= AT_ONCE:
            later, self._waiting = self._waiting[AT_ONCE:], self._waiting[:AT_ONCE]
            self._write(result, now)
            self._waiting = later

    def _compared(self, piece: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return what is new of a talk whose beginning the record has; nothing, where it has it otherwise."""
        for said, held in zip(piece, self._before, strict=False):
            if not _is_same(held, said):
                self._is_theirs = True
                return []
        count = len(piece)
        piece = piece[len(self._before) :]
        del self._before[:count]
        return piece

    def _meet(self, first: dict[str, Any]) -> None:
        last = self._talk.recent(1)
        if last and not _is_same(last[0], first):
            raise InvalidInput(
                f"the record of {self.session.name} differs from its transcript: it stays as it is"
            )

    def _write(self, result: Recorded, now: int, *, is_whole: bool = False) -> None:
        """Record what has come, hear it, and note how far it is: all of it, or nothing."""
        waiting, self._waiting = self._waiting, []
        one = self.session
        with self._mem.backfilled.in_one():
            state = self._talk.state()
            if waiting and (state.next_seq if state else 0) != self.held + self._count:
                raise InvalidInput(f"{one.name} is being recorded elsewhere: run the same again")
            if waiting:
                first = self._talk.take(waiting)[0]
                state = self._talk.state()
                assert state is not None
                self._old.hear(state.id, one.name, self._scope, waiting, first)
            self._count += len(waiting)
            self._mem.backfilled.note(
                self._talk.place,
                path=one.path,
                host=one.host,
                size=one.size if is_whole else 0,  # so another call goes on with it
                file_time=one.file_time,
                batch=result.batch,
                messages=len(waiting),
                began=not self.held,  # otherwise a hook recorded its beginning, or an earlier call
                now=now,
            )

    def fails(self) -> None:
        self._has_failed = True
        self._waiting = []

    def end(self, result: Recorded, now: int) -> None:
        """Note all of it as read and recorded."""
        if self._has_failed:
            return
        self._write(result, now, is_whole=True)
        result.sessions += 1
        result.messages += self._count
        result.bytes += self.session.size


def _is_same(held: Message, said: dict[str, Any]) -> bool:
    given = sound(json.loads(said["parts"]), said["text"])
    return transcript.is_same(held.role, held.parts, (said["role"], given, None, 0, None))


def _session(host: str, one: Kept, projects: dict[str, tuple[str, str]]) -> Session:
    """Return one session, with the project of its folder."""
    if one.folder not in projects:
        projects[one.folder] = _project(one.folder)
    ended = one.file_time // 1_000_000
    began = min(foreign_instant(one.began_at) or ended, ended)
    project = projects[one.folder]
    return Session(
        one.path, host, one.name, one.folder, *project, one.size, one.file_time, began, ended
    )


def _project(folder: str) -> tuple[str, str]:
    """Return the project of a folder; of one that is gone, the one that it would be by its path."""
    if not folder:
        return "", ""
    try:
        found = project_of(folder)
    except InvalidInput:
        if os.path.isdir(folder):  # a home folder is not a project
            return "", ""
        found = Project(f"path:{folder}", os.path.basename(folder), folder)
    return found.id, found.label
