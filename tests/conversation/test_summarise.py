"""What tells a stretch in fewer words: its three ways down, its hint, and answers that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from talks import Scripted, assert_tiled, fill

from cogmem.conversation import summarise
from cogmem.conversation.dag import nodes, remove
from cogmem.conversation.summarise import SummaryCache, input_hash, split_hint

if TYPE_CHECKING:
    from cogmem import Memory


# -- ingest and condense ---------------------------------------------------------------------------


LONG = "The importer reads config/app.toml, and a failed parse is logged there with its line. " * 12


@pytest.mark.parametrize(
    ("answers", "method", "calls_made"),
    [
        (["A short summary."], "model", 1),
        ([LONG * 2, "Second try."], "retry", 2),
        (["", "Second try."], "retry", 2),
        ([TimeoutError("slow"), "Second try."], "retry", 2),
        (["", "   "], "extract", 2),
        ([TimeoutError("slow")], "extract", 2),
    ],
)
def test_f10_summaries_fall_back_in_three_levels_and_never_fail(
    memory: Memory, answers: list[Any], method: str, calls_made: int
) -> None:
    model = Scripted(*answers)
    talk = memory.conversation("talk", model=model)
    talk.append("user", LONG)
    talk.ingest(everything=True)
    (leaf,) = nodes(talk)
    assert leaf["method"] == method
    assert len(model.asked) == calls_made
    assert leaf["content"].strip()
    assert all(call["timeout"] == 30.0 for call in model.asked)
    if calls_made == 2:
        source = memory.store.counter.count(f"user: {LONG[:2000]}")
        assert model.asked[1]["max_tokens"] == source // 3


def test_f10_a_chunk_too_short_to_be_worth_a_call_costs_none(memory: Memory) -> None:
    model = Scripted("summary")
    talk = memory.conversation("talk", model=model)
    talk.append("user", "hi")
    talk.append("assistant", "hi")
    talk.ingest(everything=True)
    assert model.asked == []
    assert nodes(talk)[0]["content"]


def test_f11_the_hint_is_the_last_matching_line_and_leaves_the_text() -> None:
    text = "Body.\n[Expand for details about: x]\nMore.\n[Expand for details about: a, b]\ndropped"
    assert split_hint(text) == ("Body.\n[Expand for details about: x]\nMore.", "a, b")
    assert split_hint("no hint\n") == ("no hint", "")


# -- cache -----------------------------------------------------------------------------------------


def cache_of(memory: Memory) -> SummaryCache:
    talk = memory.conversation("talk")
    talk.append("user", "x")
    state = talk.state()
    assert state is not None
    return SummaryCache(memory.db, state.id)


def test_g41_an_answer_is_found_until_its_time_is_over(memory: Memory) -> None:
    cache = cache_of(memory)
    assert cache.get("k", NOW) is None
    cache.put("k", "answer", (0, 9), NOW)
    cache.put("k", "another", (0, 9), NOW)
    assert cache.get("k", NOW + 1_799_999) == "answer"
    assert cache.get("k", NOW + 1_800_000) is None
    cache.put("other", "x", (0, 9), NOW + 1_800_000)
    assert memory.db.ask("select input_hash from summary_cache") == [
        ("other",)
    ]  # what is over was swept


def test_g41_the_least_recently_used_answer_goes_first(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summarise, "CACHED", 2)
    cache = cache_of(memory)
    cache.put("a", "1", (0, 9), NOW)
    cache.put("b", "2", (0, 9), NOW + 1)
    assert cache.get("a", NOW + 2) == "1"
    cache.put("c", "3", (0, 9), NOW + 3)
    assert [cache.get(key, NOW + 4) for key in "abc"] == ["1", None, "3"]


def test_g41_calls_that_differ_in_one_value_have_different_keys() -> None:
    def call(**arguments: Any) -> list[Any]:
        part = {"type": "tool_call", "id": "1", "name": "read", "arguments": arguments}
        return ["assistant", [part]]

    assert input_hash(call(path="a", line=1)) != input_hash(call(path="b", line=1))
    assert input_hash(call(path="a", line=1)) == input_hash(call(line=1, path="a"))
    assert input_hash(["user", [], "user", []]) != input_hash(["user", []])


def test_g41_the_same_chunk_is_paid_for_once_until_a_message_in_it_is_edited(
    memory: Memory,
) -> None:
    model = Scripted("short")
    talk = memory.conversation("talk", model=model)
    fill(
        talk,
        10,
        "A long enough line about the deploy of service {n}, to make one call of a model worth it.",
    )
    talk.ingest()
    remove(talk, nodes(talk)[0]["uid"])
    talk.ingest()
    assert len(model.asked) == 1
    talk.append("user", "later")
    assert memory.db.ask("select count(*) from summary_cache") == [(1,)]
    talk.edit(4, "The port is 8080.")
    assert memory.db.ask("select count(*) from summary_cache") == [(0,)]
    talk.ingest()
    assert len(model.asked) == 2


def test_f26_the_nodes_that_nothing_tells_further_tell_the_whole_until_an_edit(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk")
    for number in range(30):
        talk.append("user", f"Roof {number} of the mill leaks.")
    talk.ingest(everything=True)
    assert_tiled(talk)
    told = talk.index()
    assert told == memory.conversation("talk").index() != ""
    talk.edit(3, "The cellar is dry.")
    talk.ingest(everything=True)
    assert talk.index() != told
    assert_tiled(talk)
