"""The window: recent words and summaries within their shares, and never more than the budget."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from talks import fill

from cogmem.conversation.dag import nodes
from cogmem.conversation.parts import without_orphans
from cogmem.conversation.record import whole_tokens

if TYPE_CHECKING:
    from cogmem import Memory
    from cogmem.conversation.conversation import Conversation


def test_f12_what_fits_is_given_whole_and_unchanged(memory: Memory) -> None:
    talk = memory.conversation("talk")
    fill(talk, 5)
    window = talk.window(4000)
    assert window.is_whole
    assert window.shown == []
    assert window.messages == [message.as_message() for message in talk.messages()]
    exact = window.tokens
    assert talk.window(exact).is_whole
    assert not talk.window(exact - 1).is_whole
    assert memory.conversation("nobody").window().messages == []


def long_talk(memory: Memory, count: int = 400, **policy: Any) -> Conversation:
    talk = memory.conversation("talk", policy=policy)
    talk.append("system", "You are careful.")
    fill(
        talk,
        count,
        "Service {n} moved to host {n} on Monday, as Ann decided in the review of ticket {n}.",
    )
    return talk


def test_f13_a_window_has_recent_words_and_summaries_within_their_shares(memory: Memory) -> None:
    talk = long_talk(memory)
    talk.ingest()
    window = talk.window(2000)
    counter = memory.store.counter
    system, *recent = window.messages
    spent = sum(whole_tokens(message, counter) for message in recent)
    assert window.tokens <= 2000
    assert 0.5 * 2000 < spent <= 0.6 * 2000
    assert system["role"] == "system"
    assert system["parts"][0]["text"] == "You are careful."
    assert "Earlier in this conversation" in system["parts"][1]["text"]
    assert recent == [m.as_message() for m in talk.messages(window.first_seq)]
    places = [
        (node["earliest_seq"], node["latest_seq"])
        for node in nodes(talk)
        if node["uid"] in window.shown
    ]
    assert places == sorted(places)
    assert len(places) == len(window.shown)
    assert all(latest < window.first_seq for _, latest in places)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(places))


def test_f13_a_window_is_the_same_before_and_after_archiving(memory: Memory) -> None:
    talk = long_talk(memory, archive_threshold=100, archive_batch=80)
    talk.ingest()
    before = talk.window(2000)
    while talk.archive().messages:
        pass
    assert talk.window(2000) == before
    assert talk.state().hot_start_seq > 300  # type: ignore[union-attr]


def test_f13_without_summaries_the_recent_messages_take_the_whole_budget(memory: Memory) -> None:
    talk = long_talk(memory)
    window = talk.window(1000)
    assert window.shown == []
    assert window.tokens > 900


def test_f14_pruned_leaves_never_appear_and_nothing_is_told_twice(memory: Memory) -> None:
    talk = long_talk(memory)
    talk.ingest()
    talk.compact()
    for budget in (300, 800, 2000, 3500):
        window = talk.window(budget)
        pruned = {node["uid"] for node in nodes(talk) if node["is_pruned"]}
        assert not pruned & set(window.shown)
        assert window.tokens <= budget


def test_what_lies_between_summaries_and_recent_messages_is_told_in_a_few_lines(
    memory: Memory,
) -> None:
    talk = long_talk(memory, 40)
    talk.ingest()
    fill(talk, 60, "Then we decided that cabinet {n} is painted green.")
    window = talk.window(600)
    assert window.gap is not None
    assert window.gap[1] == window.first_seq - 1
    assert "in a few lines" in window.messages[0]["parts"][1]["text"]


def test_f15_orphan_results_go_pending_calls_and_pairs_stay() -> None:
    def call(name: str) -> dict[str, Any]:
        return {"role": "assistant", "parts": [{"type": "tool_call", "id": name, "name": "ls"}]}

    def result(*names: str) -> dict[str, Any]:
        return {
            "role": "tool",
            "parts": [{"type": "tool_result", "tool_call_id": n, "content": ""} for n in names],
        }

    empty = {"role": "tool", "parts": [{"type": "text", "text": "note"}]}
    kept = without_orphans(
        [result("gone"), call("a"), result("a"), call("pending"), empty, result("a", "gone")]
    )
    assert kept == [call("a"), result("a"), call("pending"), empty, result("a")]


def test_a_result_larger_than_the_budget_is_shown_shortened_with_its_call(memory: Memory) -> None:
    talk = memory.conversation("talk")
    fill(talk, 20)
    asked = {"type": "tool_call", "id": "call_9", "name": "bash", "arguments": {"command": "make"}}
    talk.append("assistant", [asked])
    result = {
        "type": "tool_result",
        "tool_call_id": "call_9",
        "content": "BEGIN " + "x y " * 5000 + "THE END",
    }
    talk.append("tool", [result])
    window = talk.window(500)
    first, last = window.messages[-2:]
    assert first["parts"] == [asked]
    assert window.tokens <= 500
    assert last["parts"][0]["content"].startswith("BEGIN")
    assert last["parts"][0]["content"].endswith("THE END")
