"""Secrets as people tell them, in ten languages: half of the sentences tuned the guard, the others only judge it.

Modules: numbers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cogmem.guard import guard
from cogmem.guard.glance import may_tell

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "fixtures/guard_told.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]
MARKED = re.compile("⟦(.+?)⟧")


def told(half: str, kind: str) -> list[str]:
    return [text for where, what, text in ROWS if (where, what) == (half, kind)]


def is_kept(marked: str) -> bool:
    """Whether a value is still there after the guard; the glance must send the sentence to it."""
    text = MARKED.sub(r"\1", marked)
    kept = guard.apply(text, guard.POLICIES["record"]).text
    return any(value in kept for value in MARKED.findall(marked)) or not may_tell(text)


def test_nearly_every_sentence_that_tuned_the_guard_loses_its_secret() -> None:
    texts = told("tuned", "secret")
    kept = [text for text in texts if is_kept(text)]
    assert len(texts) >= 300
    assert len(kept) <= len(texts) * 0.02, kept


def test_of_the_sentences_held_back_nine_in_ten_lose_theirs() -> None:
    texts = told("held back", "secret")
    kept = [text for text in texts if is_kept(text)]
    assert len(texts) >= 90
    assert len(kept) <= len(texts) / 10, kept


@pytest.mark.parametrize("half", ["tuned", "held back"])
def test_hardly_any_sentence_that_only_looks_like_one_is_touched(half: str) -> None:
    texts = told(half, "harmless")
    touched = [
        text
        for text in texts
        if any(found.kind == "secret" for found in guard.inspect(text, with_orders=False))
    ]
    assert len(texts) >= 60
    assert len(touched) <= len(texts) * 0.01, touched
