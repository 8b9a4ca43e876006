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
    from datetime import date, datetime, timedelta
    from typing import Any, Self, TypeVar

    from cogmem.scope import Scope

    _Id = TypeVar("_Id", int, str)
    _Sum = TypeVar("_Sum", int, float)
    # A date is midnight UTC, and so is text without a zone; a timedelta counts from now.
    Instant = datetime | date | timedelta | str | int | None

PRIORITIES = {"critical": 4, "high": 3, "medium": 2, "normal": 1}
PRIORITY_NAMES = {number: name for name, number in PRIORITIES.items()}
STATES = ("candidate", "active", "archived", "deleted")
LISTED_STATES = (*STATES, "expired")  # the last: active still, and over
LAYERS = ("episodic", "semantic", "procedural")
LAYER_TABLE = {"semantic": "fact", "episodic": "episode", "procedural": "procedure"}
CONTENT_LIMIT = 1_000_000  # characters of one memory


def new_uid(prefix: str) -> str:
    """Return a fresh name: prefix, underscore, 16 hex digits."""
    return f"{prefix}_{os.urandom(8).hex()}"


class _Instant:
    """A field that stands as ms and is read as an aware datetime, in UTC."""

    __slots__ = ("place",)

    def __init__(self, place: Any) -> None:
        self.place = place

    def __get__(self, one: Any, kind: type | None = None) -> Any:
        return self if one is None else instant(self.place.__get__(one, kind))

    def __set__(self, one: Any, value: Any) -> None:
        self.place.__set__(one, value)


class _Shape(type):
    """Gives a record a slot for each field that its class annotates, in that order."""

    FIELDS: tuple[str, ...] = ()

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Shape:
        said = body.get("__annotations__", {})
        told = {field: kind for field, kind in said.items() if field not in body}
        made = super().__new__(cls, name, bases, {**body, "__slots__": tuple(told)})
        fields = tuple(field for field in told if not field.startswith("_"))
        made.FIELDS = fields or made.FIELDS
        for field in fields:
            if told[field] in ("datetime", "datetime | None"):
                setattr(made, field, _Instant(made.__dict__[field]))
        return made


class Record(metaclass=_Shape):
    """Named fields that stay as they are. An instant is an aware datetime; `as_dict` is the documented
    JSON form, in which it is ISO text."""

    SHOWN: tuple[str, ...] = ()  # what the repr shows; none: every field that says something
    BEGINS_EMPTY = False  # what it is not given, as its type says: no text, a list of nothing, 0

    def __init__(self, *values: Any, **named: Any) -> None:
        kind = type(self)
        given = dict(zip(kind.FIELDS, values, strict=False)) | named if values else named
        count = len(values) + len(named) - len(given)
        if kind.BEGINS_EMPTY:
            left = [name for name in kind.FIELDS if name not in given]
            given = given | {name: _empty(kind.__annotations__[name]) for name in left}
        if count or given.keys() != set(kind.FIELDS):
            raise TypeError(f"{kind.__name__} has the fields {', '.join(kind.FIELDS)}")
        for name, value in given.items():
            getattr(kind, name).__set__(self, value)

    def __setattr__(self, name: str, _value: Any) -> None:
        self.__delattr__(name)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"{type(self).__name__} is a result and stays as it is: {name} is kept"
        )

    def raw(self, name: str) -> Any:
        """Return a field as it stands in the file: an instant in ms."""
        found = getattr(type(self), name)
        return (found.place if type(found) is _Instant else found).__get__(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields in their JSON form: what holds others as it does, and instants as ISO text."""
        return {name: _plain(getattr(self, name)) for name in type(self).FIELDS}

    def replacing(self, **values: Any) -> Self:
        """Return the same with other values."""
        made = object.__new__(type(self))
        made.__setstate__({**self.__getstate__(), **values})
        return made

    def __repr__(self) -> str:
        shown = type(self).SHOWN or type(self).FIELDS
        told = ((name, getattr(self, name)) for name in shown)
        said = ", ".join(
            f"{name}={_told(value)}" for name, value in told if value not in (None, "", [], {}, ())
        )
        return f"{type(self).__name__}({said})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__getstate__() == other.__getstate__()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.raw(name) for name in type(self).FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            getattr(type(self), name).__set__(self, value)


class Report(Record):
    """A record that is filled in while the work goes on; `closed` when it is handed over."""

    BEGINS_EMPTY = True
    _is_closed: bool

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_is_closed", False):
            super().__setattr__(name, value)
        object.__setattr__(self, name, value)

    def closed(self) -> Self:
        """Return the same, which stays as it is from now on."""
        for name in type(self).FIELDS:
            within = getattr(self, name)
            for one in within if isinstance(within, list) else (within,):
                if isinstance(one, Report):
                    one.closed()
        object.__setattr__(self, "_is_closed", True)
        return self


def _empty(said: str) -> Any:
    """Return the beginning of a field of a type; an instant has none."""
    if said.endswith("None"):
        return None
    kinds: tuple[Any, ...] = (list, dict, str, int, float, bool)
    return next(kind for kind in kinds if kind.__name__ == said.partition("[")[0])()


def iso(at: datetime | int | None) -> str | None:
    """Return an instant as JSON has it, to the millisecond: 2026-11-20T10:00:00.000Z. Such texts sort as instants."""
    if at is None:
        return None
    told: datetime = instant(at) if isinstance(at, int) else at
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def in_iso(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns of a row as JSON has them: those that are instants by their name as ISO text."""
    found = dict(row)
    for name, value in row.items():
        is_instant = name.endswith("_at") or name in ("at", "valid_from", "valid_to")
        if is_instant and isinstance(value, int):
            found[name] = iso(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.as_dict()
    if hasattr(value, "astimezone"):
        return iso(value)
    if isinstance(value, list) and value and isinstance(value[0], Record):
        return [one.as_dict() for one in value]
    return value


def _told(value: Any) -> str:
    if isinstance(value, str) and len(value) > 80:
        value = f"{value[:79]}…"
    if isinstance(value, list) and len(value) > 5:
        return f"[{', '.join(map(_told, value[:5]))}, … {len(value)} in all]"
    if hasattr(value, "astimezone"):
        return str(value.isoformat(" ", "seconds"))
    return repr(value)


class Remembered(Record):
    """One memory as it stands in the file. `detail` holds the columns of its layer's row, with instants
    in ms; `as_dict` has them as ISO text. `ending` is what stands behind its text: whose words it is, how it went,
    what casts doubt on it."""

    SHOWN = ("uid", "kind", "key", "content", "state", "strength")
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
    created_at: datetime
    updated_at: datetime
    reinforced_at: datetime
    accessed_at: datetime | None
    expires_at: datetime | None
    archived_at: datetime | None
    archive_reason: str
    strength: float
    ending: str
    detail: dict[str, Any]

    def __init__(self, row: dict[str, Any]) -> None:
        from cogmem.text.cell import listed, mapped

        read = {"tags": listed, "data": mapped, "detail": mapped}
        kind = type(self)
        for name in kind.FIELDS:
            value = row[name]
            getattr(kind, name).__set__(self, read[name](value) if name in read else value)

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "detail": in_iso(self.detail)}

    @property
    def line(self) -> str:
        """Return what it says in one line that stands alone, as a turn shows it."""
        from cogmem.text.lines import memory_text

        return memory_text(
            self.layer, self.key, self.content, self.ending, self.detail.get("steps") or ()
        )

    @property
    def valid_from(self) -> datetime | None:
        """Since when a fact holds; None: nobody knows, or it is not a fact."""
        return instant(self.detail.get("valid_from"))  # type: ignore[no-any-return]

    @property
    def valid_to(self) -> datetime | None:
        """Until when a fact held; None: it holds still, or it is not a fact."""
        return instant(self.detail.get("valid_to"))  # type: ignore[no-any-return]

    def is_over(self, at: int) -> bool:
        """Tell whether it is a fact that holds no more at an instant."""
        over = self.detail.get("valid_to")
        return over is not None and over <= at

    @property
    def happened_at(self) -> datetime | None:
        """When an episode happened."""
        return instant(self.detail.get("happened_at"))  # type: ignore[no-any-return]


class Draft:
    """What a writer wants remembered, before the write path has looked at it."""

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
        after: str = "",
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
        self.only_corrects = only_corrects  # it counts if it takes the place of what is held
        self.after = after  # the message that a short statement was said in answer to


class Learned(Record):
    """What one call of learn() did.

    outcome: inserted, reinforced, merged (joined with a memory that says the same), updated (the key
    was taken), superseded (it closed an older fact), candidate (stored, but waiting for a
    confirmation), known (held already, nothing was changed and `act` is empty) or left (a guess that
    set nothing right: it was not stored, `uid` and `act` are empty). `other` names the
    memory it met, `verdict` what similarity made of the two: reinforce, merge, judge or add.
    """

    BEGINS_EMPTY = True
    uid: str
    outcome: str
    act: str
    other: str | None
    similarity: float | None
    notes: list[str]
    verdict: str


def json_list(words: Iterable[str]) -> str:
    """Return a JSON list of words without the json module, which a hook does not need otherwise."""
    listed = [*words]
    plain = "".join(listed)
    if plain.isprintable() and '"' not in plain and "\\" not in plain:  # as nearly always
        return '["' + '","'.join(listed) + '"]' if listed else "[]"
    return "[" + ",".join([_quoted(word) for word in listed]) + "]"


def one_of(what: str, said: str | None, known: Iterable[str]) -> None:
    """Refuse a word that is none of a few; None is a word that nobody said."""
    if said is not None and said not in known:
        raise InvalidInput(f"{what} {said!r} is not known: use {', '.join(known)}")


def json_numbers(numbers: Iterable[int | str]) -> str:
    """Return a JSON list of numbers, which may be given as their digits."""
    return "[" + ",".join(map(str, numbers)) + "]"


def json_rows(rows: Iterable[Iterable[str | float | None]]) -> str:
    """Return a JSON list of lists of words, numbers and nothing."""
    said = []
    for row in rows:
        cells = []
        for value in row:
            if isinstance(value, str):
                cells.append(f'"{value}"' if value.isidentifier() else _quoted(value))
            else:
                cells.append("null" if value is None else repr(value))
        said.append(",".join(cells))
    return f"[[{'],['.join(said)}]]" if said else "[]"


def json_counts(numbers: Mapping[int, float]) -> str:
    """Return a JSON object of numbers by number."""
    return "{" + ",".join([f'"{one}":{other}' for one, other in numbers.items()]) + "}"


def add_up(sums: dict[_Id, _Sum], ids: Iterable[_Id], weight: _Sum, first: _Sum | int = 0) -> None:
    """Add a weight to the sum of each id of a list, and `first` to those that had none yet. No id comes twice."""
    begun = weight + first
    for one in ids:
        if one in sums:
            sums[one] += weight
        else:
            sums[one] = begun


def _quoted(word: str) -> str:
    text = word.replace("\\", "\\\\").replace('"', '\\"')
    if not text.isprintable():
        text = "".join([c if c >= " " else f"\\u{ord(c):04x}" for c in text])
    return f'"{text}"'


def priority_number(value: int | str) -> int:
    """Priority as a number, from a number 1 to 4 or its name."""
    said = value
    if isinstance(said, str):
        said = said.strip().lower()
        said = int(said) if said.isdigit() else PRIORITIES.get(said, said)
    if isinstance(said, int) and not isinstance(said, bool) and said in PRIORITY_NAMES:
        return said
    raise InvalidInput(
        f"priority {value!r} is not known: use critical, high, medium, normal or 4 to 1"
    )


LAST_INSTANT = 253_402_300_799_999  # the end of the year 9999, in ms


def milliseconds(value: Any, what: str = "now", now: int | None = None) -> int:
    """Return ms since 1970 UTC, from an aware datetime, a date, ISO text, a timedelta from `now`, or ms.

    A date, and text that names no zone, is UTC; a date begins at midnight.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if not -LAST_INSTANT <= value <= LAST_INSTANT:
            raise InvalidInput(f"{what} is no instant of a calendar: give ms since 1970")
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


def instant(ms: int | None) -> Any:
    """Return an aware datetime in UTC for ms since 1970; what no calendar has becomes its first or last instant."""
    if ms is None:
        return None
    from datetime import UTC, datetime, timedelta

    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    except OverflowError:
        return (datetime.max if ms > 0 else datetime.min).replace(tzinfo=UTC)


def given_instant(value: Any, what: str, now: int) -> int | None:
    """Return the same for what a caller may leave out."""
    return None if value is None else milliseconds(value, what, now)


def told_instant(value: Any) -> int | None:
    """Return the same for what a host says of a message; what is not an instant is passed over."""
    try:
        return None if value is None else milliseconds(value)
    except InvalidInput:
        return None


def foreign_instant(value: Any) -> int | None:
    """Return the same for what another program wrote, also in seconds; what is no instant is passed over."""
    try:
        if isinstance(value, str) and value.strip().lstrip("-").replace(".", "", 1).isdigit():
            value = float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # Seconds until the year 5138, ms from 1973 on.
            value = round(value if abs(value) >= 1e11 else value * 1000)
        return milliseconds(value)
    except (InvalidInput, ValueError, OverflowError):
        return None


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
    """Return a limit as SQL takes it: 0 is no limit, and less than that is a mistake."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise InvalidInput(f"limit is {limit!r}: give a positive number, or 0 for all")
    return limit or -1
