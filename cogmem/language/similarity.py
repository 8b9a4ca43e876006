"""How alike two texts are, and what to do with a new memory that resembles stored ones.

Each token owns a row of 256 values -1, 0 or +1 (1/6, 2/3, 1/6) that is drawn from a hash of the
token. The sum of a text's rows, scaled to unit length, is its projection, and the cosine of two
projections is close to the cosine of the two texts' word counts. Rows need no vocabulary and no
fitting, so a projection is stored beside its memory, is the same on every machine, and stays valid
whatever is added later. It keeps one signed byte per dimension: 256 bytes a memory instead of
1,024, with a rounding error (0.002) far below the error of the projection itself (0.03).

That error is why a merge is never decided by projections alone: the exact cosine of the counts must
confirm it, and the two texts must say the same (see `contradiction`).
"""

from __future__ import annotations

import struct
import unicodedata
from collections import Counter
from functools import lru_cache
from math import dist, sqrt

from cogmem.errors import InvalidInput
from cogmem.language.contradiction import canonical, contains, difference
from cogmem.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Choice = Literal["reinforce", "merge", "judge", "add"]

DIMENSIONS = 256
_SCALE = 256  # a unit vector's components stay well below 127/256
_MOST_TOKENS = 30_000  # more tell nothing new about a text
SAME = 0.95  # similarity from which a new text only strengthens the old one
_FITTING = 127  # rows that add up within a byte


class Verdict(NamedTuple):
    """What to do with a new text: which memory it meets, how alike they are, and why."""

    action: Choice
    uid: str
    similarity: float
    reason: str


def tokens(text: str) -> list[str]:
    """Split a text into lower-case words and numbers, and Chinese or Japanese into pairs.

    Plural and singular and everyday synonyms are one token; articles and single Latin letters are
    none, as they say nothing about a text.
    """
    if text.isascii():
        words = text.lower().replace("n't", " not").translate(_ASCII_BREAKS).split()
    else:
        text = unicodedata.normalize("NFC", text).casefold().replace("n’t", " not")
        words = []
        for word in "".join(c if c.isalnum() else " " for c in text).split():
            words.extend([word] if word.isascii() else _runs(word))
    known = map(canonical, words)
    return [w for w in known if w not in _ARTICLES and (len(w) > 1 or w > "z" or w.isdigit())]


_ARTICLES = ("the", "an")
_ASCII_BREAKS = {code: " " for code in range(128) if not chr(code).isalnum()}


def _runs(word: str) -> list[str]:
    """Cut a word where its script changes to one without spaces, and that one into pairs."""
    runs: list[str] = []
    start = 0
    for end in range(1, len(word) + 1):
        if end < len(word) and _unspaced(word[end]) == _unspaced(word[start]):
            continue
        run = word[start:end]
        if _unspaced(run[0]) and len(run) > 1:
            runs.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            runs.append(run)
        start = end
    return runs


def _unspaced(character: str) -> bool:
    return (
        "\u3040" <= character <= "\u30ff"
        or "\u3400" <= character <= "\u9fff"
        or ("\uf900" <= character <= "\ufaff" or "\U00020000" <= character <= "\U0003ffff")
    )


@lru_cache(maxsize=8)  # a new text is compared first and stored next
def embed(text: str) -> bytes:
    """Project a text; a text without tokens gives zeros."""
    words = tokens(text)[:_MOST_TOKENS]
    shift = len(words)
    lanes = _sum(words) if shift <= _FITTING else _long_sum(words)
    # Few different values stand in the lanes: each is counted, squared and scaled once.
    values = {*lanes}
    squares = sum([lanes.count(value) * (value - shift) ** 2 for value in values])
    if not squares:
        return bytes(DIMENSIONS)
    scale = min(_SCALE / sqrt(squares), 127 / max(shift - min(values), max(values) - shift))
    scaled = {value: round((value - shift) * scale) & 255 for value in values}
    if isinstance(lanes, bytes):
        table = bytearray(256)
        for value, its in scaled.items():
            table[value] = its
        return lanes.translate(table)
    return bytes(map(scaled.__getitem__, lanes))


def _sum(words: list[str]) -> bytes:
    """Return the sum of the words' rows, each raised by one, a byte for a lane."""
    return sum(map(_row, words)).to_bytes(DIMENSIONS, "little")


def _long_sum(words: list[str]) -> list[int]:
    """Return the same for more words than a byte can hold."""
    parts = [_sum(words[at : at + _FITTING]) for at in range(0, len(words), _FITTING)]
    return [sum(lane) for lane in zip(*parts, strict=True)]


_THIRDS = bytes(0 if byte < 43 else 2 if byte >= 213 else 1 for byte in range(256))


@lru_cache(maxsize=8192)
def _row(token: str) -> int:
    """Return the token's row, each value raised by one, as the bytes of one integer: a sum is one addition."""
    from hashlib import shake_256  # with OpenSSL behind it: a turn compares by words alone

    return int.from_bytes(shake_256(token.encode()).digest(DIMENSIONS).translate(_THIRDS), "little")


def cosine(a: bytes, b: bytes) -> float:
    """Return the cosine of two projections; with an empty text it is 0."""
    if len(a) != DIMENSIONS or len(b) != DIMENSIONS:
        raise InvalidInput(
            f"A projection has {DIMENSIONS} bytes, not {len(a)} or {len(b)}; run `cogmem file rebuild`."
        )
    (left, left_squares), (right, right_squares) = _measured(a), _measured(b)
    lengths = sqrt(left_squares) * sqrt(right_squares)
    if not lengths:
        return 0.0
    # How far apart they end gives their product, and C finds it five times as fast. The rounding
    # error is far below 1, so the whole number is exact.
    return round((left_squares + right_squares - dist(left, right) ** 2) / 2) / lengths


@lru_cache(maxsize=64)
def _measured(projection: bytes) -> tuple[tuple[int, ...], int]:
    """Return the values of a projection, each raised by 128, and the sum of their squares as they were."""
    values = struct.unpack("256B", projection.translate(_RAISED))
    return values, round(dist(values, _ZERO) ** 2)


# Numbers from 0 to 255 are there already, most negative ones would have to be made.
_RAISED = bytes((byte + 128) % 256 for byte in range(256))
_ZERO = (128.0,) * DIMENSIONS


def exact_cosine(a: str, b: str) -> float:
    """Return the cosine of two texts' token counts."""
    left, right = Counter(tokens(a)), Counter(tokens(b))
    lengths = sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    if not lengths:
        return 0.0
    return sum(count * right[token] for token, count in left.items()) / lengths


def classify(
    new: str,
    candidates: Iterable[tuple[str, str, bytes]],
    merge: float = 0.7,
    add: float = 0.3,
) -> Verdict:
    """Decide between strengthening a stored memory, merging with it, judging, and adding.

    Candidates are (uid, text, projection). Thresholds that make no sense fall back to the defaults.
    """
    merge = merge if merge > 0 else 0.7
    add = add if 0 < add < merge else 0.3
    same = max(SAME, merge)
    projection = embed(new)
    ranked = sorted(
        ((cosine(projection, stored), uid, text) for uid, text, stored in candidates),
        key=lambda candidate: (-candidate[0], candidate[1]),
    )
    if not ranked or ranked[0][0] <= 0:
        return Verdict("add", "", 0.0, "nothing comparable is stored")
    apart = ""
    for similarity, uid, text in ranked:
        if similarity < merge:
            break
        exact = exact_cosine(new, text)
        differs = difference(text, new)
        if differs is None and exact >= merge:
            if similarity >= same and exact >= same:
                return Verdict("reinforce", uid, similarity, "says the same")
            return Verdict("merge", uid, similarity, "says the same in other words or more fully")
        apart = apart or (
            f"alike, but {differs}"
            if differs
            else f"alike, but the words agree only to {exact:.2f}"
        )
    similarity, uid, _ = ranked[0]
    if similarity <= add:
        return Verdict("add", uid, similarity, "the closest memory is about something else")
    return Verdict("judge", uid, similarity, apart or "related, and neither the same nor apart")


def merge_text(old: str, new: str) -> str:
    """Join two texts that say the same: the fuller one, or one after the other."""
    old, new = old.strip(), new.strip()
    if contains(old, new):
        return old
    if contains(new, old):
        return new
    return f"{old.rstrip('.')}. {new}"
