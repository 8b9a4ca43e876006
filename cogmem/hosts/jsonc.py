"""JSON as people keep it in settings, with comments and commas before the end: read, and changed in place.

A change touches the members that are another value now, and no byte beside: order, comments
and layout are a person's.
"""

from __future__ import annotations

import json
from typing import Any

Cut = tuple[int, int, str]  # from, to, and what stands there now

BLANK = " \t\r\n\ufeff"
UNIT = "  "


def read(text: str) -> Any:
    """Return the value of a text; ValueError where it is no JSON of that kind."""
    return _whole(text).value


def changed(text: str, value: Any) -> str:
    """Return the text with another value: what is the same in both stays as it is written."""
    cuts: list[Cut] = []
    _compare(text, _whole(text), value, cuts)
    for start, end, said in sorted(cuts, reverse=True):
        text = text[:start] + said + text[end:]
    if not _same(read(text), value):
        raise ValueError("a name stands in it twice")
    return text


class _Node:
    """A value and where it stands; of a list or an object, each member too."""

    def __init__(self, value: Any, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.members: list[_Member] = []


class _Member:
    """One member: its name ('' in a list), where it begins, its value, and the place of the comma behind it."""

    def __init__(self, name: str, start: int, node: _Node, comma: int) -> None:
        self.name = name
        self.start = start
        self.node = node
        self.comma = comma  # -1: there is none


# -- reading -------------------------------------------------------------------------------------


def _whole(text: str) -> _Node:
    try:
        node = _node(text, _past(text, 0))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if _past(text, node.end) != len(text):
        raise ValueError("something follows the JSON")
    return node


def _past(text: str, at: int) -> int:
    """Return the place after blanks and comments."""
    while True:
        while at < len(text) and text[at] in BLANK:
            at += 1
        if text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise ValueError("a comment does not end")
            at = end + 2
        else:
            return at


def _node(text: str, at: int) -> _Node:
    sign = text[at : at + 1]
    if sign not in ("{", "["):
        value, end = json.JSONDecoder().raw_decode(text, at)
        return _Node(value, at, end)
    closing = "}" if sign == "{" else "]"
    node = _Node({} if sign == "{" else [], at, at)
    at = _past(text, at + 1)
    while text[at : at + 1] != closing:
        if node.members and node.members[-1].comma < 0:
            raise ValueError(f"a comma is missing at character {at}")
        start, name = at, ""
        if sign == "{":
            if text[at : at + 1] != '"':
                raise ValueError(f"a name is missing at character {at}")
            name, at = json.JSONDecoder().raw_decode(text, at)
            at = _past(text, at)
            if text[at : at + 1] != ":":
                raise ValueError(f"a colon is missing at character {at}")
            at = _past(text, at + 1)
        held = _node(text, at)
        at = _past(text, held.end)
        comma = at if text[at : at + 1] == "," else -1
        node.members.append(_Member(name, start, held, comma))
        at = at if comma < 0 else _past(text, comma + 1)
        if sign == "{":
            node.value[name] = held.value
        else:
            node.value.append(held.value)
    node.end = at + 1
    return node


# -- changing ------------------------------------------------------------------------------------


def _same(one: Any, other: Any) -> bool:
    first, second = (json.dumps(value, sort_keys=True) for value in (one, other))
    return first == second  # 1 is not true


def _compare(text: str, node: _Node, value: Any, cuts: list[Cut]) -> None:
    if _same(node.value, value):
        return
    if isinstance(node.value, dict) and isinstance(value, dict):
        held = {member.name: member for member in node.members}
        gone = [member for name, member in held.items() if name not in value]
        new = [(name, one) for name, one in value.items() if name not in held]
        for name, member in held.items():
            if name in value:
                _compare(text, member.node, value[name], cuts)
        _exchange(text, node, gone, new, cuts)
    elif isinstance(node.value, list) and isinstance(value, list):
        alike = 0
        while alike < min(len(value), len(node.value)) and _same(node.value[alike], value[alike]):
            alike += 1
        rest = len(node.value) - alike
        tail = 0
        while tail < min(rest, len(value) - alike) and _same(
            node.value[-1 - tail], value[-1 - tail]
        ):
            tail += 1
        if tail and rest != len(value) - alike:  # new ones come last: what follows is written anew
            tail = 0 if len(value) - alike > tail else tail
        gone = node.members[alike : len(node.members) - tail]
        new = [("", one) for one in value[alike : len(value) - tail]]
        if len(gone) == len(new):
            for member, (_, one) in zip(gone, new, strict=True):
                _compare(text, member.node, one, cuts)
        else:
            _exchange(text, node, gone, new, cuts)
    else:
        cuts.append((node.start, node.end, _written(value, _indent(text, node.start))))


def _exchange(
    text: str, node: _Node, gone: list[_Member], new: list[tuple[str, Any]], cuts: list[Cut]
) -> None:
    """Take members out, and put new ones behind the last that stays."""
    for member in gone:
        end = max(member.comma + 1, member.node.end)
        is_alone = not text[end : _line_end(text, end)].strip()
        begins = len(text[: member.start].rstrip(" \t"))
        start = member.start if text[begins - 1] == "\n" else begins
        cuts.append((_line_start(text, member.start) if is_alone else start, end, ""))
    stay = [member for member in node.members if member not in gone]
    last = stay[-1] if stay else None
    if last and last.comma >= 0 and not new and last is not node.members[-1]:
        cuts.append((last.comma, last.comma + 1, ""))
    if not new:
        return
    outer = _indent(text, node.start)
    first = node.members[0] if node.members else None
    is_inline = first is not None and "\n" not in text[node.start : first.start]
    inner = _indent(text, first.start) if first and not is_inline else outer + UNIT
    gap = " " if is_inline else f"\n{inner}"
    said = f",{gap}".join(
        f"{json.dumps(name, ensure_ascii=False)}: {_written(one, inner)}" if isinstance(node.value, dict)
        else _written(one, inner)
        for name, one in new
    )  # fmt: skip
    if last:
        at = _same_line(text, max(last.comma + 1, last.node.end))
        comma = "," * (last.comma < 0)
        if is_inline and "//" in text[last.node.end : at]:
            gap = f"\n{outer}{UNIT}"
            said = said.strip()
        if comma and at > last.node.end:
            cuts.append((last.node.end, last.node.end, ","))
            comma = ""
        cuts.append((at, at, f"{comma}{gap}{said}"))
        return
    at = node.end - 1 if is_inline else _line_start(text, node.end - 1)
    cuts.append((at, node.end - 1, f"{gap}{said}{'' if is_inline else f'{chr(10)}{outer}'}"))


def _written(value: Any, indent: str) -> str:
    return json.dumps(value, indent=UNIT, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent(text: str, at: int) -> str:
    """Return the blanks at the head of a place's line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_start(text: str, at: int) -> int:
    """Return the place, or the end of the line before where nothing else stands before it on its own."""
    before = text[:at].rstrip(" \t")
    return (
        len(before.removesuffix("\n").removesuffix("\r")) if before.endswith("\n") else len(before)
    )


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _same_line(text: str, at: int) -> int:
    """Return the place behind a comment on the same line."""
    start = at
    while text[start : start + 1] in (" ", "\t"):
        start += 1
    if text.startswith("//", start):
        return _line_end(text, start)
    return text.index("*/", start) + 2 if text.startswith("/*", start) else at
