"""The conversations of a memory: `mem.conversations` lists them and looks into them."""

from __future__ import annotations

from cogmem.conversation.conversation import Conversation, current
from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.records import Record, most_rows
from cogmem.space import Area

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from typing import Any, Unpack

    from cogmem.conversation.background import Background
    from cogmem.conversation.context import ContextWindow
    from cogmem.conversation.policy import SummaryPolicy
    from cogmem.ports import Model
    from cogmem.scope import Hearer
    from cogmem.space import Space
    from cogmem.tokens.provider import ProviderCounter


class ConversationBrief(Record):
    """A conversation in short. `last_at` is when its last message was said; None: nothing was yet."""

    name: str
    title: str
    runtime: str
    user: str
    project: str
    messages: int
    created_at: datetime
    last_at: datetime | None


class RecordedMessage(Record):
    """One message of the record, with the conversation that it stands in."""

    uid: str
    conversation: str
    seq: int
    role: str
    speaker: str
    text: str
    at: datetime


class Conversations(Area):
    """All that the viewer may read; `mem.conversation(name)` is one of them."""

    def __init__(self, space: Space, capped: Callable[..., Model | None]) -> None:
        super().__init__(space)
        self._capped = capped

    def list(self, *, limit: int = 50, everywhere: bool = False) -> list[ConversationBrief]:
        """Return the conversations that this viewer may read, the latest first.

        >>> [(talk.name, talk.messages) for talk in mem.conversations.list()]
        [('talk', 2)]
        """
        hearer = self.space.scope.replacing(everywhere=everywhere).hearer()
        rows = self.space.db.rows("conversation.list", {**hearer, "limit": most_rows(limit)})
        return [ConversationBrief(**row) for row in rows]

    def window(
        self,
        name: str | None,
        model: str,
        *,
        strategy: str = "default",
        summariser: Model | None = None,
        provider: ProviderCounter | None = None,
        background: Background | None = None,
    ) -> ContextWindow:
        """Return a conversation kept within what a model reads.

        name: the conversation; default: the one of this thread or task
        model: the name of the model that reads it
        strategy: how it is kept small: default, or another that `cogmem.conversation.shrink` has
        summariser: what summarises; default: the memory's model, or rules without one
        provider: counts tokens as the model's provider does
        background: where summaries are made; default: in the call

        >>> mem.conversations.window("talk", "gpt-4o").usage().percent_used < 1
        True
        """
        from cogmem.conversation.context import ContextWindow

        if summariser is not None:
            summariser = self._capped("summarise", model=summariser)
        talk = self.open(name)
        given: dict[str, Any] = {"summariser": summariser, "provider": provider}
        given["background"] = background
        return ContextWindow(talk, model, strategy=strategy, **given)

    # -- for other stages --------------------------------------------------------------------------

    def open(
        self,
        name: str | None,
        policy: SummaryPolicy | Mapping[str, Any] | None = None,
        **owner: Unpack[Hearer],
    ) -> Conversation:
        """Return the record of one conversation, which the memory's model summarises: `mem.conversation`."""
        name = current.get() if name is None else name
        if name is None:
            raise InvalidInput(
                "no conversation is named: pass its name, or set cogmem.conversation.conversation.current"
            )
        scope = self.space.scope.owned(**owner)
        talk = Conversation(self.space.store, name, scope, self.space.instant, policy=policy)
        talk.model = self._capped("summarise")
        return talk

    def message(self, number: int, **owner: Unpack[Hearer]) -> RecordedMessage:
        """Return one recorded message whole, by the number in its name (msg_NUMBER)."""
        asked = {**self.space.scope.owned(**owner).hearer(), "id": number}
        rows = self.space.db.rows("conversation.message", asked)
        if not rows:
            raise UnknownMemory(f"no message is called 'msg_{number}' in this scope")
        return RecordedMessage(**rows[0])

    def of_summary(self, uid: str) -> Conversation:
        """Return the conversation that a summary tells of."""
        asked = {**self.space.scope.hearer(), "uid": uid}
        rows = self.space.db.rows("conversation.of_summary", asked)
        if not rows:
            raise UnknownMemory(f"no summary is called {uid!r} in this scope")
        return self.open(**rows[0])
