"""Batches of files on the machines of a dask.distributed cluster, which must see the files under the same paths.

dask gives the work of a dead worker to another one. A batch whose workers die again and again is handed out file by
file, so that the one file at fault is reported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cogmem.errors import CogmemError
from cogmem.fleet.works import Report
from cogmem.fleet.works import done as work_done

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cogmem.fleet.works import Work

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
        done = self._dask.as_completed(loop=self._client.loop)

        def give(batch: list[str]) -> None:
            future = self._client.submit(work_done, batch, what, pure=False)
            waiting[future] = batch
            done.add(future)

        def fill() -> None:
            room = AHEAD * max(1, len(self._client.nthreads()))
            while len(waiting) < room and (batch := next(batches, None)) is not None:
                give(batch)

        try:
            fill()
            while waiting:
                future = next(done)
                batch = waiting.pop(future)
                if future.status == "finished":
                    yield future.result()
                elif len(batch) > 1:
                    for path in batch:
                        give([path])
                else:
                    yield [Report(batch[0], "failed", problem=_reason(future))]
                fill()
        finally:
            self.close()

    def close(self) -> None:
        """Leave the cluster as it is; what it still works at does no harm."""
        self._client.close()


def _reason(future: Any) -> str:
    error = future.exception()
    return f"the workers died or could not run it: {type(error).__name__}: {error}"[:500]
