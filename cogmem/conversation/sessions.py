"""Sessions: what one keeps while it lasts, and what remains when it is over: `mem.sessions`."""

from __future__ import annotations

from cogmem.conversation import episodes
from cogmem.conversation.episodes import SessionTold as SessionTold
from cogmem.conversation.notes import Notes, checked_session
from cogmem.errors import CogmemError, InvalidInput
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned
    from cogmem.space import Instant, Space


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
        return Notes(self.space.db, self.space.scope, name, self.space.actor, capacity=capacity)

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
            [("store.end_session", {**owner, "now": at})],
            verb="end session",
            actor=self.space.actor,
            at=at,
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
        return episodes.ranked(
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
