"""Spans of OpenTelemetry for what a memory does, after its conventions for memories in generative AI.

    from cogmem.frameworks.otel import spans

    mem = cogmem.open("memory.db", on_event=spans())

Each call becomes a span `search_memory`, `upsert_memory` …, with how many memories it was about; what the conventions
have no name for stands under `cogmem.`. Neither texts nor names of users are told. The conventions are in
development: names of attributes may change with them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cogmem.verbs.events import Event

_OWN = ("verb", "outcome", "tokens", "budget", "chance")


def spans(provider: Any = None) -> Callable[[Event], None]:
    """Return what `on_event` wants: it makes a span of each event.

    provider: a TracerProvider; default: the one that the program has set
    """
    try:
        trace = import_module("opentelemetry.trace")
    except ImportError as error:
        raise InvalidInput(
            "OpenTelemetry is not installed: `pip install 'cogmem-sqlite[opentelemetry]'`"
        ) from error
    tracer = trace.get_tracer("cogmem", tracer_provider=provider)

    def tell(event: Event) -> None:
        asked = {"kind": trace.SpanKind.INTERNAL, "attributes": _attributes(event)}
        span = tracer.start_span(event.operation, start_time=event.started_at, **asked)
        if event.problem:
            span.set_attribute("error.type", event.problem)
            span.set_status(trace.StatusCode.ERROR)
        span.end(event.started_at + int(event.ms * 1_000_000))

    return tell


def _attributes(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {
        "gen_ai.operation.name": event.operation,
        "gen_ai.memory.record.count": event.memories,
    }
    if event.uid:
        found["gen_ai.memory.record.id"] = event.uid
    told = event._asdict()
    return found | {
        f"cogmem.{name}": told[name] for name in _OWN if told[name] not in ("", 0, None)
    }
