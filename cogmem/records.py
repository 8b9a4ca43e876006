"""What passes between the stages: plain records, light enough for a hook that lives 20 ms.

They are ordinary classes with slots; dataclasses and typing would cost more than the turn itself.
"""

from __future__ import annotations

import os

from cogmem.errors import InvalidInput
from cogmem.text.lines import several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.scope import Scope

PRIORITIES = {"critical": 4, "high": 3, "medium": 2, "normal": 1}
PRIORITY_NAMES = {number: name for name, number in PRIORITIES.items()}
STATES = ("candidate", "active", "archived", "deleted")
LISTED_STATES = (*STATES, "expired")  # the last: active still, and over
LAYERS = ("episodic", "semantic", "procedural")
LAYER_TABLE = {"semantic": "fact", "episodic": "episode", "procedural": "procedure"}
CONTENT_LIMIT = 1_000_000  # characters of one memory


def new_uid(prefix: str) -> str:
    """A fresh name: prefix, underscore, 16 hex digits."""
    return f"{prefix}_{os.urandom(8).hex()}"


class Record:
    """A row with named fields; `as_dict` is its stable, documented JSON form."""

    __slots__: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.as_dict().items())})"
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]


class Memory(Record):
    """One memory as it stands in the file. `detail` holds the row of its layer."""

    __slots__ = (
        "uid",
        "layer",
        "kind",
        "key",
        "content",
        "tags",
        "runtime",
        "user",
        "project",
        "session",
        "path_glob",
        "priority",
        "source",
        "trust",
        "polarity",
        "state",
        "reinforcement_count",
        "access_count",
        "tokens",
        "token_counter",
        "data",
        "created_at",
        "updated_at",
        "reinforced_at",
        "accessed_at",
        "expires_at",
        "archived_at",
        "archive_reason",
        "strength",
        "detail",
    )
    uid: str
    layer: str
    kind: str
    key: str
    content: str
    tags: list[str]
    runtime: str
    user: str
    project: str
    session: str
    path_glob: str
    priority: int
    source: str
    trust: float
    polarity: int
    state: str
    reinforcement_count: int
    access_count: int
    tokens: int | None
    token_counter: str
    data: dict[str, Any]
    created_at: int
    updated_at: int
    reinforced_at: int
    accessed_at: int | None
    expires_at: int | None
    archived_at: int | None
    archive_reason: str
    strength: float
    detail: dict[str, Any]

    def __init__(self, row: dict[str, Any]) -> None:
        from cogmem.text.cell import listed, mapped

        read = {"tags": listed, "data": mapped, "detail": mapped}
        for name in self.__slots__:
            value = row[name]
            setattr(self, name, read[name](value) if name in read else value)


class Draft:
    """What a writer wants remembered, before the write path has looked at it."""

    __slots__ = (
        "content",
        "data",
        "detail",
        "expires_at",
        "key",
        "kind",
        "only_corrects",
        "path_glob",
        "polarity",
        "priority",
        "said_at",
        "scope",
        "source",
        "state",
        "tags",
        "trust",
        "vocabulary",
    )

    def __init__(
        self,
        content: str,
        kind: str,
        scope: Scope,
        *,
        key: str = "",
        tags: Sequence[str] = (),
        path_glob: str = "",
        priority: int | str | None = None,
        source: str = "user_explicit",
        trust: float | None = None,
        state: str | None = None,
        data: Mapping[str, Any] | None = None,
        expires_at: int | None = None,
        detail: Mapping[str, Any] | None = None,
        vocabulary: str = "",
        said_at: int | None = None,
        polarity: int | None = None,
        only_corrects: bool = False,
    ) -> None:
        self.content = content
        self.kind = kind
        self.scope = scope
        self.key = key
        self.tags = several(tags, "tags")
        self.path_glob = path_glob
        self.priority = priority
        self.source = source
        self.trust = trust
        self.state = state  # None: as the guard's policy for the source says
        self.data = dict(data or {})
        self.expires_at = expires_at
        self.detail = dict(detail or {})  # columns of the layer's own table
        self.vocabulary = vocabulary  # whose word `kind` is, where systems differ
        self.said_at = said_at  # the instant that "yesterday" counts from; None: when it is learned
        self.polarity = polarity  # -1: it forbids or denies; None: read from the text
        self.only_corrects = (
            only_corrects  # a guess that counts if it takes the place of what is held
        )


class Learned(Record):
    """What one call of learn() did.

    outcome: inserted, reinforced, merged (joined with a memory that says the same), updated (the key
    was taken), superseded (it closed an older fact), candidate (stored, but waiting for a
    confirmation), known (held already, nothing was changed and `act` is empty) or left (a guess that
    set nothing right: it was not stored, `uid` and `act` are empty). `other` names the
    memory it met, `verdict` what similarity made of the two: reinforce, merge, judge or add.
    """

    __slots__ = ("act", "notes", "other", "outcome", "similarity", "uid", "verdict")
    uid: str
    outcome: str
    act: str
    other: str | None
    similarity: float | None
    notes: list[str]
    verdict: str

    def __init__(
        self,
        uid: str,
        outcome: str,
        act: str,
        other: str | None = None,
        similarity: float | None = None,
        notes: list[str] | None = None,
        verdict: str = "",
    ) -> None:
        self.uid = uid
        self.outcome = outcome
        self.act = act
        self.other = other
        self.similarity = similarity
        self.notes = notes or []
        self.verdict = verdict


def json_list(words: Iterable[str]) -> str:
    """A JSON list of words without the json module, which a hook does not need otherwise."""
    return "[" + ",".join('"' + _escaped(word) + '"' for word in words) + "]"


def json_numbers(numbers: Iterable[int | str]) -> str:
    """A JSON list of numbers, which may be given as their digits."""
    return "[" + ",".join(map(str, numbers)) + "]"


def add_up(sums: dict[str, float], ids: list[str], weight: float, first: float = 0.0) -> None:
    """Add a weight to the sum of each id of a list, and `first` to those that had none yet."""
    told = dict.fromkeys(ids, weight + first)
    for one in told.keys() & sums.keys():
        told[one] = weight + sums[one]
    sums.update(told)


def _escaped(word: str) -> str:
    text = word.replace("\\", "\\\\").replace('"', '\\"')
    if text.isprintable():
        return text
    return "".join(c if c >= " " else f"\\u{ord(c):04x}" for c in text)


def priority_number(value: int | str) -> int:
    """Priority as a number, from a number 1 to 4 or its name."""
    if isinstance(value, str) and value.strip().isdigit():
        value = int(value)
    if isinstance(value, bool) or (isinstance(value, int) and value not in PRIORITY_NAMES):
        raise InvalidInput(
            f"priority {value!r} is not known: use critical, high, medium, normal or 4 to 1"
        )
    if isinstance(value, int):
        return value
    try:
        return PRIORITIES[value.strip().lower()]
    except (KeyError, AttributeError):
        raise InvalidInput(
            f"priority {value!r} is not known: use critical, high, medium, normal or 4 to 1"
        ) from None


def milliseconds(value: Any, what: str = "now", now: int | None = None) -> int:
    """An instant as ms since 1970 UTC: from an aware datetime, a date, ISO text, a timedelta from `now`, or ms.

    A date, and text that names no zone, is UTC; a date begins at midnight.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        value = _read(value, what)
    if now is not None and hasattr(value, "total_seconds"):
        return int(now + round(value.total_seconds() * 1000))
    if hasattr(value, "toordinal") and not hasattr(value, "utcoffset"):
        return int(value.toordinal() - 719_163) * 86_400_000  # days since 1970
    offset = getattr(value, "utcoffset", None)
    if offset is None:
        raise InvalidInput(
            f"{what} is an instant, not {type(value).__name__}: give an aware datetime, a date, "
            "text like 2026-11-20T10:00:00Z, a timedelta from now, or ms since 1970"
        )
    if offset() is None:
        raise InvalidInput(
            f"{what} has no time zone: use datetime.now(timezone.utc) or .astimezone()"
        )
    seconds = value.replace(microsecond=0).timestamp()
    return int(seconds) * 1000 + int(value.microsecond) // 1000


def given_instant(value: Any, what: str, now: int) -> int | None:
    """The same for what a caller may leave out."""
    return None if value is None else milliseconds(value, what, now)


def _read(text: str, what: str) -> Any:
    from datetime import UTC, datetime

    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(
            f"{what} is {text[:40]!r}, which is not an instant: write it like 2026-11-20 or "
            "2026-11-20T10:00:00+01:00"
        ) from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def most_rows(limit: int) -> int:
    """A limit as SQL takes it: 0 is no limit, and less than that is a mistake."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise InvalidInput(f"limit is {limit!r}: give a positive number, or 0 for all")
    return limit or -1
