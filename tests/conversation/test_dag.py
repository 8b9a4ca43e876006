"""Summaries: leaves tell messages, nodes tell leaves; every message can be had back as it was said.

Modules: text.relevance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talks import Scripted, assert_tiled, fill, raw_parts

import cogmem
from cogmem.conversation.dag import find_nodes, nodes, remove
from cogmem.conversation.parts import answers, calls
from cogmem.conversation.policy import SummaryPolicy
from cogmem.conversation.record import whole_tokens
from cogmem.errors import InvalidInput
from cogmem.text.relevance import bm25
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogmem import Memory
    from cogmem.conversation.conversation import Conversation

SMALL = SummaryPolicy(archive_threshold=40, archive_batch=15, compact_threshold=25)


# -- whatever happens ------------------------------------------------------------------------------


WORDS = st.text(alphabet="abc éß你\n'\"\\{}[]:,?.", max_size=60)

TURN = st.one_of(
    st.tuples(st.just("user"), WORDS),
    st.tuples(st.just("assistant"), WORDS),
    st.tuples(st.just("system"), WORDS),
    st.tuples(st.just("tool turn"), st.integers(1, 3)),
    st.tuples(st.just("orphan result"), WORDS),
)

STEP = st.one_of(
    st.tuples(st.just("say"), st.lists(TURN, min_size=1, max_size=25)),
    st.tuples(
        st.sampled_from(["ingest", "ingest all", "compact", "archive", "recover", "reopen"]),
        st.none(),
    ),
    st.tuples(st.sampled_from(["edit", "take back", "remove summary"]), st.integers(0, 10_000)),
)


def turn_entries(kind: str, what: Any, number: int) -> list[tuple[str, Any, None, int, None]]:
    if kind == "orphan result":
        part = {"type": "tool_result", "tool_call_id": f"lost_{number}", "content": what}
        return [("tool", [part], None, NOW, None)]
    if kind != "tool turn":
        return [(kind, what, None, NOW, None)]
    ids = [f"call_{number}_{one}" for one in range(what)]
    asked = [
        {"type": "tool_call", "id": one, "name": "bash", "arguments": {"command": "ls"}}
        for one in ids
    ]
    got = [{"type": "tool_result", "tool_call_id": one, "content": "a b c"} for one in ids]
    return [
        ("assistant", asked, None, NOW, None),
        *(("tool", [part], None, NOW, None) for part in got),
    ]


def assert_pairs_are_whole(shown: Sequence[dict[str, Any]], talk: Conversation) -> None:
    known = {one for message in shown for one in calls(message["parts"])}
    answered = {one for message in shown for one in answers(message["parts"])}
    assert answered <= known
    everything = talk.messages()
    recorded = {one for message in everything for one in answers(message.parts)}
    asked = {one for message in everything for one in calls(message.parts)}
    assert {one for one in known if one in recorded and one in asked} <= answered


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    steps=st.lists(STEP, min_size=1, max_size=12),
    budgets=st.lists(st.integers(20, 600), min_size=2, max_size=3),
)
def test_f18_whatever_happens_every_message_stays_and_every_window_fits(
    steps: list[tuple[str, Any]], budgets: list[int]
) -> None:
    counter = counting.Simple()
    with cogmem.open(":memory:", counter=counter) as memory:
        talk = memory.conversation("talk", policy=SMALL)
        talk.append("user", "first")
        ever: dict[int, str] = {}
        for number, (step, what) in enumerate(steps):
            state = talk.state()
            assert state is not None
            if step == "say":
                entries = [
                    e
                    for place, turn in enumerate(what)
                    for e in turn_entries(*turn, number * 100 + place)
                ]
                talk.extend(entries)
            elif step == "ingest":
                talk.ingest()
            elif step == "ingest all":
                assert talk.ingest(everything=True).ingested_seq == state.next_seq
            elif step == "compact":
                talk.compact()
                assert talk.compact().leaf_pruned == 0
            elif step == "archive":
                talk.archive()
            elif step == "recover":
                assert talk.recover().messages == 0
            elif step == "reopen":
                talk = memory.conversation("talk", policy=SMALL)
            elif step in ("edit", "take back"):
                talk.edit(
                    what % state.next_seq, None if step == "take back" else f"edited {number}"
                )
            elif live := nodes(talk):
                remove(talk, live[what % len(live)]["uid"])
                talk.ingest()
            now = raw_parts(memory.db)
            assert {key: now[key] for key in ever} == ever, f"{step} changed a stored message"
            ever = now
            if step in ("ingest", "ingest all", "archive", "remove summary", "compact"):
                assert_tiled(talk)
        for budget in budgets:
            window = talk.window(budget)
            cost = sum(whole_tokens(message, counter) for message in window.messages) + 3
            assert cost == window.tokens <= budget or not window.messages
            assert_pairs_are_whole(window.messages, talk)
        assert memory.file.check() == []


# -- ingest and condense ---------------------------------------------------------------------------


def test_f06_the_defaults_are_flowcraft_s_and_a_partial_config_overlays_them() -> None:
    policy = SummaryPolicy()
    assert (policy.chunk_size, policy.condense_threshold, policy.condense_group_size) == (10, 6, 3)
    assert (policy.max_depth, policy.token_budget, policy.recent_ratio, policy.mid_ratio) == (
        4,
        4000,
        0.6,
        0.3,
    )
    assert (policy.compact_threshold, policy.prune_leaf_content, policy.require_parent) == (
        200,
        True,
        True,
    )
    assert (policy.archive_threshold, policy.archive_batch) == (1000, 500)
    changed = policy.replacing({"chunk_size": 5, "token_budget": 0, "prune_leaf_content": False})
    assert (changed.chunk_size, changed.token_budget, changed.prune_leaf_content) == (
        5,
        4000,
        False,
    )
    with pytest.raises(InvalidInput, match="is not a setting"):
        policy.replacing({"chunks": 5})


def test_f07_leaves_tell_ten_messages_beside_the_system_s_and_keep_true_numbers(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk")
    talk.append("system", "Never mention zebras.")
    fill(talk, 25)
    done = talk.ingest()
    assert (done.leaves, done.ingested_seq) == (2, 21)
    leaves = nodes(talk)
    assert [(leaf["earliest_seq"], leaf["latest_seq"]) for leaf in leaves] == [(0, 10), (11, 20)]
    assert all(leaf["tokens"] == memory.store.counter.count(leaf["content"]) for leaf in leaves)
    assert "zebra" not in leaves[0]["content"]
    assert talk.ingest().leaves == 0
    assert talk.ingest(everything=True).ingested_seq == 26


def test_f08_condensing_groups_three_neighbours_and_leaves_a_lone_node(memory: Memory) -> None:
    talk = memory.conversation("talk")
    fill(talk, 70)
    assert talk.ingest().condensed == 2
    deeper = nodes(talk, depth=1)
    assert [(node["earliest_seq"], node["latest_seq"]) for node in deeper] == [(0, 29), (30, 59)]
    assert [node["latest_seq"] for node in nodes(talk, depth=0) if not node["is_condensed"]] == [69]
    children = memory.db.ask(
        "select count(*) from summary_source x join summary s on s.id = x.summary_id where s.uid = :uid",
        {"uid": deeper[0]["uid"]},
    )
    assert children == [(3,)]


def test_f08_below_the_threshold_nothing_is_condensed_and_depth_ends_at_the_maximum(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk")
    fill(talk, 59)
    assert talk.ingest().condensed == 0
    deep = memory.conversation("deep", policy={"max_depth": 2, "condense_threshold": 2})
    fill(deep, 200)
    deep.ingest()
    assert max(node["depth"] for node in nodes(deep)) == 1


def test_f09_each_depth_has_its_prompt_and_all_deeper_ones_share_the_last(memory: Memory) -> None:
    model = Scripted("short")
    talk = memory.conversation(
        "talk", policy={"max_depth": 6, "condense_threshold": 2}, model=model
    )
    fill(
        talk,
        10 * 3**4,
        "A long enough line about the deploy of service {n} to make a call worth it.",
    )
    from cogmem.conversation import summarise

    source, extractive = "many words " * 60, lambda *_: ("x", "")
    for depth in range(6):
        summarise.Teller(memory.store.counter, model).tell(source, extractive, depth=depth)
    asked = [call["system"] for call in model.asked]
    assert len(set(asked[:4])) == 4
    assert asked[3] == asked[4] == asked[5]
    assert [summarise.HINT in prompt for prompt in asked] == [True, True, True, False, False, False]
    assert talk.state() is not None


def test_a_crash_between_two_leaves_is_caught_up_without_gap_or_overlap(memory: Memory) -> None:
    model = Scripted("short", "short", KeyboardInterrupt())  # type: ignore[arg-type]
    model.complete = Breaking(2)  # type: ignore[method-assign]
    talk = memory.conversation("talk", model=model)
    fill(
        talk,
        60,
        "A long enough line about the deploy of service {n}, to make one call of a model worth it.",
    )
    with pytest.raises(KeyboardInterrupt):
        talk.ingest()
    state = talk.state()
    assert state is not None
    assert state.ingested_seq == 20
    memory.conversation("talk").ingest()
    assert_tiled(talk)
    assert talk.state().ingested_seq == 60  # type: ignore[union-attr]


class Breaking:
    """Answers a few times, then breaks off as a killed process does."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, *_: Any, **__: Any) -> str:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return "short"


# -- compact, store of nodes -----------------------------------------------------------------------


def test_f16_compacting_prunes_told_leaves_and_removes_deleted_nodes_for_good(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk")
    fill(talk, 70)
    talk.ingest()
    lone = next(node for node in nodes(talk, depth=0) if not node["is_condensed"])
    remove(talk, lone["uid"])
    done = talk.compact()
    assert (done.deleted_removed, done.leaf_pruned, done.total_remaining) == (1, 6, 8)
    assert memory.db.ask("select count(*) from summary where uid = :uid", {"uid": lone["uid"]}) == [
        (0,)
    ]
    again = talk.compact()
    assert (again.deleted_removed, again.leaf_pruned) == (0, 0)


def test_f16_a_leaf_whose_parent_was_deleted_is_told_anew_from_the_messages(memory: Memory) -> None:
    talk = memory.conversation("talk")
    fill(talk, 60)
    talk.ingest()
    talk.compact()
    remove(talk, nodes(talk, depth=1)[0]["uid"])
    talk.ingest()
    assert_tiled(talk)
    assert all(node["content"] for node in nodes(talk) if not node["is_condensed"])


def test_f16_require_parent_can_be_switched_off(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"require_parent": False})
    fill(talk, 20)
    talk.ingest()
    assert talk.compact().leaf_pruned == 2


def test_f25_nodes_are_listed_by_depth_range_and_limit_and_found_by_words(memory: Memory) -> None:
    talk = memory.conversation("talk")
    fill(talk, 30)
    talk.append("user", "We decided to store invoices in the zebra bucket.")
    fill(talk, 29)
    talk.ingest()
    assert len(nodes(talk, depth=0)) == 6
    assert len(nodes(talk, depth=1)) == 2
    assert [node["earliest_seq"] for node in nodes(talk, depth=0, min_seq=15, max_seq=25)] == [
        10,
        20,
    ]
    assert len(nodes(talk, limit=3)) == 3
    best, score = find_nodes(talk, "zebra buckets")[0]
    assert "zebra" in best["content"]
    assert score > 0
    assert find_nodes(talk, "giraffe") == []


def test_f25_bm25_gives_the_published_scores() -> None:
    scores = bm25({"a", "b"}, [["a", "b", "c"], ["a", "d"]])
    assert [round(score, 5) for score in scores] == [0.80926, 0.19857]
