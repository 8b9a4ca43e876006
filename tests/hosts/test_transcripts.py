"""Transcripts of other programs are read whole, and lines that cannot be read are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from talks import read

from cogmem.errors import InvalidInput
from cogmem.hosts import talk_files
from cogmem.hosts.transcripts import Importing, Reader, split

if TYPE_CHECKING:
    from pathlib import Path

    from cogmem import Memory


OPENAI = {
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}]},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bern"}'}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "21 degrees"},
        {"role": "assistant", "content": "It is 21 degrees."},
    ]
}  # fmt: skip

ANTHROPIC = [
    {"role": "user", "content": "How warm is it?"},
    {"role": "assistant", "content": [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Bern"}}]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "21 degrees"}]},
        {"type": "text", "text": "and tomorrow?"}]},
]  # fmt: skip

CLAUDE_CODE = [
    {"type": "summary", "summary": "Weather", "leafUuid": "x"},
    {"type": "user", "uuid": "1", "sessionId": "sess", "cwd": "/work", "timestamp": "2026-05-01T10:00:00.000Z",
     "message": {"role": "user", "content": "How warm is it?"}},
    {"type": "user", "uuid": "2", "sessionId": "sess", "isMeta": True,
     "message": {"role": "user", "content": "caveat"}},
    {"type": "assistant", "uuid": "3", "sessionId": "sess", "timestamp": "2026-05-01T10:00:05.000Z",
     "message": {"role": "assistant", "content": ANTHROPIC[1]["content"]}},
    {"type": "user", "uuid": "4", "sessionId": "sess", "timestamp": "2026-05-01T10:00:06.000Z",
     "message": {"role": "user", "content": [
         {"type": "tool_result", "tool_use_id": "c1", "content": "boom", "is_error": True}]}},
    {"type": "assistant", "uuid": "5", "sessionId": "sess", "isSidechain": True,
     "message": {"role": "assistant", "content": "no"}},
]  # fmt: skip

CHATGPT = [{
    "title": "Weather", "conversation_id": "conv-1", "current_node": "c",
    "mapping": {
        "root": {"message": None, "parent": None, "children": ["a"]},
        "a": {"message": {"author": {"role": "user"}, "create_time": 1777629600.5,
              "content": {"content_type": "text", "parts": ["How warm is it?"]}}, "parent": "root"},
        "b": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["An older answer."]}},
              "parent": "a"},
        "c": {"message": {"author": {"role": "assistant"}, "create_time": 1777629601,
              "content": {"parts": ["21 degrees.", {"content_type": "image_asset_pointer"}]}},
              "parent": "a"},
    },
}]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
def test_openai_s_messages_are_read_whole_or_line_by_line(indent: int | None) -> None:
    _, pieces = read(OPENAI, indent=indent)
    entries = [(entry[0], entry[1]) for _, _, entry in pieces]
    assert entries == [
        ("system", [{"type": "text", "text": "Be brief."}]),
        ("user", [{"type": "text", "text": "How warm is it?"}]),
        (
            "assistant",
            [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Bern"}}],
        ),
        ("tool", [{"type": "tool_result", "tool_call_id": "c1", "content": "21 degrees"}]),
        ("assistant", [{"type": "text", "text": "It is 21 degrees."}]),
    ]
    _, lines = read(*OPENAI["messages"])
    assert [(entry[0], entry[1]) for _, _, entry in lines] == entries


def test_anthropic_s_results_become_messages_of_the_tool() -> None:
    _, pieces = read(ANTHROPIC, indent=1)
    assert [entry[0] for _, _, entry in pieces] == ["user", "assistant", "tool", "user"]
    assert pieces[2][2][1] == [
        {"type": "tool_result", "tool_call_id": "c1", "content": "21 degrees"}
    ]


def test_claude_code_s_sessions_keep_what_was_said_and_when(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "sess.jsonl"
    file.write_text("\n".join(map(json.dumps, CLAUDE_CODE)))
    done = talk_files.record(memory, [str(file)], now=NOW, progress=lambda _: None)
    assert list(done.forms.values()) == ["claude-code"]
    said = memory.conversation("sess").messages()
    assert [(one.role, one.raw("at")) for one in said] == [
        ("user", 1_777_629_600_000),
        ("assistant", 1_777_629_605_000),
        ("tool", 1_777_629_606_000),
    ]
    assert said[2].parts[0]["is_error"] is True


def test_chatgpt_s_export_gives_the_branch_that_was_shown() -> None:
    reader, pieces = read(CHATGPT, indent=2)
    assert reader.form == "chatgpt"
    assert [(name, title, entry[0]) for name, title, entry in pieces] == [
        ("conv-1", "Weather", "user"),
        ("conv-1", "Weather", "assistant"),
    ]
    assert pieces[0][2][3] == 1_777_629_600_500
    assert [part["type"] for part in pieces[1][2][1]] == ["text", "image_asset_pointer"]


def test_a_letta_agent_file_gives_the_talk_with_each_of_its_agents() -> None:
    call = {"id": "c1", "function": {"name": "search", "arguments": '{"q": "boats"}'}}
    cook = [
        {"role": "system", "content": "You are a cook."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "soup?"}],
            "created_at": "2026-01-02",
        },
        {"role": "assistant", "content": [], "tool_calls": [call]},
        {"role": "tool", "content": "none", "tool_call_id": "c1"},
    ]
    clerk = [{"role": "user", "text": "file this"}, {"role": "robot", "text": "x"}]
    file = {"agents": [{"name": "cook", "messages": cook}, {"name": "clerk", "messages": clerk}]}
    reader, pieces = read(file)
    assert reader.form == "letta"
    assert [(name, entry[0]) for name, _, entry in pieces] == [
        ("cook", "user"),
        ("cook", "assistant"),
        ("cook", "tool"),
        ("clerk", "user"),
    ]
    assert pieces[0][2][3] == 1_767_312_000_000
    assert len(reader.bad) == 1


def test_f02_lines_that_cannot_be_read_are_left_out_and_named() -> None:
    good = {"role": "user", "content": "hello", "conversation": "x", "at": 1_700_000_000}
    reader, pieces = read(good, "{broken", {"role": "robot", "content": "x"}, [1], good)
    assert [(name, entry[3]) for name, _, entry in pieces] == [("x", 1_700_000_000_000)] * 2
    assert [place for place, _ in reader.bad] == [2, 3, 1]
    reader, pieces = read("no json at all")
    assert pieces == []
    assert len(reader.bad) == 1
    with pytest.raises(InvalidInput, match="not known"):
        Reader([], "word", now=NOW)
    with pytest.raises(ValueError, match="role"):
        list(split({"role": "robot"}))


def test_f02_what_another_client_spoiled_is_read_as_far_as_it_can_be(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.append("user", "hello")
    insert = (
        "insert into message (conversation_id, seq, role, parts, text, said_at)"
        ' values (1, 1, \'user\', \'[7, {"type": "text"}, {"type": "text", "text": "b"}]\', \'b\', 1)'
    )
    advance = ("update conversation set next_seq = 2", {})
    memory.db.write([(insert, {}), advance], verb="test", at=NOW)
    assert [m.parts for m in talk.messages()] == [
        [{"type": "text", "text": text}] for text in ("hello", "b")
    ]


def test_importing_again_adds_only_what_is_new(memory: Memory) -> None:
    def take(*lines: Any) -> Importing:
        reader, pieces = read(*lines)
        assert reader.bad == []
        work = Importing(memory.conversation, "default")
        list(work.take(pieces))
        return work

    lines = [{"role": "user", "content": f"line {n}", "at": NOW + n} for n in range(5)]
    assert take(*lines).appended == {"default": 5}
    again = take(*lines, {"role": "user", "content": "one more", "at": NOW + 9})
    assert (again.appended, again.unchanged) == ({"default": 1}, 5)
    assert [m.raw("at") for m in memory.conversation("default").messages()] == [
        *range(NOW, NOW + 5),
        NOW + 9,
    ]
