"""How a conversation stands: the lines that it left, newest first; of one that left none yet, its closing passages.

A turn that is sure which earlier conversation a prompt is about tells it by these, not by likeness to the prompt.
"""

from __future__ import annotations

from cogmem.records import json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cogmem.file.db import Database
    from cogmem.scope import Scope

CLOSING = 8  # messages at the end of a conversation that are read for its passages
LEAST = 0.1  # the chance from which a closing passage is told
AGENT = "assistant"


class Stands:
    """One line of how a conversation stands."""

    __slots__ = ("at", "conversation", "kind", "ref", "score", "seq", "text", "who")

    def __init__(
        self, conversation: int, ref: str, kind: str, text: str, who: str, at: int, score: float, seq: int
    ) -> None:  # fmt: skip
        self.conversation = conversation  # its row
        self.ref = ref  # mem_… of a line, msg_… of a closing passage
        self.kind = kind
        self.text = text  # it stands alone, without its date
        self.who = who  # user, agent or a name
        self.at = at
        self.score = score  # 0 to 1: the chance that it helps somebody later
        self.seq = seq  # the place of its message


def standing(
    db: Database, scope: Scope, conversations: Sequence[int], now: int, *, most: int = 8
) -> dict[int, list[Stands]]:
    """Tell how conversations stand, by their rows: of each at most so many lines, newest first."""
    told = lines_left(db, scope, conversations, now, most=most)
    untold = [number for number, lines in told.items() if not lines]
    if untold:
        closing: dict[int, list[tuple[Any, ...]]] = {}
        asked = {"conversations": json_numbers(untold), "now": now, "most": CLOSING}
        for row in db.read("standing.closing", {**scope.hearer(), **asked}):
            closing.setdefault(row[0], []).append(row)
        for number, rows in closing.items():
            told[number] = _passages(number, rows, most)
    return told


def lines_left(
    db: Database, scope: Scope, conversations: Sequence[int], now: int, *, most: int
) -> dict[int, list[Stands]]:
    """Return the lines that conversations left, of each at most so many."""
    told: dict[int, list[Stands]] = {number: [] for number in conversations}
    asked = {"conversations": json_numbers(conversations), "now": now}
    for row in db.read("standing.lines", {**scope.viewer(), **asked}):
        told[row[0]].append(Stands(*row))
    return {number: lines[:most] for number, lines in told.items()}


def _passages(number: int, rows: Sequence[tuple[Any, ...]], most: int) -> list[Stands]:
    """Return the passages of its last messages that are worth telling, newest first."""
    from cogmem.language import passages

    found = passages.judged([(role, text) for _, _, _, role, _, text, _ in rows])
    told = []
    for one in reversed(passages.best(found, most, least=LEAST)):
        _, seq, message, role, speaker, _, at = rows[one.number]
        who = speaker or ("agent" if role == AGENT else role)
        told.append(Stands(number, f"msg_{message}", one.sort, one.text, who, at, one.chance, seq))
    return told
