"""The commands of the two small collections."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import asked

if TYPE_CHECKING:
    from shell import Run


def test_o02_the_two_collections_are_filled_shown_and_mended(run: Run) -> None:
    added = asked(run, "docs", "collection", "add", "user", "Mara drinks green tea")
    assert added["outcome"] == "inserted"
    assert (
        asked(run, "docs", "collection", "add", "env", "-", input="Python 3.12\n")["outcome"]
        == "inserted"
    )
    user, env = asked(run, "docs", "collection", "show")
    assert user == {
        "target": "user",
        "entries": ["Mara drinks green tea"],
        "characters": 21,
        "limit": 4000,
    }
    assert env["entries"] == ["Python 3.12"]
    assert asked(run, "docs", "collection", "replace", "user", "green", "Mara drinks rooibos")[
        "uid"
    ]
    assert "- Mara drinks rooibos" in run("docs", "collection", "show", "user").stdout
    gone = asked(run, "docs", "collection", "remove", "user", "rooibos")["uid"]
    assert asked(run, "docs", "collection", "show", "user")[0]["entries"] == []
    asked(run, "restore", gone)
    assert asked(run, "docs", "collection", "show", "user")[0]["entries"] == ["Mara drinks rooibos"]
    missing = run("docs", "collection", "remove", "user", "coffee")
    assert missing.exit_code == 1
    assert "no entry of user contains this text" in missing.stderr


def test_o02_what_is_added_in_a_project_folder_is_shown_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    monkeypatch.chdir(folder)
    asked(run, "docs", "collection", "add", "user", "Mara drinks green tea")
    asked(run, "docs", "collection", "add", "env", "Python 3.12", "--project", ".")
    user, env = asked(run, "docs", "collection", "show")
    assert user["entries"] == ["Mara drinks green tea"]
    assert env["entries"] == ["Python 3.12"]
    text = asked(run, "docs", "collection", "prompt")["text"]
    assert "Mara drinks green tea" in text
    assert "Python 3.12" in text
    asked(run, "docs", "collection", "replace", "user", "green", "Mara drinks rooibos")
    monkeypatch.chdir(tmp_path)
    user, env = asked(run, "docs", "collection", "show")
    assert user["entries"] == ["Mara drinks rooibos"]
    assert env["entries"] == [], "it belongs to the project"


def test_o24_the_block_of_the_collections_is_printed_and_they_travel_as_files(
    run: Run, tmp_path: Path
) -> None:
    asked(run, "learn", "Herons nest early.")
    assert run("docs", "collection", "prompt").stdout.strip() == "nothing is held"
    asked(run, "docs", "collection", "add", "user", "Mara drinks green tea every day")
    asked(
        run,
        "docs",
        "collection",
        "add",
        "user",
        "Mara drinks green tea every day, with milk",
        "--no-merge",
    )
    assert len(asked(run, "docs", "collection", "show", "user")[0]["entries"]) == 2
    text = asked(run, "docs", "collection", "prompt")["text"]
    assert text.startswith("# Stored memory (")
    assert "## User profile\nMara drinks green tea every day\n§\n" in text
    files = asked(run, "docs", "collection", "write", str(tmp_path))["files"]
    assert [Path(file).name for file in files] == ["user.md", "env.md"]
    Path(files[1]).write_text("Python 3.12\n§\nsk-a1B2c3D4e5F6g7H8i9J0k1L2m3N4\n§\nmake builds it")
    refused = asked(run, "docs", "collection", "read", str(tmp_path))
    assert refused["user"] == []
    assert len(refused["env"]) == 1
    assert asked(run, "docs", "collection", "show", "env")[0]["entries"] == [
        "Python 3.12",
        "make builds it",
    ]
    without = run("docs", "collection", "consolidate", "env")
    assert without.exit_code == 1
    assert "no model" in without.stderr
