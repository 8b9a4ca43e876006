"""ContextWindow: a live conversation kept within what a model reads, and steady while it fits.

A provider's prompt cache wants the same bytes again, so the list only grows until it has to be made smaller; then
its older part becomes one summary. The record is not touched. With each request: too long for the model (cut at
once, without a model); 75 % (all but the last 50 messages are told); 80 %, 85 % to be expected, or very many
messages (the strategy decides what stays). One such work is done at a time.
"""

from __future__ import annotations

import itertools
from collections import deque
from threading import Lock

from cogmem.conversation.policy import STRATEGIES, Strategy
from cogmem.conversation.record import whole_tokens
from cogmem.conversation.shrink import EMERGENCY_SHARE, emergency, plan, recent_plan, summary_of
from cogmem.conversation.summarise import SummaryCache, Teller
from cogmem.conversation.window import shortened
from cogmem.records import Record, one_of
from cogmem.store.policy import number
from cogmem.text.calls import file_in
from cogmem.tokens.counting import TokenUsage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any

    from cogmem.conversation.background import Background
    from cogmem.conversation.conversation import Conversation
    from cogmem.conversation.shrink import Plan
    from cogmem.file.db import Database
    from cogmem.ports import Model
    from cogmem.tokens.provider import ProviderCounter

    Message = dict[str, Any]

UNKNOWN_MODEL = (128_000, 8_192)
KEEP_RECENT = 50
MOST_MESSAGES = 200  # of which three quarters are a reason to summarise
PREDICTED = 0.85
SNAPSHOTS = 20
MINUTE = 60_000
CHECKPOINT_EVERY = 10 * MINUTE
CHECKPOINTS = 5
RECOUNT_AFTER = 5  # new messages since a precise count up to which it is carried on
EXACT = ("o200k", "tiktoken:")


class Checkpoint(Record):
    """How full a window was at an instant."""

    at: datetime
    tokens: int
    messages: int


class Prepared(Record):
    """What to send, how full it is, and what was done to it."""

    messages: list[Message]
    usage: TokenUsage
    actions: list[str]  # of: emergency, compacted, optimised, started (in the background), skipped


def limits_of(db: Database, model: str) -> tuple[int, int]:
    """Input and output tokens of a model: by its name, else by the longest known name within it."""
    known = {row[0]: (row[1], row[2]) for row in db.read("summary.limits")}
    name = model.strip().lower()
    if name in known:
        return known[name]
    inside = sorted((key for key in known if key in name), key=lambda key: (-len(key), key))
    return known[inside[0]] if inside else UNKNOWN_MODEL


class ContextWindow:
    """The message list of one conversation for one model."""

    def __init__(
        self,
        talk: Conversation,
        model: str,
        *,
        strategy: str = "default",
        summariser: Model | None = None,
        provider: ProviderCounter | None = None,
        background: Background | None = None,
    ) -> None:
        one_of("strategy", strategy, STRATEGIES)
        self.talk = talk
        self.summariser = summariser if summariser is not None else talk.model
        self.provider = provider
        self.background = background
        self.settings = talk.store.settings()
        self.model = ""
        self.max_tokens = self.max_output = 0
        self.use_model(model)
        self._strategy = strategy
        self._lock = Lock()
        self._base: list[int | Message] = []  # what stands for the messages before `_upto`
        self._upto = 0
        self._snapshots: deque[int] = deque(maxlen=SNAPSHOTS)
        self.checkpoints: deque[Checkpoint] = deque(maxlen=CHECKPOINTS)
        self._looked_at: int | None = None
        self._counted: tuple[int, int] | None = None  # length and tokens of the last precise count
        self.key_files: dict[str, None] = {}  # every path that a tool was called with

    def use_model(self, model: str) -> None:
        """Another model: its limits hold from now on; a configured limit stays."""
        configured = int(number(self.settings, "max_input_tokens"))
        limit, self.max_output = limits_of(self.talk.db, model)
        self.model = model
        self.max_tokens = configured if configured > 0 else limit

    @property
    def strategy(self) -> Strategy:
        """The strategy in force, with the limit and ratio of the settings."""
        configured = int(number(self.settings, "max_input_tokens"))
        chosen = STRATEGIES[self._strategy]
        ratio = number(self.settings, "summarization_ratio") if chosen.name == "default" else None
        return chosen.for_limit(configured, ratio)

    def messages(self) -> list[Message]:
        """Return what would be sent now: the base, and every message since; long results shortened."""
        return [message for _, message in self._entries()]

    def usage(self, messages: Sequence[Message] | None = None) -> TokenUsage:
        """Tell how full the window is."""
        tokens, is_estimate = self._measure(self.messages() if messages is None else messages)
        warning = number(self.settings, "warning_threshold")
        return TokenUsage(tokens, self.max_tokens, warning, is_estimate)

    def _entries(self) -> list[tuple[int | None, Message]]:
        """Return every message with its place in the record; a summary has none."""
        found: list[tuple[int | None, Message]] = []
        for item in self._base:
            if isinstance(item, dict):
                found.append((None, item))
            else:
                found += [(m.seq, m.as_message()) for m in self.talk.messages(item, item + 1)]
        found += [(m.seq, m.as_message()) for m in self.talk.messages(self._upto)]
        tools: dict[str, str] = {}
        for _, message in found:
            for part in message["parts"]:
                if part.get("type") == "tool_call":
                    tools[str(part.get("id"))] = str(part.get("name", ""))
                    if path := file_in(part.get("arguments")):
                        self.key_files[path] = None
        return [(seq, self._without_bulk(message, tools)) for seq, message in found]

    def _without_bulk(self, message: Message, tools: dict[str, str]) -> Message:
        """Long results of tools shortened, each by the rule of its tool; the record keeps them whole."""
        limit = int(number(self.settings, "tool_result_max_chars"))
        parts = []
        for part in message["parts"]:
            content = part.get("content") if part.get("type") == "tool_result" else None
            if isinstance(content, str) and len(content) > limit:
                from cogmem.text.tool_output import ResultCompactor

                tool = tools.get(str(part.get("tool_call_id")), "")
                short = ResultCompactor(limit).text(content, tool, success=not part.get("is_error"))
                part = {**part, "content": short}
            parts.append(part)
        return {**message, "parts": parts}

    def _measure(self, messages: Sequence[Message]) -> tuple[int, bool]:
        counter = self.talk.store.counter
        if self.provider is None:
            tokens = sum(whole_tokens(message, counter) for message in messages)
            return tokens, not counter.name.startswith(EXACT)
        found = self.provider.estimate(messages)
        if (
            found.is_estimate
            and self._counted
            and self._counted[0] <= len(messages) < self._counted[0] + RECOUNT_AFTER
        ):
            new = messages[self._counted[0] :]
            return self._counted[1] + (self.provider.estimate(new).tokens if new else 0), True
        if not found.is_estimate:
            self._counted = (len(messages), found.tokens)
        return found.tokens, found.is_estimate

    def prepare(self) -> Prepared:
        """Return the list for the next request, made smaller where that is due."""
        actions: list[str] = []
        messages, usage = self._in_time(actions)
        if self.provider is not None:
            self.provider.begin(messages)
        self._snapshots.append(usage.input_tokens)
        if number(self.settings, "enable_auto_summary"):
            actions += self._shrink_if_due(usage, len(messages))
            if actions:
                messages, usage = self._in_time(actions)
        return Prepared(messages, usage, actions)

    def _in_time(self, actions: list[str]) -> tuple[list[Message], TokenUsage]:
        """Return what would be sent and how full that is; what exceeds the limit is cut, once for a request."""
        entries = self._entries()
        messages = [message for _, message in entries]
        usage = self.usage(messages)
        if usage.exceeds_limit and "emergency" not in actions:
            self._cut(entries)
            actions.append("emergency")
            messages = self.messages()
            usage = self.usage(messages)
        return messages, usage

    def _shrink_if_due(self, usage: TokenUsage, count: int) -> list[str]:
        done = "nothing"
        if usage.percent_used >= number(self.settings, "auto_compact_threshold"):
            done = self._start(self.compact)
        near = usage.near_limit or self._will_overflow() or count > MOST_MESSAGES * 3 // 4
        if done == "nothing" and near:
            done = self._start(self.optimise)
        return [] if done == "nothing" else [done]

    def _start(self, work: Callable[[], str]) -> str:
        if self.background is None:
            return work()
        key = f"window {id(self)}"
        return "started" if self.background.start(key, work) else "skipped"

    def _will_overflow(self) -> bool:
        if len(self._snapshots) < 3 or self.max_tokens <= 0:
            return False
        shots = list(self._snapshots)
        growth = [b - a for a, b in itertools.pairwise(shots) if b > a]
        expected = shots[-1] + (sum(growth) / len(growth) if growth else 0)
        return expected > PREDICTED * self.max_tokens

    def look_after(self, now: datetime | None = None) -> str:
        """Act once a minute, for a host that stays open and calls this at any rate.

        A window that is full enough is compacted between requests, so that the next one need not
        wait; every ten minutes how full it is becomes a checkpoint. Returns what was done.
        """
        at = self.talk.instant(now)
        if self._looked_at is not None and at - self._looked_at < MINUTE:
            return "nothing"
        self._looked_at = at
        messages = self.messages()
        usage = self.usage(messages)
        if not self.checkpoints or at - self.checkpoints[-1].raw("at") >= CHECKPOINT_EVERY:
            self.checkpoints.append(Checkpoint(at, usage.input_tokens, len(messages)))
        if not number(self.settings, "enable_auto_summary"):
            return "nothing"
        full = usage.percent_used >= number(self.settings, "auto_compact_threshold")
        return self._start(self.compact) if full else "nothing"

    def compact(self) -> str:
        """Summarise all but the last 50 messages; "skipped" while other work of this window goes on."""
        least = self.strategy.min_messages
        return self._shrink("compacted", lambda messages: recent_plan(messages, KEEP_RECENT, least))

    def optimise(self) -> str:
        """Summarise what the strategy does not keep; "skipped" while other work of this window goes on."""
        return self._shrink("optimised", lambda messages: plan(messages, self.strategy))

    def _shrink(self, done: str, planned: Callable[[Sequence[Message]], Plan | None]) -> str:
        if not self._lock.acquire(blocking=False):
            return "skipped"
        try:
            entries = self._entries()
            messages = [message for _, message in entries]
            chosen = planned(messages)
            if chosen is None:
                return "nothing"
            summary = self._summary(entries, chosen)
            counter = self.talk.store.counter
            told = sum(whole_tokens(messages[place], counter) for place in chosen.summarise)
            if told <= whole_tokens(summary, counter):
                return "nothing"  # there is nothing to gain
            start, kept = ([entries[at] for at in some] for some in (chosen.start, chosen.kept))
            self._replace([*start, (None, summary), *kept], entries, chosen.end)
            return done
        finally:
            self._lock.release()

    def _summary(self, entries: Sequence[tuple[int | None, Message]], chosen: Plan) -> Message:
        told = [entries[place] for place in chosen.summarise]
        seqs = [seq for seq, _ in told if seq is not None]
        state = self.talk.state()
        cache = None
        if self.summariser is not None and state is not None:
            cache = SummaryCache(self.talk.db, state.id)
        counter, now = self.talk.store.counter, self.talk.instant(None)
        teller = Teller(counter, self.summariser, self.settings, cache, now)
        span = (min(seqs, default=0), max(seqs, default=0))
        return summary_of([message for _, message in told], self.strategy, teller, span)

    def _cut(self, entries: Sequence[tuple[int | None, Message]]) -> None:
        """Keep the first two messages and the newest that fit 70 % of the limit; no model is asked."""
        messages = [message for _, message in entries]
        counter = self.talk.store.counter
        costs = [whole_tokens(message, counter) for message in messages]
        places = emergency(messages, costs, self.max_tokens)
        room = int(self.max_tokens * EMERGENCY_SHARE)
        if sum(costs[place] for place in places) > room:  # single messages are too long
            share = room // len(places)
            spare = sum(max(0, share - costs[place]) for place in places)
            wide = sum(1 for place in places if costs[place] > share) or 1
            short = [
                (None, shortened(messages[place], share + spare // wide, counter))
                if costs[place] > share
                else entries[place]
                for place in places
            ]
            self._replace(short, entries, [])
            return
        first = 0
        while first < len(places) and places[first] == first:
            first += 1
        self._replace([entries[place] for place in places[:first]], entries, places[first:])

    def _replace(
        self,
        head: Sequence[tuple[int | None, Message]],
        entries: Sequence[tuple[int | None, Message]],
        end: Sequence[int],
    ) -> None:
        """Take a new base; messages of the record after the last summary are read from it again."""
        tail = [entries[place] for place in end]
        upto = self._upto
        if tail and tail[0][0] is not None and tail[0][0] >= upto:
            upto, tail = tail[0][0], []
        elif not tail:
            upto = max((seq + 1 for seq, _ in entries if seq is not None), default=upto)
        based = [*head, *(one for one in tail if one[0] is None or one[0] < upto)]
        self._base = [message if seq is None else seq for seq, message in based]
        self._upto = upto
        self._snapshots.clear()
        self._counted = None
        if self.provider is not None:
            self.provider.clear()
