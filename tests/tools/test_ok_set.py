"""The tool of an assistant whose saved memories are files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cogmem
from cogmem.tokens import counting
from cogmem.tools.toolset import Tool, toolset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def calls(name: str, mem: Any) -> dict[str, Callable[..., dict[str, Any]]]:
    def caller(tool: Tool) -> Callable[..., dict[str, Any]]:
        return lambda **arguments: tool.call(arguments)

    return {tool.name: caller(tool) for tool in toolset(name, mem)}


def good(answer: dict[str, Any]) -> dict[str, Any]:
    assert answer["success"], answer
    assert answer["message"]
    json.dumps(answer)
    return answer


def bad(answer: dict[str, Any], what: str) -> None:
    assert answer["success"] is False
    assert what in answer["error"], answer["error"]


def test_k20_k21_remember_saves_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with cogmem.open(
        str(tmp_path / "m.db"),
        counter=counting.Simple(),
        documents=str(tmp_path / "work"),
        user_dir=str(tmp_path / "user"),
    ) as mem:
        tool = calls("ok", mem)["remember"]
        answer = good(
            tool(
                name="Deploys", description="How we deploy", body="With a green build.", type="Odd"
            )
        )
        assert answer["replaced"] is False
        assert good(tool(name="deploys", description="How", body="With two."))["replaced"] is True
        good(tool(name="日本語", description="A name of another script", body="It works."))
        bad(tool(description="x"), "wrong arguments: body")
    bad(
        calls("ok", cogmem.open(":memory:", counter=counting.Simple()))["remember"](
            description="x", body="y"
        ),
        "folder",
    )
