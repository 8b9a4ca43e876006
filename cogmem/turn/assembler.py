"""A block of memories before the system text, kept up to date while a conversation goes on.

What the registry pins or calls baseline comes always, the other kinds by what the last messages ask
for. A host that calls this before every request gets the same bytes for some seconds, unless somebody
wrote meanwhile.
What is shown stands in the ledger of turns, so it is explained by `why`, and what a host
records of it is never learned again.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from cogmem.errors import CogmemError, InvalidInput
from cogmem.records import Record, Remembered, new_uid
from cogmem.store.policy import number
from cogmem.text.lines import DATA, framed, line, memory_text
from cogmem.turn.activation import Activation
from cogmem.turn.block import Item
from cogmem.turn.caches import Cache, Throttle
from cogmem.turn.hybrid import Hybrid, OneVector
from cogmem.turn.message_list import before_system, query_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from typing import Any

    from cogmem.scope import Scope
    from cogmem.search.recalled import Recalled
    from cogmem.search.vectors import Nearness
    from cogmem.space import Instant, Space
    from cogmem.turn.message_list import Message

PINNED_ROWS = 50  # of one kind
LEAST_RECALLED = 3
PARTITIONS = ("global", "user")
FRAME = f"From earlier conversations ({DATA}):\n"


class Entry(Record):
    """One memory of a block."""

    uid: str
    kind: str
    text: str
    is_pinned: bool


class Assembler:
    """Assembles blocks for one memory. One per process will do; threads may share it.

    `budget` is in tokens and covers the whole block; None: the setting budget_tokens. `partitions`
    narrows what is seen to what is the user's own, or everyone's. `search` joins vectors to the words.
    `pinned` and `recalled` name kinds; None: all that the registry pins or calls baseline, and all others in use.
    """

    def __init__(
        self,
        space: Space,
        recall: Callable[..., Sequence[Recalled]],
        nearness: Callable[[str], Nearness | None],
        *,
        pinned: Sequence[str] | None = None,
        recalled: Sequence[str] | None = None,
        most: int = 10,
        budget: int | None = None,
        partitions: Sequence[str] | None = None,
        pinned_ms: int = 30_000,
        recall_ms: int = 10_000,
        concurrency: int = 4,
        enabled: bool = True,
        search: Hybrid | None = None,
        record: Callable[..., None] | None = None,
    ) -> None:
        if most < 1 or concurrency < 1:
            raise InvalidInput("most and concurrency are numbers of at least 1")
        self.space = space
        self._recall = recall
        self._nearness = nearness
        self.pinned = pinned
        self.recalled = recalled
        self.most = most
        self.budget = budget
        self.partitions = PARTITIONS if partitions is None else normalised(partitions)
        self.concurrency = concurrency
        self.enabled = enabled
        self.fault = ""  # why the latest block is missing, or a kind of it
        self._search = search or Hybrid(self._words)
        self._record = record
        self._pinned = Cache(pinned_ms)
        self._found = Cache(recall_ms)
        self._throttle = Throttle()

    def before(
        self, messages: Sequence[Message], *, now: Instant = None, **scope: str
    ) -> list[Message]:
        """The messages with the block before their system text; as they were where there is none."""
        if not self.enabled:
            return list(messages)
        try:
            block = self.block(query_from(messages), now=now, **scope)
        except CogmemError as error:
            self.fault = str(error)
            return list(messages)
        return before_system(messages, block)

    def block(self, query: str, *, now: Instant = None, **scope: str) -> str:
        """The block as text; '' if nothing is known."""
        started = time.perf_counter_ns()
        at = self.space.instant(now)
        place = self._place(scope)
        entries, is_new = self._entries(query, place, at)
        count = self.space.store.counter.count
        allowed = self.budget
        if allowed is None:
            allowed = int(number(self.space.store.settings(), "budget_tokens"))
        text, shown, tokens = _fitted(entries, allowed, count)
        if is_new and shown and self._record is not None and not self.space.db.read_only:
            items = [_item(entry, place_, count) for place_, entry in enumerate(shown)]
            told = Activation("", text, tokens, allowed, items, new_uid("turn"))
            elapsed = (time.perf_counter_ns() - started) // 1000
            self._record(told, place, query, self.space.store.counter.name, elapsed, at)
        return text

    def entries(self, query: str, *, now: Instant = None, **scope: str) -> list[Entry]:
        """The memories of a block: pinned ones, then those that the query recalls, kind by kind."""
        return self._entries(query, self._place(scope), self.space.instant(now))[0]

    def measures(self) -> dict[str, int]:
        """How often the caches helped."""
        return {
            "pinned_hits": self._pinned.hits,
            "pinned_misses": self._pinned.misses,
            "recall_hits": self._found.hits,
            "recall_misses": self._found.misses,
        }

    # -- choosing --------------------------------------------------------------------------------

    def _place(self, scope: Mapping[str, str]) -> Scope:
        return self.space.scope.replacing(
            **scope, own="user" in self.partitions, shared="global" in self.partitions
        )

    def _entries(self, query: str, place: Scope, now: int) -> tuple[list[Entry], bool]:
        """What to show, and whether it was put together anew."""
        self.fault = ""
        version = self.space.db.read("assembler.version")[0][0]
        query = query.strip()
        if query:
            again = self._throttle.reusable(place, query, version, now)
            if again is not None:
                return list(again), False
        always, asked = self._kinds()
        with ThreadPoolExecutor(self.concurrency) as pool:
            embedding = pool.submit(self._search.vector, query) if query else None
            pinned: dict[str, Entry] = {}
            for kind in always:
                for entry in self._pinned_of(kind, place, version, now):
                    pinned.setdefault(entry.uid, entry)
            recalled: dict[str, Entry] = {}
            if query and asked and embedding is not None:
                vector = embedding.result()
                room = max(self.most - len(pinned), LEAST_RECALLED)
                each = room // len(asked) + 1
                near = self._nearness(query)
                if (
                    near is not None
                ):  # the kinds are searched at once, and each would embed the query
                    near.embedder = OneVector(near.embedder)
                options = {
                    "user": place.user,
                    "project": place.project,
                    "session": place.session,
                    "partitions": self.partitions,
                    "near": near,
                    "now": now,
                }
                waiting = [
                    pool.submit(
                        self._recalled_of, kind, query, each, place, version, options, vector
                    )
                    for kind in asked
                ]
                for found in waiting:
                    for entry in found.result():
                        if entry.uid not in pinned:
                            recalled.setdefault(entry.uid, entry)
                recalled = dict(list(recalled.items())[:room])
        entries = [*pinned.values(), *recalled.values()][: self.most]
        if query:
            self._throttle.put(place, query, tuple(entries), version, now)
        return entries, True

    def _kinds(self) -> tuple[list[str], list[str]]:
        """The kinds that come always, and those that a query recalls: by policy, or as the caller says."""
        rows = self.space.db.rows("assembler.kinds")
        always = [row["name"] for row in rows if row["is_pinned"] or row["is_baseline"]]
        if self.pinned is not None:
            always = self._named(self.pinned)
        asked = [row["name"] for row in rows]
        if self.recalled is not None:
            asked = self._named(self.recalled)
        return always, [kind for kind in asked if kind not in always]

    def _named(self, words: Sequence[str]) -> list[str]:
        """Kinds as the registry calls them. A word that it does not know finds nothing, and is told."""
        found = []
        for word in words:
            kind, note = self.space.store.kind(word)
            if note:
                self.fault = f"{word}: this kind is not registered: `cogmem kind list` shows them"
            found.append(word if note else kind.name)
        return list(dict.fromkeys(found))

    def _pinned_of(self, kind: str, place: Scope, version: int, now: int) -> list[Entry]:
        key: Hashable = (place, kind)
        known = self._pinned.get(key, version, now)
        if known is not None:
            return list(known)
        try:
            wanted = {"kind": kind, "now": now, "limit": PINNED_ROWS, **place.viewer()}
            rows = [Remembered(row) for row in self.space.db.rows("assembler.pinned", wanted)]
        except CogmemError as error:
            self.fault = f"{kind}: {error}"
            return []
        entries = [
            Entry(row.uid, row.kind, memory_text(row.layer, row.key, row.content), True)
            for row in rows
        ]
        self._pinned.put(key, version, now, tuple(entries))
        return entries

    def _recalled_of(
        self,
        kind: str,
        query: str,
        limit: int,
        place: Scope,
        version: int,
        options: dict[str, Any],
        vector: Any,
    ) -> list[Entry]:
        """What a kind has to say; one that fails says nothing, and the others are shown."""
        key: Hashable = (place, kind, query, limit)
        now = options["now"]
        known = self._found.get(key, version, now)
        if known is not None:
            return list(known)
        try:
            found = self._search.search(query, kind, limit, options, vector)
        except Exception as error:  # also a search of the caller's own
            self.fault = f"{kind}: {error}" if isinstance(error, CogmemError) else f"{kind}: failed"
            return []
        entries = [
            Entry(one.uid, one.kind, memory_text(one.layer, one.key, one.content), False)
            for one in found
        ]
        self._found.put(key, version, now, tuple(entries))
        return entries

    def _words(
        self, query: str, kind: str, limit: int, options: dict[str, Any]
    ) -> Sequence[Recalled]:
        return self._recall(
            query,
            kind=kind,
            state="active",
            limit=limit,
            messages=False,
            strengthen=False,
            **options,
        )


def normalised(partitions: Sequence[str]) -> tuple[str, ...]:
    """Partitions in one order, each once; none means the user's own."""
    names = sorted({name.strip() for name in partitions if name.strip()})
    unknown = [name for name in names if name not in PARTITIONS]
    if unknown:
        raise InvalidInput(f"partition {unknown[0]!r} is not known: use user or global")
    return tuple(names) or ("user",)


def _fitted(
    entries: Sequence[Entry], allowed: int, count: Callable[[str], int]
) -> tuple[str, list[Entry], int]:
    """The block of as many entries as the budget bears; one that is too long leaves room for the next."""
    shown: list[Entry] = []
    text, tokens = "", 0
    for entry in entries:
        longer = _rendered([*shown, entry])
        cost = count(before_system((), longer)[0]["content"])
        if cost <= allowed:
            shown.append(entry)
            text, tokens = longer, cost
    return text, shown, tokens


def _rendered(entries: Sequence[Entry]) -> str:
    """Bullets below their kind, so that each line is the memory itself."""
    kinds = dict.fromkeys(entry.kind for entry in entries)
    sections = [
        (f"{kind}:\n", [line(entry.text) for entry in entries if entry.kind == kind], "")
        for kind in kinds
    ]
    return framed(FRAME, sections, "")


def _item(entry: Entry, position: int, count: Callable[[str], int]) -> Item:
    said = line(entry.text)
    item = Item(entry.uid, "A" if entry.is_pinned else "B", entry.kind, said, count(said))
    item.stage = "chosen"
    item.position = position
    return item
