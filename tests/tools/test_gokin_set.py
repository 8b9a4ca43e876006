"""The tools of an assistant with notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from tool_calls import bad, calls, good

if TYPE_CHECKING:
    import cogmem


def test_g16_memory_in_both_vocabularies(memory: cogmem.Memory) -> None:
    memory.scope = memory.scope.replacing(project="p", session="s")
    tool = calls("gokin", memory)["memory"]
    for action, scope in (("add", "project"), ("remember", "global"), ("add", "session")):
        answer = good(
            tool(
                action=action,
                content=f"The {scope} heron " + "x" * 120,
                key=f"k.{scope}",
                scope=scope,
            )
        )
        assert (answer["type"], answer["key"]) == (scope, f"k.{scope}")
        assert len(answer["message"]) < 130
    hit = good(tool(action="get", key="k.project"))
    assert (hit["found"], hit["count"]) == (True, 1)
    groups = good(tool(action="recall", query="heron"))
    assert [len(groups[name]) for name in ("session", "project", "global")] == [1, 1, 1]
    listed = good(tool(action="list"))
    assert listed["count"] == 3
    assert all(
        len(row["content"]) <= 60
        for name in ("session", "project", "global")
        for row in listed[name]
    )
    nothing = good(tool(action="search", query="submarine"))
    assert (nothing["found"], nothing["count"]) == (False, 0)
    good(tool(action="remove", key="k.project"))
    good(tool(action="forget", id=groups["global"][0]["id"]))
    bad(tool(action="remove", key="k.project"), "no memory")
    bad(tool(action="remove"), "an id or a key")
    bad(tool(action="add"), "content is required")
    bad(tool(action="search"), "what to look for")
    bad(tool(action="dance"), "wrong arguments: action")
    bad(tool(), "wrong arguments: action")


def test_g16_a_note_may_expire(memory: cogmem.Memory) -> None:
    answer = good(calls("gokin", memory)["memory"](action="add", content="Only now", ttl_minutes=5))
    row = memory.get(answer["id"])
    assert row.raw("expires_at") == pytest.approx(row.raw("created_at") + 300_000, abs=5_000)


def test_g17_memorize_stores_by_type_and_forgets(memory: cogmem.Memory) -> None:
    tool = calls("gokin", memory)["memorize"]
    assert good(tool(type="preference", key="indent", content="tabs"))["key"] == "indent"
    assert good(tool(type="fact", key="port", content="8081 is the port"))["key"] == "fact:port"
    assert (
        good(tool(type="convention", key="names", content="snake case"))["key"]
        == "convention:names"
    )
    good(tool(type="pattern", key="guard clause", content="return early"))
    kinds = {row.key: row.kind for row in memory.list()}
    assert kinds == {
        "indent": "preference",
        "fact:port": "fact",
        "convention:names": "convention",
        "guard clause": "pattern",
    }
    good(tool(type="forget", key="port"))
    bad(tool(type="forget", key="port"), "nothing changed")
    bad(tool(type="wish", key="x", content="y"), "wrong arguments: type")
    bad(tool(type="fact", key="x"), "content is required")
    bad(tool(type="fact", key="", content="y"), "wrong arguments: key")


def test_g19_pin_context_sets_replaces_and_clears(memory: cogmem.Memory) -> None:
    tool = calls("gokin", memory)["pin_context"]
    bad(tool(content="x"), "session")
    memory.scope = memory.scope.replacing(session="s")
    for clearing in ({"clear": True}, {"content": "clear"}, {"content": ""}):
        good(tool(content="The lease ends in May"))
        good(tool(content="The lease ends in June"))
        assert "June" in memory.activate("Hello", session="s").text
        assert good(tool(**clearing))["pinned"] == ""
        assert "June" not in memory.activate("Hello", session="s").text


def test_g19_where_no_session_is_named_the_pin_is_for_the_one_that_had_the_latest_turn(
    memory: cogmem.Memory,
) -> None:
    tool = calls("gokin", memory)["pin_context"]
    bad(tool(content="x"), "no session has had a turn")
    for number, name in enumerate(("old", "new")):
        memory.activate("Hello", session=name, now=NOW + number)
    assert good(tool(content="The lease ends in May"))["session"] == "new"
    assert "lease" in memory.activate("Hello", session="new", now=NOW + 2).text
    assert "lease" not in memory.activate("Hello", session="old", now=NOW + 3).text
    assert good(tool(content="Sign in June", session="old"))["session"] == "old"
    assert "June" in memory.activate("Hello", session="old", now=NOW + 4).text


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("First this.\n\nThen that.", "## Pinned\n- First this.\n- Then that.\n"),
        ("word " * 3000, "## Pinned\n- word word"),
        ("x" * 60_000, "## Pinned\n- xxx"),
    ],
    ids=["lines", "words", "one word"],
)
def test_g19_a_pin_of_many_lines_or_beyond_the_budget_is_shown_from_its_beginning(
    memory: cogmem.Memory, text: str, begins: str
) -> None:
    tool = calls("gokin", memory)["pin_context"]
    answer = good(tool(content=text, session="s"))
    turn = memory.activate("Hello", session="s", now=NOW)
    assert begins in turn.text
    assert turn.tokens <= turn.budget
    assert ("only the beginning is shown" in answer["message"]) is (len(text) > 1000)


def test_g20_history_search(memory: cogmem.Memory) -> None:
    memory.conversation("talk").append("user", "The Heron left.", at=NOW)
    tool = calls("gokin", memory)["history_search"]
    answer = good(tool(pattern="her[o]n", conversation="talk"))
    assert (answer["count"], answer["matches"][0]["role"]) == (1, "user")
    assert good(tool(pattern="submarine", conversation="talk"))["message"] == "no matches"
    bad(tool(pattern="(", conversation="talk"), "regular expression (missing )")
    assert good(tool(pattern="heron"))["count"] == 1, "the latest, where none is named"


def test_g20_history_search_says_so_where_nothing_is_recorded(memory: cogmem.Memory) -> None:
    bad(calls("gokin", memory)["history_search"](pattern="x"), "no conversation is recorded")


def test_g19_a_pin_of_a_named_session_stands_in_its_first_turn(memory: cogmem.Memory) -> None:
    good(calls("gokin", memory)["pin_context"](content="The lease ends in May", session="new"))
    assert "lease" in memory.activate("Hello", session="new", now=NOW).text
