"""A query from a list of messages, and a block put before their system text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Message = Mapping[str, Any]

LAST_MESSAGES = 3
QUERY_CHARACTERS = 500
OPENING, CLOSING = "[Long-term memory]", "[End of long-term memory]"


def query_from(messages: Sequence[Message]) -> str:
    """The last user messages in order, cut to what a query can use."""
    said = [_text(message) for message in messages if message.get("role") == "user"]
    return "\n".join(filter(None, said[-LAST_MESSAGES:]))[:QUERY_CHARACTERS]


def before_system(messages: Sequence[Message], block: str) -> list[Message]:
    """The messages with a block before the system text; unchanged where there is nothing to say."""
    if not block.strip():
        return list(messages)
    framed = f"{OPENING}\n{block.rstrip()}\n{CLOSING}"
    for place, message in enumerate(messages):
        if message.get("role") == "system":
            return [*messages[:place], _beginning_with(framed, message), *messages[place + 1 :]]
    return [{"role": "system", "content": framed}, *messages]


def _beginning_with(framed: str, message: Message) -> Message:
    """A message with a text before its own, in the form that it has."""
    for name in ("parts", "content"):
        if isinstance(message.get(name), list):
            return {**message, name: [{"type": "text", "text": framed}, *message[name]]}
    return {**message, "content": f"{framed}\n\n{_text(message)}"}


def _text(message: Message) -> str:
    content = message.get("parts", message.get("content"))
    if isinstance(content, str):
        return content
    if not isinstance(content, (list, tuple)):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(part for part in parts if isinstance(part, str) and part)
