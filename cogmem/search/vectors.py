"""Vectors beside words, for those who add an embedder. Nothing needs them, and no hook makes any.

An embedder is anything with a name and one method. `embed_missing` gives vectors to the memories
and messages that have none yet, the latest first, in short transactions: call it at night or from a
background thread, stop it whenever you like, and the next call goes on. A `Nearness` compares a
prompt with texts that the search by words has found; it lifts those that mean the same.

Vectors are stored by what they were made of, so equal texts share one and an edit leaves no stale
one behind. Another model's vectors stand beside them and are never compared.
"""

from __future__ import annotations

from math import isfinite, sqrt
from operator import mul
from struct import pack, unpack

from cogmem.errors import InvalidInput
from cogmem.records import json_list, json_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    from cogmem.file.db import Database, Step

    class Embedder(Protocol):
        """A name under which vectors are stored, and texts to vectors of one length."""

        @property
        def model(self) -> str: ...

        def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


BATCH = 32  # texts that are embedded, and stored, at a time
LIKE = 0.4  # cosine from which a message counts although it shares no word with the prompt
FEW = 25  # of those
MANY = 500  # texts compared at a time, from which all vectors are gone through if they are few
READ = 8_000  # characters of a text that an embedder gets: models read no more


def embed_missing(
    db: Database,
    embedder: Embedder,
    *,
    limit: int | None,
    now: int,
    actor: str = "embed",
    progress: Callable[[int], None] | None = None,
) -> int:
    """Give vectors to up to `limit` texts that have none; returns how many. 0: all have one."""
    done = 0
    limit = 1 << 62 if limit is None else limit
    for source in ("vectors.missing_memories", "vectors.missing_messages"):
        below = 1 << 62
        while done < limit:
            asked = {"model": embedder.model, "below": below, "limit": min(BATCH, limit - done)}
            rows = db.read(source, asked)
            if not rows:
                break
            below = rows[-1][0]
            texts = {content_hash: text[:READ] for _, content_hash, text in rows}
            ids = {content_hash: number for number, content_hash, _ in rows}
            vectors = embedder.embed(list(texts.values()))
            if len(vectors) != len(texts):
                raise InvalidInput(
                    f"{embedder.model} gave {len(vectors)} vectors for {len(texts)} texts"
                )
            steps: list[Step] = [
                (
                    "vectors.store_of",
                    {
                        "id": ids[name],
                        "content_hash": name,
                        "model": embedder.model,
                        "now": now,
                        "vector": packed(vector),
                    },
                )
                for name, vector in zip(texts, vectors, strict=True)
            ]
            db.write(steps, verb="embed", actor=actor, at=now)
            done += len(rows)
            if progress is not None:
                progress(done)
    return done


class Nearness:
    """How near texts are to one prompt, by the vectors of one model.

    If the prompt cannot be embedded, nothing is near and `fault` says why: words alone must do.
    """

    def __init__(self, db: Database, embedder: Embedder, prompt: str) -> None:
        self.db = db
        self.embedder = embedder
        self.prompt = prompt
        self.fault = ""
        self.cosines: dict[int, float] = {}  # of what was compared last, by place or id
        self._vector: bytes | None = None

    def to(self, hashes: Sequence[str]) -> dict[str, float]:
        """Cosines by content hash; a text that has no vector is left out."""
        model = self.embedder.model
        if len(hashes) >= MANY and self.db.is_so("vectors.are_few"):
            wanted = frozenset(hashes)  # to go through all costs a sixth of looking up each
            ends = {"first": min(wanted), "last": max(wanted)}
            every = self.db.read("vectors.between", {"model": model, **ends})
            rows = [row for row in every if row[0] in wanted]
        else:
            rows = self.db.read("vectors.of", {"model": model, "hashes": json_list(hashes)})
        if not rows or self.fault:
            return {}
        if self._vector is None:
            try:
                (vector,) = self.embedder.embed([self.prompt[:READ]])
            except Exception as error:  # someone else's code, often someone else's machine
                self.fault = f"{self.embedder.model} could not embed the prompt: {error}"
                return {}
            self._vector = packed(vector)
        size = len(self._vector)
        names = [name for name, vector in rows if len(vector) == size]
        vectors = [vector for _, vector in rows if len(vector) == size]
        return dict(zip(names, cosines(self._vector, vectors), strict=True))

    def messages(self, found: set[int], others: Sequence[int]) -> dict[int, float]:
        """Places that mean what the prompt means, from 1 for the nearest down to 0 (left out).

        `found` are those found by words; of the others only the nearest come in.
        """
        places = json_numbers(sorted(found.union(others)))
        return self._likest(found, self.db.read("vectors.messages_at", {"places": places}))

    def memories(self, found: set[int], others: Sequence[int]) -> dict[int, float]:
        """Return the same for memories, by their ids."""
        ids = json_numbers(sorted(found.union(others)))
        return self._likest(found, self.db.read("vectors.memories_at", {"ids": ids}))

    def _likest(self, found: set[int], rows: list[tuple[Any, ...]]) -> dict[int, float]:
        named = dict(rows)
        cosine = self.to(list(named.values()))
        near = {place: cosine[name] for place, name in named.items() if name in cosine}
        self.cosines = near
        if not near:
            return {}
        # Any two texts are a little alike; how much, a few of them do not tell.
        values = sorted(near.values())
        middle = values[len(near) // 2] if len(near) > FEW else 0.0
        reach = values[-1] - middle
        least = max(LIKE, values[max(0, len(values) - FEW)])
        likely = sorted([(-value, place) for place, value in near.items() if value >= least])
        belong = found | {place for _, place in likely[:FEW]}
        return {
            place: (value - middle) / reach
            for place, value in near.items()
            if value > middle and place in belong
        }


def packed(vector: Sequence[float]) -> bytes:
    """Return a vector of unit length as it is stored: little-endian float32."""
    numbers = [float(x) for x in vector]
    length = sqrt(sum(map(mul, numbers, numbers)))
    if not length or not isfinite(length):
        raise InvalidInput("an embedder gave a vector without a direction (zero, or not finite)")
    return pack(f"<{len(numbers)}f", *[x / length for x in numbers])


def cosines(vector: bytes, others: Sequence[bytes]) -> list[float]:
    """Products of a stored vector with others of its size; with numpy if it is there."""
    if not others:
        return []
    try:
        import numpy
    except ImportError:
        one = _unpacked(vector)
        return [sum(map(mul, one, _unpacked(other))) for other in others]
    table: Any = numpy.frombuffer(b"".join(others), "<f4").reshape(len(others), -1)
    found: list[float] = (table @ numpy.frombuffer(vector, "<f4")).tolist()
    return found


def _unpacked(vector: bytes) -> tuple[float, ...]:
    return unpack(f"<{len(vector) // 4}f", vector)
