"""Work behind a save: at most eight pieces at once, none twice, and close() waits for all of them.

Nothing is queued: what is skipped is caught up by the next piece, since ingest and archive go by cursors in the
file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

AT_ONCE = 8


class Background:
    """Threads that close() waits for."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._threads: dict[str, threading.Thread] = {}
        self._again: set[str] = set()
        self._lock = threading.Lock()
        self._closed = False
        self.skipped = 0
        self.failed: list[str] = []  # what went wrong, for a log: a save never fails through it

    def start(self, name: str, work: Callable[[], object]) -> bool:
        """Do work for a conversation. False: eight are busy; the next start for it catches up."""
        with self._lock:
            if self._closed:
                return False
            if name in self._threads:  # it may have looked at its cursor already: let it look again
                self._again.add(name)
                return True
            if len(self._threads) >= self._at_once:
                self.skipped += 1
                return False
            thread = threading.Thread(target=self._run, args=(name, work), daemon=True)
            self._threads[name] = thread
        thread.start()
        return True

    def _run(self, name: str, work: Callable[[], object]) -> None:
        while True:
            try:
                work()
            except Exception as error:  # a model's client may raise anything
                with self._lock:
                    self.failed = [*self.failed[-19:], f"{name}: {type(error).__name__}: {error}"]
            with self._lock:
                if name not in self._again:
                    del self._threads[name]
                    return
                self._again.discard(name)

    def close(self, timeout: float = 60.0) -> bool:
        """Take no more work and wait for what is under way; True when all of it ended in time."""
        with self._lock:
            self._closed = True
            waiting = list(self._threads.values())
        for thread in waiting:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in waiting)
