"""AsyncMemory: a memory for programs that live in an event loop.

    async with cogmem.AsyncMemory("memory.db", user="ann") as mem:
        await mem.learn("Deploys need a green build.")
        turn = await mem.activate("How do I deploy?")
        changes = await mem.history.log()

Every call is the call of `Memory` of the same name, made on one thread of its own, in the order in
which they were awaited. A call that is cancelled while it waits for its turn is not made; one that
runs already is broken off where SQLite can, and then nothing of its write is stored.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from concurrent.futures import ThreadPoolExecutor

from cogmem.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any, Self, Unpack

    from cogmem.frameworks.awaited import Awaited
    from cogmem.frameworks.opening import Opening
else:
    Awaited = object

_VALUES = ("path", "scope", "actor", "notices")  # of an open memory


class AsyncMemory(Awaited):
    """One memory file, seen by one viewer, awaited. The arguments are those of `cogmem.open`."""

    is_view = False  # of a file that somebody else opened, and closes

    def __init__(
        self, path: str | os.PathLike[str] | None = None, **opening: Unpack[Opening]
    ) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="cogmem")
        self._make: Callable[[], Memory] = functools.partial(Memory, path, **opening)
        self._memory: Memory | None = None
        self._turn = threading.Lock()  # over which call is at work
        self._at_work: list[object] = [None]  # the call at work; all views of the file share it

    async def __aenter__(self) -> Self:
        await self._run(self._opened)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def as_user(
        self,
        user: str,
        *,
        project: str | None = None,
        session: str | None = None,
        runtime: str | None = None,
    ) -> AsyncMemory:
        """See the same open file as another user, on the same thread; closing it closes nothing else."""
        view = object.__new__(type(self))
        view.__dict__.update(self.__dict__)
        view._memory = None
        view.is_view = True
        view._make = lambda: self._opened().as_user(
            user, project=project, session=session, runtime=runtime
        )
        return view

    async def close(self) -> None:
        """Write what had to wait and close the file. Closing twice is fine; closing a view leaves the file open."""
        if self.is_view:
            return
        if self._memory is not None:
            await asyncio.shield(self._run(self._memory.close))
        self._worker.shutdown(wait=False)

    def _opened(self) -> Memory:
        """Return the memory; it is opened on the thread that goes on to use it."""
        if self._memory is None:
            self._memory = self._make()
        return self._memory

    if not TYPE_CHECKING:  # an editor takes what there is from Awaited

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or (not hasattr(Memory, name) and name not in _VALUES):
                raise AttributeError(f"AsyncMemory has no attribute {name!r}")
            kind = getattr(Memory, name, None)
            if callable(kind):
                return self._awaited(kind, lambda: getattr(self._opened(), name))
            return _Part(self, lambda: getattr(self._opened(), name))

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *(name for name in dir(Memory) if not name.startswith("_"))]

    def _awaited(self, like: Any, find: Callable[[], Any]) -> Callable[..., Any]:
        """Return the call as a coroutine function that shows the signature and words of the one it makes."""

        async def call(*args: Any, **options: Any) -> Any:
            return await self._run(lambda: find()(*args, **options))

        return functools.update_wrapper(call, like) if hasattr(like, "__name__") else call

    async def _run(self, do: Callable[[], Any]) -> Any:
        mine = object()

        def work() -> Any:
            with self._turn:
                self._at_work[0] = mine
            try:
                return do()
            finally:
                with self._turn:
                    self._at_work[0] = None

        waiting = self._worker.submit(work)
        try:
            return await asyncio.wrap_future(waiting)
        except asyncio.CancelledError:
            if not waiting.cancel():
                with self._turn:
                    if self._at_work[0] is mine and self._memory is not None:
                        self._memory.interrupt()
            raise


class _Part:
    """An area of the memory (`mem.history`), or a value of it: awaited, it is the value."""

    def __init__(self, owner: AsyncMemory, find: Callable[[], Any]) -> None:
        self._owner = owner
        self._find = find

    def __await__(self) -> Any:
        return self._owner._run(self._find).__await__()

    def __dir__(self) -> list[str]:
        known = [] if self._owner._memory is None else dir(self._find())
        return [*object.__dir__(self), *(name for name in known if not name.startswith("_"))]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._owner._awaited(None, lambda: getattr(self._find(), name))
