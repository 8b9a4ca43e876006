"""A note, what it may be, and what a session's reading became.

`note_of` reads one out of a model's answer, however it is written.
"""

from __future__ import annotations

from cogmem.errors import CogmemError
from cogmem.guard import guard
from cogmem.models.answer import schema
from cogmem.records import Record, Report
from cogmem.text.lines import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.hear.listen import Listener
    from cogmem.noted.shown import Line
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned

MOST = 8  # notes of one session
LONGEST, SHORTEST = 400, 20  # characters of a note
NAMES = 6  # names that one note is found by
SORTS = {  # what a note is → the kind of line that it becomes
    "decision": "agreed",
    "rejection": "dropped",
    "cause": "found",
    "wish": "corrected",
    "how-to": "found",
    "open": "open",
}
ALSO = {"correction": "wish", "preference": "wish", "howto": "how-to", "way": "how-to", "exists": "how-to",
        "rejected": "rejection", "todo": "open", "fact": "cause"}  # fmt: skip
_KIND = {"type": "string", "enum": list(SORTS)}
SCHEMA = schema(notes=[schema(kind=_KIND, text="string", messages=["integer"], names=["string"])])
TELLING = ("text", "note", "content")


class Note(Report):
    """One note as a model wrote it, and what became of it: kept, again, dropped or refused, with the reason."""

    sort: str
    text: str
    messages: list[int]
    names: list[str]
    outcome: str
    reason: str
    uid: str
    _cited: list[Line]

    @property
    def cited(self) -> list[Line]:
        """The messages that it names, as they were shown."""
        return getattr(self, "_cited", [])

    def cite(self, shown: Mapping[int, Line]) -> None:
        """Find its messages among those that were shown, by number."""
        self._cited = [shown[number] for number in sorted(self.messages) if number in shown]

    def drop(self, outcome: str, reason: str) -> None:
        """Say that nothing becomes of it, and why."""
        self.outcome, self.reason = outcome, reason


class Noted(Report):
    """What became of a session: its notes, the lines that gave way, and the runs that undo() takes.

    `fault` says what went wrong; what is not dealt with then is asked for again by the next night.
    """

    session: str
    runs: list[str]
    fault: str
    calls: int
    notes: list[Note]
    replaced: list[str]
    _error: Exception

    @property
    def error(self) -> Exception | None:
        """Return what the model raised."""
        return getattr(self, "_error", None)

    def failed(self, error: Exception) -> None:
        """Say what went wrong, in words without content."""
        self._error = error
        self.fault = str(error) if isinstance(error, CogmemError) else type(error).__name__


class Question(Record):
    """The very text that a model would be sent for one part of a session."""

    system: str
    prompt: str
    tokens: int


class Stages(Record):
    """What notes ask other stages for."""

    learn: Callable[[Draft, int], Learned]
    capped: Callable[..., Model | None]
    conversation: Callable[..., Conversation]
    close: Callable[[Conversation, Sequence[tuple[str, Sequence[str]]], int], None]
    queue: Callable[..., str]
    listener: Callable[[], Listener]
    said: Callable[[Conversation, str, int, int], None]


def note_of(item: Mapping[str, Any]) -> Note | None:
    """Return a note out of an item of an answer; None if it says nothing."""
    text = next((item[name] for name in TELLING if isinstance(item.get(name), str)), "")
    text = one_line(guard.normalise(text))
    if not text:
        return None
    sort = str(item.get("kind", "")).strip().casefold().replace("_", "-")
    sort = ALSO.get(sort, sort)
    found = map(_number, _several(item.get("messages")))
    numbers = [number for number in found if number is not None]
    words = [one for one in _several(item.get("names")) if isinstance(one, str)]
    names = [one_line(guard.normalise(word))[:80] for word in words]
    return Note(sort, text, numbers, [name for name in names if name][:NAMES])


def _several(value: Any) -> list[Any]:
    return value[:20] if isinstance(value, list) else [] if value is None else [value]


def _number(value: Any) -> int | None:
    """Return a message's number, however it is written: 12, "12" or "[12]"."""
    if isinstance(value, str):
        digits = value.strip(" []#")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
