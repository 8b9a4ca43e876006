"""Which model answers, and what no choice can bring about."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cogmem.errors import (
    InvalidInput,
)
from cogmem.models import configured as models
from cogmem.models.recorded import Recorded, Recording, Scripted

if TYPE_CHECKING:
    from collections.abc import Mapping

    import cogmem


def test_without_a_choice_there_is_no_model(path: str) -> None:
    assert models.configured(path) is None
    assert models.chosen(path) == (None, "")
    assert models.usable(None) == (None, "")


def test_a_choice_is_kept_beside_the_person_and_for_one_file_only(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.keep(path, models.Choice("openai", "some-model", timeout=90))
    made = models.configured(os.path.relpath(path))
    assert (made.name, made.key_env, made.timeout) == ("some-model", "OPENAI_API_KEY", 90)  # type: ignore[union-attr]
    assert models.configured(tmp_path / "other.db") is None
    assert os.stat(models.choices_path()).st_mode & 0o777 == 0o600
    monkeypatch.setenv("COGMEM_MODEL", "off")
    assert models.configured(path) is None
    monkeypatch.setenv("COGMEM_MODEL", "anthropic:other")
    monkeypatch.setenv("COGMEM_MODEL_TIMEOUT", "5")
    other = models.configured(path)
    assert (type(other).__name__, other.name, other.timeout) == ("AnthropicModel", "other", 5)  # type: ignore[union-attr]


def test_a_copy_or_a_stranger_s_file_brings_no_model_and_no_address(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    models.keep(memory.path, models.Choice("ollama", "some-model"))
    copy = memory.file.backup(tmp_path / "copy.db")
    assert models.configured(copy) is None
    stored = json.dumps(memory.db.ask("select name, value from setting"))
    assert "some-model" not in stored
    assert "11434" not in stored


def test_an_address_of_one_s_own_gets_no_key_unless_one_is_named() -> None:
    assert models.Choice("openai", "m").key_env == "OPENAI_API_KEY"
    assert models.Choice("openai", "m", url="https://a.example/v1").key_env == ""
    named = models.Choice("openai", "m", url="https://a.example/v1", key_env="MINE")
    assert named.key_env == "MINE"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"provider": "magic"}, "not known"),
        ({"model": "  "}, "needs the name"),
        ({"key_env": "sk-0123456789abcdef"}, "environment variable"),
        ({"timeout": 0}, "seconds"),
        ({"timeout": 100_000}, "seconds"),
        ({"timeout": float("nan")}, "seconds"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused(change: Mapping[str, Any], what: str) -> None:
    wanted: dict[str, Any] = {"provider": "openai", "model": "m", **change}
    with pytest.raises(InvalidInput, match=what):
        models.Choice(**wanted)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"files": []}', '{"files": {"PATH": {}}}', '{"files": {"PATH": 7}}']
)
def test_a_broken_file_of_choices_is_told_and_stops_nothing(path: str, text: str) -> None:
    file = Path(models.choices_path())
    file.parent.mkdir()
    file.write_text(text.replace("PATH", os.path.realpath(path)), encoding="utf-8")
    with pytest.raises(InvalidInput, match="cannot be understood"):
        models.configured(path)
    model, notice = models.usable(path)
    assert model is None
    assert "no model is asked" in notice


@pytest.mark.parametrize("named", ["ollama", "magic:x", "openai:", "recorded:/nowhere"])
def test_what_the_environment_says_wrongly_is_an_error(
    path: str, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("COGMEM_MODEL", named)
    with pytest.raises(InvalidInput):
        models.usable(path)


def test_a_recording_is_made_and_replayed_by_the_environment(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.jsonl"
    Recording(Scripted("yes"), file).complete("?")
    monkeypatch.setenv("COGMEM_MODEL", f"recorded:{file}")
    monkeypatch.setenv("COGMEM_MODEL_RECORD", str(tmp_path / "again.jsonl"))
    model = models.configured(path)
    assert model
    assert model.complete("?") == "yes"
    assert Recorded(tmp_path / "again.jsonl").complete("?") == "yes"
