"""The memory tool: six commands over memories, and paths that lead nowhere else."""

from __future__ import annotations

import asyncio
import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.frameworks.anthropic_memory import LONGEST, MemoryTool
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def tool(memory: cogmem.Memory) -> MemoryTool:
    return MemoryTool(memory)


def do(tool: MemoryTool, command: str, path: str = "", **fields: Any) -> str:
    return tool.call({"command": command, **({"path": path} if path else {}), **fields})


def text_of(tool: MemoryTool, path: str) -> str:
    """A file as view shows it, without the numbers."""
    shown = do(tool, "view", path).split("\n")[1:]
    return "\n".join(line.partition("\t")[2] for line in shown)


def test_a_file_is_made_read_edited_moved_and_deleted(tool: MemoryTool) -> None:
    path = "/memories/plans/today.md"
    assert "successfully" in do(tool, "create", path, file_text="one\ntwo\nthree\n")
    assert text_of(tool, path) == "one\ntwo\nthree\n"
    assert do(tool, "view", path, view_range=[2, 3]).endswith("     2\ttwo\n     3\tthree")
    assert "TWO" in do(tool, "str_replace", path, old_str="two", new_str="TWO")
    assert "edited" in do(tool, "insert", path, insert_line=1, insert_text="between\n")
    assert text_of(tool, path) == "one\nbetween\nTWO\nthree\n"
    assert "Successfully" in do(
        tool, "rename", old_path="/memories/plans", new_path="/memories/done"
    )
    assert "/memories/done/today.md" in do(tool, "view", "/memories")
    assert do(tool, "view", path).startswith("Error")
    assert "Successfully" in do(tool, "delete", "/memories/done")
    assert "today" not in do(tool, "view", "/memories")


def test_what_claude_wrote_is_a_memory_like_others(tool: MemoryTool) -> None:
    do(tool, "create", "/memories/hosts.md", file_text="The staging host is called heron.")
    assert any("heron" in one.content for one in tool.mem.recall("staging host"))
    (row,) = [row for row in tool.mem.list() if row.key == "/memories/hosts.md"]
    do(tool, "delete", "/memories/hosts.md")
    tool.mem.restore(row.uid)
    assert "heron" in text_of(tool, "/memories/hosts.md"), "deleting can be undone"


def test_secrets_are_refused_in_a_sentence(tool: MemoryTool) -> None:
    said = do(tool, "create", "/memories/a.md", file_text="AWS key AKIAIOSFODNN7EXAMPLZ\n")
    assert said.startswith("Error")
    assert "AKIA" not in do(tool, "view", "/memories/a.md")


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("create", {"path": "/memories/a/b", "file_text": "below a file"}),
        ("create", {"path": "/memories/a", "file_text": "it is there"}),
        ("create", {"path": "/memories", "file_text": "x"}),
        ("create", {"path": "/memories/long", "file_text": "x" * (LONGEST + 1)}),
        ("str_replace", {"path": "/memories/a", "old_str": "no such", "new_str": "x"}),
        ("str_replace", {"path": "/memories/a", "old_str": "o", "new_str": "x"}),
        ("str_replace", {"path": "/memories/a", "old_str": "", "new_str": "x"}),
        ("insert", {"path": "/memories/a", "insert_line": 99, "insert_text": "x"}),
        ("insert", {"path": "/memories/none", "insert_line": 0, "insert_text": "x"}),
        ("view", {"path": "/memories/a", "view_range": [3, 1]}),
        ("view", {"path": "/memories/a", "view_range": ["x", "y"]}),
        ("rename", {"old_path": "/memories/a", "new_path": "/memories/a/b"}),
        ("rename", {"old_path": "/memories/none", "new_path": "/memories/b"}),
        ("rename", {"old_path": "/memories", "new_path": "/memories/b"}),
        ("delete", {"path": "/memories"}),
        ("delete", {"path": "/memories/none"}),
        ("dance", {}),
        ("view", {}),
        ("create", {"path": 7, "file_text": None}),
    ],
)
def test_what_cannot_be_done_is_an_error_that_changes_nothing(
    tool: MemoryTool, command: str, fields: dict[str, Any]
) -> None:
    do(tool, "create", "/memories/a", file_text="foo")
    assert tool.call({"command": command, **fields}).startswith("Error")
    assert text_of(tool, "/memories/a") == "foo"
    assert len(tool.mem.list()) == 1


@pytest.fixture(scope="module")
def lasting() -> Iterator[MemoryTool]:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        yield MemoryTool(mem)


WORDS = st.lists(st.text(string.ascii_lowercase + " \t\n", max_size=8), max_size=8).map("".join)


@given(text=WORDS)
def test_a_file_comes_back_to_the_byte(lasting: MemoryTool, text: str) -> None:
    do(lasting, "delete", "/memories/x")
    assert "successfully" in do(lasting, "create", "/memories/x", file_text=text)
    assert text_of(lasting, "/memories/x") == text


def test_anthropic_s_runner_takes_the_tool(memory: cogmem.Memory) -> None:
    pytest.importorskip(
        "anthropic", reason="only with the package anthropic: pip install anthropic"
    )
    from cogmem.frameworks.anthropic_memory import client_tool

    made = client_tool(memory)
    assert made.to_dict()["type"] == "memory_20250818"
    said = made.call({"command": "create", "path": "/memories/a", "file_text": "foo"})
    assert "successfully" in str(said)


def test_a_fault_reaches_anthropic_s_runner_marked_as_one(memory: cogmem.Memory) -> None:
    tools = pytest.importorskip("anthropic.lib.tools", reason="only with anthropic")
    from cogmem.frameworks.anthropic_memory import async_client_tool, client_tool

    here, waiting = client_tool(memory), async_client_tool(memory)
    assert isinstance(waiting, tools.BetaAsyncAbstractMemoryTool)
    with pytest.raises(tools.ToolError, match="does not exist"):
        here.call({"command": "view", "path": "/memories/none"})

    async def work() -> str:
        await waiting.call({"command": "create", "path": "/memories/a", "file_text": "foo\n"})
        await waiting.call(
            {"command": "insert", "path": "/memories/a", "insert_line": 1, "insert_text": "bar"}
        )
        with pytest.raises(tools.ToolError, match="escape"):
            await waiting.call({"command": "view", "path": "/memories/../a"})
        return str(await waiting.call({"command": "view", "path": "/memories/a"}))

    assert asyncio.run(work()).endswith("     1\tfoo\n     2\tbar\n     3\t")
    assert (
        here.clear_all_memory() == asyncio.run(waiting.clear_all_memory()) == "All memory cleared"
    )
    assert memory.list(kind="note") == []
