"""What a fleet does to one file, each as a function: a path and a work in, a report out. Twice does no harm.

They run in any process, on any machine, that can reach the file, and write nothing else. Which jobs of a night are
done is recorded in the file itself, so the next call goes on where a killed one stopped.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from cogmem.errors import CogmemError
from cogmem.fleet.due_list import DAY, NEVER, mark_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cogmem.memory import Memory

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


class Report(NamedTuple):
    """outcome: done, already (nothing was left to do), gone, no memory, stopped (by a limit), failed."""

    path: str
    outcome: str
    due_at: int | None = NEVER
    mark: str = ""
    changed: int = 0
    problem: str = ""
    seconds: float = 0.0
    cpu_ms: float = 0.0
    receipt: dict[str, Any] | None = None  # of what was forgotten


def done(paths: Iterable[str], work: Work) -> list[Report]:
    """Some files, one after the other; what fails with one does not keep the next from its own."""
    return [one(path, work) for path in paths]


def one(path: str, work: Work) -> Report:
    """Return a work on one file."""
    started, worked = time.perf_counter(), time.process_time()
    found = _run(path, work)
    return found._replace(
        mark=mark_of(path),
        seconds=round(time.perf_counter() - started, 4),
        cpu_ms=round(_MS * (time.process_time() - worked), 2),
    )


def _run(path: str, work: Work) -> Report:
    from cogmem.memory import Memory

    try:
        if not _is_memory(path):
            return Report(path, "no memory")
        if work.name == "forget" and _is_of(path, work.user):
            return _removed(path)
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


def _is_of(path: str, user: str) -> bool:
    """Tell whether a file is the one that a pool made for a user."""
    from cogmem.fleet.pool import file_of

    return os.path.basename(path) == file_of(user)


def _removed(path: str) -> Report:
    from cogmem.exchange.copies import destroy

    gone = destroy(path)
    return Report(path, "done", changed=len(gone), receipt={"path": path, "files": gone})


WORKS: dict[str, Callable[[Memory, str, Work], Report]]
WORKS = {"night": _night, "backup": _backup, "check": _check, "forget": _forget}


def _is_memory(path: str) -> bool:
    """Tell whether the header names cogmem. A file whose schema is still in its log has none yet."""
    with open(path, "rb") as file:
        head = file.read(_HEADER)
    is_ours = head[_ID_AT : _ID_AT + 4] == _OURS
    return is_ours or (len(head) < _HEADER and os.path.exists(f"{path}-wal"))
