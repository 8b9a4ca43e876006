"""Commands run on the memory of their test, and every answer is looked through: an instant in JSON is ISO text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cogmem.cli.app import app
from cogmem.cli.call import Call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result
    from shell import Run

SINCE_1970 = range(1_000_000_000_000, 10_000_000_000_000)  # the years 2001 to 2286 in ms
AS_IT_STANDS = {"rows", "data"}  # what a query found, and what a caller stored


def numbers_that_are_instants(value: Any, place: str = "") -> Iterator[str]:
    """Where an answer tells an instant in ms."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in AS_IT_STANDS:
                yield from numbers_that_are_instants(one, f"{place}.{name}")
    elif isinstance(value, list):
        for one in value:
            yield from numbers_that_are_instants(one, f"{place}[]")
    elif isinstance(value, int) and value in SINCE_1970:
        yield f"{place} is {value}"


@pytest.fixture(autouse=True)
def _an_instant_in_json_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    say = Call.say

    def looked_at(self: Call, value: Any, *told: Any, **how: Any) -> None:
        answer = json.loads(json.dumps(value, default=lambda one: one.as_dict()))
        assert not list(numbers_that_are_instants(answer))
        say(self, value, *told, **how)

    monkeypatch.setattr(Call, "say", looked_at)


@pytest.fixture
def run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run("learn", "text") on the memory of this test, from a folder that is not a project."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("COGMEM_DB", "COGMEM_USER", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def runner(*args: str, **options: Any) -> Result:
        return CliRunner().invoke(app, ["--db", path, *args], prog_name="cogmem", **options)

    return runner
