"""A space that is open: one memory file as one viewer sees it, and what waits to be written to it.

`Memory` is a space with the verbs of every day. What hangs on it by area (history, the file, the
night …) knows the space alone, so that no area needs to know the others.
"""

from __future__ import annotations

import os
import time

from cogmem.arguments import naming
from cogmem.errors import InvalidInput
from cogmem.file import making
from cogmem.file.connection import BUSY_MS
from cogmem.file.places import default_path, given, is_address, relative_default, resolved
from cogmem.records import LAST_INSTANT, milliseconds
from cogmem.text.lines import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins  # the class has a method of the name list
    from typing import Any, Self, Unpack

    from cogmem.file.db import Database
    from cogmem.ports import Model
    from cogmem.records import Instant as Instant
    from cogmem.records import Remembered
    from cogmem.scope import Scope
    from cogmem.search.reranking import Reranker
    from cogmem.search.vectors import Embedder
    from cogmem.store.counters import Coalescer
    from cogmem.store.store import Counts, Filters, Store
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.ledger import Ledger


class Kept:
    """What all views of one open file share: its rows, its capture rules, and what waits to be written."""

    __slots__ = ("ledger", "listener", "recalls", "store")

    def __init__(self) -> None:
        self.store: Store | None = None
        self.listener: Any = None  # hear's, which knows spaces and is not known here
        self.recalls: Coalescer | None = None
        self.ledger: Ledger | None = None


@naming
class Space:
    """One memory file, seen by one viewer. Use it as a context manager, or close() it."""

    is_view = False  # of a space that somebody else opened, and closes

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        scope: Scope,
        *,
        actor: str,
        driver: str,
        read_only: bool,
        patience_ms: int | None,
        counter: TokenCounter | None,
        model: Model | None,
        embedder: Embedder | None,
        reranker: Reranker | None = None,
    ) -> None:
        told = ""
        if path is None:
            path, told = default_path(), relative_default()
        place = resolved(given(path, "the path"))
        self.scope = scope
        actor = storable(actor, "the actor")
        open_space = making.open_space
        if is_address(place):
            from cogmem.file import cluster

            open_space = cluster.open_space
        self._db, self.notices = open_space(
            place,
            driver=driver,
            read_only=read_only,
            patience_ms=BUSY_MS if patience_ms is None else patience_ms,
        )
        if told:
            self.notices = [*self.notices, told]
        self._db.actor = actor
        self.path = self._db.path
        self.place = place if is_address(place) else self.path  # what another process opens it by
        self.model = model  # asked about what rules leave open; everything works without
        self.embedder = embedder  # compares by meaning beside words; see vectors.py
        self.reranker = reranker  # orders the best anew; see search/reranking.py
        self._counter = counter
        self._kept = Kept()

    @property
    def actor(self) -> str:
        """Who is recorded as the one who changes something."""
        return self._db.actor

    # -- life ------------------------------------------------------------------------------------

    def close(self) -> None:
        """Write what had to wait and close the file. Closing twice is fine; closing a view leaves the file open.

        >>> mem.close()
        """
        if self.is_view:
            return
        try:
            self.flush()
            if self._kept.recalls is not None:
                self._kept.recalls.close()
        finally:
            self._kept.ledger = self._kept.recalls = None
            if self._db.has_written:
                from cogmem.file.seal import close

                close(self._db, at=self.instant(None))
            else:
                self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def db(self) -> Database:
        """The file. Whoever reads it sees what recalls have counted so far."""
        if self._kept.recalls is not None:
            self._kept.recalls.settle()
        return self._db

    @property
    def store(self) -> Store:
        """Rows, kinds and settings."""
        store = self._kept.store  # another thread's undo may take it away meanwhile
        if store is None:
            from cogmem.store.store import Store

            store = self._kept.store = Store(self.db, self._counter)
        elif self._kept.recalls is not None:
            self._kept.recalls.settle()
        return store

    def _count_recalled(self, uids: builtins.list[str], at: int) -> None:
        """Note that memories were recalled; it is written with others of the next seconds."""
        if not uids or self._db.read_only:
            return
        if self._kept.recalls is None:
            from cogmem.store.counters import counting

            with self._db._held():
                self._kept.recalls = self._kept.recalls or counting(self._db)
        self._kept.recalls.add(uids, at)

    def flush(self) -> None:
        """Write now what waits: rows of turns, and what recalls counted in the last two seconds.

        >>> mem.flush()
        """
        if self._kept.ledger is not None:
            self._kept.ledger.flush()
        if self._kept.recalls is not None:
            self._kept.recalls.flush()

    def interrupt(self) -> None:
        """Break off what another thread has this memory do; of a write nothing is stored then.

        >>> mem.interrupt()
        """
        self.db.interrupt()

    # -- reading ---------------------------------------------------------------------------------

    def get(self, name: str, *, living: bool = True, now: Instant = None) -> Remembered:
        """Return one memory by uid, in whatever state, or by the key of a living one.

        With `living=False` a key also finds the only archived or removed memory that has it.

        name: its uid or key
        living: whether to leave out archived and removed ones of that key

        >>> mem.get("staging").content
        'The staging server is called heron.'
        """
        return self.store.get(name, self.scope, self.instant(now), living=living)

    def list(
        self,
        *,
        limit: int = 100,
        everywhere: bool = False,
        now: Instant = None,
        **filters: Unpack[Filters],
    ) -> builtins.list[Remembered]:
        """Return memories by plain filters, the newest first; `everywhere` looks into every scope.

        >>> [row.key for row in mem.list(kind="fact")]
        ['staging']
        """
        scope = self.looking(everywhere)
        return self.store.list(scope, self.instant(now), limit=limit, **filters)

    def count(
        self, *, everywhere: bool = False, now: Instant = None, **filters: Unpack[Filters]
    ) -> int:
        """Tell how many memories `list` would show without a limit.

        >>> mem.count(kind="fact")
        1
        """
        return self.store.count(self.looking(everywhere), self.instant(now), **filters)

    def stats(self, *, everywhere: bool = False) -> Counts:
        """Counts by layer, kind and state, and the tokens that all active memories would cost.

        >>> mem.stats().by_layer
        {'episodic': 0, 'semantic': 2, 'procedural': 1}
        """
        return self.store.stats(self.scope.replacing(everywhere=everywhere))

    # -- for other stages --------------------------------------------------------------------------

    def is_free(self, patience_ms: int) -> bool:
        """Tell whether a write could begin within that time: for those who would rather do without."""
        return self.db.is_free(patience_ms)

    def keeps_others_out(self) -> bool:
        """Tell whether nobody else can open the file meanwhile: where the disk is full, it is read alone."""
        return self.db.is_alone

    def reread(self) -> None:
        """Kinds, settings or rules may have come or gone: they are read anew when next wanted."""
        self._kept.store = None

    def looking(self, everywhere: bool) -> Scope:
        """Return who looks back; one who looks everywhere already goes on doing so."""
        return self.scope.replacing(everywhere=everywhere or None)

    def refuse_for_view(self, what: str) -> None:
        """Refuse to one user's view what shows or changes the whole file: that is for whoever opened it."""
        if self.is_view:
            raise InvalidInput(
                f"{what} is about the whole file, not one user's part: ask the memory that as_user() was called on"
            )

    def instant(self, now: Instant) -> int:
        """Return the caller's instant in ms, or this one."""
        if (
            isinstance(now, int)
            and not isinstance(now, bool)
            and -LAST_INSTANT <= now <= LAST_INSTANT
        ):
            return now
        clock = time.time_ns() // 1_000_000
        return clock if now is None else milliseconds(now, "now", clock)


class Area:
    """What hangs on a space by its subject, such as its history."""

    __slots__ = ("space",)

    def __init_subclass__(cls) -> None:
        naming(cls)

    def __init__(self, space: Space) -> None:
        self.space = space
