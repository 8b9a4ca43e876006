"""The commands for documents and saved memories, and for what other programs remember."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from cogmem.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path


class Shell:
    """`cogmem` in a project's folder, with a memory and a user folder of its own."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cwd = root / "work"
        self.user = root / "user"
        (self.cwd / ".git").mkdir(parents=True)
        monkeypatch.chdir(self.cwd)
        monkeypatch.setenv("COGMEM_DB", str(root / "memory.db"))
        monkeypatch.setenv("COGMEM_USER_DIR", str(self.user))

    def run(self, *words: str, said: str = "", code: int = 0) -> Result:
        result = CliRunner().invoke(app, list(words), input=said)
        assert result.exit_code == code, result.output
        return result

    def json(self, *words: str, said: str = "") -> Any:
        return json.loads(self.run(*words, "--json", said=said).stdout)

    @property
    def saved(self) -> Path:
        return next((self.user / "projects").iterdir()) / "memory"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_k14_show_lists_documents_and_saved_memories(shell: Shell) -> None:
    assert "no documents apply here" in shell.run("docs", "show").output
    shell.run("docs", "note", "# run the tests first")
    shell.run("docs", "save", "Deploys", "Blue button.", "--description", "How we deploy")
    shell.run("docs", "save", "Tone", "-", "--type", "user", "--shared", said="Briefly.")
    output = shell.run("docs", "show").output
    for text in ("AGENTS.md", "Deploys", "How we deploy", "Tone", "of 2000 tokens"):
        assert text in output
    assert "## Saved memories" in shell.run("docs", "show", "--text").output
    found = shell.json("docs", "show")
    assert [one["is_shared"] for one in found["saved"]] == [False, True]


def test_k28_status_and_sync_follow_a_file_that_was_edited(shell: Shell) -> None:
    shell.run("docs", "save", "Deploys", "Blue button.")
    path = shell.saved / "deploys.md"
    path.write_text(path.read_text().replace("Blue", "Green"))
    assert "file changed" in shell.run("docs", "status").output
    assert shell.json("docs", "sync")["done"][0]["what"] == "file changed"
    assert "Green button." in shell.run("get", "note/deploys", "--project", ".").output
    assert "in step" in shell.run("docs", "sync").output
    assert "in step" in shell.run("docs", "status").output


def test_k28_a_conflict_shows_both_texts_and_is_resolved(shell: Shell) -> None:
    uid = shell.json("docs", "save", "Deploys", "Blue button.")["uid"]
    path = shell.saved / "deploys.md"
    path.write_text(path.read_text().replace("Blue", "Green"))
    shell.run("update", uid, "--content", "Red button.", "--project", ".")
    for command in ("status", "sync"):
        output = shell.run("docs", command).output
        assert "Green button." in output
        assert "Red button." in output
        assert "docs resolve deploys --keep file" in output
    shell.run("docs", "resolve", "deploys", "--keep", "memory")
    assert "Red button." in path.read_text()
    assert (
        "not in conflict"
        in shell.run("docs", "resolve", "deploys", "--keep", "file", code=1).output
    )


def test_a_folder_without_memories_of_a_program_is_said(shell: Shell) -> None:
    (shell.cwd / "empty").mkdir()
    said = shell.run("docs", "import", "cursor", "empty").stdout
    assert said == "there is nothing of cursor at empty\n"
