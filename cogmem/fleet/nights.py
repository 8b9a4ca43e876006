"""The night of one file, as a function: a path and an instant in, a report out. Running it twice does no harm.

It runs in any process, on any machine, that can reach the file, and writes nothing else. Which jobs are done is
recorded in the file itself, so the next call goes on where a killed one stopped.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from cogmem.errors import CogmemError
from cogmem.fleet.due_list import DAY, NEVER, mark_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_ID_AT, _OURS, _HEADER = (
    68,
    b"cogm",
    100,
)  # where a SQLite header says whose file it is, what, and its length


class Report(NamedTuple):
    """outcome: done, already (nothing was left to do), gone, no memory, stopped (by a limit), failed."""

    path: str
    outcome: str
    due_at: int | None = None
    mark: str = ""
    changed: int = 0
    problem: str = ""
    seconds: float = 0.0
    cpu_ms: float = 0.0


def nights(paths: Iterable[str], now: int) -> list[Report]:
    """The nights of some files, one after the other; what fails with one does not keep the next from its own."""
    return [night(path, now) for path in paths]


def night(path: str, now: int) -> Report:
    """The night of one file at an instant."""
    started, worked = time.perf_counter(), time.process_time()
    found = _run(path, now)
    return found._replace(
        mark=mark_of(path),
        seconds=round(time.perf_counter() - started, 4),
        cpu_ms=round(1000 * (time.process_time() - worked), 2),
    )


def _run(path: str, now: int) -> Report:
    from cogmem.memory import Memory
    from cogmem.models.configured import usable

    try:
        if not _is_memory(path):
            return Report(path, "no memory", NEVER)
        with Memory(path, actor="fleet") as mem:
            mem.model, _ = usable(path)
            done = mem.nightly(now=now)
    except FileNotFoundError:
        return Report(path, "gone")
    except (CogmemError, OSError) as error:
        return Report(path, "failed", problem=str(error)[:500])
    changed = sum(job.changed for job in done.jobs)
    for job in done.jobs:
        if job.outcome in ("failed", "stopped"):
            told = f"{job.job}: {job.note}"[:500]
            # A limit stops a job until a person has looked: that is told, and tomorrow tried again.
            due_at = now // DAY * DAY + DAY if job.outcome == "stopped" else None
            return Report(path, job.outcome, due_at, changed=changed, problem=told)
    ran = any(job.outcome == "done" for job in done.jobs)
    return Report(path, "done" if ran else "already", done.raw("due_at"), changed=changed)


def _is_memory(path: str) -> bool:
    """Tell whether the header names cogmem. A file whose schema is still in its log has none yet."""
    with open(path, "rb") as file:
        head = file.read(_HEADER)
    is_ours = head[_ID_AT : _ID_AT + 4] == _OURS
    return is_ours or (len(head) < _HEADER and os.path.exists(f"{path}-wal"))
