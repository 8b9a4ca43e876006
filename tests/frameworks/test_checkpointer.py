"""LangGraph's checkpointer: its conformance suite, graphs that go on, branches, scopes, what is removed.

Modules: store.checkpoints.
"""

from __future__ import annotations

import asyncio
import operator
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import pytest

import cogmem
from cogmem.errors import GuardRefused, InvalidInput
from cogmem.tokens import counting

pytest.importorskip("langgraph.checkpoint.conformance")
pytest.importorskip("langgraph.graph")

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance.capabilities import DetectedCapabilities
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt

from cogmem.frameworks.checkpointer import Checkpointer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = "What was said before the tractor broke. " * 20


class State(TypedDict):
    """What the graphs of these tests hold: a list that grows, and a note that stays."""

    said: Annotated[list[str], operator.add]
    note: str


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[cogmem.Memory]:
    with cogmem.open(tmp_path / "m.db", counter=counting.Simple()) as mem:
        yield mem
        assert mem.file.check() == []


def graph(mem: cogmem.Memory) -> Any:
    def answer(state: State) -> dict[str, Any]:
        return {"said": [f"heard {state['said'][-1]}"]}

    def ask(_: State) -> dict[str, Any]:
        return {"said": [interrupt("go on?")]}

    building = StateGraph(State)
    building.add_node("answer", answer)
    building.add_node("ask", ask)
    building.add_edge(START, "answer")
    building.add_edge("answer", "ask")
    return building.compile(checkpointer=Checkpointer(mem))


def thread(name: str = "t1", **more: Any) -> dict[str, Any]:
    return {"configurable": {"thread_id": name, **more}}


def rows(mem: cogmem.Memory) -> list[int]:
    tables = ("checkpoint", "checkpoint_value", "checkpoint_write")
    return [mem.db.ask(f"select count(*) from {table}")[0][0] for table in tables]


PARTS = (
    "copy_thread",
    "delete_for_runs",
    "delete_thread",
    "get_tuple",
    "list",
    "prune",
    "put",
    "put_writes",
)
CONFORMANCE = [
    test
    for part in PARTS
    for test in vars(import_module(f"langgraph.checkpoint.conformance.spec.test_{part}"))[
        f"ALL_{part.upper()}_TESTS"
    ]
]


@pytest.mark.parametrize("test", CONFORMANCE, ids=lambda test: test.__name__)
def test_conformance(mem: cogmem.Memory, test: Any) -> None:
    asyncio.run(test(Checkpointer(mem)))


def test_every_part_of_the_conformance_suite_is_offered(mem: cogmem.Memory) -> None:
    assert not DetectedCapabilities.from_instance(Checkpointer(mem)).missing


def test_a_graph_goes_on_in_another_process_where_it_was_asked(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db") as mem:
        told = graph(mem).invoke({"said": ["hello"], "note": LONG}, thread())
        assert told["__interrupt__"][0].value == "go on?"
    with cogmem.open(tmp_path / "m.db") as mem:
        told = graph(mem).invoke(Command(resume="yes"), thread())
        assert told["said"] == ["hello", "heard hello", "yes"]
        assert told["note"] == LONG
        assert mem.file.check() == []


def test_a_branch_does_not_change_what_it_left(mem: cogmem.Memory) -> None:
    running = graph(mem)
    running.invoke({"said": ["hello"], "note": LONG}, thread())
    before = running.get_state(thread())
    (first,) = [
        one for one in running.get_state_history(thread()) if one.values.get("said") == ["hello"]
    ]
    other = running.update_state(first.config, {"said": [LONG]})
    assert running.get_state(other).values["said"] == ["hello", LONG]
    assert running.get_state(before.config).values == before.values


def test_a_value_that_stays_as_it_is_is_kept_once(mem: cogmem.Memory) -> None:
    running = graph(mem)
    for word in ("one", "two", "three"):
        running.invoke({"said": [word], "note": LONG}, thread())
    held = mem.db.ask("select value from checkpoint_value")
    notes = [value for (value,) in held if LONG.encode() in value and b"\xa4said" not in value]
    assert len(notes) == 1


def test_what_goes_leaves_nothing_that_only_it_held(mem: cogmem.Memory) -> None:
    running, kept = graph(mem), Checkpointer(mem)
    for name in ("t1", "t2"):
        running.invoke({"said": ["hello", LONG], "note": LONG}, thread(name))
    kept.copy_thread("t1", "t3")
    kept.delete_thread("t1")
    assert running.get_state(thread("t1")).values == {}
    assert running.get_state(thread("t3")).values == running.get_state(thread("t2")).values
    kept.prune(["t3"])
    assert len([*kept.list(thread("t3"))]) == 1
    assert running.invoke(Command(resume="yes"), thread("t3"))["said"][-1] == "yes"
    for name in ("t2", "t3"):
        kept.prune([name], strategy="delete")
    assert rows(mem) == [0, 0, 0]
    with pytest.raises(InvalidInput, match="keep_latest or delete"):
        kept.prune(["t2"], strategy="some")


def test_pruning_keeps_the_writes_of_a_channel_that_keeps_only_what_changed(
    mem: cogmem.Memory,
) -> None:
    kept = Checkpointer(mem)
    config = {"configurable": {"thread_id": "t1", "checkpoint_ns": ""}}
    for step, value in enumerate(({"log": ["a"]}, {}, {}, {"log": ["a", "b"]}, {})):
        checkpoint = empty_checkpoint() | {"id": f"{step:04}", "channel_values": value}
        checkpoint["channel_versions"] = {"log": f"{step:032}.5"}
        about = {"source": "loop", "step": step}
        if "log" not in value:
            about["counters_since_delta_snapshot"] = {"log": [1, 1]}
        config = kept.put(config, checkpoint, about, {})
        kept.put_writes(config, [("log", step)], "task")
    before = kept.get_delta_channel_history(config=config, channels=["log"])
    kept.prune(["t1"])
    assert [one.config["configurable"]["checkpoint_id"] for one in kept.list(thread())] == [
        "0004",
        "0003",
    ]
    assert kept.get_delta_channel_history(config=config, channels=["log"]) == before


def test_each_scope_has_its_own(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db", user="ada") as mem:
        graph(mem).invoke({"said": ["hello"], "note": ""}, thread())
    with cogmem.open(tmp_path / "m.db", user="bob") as mem:
        assert Checkpointer(mem).get_tuple(thread()) is None
        assert [*Checkpointer(mem).list(None)] == []
        Checkpointer(mem).delete_thread("t1")
        assert rows(mem)[0] > 0


def test_a_thread_is_not_named_by_a_secret(mem: cogmem.Memory) -> None:
    with pytest.raises(GuardRefused, match="name of a thread"):
        graph(mem).invoke(
            {"said": ["hello"], "note": ""}, thread("ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8")
        )


def test_what_is_forgotten_takes_the_threads_with_it_that_hold_it(mem: cogmem.Memory) -> None:
    running = graph(mem)
    running.invoke({"said": ["Greta the tractor"], "note": LONG}, thread("t1"))
    running.invoke({"said": ["hello"], "note": "barley"}, thread("t2"))
    learned = mem.learn("The tractor is called Greta.")
    receipt = mem.forget(learned.uid, words=["Greta"])
    assert receipt.removed["checkpoint"] > 0
    assert running.get_state(thread("t1")).values == {}
    assert running.get_state(thread("t2")).values["said"][0] == "hello"
    assert mem.db.ask("select count(*) from checkpoint_value where thread = 't1'") == [(0,)]
