"""The tool over two small collections of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tool_calls import SECRET, bad, calls, good

if TYPE_CHECKING:
    import cogmem


def test_o26_the_seven_actions_and_their_errors(memory: cogmem.Memory) -> None:
    tool = calls("odek", memory)["memory"]
    assert good(tool(action="read"))["user"] == "(empty)"
    assert good(tool(action="add", target="user", content="Mara drinks tea"))["entries"] == [
        "Mara drinks tea"
    ]
    good(tool(action="add", target="user", content="The mill closes at six"))
    assert good(
        tool(action="replace", target="user", old_text="six", content="The mill closes at seven")
    )["entries"] == ["Mara drinks tea", "The mill closes at seven"]
    assert good(tool(action="remove", target="user", old_text="tea"))["entries"] == [
        "The mill closes at seven"
    ]
    assert "nothing to consolidate" in good(tool(action="consolidate", target="user"))["message"]
    memory.episode(
        "We fixed the mill's roof together", kind="session_summary", session_name="s1", turns=4
    )
    assert good(tool(action="search", query="roof"))["episodes"][0]["id"] == "s1"
    assert "No matching" in good(tool(action="search", query="submarine"))["message"]
    assert good(tool(action="view", target="episodes", query="s1"))["episodes"][0]["turns"] == 4
    bad(tool(action="add", content="x"), "needs a target")
    bad(tool(action="add", target="user"), "content is required")
    bad(tool(action="add", target="episodes", content="x"), "user or env")
    bad(tool(action="replace", target="user", content="x"), "old_text is required")
    bad(tool(action="remove", target="user", old_text="submarine"), "no entry")
    bad(tool(action="search"), "query is required")
    bad(tool(action="view", target="user", query="s1"), "episodes only")
    bad(tool(action="view", target="episodes", query="../x"), "session")
    bad(tool(action="fly"), "wrong arguments")
    good(tool(action="add", target="env", content="one thing"))
    good(tool(action="add", target="env", content="another matter"))
    bad(tool(action="consolidate", target="env"), "no model")
    bad(tool(action="add", target="user", content=f"the token is {SECRET}"), "secret")
