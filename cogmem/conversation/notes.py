"""What a session keeps beside its talk: a buffer of the last lines said, and one pinned text.

Both stand in the session's row, so a session that is continued has them again.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from cogmem.errors import GuardRefused, InvalidInput
from cogmem.guard import guard
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from cogmem.file.db import Database, Step
    from cogmem.scope import Scope

CAPACITY = 20  # lines of a buffer
LINE = 100  # characters of what was said, in a line
PINNED = 64 * 1024  # bytes of a pinned text


def checked_session(name: str) -> str:
    """Return a session's name that can also be a file's: no path, no dots that climb, no NUL."""
    if not isinstance(name, str) or not name.strip() or name == "." or ".." in name:
        raise InvalidInput(f"{name!r} is not a session's name: pass the host's id for it")
    if "/" in name or "\\" in name or "\0" in name:
        raise InvalidInput(
            "a session's name holds no slash, backslash or NUL: pass the host's id for it"
        )
    return name


def short(text: str) -> str:
    """Return what was said, as a line of the buffer shows it."""
    return text if len(text) <= LINE else text[: LINE - 3] + "..."


def buffer_line(role: str, text: str, at: int) -> str:
    """'14:05  user  what was said': UTC, and nothing that would break the line."""
    hour = datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M")
    return f"{hour}  {role}  {short(text).translate(_BREAKS)}"


_BREAKS = {10: " ", 13: " ", 9: " "}


class Notes:
    """The last lines and the pin of one session, in the file."""

    def __init__(
        self, db: Database, scope: Scope, session: str, actor: str, *, capacity: int = CAPACITY
    ) -> None:
        self.db = db
        self.actor = actor
        self.capacity = max(0, capacity)
        owner = scope.owner()
        del owner["session"]
        self.place = {**owner, "name": checked_session(session)}

    def say(self, role: str, text: str, at: int) -> None:
        """Keep one line of what was said; secrets in it are redacted."""
        if not self.capacity:
            return
        clean = guard.apply(text.replace("\0", "\ufffd"), guard.POLICIES["record"]).text
        line = buffer_line(role, clean, at)
        self._write(("notes.add_line", {**self.place, "line": line, "capacity": self.capacity}), at)

    def lines(self) -> list[str]:
        """Return the lines kept, the oldest first."""
        rows = self._row()
        return (
            [str(line) for line in listed(rows[0])][-self.capacity :]
            if rows and self.capacity
            else []
        )

    def restore(self, lines: Iterable[str], at: int) -> None:
        """These lines instead, the newest of them."""
        kept = list(lines)[-self.capacity :] if self.capacity else []
        clean = [
            guard.apply(line, guard.POLICIES["record"]).text.translate(_BREAKS) for line in kept
        ]
        self._write(
            ("notes.set_buffer", {**self.place, "buffer": json.dumps(clean, ensure_ascii=False)}),
            at,
        )

    def clear(self, at: int) -> None:
        """Forget the lines."""
        self.restore((), at)

    def pin(self, text: str, at: int) -> str:
        """Pin one text for the rest of the session; '' or 'clear' takes it away. Returns what is pinned."""
        wanted = guard.normalise(text)
        if wanted.lower() == "clear":
            wanted = ""
        if len(wanted.encode()) > PINNED:
            raise InvalidInput(f"a pinned text has at most {PINNED:,} bytes: pin less of it")
        found = guard.apply(wanted, guard.POLICIES["user_explicit"])
        if found.verdict == "reject":
            raise GuardRefused(guard.explain(found.findings))
        self._write(("notes.pin", {**self.place, "text": found.text}), at)
        return found.text

    @property
    def pinned(self) -> str:
        """The pinned text."""
        row = self._row()
        return str(row[1]) if row else ""

    def _row(self) -> tuple[Any, ...] | None:
        rows = self.db.read("notes.read", self.place)
        return rows[0] if rows else None

    def _write(self, step: Step, at: int) -> None:
        steps = [("notes.open", {**self.place, "now": at}), step]
        self.db.write(steps, verb="note", actor=self.actor, at=at)
