"""Counters that may wait: many small increments become one write.

A recall counts what it returned. In a long-lived process that would be a write per recall; here they
gather for two seconds and go together. Only counters may come this way: what was learned is written
at once. `flush` writes now, and waits for a write that is under way; with nothing gathered it does
nothing. What could not be written is kept for the next time.

Whoever reads through the same Memory sees the counts: it has them written first (`settle`).
"""

from __future__ import annotations

import atexit
import threading
import weakref

from cogmem.errors import CogmemError
from cogmem.file.connection import forks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cogmem.file.db import Database

    # uid → how often it was recalled, and the latest instant of that.
    Counts = Mapping[str, tuple[int, int]]

DELAY = 2.0  # seconds
PATIENCE_MS = 50  # how long a reader waits to have the counts written first


class Coalescer:
    """Gathers recalls per memory and hands them to `write`, at most once per delay."""

    def __init__(self, write: Callable[[Counts], None], *, delay: float = DELAY) -> None:
        self._write = write
        self._delay = delay
        self._is_closed = False
        self._begin()

    def _begin(self) -> None:
        self._forks = forks()
        self._gathering = threading.Lock()  # held for an instant, so that counting never waits
        self._writing = threading.Lock()  # held while a write is under way
        self._counts: dict[str, tuple[int, int]] = {}
        self._timer: threading.Timer | None = None
        self._is_refused = False  # the last write failed: readers do not try again
        self.patience_ms: int | None = None  # that `write` may wait for a lock; None: as it does

    def _after_fork(self) -> None:
        if self._forks != forks():  # the parent writes what it counted; its locks are not ours
            self._begin()

    def add(self, uids: Iterable[str], at: int) -> None:
        """Count one recall of each; each further one puts the write off anew."""
        self._after_fork()
        with self._gathering:
            for uid in uids:
                count, latest = self._counts.get(uid, (0, at))
                self._counts[uid] = (count + 1, max(latest, at))
            if self._counts:
                self._wait()
            closed = self._is_closed
        if closed:
            self.flush()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._is_closed:
            self._timer = threading.Timer(self._delay, self._elapsed)
            self._timer.daemon = True
            self._timer.start()

    def _elapsed(self) -> None:
        try:
            self.flush()
        except Exception:  # nobody is there to hear it; flush() or close() will raise it again
            return

    def settle(self) -> None:
        """Before somebody reads: write what was gathered, unless something stands in the way."""
        if not self._counts or self._is_refused or self._forks != forks():
            return
        # Whoever holds the file for a longer piece of work must not wait for a writer that waits for it.
        if self._writing.acquire(timeout=PATIENCE_MS / 1000):
            try:
                self._write_gathered(PATIENCE_MS)
            except CogmemError:
                return  # it is kept, and the timer tries again
            finally:
                self._writing.release()

    def flush(self) -> int:
        """Write what was gathered, after a write that is under way; returns how many memories."""
        self._after_fork()
        with self._writing:
            return self._write_gathered(None)

    def _write_gathered(self, patience_ms: int | None) -> int:
        with self._gathering:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            counts, self._counts = self._counts, {}
        if not counts:
            return 0
        self.patience_ms = patience_ms
        try:
            self._write(counts)
        except BaseException:
            self._is_refused = True
            with self._gathering:
                for uid, (count, latest) in counts.items():
                    more, later = self._counts.get(uid, (0, latest))
                    self._counts[uid] = (count + more, max(latest, later))
                self._wait()
            raise
        self._is_refused = False
        return len(counts)

    def close(self) -> None:
        """Write what is left; what comes later is written at once."""
        with self._gathering:
            self._is_closed = True
        self.flush()


def counting(db: Database) -> Coalescer:
    """Counts the recalls of one open file."""

    def strengthen(counts: Counts) -> None:
        at = max(latest for _, latest in counts.values())
        steps, patience = [as_step(counts)], gathered.patience_ms
        db.write(steps, verb="recall", at=at, patience_ms=patience)

    gathered = Coalescer(strengthen)
    atexit.register(_at_the_end, weakref.ref(gathered))
    return gathered


def _at_the_end(gathered: weakref.ref[Coalescer]) -> None:
    left = gathered()
    if left is not None:
        left.settle()


def as_step(counts: Counts) -> tuple[str, dict[str, str]]:
    """Return the one statement that stores gathered recalls."""
    from json import dumps

    return "counters.recalled", {"counts": dumps([[uid, *both] for uid, both in counts.items()])}
