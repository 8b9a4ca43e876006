"""LangGraph: a store (BaseStore) whose items are memories.

    store = MemoryStore(mem, index={"dims": 384, "embed": embed})
    store.put(("users", "ada"), "drink", {"text": "Ada takes her coffee black."})
    graph = builder.compile(store=store)

An item is a memory of kind `item`. Its key is `users.ada/drink`, its content what the index names (else
the whole value, in words), and `data` holds the value to the letter. It never fades; a time to live ends
it. Without an index a query ranks by words, with one by the cosine of vectors, which go with the memory.
What a query does not rank follows unscored, as in LangGraph's own stores.
"""

# Types are checked also where the package is missing, and all of it is Any then.
# mypy: disable-error-code="import-not-found,misc,no-any-return,unused-ignore"

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import takewhile
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    validate_op_namespace,
)

from cogmem.errors import GuardRefused, InvalidInput
from cogmem.frameworks.json_filter import equal_in_sql, passes
from cogmem.guard import guard
from cogmem.language.cue import read_cue
from cogmem.search.vectors import BATCH, READ, cosines, packed
from cogmem.store.items import KIND, Items, held
from cogmem.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from cogmem.memory import Memory

    # Texts to vectors; the flag says that the one text is a question, which some models embed otherwise.
    Embed = Callable[[list[str], bool], list[list[float]]]

SOURCE = "inferred"  # programs and models write items, no person does
UNSEEN = "(not indexed)"  # a memory says something; an item may be none of the search's business
MINUTE = 60_000
AT_HAND = 20_000  # items whose vectors stay in memory
REFRESH = 20  # a read moves an item's end when a 20th of its time is over, not with each read


class MemoryStore(BaseStore):
    """Items of one memory, in namespaces."""

    supports_ttl = True

    def __init__(
        self,
        mem: Memory,
        *,
        index: Mapping[str, Any] | None = None,
        ttl: Mapping[str, Any] | None = None,
    ) -> None:
        self.mem = mem
        self.items = Items(mem)
        self.index_config = dict(index) if index else None
        self.ttl_config = dict(ttl) if ttl else None  # type: ignore[assignment]
        self.embeddings = ensure_embeddings(index.get("embed")) if index else None
        self._model = _model_name(self.embeddings, (index or {}).get("dims"))
        self._at_hand: dict[tuple[str, str], list[bytes]] = {}  # vectors, by what a row says
        # One thread: calls of one program are done in the order in which they were made.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="cogmem-store")

    # -- what LangGraph calls --------------------------------------------------------------------

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Answer all reads, then write: of several writes to one item the last one counts."""
        model: Any = self.embeddings

        def embed(texts: list[str], asks: bool) -> list[list[float]]:
            return [model.embed_query(texts[0])] if asks else model.embed_documents(texts)

        return self._batch(list(ops), embed)

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Return the same in a thread; an embedder that can only wait does so in the caller's loop."""
        loop = asyncio.get_running_loop()
        model: Any = self.embeddings

        async def embedded(texts: list[str], asks: bool) -> list[list[float]]:
            if asks:
                return [await model.aembed_query(texts[0])]
            return await model.aembed_documents(texts)

        def embed(texts: list[str], asks: bool) -> list[list[float]]:
            return asyncio.run_coroutine_threadsafe(embedded(texts, asks), loop).result()

        return await loop.run_in_executor(self._thread, self._batch, list(ops), embed)

    def sweep_ttl(self) -> int:
        """Remove the items whose time is over; returns how many. No read ever returns them."""
        return self.items.remove_expired(_now())

    def _batch(self, ops: list[Any], embed: Embed) -> list[Any]:
        for op in ops:
            validate_op_namespace(op)
        now = _now()
        answers: list[Any] = []
        puts: dict[str, PutOp] = {}
        for op in ops:
            answers.append(None)
            match op:
                case GetOp():
                    rows = self.items.at([_key(op.namespace, op.key)], now)
                    if op.refresh_ttl:
                        self._refresh(rows, now)
                    answers[-1] = Item(**_item(rows[0])) if rows else None
                case SearchOp():
                    answers[-1] = self._search(op, now, embed)
                case ListNamespacesOp():
                    answers[-1] = self._namespaces(op, now)
                case PutOp():
                    key = _key(op.namespace, op.key)
                    puts.pop(key, None)
                    puts[key] = op
                case _:
                    name = type(op).__name__
                    raise InvalidInput(f"{name} is not an operation of a LangGraph store")
        if gone := [key for key, op in puts.items() if op.value is None]:
            self.items.remove(gone, now)
        kept = {key: op for key, op in puts.items() if op.value is not None}
        for key, op in kept.items():
            self._put(key, op, now)
        if kept and self.embeddings is not None:  # what is put is ready for search
            self._vectors(self.items.at(kept, now), embed, now)
        return answers

    def _search(self, op: SearchOp, now: int, embed: Embed) -> list[SearchItem]:
        query = (op.query or "").strip()
        last = min(op.offset + op.limit, 1 << 62)
        ranked: list[tuple[dict[str, Any], float | None]] = []
        if query and self.embeddings is not None:
            ranked = self._by_meaning(self._fitting(op, now, -1), query, embed, now)
        else:
            if query:
                ranked += self._by_words(op, query, now, -1 if op.filter else last)
            if len(ranked) < last:
                scored = {row["uid"] for row, _ in ranked}
                rest = self._fitting(op, now, last)
                ranked += [(row, None) for row in rest if row["uid"] not in scored]
        ranked = ranked[op.offset : last]
        if op.refresh_ttl:
            self._refresh([row for row, _ in ranked], now)
        return [SearchItem(**_item(row), score=score) for row, score in ranked]

    def _fitting(self, op: SearchOp, now: int, most: int) -> list[dict[str, Any]]:
        """Return the latest items that the filter lets through. SQL knows of most that it does not; where it let too
        many through, more are asked for."""
        asked = most
        while True:
            place, equal = _range(op.namespace_prefix), equal_in_sql(op.filter)
            rows = self.items.below(place, now, equal=equal, limit=asked)
            found = [row for row in rows if _passes(row, op.filter)]
            if asked < 0 or len(rows) < asked or len(found) >= most:
                return found
            asked *= 4

    def _by_words(
        self, op: SearchOp, query: str, now: int, most: int
    ) -> list[tuple[dict[str, Any], float]]:
        words = frozenset(self.mem.store.settings()["stop_words"].split())
        match = read_cue(query, None, words).match
        if not match:
            return []
        # The key is the name of a place: it says nothing about what lies there.
        match = f"{{content terms}} : ({match})"
        rows = self.items.by_words(_range(op.namespace_prefix), now, match=match, limit=most)
        best = max((row["score"] for row in rows), default=0.0) or 1.0
        return [(row, row["score"] / best) for row in rows if _passes(row, op.filter)]

    def _by_meaning(
        self, rows: list[dict[str, Any]], query: str, embed: Embed, now: int
    ) -> list[tuple[dict[str, Any], float | None]]:
        """Return the likest first: an item counts as much as the likest of its texts."""
        asked = _unit(embed([query[:READ]], True)[0])
        near: dict[str, float] = {}
        if asked is not None:
            vectors = self._vectors(rows, embed, now)
            pairs = [(uid, one) for uid, many in vectors.items() for one in many]
            flat = [(uid, one) for uid, one in pairs if len(one) == len(asked)]
            found = cosines(asked, [one for _, one in flat])
            for (uid, _), cosine in zip(flat, found, strict=True):
                near[uid] = max(cosine, near.get(uid, -1.0))
        rows = sorted(rows, key=lambda row: -near.get(row["uid"], -2.0))  # unlike all: the last
        return [(row, near.get(row["uid"])) for row in rows]

    def _namespaces(self, op: ListNamespacesOp, now: int) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        plain = next((c.path for c in conditions if c.match_type == "prefix"), ())
        names = self.items.namespaces(_range([*takewhile("*".__ne__, plain)]), now)
        found = {tuple(map(unquote, name.split("."))) for name in names}
        fit = {
            name[: op.max_depth]
            for name in found
            if all(_matches(name, c.match_type, tuple(c.path)) for c in conditions)
        }
        return sorted(fit)[op.offset : op.offset + op.limit]

    # -- writing ---------------------------------------------------------------------------------

    def _put(self, key: str, op: PutOp, now: int) -> None:
        self.items.know_the_kind(now)
        assert op.value is not None
        try:
            value = json.dumps(dict(op.value))
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"the value of {key} cannot be kept as JSON: {error}") from None
        words = _in_words(op.value)
        result = guard.apply(guard.normalise(words), guard.POLICIES[SOURCE])
        if result.verdict == "reject":
            raise GuardRefused(guard.explain(result.findings))
        if "$" not in self._fields(op.index):
            words = "\n".join(self._texts(op.value, op.index))
        # What cogmem itself put into the prompt is an item if the agent says so, but says nothing.
        said = self.mem.store.without_echo(guard.normalise(words))[0]
        data = {"value": value, "index": op.index, "ttl_minutes": op.ttl}
        for _ in range(2):  # the same words without a key get this one first, then the value
            learned = self.mem.learn(
                said or UNSEEN,
                KIND,
                key=key,
                source=SOURCE,
                state="active",
                data=data,
                expires_at=None if op.ttl is None else _end(now, op.ttl),
                profile="ok",
                now=now,
            )
            if learned.outcome in ("inserted", "updated"):
                break

    def _refresh(self, rows: Sequence[Mapping[str, Any]], now: int) -> None:
        ends = []
        for row in rows:
            if row["expires_at"] is not None and (minutes := held(row).get("ttl_minutes")):
                end = _end(now, minutes)
                if (end - row["expires_at"]) * REFRESH >= minutes * MINUTE:
                    ends.append((row["uid"], end))
        self.items.refresh(ends, now)

    # -- texts and vectors -----------------------------------------------------------------------

    def _fields(self, index: Any) -> Sequence[str]:
        """Return the paths that an item's index names, $ being the whole value; none: it is not searched."""
        if index is False:
            return []
        return ((self.index_config or {}).get("fields") if index is None else index) or ["$"]

    def _texts(self, value: Mapping[str, Any], index: Any) -> list[str]:
        """Return the texts of a value that its index names, each embedded by itself."""
        found = [text for path in self._fields(index) for text in get_text_at_path(value, path)]
        return [*dict.fromkeys(text[:READ] for text in found if text.strip())]

    def _vectors(
        self, rows: Sequence[dict[str, Any]], embed: Embed, now: int
    ) -> dict[str, list[bytes]]:
        """Vectors by uid. Those that are missing are made: a new embedder gets its own. An item says the same as long
        as its row does, so its vectors are at hand when it is asked for again."""
        found = {row["uid"]: self._at_hand.get((row["content_hash"], row["data"])) for row in rows}
        others = [row for row in rows if found[row["uid"]] is None]
        named = {
            row["uid"]: {
                (row["content_hash"], f"{self._model}#{lines.hash_of(text)[:16]}"): text
                for text in self._texts(_value(row), held(row).get("index"))
            }
            for row in others
        }
        hashes = {row["content_hash"] for row in others}
        names_of = (f"{self._model}#", f"{self._model}$")
        kept = self.items.vectors(hashes, names_of) if hashes else {}
        texts = {name: text for names in named.values() for name, text in names.items()}
        lacking = [name for name in texts if name not in kept]
        for at in range(0, len(lacking), BATCH):
            batch = lacking[at : at + BATCH]
            made = embed([texts[name] for name in batch], False)
            if len(made) != len(batch):
                raise InvalidInput(f"the embedder gave {len(made)} vectors for {len(batch)} texts")
            units = {name: _unit(v) for name, v in zip(batch, made, strict=True)}
            fresh = {name: vector for name, vector in units.items() if vector is not None}
            kept.update(fresh)
            self.items.keep_vectors(fresh, now)
        if len(self._at_hand) + len(others) > AT_HAND:
            self._at_hand.clear()
        for row in others:
            vectors = [kept[name] for name in named[row["uid"]] if name in kept]
            found[row["uid"]] = self._at_hand[row["content_hash"], row["data"]] = vectors
        return {uid: vectors or [] for uid, vectors in found.items()}


def _now() -> int:
    return time.time_ns() // 1_000_000


def _end(now: int, minutes: float) -> int:
    return min(now + round(minutes * MINUTE), 1 << 62)


def _item(row: dict[str, Any]) -> dict[str, Any]:
    namespace, _, key = row["key"].partition("/")
    parts = [key, *namespace.split(".")]
    key, *labels = map(unquote, parts) if "%" in row["key"] else parts
    return {
        "namespace": tuple(labels),
        "key": key,
        "value": _value(row),
        "created_at": datetime.fromtimestamp(row["created_at"] / 1000, UTC),
        "updated_at": datetime.fromtimestamp(row["updated_at"] / 1000, UTC),
    }


def _value(row: dict[str, Any]) -> Any:
    """Return the value of an item; it is read once."""
    if "read" not in row:
        row["read"] = json.loads(held(row)["value"])
    return row["read"]


def _key(namespace: Sequence[str], key: str) -> str:
    return f"{_joined(namespace)}/{_written(key)}"


def _joined(namespace: Sequence[str]) -> str:
    return ".".join(_written(label).replace("/", "%2F") for label in namespace)


def _written(part: str) -> str:
    """Return a part of a key as it is stored: two that differ stay different, whatever is in them."""
    if guard.normalise(part) == part == lines.one_line(part):
        return part.replace("%", "%25")
    return quote(part, safe="/", errors="surrogatepass")


def _range(namespace: Sequence[str]) -> tuple[str, str]:
    """Return the keys below a namespace: '.' leads deeper, '/' to its items, and they are neighbours."""
    if not namespace:
        return "", "\U0010ffff"
    return f"{_joined(namespace)}.", f"{_joined(namespace)}0"


def _matches(name: tuple[str, ...], where: str, path: tuple[str, ...]) -> bool:
    if len(name) < len(path):
        return False
    part = name[: len(path)] if where == "prefix" else name[len(name) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


def _in_words(value: Mapping[str, Any]) -> str:
    """Return a value as people read it: `name: text` by lines, or the one text that is all of it."""
    found = [*_leaves("", value)]
    return found[0][1] if len(found) == 1 else "\n".join(map(": ".join, found))


def _leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) or hasattr(value, "items"):
        for key, one in value.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _leaves(name, one)
    elif value is not None and str(value).strip():
        yield name, str(value)


def _passes(row: dict[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return not wanted or passes(_value(row), wanted)


def _unit(vector: Sequence[float]) -> bytes | None:
    """Return a vector as it is stored; one without a direction is like nothing."""
    try:
        return packed(vector)
    except InvalidInput:
        return None


def _model_name(embeddings: Any, dims: Any) -> str:
    """Name an embedder as well as it lets itself be named: vectors of two are never compared."""
    inner = getattr(embeddings, "func", None) or getattr(embeddings, "afunc", None)
    kind = inner if inner is not None else type(embeddings)
    name = f"{getattr(kind, '__module__', '')}.{getattr(kind, '__qualname__', kind)}"
    said = [getattr(embeddings, field, None) for field in ("model", "model_name", "model_id")]
    model = "".join([f":{one}" for one in said if isinstance(one, str)][:1])
    return f"langgraph:{name}{model}:{dims}".replace("#", "_")
