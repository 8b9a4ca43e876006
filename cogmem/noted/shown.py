"""What a model is shown of a conversation: numbered messages, without secrets, in parts that overlap.

A message of a person is shown as far as it was typed; what was pasted is shortened to how it begins and
ends. Of an agent the words are shown, and which files it changed; what tools brought in is not, so that
no page and no log speaks to the model. What cogmem itself had put into a prompt is left out, and what a
person asked that nobody keep.
"""

from __future__ import annotations

import re

from cogmem.guard import guard
from cogmem.language.mood import confided
from cogmem.language.typed import parts as parts_of
from cogmem.named import NamedTuple
from cogmem.text.attempts import steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any, Protocol

    class Message(Protocol):
        """A message as the record has it."""

        id: int
        seq: int
        role: str
        speaker: str
        text: str
        parts: list[dict[str, Any]]
        at: datetime


ROOM = 100_000  # bytes of one part: no more than 30,000 tokens in any language
FRESH = 0.85  # of them for what no part before has
OVERLAP = 4  # messages of the part before that stand in the next one as well
MOST_PARTS = 4  # of one conversation; of a longer one the end is shown
BEGINS, ENDS = 2_000, 4_000  # characters of an agent's message that is longer
PASTED = 240  # characters of each end of a pasted stretch
TYPED = 8_000  # characters that one typed message may have
FILES = 8  # changed files named beside a message
# What an agent quotes is not its own word: fenced and quoted lines, and long quotations.
_QUOTED = re.compile(
    r"(?ms)^\s*(```|~~~).*?(?:^\s*\1|\Z)|^\s*>[^\n]*|\"[^\"\n]{30,}\"|“[^”\n]{30,}”|«[^»\n]{30,}»"
)
_FRAME = re.compile(r"<(/?)transcript>", re.IGNORECASE)


class Line:
    """One message as it is shown."""

    __slots__ = ("message", "size", "text", "typed")

    def __init__(self, message: Message, text: str, typed: str) -> None:
        self.message = message
        self.text = text
        self.typed = typed  # of a person what was typed, of an agent what it said and did not quote
        self.size = len(text.encode("utf-8", "replace"))


class Part(NamedTuple):
    """As many messages as are shown at a time; `fresh` is the number of the first that no part before has."""

    lines: list[Line]
    fresh: int
    end: int

    def told(self) -> str:
        """Return the messages in their frame."""
        said = "\n\n".join(line.text for line in self.lines)
        return f"<transcript>\n{said}\n</transcript>"


def lines(messages: Sequence[Message], without_echo: Callable[[str], str] = str) -> list[Line]:
    """Return the messages that say something, as they are shown."""
    found = []
    hidden = confided((message.role, message.text) for message in messages)
    for message, is_hidden in zip(messages, hidden, strict=True):
        if message.role not in ("user", "assistant") or is_hidden:
            continue
        said = _clean(without_echo(message.text))
        if message.role == "user":
            typed, shown = _typed(said)
        else:
            shown = _shortened(said, BEGINS, ENDS)
            typed = _QUOTED.sub(" ", shown)
            files = [path for step in steps([(message.role, message.parts)]) for path in step.files]
            if files:
                named = ", ".join(dict.fromkeys(files[:FILES]))
                shown = f"{shown}\n(changed: {named})".strip()
        if not shown.strip():
            continue
        who = message.speaker if message.speaker not in ("", message.role) else ""
        name = who or ("user" if message.role == "user" else "agent")
        safe = _FRAME.sub(r"‹\1transcript›", shown)
        found.append(Line(message, f"[{message.seq}] {name}: {safe}", typed))
    return found


def parts(shown: Sequence[Line], start: int = 0) -> list[Part]:
    """Return the parts of what is shown from the message `start` on, each with an overlap."""
    found: list[Part] = []
    held: list[Line] = []
    size = 0
    fresh = [line for line in shown if line.message.seq >= start]
    before = [line for line in shown if line.message.seq < start][-OVERLAP:]
    for line in fresh:
        if held and size + line.size > FRESH * ROOM:
            found.append(_part(held, before))
            before, held, size = held[-OVERLAP:], [], 0
        held.append(line)
        size += line.size
    if held:
        found.append(_part(held, before))
    return found[-MOST_PARTS:]


def _part(held: list[Line], before: Sequence[Line]) -> Part:
    """Return a part, with as much of what stands before it as there is room for."""
    left = ROOM - sum(line.size for line in held)
    kept: list[Line] = []
    for line in reversed(before):
        left -= line.size
        if left < 0:
            break
        kept.insert(0, line)
    return Part([*kept, *held], held[0].message.seq, held[-1].message.seq + 1)


def _typed(text: str) -> tuple[str, str]:
    """Return what a person typed, and the same with the ends of what was pasted."""
    typed, shown = [], []
    for part in parts_of(text):
        piece = text[part.start : part.end].strip("\n")
        if part.is_typed:
            typed.append(piece)
            shown.append(piece)
        elif piece.strip():
            shown.append(f"‹pasted: {_shortened(piece, PASTED, PASTED)}›")
    return "\n".join(typed)[:TYPED], _shortened("\n".join(shown), TYPED // 2, TYPED // 2)


def _shortened(text: str, begins: int, ends: int) -> str:
    """Return a text, or its two ends and how much was left out between them."""
    left = len(text) - begins - ends
    if left <= 0:
        return text
    return f"{text[:begins].rstrip()}\n[… {left} characters …]\n{text[-ends:].lstrip()}"


def _clean(text: str) -> str:
    """Return a text without secrets and hidden characters; one that is cut is cut after that."""
    return guard.apply(guard.normalise(text), guard.POLICIES["record"]).text
