"""Messages of someone else's form, kept whole in the conversation record.

Each becomes one message: its words as text, so that recall and turns find them, and the item itself
beside them, so that it comes back as it was. Secrets in it are redacted, as everywhere in the record.
"""

from __future__ import annotations

from cogmem.conversation.parts import ROLES
from cogmem.hosts.transcripts import ROLE_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from cogmem.memory import Memory

    Said = Callable[[Mapping[str, Any]], tuple[str, str]]

BESIDE = "item"  # the type of the part that holds the item


class Items:
    """The items of one conversation, in order."""

    def __init__(self, mem: Memory, name: str) -> None:
        self.mem = mem
        self.talk = mem.conversation(name)

    def add(self, items: Sequence[Mapping[str, Any]], *, said: Said | None = None) -> None:
        """Append all of them, in one transaction; `said` reads who an item is from, and its words."""
        now = self.talk.instant(None)
        rows = []
        for item in items:
            role, words = (said or said_in)(item)
            parts: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
            rows.append((role, [*parts, {"type": BESIDE, "item": dict(item)}], None, now, None))
        self.talk.extend(rows)

    def latest(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return all items, or the last ones, the oldest first."""
        if limit is not None and limit <= 0:
            return []
        found = self.talk.contents(limit)
        kept = [part["item"] for parts in found for part in parts if part["type"] == BESIDE]
        if limit is not None and len(kept) < limit and len(found) == limit:
            return self.latest()[-limit:]  # some places were taken back
        return kept

    def pop(self) -> dict[str, Any] | None:
        """Take back the last item; the record remembers that it was said."""
        return self.take(-1) if self.latest(1) else None

    def take(self, place: int) -> dict[str, Any]:
        """Take back the item at a place, counted among those that are there."""
        kept: list[tuple[int, dict[str, Any]]] = [
            (message.seq, part["item"])
            for message in self.talk.messages()
            for part in message.parts
            if part["type"] == BESIDE
        ]
        seq, item = kept[place]
        self.talk.edit(seq, None)
        return item

    def clear(self) -> None:
        """Forget the whole conversation."""
        self.talk.clear(reason="cleared by the host")


def role_of(item: Mapping[str, Any]) -> str:
    """Return who an item is from, by its role or its type."""
    inner = item.get("message")
    role = (
        item.get("role")
        or (inner.get("role") if isinstance(inner, dict) else None)
        or item.get("type")
    )
    if role in ROLES or role in ROLE_OF:
        return ROLE_OF.get(str(role), str(role))
    return "tool" if str(role).endswith(("_output", "_result")) else "assistant"


def said_in(item: Mapping[str, Any]) -> tuple[str, str]:
    """Return who an item is from, and its words."""
    inner = item.get("message") if isinstance(item.get("message"), dict) else item.get("data")
    source = inner if isinstance(inner, dict) else item
    content = source.get("content") or source.get("output") or ""
    if isinstance(content, list):
        pieces = [one.get("text") if isinstance(one, dict) else one for one in content]
        content = "\n".join(piece for piece in pieces if isinstance(piece, str))
    return role_of(item), content if isinstance(content, str) else ""
