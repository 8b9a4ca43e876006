"""LlamaIndex: a memory block, and a chat store, over the memory file.

    block = MemoryBlock(mem=mem, session="conversation-7")
    memory = Memory.from_defaults(
        session_id="conversation-7", memory_blocks=[block], insert_method="user"
    )

The block gives what fits the latest message of the user, within a budget of tokens, and records
the messages that leave the short-term memory. With insert_method="user" it stands beside the
message, so that the provider's prompt cache keeps what comes before.
"""

# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

from asyncio import to_thread
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.storage.chat_store import BaseChatStore
from pydantic import Field

from cogmem.frameworks.items import Items

PREFIX = "llama-index :: "  # before the key of a chat store: its conversations are its own


class MemoryBlock(BaseMemoryBlock[str]):
    """What cogmem adds to a turn, as a block of LlamaIndex's Memory."""

    name: str = "cogmem"
    description: str | None = "What is remembered of this user, project and conversation."
    mem: Any = Field(exclude=True)  # a cogmem.Memory; pydantic need not look into it
    session: str = ""
    budget: int | None = None

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        del block_kwargs
        said = [message for message in messages or () if message.role.value == "user"]
        prompt = (said[-1].content or "") if said else ""
        asked = {"session": self.session, "budget": self.budget}
        return str((await to_thread(self.mem.activate, prompt, **asked)).text)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        if messages and self.session:
            items = Items(self.mem, self.session)
            await to_thread(items.add, [_item(message) for message in messages])

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leave out whole lines from the end: the best ones stand first."""
        lines, left = content.split("\n"), tokens_to_truncate
        while lines and left > 0:
            left -= self.mem.store.counter.count(lines.pop() + "\n")
        return "\n".join(lines) or None


class ChatStore(BaseChatStore):
    """Chat histories by key, for ChatMemoryBuffer and its kin."""

    mem: Any = Field(exclude=True)

    @classmethod
    def class_name(cls) -> str:
        return "CogmemChatStore"

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Put other messages in the place of those of a key; the record keeps the old ones."""
        held = self._items(key)
        while held.pop() is not None:
            continue
        if messages:
            held.add([_item(message) for message in messages])

    def get_messages(self, key: str) -> list[ChatMessage]:
        """Return the messages of a key, the oldest first."""
        return [ChatMessage.model_validate(item) for item in self._items(key).latest()]

    def add_message(self, key: str, message: ChatMessage) -> None:
        """Append a message."""
        self._items(key).add([_item(message)])

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Forget the messages of a key, and return them."""
        held = self.get_messages(key)
        self._items(key).clear()
        return held or None

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Take back one message, by its place among those that are there."""
        held = self.get_messages(key)
        if not -len(held) <= idx < len(held):
            return None
        gone = held[idx]
        self._items(key).take(idx % len(held))
        return gone

    def delete_last_message(self, key: str) -> ChatMessage | None:
        """Take back the latest message."""
        item = self._items(key).pop()
        return None if item is None else ChatMessage.model_validate(item)

    def get_keys(self) -> list[str]:
        """Return the keys under which anything is."""
        names = [row.name for row in self.mem.conversations.list(limit=0)]
        keys = [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]
        return [key for key in keys if self._items(key).latest(1)]

    def _items(self, key: str) -> Items:
        return Items(self.mem, PREFIX + key)


def _item(message: ChatMessage) -> dict[str, Any]:
    item: dict[str, Any] = message.model_dump(mode="json")
    item["content"] = message.content  # the words; the blocks say the same and more
    return item
