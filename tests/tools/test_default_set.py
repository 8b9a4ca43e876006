"""The tools that every agent gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW
from tool_calls import bad, calls, good

if TYPE_CHECKING:
    import cogmem


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
