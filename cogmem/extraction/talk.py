"""What a model is shown of a conversation: the last of it, line by line, without secrets.

System messages are left out, and so is what cogmem itself had put into a prompt: it is remembered
already. Messages for context stand before the others in a frame of their own, and nothing is to be
extracted from them. What people and the agent said is told apart from what tools brought in, so that a
page that a tool read cannot speak in the person's name.
"""

from __future__ import annotations

import json
import re

from cogmem.errors import InvalidInput
from cogmem.guard import guard
from cogmem.language.similarity import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Message = Mapping[str, Any]
    Formatter = Callable[[Sequence[Message]], str]

CHARACTERS = 8000  # of the conversation that are shown: its end
CONTEXT_SHARE = 0.3  # of that, for messages that only help to understand it
_MARGIN = 2_000  # characters looked at beyond what is shown, so that no secret is cut in two unseen
_FRAME = re.compile(r"<(/?)(talk|context)>", re.IGNORECASE)


class Talk:
    """A conversation as a model is shown it, and the words by which its speakers are known."""

    __slots__ = ("brought", "context", "lines", "spoken")

    def __init__(self, lines: str, context: str, spoken: set[str], brought: set[str]) -> None:
        self.lines = lines
        self.context = context
        self.spoken = spoken  # words of people and of the agent
        self.brought = brought  # words that tools brought in

    def framed(self) -> str:
        """The talk in its frame, what only helps to understand it before it."""
        frame = f"<talk>\n{self.lines}\n</talk>"
        if not self.context:
            return frame
        return (
            "Said before, for reference only; extract nothing from it:\n"
            f"<context>\n{self.context}\n</context>\n\n{frame}"
        )

    def is_brought(self, text: str) -> bool:
        """Whether a statement draws on what a tool brought rather than on what anybody said."""
        words = set(tokens(text))
        return len(words & self.brought) > len(words & self.spoken)


def talk_of(
    messages: Sequence[Message],
    context: Sequence[Message] = (),
    *,
    characters: int = CHARACTERS,
    formatter: Formatter | None = None,
    without_echo: Callable[[str], str] = str,
) -> Talk:
    """The talk of some messages. A formatter of one's own gets them all and gives their text."""
    spoken: set[str] = set()
    brought: set[str] = set()
    told = _told(messages, characters, without_echo, spoken, brought)
    lines = "\n".join(told) if formatter is None else _formatted(formatter, messages)
    beside = _told(context, round(characters * CONTEXT_SHARE), without_echo, set(), set())
    return Talk(
        _shown(lines, characters),
        _shown("\n".join(beside), round(characters * CONTEXT_SHARE)),
        spoken,
        brought,
    )


def _formatted(formatter: Formatter, messages: Sequence[Message]) -> str:
    text = formatter(messages)
    if not isinstance(text, str):
        raise InvalidInput(f"a formatter gives text, not {type(text).__name__}")
    return text


def _told(
    messages: Sequence[Message],
    room: int,
    without_echo: Callable[[str], str],
    spoken: set[str],
    brought: set[str],
) -> list[str]:
    """`role: text` of each message, from the last one backwards as far as there is room."""
    found: list[str] = []
    for message in reversed(messages):
        if room <= 0:
            break
        if not hasattr(message, "get") or not isinstance(message.get("role"), str):
            raise InvalidInput('a message is an object with "role" and "content" or "parts"')
        role = message["role"]
        if role in ("system", "developer"):
            continue
        said, came = said_in(message)
        said = without_echo(said[-3 * room - _MARGIN :]) if said else ""
        came = came[-3 * room - _MARGIN :]
        text = "\n".join(filter(None, (said, came))).strip()
        if not text:
            continue
        foreign = role in ("tool", "function") or message.get("origin", role) not in (role, "user")
        (brought if foreign else spoken).update(tokens(said))
        brought.update(tokens(came))
        found.append(f"{role}: {text}")
        room -= len(text)
    return found[::-1]


def said_in(message: Message) -> tuple[str, str]:
    """What a message says in words, and what tools brought into it."""
    content = message.get("parts", message.get("content"))
    if isinstance(content, str):
        return content, ""
    if content is None or not isinstance(content, (list, tuple)):
        return "", ""
    said, came = [], []
    for part in content:
        if not isinstance(part, dict):
            continue
        if part.get("type") in ("tool_result", "tool_use_result", "function_call_output"):
            came.append(_plain(part.get("content", part.get("output"))))
        elif isinstance(part.get("text"), str):
            said.append(part["text"])
    return "\n".join(said), "\n".join(filter(None, came))


def _plain(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(one, dict) and "text" in one for one in value):
        return "\n".join(str(one["text"]) for one in value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _shown(text: str, characters: int) -> str:
    """The end of a text, free of secrets and of what could close its frame."""
    if characters <= 0:
        return ""
    # Cut twice: what the first cut halves, and the guard therefore misses, the second takes away.
    end = guard.normalise(text[-2 * characters - _MARGIN :])
    clean = guard.apply(end, guard.POLICIES["record"]).text[-characters:].strip()
    return _FRAME.sub(r"‹\1\2›", clean)
