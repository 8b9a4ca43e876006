"""What a file may hold after a crash, told by journals; whatever else it holds is a fault.

A thing (one memory, one conversation, one turn …) has a value. A line of a journal announces which
values a deed gives (`?`), or says that it is done (`!`). What is announced and not done may have
happened or not, but only as a whole. What is done must be there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    import cogmem

Value = Any  # None: not there; a list [version, state] of a memory; a number of a conversation …
ANY = "*"  # in a value: whatever it is

TOKEN = re.compile(r"\bzq\w+")
VERSION = re.compile(r"\btake (\d+)")
STORK = "Everyone at the lake saw the same stork"


def is_like(value: Value, wanted: Value) -> bool:
    """Whether a value is the wanted one, ANY standing for whatever it is."""
    if isinstance(value, list) and isinstance(wanted, list) and len(value) == len(wanted):
        return all(is_like(one, other) for one, other in zip(value, wanted, strict=True))
    return bool(wanted == ANY or value == wanted)


class Expected:
    """The certain values, and what deeds under way may have changed."""

    def __init__(self) -> None:
        self.certain: dict[str, Value] = {}
        self.doubts: list[tuple[str, dict[str, Value]]] = []  # (deed, what it gives), in order
        self.storks = [0, 0]  # at least, at most
        self.acknowledged = 0
        self.complaints: list[str] = []  # what processes themselves found wrong
        self.in_flight: dict[str, int] = {}  # deeds that were under way when their process ended

    def read(self, lines: Iterable[str]) -> None:
        """Take in the journal of one process, from its start to its end."""
        open_deed: tuple[str, dict[str, Value]] | None = None
        for line in lines:
            if not line.endswith("\n"):
                break  # the process died while it wrote this line
            mark, deed, values = json.loads(line)
            if mark == "?":
                open_deed = (deed, values)
                self.storks[1] += values.get("storks", 0)
                continue
            open_deed = None
            if mark == "x":
                self.complaints.append(f"{deed}: {values}")
                continue
            self.acknowledged += 1
            self.storks[0] += values.pop("storks", 0)
            for thing, value in values.items():
                if isinstance(value, dict):  # not certain yet: one of several
                    self.doubts.append((deed, {thing: value["one"]}))
                    continue
                self.certain[thing] = value
        if open_deed is not None:
            deed, values = open_deed
            self.in_flight[deed] = self.in_flight.get(deed, 0) + 1
            values.pop("storks", None)
            if values:
                self.doubts.append((deed, values))

    def compare(self, found: dict[str, Value], storks: int) -> list[str]:
        """Faults in sentences; afterwards what was found is what is certain."""
        faults = list(self.complaints)
        self.complaints.clear()
        doubtful: dict[str, list[Value]] = {}
        for deed, values in self.doubts:
            done = [is_like(found.get(thing), value) for thing, value in values.items()]
            before = [is_like(found.get(thing), self.certain.get(thing)) for thing in values]
            if not all(done) and not all(before):
                faults.append(f"{deed} was half done: {sum(done)} of {len(done)} parts")
            for thing, value in values.items():
                doubtful.setdefault(thing, []).append(value)
        for thing in self.certain.keys() | doubtful.keys() | found.keys():
            allowed = [self.certain.get(thing), *doubtful.get(thing, ())]
            if not any(is_like(found.get(thing), value) for value in allowed):
                faults.append(f"{thing} is {found.get(thing)!r}, not {allowed}")
        if not self.storks[0] <= storks <= self.storks[1]:
            faults.append(f"the stork was seen {storks} times, not {self.storks}")
        self.certain = {thing: value for thing, value in found.items() if value is not None}
        self.storks = [storks, storks]
        self.doubts = []
        return faults


def observe(mem: cogmem.Memory) -> tuple[dict[str, Value], int]:
    """What a memory holds, in the words of the journals."""
    ask = mem.db.ask
    found: dict[str, Value] = {}
    storks = 0
    rows = ask(
        "select m.content, m.state, m.kind, m.reinforcement_count, p.success_count, m.key"
        " from memory m left join procedure p on p.memory_id = m.id order by m.id"
    )
    for content, state, kind, count, successes, key in rows:
        token, version = TOKEN.search(content), VERSION.search(content)
        if content == STORK:
            storks += count
        elif kind == "session_summary" or token is None:
            continue
        elif successes is not None:
            found[f"procedure {key}"] = [version and int(version[1]), successes]
        else:
            name = f"memory {token[0]}"
            if name in found:
                found[name] = ["twice", state]
            else:
                found[name] = [int(version[1]) if version else 0, state]
    for conversation, name in ask("select id, name from conversation order by id"):
        texts = ask(
            "select text, seq from message where conversation_id = :id and is_current = 1 order by seq",
            {"id": conversation},
        )
        right = [(f"{name} line {n}", n) for n in range(len(texts))]
        found[f"talk {name}"] = len(texts) if texts == right else "torn"
    for (name,) in ask("select turn from activation"):
        found[f"turn {name}"] = True
    for name, pinned in ask("select name, pinned from session where pinned <> ''"):
        found[f"pin {name}"] = pinned
    return found, storks
