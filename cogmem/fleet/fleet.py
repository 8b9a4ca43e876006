"""The nights of many memories, one file per user, and what else is done to all of them: copies, checks, forgetting.

A due list says which files have something to do; the others are not opened. The work is done in processes on this
machine or on a dask cluster. If a worker or this process dies, the next call makes up for it: the files it had come
back when its lease ends, or at once if it was a process on this machine. What is done to one file is a function, a
path and a work in, a report out, and twice does no harm: it runs wherever the file can be reached.
"""

from __future__ import annotations

import os
import platform
import time
from typing import NamedTuple

from cogmem.errors import CogmemError, InvalidInput
from cogmem.file.process import is_running
from cogmem.fleet.due_list import DAY, NEVER, NIGHT, DueList, Report, mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    from cogmem.memory import Memory

    class Pool(Protocol):
        """Who does the work: `workers.Workers` or `workers.Cluster`."""

        def work(self, batches: Iterator[list[str]], what: Work) -> Iterator[list[Report]]: ...


_ID_AT, _OURS = 68, b"cogm"  # where a SQLite header says whose file it is, and what
_HEADER = 100  # its length
_MS, _WORD = 1_000, 500  # characters of a problem that are told


class Work(NamedTuple):
    """What is to be done to each file, at which instant, and for whom."""

    name: str
    now: int
    user: str = ""

    @property
    def listed(self) -> str:
        """Return the name by which the due list knows it: the list holds no name of a user."""
        if not self.user:
            return self.name
        from hashlib import blake2b

        digest = blake2b(self.user.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        return f"{self.name} {digest}"


def done(paths: Iterable[str], work: Work) -> list[Report]:
    """Some files, one after the other; what fails with one does not keep the next from its own."""
    return [one(path, work) for path in paths]


def one(path: str, work: Work) -> Report:
    """Return a work on one file."""
    worked = time.process_time()
    found = _run(path, work)
    cpu_ms = round(_MS * (time.process_time() - worked), 2)
    return found._replace(mark=mark_of(path), cpu_ms=cpu_ms)


def _run(path: str, work: Work) -> Report:
    from cogmem.exchange.copies import destroy
    from cogmem.fleet.pool import file_of
    from cogmem.memory import Memory

    try:
        if not _is_memory(path):
            return Report(path, "no memory")
        if work.name == "forget" and os.path.basename(path) == file_of(work.user):
            gone = destroy(path)  # a pool made it for this user
            return Report(path, "done", changed=len(gone), receipt={"path": path, "files": gone})
        before = mark_of(path)
        with Memory(path, actor="fleet") as mem:
            if work.name != "migrate":
                return WORKS[work.name](mem, path, work)
        # Opening a file brings it to this version; nothing more is to do.
        return Report(path, "already" if mark_of(path) == before else "done")
    except FileNotFoundError:
        return Report(path, "gone")
    except (CogmemError, OSError) as error:
        # A night that failed is tried again tomorrow, the others when they are asked for again.
        again = None if work.name == "night" else NEVER
        return Report(path, "failed", again, problem=str(error)[:_WORD])


def _night(mem: Memory, path: str, work: Work) -> Report:
    from cogmem.models.configured import usable

    mem.model, _ = usable(path)
    night = mem.nightly(now=work.now)
    changed = sum(job.changed for job in night.jobs)
    for job in night.jobs:
        if job.outcome in ("failed", "stopped"):
            told = f"{job.job}: {job.note}"[:_WORD]
            # A limit stops a job until a person has looked: that is told, and tomorrow tried again.
            due_at = work.now // DAY * DAY + DAY if job.outcome == "stopped" else None
            return Report(path, job.outcome, due_at, changed=changed, problem=told)
    ran = any(job.outcome == "done" for job in night.jobs)
    return Report(path, "done" if ran else "already", night.raw("due_at"), changed=changed)


def _backup(mem: Memory, path: str, work: Work) -> Report:
    night = mem.nightly(job="95_back_up", force=True, now=work.now)
    told = next((f"{job.job}: {job.note}" for job in night.jobs if job.outcome != "done"), "")
    return Report(path, "failed" if told else "done", problem=told[:_WORD])


def _check(mem: Memory, path: str, _: Work) -> Report:
    told = "; ".join(mem.file.check())
    return Report(path, "failed" if told else "done", problem=told[:_WORD])


def _forget(mem: Memory, path: str, work: Work) -> Report:
    receipt = mem.as_user(work.user).forget(everything=True, reason="asked for", now=work.now)
    if not receipt.removed:
        return Report(path, "already")
    left = mem.file.scrub(now=work.now)
    wiped = [copy for copy in receipt.copies if copy not in left]
    said = {"path": path, "memories": len(receipt.uids), "messages": len(receipt.messages)}
    said |= {"removed": receipt.removed, "elsewhere": receipt.elsewhere}
    said |= {"wiped": wiped, "left": [*left, *receipt.files]}
    return Report(path, "done", changed=sum(receipt.removed.values()), receipt=said)


WORKS: dict[str, Callable[[Memory, str, Work], Report]]
WORKS = {"night": _night, "backup": _backup, "check": _check, "forget": _forget}


def _is_memory(path: str) -> bool:
    """Tell whether the header names cogmem. A file whose schema is still in its log has none yet."""
    with open(path, "rb") as file:
        head = file.read(_HEADER)
    is_ours = head[_ID_AT : _ID_AT + 4] == _OURS
    return is_ours or (len(head) < _HEADER and os.path.exists(f"{path}-wal"))


BATCH = 25  # files that a worker gets at once: a second's work, little to do again if it dies
SHARES = 32  # parts of what is due, if it is little: every worker gets some
LEASE_MS = 15 * 60_000  # longer than a batch of large files takes
TOLD = 1_000  # failures that are listed
LIST = ".cogmem-fleet.db"  # the due list of a folder


class Done(NamedTuple):
    """What came of one call: how many files there are, how many were worked on, and what went wrong."""

    files: int
    due: int
    done: int  # in which something was done
    already: int  # had been done, by somebody who could not tell it any more
    changed: int  # rows of memories
    receipts: list[dict[str, Any]]  # of what was forgotten, by file
    gone: int
    not_memories: int
    failed: list[dict[str, str]]
    seconds: float
    cpu_ms: float  # of a file, in the mean
    left: int  # files that are due still: somebody else has them, or this call was told to stop

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


def place_of_list(where: str) -> str:
    """Return where the due list of a folder or of a list of paths lies."""
    return os.path.join(where, LIST) if os.path.isdir(where) else f"{where}.due.db"


def found(where: str) -> Iterator[tuple[str, str]]:
    """Return the files of a folder, or those that a text file names, one path a line, each with its mark."""
    if os.path.isdir(where):
        return _in_folder(os.path.abspath(where))
    if os.path.isfile(where):
        return _listed(os.path.abspath(where))
    raise InvalidInput(
        f"{where} is neither a folder nor a file: name the folder of the memories, or a list with one path per line"
    )


def run(
    due: DueList,
    files: Iterable[tuple[str, str]],
    pool: Pool,
    what: Work,
    *,
    clock: Callable[[], int],
    most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Done:
    """Do a work to every file that is due. The next call goes on where a killed one stopped."""
    here = platform.node()
    for who in due.takers():  # what a dead process of this machine had need not wait for its lease
        host, _, number = who.rpartition(" ")
        if host == here and number.isdecimal() and not is_running(int(number)):
            due.free(who)
    listed, now = what.listed, what.now
    due.look(files, listed)
    who = f"{here} {os.getpid()}"
    there = due.counts(now=now, clock=clock(), work=listed)["due"]
    total = there if most is None else min(there, most)
    started = time.perf_counter()
    counts = dict.fromkeys(("done", "already", "gone", "no memory", "stopped", "failed"), 0)
    failed: list[dict[str, str]] = []
    receipts: list[dict[str, Any]] = []
    changed, cpu_ms, had = 0, 0.0, 0
    try:
        for reports in pool.work(_taken(due, who, total, what, clock), what):
            due.keep(reports, now=now, work=listed)
            for one in reports:
                counts[one.outcome] += 1
                changed += one.changed
                cpu_ms += one.cpu_ms
                if one.receipt:
                    receipts.append(one.receipt)
                if one.problem and len(failed) < TOLD:
                    failed.append({"path": one.path, "problem": one.problem})
            had += len(reports)
            if progress:
                progress(had, total)
    finally:
        due.free(who)
    after = due.counts(now=now, clock=clock(), work=listed)
    if what.name != NIGHT:
        due.end(listed)
    told = {name: counts[name] for name in ("done", "already", "gone")}
    return Done(
        files=after["files"],
        due=total,
        left=after["due"],
        not_memories=counts["no memory"],
        changed=changed,
        receipts=receipts,
        failed=failed,
        seconds=round(time.perf_counter() - started, 2),
        cpu_ms=round(cpu_ms / had, 2) if had else 0.0,
        **told,
    )


def _taken(
    due: DueList, who: str, most: int, what: Work, clock: Callable[[], int]
) -> Iterator[list[str]]:
    """Batches of files that are due, each taken on lease when a worker is free for it."""
    batch = max(1, min(BATCH, most // SHARES))
    while most > 0:
        at = clock()
        lease = {"now": what.now, "clock": at, "until": at + LEASE_MS}
        if not (some := due.take(who, min(batch, most), **lease, work=what.listed)):
            return
        most -= len(some)
        yield some


def _in_folder(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the *.db files below a folder; neither backups of memories nor what is hidden."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.endswith(".backups"):
                    yield from _in_folder(entry.path)
            elif entry.name.endswith(".db") and (mark := mark_of(entry.path)):
                yield entry.path, mark


def _listed(file: str) -> Iterator[tuple[str, str]]:
    """Yield the paths of a text file; relative ones are of its folder."""
    folder = os.path.dirname(file)
    with open(file, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            path = line.rstrip("\n")
            if path and not path.startswith("#"):
                path = os.path.join(folder, os.path.expanduser(path))
                yield path, mark_of(path)
