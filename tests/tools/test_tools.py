"""The tools that models call: their schemas, their answers, and that they never raise."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput
from cogmem.tokens import counting
from cogmem.tools.toolset import TOOLSETS, Tool, toolset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2"


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


# -- all of them -------------------------------------------------------------------------------------


def test_the_sets_have_the_tools_of_their_systems() -> None:
    names = {name: [tool.name for tool in toolset(name, None)] for name in TOOLSETS}
    assert names == {
        "default": [
            "learn",
            "recall",
            "episode",
            "procedure",
            "stats",
            "consolidate",
            "forget",
            "expand",
        ],
        "gokin": ["memory", "memorize", "pin_context", "history_search"],
        "odek": ["memory"],
        "ok": ["remember"],
        "zara": [
            "memory_learn",
            "memory_recall",
            "memory_episode",
            "memory_procedure",
            "memory_stats",
            "memory_consolidate",
            "memory_contradictions",
            "memory_delete",
        ],
        "flowcraft": ["memory_expand", "memory_compact"],
    }
    with pytest.raises(InvalidInput, match="use default"):
        toolset("nobody", None)


def test_every_schema_is_strict_short_and_says_when_to_use_the_tool() -> None:
    for name in TOOLSETS:
        for tool in toolset(name, None):
            assert tool.parameters["type"] == "object"
            assert tool.parameters["additionalProperties"] is False
            assert "title" not in json.dumps({**tool.parameters, "properties": {}})
            assert "$defs" not in tool.parameters
            assert 10 < len(tool.description) < 400
            assert len(json.dumps(tool.parameters)) < 2000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=examples(60))
@given(st.data())
def test_o26_no_tool_ever_raises(data: st.DataObject) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        tool = data.draw(
            st.sampled_from([tool for name in TOOLSETS for tool in toolset(name, mem)])
        )
        known = list(tool.parameters.get("properties", {}))
        arguments: Any = data.draw(
            st.dictionaries(st.sampled_from([*known, "other"]), JSON, max_size=4)
            | st.text(max_size=20)
        )
        answer = tool.call(arguments)
        assert isinstance(answer["success"], bool)
        assert answer["success"] or answer["error"]
        json.dumps(answer)


def test_a_closed_memory_is_an_answer_too() -> None:
    mem = cogmem.open(":memory:", counter=counting.Simple())
    mem.close()
    bad(calls("default", mem)["learn"](text="The heron left"), "open it again")


def test_arguments_may_come_as_json_text(memory: cogmem.Memory) -> None:
    stats = next(tool for tool in toolset("default", memory) if tool.name == "stats")
    assert good(stats.call("{}"))["memories"] == 0
    bad(stats.call("{not json"), "wrong arguments")


def test_what_was_passed_is_never_repeated_in_an_error(memory: cogmem.Memory) -> None:
    learn = calls("default", memory)["learn"]
    for arguments in (
        {"text": f"token {SECRET}"},
        {"text": 7, "key": SECRET},
        {SECRET: 1, "text": "x"},
    ):
        answer = learn(**arguments)
        assert answer["success"] is False
    assert SECRET not in learn(text=f"the token is {SECRET}")["error"]


# -- the default set ---------------------------------------------------------------------------------


def test_learn_recall_and_expand(memory: cogmem.Memory) -> None:
    tool = calls("default", memory)
    answer = good(tool["learn"](text="The heron nests by the mill", kind="fact", tags=["bird"]))
    assert answer["outcome"] == "inserted"
    hit = good(tool["recall"](query="where does the heron nest"))
    assert [row["uid"] for row in hit["memories"]] == [answer["uid"]]
    assert good(tool["recall"](query="submarine"))["found"] is False
    assert good(tool["expand"](uid=answer["uid"]))["content"] == "The heron nests by the mill"
    bad(tool["expand"](uid="mem_0000000000000000"), "no memory")
    bad(tool["expand"](uid="msg_12"), "no message")
    bad(tool["expand"](uid="sum_12"), "no summary")
    bad(tool["learn"](text="x", lifetime="session"), "no session is running")
    bad(tool["learn"](text=""), "wrong arguments: text")


def test_z14_a_recall_by_a_tool_strengthens_what_it_returns(memory: cogmem.Memory) -> None:
    uid = memory.learn("The heron nests by the mill").uid
    calls("default", memory)["recall"](query="heron")
    memory.flush()
    row = memory.get(uid)
    assert (row.reinforcement_count, row.access_count) == (2, 1)


def test_a_message_is_expanded(memory: cogmem.Memory) -> None:
    memory.conversation("talk").append("user", "The heron left the mill in spring.", at=NOW)
    answer = good(calls("default", memory)["expand"](uid="msg_1"))
    assert (answer["text"], answer["conversation"]) == (
        "The heron left the mill in spring.",
        "talk",
    )


def test_z22_episode_and_procedure_store_and_count(memory: cogmem.Memory) -> None:
    tool = calls("default", memory)
    good(tool["episode"](event="The deploy broke", outcome="failure", tags=["deploy"]))
    good(tool["procedure"](name="deploy", steps=["build", "push"], context="on release"))
    answer = good(tool["procedure"](name="deploy", outcome="success"))
    assert (answer["successes"], answer["failures"]) == (1, 0)
    updated = good(tool["procedure"](name="deploy", steps=["test", "build", "push"]))
    assert updated["outcome"] == "updated"
    assert memory.get("deploy").detail["success_count"] == 1
    bad(tool["procedure"](name="deploy"), "give the steps")
    zara = calls("zara", memory)["memory_procedure"]
    assert good(zara(name="deploy", outcome="failure"))["failures"] == 1


def test_z23_stats_and_z24_consolidate_answer_with_counts(memory: cogmem.Memory) -> None:
    tool = calls("default", memory)
    memory.learn("The heron left", now=NOW)
    stats = good(tool["stats"]())
    assert (stats["memories"], stats["by_kind"]) == (1, {"fact": 1})
    first = good(tool["consolidate"]())
    assert set(first) >= {"merged", "archived", "promoted"}
    again = good(tool["consolidate"]())
    assert (again["merged"], again["archived"], again["promoted"]) == (0, 0, 0)


def test_forget_shows_first_and_removes_when_confirmed(memory: cogmem.Memory) -> None:
    uid = memory.learn("The heron left", now=NOW).uid
    tool = calls("default", memory)
    assert good(tool["forget"](names=[uid]))["confirmed"] is False
    assert memory.get(uid).state == "active"
    number = memory.forget(uid, dry_run=True).number  # as a person reads it in the terminal
    good(tool["forget"](names=[uid], confirm=number, reason="asked"))
    bad(tool["forget"](names=[uid], confirm=number), "no memory")


# -- gokin -------------------------------------------------------------------------------------------


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


# -- odek --------------------------------------------------------------------------------------------


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


# -- zara --------------------------------------------------------------------------------------------


def test_z19_memory_learn_upserts_by_key_and_reinforces(memory: cogmem.Memory) -> None:
    tool = calls("zara", memory)["memory_learn"]
    first = good(
        tool(
            key="deploy",
            value="Deploys need a green build",
            type="workflow",
            scope="ci/**",
            priority="high",
        )
    )
    row = memory.get(first["uid"])
    assert (row.kind, row.path_glob, row.priority, row.detail["confidence"]) == (
        "workflow",
        "ci/**",
        3,
        0.8,
    )
    again = good(
        tool(
            key="deploy",
            value="Deploys need two green builds",
            type="workflow",
            source="user_explicit",
        )
    )
    assert (again["outcome"], memory.get("deploy").reinforcement_count) == ("updated", 2)
    assert memory.get("deploy").detail["confidence"] == 1.0
    near = good(tool(key="other", value="deploys need two green builds.", type="workflow"))
    assert near["deduped"] in (True, False)
    assert (
        good(tool(key="odd", value="Some odd thing", type="no such type"))["outcome"] == "inserted"
    )
    assert memory.get("odd").kind == "fact"


def test_z20_trust_rules_of_memory_learn(memory: cogmem.Memory) -> None:
    tool = calls("zara", memory)["memory_learn"]
    bad(tool(key="a", value=f"the token is {SECRET}"), "secret")
    assert good(tool(key="b", value="Commits are signed", type="policy"))["outcome"] == "candidate"
    bad(tool(key="c", value="Commits are signed", type="policy", source="inferred"), "person")
    bad(
        tool(key="d", value="Commits are signed", type="preference", source="external_unverified"),
        "unverified",
    )
    bad(
        tool(
            key="e",
            value="Commits are signed",
            type="policy",
            source="user_explicit",
            agent="helper",
        ),
        "sub-agent",
    )
    good(tool(key="f", value="Commits are signed", type="policy", source="user_explicit"))
    assert (
        good(tool(key="g", value="A page says so", source="external_unverified"))["outcome"]
        == "candidate"
    )
    bad(tool(key="h", value="x", grounded=1), "wrong arguments: grounded")


def test_z21_memory_recall_filters(memory: cogmem.Memory) -> None:
    memory.learn("The heron nests by the mill", path="docs/**")
    memory.learn("The heron is a pitfall", kind="pitfall")
    memory.episode("The heron left")
    tool = calls("zara", memory)["memory_recall"]
    assert good(tool(query="heron"))["count"] == 3
    assert good(tool(query="heron", type="pitfall"))["count"] == 1
    assert good(tool(query="heron", layer="episodic"))["count"] == 1
    assert good(tool(query="heron", scope="docs/a.md"))["count"] == 3
    # What is about other files is left out; what is about none in particular is not.
    assert good(tool(query="heron", scope="src/a.py"))["count"] == 2
    assert good(tool(query="submarine"))["message"] == "No memories."


def test_z29_contradictions_and_guarded_deletion(memory: cogmem.Memory) -> None:
    tool = calls("zara", memory)
    memory.learn("Indent the code of this repository with tabs")
    memory.learn("Indent the code of this repository with spaces")
    assert len(good(tool["memory_contradictions"]())["pairs"]) == 1
    for number in range(11):
        memory.learn(f"heron number {number}", user="", kind="entities")
    assert good(tool["memory_delete"](pattern="heron"))["deleted"] == 0
    bad(tool["memory_delete"](pattern="heron", dry_run=False), "confirm=True")
    done = good(tool["memory_delete"](pattern="heron", dry_run=False, confirm=True))
    assert done["deleted"] == 11
    assert memory.history.log(limit=1)[0].reason.startswith("deleted by a tool")
    memory.restore(done["uids"][0])
    bad(tool["memory_delete"](pattern="ab"), "wrong arguments: pattern")


# -- ok and flowcraft --------------------------------------------------------------------------------


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


def test_f23_f24_expand_and_compact_answer_for_a_conversation(memory: cogmem.Memory) -> None:
    from cogmem.conversation.conversation import current

    tool = calls("flowcraft", memory)
    bad(tool["memory_expand"](summary_id="sum_1"), "no summary")
    talk = memory.conversation("talk")
    for number in range(30):
        talk.append(
            "user", f"Line {number} of the talk about the mill and its roof.", at=NOW + number
        )
    token = current.set("talk")
    try:
        from cogmem.conversation.dag import ingest

        ingest(talk, everything=True)
        leaf = memory.db.ask("select uid from summary where depth = 0 order by id")[0][0]
        answer = good(tool["memory_expand"](summary_id=leaf, max_messages=3))
        assert len(answer["messages"]) == 3
        current.set(None)  # over MCP nobody can set it: the uid says which conversation is meant
        assert good(tool["memory_expand"](summary_id=leaf))["messages"]
        bad(tool["memory_expand"](summary_id="sum_0"), "no summary")
    finally:
        current.reset(token)
    bad(tool["memory_compact"](conversation_id="tlak"), "no conversation of this name")
    done = good(tool["memory_compact"](conversation_id="talk", archive=False))
    assert done["archive_result"] is None
    assert done["compact_result"]["total_remaining"] >= 1


def test_tools_may_be_called_from_many_threads(memory: cogmem.Memory) -> None:
    tool = calls("default", memory)
    answers: list[dict[str, Any]] = []

    def work(number: int) -> None:
        for turn in range(5):
            answers.append(tool["learn"](text=f"Thing {number} of turn {turn} stands alone"))
            answers.append(tool["recall"](query=f"thing {number}"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([good(answer) for answer in answers]) == 40
