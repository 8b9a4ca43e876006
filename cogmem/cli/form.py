"""A memory as a text that a person can change, and what the changed text says.

A head of `name: value` lines between two `---`, then the content. A value that could be misread stands
between quotation marks, as in JSON. What is not a line of the form is told with its number.
"""

from __future__ import annotations

import json
from typing import Any

from cogmem.cli import show
from cogmem.errors import InvalidInput
from cogmem.records import PRIORITY_NAMES, Remembered, iso, milliseconds

FENCE = "---"
# What may be changed of each layer beside what all memories share; `update` takes them by these names.
SHARED = ("kind", "key", "tags", "priority", "path")
OWN = {
    "semantic": ("topic", "valid_from", "valid_to", "confidence"),
    "episodic": ("outcome", "happened_at"),
    "procedural": ("context", "steps"),
}
_INSTANTS = ("valid_from", "valid_to", "happened_at")
_LISTS = ("tags", "steps")


def text_of(row: Remembered, values: dict[str, Any] | None = None) -> str:
    """Return a memory as a text that a person can change, saying other values than its own if there are."""
    values = values or fields(row)
    scope = [
        f"{name} {getattr(row, name)}"
        for name in ("user", "project", "session", "runtime")
        if getattr(row, name)
    ]
    head = [
        f"# {row.uid}, {row.layer}, {row.state}; {', '.join(scope) or 'for everyone'}",
        f"# learned {show.when(row.created_at)} ({row.source}), strength {row.strength:.3g}",
        "# Lines that begin with # are not read. The content stands below the second ---.",
    ]
    for name in (*SHARED, *OWN[row.layer]):
        value = values[name]
        if name == "steps":
            head += ["steps:", *(f"  - {_scalar(step)}" for step in value)]
        else:
            said = ", ".join(map(_scalar, value)) if isinstance(value, list) else _scalar(value)
            head.append(f"{name}: {said}".rstrip())
    return "\n".join([FENCE, *head, FENCE, values["content"]]) + "\n"


def fields(row: Remembered) -> dict[str, Any]:
    """Return what the form of a memory holds, as text and lists of texts."""
    values: dict[str, Any] = {
        "kind": row.kind,
        "key": row.key,
        "tags": list(row.tags),
        "path": row.path_glob,
        "priority": PRIORITY_NAMES[row.priority],
        "content": row.content.strip("\n"),
    }
    for name in OWN[row.layer]:
        value = row.detail.get(name)
        if name in _INSTANTS:
            value = iso(value)
        values[name] = list(value or []) if name == "steps" else "" if value is None else str(value)
    return values


def read(text: str, layer: str) -> dict[str, Any]:
    """Return what a changed form says; what cannot be read is told with its line."""
    if any("\udc80" <= mark <= "\udcff" for mark in text):
        raise InvalidInput("the file is not UTF-8 text: save it as UTF-8")
    lines = text.replace("\r\n", "\n").split("\n")
    start = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[start].strip() != FENCE:
        raise InvalidInput(f"the first line must be {FENCE}, before kind, key and the others")
    known = (*SHARED, *OWN[layer])
    values: dict[str, Any] = {}
    open_list = ""
    for number in range(start + 1, len(lines)):
        line = lines[number]
        bare = line.strip()
        if bare == FENCE:
            missing = [name for name in known if name not in values]
            if missing:
                raise InvalidInput(
                    f"{', '.join(missing)} is missing: leave it empty after its colon"
                )
            content = "\n".join(lines[number + 1 :]).strip("\n")
            if not content.strip():
                raise InvalidInput("the content is empty: `cogmem remove` takes a memory away")
            return {name: values[name] for name in known} | {"content": content}
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("- ") and open_list:
            values[open_list].append(_unquoted(bare[2:].strip(), number))
            continue
        name, colon, value = bare.partition(":")
        name = name.strip()
        if not colon or name not in known:
            raise InvalidInput(f"line {number + 1} says {bare[:40]!r}: use {', '.join(known)}")
        if name in values:
            raise InvalidInput(f"line {number + 1} says {name} a second time")
        value = value.strip()
        open_list = name if name in _LISTS and not value else ""
        if name in _LISTS:
            values[name] = [_unquoted(one, number) for one in _split(value)]
        else:
            values[name] = _unquoted(value, number)
    raise InvalidInput(f"the second {FENCE} is missing, below which the content stands")


def changes(old: dict[str, Any], new: dict[str, Any], layer: str) -> dict[str, Any]:
    """Return the arguments of `update` that turn the one form into the other."""
    differ = [name for name, value in new.items() if value != old[name]]
    asked: dict[str, Any] = {name: new[name] for name in differ if name not in OWN[layer]}
    if "content" in asked:
        asked["tags"] = new["tags"]  # as the person saw and left them
    detail = {name: _typed(name, new[name]) for name in differ if name in OWN[layer]}
    return {**asked, "detail": detail} if detail else asked


def _typed(name: str, value: Any) -> Any:
    if name in _INSTANTS:
        if not value:
            if name == "happened_at":
                raise InvalidInput("happened_at cannot be empty: an episode has its instant")
            return None
        return milliseconds(value, name)
    if name == "confidence":
        try:
            return float(value)
        except ValueError:
            raise InvalidInput(f"confidence: {value!r} is not a number from 0 to 1") from None
    return value


def _scalar(value: str) -> str:
    """Return a value on one line; one that could be misread goes between quotation marks."""
    plain = value == value.strip() and value.isprintable() and value[:1] not in ('"', "#", "-")
    return value if plain and "," not in value else json.dumps(value, ensure_ascii=False)


def _unquoted(value: str, number: int) -> str:
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        raise InvalidInput(f'line {number + 1}: a quoted value must end with " again') from None


def _split(value: str) -> list[str]:
    """Return the parts between commas, but for commas within quotation marks."""
    parts, part, quoted, escaped = [], "", False, False
    for mark in value:
        if mark == "," and not quoted:
            parts.append(part)
            part = ""
            continue
        quoted ^= mark == '"' and not escaped
        escaped = mark == "\\" and not escaped
        part += mark
    return [one.strip() for one in [*parts, part] if one.strip()]
