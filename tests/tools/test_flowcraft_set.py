"""The tools over a lossless conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW
from tool_calls import bad, calls, good

if TYPE_CHECKING:
    import cogmem


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
