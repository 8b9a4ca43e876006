"""`cogmem model extract` in a shell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from extracted import GO, SAID

import cogmem
from cogmem.cli.app import app
from cogmem.models.recorded import Recording, Scripted

if TYPE_CHECKING:
    from pathlib import Path


TEA = {"category": "preferences", "content": "Mara prefers green tea.", "keywords": ["tea"]}


def answer(*items: dict[str, Any]) -> str:
    return json.dumps({"memories": list(items)})


def allow(memory: cogmem.Memory, calls: int = 1000) -> None:
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", str(calls), actor="person", now=NOW)


@pytest.fixture
def mem(memory: cogmem.Memory) -> cogmem.Memory:
    allow(memory)
    return memory


def contents(mem: cogmem.Memory, **filters: Any) -> set[str]:
    return {row.content for row in mem.list(limit=0, now=NOW + DAY, **filters)}


def said_by_cli(path: str, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        app.main(["--db", path, "model", "extract", *words])
    told = capsys.readouterr()
    return int(left.value.code or 0), told.out, told.err


def test_the_command_reads_messages_and_answers_in_json(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = str(tmp_path / "tape.jsonl")
    with cogmem.open(str(tmp_path / "other.db")) as mem:
        allow(mem)
        mem.extraction.run(
            SAID, model=Recording(Scripted(answer(GO, TEA)), tape), kinds=["entities"], now=NOW
        )
    with cogmem.open(path) as mem:
        allow(mem)
        mem.conversation("monday").append("user", SAID[0]["content"], at=NOW)
    monkeypatch.setenv("COGMEM_MODEL", f"recorded:{tape}")
    lines = tmp_path / "talk.jsonl"
    lines.write_text("\n".join(map(json.dumps, SAID)) + "\n", encoding="utf-8")
    code, out, _ = said_by_cli(
        path, capsys, str(lines), "--kind", "entities", "--dry-run", "--json"
    )
    assert code == 0
    assert [one["outcome"] for one in json.loads(out)["proposals"]] == ["", "dropped"]
    code, out, _ = said_by_cli(path, capsys, "--conversation", "monday", "--kind", "entities")
    assert code == 0
    assert "Heron" in out
    with cogmem.open(path) as mem:
        assert contents(mem) == {GO["content"]}


def test_the_command_without_a_model_uses_the_rules(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "talk.txt"
    plain.write_text("Always use tabs in Go files, please.", encoding="utf-8")
    code, out, err = said_by_cli(path, capsys, str(plain))
    assert (code, "inserted" in out) == (0, True)
    assert "no model" in err
    code, _, err = said_by_cli(path, capsys, str(tmp_path / "none.txt"))
    assert (code, "none.txt" in err) == (1, True)
    assert said_by_cli(path, capsys)[0] == 1
    assert "no conversation" in said_by_cli(path, capsys, "--conversation", "none")[2]
    (tmp_path / "bad.json").write_text('[{"content": 1}]', encoding="utf-8")
    assert said_by_cli(path, capsys, str(tmp_path / "bad.json"))[0] == 1
