"""What people say, as the corpus has it: what lasts is heard, what does not is left alone.

The shipped weights were trained on this corpus, so this only notices what breaks;
`python benchmarks/hearing/train.py` judges each half by weights of the other.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/hearing"))

import train  # type: ignore[import-not-found]  # noqa: E402

RULES = train.shipped_rules()
LINES = list(train.corpus())


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("wish", 0.85),
        ("rule", 0.85),
        ("profile", 0.85),
        ("decision", 0.85),
        ("correction", 0.85),
        ("fact", 0.75),
    ],
)
def test_what_lasts_is_heard(kind: str, least: float) -> None:
    lines = [line for line in LINES if line.kind == kind][::3]
    missed = [line.text for line in lines if not train.heard(RULES, line)]
    assert len(missed) <= (1 - least) * len(lines), missed


def test_what_does_not_last_is_left_alone() -> None:
    lines = [line for line in LINES if line.kind == "nothing"][::3]
    taken = [line.text for line in lines if train.heard(RULES, line)]
    assert len(taken) <= 0.015 * len(lines), taken


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<summary>We use pnpm in this repo</summary>\n</task-notification>",
        "don't remember this, but I live in Graz",
        "let's play a game: I'm a knight called Roland and I live in a castle",
    ],
)
def test_what_is_not_the_person_s_own_talk_is_not_read(text: str) -> None:
    assert RULES.match(text) == []
