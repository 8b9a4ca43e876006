"""Sessions: what one keeps while it lasts, what remains of it, and how it is found again: `mem.sessions`."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from cogmem.errors import CogmemError, GuardRefused, InvalidInput
from cogmem.guard import guard
from cogmem.language.similarity import exact_cosine
from cogmem.models.prompts import prompt
from cogmem.ports import asked
from cogmem.records import Record, most_rows, one_of
from cogmem.space import Area
from cogmem.text.cell import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.file.db import Database, Step
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned
    from cogmem.scope import Scope
    from cogmem.space import Instant, Space

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
        self, db: Database, scope: Scope, session: str, *, capacity: int = CAPACITY
    ) -> None:
        self.db = db
        self.capacity = max(0, capacity)
        self.place = {**scope.place(), "name": checked_session(session)}

    def say(self, role: str, text: str, at: int) -> None:
        """Keep one line of what was said; secrets in it are redacted."""
        if not self.capacity:
            return
        clean = guard.apply(text.replace("\0", "\ufffd"), guard.POLICIES["record"]).text
        line = buffer_line(role, clean, at)
        self._write(("notes.add_line", {**self.place, "line": line, "capacity": self.capacity}), at)

    def lines(self) -> list[str]:
        """Return the lines kept, the oldest first."""
        row = self._row()
        return [*map(str, listed(row[0]))][-self.capacity :] if row and self.capacity else []

    def restore(self, lines: Iterable[str], at: int) -> None:
        """These lines instead, the newest of them."""
        kept, policy = (
            list(lines)[-self.capacity :] if self.capacity else [],
            guard.POLICIES["record"],
        )
        clean = [guard.apply(line, policy).text.translate(_BREAKS) for line in kept]
        buffer = json.dumps(clean, ensure_ascii=False)
        self._write(("notes.set_buffer", {**self.place, "buffer": buffer}), at)

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
        steps = [("turn.open_session", {**self.place, "now": at}), step]
        self.db.write(steps, verb="note", at=at)


RANKERS = ("recency", "similar", "model")


class SessionTold(Record):
    """What is told of a session: its name, its lines or its narrative, how many turns it had, how it ended."""

    session: str
    uid: str
    summary: str
    turns: int
    outcome: str
    happened_at: datetime


def ranked(
    sessions: Sequence[SessionTold],
    query: str,
    limit: int = 5,
    *,
    ranker: str = "recency",
    model: Model | None = None,
    settings: Mapping[str, str] | None = None,
) -> list[SessionTold]:
    """Past sessions, the latest first, for a query, the best first; 0: all of them."""
    one_of("ranker", ranker, RANKERS)
    found = list(sessions)
    if found and query.strip() and ranker == "similar":
        # Counted, not projected: the noise of a projection would let a stranger in.
        scores = {id(one): exact_cosine(query, one.summary) for one in found}
        found = [one for one in found if scores[id(one)] > 0]
        found.sort(key=lambda one: -scores[id(one)])
    elif found and query.strip() and ranker == "model" and model is not None:
        found = _ranked_by_model(found, query, model, settings)
    return found if most_rows(limit) < 0 else found[:limit]


def _ranked_by_model(
    found: list[SessionTold], query: str, model: Model, settings: Mapping[str, str] | None
) -> list[SessionTold]:
    listed = "\n".join(
        f"{number}. {' '.join(one.summary.split())[:200]}" for number, one in enumerate(found)
    )
    question = f"Sessions:\n{listed}\n\nQuery: {query}"
    said = asked(model, question, system=prompt("rank", settings), max_tokens=100)
    if said is None:  # the order of time needs nobody
        return found
    if said.strip().strip(".").lower() == "none":
        return []
    numbers = dict.fromkeys(int(digits) for digits in re.findall(r"\d{1,6}", said))
    chosen = [found[number] for number in numbers if number < len(found)]
    return chosen or found


def context_block(sessions: Sequence[SessionTold], query: str, limit: int = 3) -> str:
    """Return the sessions that resemble a query, as a block of a prompt; no model is asked."""
    rows = []
    for one in ranked(sessions, query, limit, ranker="similar"):
        turns = f" ({one.turns} turns)" if one.turns else ""
        rows.append(f"- [{one.session}]{turns}: {' '.join(one.summary.split())}\n")
    return "## Relevant past sessions\n" + "".join(rows) if rows else ""


class Sessions(Area):
    """Notes, the end of sessions, and what they left."""

    def __init__(
        self,
        space: Space,
        learn: Callable[..., Learned],
        capped: Callable[..., Model | None],
        conversation: Callable[..., Conversation],
    ) -> None:
        super().__init__(space)
        self._learn = learn
        self._capped = capped
        self._conversation = conversation

    def notes(self, session: str | None = None, *, capacity: int = 20) -> Notes:
        """Return what a session keeps beside its talk: the buffer of its last lines, and one pinned text.

        session: which one; default: the one the memory was opened with
        capacity: how many lines it keeps

        >>> mem.sessions.notes("s1").lines()
        []
        """
        name = self.space.scope.session if session is None else session
        return Notes(self.space.db, self.space.scope, name, capacity=capacity)

    def end(self, session: str | None = None, *, now: Instant = None) -> list[str]:
        """Let the notes of a session go; returns their uids.

        session: which one; default: the one the memory was opened with

        >>> mem.sessions.end("s1")
        []
        """
        at = self.space.instant(now)
        owner = self.space.scope.replacing(session=session).owner()
        if not owner["session"]:
            raise InvalidInput("no session is named: pass session=…")
        written = self.space.db.write(
            [("store.end_session", {**owner, "now": at})], verb="end session", at=at
        )
        return [row[0] for row in written.rows[0]]

    def conclude(
        self,
        session: str,
        *,
        messages: Sequence[Mapping[str, Any]] | None = None,
        now: Instant = None,
    ) -> list[Learned]:
        """Let a session that is over leave the lines that are worth saying in another one; none, if there is none.

        Each is a memory of its own: what was agreed or dropped, a cause that was found, a correction, what was done,
        what is open. The notes of a model, where one is turned on, take their place later (`mem.notes`).

        session: its name
        messages: role, and content or parts, of each; default: the conversation of the same name

        >>> talk = mem.conversation("monday")
        >>> talk.append("user", "We don't want a second config file, put it into settings.toml instead.")
        0
        >>> [one.outcome for one in mem.sessions.conclude("monday")]
        ['inserted']
        """
        from cogmem.conversation import last_lines
        from cogmem.conversation.parts import message_of

        def learn(draft: Draft, at: int) -> Learned:
            return self._learn(draft, at, "line")

        try:
            checked_session(session)
            at = self.space.instant(now)
            if messages is None:
                return last_lines.leave(self._conversation(session), learn, now=at)
            shapes = [message_of(one) for one in messages]
            place = self.space.scope.replacing(session="")
            drafts = [
                last_lines.draft_of(one, session, place, at) for one in last_lines.lines_of(shapes)
            ]
            return [learned for draft in drafts if (learned := learn(draft, at)).uid]
        except CogmemError:  # the end of a session must not fail through what it leaves
            return []

    def find(
        self,
        query: str = "",
        *,
        limit: int = 5,
        ranker: str = "recency",
        model: Model | None = None,
    ) -> list[SessionTold]:
        """Past sessions that left something; ranked by recency, "similar" words or a "model".

        query: what the session was about
        ranker: recency, similar or model
        model: what ranks; default: the memory's model

        >>> mem.sessions.find("deploy")
        []
        """
        by_session: dict[str, dict[str, Any]] = {}
        for row in self.space.db.rows("conversation.told_of_sessions", self.space.scope.viewer()):
            newest = by_session.setdefault(row["session"], row)
            if newest is not row:
                newest["summary"] = f"{row['summary']} {newest['summary']}"
        return ranked(
            [SessionTold(**row) for row in by_session.values()],
            query,
            limit,
            ranker=ranker,
            model=self._capped("rank", model=model) if ranker == "model" else None,
            settings=self.space.store.settings(),
        )

    # -- for other stages --------------------------------------------------------------------------

    def told(self, session: str) -> list[SessionTold]:
        """Return what is told of a session by its name, the latest first."""
        asked = {**self.space.scope.viewer(), "name": checked_session(session)}
        rows = self.space.db.rows("conversation.told_of_session", asked)
        return [SessionTold(**row) for row in rows]
