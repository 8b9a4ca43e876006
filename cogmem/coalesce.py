"""Counters that may wait: many small increments become one write.

A recall counts what it returned. In a long-lived process that would be a write per recall; here they
gather for two seconds and go together. Only counters may come this way: what was learned is written
at once. `flush` writes now, and waits for a write that is under way; with nothing gathered it does
nothing. What could not be written is kept for the next time.
"""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    # uid → how often it was recalled, and the latest instant of that.
    Counts = Mapping[str, tuple[int, int]]

DELAY = 2.0  # seconds


class Coalescer:
    """Gathers recalls per memory and hands them to `write`, at most once per delay."""

    def __init__(self, write: Callable[[Counts], None], *, delay: float = DELAY) -> None:
        self._write = write
        self._delay = delay
        self._gathering = threading.Lock()  # held for an instant, so that counting never waits
        self._writing = threading.Lock()  # held while a write is under way
        self._counts: dict[str, tuple[int, int]] = {}
        self._timer: threading.Timer | None = None
        self._is_closed = False

    def add(self, uids: Iterable[str], at: int) -> None:
        """Count one recall of each; each further one puts the write off anew."""
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

    def flush(self) -> int:
        """Write what was gathered, after a write that is under way; returns how many memories."""
        with self._writing:
            with self._gathering:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                counts, self._counts = self._counts, {}
            if not counts:
                return 0
            try:
                self._write(counts)
            except BaseException:
                with self._gathering:
                    for uid, (count, latest) in counts.items():
                        more, later = self._counts.get(uid, (0, latest))
                        self._counts[uid] = (count + more, max(latest, later))
                    self._wait()
                raise
            return len(counts)

    def close(self) -> None:
        """Write what is left; what comes later is written at once."""
        with self._gathering:
            self._is_closed = True
        self.flush()


def as_step(counts: Counts) -> tuple[str, dict[str, str]]:
    """The one statement that stores gathered recalls."""
    from json import dumps

    return "coalesce.recalled", {"counts": dumps([[uid, *both] for uid, both in counts.items()])}
