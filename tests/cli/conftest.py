"""Every answer that a test of the command line asks for is looked through: an instant in JSON is ISO text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cogmem.cli.call import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    def looked_at(self: Call, value: Any, human: Any) -> None:
        answer = json.loads(json.dumps(value, default=lambda one: one.as_dict()))
        assert not list(numbers_that_are_instants(answer))
        say(self, value, human)

    monkeypatch.setattr(Call, "say", looked_at)
