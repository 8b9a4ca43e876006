"""From a summary back to the messages, across the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from talks import fill

from cogmem.conversation.dag import nodes, remove
from cogmem.errors import InvalidInput, UnknownMemory

if TYPE_CHECKING:
    from cogmem import Memory


def test_f22_the_index_lists_the_frontier_newest_last_within_its_characters(memory: Memory) -> None:
    talk = memory.conversation("talk")
    assert talk.index() == ""
    fill(
        talk,
        75,
        "Service {n} moved to another host on Monday, as Ann decided in the review of ticket {n}.",
    )
    talk.ingest()
    rows = talk.index(5000).splitlines()
    frontier = talk.db.read("summary.frontier_ranges", {"id": 1})
    assert [row.split()[1] for row in rows[1:]] == [uid for *_, uid in frontier]
    assert all(len(row) < 260 for row in rows[1:])
    assert rows[1].endswith("...")
    short = talk.index(420)
    assert len(short) <= 420
    assert "older summaries are not listed" in short
    assert short.splitlines()[-1].split()[1] == frontier[-1][3]
    assert talk.index(30) == ""
    remove(talk, frontier[-1][3])
    assert frontier[-1][3] not in talk.index(5000)


def test_f23_expanding_leads_from_a_summary_to_the_messages_across_the_archive(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 40, "archive_batch": 25})
    fill(talk, 60)
    talk.keep_up()
    top = talk.expand(nodes(talk, depth=1)[0]["uid"])
    assert [(child.earliest_seq, child.latest_seq) for child in top.children] == [
        (0, 9),
        (10, 19),
        (20, 29),
    ]
    leaf = talk.expand(top.children[2].uid)
    assert [message.seq for message in leaf.messages] == list(range(20, 30))
    assert {message.segment_id is None for message in leaf.messages} == {True, False}
    assert leaf.messages[3].text == "The deploy of service 23 is on Monday."
    last = talk.expand(top.children[2].uid, limit=3)
    assert [message.seq for message in last.messages] == [27, 28, 29]
    assert last.omitted == 7


def test_f23_expanding_what_is_not_there_says_so(memory: Memory) -> None:
    talk = memory.conversation("talk")
    with pytest.raises(UnknownMemory, match="has no summary"):
        talk.expand("sum_nothing")
    fill(talk, 10)
    talk.ingest()
    (leaf,) = nodes(talk)
    remove(talk, leaf["uid"])
    with pytest.raises(InvalidInput, match="was deleted"):
        talk.expand(leaf["uid"])
    with pytest.raises(UnknownMemory, match="no live summary"):
        remove(talk, leaf["uid"])


def test_f24_compacting_and_archiving_say_what_they_did(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 40, "archive_batch": 25})
    fill(talk, 60)
    talk.ingest()
    assert talk.compact().leaf_pruned == 6
    assert talk.archive().messages == 25
