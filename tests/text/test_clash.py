"""Two statements that cannot both hold are told from two that may: a corpus of pairs says how well."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem.text.clash import clash

PAIRS = Path(__file__).resolve().parents[2] / "benchmarks/hearing/pairs"


def pairs(name: str) -> list[tuple[bool, str, str]]:
    found, is_clash = [], False
    for line in (PAIRS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            is_clash = line == "# clash"
        else:
            one, other = line.split("|")
            found.append((is_clash, one, other))
    return found


@pytest.mark.parametrize(("name", "least"), [("tuned", 0.9), ("later", 0.9), ("held", 0.7)])
def test_what_cannot_both_hold_is_told_from_what_may(name: str, least: float) -> None:
    told = [(is_clash, clash(one, other) is not None) for is_clash, one, other in pairs(name)]
    right = told.count((True, True))
    assert right / (right + told.count((False, True))) >= 0.88
    assert right / (right + told.count((True, False))) >= least


def test_a_clash_says_what_stands_against_what() -> None:
    found = clash("The API listens on port 8080", "The API listens on port 8081", corrects=True)
    assert found is not None
    assert found.replaces
    assert found.reason == "“8080” against “8081”"


def test_what_nobody_said_had_changed_is_only_doubtful() -> None:
    found = clash("The door is red", "The door is green")
    assert found is not None
    assert not found.replaces
