"""Work that needs a model: queued as rows, filled outside any transaction, folded in by a later night.

A task goes ready → claimed → filled → done. A claim is a lease: a worker that dies loses it, and
another takes over. A failure puts the task off, twice as long each time, and the fifth one makes it
a dead letter, which a person may revive. Queuing, filling and folding may each be repeated without
harm.
"""

from __future__ import annotations

import json

from cogmem.errors import (
    CapacityReached,
    Conflict,
    GuardRefused,
    InvalidInput,
    ModelCancelled,
    ModelFailed,
    NotRecorded,
    UnknownName,
)
from cogmem.night.calls import Capped, calls_left
from cogmem.records import Record, most_rows, new_uid
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.ports import Model

    Ask = Callable[["Task", Model], Any]
    Fold = Callable[["Task"], Sequence[Step]]

# ms that a worker has for one task: four calls with what is tried again, however slow
LEASE = 60 * 60_000
BACK_OFF = 60_000  # ms after the first failure; doubled by each further one
ATTEMPTS = 5


class WaitingTask(Record):
    """A task in the queue: what it is about, and how far it got."""

    uid: str
    purpose: str
    subject: str
    state: str
    attempts: int
    ready_at: datetime
    lease_ends_at: datetime | None
    error: str
    created_at: datetime
    done_at: datetime | None


class Filled(Record):
    """What became of tasks that waited for a model; `left` is how many calls the caps still allow."""

    filled: int
    failed: int
    lost: int
    left: int


class Task(Record):
    """One piece of work, as a worker holds it."""

    uid: str
    purpose: str
    subject: str
    payload: dict[str, Any]
    attempts: int
    result: Any

    def __init__(
        self,
        uid: str,
        purpose: str,
        subject: str,
        payload: str,
        attempts: int,
        result: str | None = None,
    ) -> None:
        answer = None if result is None else json.loads(result)
        super().__init__(uid, purpose, subject, mapped(payload), attempts, answer)


def queue(db: Database, purpose: str, subject: str, payload: Mapping[str, Any], *, now: int) -> str:
    """Queue work; the same purpose and subject wait only once. Returns the task's uid."""
    step = {
        "uid": new_uid("task"),
        "purpose": purpose,
        "subject": subject,
        "now": now,
        "payload": json.dumps(dict(payload), ensure_ascii=False, sort_keys=True),
    }
    written = db.write(
        [("tasks.add", step), ("tasks.waiting", {"purpose": purpose, "subject": subject})],
        verb="queue",
        at=now,
    )
    return str(written.rows[1][0][0])


def claim(db: Database, *, now: int, purposes: Sequence[str] | None = None) -> Task | None:
    """Take the next piece of work, or None."""
    params = {"now": now, "lease_ends_at": now + LEASE, "purposes": _list(purposes)}
    written = db.write([("tasks.claim", params)], verb="claim", at=now)
    return Task(*written.rows[0][0]) if written.rows[0] else None


def fill(db: Database, task: Task, result: Any, *, now: int) -> bool:
    """Hand in an answer; False if the lease ran out and somebody else has the task."""
    stored = json.dumps(result, ensure_ascii=False)
    return _as_holder(db, task, ("tasks.fill", {"uid": task.uid, "result": stored}), now)


def fail(db: Database, task: Task, error: str, *, now: int, wait: int = 0) -> bool:
    """Report a failure in words without content: the task is put off, or becomes a dead letter.

    `wait`: ms that whoever failed asked for."""
    step = {
        "uid": task.uid,
        "error": error[:200],
        "now": now,
        "state": "dead" if task.attempts >= ATTEMPTS else "ready",
        "ready_at": now + max(BACK_OFF << (task.attempts - 1), wait),
    }
    return _as_holder(db, task, ("tasks.fail", step), now)


def _as_holder(db: Database, task: Task, step: Step, now: int) -> bool:
    try:
        mine = ("tasks.still_mine", {"uid": task.uid, "attempts": task.attempts})
        db.write([mine, step], verb="task", at=now)
    except Conflict:
        return False
    return True


def revive(db: Database, uid: str, *, now: int) -> None:
    """Give a dead letter another try."""
    step = ("tasks.revive", {"uid": uid, "now": now})
    written = db.write([step], verb="task", at=now)
    if not written.rows[0]:
        raise UnknownName(f"no dead task is called {uid!r}")


def list_tasks(db: Database, *, state: str | None = None, limit: int = 100) -> list[WaitingTask]:
    """Tasks, the oldest first."""
    rows = db.rows("tasks.list", {"state": state, "limit": most_rows(limit)})
    return [WaitingTask(**row) for row in rows]


# -- working and folding ---------------------------------------------------------------------------


def work(
    db: Database,
    model: Model,
    asks: Mapping[str, Ask],
    *,
    clock: Callable[[], int],
    limit: int | None = None,
    run: str = "",
    cancelled: Callable[[], bool] | None = None,
) -> Filled:
    """Claim, ask and fill until nothing is ready or the caps are reached; counts by outcome.

    An ask gets the task and the model, already under the caps, and returns what is kept as JSON. One
    that raises has failed, and its task is put off; one that was cancelled does not count.
    """
    counts = {"filled": 0, "failed": 0, "lost": 0}
    while limit is None or counts["filled"] + counts["failed"] + counts["lost"] < limit:
        now = clock()
        if (cancelled is not None and cancelled()) or getattr(model, "is_resting", False):
            break
        if calls_left(db, now=now, run=run) == 0:
            break
        task = claim(db, now=now, purposes=list(asks))
        if task is None:
            break
        capped = Capped(
            db, model, task.purpose, clock=clock, run=run, serves=task.uid, cancelled=cancelled
        )
        try:
            result = asks[task.purpose](task, capped)
            json.dumps(result)  # what cannot be kept is a failed attempt too
        except (CapacityReached, ModelCancelled):  # nobody was asked, or nobody wanted to know
            _give_back(db, task, clock())
            break
        except NotRecorded:
            _give_back(db, task, clock())
            raise
        except Exception as error:  # whatever a model's client raises is a failed attempt
            _put_off(db, task, error, now=clock())
            counts["failed"] += 1
            continue
        except BaseException:  # a person interrupted it
            _give_back(db, task, clock())
            raise
        is_mine = fill(db, task, result, now=clock())
        counts["filled" if is_mine else "lost"] += 1
    return Filled(**counts, left=calls_left(db, now=clock(), run=run))


def _put_off(db: Database, task: Task, error: Exception, *, now: int) -> None:
    """Let a task whose model raised wait; of a provider that is away no task dies."""
    # Our own errors are words without content; a client's may be anything.
    said = str(error)[:200] if isinstance(error, ModelFailed) else type(error).__name__
    wait = int((getattr(error, "retry_after", 0) or 0) * 1000)
    if getattr(error, "is_down", False) and not isinstance(error, TimeoutError):
        _give_back(db, task, now, put_off=max(BACK_OFF, wait), error=said)
    else:
        fail(db, task, said, now=now, wait=wait)


def _give_back(db: Database, task: Task, now: int, *, put_off: int = 0, error: str = "") -> None:
    step = {"uid": task.uid, "ready_at": now + put_off, "error": error}
    _as_holder(db, task, ("tasks.give_back", step), now)


def fold(
    db: Database, folds: Mapping[str, Fold], *, now: int, run: str | None = None
) -> dict[str, int]:
    """Put filled answers in their place, each in one transaction with its task; counts by outcome.

    A fold returns the steps that apply an answer. One that raises InvalidInput or GuardRefused makes
    the task a dead letter; what changed meanwhile is decided anew the next time.
    """
    counts = {"folded": 0, "dead": 0, "later": 0}
    for row in db.read("tasks.filled", {"purposes": _list(list(folds))}):
        task = Task(*row)
        try:
            steps = list(folds[task.purpose](task))
        except (InvalidInput, GuardRefused, LookupError) as error:
            words = {"uid": task.uid, "error": type(error).__name__, "now": now}
            steps = [("tasks.dead", words)]
            outcome = "dead"
        else:
            steps.append(("tasks.done", {"uid": task.uid, "now": now}))
            outcome = "folded"
        steps.insert(0, ("tasks.still_filled", {"uid": task.uid}))
        try:
            db.write(steps, verb="fold", at=now, run=run)
        except Conflict:
            outcome = "later"
        counts[outcome] += 1
    return counts


def _list(purposes: Sequence[str] | None) -> str | None:
    return None if purposes is None else json.dumps(list(purposes))
