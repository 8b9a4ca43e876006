"""Histories of plain message lists: in memory for tests and short lives, or over the record.

    load(name) -> messages      save(name, messages)      clear(name)      close()

`open_history` gives what a configuration asks for, or the next simpler thing that works: without a
model or a file it is a buffer of the last messages.
"""

from __future__ import annotations

import copy
import time
from collections import OrderedDict

from cogmem.conversation.background import Background
from cogmem.conversation.policy import SummaryPolicy
from cogmem.errors import InvalidInput
from cogmem.strength import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from cogmem.conversation.conversation import Conversation
    from cogmem.ports import Model

    Message = Mapping[str, Any]

    class Talks(Protocol):
        """What gives conversations by name: a Memory."""

        def conversation(
            self,
            name: str | None = None,
            *,
            policy: SummaryPolicy | Mapping[str, Any] | None = None,
            model: Model | None = None,
            background: Background | None = None,
        ) -> Conversation: ...

    class History(Protocol):
        """A list of messages per conversation."""

        def load(self, name: str) -> list[dict[str, Any]]: ...
        def save(self, name: str, messages: Sequence[Message]) -> None: ...
        def clear(self, name: str) -> None: ...
        def close(self) -> None: ...


RECENT = 50


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


class InMemoryStore:
    """Conversations in this process: bounded in number and age; everything handed out is a copy."""

    def __init__(
        self,
        *,
        max_conversations: int = 10_000,
        ttl_ms: int = DAY_MS,
        clock: Callable[[], int] = _now,
    ) -> None:
        self._most = max_conversations if max_conversations > 0 else 10_000
        self._ttl = ttl_ms if ttl_ms > 0 else DAY_MS
        self._clock = clock
        self._lists: OrderedDict[str, tuple[int, list[dict[str, Any]]]] = OrderedDict()
        self._summaries: dict[str, tuple[str, int]] = {}
        self._swept = clock()

    def get(self, name: str) -> list[dict[str, Any]]:
        """All messages of a conversation."""
        self._sweep()
        found = self._lists.get(name)
        if found is None or self._is_old(found[0]):
            self.delete(name)
            return []
        self._lists[name] = (self._clock(), found[1])
        self._lists.move_to_end(name)
        return copy.deepcopy(found[1])

    def save(self, name: str, messages: Sequence[Message]) -> None:
        """These messages instead of what was there."""
        self._sweep()
        self._lists[name] = (self._clock(), [copy.deepcopy(dict(message)) for message in messages])
        self._lists.move_to_end(name)
        while len(self._lists) > self._most:
            oldest, _ = self._lists.popitem(last=False)
            self._summaries.pop(oldest, None)

    def append(self, name: str, messages: Sequence[Message]) -> None:
        """More messages at the end."""
        self.save(name, [*self.get(name), *messages])

    def recent(self, name: str, count: int) -> list[dict[str, Any]]:
        """The last messages."""
        return self.get(name)[-count:] if count > 0 else []

    def range(self, name: str, start: int, end: int) -> list[dict[str, Any]]:
        """Messages from start to end (exclusive), clamped."""
        return self.get(name)[max(0, start) : max(0, end)]

    def delete(self, name: str) -> None:
        """Forget a conversation."""
        self._lists.pop(name, None)
        self._summaries.pop(name, None)

    def summary(self, name: str) -> tuple[str, int] | None:
        """A summary kept for a conversation, and how many messages it tells."""
        return self._summaries.get(name)

    def keep_summary(self, name: str, text: str, messages: int) -> None:
        """Keep a summary beside the messages."""
        self._summaries[name] = (text, messages)

    def close(self) -> None:
        """Forget everything. Closing twice is fine."""
        self._lists.clear()
        self._summaries.clear()

    def __len__(self) -> int:
        self._sweep()
        return len(self._lists)

    def _is_old(self, used: int) -> bool:
        return self._clock() - used >= self._ttl

    def _sweep(self) -> None:
        if self._clock() - self._swept < self._ttl // 2:
            return
        self._swept = self._clock()
        for name in [name for name, (used, _) in self._lists.items() if self._is_old(used)]:
            self.delete(name)


class BufferHistory:
    """The last messages of each conversation, and nothing before them."""

    def __init__(self, store: InMemoryStore, max_messages: int = RECENT) -> None:
        self.store = store
        self.max_messages = max_messages if max_messages > 0 else RECENT

    def load(self, name: str) -> list[dict[str, Any]]:
        return self.store.recent(name, self.max_messages)

    def save(self, name: str, messages: Sequence[Message]) -> None:
        self.store.save(name, messages)

    def clear(self, name: str) -> None:
        self.store.delete(name)

    def close(self) -> None:
        self.store.close()


class LosslessHistory:
    """The record in a memory file: nothing is lost, and what is loaded fits the budget."""

    def __init__(self, talks: Talks, policy: SummaryPolicy, model: Model | None) -> None:
        self._talks = talks
        self._policy = policy
        self._model = model
        self.background = Background()

    def talk(self, name: str) -> Conversation:
        """The conversation itself."""
        return self._talks.conversation(
            name, policy=self._policy, model=self._model, background=self.background
        )

    def load(self, name: str) -> list[dict[str, Any]]:
        return self.talk(name).window().messages

    def save(self, name: str, messages: Sequence[Message]) -> None:
        self.talk(name).save(messages)

    def clear(self, name: str) -> None:
        self.talk(name).clear(reason="the host cleared it")

    def close(self) -> None:
        """Wait for summaries under way."""
        self.background.close()


class RecallingHistory:
    """Another history, with what the memory recalls for the newest questions put in front."""

    def __init__(self, inner: History, recall: Callable[[str], str]) -> None:
        self.inner = inner
        self._recall = recall

    def load(self, name: str) -> list[dict[str, Any]]:
        messages = self.inner.load(name)
        asked = [_text(message) for message in messages if message.get("role") == "user"][-3:]
        known = self._recall("\n".join(asked)[:500])
        if not known:
            return messages
        block = {"type": "text", "text": known}
        if messages and messages[0].get("role") == "system":
            return [{"role": "system", "parts": [block, *messages[0]["parts"]]}, *messages[1:]]
        return [{"role": "system", "parts": [block]}, *messages]

    def save(self, name: str, messages: Sequence[Message]) -> None:
        self.inner.save(name, messages)

    def clear(self, name: str) -> None:
        self.inner.clear(name)

    def close(self) -> None:
        self.inner.close()


def _text(message: Message) -> str:
    parts = message.get("parts", message.get("content", ""))
    if isinstance(parts, str):
        return parts
    return "\n".join(part["text"] for part in parts if part.get("type") == "text")


def open_history(
    config: Mapping[str, Any] | None = None,
    *,
    memory: Talks | None = None,
    model: Model | None = None,
    recall: Callable[[str], str] | None = None,
) -> History:
    """What a configuration asks for: {"type", "max_messages", "long_term", "dag": {…}}.

    Lossless needs a file and a model; without either it is a buffer. Any type but these is an older
    name for lossless, and is accepted with a warning.
    """
    wanted = dict(config or {})
    kind = str(wanted.pop("type", "") or "lossless")
    most = int(wanted.pop("max_messages", 0) or RECENT)
    long_term = bool(wanted.pop("long_term", False))
    policy = SummaryPolicy().replacing(wanted.pop("dag", None) or {})
    if wanted:
        raise InvalidInput(
            f"{', '.join(wanted)}: a history knows type, max_messages, long_term and dag"
        )
    if kind not in ("lossless", "buffer"):
        import warnings

        warnings.warn(
            f"history type {kind!r} is taken for 'lossless'", DeprecationWarning, stacklevel=2
        )
    history: History
    if kind == "buffer" or model is None or memory is None:
        history = BufferHistory(InMemoryStore(), most)
    else:
        history = LosslessHistory(memory, policy, model)
    return RecallingHistory(history, recall) if long_term and recall is not None else history
