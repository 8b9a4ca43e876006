"""Files of talk from elsewhere: one, or all of a folder, are recorded as one act that can be taken back.

What a coding agent wrote is known by its form and read as a backfill reads it; the rest is read by
transcripts.py. A file that was recorded before adds only what is new in it.
"""

from __future__ import annotations

import os
from collections import Counter

from cogmem.errors import InvalidInput
from cogmem.file.foreign import is_database
from cogmem.hosts import reading, transcript
from cogmem.hosts.host import HOSTS, files_below
from cogmem.hosts.session import INSIDE, Kept
from cogmem.hosts.transcripts import Importing, Reader
from cogmem.hosts.whose import whose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from cogmem.hosts.transcripts import Piece
    from cogmem.memory import Memory

ENDINGS = (".json", ".jsonl", ".db", ".vscdb")


class Recorded:
    """What one import did, or would do."""

    def __init__(self, batch: str, before: int) -> None:
        self.batch = batch
        self.before = self.after = before  # messages in the record
        self.conversations: Counter[str] = Counter()  # name → messages that were new
        self.unchanged = 0
        self.forms: dict[str, str] = {}  # file → its form
        self.bad: list[dict[str, Any]] = []

    @property
    def appended(self) -> int:
        return sum(self.conversations.values())


def found(source: str) -> list[str]:
    """Return the file, or the files of a folder that may hold talk."""
    if not os.path.isdir(source):
        return [source]
    files = [
        path
        for path in files_below(source, *(f"*{ending}" for ending in ENDINGS))
        if not is_database(path) or whose(path)[0]
    ]
    if not files:
        raise InvalidInput(
            f"{source} is a folder without files of talk ({', '.join(ENDINGS)}): name the file to import"
        )
    return files


def record(
    mem: Memory,
    files: Iterable[str],
    data: Iterable[bytes] | None = None,
    *,
    form: str | None = None,
    name: str = "",
    dry_run: bool = False,
    now: int,
    progress: Callable[[int], None],
) -> Recorded:
    """Record the talk of these files; `data` is what stands in the one file that cannot be opened by its name."""
    done = Recorded(mem.backfilled.new_batch(), _messages(mem))
    read = 0
    for file in files:
        default = name or os.path.splitext(os.path.basename(file))[0]
        for part in _parts(file, data, form, default, now):
            work = Importing(mem.conversation, default)
            pieces = part.pieces()
            for count in _counted(mem, pieces, work) if dry_run else work.take(pieces):
                progress(read + count)
            read += sum(work.appended.values()) + work.unchanged
            done.conversations.update(work.appended)
            done.unchanged += work.unchanged
            done.bad += [{"file": file, "line": place, "reason": why} for place, why in part.bad]
            done.forms[file] = part.form or ""
            if not dry_run:
                _note(mem, part, work, done.batch, now)
    done.after = done.before + done.appended if dry_run else _messages(mem)
    return done


class _Part:
    """A session that a coding agent kept; it is read like the other files of talk."""

    def __init__(self, host: str, one: Kept, now: int) -> None:
        self.form: str | None = host
        self.bad: list[tuple[int, str]] = []
        self.path = one.path
        self.size = one.size
        self.file_time = one.file_time
        self._name = one.name
        self._now = now

    def pieces(self) -> Iterator[Piece]:
        try:
            for entry in transcript.entries(reading.lines(self.form or "", self.path), self._now):
                yield self._name, "", entry
        except OSError as error:
            self.bad.append((0, str(error)))


class _Read(Reader):
    """A file of any other form."""

    def __init__(self, path: str, data: Iterable[bytes], form: str | None, now: int) -> None:
        super().__init__(data, form, now=now)
        self.path = path
        is_file = os.path.isfile(path)
        self.size = os.path.getsize(path) if is_file else 0
        self.file_time = os.stat(path).st_mtime_ns if is_file else 0


def _parts(
    file: str, data: Iterable[bytes] | None, form: str | None, default: str, now: int
) -> Iterator[_Part | _Read]:
    if data is not None:
        yield _Read(f"{file}{INSIDE}{default}", data, form, now)
        return
    if form is None or form in HOSTS:
        host, sessions = whose(file, (form,) if form else HOSTS)
        if form and not host:
            raise InvalidInput(
                f"{file} is not a session of {form}: leave --format out to have it recognised"
            )
        yield from (_Part(host, one, now) for one in sessions)
        if host:
            return
    if is_database(file):
        raise InvalidInput(f"{file} is a database, and no sessions that are known are in it")
    with open(file, "rb") as opened:
        yield _Read(os.path.abspath(file), opened, form, now)


def _counted(mem: Memory, pieces: Iterable[Piece], work: Importing) -> Iterator[int]:
    """Return what would be new, told by how many messages the record has of each conversation."""
    given: Counter[str] = Counter()
    for read, (name, _, _) in enumerate(pieces, 1):
        given[name or work.default] += 1
        if read % 1_000 == 0:
            yield read
    for name, count in given.items():
        state = mem.conversation(name).state()
        held = min(count, state.next_seq) if state else 0
        work.appended[name] = count - held
        work.unchanged += held


def _note(mem: Memory, part: _Part | _Read, work: Importing, batch: str, now: int) -> None:
    """Each conversation of the file, so that one act takes back those that began with it."""
    for name, count in work.appended.items():
        if not count:
            continue
        mem.backfilled.note(
            mem.conversation(name).place,
            path=part.path if isinstance(part, _Part) else f"{part.path}{INSIDE}{name}",
            host=part.form or "messages",
            size=part.size,
            file_time=part.file_time,
            batch=batch,
            messages=count,
            began=name not in work.known,
            now=now,
        )


def _messages(mem: Memory) -> int:
    return sum(row.messages for row in mem.conversations.list(limit=0, everywhere=True))
