"""The tool of an assistant whose saved memories are files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tool_calls import bad, calls, good

import cogmem
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path


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
