"""The commands for documents and saved memories, and for what other programs remember."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from shell import typed

if TYPE_CHECKING:
    from pathlib import Path


class Shell:
    """`cogmem` in a project's folder, with a memory and a user folder of its own."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cwd = root / "work"
        self.user = root / "user"
        (self.cwd / ".git").mkdir(parents=True)
        monkeypatch.chdir(self.cwd)
        self.run = partial(typed, str(root / "memory.db"))
        monkeypatch.setenv("COGMEM_USER_DIR", str(self.user))

    @property
    def saved(self) -> Path:
        return next((self.user / "projects").iterdir()) / "memory"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_k14_show_lists_documents_and_saved_memories(shell: Shell) -> None:
    assert "no documents apply here" in shell.run("docs", "show")
    shell.run("docs", "note", "# run the tests first")
    shell.run("docs", "save", "Deploys", "Blue button.", "--description", "How we deploy")
    shell.run("docs", "save", "Tone", "-", "--type", "user", "--shared", said="Briefly.")
    output = shell.run("docs", "show")
    for text in ("AGENTS.md", "Deploys", "How we deploy", "Tone", "of 2000 tokens"):
        assert text in output
    assert "## Saved memories" in shell.run("docs", "show", "--text")
    found = shell.run("docs", "show", "--json")
    assert [one["is_shared"] for one in found["saved"]] == [False, True]


def test_k28_status_and_sync_follow_a_file_that_was_edited(shell: Shell) -> None:
    shell.run("docs", "save", "Deploys", "Blue button.")
    path = shell.saved / "deploys.md"
    path.write_text(path.read_text().replace("Blue", "Green"))
    assert "file changed" in shell.run("docs", "status")
    assert shell.run("docs", "sync", "--json")["done"][0]["what"] == "file changed"
    assert "Green button." in shell.run("get", "note/deploys", "--project", ".")
    assert "in step" in shell.run("docs", "sync")
    assert "in step" in shell.run("docs", "status")


def test_k28_a_conflict_shows_both_texts_and_is_resolved(shell: Shell) -> None:
    uid = shell.run("docs", "save", "Deploys", "Blue button.", "--json")["uid"]
    path = shell.saved / "deploys.md"
    path.write_text(path.read_text().replace("Blue", "Green"))
    shell.run("update", uid, "--content", "Red button.", "--project", ".")
    for command in ("status", "sync"):
        output = shell.run("docs", command)
        assert "Green button." in output
        assert "Red button." in output
        assert "docs resolve deploys --keep file" in output
    shell.run("docs", "resolve", "deploys", "--keep", "memory")
    assert "Red button." in path.read_text()
    assert "not in conflict" in shell.run("docs", "resolve", "deploys", "--keep", "file", code=1)


def test_a_folder_without_memories_of_a_program_is_said(shell: Shell) -> None:
    (shell.cwd / "empty").mkdir()
    said = shell.run("docs", "import", "cursor", "empty")
    assert said == "there is nothing of cursor at empty\n"
