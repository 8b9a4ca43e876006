"""`cogmem model`: turned on, asked once, counted and turned off from a shell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from asked_models import allow, at_home
from conftest import DAY, NOW
from shell import typed

import cogmem
from cogmem.models import prompts
from cogmem.models.recorded import Recording, Scripted
from cogmem.night import tasks
from cogmem.ports import Reply, asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(tmp_path, monkeypatch)


OWN = "A: {old}. B: {new}. One word."


@pytest.fixture
def run(path: str) -> Iterator[Callable[..., Any]]:
    """The program on one file: run("model", "show") → parsed JSON, or the error's text."""
    cogmem.open(path).close()
    yield partial(typed, path, "--json")
    with cogmem.open(path) as memory:
        assert memory.file.check() == []


def test_a_model_is_turned_on_shown_and_off(run: Callable[..., Any]) -> None:
    assert run("model", "show")["model"] is None
    state = run("model", "use", "ollama", "some-model", "--timeout", "60")
    assert state == run("model", "show")
    assert (state["provider"], state["model"], state["timeout"]) == ("ollama", "some-model", 60)
    assert (state["calls_per_day"], state["calls_per_run"], state["calls_left_today"]) == (
        200,
        50,
        200,
    )
    run("model", "use", "ollama", "other", "--calls-per-day", "7")
    state = run("model", "show")
    assert (state["model"], state["calls_per_day"], state["calls_per_run"]) == ("other", 7, 50)
    assert run("model", "off") == {"was_on": True}
    state = run("model", "show")
    assert (state["model"], state["calls_per_day"], state["calls_per_run"]) == (None, 0, 0)
    assert run("model", "off") == {"was_on": False}


def test_a_key_is_not_taken_as_the_name_of_a_variable(run: Callable[..., Any]) -> None:
    said = run("model", "use", "openai", "m", "--key-env", "sk-abcdef0123456789", code=1)
    assert "stored nowhere" in said
    assert "plain HTTP" in run(
        "model", "use", "openai", "m", "--url", "http://a.example", "--key-env", "K", code=1
    )
    assert run("model", "show")["model"] is None


def test_a_test_asks_once_and_is_entered(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no model is turned on" in run("model", "test", code=1)
    from cogmem.cli.model import _TEST_SCHEMA

    file = tmp_path / "answers.jsonl"
    answer = Reply('{"word": "ready"}', tokens_in=9, tokens_out=4)
    Recording(Scripted(answer), file).complete(
        'Answer with the JSON object {"word": "ready"}.', schema=_TEST_SCHEMA, max_tokens=50
    )
    monkeypatch.setenv("COGMEM_MODEL", f"recorded:{file}")
    assert "no more model calls" in run("model", "test", code=1)
    run("setting", "set", "model_calls_per_day", "5")
    found = run("model", "test")
    assert (found["answer"], found["is_json"], found["tokens_in"]) == (answer, True, 9)
    [row] = run("model", "spend")["rows"]
    assert (row["purpose"], row["model"], row["calls"], row["answered"]) == (
        "test",
        "scripted",
        1,
        1,
    )


def test_what_models_took_is_told_by_purpose(run: Callable[..., Any], path: str) -> None:
    with cogmem.open(path) as memory:
        allow(memory, 9)
        memory.store.set_setting("model_tokens_per_day", "9000000", now=NOW)
        for model in ("cheap", "dear"):
            memory.model = Scripted(Reply("x", tokens_in=1_000_000, tokens_out=500_000), name=model)
            asked(memory.models.capped("judge", NOW), "?")
    assert [row["model"] for row in run("model", "spend")["rows"]] == ["cheap", "dear"]
    assert run("model", "spend", "--by", "purpose")["rows"] == [
        {
            "purpose": "judge",
            "calls": 2,
            "answered": 2,
            "tokens_in": 2_000_000,
            "tokens_out": 1_000_000,
            "elapsed_ms": 0,
        }
    ]
    assert run("model", "spend", "--since", "2027-01-16")["rows"] == []


def test_prompts_are_listed_shown_replaced_and_reset(run: Callable[..., Any]) -> None:
    assert [row["name"] for row in run("model", "prompts")] == prompts.names()
    assert run("model", "prompt", "judge")["text"] == prompts.prompt("judge")
    own = run("model", "prompt", "judge", "--set", "-", said=OWN)
    assert (own["text"], own["source"]) == (OWN, "setting")
    assert run("model", "prompt", "judge", "--built-in")["source"] == "built-in"
    assert "must say something and name {old}" in run(
        "model", "prompt", "judge", "--set", "no places", code=1
    )
    again = run("model", "prompt", "judge", "--set", f"{OWN} Or two.")
    assert again["version"] != own["version"]
    assert run("model", "prompt", "judge", "--reset")["source"] == "built-in"


def test_dead_tasks_are_listed_and_revived(run: Callable[..., Any], path: str) -> None:
    with cogmem.open(path) as memory:
        uid = tasks.queue(memory.db, "notes", "s", {}, now=0)
        for n in range(tasks.ATTEMPTS):
            task = tasks.claim(memory.db, now=n * DAY)
            assert task
            tasks.fail(memory.db, task, "ModelFailed", now=n * DAY)
    assert [row["uid"] for row in run("model", "tasks", "--state", "dead")] == [uid]
    assert run("model", "revive", uid) == {"uid": uid}
    assert run("model", "show")["tasks"] == {"ready": 1}
    assert "no dead task" in run("model", "revive", uid, code=1)
    assert "no model is turned on" in run("model", "work", code=1)


def test_commands_of_people_use_the_model_that_is_turned_on(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.jsonl"
    question = prompts.prompt("judge").filled(old="User likes Go", new="User likes Python")
    Recording(Scripted("same"), file).complete(question, max_tokens=8)
    monkeypatch.setenv("COGMEM_MODEL", f"recorded:{file}")
    run("setting", "set", "model_calls_per_day", "5")
    run("learn", "User likes Go")
    assert run("learn", "User likes Python")["outcome"] == "reinforced"
    assert "no answer" in run("learn", "User likes Zig", code=1)
    assert run("model", "spend")["total"]["calls"] == 2


def test_people_read_plain_tables(path: str) -> None:
    cogmem.open(path).close()
    for arguments, words in (
        (["model", "show"], "none is needed"),
        (["model", "use", "ollama", "m"], "200 a day (200 left), 50 a run"),
        (["model", "tasks"], "nothing waits"),
        (["model", "prompts"], "judge"),
        (["model", "prompt", "rank"], "# rank, version 1 (built-in)"),
        (["model", "spend"], "no model was ever asked"),
        (["model", "off"], "The model is off."),
    ):
        assert words in typed(path, *arguments)
