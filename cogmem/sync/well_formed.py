"""What another file may say: the shape of a request, an act and a receipt, looked at once, where they come in.

Whoever is at the other end is a stranger, also a file of acts that lay on a disk. Every field has its type and its
size, and every row of a memory the columns of its table. What does not fit is named and left outside, and no more.
"""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import accumulate

from cogmem.errors import DatabaseProblem, InvalidInput
from cogmem.file.pristine import pristine
from cogmem.records import CONTENT_LIMIT, LAYER_TABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.sync.acts import Act

    Upto = dict[str, Any]  # changes, arrivals, receipts, proof: a place in the feeds of a file

FEEDS = ("changes", "arrivals", "receipts")
DEEPEST = 40  # brackets within brackets
_MOST = (1 << 63) - 1
_LONG, _SHORT = 4 * CONTENT_LIMIT, 2_000  # characters of a text, and of a name or a reason
_ORIGIN = re.compile(r"org_[0-9a-f]{1,40}\Z")
_ACT = re.compile(r"[ -~]{1,100}\Z")
_MEMORY = re.compile(r"mem_[0-9a-f]{16}\Z")
_POLICY = re.compile(r"(kind|setting|gate_weight|capture_rule) (\S.{0,199})\Z", re.DOTALL)
_KEPT_OUT = {"memory": "id", **dict.fromkeys(LAYER_TABLE.values(), "memory_id")}
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)  # within JSON
_OF_JSON = frozenset(("tags", "data", "steps", "turns"))


class Misshapen(InvalidInput):
    """What is wrong, in a few words; nothing that was said is repeated."""


def parsed(text: str | bytes) -> Any:
    """JSON of somebody else: however deep or large, it ends with an answer."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Misshapen("it is no JSON") from None


def object_of(said: Any, what: str = "it is no object") -> dict[str, Any]:
    """Demand an object."""
    if not isinstance(said, dict):
        raise Misshapen(what)
    return said


def origin(said: Any) -> str:
    """Return the name of a file."""
    if not isinstance(said, str) or not _ORIGIN.match(said):
        raise Misshapen("it names no file that it comes from")
    return said


def place(said: Any) -> Upto:
    """Return a place in the feeds of a file."""
    said = object_of(said, "it names no place")
    found = {name: _number(said.get(name), 0, _MOST) for name in FEEDS}
    return {**found, "proof": _text(said.get("proof"), _SHORT)}


def request(said: Any) -> dict[str, Any]:
    """Return a question of the other side, with what every question has."""
    try:
        user = object_of(said).get("user")
        found = {**said, "do": _text(said.get("do"), 20), "origin": origin(said.get("origin"))}
        found["sight"] = _text(said.get("sight"), 100)
        found["user"] = None if user is None else _text(user, 200)
        for name in ("after", "upto"):
            if name in said:
                found[name] = place(said[name])
        return found
    except Misshapen as fault:
        raise InvalidInput(
            f"that was no request of an exchange ({fault}): is the other cogmem of this version?"
        ) from None


def batch(said: Any) -> tuple[list[Act], list[dict[str, Any]], dict[str, int]]:
    """Return the acts and receipts that fit, and what is wrong with the others."""
    faults: dict[str, int] = {}
    found: dict[str, list[Any]] = {"acts": [], "receipts": []}
    for name, check in (("acts", act), ("receipts", receipt)):
        rows = said.get(name) if isinstance(said, dict) else None
        if not isinstance(rows, list):
            faults[f"its {name} are no list"] = 1
            continue
        for row in rows:
            try:
                check(row)
                found[name].append(row)
            except Misshapen as fault:
                told = f"{_name_of(row)}: {fault}"
                faults[told] = faults.get(told, 0) + 1
    return found["acts"], found["receipts"], faults


def _name_of(row: Any) -> str:
    """Return what a person may look for it by, if it has a name at all."""
    for name in ("act", "uid"):
        said = row.get(name) if isinstance(row, dict) else None
        if isinstance(said, str) and re.fullmatch(r"(act|mem)_[0-9a-f]{1,40}", said):
            return said
    return "one without a name"


def receipt(row: Any) -> None:
    """That something was forgotten."""
    uid = object_of(row).get("uid")
    if not isinstance(uid, str) or not re.fullmatch(r"(mem|msg)_[0-9a-f]{1,40}", uid):
        raise Misshapen("it names nothing that could be forgotten")
    _text(row.get("actor"), _SHORT)
    _number(row.get("at"), -_MOST, _MOST)
    words = row.get("words")
    if not isinstance(words, list) or len(words) > 1_000:
        raise Misshapen("its words are no list")
    for word in words:
        if not isinstance(word, list) or len(word) != 2:
            raise Misshapen("a word is no length and digest")
        _number(word[0], 3, 10_000)
        _text(word[1], 64)


def act(row: Any) -> None:
    """Demand the shape of what one transaction of another file did."""
    if not isinstance(object_of(row).get("act"), str) or not _ACT.match(row["act"]):
        raise Misshapen("it has no name")
    origin(row.get("origin"))
    _number(row.get("clock"), 0, _MOST >> 1)
    for name in ("verb", "actor", "reason"):
        _text(row.get(name), _LONG if name == "reason" else _SHORT)
    for name in ("run", "undoes"):
        if row.get(name, 0) is not None:
            _text(row.get(name), _SHORT)
    if row.get("at", "") is not None:
        _number(row.get("at"), -_MOST, _MOST)
    subjects = row.get("subjects")
    if not isinstance(subjects, dict) or not subjects:
        raise Misshapen("it is about nothing")
    for subject, changes in subjects.items():
        _changes(subject, changes)


def _changes(subject: str, changes: Any) -> None:
    policy = _POLICY.match(subject)
    if not policy and not _MEMORY.match(subject):
        raise Misshapen("it is about what is no memory and no policy")
    records = {policy[1]} if policy else {"memory", "link", *LAYER_TABLE.values()}
    if not isinstance(changes, list) or not changes or len(changes) > 10_000:
        raise Misshapen("what it did is no list")
    _text(subject, 300)
    for change in changes:
        if not isinstance(change, list) or len(change) != 4:
            raise Misshapen("a change has not its four parts")
        record, action, before, after = change
        if record not in records or action not in ("insert", "update", "delete"):
            raise Misshapen("a change is of no known sort")
        if (before is None) != (action == "insert") or (after is None) != (action == "delete"):
            raise Misshapen("a change lacks what was, or what is")
        for row in (before, after):
            if row is not None:
                _row(record, row, is_whole=action == "insert")
        if action == "update" and not after.keys() <= before.keys():
            raise Misshapen("a change says what is and not what was")
        for row in (before, after):
            name = row.get("uid") if record == "memory" and row else None
            if name is not None and name != subject:
                raise Misshapen("a memory is called otherwise than itself")


def _row(record: str, row: Any, *, is_whole: bool) -> None:
    object_of(row, "a row is no object")
    if record == "link":
        if not isinstance(row.get("to"), str | None):
            raise Misshapen("a tie leads nowhere")
        _text(row.get("relation"), _SHORT)
        _number(row.get("created_at"), -_MOST, _MOST)
        return
    columns = pristine().tables[record]
    left_out = {_KEPT_OUT.get(record)}
    if is_whole and columns.keys() - left_out - row.keys():
        raise Misshapen(f"a row of {record} is not whole")
    for name, value in row.items():
        column = columns.get(name)
        if column is None or name in left_out:
            raise Misshapen(f"{record} has no such column")
        if value is None:
            if not column.is_nullable:
                raise Misshapen(f"{record}.{name} is missing")
        elif name == "superseded_by":
            if not _MEMORY.match(_text(value, 40)):
                raise Misshapen("a fact is superseded by no memory")
        elif column.type == "TEXT":
            _text(value, _LONG)
            if name in _OF_JSON and record in ("memory", "episode", "procedure"):
                _shallow(value)
        elif column.type == "INTEGER":
            _number(value, 0 if name.endswith("_count") else -_MOST, _MOST)
        elif (
            not isinstance(value, int | float)
            or value.__class__ is bool
            or not -_MOST <= value <= _MOST  # also what is not finite
        ):
            raise Misshapen(f"{record}.{name} is no number")
    names = tuple(sorted(row.keys() & _rules(record).keys()))
    if names:
        try:
            (kept,) = _probe().ask(_asked(record, names), {name: row[name] for name in names})
        except DatabaseProblem:  # JSON that SQLite cannot read
            raise Misshapen(f"a row of {record} cannot be read") from None
        for name, is_kept in zip(names, kept, strict=True):
            if is_kept == 0:
                raise Misshapen(f"{record}.{name} breaks a rule of the schema")


@cache
def _rules(record: str) -> dict[str, str]:
    """Return what a table demands of one column alone, by the column: also of rows that cannot be stored yet."""
    found: dict[str, str] = {}
    text = pristine().objects["table", record]
    for constraint in re.finditer(r"\bcheck\s*\(", text):
        depth, end = 1, constraint.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        rule = text[constraint.end() : end - 1]
        parts = [rule]
        if len(_columns(record, rule)) > 1 and " or " not in rule:
            parts = re.split(r"\s+and\s+", rule)  # each of them is demanded
        for part in parts:
            if len(columns := _columns(record, part)) == 1:
                (column,) = columns
                found[column] = f"{found[column]} and ({part})" if column in found else f"({part})"
    return found


def _columns(record: str, rule: str) -> set[str]:
    words = set(re.findall(r"\w+", re.sub(r"'[^']*'", "", rule)))
    return words & pristine().tables[record].keys()


@cache
def _asked(record: str, names: tuple[str, ...]) -> str:
    rules = _rules(record)
    given = ", ".join(f':{name} as "{name}"' for name in names)
    return f"select {', '.join(rules[name] for name in names)} from (select {given})"


@cache
def _probe() -> Database:
    from cogmem.file.db import Database

    return Database(":memory:")


def _shallow(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    signs = re.findall(r"[\[\]{}]", _TEXT.sub("", text))
    if max(accumulate(1 if sign in "[{" else -1 for sign in signs), default=0) > DEEPEST:
        raise Misshapen("it is too deep")


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise Misshapen("a text is none")
    if len(value) > most:
        raise Misshapen("a text is too long")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Misshapen("a text cannot be written") from None
    return value


def _number(value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or value.__class__ is bool:
        raise Misshapen("a number is none")
    if not least <= value <= most:
        raise Misshapen("a number is out of bounds")
    return value
