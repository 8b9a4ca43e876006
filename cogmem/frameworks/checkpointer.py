"""LangGraph: a checkpointer, which keeps where graphs stand in the memory's file.

    graph = builder.compile(checkpointer=Checkpointer(mem), store=MemoryStore(mem))
    graph.invoke({"messages": […]}, {"configurable": {"thread_id": "ada-1"}})

One file then holds what an agent knows and where it was. A value that a step does not change is kept once.
Checkpoints are a program's state: they are kept as the graph has them, no guard looks into them, and
`delete_thread`, `delete_for_runs` and `prune` remove them for good.
"""

# ruff: noqa: ARG002  (LangGraph calls with more than is needed here)
# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

import asyncio
import functools
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)

from cogmem.errors import InvalidInput
from cogmem.frameworks.json_filter import equal_in_sql, passes
from cogmem.memory import Memory
from cogmem.store.checkpoints import Checkpoints

# Names the channels whose value lies in an earlier checkpoint.
SINCE_VALUE = "counters_since_delta_snapshot"
SMALL = 200  # bytes; a value that is no longer stands in the checkpoint itself


def _aside(name: str) -> Callable[..., Any]:
    """Return the call of a name, made on the checkpoints' own thread."""

    async def call(self: Checkpointer, *given: Any, **named: Any) -> Any:
        loop = asyncio.get_running_loop()
        done = functools.partial(getattr(self, name), *given, **named)
        return await loop.run_in_executor(self._thread, done)

    return call


class Checkpointer(BaseCheckpointSaver[str]):
    """The checkpoints of one memory."""

    def __init__(self, mem: Memory, *, serde: Any = None) -> None:
        super().__init__(serde=serde)
        self.mem = mem
        self.checkpoints = Checkpoints(mem)
        # One thread: steps of one program are kept in the order in which they were made.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="cogmem-checkpoints")

    # -- reading ---------------------------------------------------------------------------------

    def get_tuple(self, config: Mapping[str, Any]) -> CheckpointTuple | None:
        """Return the checkpoint that is named, or the latest of the thread."""
        row = self.checkpoints.one(_place(config, get_checkpoint_id(config) or ""))
        return None if row is None else self._tuple(row)

    def list(
        self,
        config: Mapping[str, Any] | None,
        *,
        filter: Mapping[str, Any] | None = None,
        before: Mapping[str, Any] | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, the latest first."""
        asked = (config or {}).get("configurable", {})
        place = {
            "thread": str(asked["thread_id"]) if "thread_id" in asked else None,
            "namespace": asked.get("checkpoint_ns"),
            "name": asked.get("checkpoint_id"),
        }
        end = get_checkpoint_id(before) if before else None
        most = -1 if filter or limit is None else limit
        rows = self.checkpoints.many(place, before=end, equal=equal_in_sql(filter), limit=most)
        fit = (row for row in rows if not filter or passes(json.loads(row["about"]), filter))
        yield from map(self._tuple, islice(fit, limit))

    def _tuple(self, row: Mapping[str, Any]) -> CheckpointTuple:
        checkpoint = self.serde.loads_typed((row["form"], row["state"]))
        for channel, written in self.checkpoints.values(row).items():
            checkpoint["channel_values"][channel] = self.serde.loads_typed(written)
        return CheckpointTuple(
            _config(row, row["name"]),
            checkpoint,
            json.loads(row["about"]),
            _config(row, row["parent"]) if row["parent"] else None,
            [
                (task, channel, self.serde.loads_typed((form, value)))
                for task, channel, form, value in self.checkpoints.writes(row)
            ],
        )

    # -- writing ---------------------------------------------------------------------------------

    def put(
        self,
        config: Mapping[str, Any],
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        new_versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Keep a step of a graph; returns where it is found again."""
        place = _place(config, checkpoint["id"])
        values = checkpoint["channel_values"]
        written = {channel: self.serde.dumps_typed(value) for channel, value in values.items()}
        beside = {channel: one for channel, one in written.items() if len(one[1]) > SMALL}
        held = {channel: value for channel, value in values.items() if channel not in beside}
        state = self.serde.dumps_typed({**checkpoint, "channel_values": held})
        known = get_checkpoint_metadata(config, metadata)
        about = json.dumps(known, ensure_ascii=False, default=str)
        about = about.encode("utf-8", "ignore").decode()
        parent = config["configurable"].get("checkpoint_id") or ""
        self.checkpoints.keep(place, parent, about, state, beside, now=_now())
        return _config(place, place["name"])

    def put_writes(
        self,
        config: Mapping[str, Any],
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote before its step is done."""
        kept = [
            (WRITES_IDX_MAP.get(channel, number), channel, self.serde.dumps_typed(value))
            for number, (channel, value) in enumerate(writes)
        ]
        place = _place(config, str(config["configurable"]["checkpoint_id"]))
        self.checkpoints.keep_writes(place, task_id, task_path, kept, now=_now())

    def delete_thread(self, thread_id: str) -> None:
        """Remove a thread for good."""
        self.checkpoints.drop(str(thread_id), None, now=_now())

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints of some runs for good."""
        self.checkpoints.drop_runs([str(run) for run in run_ids], now=_now())

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Let a thread go on under another name too, with all of its past."""
        self.checkpoints.copy(str(source_thread_id), str(target_thread_id), now=_now())

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Remove what came before the latest checkpoint of each namespace, or all of it (`delete`)."""
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInput(f"strategy {strategy!r} is not known: use keep_latest or delete")
        for thread in map(str, thread_ids):
            gone = None
            if strategy == "keep_latest":
                rows = self.checkpoints.of_thread(thread)
                needed = self._needed(rows)
                gone = [row["id"] for row in rows if row["id"] not in needed]
            if gone != []:
                self.checkpoints.drop(thread, gone, now=_now())

    def _needed(self, rows: Sequence[Mapping[str, Any]]) -> set[int]:
        """Return the latest of each namespace, and those before it on which it builds: a channel that keeps only what
        changed is made of the writes since the last checkpoint that holds its value."""
        by_name = {(row["namespace"], row["name"]): row for row in rows}
        needed, seen = set(), set()
        for row in rows:  # the latest first
            if row["namespace"] in seen:
                continue
            seen.add(row["namespace"])
            lacking = {*json.loads(row["about"]).get(SINCE_VALUE, ())}
            at: Mapping[str, Any] | None = row
            while at is not None:
                needed.add(at["id"])
                if lacking:
                    state = self.serde.loads_typed((at["form"], at["state"]))
                    lacking -= {*state["channel_values"], *json.loads(at["links"])}
                at = by_name.get((at["namespace"], at["parent"])) if lacking else None
        return needed

    def get_next_version(self, current: Any, channel: None) -> str:
        """Versions sort by their number, and those of two branches differ."""
        number = int(str(current).partition(".")[0]) if current is not None else 0
        return f"{number + 1:032}.{random.random():016}"

    # -- the same in a loop ----------------------------------------------------------------------

    aget_tuple = _aside("get_tuple")
    aput = _aside("put")
    aput_writes = _aside("put_writes")
    adelete_thread = _aside("delete_thread")
    adelete_for_runs = _aside("delete_for_runs")
    acopy_thread = _aside("copy_thread")
    aprune = _aside("prune")

    async def alist(self, *given: Any, **named: Any) -> AsyncIterator[CheckpointTuple]:
        """Yield as list does."""
        loop = asyncio.get_running_loop()
        for one in await loop.run_in_executor(self._thread, lambda: [*self.list(*given, **named)]):
            yield one


def _now() -> int:
    return time.time_ns() // 1_000_000


def _place(config: Mapping[str, Any], name: str) -> dict[str, str]:
    asked = config["configurable"]
    namespace = str(asked.get("checkpoint_ns") or "")
    return {"thread": str(asked["thread_id"]), "namespace": namespace, "name": name}


def _config(place: Mapping[str, Any], name: str) -> dict[str, Any]:
    named = {"thread_id": place["thread"], "checkpoint_ns": place["namespace"]}
    return {"configurable": {**named, "checkpoint_id": name}}
