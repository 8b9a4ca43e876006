"""Calls of a model: each is entered in the ledger before it is made, under the caps of three settings.

`model_calls_per_day` and `model_calls_per_run` are both 0 until a person turns them up, and until then nothing is
ever asked; `model_tokens_per_day` bounds what is sent. `Capped` is the one place where a model is called.
"""

from __future__ import annotations

import time

from cogmem.errors import CapacityReached, Conflict, InvalidInput, ModelCancelled, ModelFailed
from cogmem.ports import Reply, about
from cogmem.records import Record
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.ports import Model


class Spend(Record):
    """What one day's calls of a model for one purpose cost."""

    day: str
    purpose: str
    model: str
    calls: int
    answered: int
    tokens_in: int
    tokens_out: int
    elapsed_ms: int


def calls_left(db: Database, *, now: int, run: str = "") -> int:
    """Tell how many calls the caps still allow, today and to one run."""
    today, in_run, sent = db.read("tasks.spent", {"since": now - now % DAY_MS, "run": run})[0]
    a_day, a_run, tokens = db.read("tasks.caps")[0]
    left: int = a_day - today if sent < tokens else 0
    if run:
        left = min(left, a_run - in_run)
    return max(left, 0)


def enter_call(
    db: Database,
    purpose: str,
    *,
    now: int,
    model: str = "",
    run: str = "",
    serves: str = "",
    tokens: int = 0,
) -> int | None:
    """Enter a call that is about to be made, for a run or a task; None if a cap refuses it."""
    if calls_left(db, now=now, run=run) == 0:
        return None
    since = now - now % DAY_MS
    cap, _, most = (int(one) for one in db.read("tasks.caps")[0])
    caps = {"since": since, "cap": cap, "tokens": tokens, "most_tokens": most}
    asks = {"purpose": purpose, "model": model, "run": run or serves, "tokens": tokens, "now": now}
    try:
        written = db.write(
            [("tasks.within_cap", caps), ("tasks.ask", asks)], verb="model call", at=now
        )
    except Conflict:
        return None
    return int(written.rows[1][0][0])


def close_call(
    db: Database,
    call: int,
    outcome: str,
    *,
    now: int,
    elapsed_ms: int = 0,
    tokens_in: int = 0,
    tokens_out: int = 0,
) -> None:
    """Enter what became of a call."""
    cost = {"elapsed_ms": elapsed_ms, "tokens_in": tokens_in, "tokens_out": tokens_out}
    step = ("tasks.answered", {**cost, "id": call, "outcome": outcome})
    db.write([step], verb="model call", at=now)


def spend(db: Database, *, since: int = 0, until: int | None = None) -> list[Spend]:
    """Calls by day (UTC), purpose and model, the latest day first."""
    return [Spend(**row) for row in db.rows("tasks.spend", {"since": since, "until": until})]


class Capped:
    """A model whose every call is entered in the ledger first, and refused when a cap is reached.

    It also refuses within a transaction: others would wait for the file as long as a model thinks.
    """

    def __init__(
        self,
        db: Database,
        model: Model,
        purpose: str,
        *,
        clock: Callable[[], int],
        run: str = "",
        serves: str = "",
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.name = str(getattr(model, "name", ""))
        self._db = db
        self._model = model
        self._purpose = purpose
        self._clock = clock
        self._run = run
        self._serves = serves
        self._cancelled = cancelled

    @property
    def is_resting(self) -> bool:
        """Tell whether the model was down just now and is not worth a call."""
        return bool(getattr(self._model, "is_resting", False))

    def complete(self, prompt: str, **options: Any) -> str:
        """Return the model's answer; what it raises goes on to the caller."""
        db = self._db
        if db.is_writing:
            raise InvalidInput(
                "a model is never asked within a transaction: ask it before db.together()"
            )
        if self.is_resting:
            raise ModelFailed(f"{self.name} did not answer just now: it is left alone for a while")
        sends = about(f"{options.get('system') or ''}{prompt}")
        call = enter_call(
            db,
            self._purpose,
            tokens=sends,
            now=self._clock(),
            model=self.name,
            run=self._run,
            serves=self._serves,
        )
        if call is None:
            raise CapacityReached(
                "no more model calls or tokens are allowed now: `cogmem model spend` shows them, "
                "`cogmem setting set model_calls_per_day N` (or _per_run, model_tokens_per_day) allows more"
            )
        if self._cancelled is not None:
            options = {"cancelled": self._cancelled, **options}
        outcome = "error"
        cost: Reply | ModelFailed | None = None
        started = time.perf_counter()
        try:
            answer = self._model.complete(prompt, **options)
            outcome, cost = "ok", answer if isinstance(answer, Reply) else None
        except BaseException as error:
            outcome, cost = outcome_of(error), error if isinstance(error, ModelFailed) else None
            raise
        finally:
            elapsed = int((time.perf_counter() - started) * 1000)
            close_call(
                db,
                call,
                outcome,
                now=self._clock(),
                elapsed_ms=elapsed,
                tokens_in=(cost.tokens_in if cost else 0) or sends,
                tokens_out=cost.tokens_out if cost else 0,
            )
        if isinstance(answer, str) and any("\ud800" <= mark <= "\udfff" for mark in answer):
            # Halves of surrogate pairs: JSON can bring them, no file can hold them.
            return answer.encode("utf-8", "replace").decode()
        return answer


def outcome_of(error: BaseException) -> str:
    """Return what the ledger calls a fault: timeout, cancelled, busy (the provider asks to wait) or error."""
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ModelCancelled) or not isinstance(error, Exception):
        return "cancelled"
    return "busy" if isinstance(error, ModelFailed) and error.retry_after is not None else "error"
