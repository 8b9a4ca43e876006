"""The nights of many memories, one file per user, and what else is done to all of them: copies, checks, forgetting.

A due list says which files have something to do; the others are not opened. The work is done in processes on this
machine or on a dask cluster. If a worker or this process dies, the next call makes up for it: the files it had come
back when its lease ends, or at once if it was a process on this machine.
"""

from __future__ import annotations

import os
import platform
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cogmem.errors import InvalidInput
from cogmem.file.process import is_running
from cogmem.fleet.due_list import NIGHT, DueList, Kept, mark_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from cogmem.fleet.works import Report, Work

    class Pool(Protocol):
        """Who does the work: `workers.Workers` or `cluster.Cluster`."""

        def work(self, batches: Iterator[list[str]], what: Work) -> Iterator[list[Report]]: ...


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
    _free_the_dead(due)
    listed, now = what.listed, what.now
    due.look(files, listed)
    who = f"{platform.node()} {os.getpid()}"
    total = due.counts(now=now, clock=clock(), work=listed)["due"]
    total = total if most is None else min(total, most)
    started = time.perf_counter()
    counts = dict.fromkeys(("done", "already", "gone", "no memory", "stopped", "failed"), 0)
    failed: list[dict[str, str]] = []
    receipts: list[dict[str, Any]] = []
    changed, cpu_ms, had = 0, 0.0, 0
    try:
        for reports in pool.work(_taken(due, who, total, what, clock), what):
            due.keep([_kept(one) for one in reports], now=now, work=listed)
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


def _kept(one: Report) -> Kept:
    return Kept(one.path, one.due_at, one.mark, one.problem, one.outcome == "gone")


def _free_the_dead(due: DueList) -> None:
    """Free what a process of this machine had that is no more: it need not wait until its lease is over."""
    here = platform.node()
    for who in due.takers():
        host, _, number = who.rpartition(" ")
        if host == here and number.isdecimal() and not is_running(int(number)):
            due.free(who)


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
