"""Sessions: what one keeps while it lasts, and what remains when it is over: `mem.sessions`."""

from __future__ import annotations

from cogmem.conversation import episodes
from cogmem.conversation.notes import Notes, checked_session
from cogmem.errors import CogmemError, InvalidInput, NotRecorded
from cogmem.records import Record
from cogmem.scope import Scope
from cogmem.space import Area
from cogmem.store.policy import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.conversation.conversation import Conversation
    from cogmem.night.tasks import Task
    from cogmem.ports import Model
    from cogmem.records import Draft, Learned, Remembered
    from cogmem.space import Instant, Space


class SessionTold(Record):
    """What is told of a session: its narrative, how many turns it had, how it ended."""

    uid: str
    summary: str
    turns: int
    outcome: str
    happened_at: datetime


class Sessions(Area):
    """Notes, narratives, and the end of sessions."""

    def __init__(
        self,
        space: Space,
        learn: Callable[[Draft, int], Learned],
        capped: Callable[..., Model | None],
        conversation: Callable[..., Conversation],
    ) -> None:
        super().__init__(space)
        self._learn = learn
        self._capped = capped
        self._conversation = conversation

    def notes(self, session: str | None = None, *, capacity: int = 20) -> Notes:
        """What a session keeps beside its talk: the buffer of its last lines, and one pinned text.

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
        now: the instant at which it happens; default: this one

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

    def episode(
        self,
        session: str,
        *,
        turns: int | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        model: Model | None = None,
        min_turns: int | None = None,
        now: Instant = None,
    ) -> Learned | None:
        """Remember a session that is over as one narrative; None: too short, or the guard refused it.

        Without messages it is told from the conversation of the same name.

        session: its name
        turns: how many turns it had; default: the messages of the user
        messages: role, and content or parts, of each; default: the conversation of the same name
        model: what tells it; default: the memory's model, or rules without one
        min_turns: a session of fewer turns is not told; default: the setting episode_turns
        now: the instant at which it happens; default: this one

        >>> mem.sessions.episode("talk", min_turns=1).outcome
        'inserted'
        """
        try:
            if messages is None:
                said = [one.as_message() for one in self._conversation(session).messages()]
            else:
                from cogmem.conversation.parts import message_of

                said = [message_of(one) for one in messages]
            if turns is None:
                turns = sum(1 for message in said if message["role"] == "user")
            at = self.space.instant(now)
            settings = self.space.store.settings()
            draft = episodes.episode_of(
                session,
                turns,
                said,
                self.space.scope,
                now=at,
                model=self._capped("narrate", at=at, model=model),
                settings=settings,
                min_turns=int(number(settings, "episode_turns"))
                if min_turns is None
                else min_turns,
            )
            return None if draft is None else self._learn(draft, at)
        except NotRecorded:
            raise
        except CogmemError:  # the end of a session must not fail through its summary
            return None

    def find(
        self,
        query: str = "",
        *,
        limit: int = 5,
        ranker: str = "recency",
        model: Model | None = None,
        now: Instant = None,
    ) -> list[Remembered]:
        """Narratives of past sessions; ranked by recency, "similar" words or a "model".

        query: what the session was about
        limit: how many at most; 0: all
        ranker: recency, similar or model
        model: what ranks; default: the memory's model
        now: the instant at which it happens; default: this one

        >>> mem.sessions.find("deploy")
        []
        """
        rows = self.space.list(kind="session_summary", state="active", limit=0, now=now)
        if ranker != "model":
            return episodes.ranked(rows, query, limit, ranker=ranker)
        return episodes.ranked(
            rows,
            query,
            limit,
            ranker=ranker,
            model=self._capped("rank", model=model),
            settings=self.space.store.settings(),
        )

    def told(self, session: str) -> list[SessionTold]:
        """What is told of a session by its name, the latest first.

        session: its name

        >>> mem.sessions.told("s1")
        []
        """
        asked = {**self.space.scope.viewer(), "name": checked_session(session)}
        rows = self.space.db.rows("conversation.told_of_session", asked)
        return [SessionTold(**row) for row in rows]

    def retold(self, task: Task, model: Model) -> str:
        """A session of the record in a model's words: what a task of the night asks for.

        task: the task of the night that asks for it
        model: what tells it
        """
        row = self.space.store.get(task.subject, Scope(everywhere=True), self.space.instant(None))
        talk = self._conversation(
            row.detail["session_name"], user=row.user, project=row.project, runtime=row.runtime
        )
        messages = talk.messages(0, task.payload.get("upto"))
        prompt, options = episodes.request(
            [one.as_message() for one in messages], self.space.store.settings()
        )
        told = " ".join(model.complete(prompt, **options).split())
        if not told:
            raise InvalidInput("the model said nothing: it is asked again later")
        return told
