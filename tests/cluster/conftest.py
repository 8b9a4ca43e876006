"""Three real nodes, and machines that each have a copy of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nodes import Nodes, program


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    three = Nodes(program(), tmp_path)
    try:
        three.start()
        yield three
    finally:
        three.stop()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Makes this process and the ones it starts one machine with a copy of its own."""

    def of(name: str) -> dict[str, str]:
        home = tmp_path / name
        home.mkdir(exist_ok=True)
        named = {"XDG_STATE_HOME": str(home / "state"), "HOME": str(home)}
        for key, value in named.items():
            monkeypatch.setenv(key, value)
        return {**os.environ, **named}

    return of
