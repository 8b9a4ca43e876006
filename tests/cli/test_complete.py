"""What the shell offers behind <Tab>, asked as a shell asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import cogmem
from cogmem.cli.app import app


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "memory.db")


def offered(path: str, *words: str) -> str:
    """What stands for the last word, which may be begun."""
    said = ["cogmem", "--db", path, *words]
    environment = {
        "_COGMEM_COMPLETE": "zsh_complete",
        "COMP_WORDS": " ".join(said),
        "COMP_CWORD": str(len(said) - 1),
    }
    return CliRunner().invoke(app, [], prog_name="cogmem", env=environment).stdout


def test_uids_keys_kinds_sessions_and_settings_are_offered(path: str) -> None:
    with cogmem.open(path) as mem:
        uid = mem.learn("Tabs are four wide.", key="style.tabs").uid
        mem.activate("tabs", session="monday")
    assert "style.tabs" in offered(path, "get", "sty")
    assert uid in offered(path, "remove", "mem_")
    assert "Tabs are four wide." in offered(path, "get", "mem_")
    assert "preference" in offered(path, "learn", "x", "--kind", "pref")
    assert "monday" in offered(path, "turn", "list", "--session", "mon")
    assert "budget_tokens" in offered(path, "setting", "get", "bud")


def test_without_a_file_nothing_is_offered_and_none_is_made(path: str) -> None:
    assert offered(path, "get", "mem_").strip() == ""
    assert not Path(path).exists()
    Path(path).write_text("no database")
    assert offered(path, "get", "mem_").strip() == ""


def test_another_users_memories_are_not_offered(path: str) -> None:
    with cogmem.open(path, user="ann") as mem:
        mem.learn("Ann's own.", key="ann.own")
    assert offered(path, "get", "ann.").strip() == ""
    assert "ann.own" in offered(path, "--user", "ann", "get", "ann.")
