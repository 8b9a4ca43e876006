"""Recordings: a run is replayed exactly, or it is an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from asked_models import allow, use_everything
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.errors import (
    InvalidInput,
    ModelFailed,
    NotRecorded,
)
from cogmem.models.recorded import Recorded, Recording, Scripted, request_hash
from cogmem.ports import Reply, asked
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path


def recorded_run(model: Any) -> dict[str, Any]:
    with cogmem.open(":memory:", counter=counting.Simple()) as memory:
        allow(memory, 1000)
        memory.model = model
        return use_everything(memory)


def test_a_pipeline_is_replayed_exactly(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    script = (
        "merge",
        "User likes Go and Python",
        '["Mara drinks tea; Bo cycles"]',
        "1, 0",
        "They fixed it.",
    )
    first = recorded_run(Recording(Scripted(*script, TimeoutError("late"), "1, 0"), file))
    assert recorded_run(Recorded(file)) == first
    assert ("notes", "timeout") in first["calls"]
    assert file.stat().st_mode & 0o777 == 0o600
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["model"] for line in lines} == {"scripted"}
    assert "login page" not in file.read_text(encoding="utf-8")  # of requests, the hash alone


def test_what_was_not_recorded_is_an_error_that_no_fallback_hides(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    recorded_run(Recording(Scripted("same"), file))
    whole = file.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(whole) > 4
    for place in range(len(whole)):
        file.write_text("".join(whole[:place] + whole[place + 1 :]), encoding="utf-8")
        with pytest.raises(NotRecorded, match="COGMEM_MODEL_RECORD"):
            recorded_run(Recorded(file))


def test_equal_requests_get_their_answers_in_order(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    model = Recording(
        Scripted("one", RuntimeError("x"), Reply("two", tokens_in=5, tokens_out=2)), file
    )
    for _ in range(3):
        asked(model, "?", system="S", timeout=3)
    again = Recorded(file)
    assert again.name == "scripted"
    assert again.complete("?", system="S") == "one"
    with pytest.raises(ModelFailed):
        again.complete("?", system="S", timeout=99)
    last = again.complete("?", system="S")
    assert isinstance(last, Reply)
    assert (last, last.tokens_in) == ("two", 5)
    with pytest.raises(NotRecorded, match=r"3 answers to request \w+, which was asked 4 times"):
        again.complete("?", system="S")
    for other in ({}, {"system": "S", "max_tokens": 1}, {"system": "S", "schema": {}}):
        with pytest.raises(NotRecorded, match="no answer"):
            again.complete("?", **other)


@given(st.text(), st.text())
def test_a_request_s_hash_tells_prompt_and_system_apart(prompt: str, system: str) -> None:
    told, other = request_hash(prompt, {"system": system}), request_hash(system, {"system": prompt})
    assert told == request_hash(prompt, {"system": system, "timeout": 5.0})
    assert told != request_hash(prompt + "x", {"system": system})
    assert (told == other) == (prompt == system)


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        "{}",
        '{"request": "a"}',
        '{"request": "a", "fault": "odd"}',
        "7",
        '{"request": "a", "answer": 7}',
        "\u00ff",
    ],
)
def test_a_broken_recording_names_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"request": "a", "answer": "b"}\n\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 3"):
        Recorded(file)
    with pytest.raises(InvalidInput, match="cannot be read"):
        Recorded(tmp_path / "nowhere.jsonl")
