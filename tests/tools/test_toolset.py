"""The tools that models call: their schemas, their answers, and that they never raise.

Modules: forms, few_set.
"""

from __future__ import annotations

import json

import pytest
from tool_calls import SECRET, bad, calls, good

import cogmem
from cogmem.errors import InvalidInput
from cogmem.tokens import counting
from cogmem.tools.toolset import TOOLSETS, toolset

# -- all of them -------------------------------------------------------------------------------------


def test_the_sets_have_the_tools_of_their_systems() -> None:
    names = {name: [tool.name for tool in toolset(name, None)] for name in TOOLSETS}
    assert names == {
        "few": ["recall", "learn", "report"],
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
    with pytest.raises(InvalidInput, match="use few, default"):
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


def test_a_closed_memory_is_an_answer_too() -> None:
    mem = cogmem.open(":memory:", counter=counting.Simple())
    mem.close()
    bad(calls("default", mem)["learn"](text="The heron left"), "open it again")


def test_a_name_that_a_model_guesses_is_understood_or_told_in_a_line(
    memory: cogmem.Memory,
) -> None:
    few = calls("few", memory)
    good(few["learn"](content="The staging host is called heron."))
    (found,) = good(few["recall"](q="staging host"))["memories"]
    assert "heron" in good(few["recall"](query=found["uid"]))["content"], (
        "by its uid it comes whole"
    )
    good(few["learn"](text="The pilot is Mei.", kind=None, key=None, said_by_user=None))
    bad(few["learn"](text=None), "text: Field required")
    bad(
        few["learn"](content="one", body="two"), "; send text (needed), kind, key, path, everywhere"
    )
    good(few["report"](what="release", steps=["tag", "push"]))
    assert good(few["report"](what="release", outcome="success"))["successes"] == 1
    good(few["report"](what="The release is out.", outcome="success"))
    assert [row.kind for row in memory.list(layer="episodic")]


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


# -- ok and flowcraft --------------------------------------------------------------------------------
