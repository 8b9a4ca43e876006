"""Random histories of three writers who are apart end in equal files. `make apart` runs a thousand and more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import EVERYTHING
from torture import apart

from cogmem.store import forget

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> str:
    return apart.prepared(str(tmp_path_factory.mktemp("empty")))


@pytest.mark.parametrize("seed", range(6 if EVERYTHING else 2))
def test_files_that_were_apart_are_equal_when_they_have_met(
    seed: int, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget, "_READERS_MS", 1)
    apart.one(str(tmp_path), seed, 40, empty)


def test_the_judge_notices_a_row_that_only_one_file_has(empty: str, tmp_path: Path) -> None:
    world = apart.World(str(tmp_path), 1, empty)
    try:
        world.run(10)
        world.quiesce()
        world.writers[0].mem.learn("Herons wade in the pond.", now=world.at)
        with pytest.raises(AssertionError, match="memory mem_"):
            world.judge()
    finally:
        world.close()
