"""What a model and an embedder do for a memory, and what that costs: `mem.models`."""

from __future__ import annotations

from cogmem.errors import InvalidInput
from cogmem.night import calls, tasks
from cogmem.records import given_instant, most_rows
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cogmem.night.calls import Spend
    from cogmem.night.tasks import Filled, Task, WaitingTask
    from cogmem.ports import Model
    from cogmem.space import Instant, Space

    # What asks a model for a purpose of a task: the task and the model, and what came of it.
    Asks = Mapping[str, Callable[[Task, Model], Any]]


class Models(Area):
    """The model and the embedder that this memory was opened with; it works without either."""

    def __init__(self, space: Space, asks: Asks) -> None:
        super().__init__(space)
        self._asks = asks

    def spend(self, *, since: Instant = None, until: Instant = None) -> list[Spend]:
        """Return what models were asked for: calls, tokens and time by day, purpose and model.

        since: calls from this instant on
        until: calls before this instant

        >>> mem.models.spend(since="2026-11-01")
        []
        """
        at = self.space.instant(None)
        return calls.spend(
            self.space.db,
            since=given_instant(since, "since", at) or 0,
            until=given_instant(until, "until", at),
        )

    def calls_left(self, *, now: Instant = None) -> int:
        """Tell how many calls the cap of a day still allows.

        >>> mem.models.calls_left()
        0
        """
        return calls.calls_left(self.space.db, now=self.space.instant(now))

    def tasks(self, *, state: str | None = None, limit: int = 100) -> list[WaitingTask]:
        """Return what waits for a model, or waited.

        state: only ready, claimed, filled, done or dead ones

        >>> mem.models.tasks()
        []
        """
        return tasks.list_tasks(self.space.db, state=state, limit=limit)

    def revive(self, task: str, *, now: Instant = None) -> None:
        """Give a dead task another try.

        task: the uid of the task
        """
        tasks.revive(self.space.db, task, now=self.space.instant(now))

    def set_prompt(self, name: str, value: str, meaning: str, *, now: Instant = None) -> None:
        """Keep a prompt of your own in this memory, under the name of its setting.

        name: the name of its setting
        value: the text, with its {fields}
        meaning: what it is for

        >>> mem.models.set_prompt("prompt_judge", "Do they differ? {old} {new}", "my own judge")
        """
        space, at = self.space, self.space.instant(now)
        if name in space.store.settings():
            space.store.set_setting(name, value, now=at)
            return
        step = ("tasks.add_prompt", {"name": name, "value": value, "meaning": meaning})
        space.db.write([step], verb="setting", at=at)

    def reset_prompt(self, name: str, *, now: Instant = None) -> None:
        """Use the prompt that comes with cogmem again.

        name: the name of its setting

        >>> mem.models.reset_prompt("prompt_judge")
        """
        step = ("tasks.drop_prompt", {"name": name})
        self.space.db.write([step], verb="setting", at=self.space.instant(now))

    def fill(
        self,
        *,
        limit: int | None = None,
        run: str = "",
        cancelled: Callable[[], bool] | None = None,
        now: Instant = None,
    ) -> Filled:
        """Ask the model for what waits for one, under the caps; the next night puts it in place.

        limit: how many tasks at most
        run: the run of jobs that asks
        cancelled: asked before each task; True ends it

        >>> mem.models.fill()
        Filled(filled=0, failed=0, lost=0, left=0)
        """
        if limit is not None:
            most_rows(limit)
        if self.space.model is None:
            return tasks.Filled(0, 0, 0, 0)
        return tasks.work(
            self.space.db,
            self.space.model,
            self._asks,
            clock=lambda: self.space.instant(now),
            limit=limit,
            run=run,
            cancelled=cancelled,
        )

    def embed(
        self,
        limit: int | None = None,
        *,
        progress: Callable[[int], None] | None = None,
        now: Instant = None,
    ) -> int:
        """Give vectors to memories and messages that have none; returns how many.

        For a background thread or a night: it may be stopped at any time, and the next call goes on.

        limit: how many at most; default: all
        progress: called with how many are done
        """
        if limit is not None:
            most_rows(limit)
        if self.space.embedder is None:
            raise InvalidInput(
                "no embedder is set: cogmem.open(path, embedder=…), for example "
                "cogmem.models.minilm.MiniLM()"
            )
        from cogmem.search.vectors import embed_missing

        return embed_missing(
            self.space.db,
            self.space.embedder,
            limit=limit,
            now=self.space.instant(now),
            progress=progress,
        )

    # -- for other stages --------------------------------------------------------------------------

    def capped(
        self, purpose: str, at: int | None = None, *, model: Model | None = None, run: str = ""
    ) -> calls.Capped | None:
        """Return the given model or else the memory's, under the caps and in the ledger; None without one."""
        model = self.space.model if model is None else model
        if model is None:
            return None
        if isinstance(model, calls.Capped):
            return model
        clock = (lambda: self.space.instant(None)) if at is None else (lambda: at)
        return calls.Capped(self.space.db, model, purpose, clock=clock, run=run)
