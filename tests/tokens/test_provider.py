"""Counts from a provider's own API: remembered, bounded, and estimated where the API fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from cogmem.tokens import provider as token_provider
from cogmem.tokens.bounds import Upper
from cogmem.tokens.counting import (
    Cjk,
    O200k,
    Simple,
    Typed,
)
from cogmem.tokens.provider import ProviderCounter

o200k, upper, simple, typed, cjk = O200k(), Upper(), Simple(), Typed(), Cjk()


class Provider:
    """An API that counts characters, notes what it was asked, and can be made to wait or fail."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.fails = False
        self.gates: dict[str, threading.Event] = {}

    def __call__(self, content: Any) -> int:
        self.asked.append(content)
        if self.fails:
            raise ConnectionError("no answer")
        if isinstance(content, str) and content in self.gates:
            assert self.gates[content].wait(10)
        return len(content)

    def gate(self, text: str) -> threading.Event:
        return self.gates.setdefault(text, threading.Event())


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.002)


@pytest.fixture
def provider() -> Provider:
    return Provider()


def test_g21_a_count_is_remembered_and_a_hit_keeps_it_longest(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_provider, "REMEMBERED", 3)
    counter = ProviderCounter(provider)
    for text in ("one", "two", "three", "one", "four"):
        counter.count(text)
    assert provider.asked == ["one", "two", "three", "four"]
    counter.count("one")
    assert provider.asked == ["one", "two", "three", "four"]
    counter.count("two")  # the oldest unused one had to go for "four"
    assert provider.asked == ["one", "two", "three", "four", "two"]


def test_g21_a_thousand_counts_are_remembered(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    for number in range(1_001):
        counter.count(f"text {number}")
    provider.asked.clear()
    for number in range(1_000, 0, -1):
        counter.count(f"text {number}")
    assert provider.asked == []
    counter.count("text 0")
    assert provider.asked == ["text 0"]


def test_g21_a_change_of_history_clears_what_was_remembered(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    counter.count("one")
    counter.clear()
    assert counter.estimate("one").is_estimate
    counter.count("one")
    assert provider.asked == ["one", "one"]


def test_g21_messages_are_told_apart_by_role_text_names_and_values(provider: Provider) -> None:
    def call(
        role: str = "assistant", name: str = "read", path: str = "a", call_id: str = "1"
    ) -> Any:
        part = {"type": "tool_call", "id": call_id, "name": name, "arguments": {"path": path}}
        return [{"role": role, "parts": [part]}]

    counter = ProviderCounter(provider)
    for content in (
        call(),
        call(role="user"),
        call(name="list"),
        call(path="b"),
        call(call_id="2"),
    ):
        counter.measure(content)
    assert len(provider.asked) == 4  # another id alone is no other content
    counter.measure([{"role": "user", "parts": [{"type": "text", "text": "ab"}]}])
    counter.measure(
        [{"role": "user", "parts": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]
    )
    assert len(provider.asked) == 6


def test_g22_the_provider_is_asked_and_its_failure_gives_a_marked_estimate(
    provider: Provider,
) -> None:
    counter = ProviderCounter(provider, estimate=simple)
    precise = counter.measure("12345678")
    assert (precise.tokens, precise.is_estimate) == (8, False)
    provider.fails = True
    estimate = counter.measure("abcdefgh")
    assert (estimate.tokens, estimate.is_estimate) == (2, True)
    provider.fails = False
    assert counter.count("abcdefgh") == 8  # an estimate is not remembered
    message = [{"role": "user", "parts": [{"type": "text", "text": "abcdefgh"}]}]
    assert counter.estimate(message).tokens == 6


@pytest.mark.parametrize("answer", [None, -1, True, "12", 3.0])
def test_g22_an_answer_that_is_no_count_gives_an_estimate(answer: Any) -> None:
    counter = ProviderCounter(lambda _: answer)
    assert counter.measure("some text").is_estimate


def test_g23_nothing_costs_nothing_and_the_provider_is_not_asked(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    assert (counter.count(""), counter.measure([]).tokens) == (0, 0)
    assert provider.asked == []


def test_g24_a_fourth_background_count_is_skipped_and_not_queued(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    gates = [provider.gate(text) for text in ("a", "bb", "ccc")]
    assert [counter.begin(text) for text in ("a", "bb", "ccc", "dddd")] == [True] * 3 + [False]
    for gate in gates:
        gate.set()
    wait_until(lambda: counter._under_way == 0)
    assert sorted(provider.asked) == ["a", "bb", "ccc"]
    assert counter.begin("dddd")
    wait_until(lambda: counter._under_way == 0)
    assert not counter.estimate("dddd").is_estimate


def test_g24_a_late_result_never_replaces_a_newer_one(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    slow = provider.gate("slow one")
    counter.begin("slow one")
    counter.begin("fast")
    wait_until(lambda: counter.latest is not None)
    slow.set()
    wait_until(lambda: counter._under_way == 0)
    assert counter.latest is not None
    assert counter.latest.tokens == len("fast")


def test_g24_what_was_begun_before_a_change_of_history_is_dropped(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    old = provider.gate("old")
    counter.begin("old")
    counter.clear()
    old.set()
    wait_until(lambda: counter._under_way == 0)
    assert counter.latest is None
    assert counter.estimate("old").is_estimate
    counter.begin("newer")
    wait_until(lambda: counter.latest is not None)


def test_a_failed_background_count_frees_its_place(provider: Provider) -> None:
    counter = ProviderCounter(provider)
    provider.fails = True
    for _ in range(5):
        assert counter.begin("x")
        wait_until(lambda: counter._under_way == 0)
    assert counter.latest is None


def test_a_closed_counter_estimates_and_asks_no_more(provider: Provider) -> None:
    counter = ProviderCounter(provider, estimate=simple)
    gate = provider.gate("under way")
    counter.begin("under way")
    wait_until(lambda: provider.asked == ["under way"])
    counter.close()
    gate.set()
    wait_until(lambda: counter._under_way == 0)
    assert counter.latest is None
    assert not counter.begin("more")
    assert counter.measure("12345678").tokens == 2
    assert provider.asked == ["under way"]
