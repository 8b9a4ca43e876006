"""LangChain: a chat history kept in the memory file, and memory as a retriever.

history = ChatHistory(mem, "conversation-7")
retriever = MemoryRetriever(memory=mem, k=5)
"""

# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever

from cogmem.frameworks.items import Items
from cogmem.memory import Memory


class ChatHistory(BaseChatMessageHistory):
    """The messages of one conversation."""

    def __init__(self, mem: Memory, session_id: str) -> None:
        self._items = Items(mem, session_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """All messages, the oldest first."""
        return messages_from_dict(self._items.latest())

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages, in one transaction."""
        if messages:
            self._items.add([message_to_dict(message) for message in messages])

    def clear(self) -> None:
        """Forget the conversation."""
        self._items.clear()


class MemoryRetriever(BaseRetriever):
    """Memories and recorded messages that fit a query; what is returned is strengthened."""

    memory: Any  # a cogmem.Memory; pydantic need not look into it
    k: int = 8  # as LangChain calls the number of results
    layer: str | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        del run_manager
        found = self.memory.recall(query, limit=k or self.k, layer=self.layer)
        return [
            Document(
                id=one.uid,
                page_content=one.content,
                metadata={
                    name: value for name, value in one.as_dict().items() if name != "content"
                },
            )
            for one in found
        ]
