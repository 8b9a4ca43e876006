"""The plan of a night: the files of schema/jobs in order, each taken apart once.

A file says in its header what it is for, what it reads and writes, how often it runs, and which step it needs that
SQL cannot take alone (`-- then: capture`, `-- first: resemble`). What takes `:most` is done in portions.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from cogmem.errors import UnknownName
from cogmem.file import sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # A step gets the run's uid and the instant, and returns a sentence for the ledger.
    WorkStep = Callable[[str, int], str]
    Progress = Callable[[str, int, int], None]


_HEADER = ("reads", "writes", "period", "params", "needs", "first", "then")
_STEPS = (
    "capture",
    "leave",
    "earn",
    "resemble",
    "unite",
    "complete",
    "recur",
    "fill",
    "fold",
    "tidy",
    "back_up",
)


class Job:
    """One file of schema/jobs."""

    __slots__ = (
        "conditions",
        "first",
        "name",
        "needs_clock",
        "params",
        "period",
        "portion",
        "purpose",
        "statements",
        "then",
    )

    def __init__(self, name: str, text: str) -> None:
        head: dict[str, str] = {}
        purpose: list[str] = []
        for line in text.splitlines():
            if not line.startswith("-- "):
                break
            word, colon, rest = line[3:].partition(":")
            if colon and word in _HEADER:
                head[word] = rest.strip()
            else:
                purpose.append(line[3:])
        self.name = name
        self.purpose = " ".join(purpose)
        self.period = head.get("period", "")
        self.needs_clock = head.get("needs") == "clock"
        self.first = head.get("first", "")
        self.then = head.get("then", "")
        statements = sql.split(text)
        portioned = ["most" in sql.parameters(part) for part in statements]
        cut = portioned.index(True) if True in portioned else len(statements)
        self.statements = statements[:cut]
        self.conditions = dict(filter(None, map(_condition, statements)))
        self.portion = statements[cut:]  # repeated, each time a transaction, until it has finished
        self.params = {
            part.lstrip(":") for part in head.get("params", "").replace(",", " ").split()
        }
        used = {param for part in statements for param in sql.parameters(part)}
        if self.params != used:
            raise UnknownName(f"job {name} declares {sorted(self.params)} but uses {sorted(used)}")
        if (
            not self.purpose
            or self.period not in ("day", "week")
            or not {"reads", "writes"} <= set(head)
        ):
            raise UnknownName(
                f"job {name} must say its purpose, reads, writes and period (day or week)"
            )
        for step in (self.first, self.then):
            if step and step not in _STEPS:
                raise UnknownName(f"job {name} names a step {step!r} that does not exist")
        if not statements[0].startswith("insert into job_run"):
            raise UnknownName(f"job {name} must insert its row of job_run first")


def jobs(only: str | None = None) -> list[Job]:
    """Return the plan of a night in order, or the one job of a name, with or without its number."""
    plan = [_job(name, text) for name, text in sql.script("jobs")]
    if only is None:
        return plan
    chosen = [job for job in plan if only in (job.name, job.name.partition("_")[2])]
    if not chosen:
        known = ", ".join(job.name.partition("_")[2] for job in plan)
        raise UnknownName(f"no job is called {only!r}: there are {known}")
    return chosen


@cache
def _job(name: str, text: str) -> Job:
    """Return a job's file, taken apart once: who has the nights of many files pays for the work alone."""
    return Job(name, text)


def _condition(statement: str) -> tuple[str, str] | None:
    """Return a statement and its condition, if its first line has one: `update memory -- if: select …`."""
    _, is_there, condition = statement.partition("\n")[0].partition(" -- if: ")
    return (statement, condition) if is_there else None


def period_of(job: Job, now: int) -> str:
    """Return the day or the ISO week, in UTC, in which a job runs once."""
    at = datetime.fromtimestamp(now // 1000, UTC)
    return at.strftime("%G-W%V" if job.period == "week" else "%Y-%m-%d")
