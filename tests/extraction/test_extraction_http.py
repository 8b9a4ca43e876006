"""Extraction over real HTTP on loopback: both protocols, whole answers, and faults on the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from model_server import (
    body,
    by_words,
    cut,
    deep,
    flood,
    hang_up,
    provider,
    reset,
    say,
    stall,
    status,
    without_proxies,
)

from cogmem.models import http as model_http
from cogmem.models.anthropic import AnthropicModel
from cogmem.models.openai import OpenAIModel
from cogmem.night import tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    import cogmem

SAID = [{"role": "user", "content": "I am Mara. Never deploy on Fridays without a green build."}]
GO = {"category": "entities", "content": "Project Heron is written in Go.", "keywords": ["go"]}
RUST = {**GO, "content": "Project Heron is written in Rust."}


@pytest.fixture(params=["openai", "anthropic"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr(model_http, "BACK_OFF", 0.01)
    without_proxies(monkeypatch)

    def model(there: Any) -> Any:
        if request.param == "openai":
            return OpenAIModel("some-model", url=there.openai, key_env="")
        return AnthropicModel("some-model", url=there.root, key_env="")

    return model


def allow(memory: cogmem.Memory) -> None:
    for name in ("model_calls_per_day", "model_calls_per_run"):
        memory.store.set_setting(name, "1000", actor="t", now=NOW)


def contents(memory: cogmem.Memory) -> set[str]:
    return {row.content for row in memory.list(kind="entities", limit=0, now=NOW + DAY)}


def test_f36_f39_an_extraction_and_its_comparison_over_either_protocol(
    memory: cogmem.Memory, made: Callable[..., Any]
) -> None:
    allow(memory)
    verdict = {
        "index": 0,
        "action": "delete",
        "target_id": 1,
        "merged_content": None,
        "conflict_type": None,
    }
    for item in (GO, RUST):
        words = {
            "You read a talk": json.dumps({"memories": [item]}),
            "You keep a memory": f"```json\n{json.dumps({'results': [verdict]})}\n```",
        }
        with provider(by_words(words)) as there:
            done = memory.extraction.run(SAID, model=made(there), now=NOW)
    assert done.calls == 2
    assert [one.outcome for one in done.proposals] == ["superseded"]
    assert [row.content for row in memory.facts.at(NOW + 1, now=NOW + 1)] == [RUST["content"]]
    assert {row.purpose: row.calls for row in memory.models.spend()} == {
        "extract": 2,
        "deduplicate": 1,
    }


FAULTS = {
    "500": status(500),
    "401": status(401),
    "hang up": hang_up,
    "reset": reset,
    "half": cut,
    "stall": stall,
    "garbage": body(b"\x00\xff garbage"),
    "deep": deep,
    "ten megabytes": flood,
    "prose": say("I would rather not."),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_provider_loses_the_talk(
    memory: cogmem.Memory, made: Callable[..., Any], fault: str
) -> None:
    allow(memory)
    with provider(FAULTS[fault]) as there:
        done = memory.extraction.run(SAID, model=made(there), timeout=0.5, now=NOW)
    assert done.by == "rules"
    assert any("Fridays" in row.content for row in memory.list(now=NOW))
    assert done.waiting
    with provider(say(json.dumps([GO]))) as there:
        memory.model = made(there)
        assert memory.models.fill(now=NOW + DAY).filled == 1
    assert contents(memory) == {GO["content"]}
    assert [task.state for task in tasks.list_tasks(memory.db)] == ["filled"]


def test_a_truncated_answer_gives_what_is_whole_of_it(
    memory: cogmem.Memory, made: Callable[..., Any]
) -> None:
    allow(memory)
    with provider(say(json.dumps({"memories": [GO, RUST]})[:-40])) as there:
        done = memory.extraction.run(SAID, model=made(there), now=NOW)
    assert contents(memory) == {GO["content"]}
    assert done.waiting
