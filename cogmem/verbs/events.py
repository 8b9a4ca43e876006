"""What a program may hear of each call: which one, how long it took, how much came of it. Never what it was about.

    with cogmem.open("memory.db", on_event=print) as mem: ...

A memory that is opened without `on_event` has none of this in its way. A hook that fails ends no call of a user's.
"""

from __future__ import annotations

import time
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple

from cogmem.errors import CogmemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Hears = Callable[["Event"], object]

# Which calls are told, and what OpenTelemetry's conventions for memories call them.
_CALLED = {
    "search_memory": "activate begin at_act recall",
    "upsert_memory": "learn capture capture_conversation",
    "create_memory": "episode procedure",
    "update_memory": "update restore",
    "delete_memory": "remove forget",
    "undo": "undo",
    "nightly": "nightly",
}
OPERATIONS = {verb: called for called, verbs in _CALLED.items() for verb in verbs.split()}


class Event(NamedTuple):
    """One call: its verb, what it did, and what it cost. It names a memory by its uid and holds no text.

    problem: the class of the error that ended it; '' for none
    refused: whether it was one of cogmem's own, which tells the caller what to do
    memories: how many were told, found, stored or taken away
    tokens, budget: of a turn
    chance: of the likeliest memory of a turn or search, from 0 to 1; None: none was weighed
    """

    verb: str
    operation: str
    started_at: int  # ns since 1970
    ms: float
    problem: str = ""
    refused: bool = False
    outcome: str = ""  # of learn
    uid: str = ""
    memories: int = 0
    tokens: int = 0
    budget: int = 0
    chance: float | None = None


def observed(cls: type) -> type[Any]:
    """Return the same class, whose calls are told to `_on_event` of their memory."""
    told = {name: _told(name, getattr(cls, name)) for name in OPERATIONS if hasattr(cls, name)}
    return type(
        cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__, **told}
    )


def _told(verb: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        started_at, started = time.time_ns(), time.perf_counter()
        answer: Any = None
        problem, refused = "", False
        try:
            answer = method(self, *args, **named)
            return answer
        except Exception as error:
            problem, refused = type(error).__name__, isinstance(error, CogmemError)
            raise
        finally:
            ms = round(1_000 * (time.perf_counter() - started), 3)
            event = Event(verb, OPERATIONS[verb], started_at, ms, problem, refused)
            _tell(self._on_event, event, answer)

    return call


def _tell(hears: Hears, event: Event, answer: Any) -> None:
    try:
        hears(event._replace(**_figures(answer)))
    except Exception as error:
        import warnings

        warnings.warn(f"on_event failed: {type(error).__name__}: {error}", stacklevel=4)


def _figures(answer: Any) -> dict[str, Any]:
    if isinstance(answer, list):
        return {"memories": len(answer), "chance": _best(answer)}
    found: dict[str, Any] = {
        name: value
        for name in ("outcome", "uid", "tokens", "budget")
        if (value := getattr(answer, name, None)) is not None and isinstance(value, (str, int))
    }
    if isinstance(chosen := getattr(answer, "items", None), list):  # of a turn
        found |= {"memories": len(chosen), "chance": _best([*chosen, *answer.left_out])}
    elif isinstance(uids := getattr(answer, "uids", None), list):  # of forgetting
        found["memories"] = len(uids)
    elif "uid" in found:
        found["memories"] = 1
    return found


def _best(items: list[Any]) -> float | None:
    chances = (getattr(one, "chance", None) for one in items)
    return max((one for one in chances if one is not None), default=None)
