"""Puts a stretch of conversation into fewer words: with a model if there is one, without it always.

The model's first answer counts if it is at most 80 % of the source; else it is asked once more for a third of it;
else, and for texts too short to be worth a call, the summary is made of the source's own telling lines.
"""

from __future__ import annotations

import hashlib
import json

from cogmem.guard import guard
from cogmem.models.prompts import prompt
from cogmem.named import NamedTuple
from cogmem.ports import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

    from cogmem.file.db import Database
    from cogmem.ports import Model
    from cogmem.tokens.counting import TokenCounter

    Extractive = Callable[[int, TokenCounter], tuple[str, str]]

TIMEOUT = 30.0
WORTH_A_CALL = 80  # tokens of source below which no model is asked
LENGTHS = (150, 200, 260, 320)  # tokens of a summary made without a model, by depth
HINT = "[Expand for details about:"  # the prompts ask for this line
CACHED = 100  # answers of one conversation
GOOD_FOR = 30 * 60_000  # ms for which an answer is kept
DEEPEST = 3  # depth that has a prompt of its own; what lies deeper is told like it


class Telling(NamedTuple):
    """A summary, what expanding it would show, its length, and how it came about."""

    content: str
    hint: str
    tokens: int
    method: Literal["model", "retry", "extract"]

    def columns(self) -> dict[str, Any]:
        """Return it as the columns of a node."""
        name = {"hint": "expand_hint"}
        return {name.get(field, field): value for field, value in self._asdict().items()}


def preserving_prompt(ratio: float, settings: Mapping[str, str] | None = None) -> str:
    """Return what a model is told that makes room in a live message list."""
    return prompt("make-room", settings).filled(percent=round(ratio * 100))


class Teller(NamedTuple):
    """Who puts a conversation into fewer words, and with what: without a model its own telling lines do."""

    counter: TokenCounter
    model: Model | None = None
    settings: Mapping[str, str] | None = None
    cache: SummaryCache | None = None
    now: int = 0

    def tell(
        self,
        source: str,
        extractive: Extractive,
        *,
        depth: int = 0,
        wording: str = "",
        target: int = 0,
        span: tuple[int, int] = (0, 0),
    ) -> Telling:
        """Return the summary of `source`; `extractive` makes one of a given length when no model does."""
        length = self.counter.count(source)
        limit = target or LENGTHS[min(depth, len(LENGTHS) - 1)]
        if self.model is not None and length >= WORTH_A_CALL:
            wording = wording or prompt(f"summarise-{min(depth, DEEPEST)}", self.settings)
            key = input_hash((self.model.name, str(wording), source))
            known = self.cache.get(key, self.now) if self.cache is not None else None
            if known:
                told = _parsed(known, self.counter, "model")
            else:
                told = self._asked(wording, source, length)
            if told is not None:
                if self.cache is not None and known is None:
                    hint = f"\n{HINT} {told.hint}]" if told.hint else ""
                    self.cache.put(key, told.content + hint, span, self.now)
                return told
        content, hint = extractive(max(24, min(limit, length * 4 // 5)), self.counter)
        content = content or "- told: short remarks, nothing that needs keeping"
        return Telling(content, hint, self.counter.count(content), "extract")

    def _asked(self, wording: str, source: str, length: int) -> Telling | None:
        told = self._answer(wording, source, None, "model")
        if told is not None and told.tokens * 5 <= length * 4:
            return told
        shorter = max(1, length // 3)
        wording = f"{wording}\nUse {shorter} tokens at most."
        return self._answer(wording, source, shorter, "retry")

    def _answer(
        self, wording: str, source: str, most: int | None, method: Literal["model", "retry"]
    ) -> Telling | None:
        assert self.model is not None
        said = asked(self.model, source, system=wording, max_tokens=most, timeout=TIMEOUT)
        return None if said is None else _parsed(said, self.counter, method)


def _parsed(said: str, counter: TokenCounter, method: Literal["model", "retry"]) -> Telling | None:
    clean = guard.apply(guard.normalise(said), guard.POLICIES["record_tool"]).text
    content, hint = split_hint(clean)
    return Telling(content, hint, counter.count(content), method) if content else None


def split_hint(text: str) -> tuple[str, str]:
    """Return the summary without its last hint line and what follows it; the hint's subjects."""
    rows = text.split("\n")
    for number in range(len(rows) - 1, -1, -1):
        row = rows[number].strip()
        if row.startswith(HINT):
            hint = row[len(HINT) :].strip().removesuffix("]").strip()
            return "\n".join(rows[:number]).strip(), hint
    return text.strip(), ""


def input_hash(values: Iterable[Any]) -> str:
    """Name an input by all that is in it: every value with its length, objects by sorted keys."""
    digest = hashlib.sha256()
    for value in values:
        text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
        data = text.encode("utf-8", "replace")
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:32]


class SummaryCache:
    """Answers of models by the hash of what was asked, within one conversation of one file."""

    def __init__(self, db: Database, conversation: int) -> None:
        self.db = db
        self.conversation = conversation

    def get(self, key: str, now: int) -> str | None:
        """Return the answer, if there is one and its time is not over."""
        place = {"id": self.conversation, "input_hash": key, "now": now}
        found = self.db.read("summary.cached", place)
        if not found:
            return None
        touch = ("summary.touch_cached", place)
        self.db.write([touch], verb="summary", at=now)
        answer: str = found[0][0]
        return answer

    def put(self, key: str, content: str, span: tuple[int, int], now: int) -> None:
        """Keep an answer about messages of a range; nothing is overwritten, the oldest use goes."""
        row: dict[str, Any] = {"id": self.conversation, "input_hash": key, "content": content}
        row |= {"earliest_seq": span[0], "latest_seq": span[1], "now": now}
        row["expires_at"] = now + GOOD_FOR
        sweep = ("summary.sweep_cache", {"id": self.conversation, "now": now, "capacity": CACHED})
        steps = [sweep, ("summary.cache", row), sweep]
        self.db.write(steps, verb="summary", at=now)
