"""A file for each user of a service: opened when somebody asks, kept open while it is used, the longest idle closed.

    with cogmem.Pool("memories") as pool:
        with pool.user("ann") as mem:
            mem.learn("I keep bees.")

A user's file is theirs alone: nothing that they keep can show in another's, and forgetting them is removing a file.
Its name is made of the user's, so that every process finds the same one, and no name leads out of the folder.
`AsyncPool` is the same for an event loop: its calls are made on a few threads, one at a time for each user.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from cogmem.errors import InvalidInput, Locked, UnknownName
from cogmem.file.places import resolved
from cogmem.memory import Memory
from cogmem.text.lines import sha256, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import Any, Self, TypeVar

    Given = TypeVar("Given")

MAX_OPEN = 200  # files: each has two descriptors, and its pages
PATIENCE_S = 30.0  # how long to wait for a place where all files are in use
NAMED = 40  # characters of a user's name that stand in that of the file, for people who look


def file_of(user: str) -> str:
    """Return the name of a user's file."""
    name = storable(user, "the user")
    if not name:
        raise InvalidInput("a file needs a user's name: pool.user('ann')")
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)
    digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"{plain[:NAMED].lower()}-{digest}.db"


@dataclass(slots=True)
class _Held:
    """An open file, and how many are using it."""

    memory: Memory | None = None  # None while it is being opened
    users: int = 1


class Pool:
    """Memory files in a folder, one for each user. Use it as a context manager, or close() it.

    folder: where the files lie; it is made if it is not there
    max_open: how many are open at most; who wants one more waits until another is given back
    patience_s: how long to wait for that, in seconds
    options: as for `cogmem.open`, for every file
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        max_open: int = MAX_OPEN,
        *,
        patience_s: float = PATIENCE_S,
        **options: Any,
    ) -> None:
        if max_open < 1:
            raise InvalidInput(f"max_open is {max_open}: a pool needs room for one file at least")
        if "user" in options:
            raise InvalidInput("each file has its own user: say it in pool.user(name)")
        self.folder = resolved(os.fspath(folder))
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        self.max_open = max_open
        self._patience_s = patience_s
        self._options = options
        self._open: OrderedDict[str, _Held] = OrderedDict()  # the longest idle first
        self._closing: set[str] = set()  # paths of those that gave up their place
        self._changed = threading.Condition()
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        """Count the files that are open."""
        return len(self._open)

    def path(self, user: str) -> str:
        """Return where a user's file lies, or would lie."""
        return os.path.join(self.folder, file_of(user))

    def has(self, user: str) -> bool:
        """Tell whether a user has a file."""
        return os.path.exists(self.path(user))

    @contextmanager
    def user(self, name: str) -> Iterator[Memory]:
        """Lend the memory of a user; it is made at its first use."""
        path = self.path(name)
        held = self._take(path)
        try:
            assert held.memory is not None, "a file is lent before it is open"
            yield held.memory.as_user(name)
        finally:
            with self._changed:
                held.users -= 1
                self._changed.notify_all()

    def remove(self, user: str) -> list[str]:
        """Remove a user's file with everything beside it and its copies, for good; returns what is gone."""
        path = self.path(user)
        if not os.path.exists(path):
            raise UnknownName(f"{user} has no file in {self.folder}")
        with self._changed:
            self._wait(lambda: path not in self._closing and not self._is_used(path), user)
            held = self._open.pop(path, None)
            if held is not None and held.memory is not None:
                held.memory.close()
            from cogmem.exchange.copies import destroy

            return destroy(path)

    def close(self) -> None:
        """Close all files, once nobody uses them. Closing twice is fine."""
        with self._changed:
            self._is_closed = True
            self._wait(
                lambda: not (self._closing or any(map(self._is_used, self._open))), "all users"
            )
            for held in self._open.values():
                if held.memory is not None:
                    held.memory.close()
            self._open.clear()

    def _take(self, path: str) -> _Held:
        """Return a place for a file: one that is open already, a free one, or that of the longest idle."""
        with self._changed:
            self._wait(
                lambda: path not in self._closing and (path in self._open or self._has_room()), path
            )
            if self._is_closed:
                raise InvalidInput("this pool is closed: open another one")
            held = self._open.get(path)
            idle: dict[str, _Held] = {}
            if held is None:
                idle = self._make_room()
                held = self._open[path] = _Held()
            else:
                held.users += 1
                self._wait(lambda: held.memory is not None or path not in self._open, path)
                if held.memory is None:  # who opened it failed: now it is our turn
                    held.users -= 1
                    return self._take(path)
                self._open.move_to_end(path)
                return held
        try:
            self._let_go(idle)  # while others go on: a file that is closed is written out
            memory = Memory(path, **self._options)
        except BaseException:
            with self._changed:
                del self._open[path]
                self._changed.notify_all()
            raise
        with self._changed:
            held.memory = memory
            self._changed.notify_all()
        return held

    def _is_used(self, path: str) -> bool:
        return path in self._open and self._open[path].users > 0

    def _has_room(self) -> bool:
        return len(self._open) < self.max_open or not all(map(self._is_used, self._open))

    def _make_room(self) -> dict[str, _Held]:
        """Take the places of files that nobody uses, the longest idle first, until one is free."""
        idle: dict[str, _Held] = {}
        for path in [path for path in self._open if not self._is_used(path)]:
            if len(self._open) < self.max_open:
                break
            idle[path] = self._open.pop(path)
        self._closing.update(idle)
        return idle

    def _let_go(self, idle: dict[str, _Held]) -> None:
        for path, held in idle.items():
            try:
                if held.memory is not None:
                    held.memory.close()
            finally:
                with self._changed:
                    self._closing.discard(path)
                    self._changed.notify_all()

    def _wait(self, is_so: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + self._patience_s
        while not is_so():
            if not self._changed.wait(max(0.0, end - time.monotonic())) and not is_so():
                raise Locked(
                    f"no place for {os.path.basename(what)} in {self._patience_s:g} s: all {self.max_open} files "
                    "are in use; give them back sooner, or allow more with max_open"
                )


class AsyncPool:
    """The same for an event loop.

    async with cogmem.AsyncPool("memories", workers=8) as pool:
        turn = await pool.do("ann", lambda mem: mem.activate("What do I keep?"))

    folder, max_open, options: as for Pool
    workers: how many threads work at most; who comes when all have work waits, `queue` of them at most
    queue: how many calls may wait; one more is refused with Locked
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        max_open: int = MAX_OPEN,
        *,
        workers: int = 8,
        queue: int = 1_000,
        **options: Any,
    ) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self.pool = Pool(folder, max_open, **options)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="cogmem")
        self._most = workers + queue
        self._waiting = 0
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def do(self, user: str, what: Callable[[Memory], Given]) -> Given:
        """Do something with a user's memory, after what was asked for the same user before."""
        if self._waiting >= self._most:
            raise Locked(
                f"{self._waiting} calls wait already: ask later, or allow more with workers or queue"
            )
        self._waiting += 1
        try:
            async with self._turn(user):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, self._done, user, what)
        finally:
            self._waiting -= 1

    def _done(self, user: str, what: Callable[[Memory], Given]) -> Given:
        with self.pool.user(user) as memory:
            return what(memory)

    @asynccontextmanager
    async def _turn(self, user: str) -> AsyncIterator[None]:
        """Let in one call at a time for each user; who waits for none leaves nothing behind."""
        lock, count = self._turns.get(user, (asyncio.Lock(), 0))
        self._turns[user] = (lock, count + 1)
        try:
            async with lock:
                yield
        finally:
            lock, count = self._turns.pop(user)
            if count > 1:
                self._turns[user] = (lock, count - 1)

    async def close(self) -> None:
        """Close all files, once nobody uses them."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self.pool.close)
        self._threads.shutdown(wait=False)
