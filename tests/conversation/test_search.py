"""Search in what was said: by a pattern, in linear time, with what stands around."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from talks import call

from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem import Memory


def test_g20_search_is_case_insensitive_and_shows_fifty_characters_around(memory: Memory) -> None:
    talk = memory.conversation("talk")
    talk.append("user", "x" * 80 + " the RETRY budget " + "é" * 80)
    talk.append(
        "assistant",
        [{"type": "tool_call", "id": "1", "name": "retry_tool", "arguments": {"budget": "retry"}}],
    )
    found = talk.search("retry")
    assert [(match.seq, match.role) for match in found.matches] == [(0, "user"), (1, "assistant")]
    excerpt = found.matches[0].excerpt
    assert excerpt == "…" + "x" * 45 + " the RETRY budget " + "é" * 42 + "…"
    assert found.matches[1].excerpt == "retry_tool"  # the name only, not the arguments


def test_g20_search_is_capped_at_twenty_and_five_per_part_and_says_so(memory: Memory) -> None:
    talk = memory.conversation("talk")
    for _ in range(5):
        talk.append("user", "ping " * 9)
    found = talk.search("ping")
    assert len(found.matches) == 20
    assert found.is_cut
    assert found.text().endswith("… more matches are not shown")
    assert [match.seq for match in found.matches].count(0) == 5
    assert not talk.search("ping", limit=25).is_cut


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "", "x" * 2000])
def test_g20_a_pattern_that_cannot_be_searched_is_refused(memory: Memory, pattern: str) -> None:
    with pytest.raises(InvalidInput):
        memory.conversation("talk").search(pattern)


def test_g20_nothing_found_is_no_error(memory: Memory) -> None:
    talk = memory.conversation("talk")
    assert talk.search("x").text() == "no matches"
    talk.append("user", "hello")
    found = talk.search("zebra")
    assert (found.matches, found.is_cut, found.searched) == ([], False, 1)


def test_search_reaches_archived_messages_and_their_tools(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 4, "archive_batch": 2})
    talk.append("user", "where is the heron?")
    talk.append("assistant", call("heron_finder")["parts"])
    talk.extend([("user", f"line {n}", None, NOW, None) for n in range(4)])
    talk.archive()
    assert [match.seq for match in talk.search("heron").matches] == [0, 1]
