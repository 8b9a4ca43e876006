"""Who works on batches of files: processes of this machine, or the machines of a dask.distributed cluster, which must
see the files under the same paths. Any of them may be killed at any time.

A pool of the standard library breaks as a whole when one process dies. Here each process has a pipe of its own; dask
gives the work of a dead worker to another one. What the dead had is handed out again file by file, so a file that
kills its process is found and reported, and takes no others with it.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from importlib import import_module
from multiprocessing.connection import wait

from cogmem.errors import CogmemError
from cogmem.fleet.due_list import Report
from cogmem.fleet.fleet import done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Any

    from cogmem.fleet.fleet import Work

DEATHS = 3  # of processes that had this one file; then it is told as a failure
LEAVES = 5.0  # seconds that a process has to end when there is no more work


class Workers:
    """So many processes; `work` gives them batches and brings back reports as they come."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._deaths: dict[str, int] = {}
        self._again: deque[list[str]] = deque()  # of processes that died
        self._at_work: dict[Connection, tuple[BaseProcess, list[str]]] = {}
        self._idle: list[tuple[BaseProcess, Connection]] = []

    def pids(self) -> list[int]:
        """Return the processes that have files just now."""
        return [process.pid or 0 for process, _ in self._at_work.values()]

    def work(self, batches: Iterator[list[str]], what: Work) -> Iterator[list[Report]]:
        """Reports of batches in the order in which they come; a batch is asked for when somebody is free."""
        try:
            while True:
                while len(self._at_work) < self._many and (batch := self._next(batches)):
                    self._give(batch, what)
                if not self._at_work:
                    return
                for pipe in wait(list(self._at_work)):
                    yield self._answer(pipe)  # type: ignore[arg-type]
        finally:
            self.close()

    def close(self) -> None:
        """Let the idle ones go, and end those whose work nobody waits for."""
        for process, pipe in self._idle:
            pipe.close()
            process.join(LEAVES)
        for pipe, (process, _) in self._at_work.items():
            process.terminate()
            pipe.close()
            process.join(LEAVES)
        self._idle.clear()
        self._at_work.clear()

    def _next(self, batches: Iterator[list[str]]) -> list[str] | None:
        """Return what nobody had yet; last what dead ones had, among which is who killed them."""
        return next(batches, None) or (self._again.popleft() if self._again else None)

    def _give(self, batch: list[str], what: Work) -> None:
        while True:
            process, pipe = self._idle.pop() if self._idle else _started()
            try:
                pipe.send((batch, what))
            except OSError:  # it died while it had nothing to do
                pipe.close()
                process.join()
                continue
            self._at_work[pipe] = (process, batch)
            return

    def _answer(self, pipe: Connection) -> list[Report]:
        process, batch = self._at_work.pop(pipe)
        try:
            reports: list[Report] = pipe.recv()
        except (EOFError, OSError):
            pipe.close()
            process.join()
            return self._died(batch)
        self._idle.append((process, pipe))
        return reports

    def _died(self, batch: list[str]) -> list[Report]:
        told = []
        for path in batch:
            deaths = self._deaths[path] = self._deaths.get(path, 0) + 1
            if len(batch) == 1 and deaths >= DEATHS:
                problem = f"{deaths} processes died while they had this file: try it by hand with `cogmem --db FILE`"
                told.append(Report(path, "failed", problem=problem))
            else:
                self._again.append([path])
        return told


def _started() -> tuple[BaseProcess, Connection]:
    """Return a process that waits for work. It is started afresh: a fork would share open files."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    there.close()
    return process, here


def _serve(pipe: Connection) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who gives out the work ends it
    while True:
        try:
            batch, what = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(done(batch, what))


PATIENCE = "15s"  # for the scheduler to answer
AHEAD = 2  # batches for each worker: one at work and one that waits


class NoScheduler(CogmemError):
    """dask.distributed is not installed, or no scheduler answers."""


class Cluster:
    """The workers of one scheduler; `work` gives them batches and brings back reports as they come."""

    def __init__(self, address: str) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError as error:
            raise NoScheduler(
                "dask.distributed is not installed: `pip install 'cogmem-sqlite[fleet]'`, or leave out --scheduler"
                " to use processes of this machine"
            ) from error
        try:
            self._client: Any = self._dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise NoScheduler(
                f"no dask scheduler answers at {address} ({error}): start one with `dask scheduler` and workers with"
                " `dask worker`"
            ) from error

    def work(self, batches: Iterator[list[str]], what: Work) -> Iterator[list[Report]]:
        """Reports of batches in the order in which they come; a batch is asked for when somebody is free."""
        waiting: dict[Any, list[str]] = {}
        coming = self._dask.as_completed(loop=self._client.loop)

        def give(batch: list[str]) -> None:
            future = self._client.submit(done, batch, what, pure=False)
            waiting[future] = batch
            coming.add(future)

        def fill() -> None:
            room = AHEAD * max(1, len(self._client.nthreads()))
            while len(waiting) < room and (batch := next(batches, None)) is not None:
                give(batch)

        try:
            fill()
            while waiting:
                future = next(coming)
                batch = waiting.pop(future)
                if future.status == "finished":
                    yield future.result()
                elif len(batch) > 1:
                    for path in batch:
                        give([path])
                else:
                    error = future.exception()
                    why = f"the workers died or could not run it: {type(error).__name__}: {error}"
                    yield [Report(batch[0], "failed", problem=why[:500])]
                fill()
        finally:
            self.close()

    def close(self) -> None:
        """Leave the cluster as it is; what it still works at does no harm."""
        self._client.close()
