"""Every host itself, offline, against a model on the loopback address: what holds for all of them.

Modules: trial, stand_in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from real_host import RULE, WORDS, Host, goes_on, home_of, needs_hosts, told, turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, needs_hosts]


@pytest.fixture(params=WORDS)
def host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Host]:
    with home_of(request.param, tmp_path, monkeypatch) as found:
        yield found


def test_what_was_learned_since_comes_once_and_no_earlier_byte_changes(host: Host) -> None:
    before = host.ask("Hello there.")[-1]
    assert told(before).count(RULE) == 1
    news = ("Indent with tabs.", "", "Names are short.")
    for number, rule in enumerate(news):
        if rule:
            host.learn(rule)
        now = host.go_on(f"Go on, {number}.")[-1]
        assert goes_on(before, now), number
        if rule:
            assert rule in told(turns_of(now)[len(turns_of(before)) :]), "with the next prompt"
        before = now
    assert all(told(before).count(rule) == 1 for rule in news if rule)
    assert told(before).count(RULE) == 1
