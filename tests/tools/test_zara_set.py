"""The memory_* tools and their rules of trust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tool_calls import SECRET, bad, calls, good

if TYPE_CHECKING:
    import cogmem


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
