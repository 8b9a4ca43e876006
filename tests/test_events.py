"""What a program hears of its calls: each once, with figures and without a word of it.

Modules: verbs.events, frameworks.otel.
"""

from __future__ import annotations

from typing import Any

import pytest

import cogmem
from cogmem.errors import InvalidInput
from cogmem.verbs.events import OPERATIONS, Event

NOW = 1_800_000_000_000
SECRET = "quokka"


def test_each_call_is_told_once_with_figures_and_no_text(path: str) -> None:
    heard: list[Event] = []
    with cogmem.open(path, on_event=heard.append) as mem:
        assert isinstance(mem, cogmem.Memory)
        uid = mem.learn(f"The {SECRET} server is heron.", key=f"{SECRET}.server", now=NOW).uid
        mem.activate(f"Which is the {SECRET} server?", session="s", now=NOW + 1)
        mem.recall(SECRET, now=NOW + 2)
        ann = mem.as_user("ann")
        ann.update(uid, content=f"The {SECRET} server is crane.", now=NOW + 3)
        ann.forget(uid, now=NOW + 4)
        mem.list()
    assert [one.verb for one in heard] == ["learn", "activate", "recall", "update", "forget"]
    learned, turn, found, _, gone = heard
    assert (learned.outcome, learned.uid, learned.memories) == ("inserted", uid, 1)
    assert (turn.memories, turn.budget, turn.operation) == (1, 800, "search_memory")
    assert 0 < turn.tokens <= 800
    assert turn.chance is not None
    assert found.memories == 1
    assert gone.memories == 1
    assert all(one.ms > 0 and one.started_at > 0 and not one.problem for one in heard)
    assert SECRET not in repr(heard)
    assert "ann" not in repr(heard)


def test_an_error_is_told_by_its_class_and_goes_on(path: str) -> None:
    heard: list[Event] = []
    with cogmem.open(path, on_event=heard.append) as mem, pytest.raises(InvalidInput):
        mem.learn("")
    [one] = heard
    assert (one.problem, one.refused, one.memories) == ("InvalidInput", True, 0)


def test_a_hook_that_fails_ends_no_call(path: str) -> None:
    def fails(_: Event) -> None:
        raise RuntimeError("no")

    with (
        cogmem.open(path, on_event=fails) as mem,
        pytest.warns(UserWarning, match="on_event failed"),
    ):
        assert mem.learn("Terns dive.").outcome == "inserted"


def test_every_verb_that_is_told_is_there(path: str) -> None:
    with cogmem.open(path) as mem:
        assert [name for name in OPERATIONS if not callable(getattr(mem, name, None))] == []


def test_a_span_is_made_of_each_event(path: str) -> None:
    trace = pytest.importorskip("opentelemetry.trace")
    from cogmem.frameworks.otel import spans

    made: list[Any] = []

    class Span(trace.NonRecordingSpan):
        """What an exporter would be given."""

        def __init__(self, name: str, kind: object, attributes: dict, start_time: int) -> None:
            super().__init__(trace.INVALID_SPAN_CONTEXT)
            self.name, self.kind, self.attributes = name, kind, dict(attributes)
            self.start_time, self.end_time, self.status = start_time, 0, None
            made.append(self)

        def set_attribute(self, key: str, value: object) -> None:
            self.attributes[key] = value

        def set_status(self, status: object, _: str | None = None) -> None:
            self.status = status

        def end(self, end_time: int | None = None) -> None:
            self.end_time = end_time

    class Provider(trace.NoOpTracerProvider):
        def get_tracer(self, *_: object, **__: object) -> object:
            return Tracer()

    class Tracer(trace.NoOpTracer):
        def start_span(self, name: str, **told: object) -> Span:
            return Span(name, **told)

    with cogmem.open(path, on_event=spans(Provider())) as mem:
        mem.learn(f"The {SECRET} server is heron.")
        mem.activate(f"Which is the {SECRET} server?")
        with pytest.raises(InvalidInput):
            mem.learn("")
    assert [one.name for one in made] == ["upsert_memory", "search_memory", "upsert_memory"]
    assert {one.kind for one in made} == {trace.SpanKind.INTERNAL}
    assert made[1].attributes["gen_ai.operation.name"] == "search_memory"
    assert made[1].attributes["gen_ai.memory.record.count"] == 1
    assert made[1].attributes["cogmem.tokens"] > 0
    assert made[2].attributes["error.type"] == "InvalidInput"
    assert made[2].status == trace.StatusCode.ERROR
    assert all(one.end_time > one.start_time for one in made)
    assert SECRET not in repr([one.attributes for one in made])
