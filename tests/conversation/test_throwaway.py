"""Histories of plain message lists: bounded, in memory, or over the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from talks import Answering, said

from cogmem.conversation.throwaway import (
    BufferHistory,
    InMemoryStore,
    LosslessHistory,
    RecallingHistory,
    open_history,
)
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem import Memory


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A memory in which models may be asked."""
    memory.store.set_setting("model_calls_per_day", "100000", actor="t", now=NOW)
    return memory


def test_f03_the_in_memory_store_is_bounded_in_number_and_age_and_hands_out_copies() -> None:
    now = [0]
    store = InMemoryStore(max_conversations=2, ttl_ms=1000, clock=lambda: now[0])
    store.save("a", [said("user", "1")])
    store.save("b", [said("user", "2")])
    store.get("a")[0]["parts"].clear()
    assert store.get("a") == [said("user", "1")]
    store.save("c", [said("user", "3")])  # b was used least recently
    assert (len(store), store.get("b")) == (2, [])
    now[0] += 999
    assert store.get("a") != []
    now[0] += 999
    assert store.get("c") == []
    assert len(store) == 1
    store.append("a", [said("user", "4"), said("user", "5")])
    assert [m["parts"][0]["text"] for m in store.recent("a", 2)] == ["4", "5"]
    assert [m["parts"][0]["text"] for m in store.range("a", -3, 1)] == ["1"]
    assert store.range("a", 2, 1) == store.recent("a", 0) == []
    store.keep_summary("a", "short", 3)
    assert store.summary("a") == ("short", 3)
    store.delete("a")
    assert store.summary("a") is None
    store.close()
    store.close()
    assert len(store) == 0
    assert InMemoryStore(max_conversations=0, ttl_ms=-1)._most == 10_000


def test_f04_a_buffer_keeps_the_last_fifty() -> None:
    history = BufferHistory(InMemoryStore(), 0)
    history.save("a", [said("user", str(n)) for n in range(60)])
    assert [m["parts"][0]["text"] for m in history.load("a")] == [str(n) for n in range(10, 60)]
    history.clear("a")
    assert history.load("a") == []


def test_f05_a_history_degrades_to_a_buffer_without_model_or_file(memory: Memory) -> None:
    model = Answering("short")
    assert isinstance(open_history(), BufferHistory)
    assert isinstance(open_history(memory=memory), BufferHistory)
    assert isinstance(open_history(model=model), BufferHistory)
    assert isinstance(open_history({"type": "buffer"}, memory=memory, model=model), BufferHistory)
    assert isinstance(open_history(memory=memory, model=model), LosslessHistory)
    with pytest.warns(DeprecationWarning, match="'summary' is taken for 'lossless'"):
        assert isinstance(
            open_history({"type": "summary"}, memory=memory, model=model), LosslessHistory
        )
    with pytest.raises(InvalidInput, match="a history knows"):
        open_history({"kind": "buffer"})
    recalled = open_history({"long_term": True}, recall=lambda _: "")
    assert isinstance(recalled, RecallingHistory)
    assert isinstance(open_history({"long_term": False}, recall=lambda _: ""), BufferHistory)


def test_f17_a_lossless_history_loads_what_fits_saves_clears_and_closes(memory: Memory) -> None:
    history = open_history(
        {"dag": {"token_budget": 300}}, memory=memory, model=Answering("A summary.")
    )
    spoken = [
        said("user", f"The deploy of service {n} is on Monday, as agreed with the whole team.")
        for n in range(40)
    ]
    history.save("talk", spoken)
    history.close()
    shown = history.load("talk")
    assert shown[0]["role"] == "system"
    assert "A summary." in shown[0]["parts"][0]["text"]
    assert shown[-1]["parts"] == spoken[-1]["parts"]
    assert len(memory.conversation("talk")) == 40
    history.clear("talk")
    assert history.load("talk") == []


def test_f05_recalled_memory_stands_before_the_system_s_words() -> None:
    asked = []

    def recall(query: str) -> str:
        asked.append(query)
        return "KNOWN" if query else ""

    history = RecallingHistory(BufferHistory(InMemoryStore()), recall)
    assert history.load("a") == []
    history.save("a", [said("system", "Be brief."), *[said("user", f"q{n}") for n in range(5)]])
    first = history.load("a")[0]
    assert [part["text"] for part in first["parts"]] == ["KNOWN", "Be brief."]
    assert asked[-1] == "q2\nq3\nq4"
