"""The commands of the two small collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell import asked

import cogmem

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from shell import Run


def test_o02_the_two_collections_are_shown_with_what_room_is_left(run: Run, path: str) -> None:
    with cogmem.open(path) as mem:
        mem.collections().add("user", "Mara drinks green tea")
    user, env = asked(run, "docs", "collection", "show")
    assert user == {
        "target": "user",
        "entries": ["Mara drinks green tea"],
        "characters": 21,
        "limit": 4000,
    }
    assert env["entries"] == []
    assert "- Mara drinks green tea" in run("docs", "collection", "show", "user").stdout


def test_o02_what_is_added_in_a_project_folder_is_shown_there(
    run: Run, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    monkeypatch.chdir(folder)
    with cogmem.open(path) as mem:
        mem.collections().add("user", "Mara drinks green tea")
    with cogmem.open(path, project=str(folder)) as mem:
        mem.collections().add("env", "Python 3.12")
    user, env = asked(run, "docs", "collection", "show")
    assert user["entries"] == ["Mara drinks green tea"]
    assert env["entries"] == ["Python 3.12"]
    text = asked(run, "docs", "collection", "prompt")["text"]
    assert "Mara drinks green tea" in text
    assert "Python 3.12" in text
    monkeypatch.chdir(tmp_path)
    user, env = asked(run, "docs", "collection", "show")
    assert user["entries"] == ["Mara drinks green tea"]
    assert env["entries"] == [], "it belongs to the project"
