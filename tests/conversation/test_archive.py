"""Archives: the oldest messages as segments, byte for byte, whenever a process is killed.

Modules: record, segment.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from talks import fill

if TYPE_CHECKING:
    from cogmem import Memory
    from cogmem.conversation.conversation import Conversation


def test_f19_archiving_moves_the_oldest_batch_once_the_threshold_is_reached(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 30, "archive_batch": 20})
    fill(talk, 29)
    assert talk.archive().messages == 0
    fill(talk, 1)
    done = talk.archive()
    assert (done.messages, done.start_seq, done.end_seq, done.hot_start_seq) == (20, 0, 19, 20)
    lines = gzip.decompress(memory.db.ask("select body from segment")[0][0]).decode().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(20))
    assert json.loads(lines[0])["parts"] == [None]  # it stays in the row
    assert "Monday" in talk.messages()[0].parts[0]["text"]


def test_f19_a_batch_larger_than_what_there_is_becomes_half_of_it(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 10, "archive_batch": 500})
    fill(talk, 10)
    assert talk.archive().messages == 5


def test_f20_a_range_across_segments_gives_the_exact_messages_in_order(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 10})
    fill(talk, 45)
    talk.append(
        "assistant",
        [{"type": "tool_call", "id": "c", "name": "ls", "arguments": {"a": [1, None, "ü"]}}],
    )
    before = [(m.seq, m.role, m.parts, m.at) for m in talk.messages()]
    talk.keep_up()
    assert [(m.seq, m.role, m.parts, m.at) for m in talk.messages()] == before
    assert [m.seq for m in talk.messages(5, 25)] == list(range(5, 25))


def test_an_edit_of_an_archived_message_keeps_both_versions(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 10})
    fill(talk, 20)
    talk.archive()
    talk.edit(3, "corrected")
    assert talk.recover().messages == 0
    assert [v.text for v in talk.versions(3)] == [
        "The deploy of service 3 is on Monday.",
        "corrected",
    ]
    assert talk.versions(3)[0].parts[0]["text"] == "The deploy of service 3 is on Monday."


def half_archived(memory: Memory, *, cursor: bool, trimmed: bool) -> Conversation:
    """A file as a crash between the phases of a file store, or a copy by hand, would leave it."""
    talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 10})
    fill(talk, 20)
    kept = memory.db.ask("select id, parts from message where seq < 10 order by seq")
    talk.archive()
    steps: list[tuple[str, dict[str, Any]]] = []
    if not trimmed:
        steps = [
            (
                "update message set parts = :parts, segment_id = null where id = :id",
                {"id": key, "parts": parts},
            )
            for key, parts in kept
        ]
    if not cursor:
        steps.append(("update conversation set hot_start_seq = 0", {}))
    memory.db.write(steps, verb="archive", at=NOW)
    return talk


@pytest.mark.parametrize(("cursor", "trimmed"), [(False, False), (True, False), (False, True)])
def test_f21_recovering_completes_each_half_done_state_once(
    memory: Memory, cursor: bool, trimmed: bool
) -> None:
    talk = half_archived(memory, cursor=cursor, trimmed=trimmed)
    done = talk.recover()
    assert done.messages == (0 if trimmed else 10)
    assert done.hot_start_seq == 10
    again = talk.recover()
    assert again.messages == 0
    assert talk.state().hot_start_seq == 10
    assert [m.text for m in talk.messages()] == [
        f"The deploy of service {n} is on Monday." for n in range(20)
    ]
    assert memory.db.ask("select count(*) from message where parts is null") == [(10,)]


def test_f21_without_anything_half_done_recovering_does_nothing(memory: Memory) -> None:
    talk = memory.conversation("talk")
    assert talk.recover().messages == 0
    fill(talk, 20)
    before = memory.db.ask("select * from message")
    assert talk.recover().messages == 0
    assert memory.db.ask("select * from message") == before
