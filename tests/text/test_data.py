"""Lists of words, weights and patterns as they lie in cogmem/data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cogmem.text import data


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(data, "FOLDER", str(tmp_path))
    (tmp_path / "patterns").mkdir()
    return tmp_path


def test_a_pattern_is_the_lines_below_its_head_with_what_was_named_before(folder: Path) -> None:
    (folder / "patterns" / "birds.txt").write_text(
        "# what flies\nBIRD = heron\n  |stork\n[a bird] seen\n  (?:{BIRD})s?\n  |\\p{L}{2,}\n[tail]\n   x\n"
    )
    assert data.patterns("birds") == [
        ("a bird", "seen", r"(?:heron|stork)s?|\p{L}{2,}"),
        ("tail", "", " x"),
    ]


def test_lists_and_weights_pass_over_remarks(folder: Path) -> None:
    (folder / "lists.txt").write_text("# a list\n[one]\na b\n\nc\n[two]\nd\n")
    (folder / "sums.txt").write_text("# sums\nfirst message 0.5\nlate\t-2\n")
    assert data.words("lists") == {"one": "a b\nc", "two": "d"}
    assert data.weights("sums") == {"first message": 0.5, "late": -2.0}


@pytest.mark.parametrize("file", sorted((Path(data.FOLDER) / "patterns").iterdir()))
def test_every_shipped_pattern_can_be_compiled(file: Path) -> None:
    re2 = pytest.importorskip("re2")
    for name, _, text in data.patterns(file.stem):
        engine = re2 if file.stem in ("letters", "secrets", "told_secrets", "order_signs") else re
        if file.stem != "injections":
            assert engine.compile(text), name
