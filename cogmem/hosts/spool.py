"""Events that wait beside the file: while another process holds it, and when a session is over.

A host waits for its hooks. So an event that cannot be written down at once, or whose work takes longer
than its answer, is appended to FILE.spool, one line of JSON in a file that only its owner reads. A
process of its own folds it in: right after a session has ended, else with the next start or answer.
Folding twice does no harm: a transcript is recorded from where the record ends, and a turn has its
name. Who is killed while folding leaves its portion behind, and the next one takes it over.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

from cogmem.hosts.host import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LIMIT = 16 << 20  # bytes; what comes then is not kept, and the log says so
DEEPEST = 50  # levels of an argument within another; what lies deeper is no call of a tool
# What folding needs of an event; the rest of what a host tells is not written down.
KEPT = (
    "session_id",
    "conversation_id",
    "cwd",
    "workspace_roots",
    "prompt",
    "transcript_path",
    "agent_id",
    "agent_type",
    "agent_transcript_path",
    "source",
    "trigger",
    "turn_id",
    "prompt_response",
    "last_assistant_message",
    "text",
    "calls",
    "reason",
)


def path_of(place: str) -> str:
    """Where the events of a file wait."""
    return f"{os.path.abspath(place)}.spool"


def keep(place: str, event: Event, with_documents: bool) -> None:
    """Let an event wait: a whole line, on the disk's side of this process when this returns."""
    fields = {name: _clean(event.fields[name]) for name in KEPT if name in event.fields}
    if event.kind == "prompt":  # its row in the ledger is written once, however often it is folded
        fields.setdefault("turn_id", event.turn or f"turn_{os.urandom(8).hex()}")
    row = {
        "kind": event.kind,
        "host": event.host.name,
        "at": time.time_ns() // 1_000_000,
        "documents": with_documents,
        "fields": fields,
    }
    line = json.dumps(row).encode() + b"\n"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path_of(place), flags, 0o600)
    try:
        if os.fstat(handle).st_size + len(line) > LIMIT:
            raise OSError(
                "too many events wait beside the file: `cogmem doctor` tells who holds it"
            )
        os.write(handle, line)
    finally:
        os.close(handle)


def _clean(said: Any, depth: int = 0) -> Any:
    """What an event says without its secrets: the guard that reads what is recorded has not read it yet."""
    from cogmem.guard.glance import may_name, may_tell

    if isinstance(said, str) and (may_tell(said) or may_name(said)):
        from cogmem.guard import guard

        return guard.apply(said, guard.POLICIES["record"]).text
    if isinstance(said, (dict, list)) and depth > DEEPEST:
        return None
    if isinstance(said, dict):
        return {_clean(name): _clean(value, depth + 1) for name, value in said.items()}
    if isinstance(said, list):
        return [_clean(value, depth + 1) for value in said]
    return said


def waiting(place: str) -> list[str]:
    """The files of events that nobody folds at the moment."""
    path = path_of(place)
    folder, base = os.path.split(path)
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name == base:
            found.append(path)
        elif name.startswith(f"{base}.") and not _is_alive(name.rpartition(".")[2]):
            found.append(os.path.join(folder, name))
    return found


def _is_alive(number: str) -> bool:
    """Whether the process that took a portion is still there."""
    if not number.isdigit():
        return True  # no portion of ours
    if int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def fold(place: str, write: Callable[[Event, bool], bool]) -> int:
    """Write down what waits, oldest first; `write` says False when the file is not free. Returns how many."""
    count = 0
    for path in waiting(place):
        own = f"{path_of(place)}.{os.getpid()}"
        try:
            os.replace(path, own)
        except FileNotFoundError:  # another process took it
            continue
        rows = list(_read(own))
        for number, (_, event, with_documents) in enumerate(rows):
            if event is not None and not write(event, with_documents):
                _put_back(place, [line for line, _, _ in rows[number:]])
                break
            count += 1
        os.unlink(own)
    return count


def _read(path: str) -> Iterator[tuple[bytes, Event | None, bool]]:
    with open(path, "rb") as file:
        for line in file:
            try:
                row = json.loads(line)
                event = Event(row["kind"], row["host"], row["fields"])
                event.at = int(row["at"])
            except (ValueError, KeyError, TypeError, AttributeError):
                yield line, None, False  # half a line of a full disk
                continue
            yield line, event, bool(row.get("documents"))


def _put_back(place: str, lines: list[bytes]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path_of(place), flags, 0o600)
    try:
        data = b"".join(lines)
        while data:
            data = data[os.write(handle, data) :]
    finally:
        os.close(handle)
