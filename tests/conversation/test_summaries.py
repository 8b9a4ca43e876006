"""Summaries, windows and archives: whatever happens, every message can be had back as it was said."""

from __future__ import annotations

import gzip
import itertools
import json
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.conversation.archive import load_archived, manifest
from cogmem.conversation.background import Background
from cogmem.conversation.conversation import Conversation
from cogmem.conversation.dag import remove
from cogmem.conversation.expand import find_nodes, nodes
from cogmem.conversation.parts import answers, calls, without_orphans
from cogmem.conversation.policy import SummaryPolicy
from cogmem.conversation.record import whole_tokens
from cogmem.conversation.teller import SummaryCache, input_hash, split_hint
from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.text.relevance import bm25
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cogmem import Memory

SMALL = SummaryPolicy(archive_threshold=40, archive_batch=15, compact_threshold=25)


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A memory in which models may be asked."""
    memory.store.set_setting("model_calls_per_day", "100000", actor="t", now=NOW)
    return memory


def fill(
    talk: Conversation, count: int, words: str = "The deploy of service {n} is on Monday."
) -> None:
    roles = ("user", "assistant")
    talk.extend([(roles[n % 2], words.format(n=n), None, NOW + n, None) for n in range(count)])


class Scripted:
    """A model that says what the test wants, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def complete(self, prompt: str, **options: Any) -> str:
        self.asked.append({"prompt": prompt, **options})
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


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


def raw_parts(db: Any) -> dict[int, str]:
    """What is stored for every message version, archived or not, as the very text."""
    from cogmem.conversation.segments import parts_in_segments

    rows = db.ask("select id, parts, segment_id from message")
    archived = parts_in_segments(db, {row[2] for row in rows if row[1] is None})
    return {row[0]: row[1] if row[1] is not None else archived[row[0]] for row in rows}


def assert_tiled(talk: Conversation) -> None:
    """The frontier covers each place below the cursor exactly once."""
    state = talk.state()
    assert state is not None
    position = 0
    for earliest, latest, _, _ in talk.db.read("summary.frontier_ranges", {"id": state.id}):
        assert earliest == position, (
            f"place {min(earliest, position)} is covered {earliest < position} twice"
        )
        position = latest + 1
    assert position == state.ingested_seq


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
    assert (policy.archive_threshold, policy.archive_batch, policy.archive_prefix) == (
        1000,
        500,
        "archive",
    )
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
    from cogmem.conversation import teller

    source, extractive = "many words " * 60, lambda _: ("x", "")
    for depth in range(6):
        teller.tell(source, extractive, memory.store.counter, model=model, depth=depth)
    asked = [call["system"] for call in model.asked]
    assert len(set(asked[:4])) == 4
    assert asked[3] == asked[4] == asked[5]
    assert [teller.HINT in prompt for prompt in asked] == [True, True, True, False, False, False]
    assert talk.state() is not None


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


def test_f17_no_call_of_a_model_happens_inside_a_transaction(memory: Memory) -> None:
    inside = []

    class Watching(Scripted):
        def complete(self, prompt: str, **options: Any) -> str:
            connection = memory.db.connection
            in_one = (
                not connection.get_autocommit()
                if memory.db.driver == "apsw"
                else connection.in_transaction
            )
            inside.append(in_one)
            return super().complete(prompt, **options)

    talk = memory.conversation("talk", model=Watching("short"), policy={"condense_threshold": 2})
    fill(
        talk,
        40,
        "A long enough line about the deploy of service {n}, to make one call of a model worth it.",
    )
    talk.ingest()
    assert inside
    assert not any(inside)


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


# -- window ----------------------------------------------------------------------------------------


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
    assert "not summarised yet" in window.messages[0]["parts"][1]["text"]


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


# -- background ------------------------------------------------------------------------------------


def test_f17_a_save_returns_before_its_summaries_and_close_waits_for_them(memory: Memory) -> None:
    going = threading.Event()

    class Slow(Scripted):
        def complete(self, prompt: str, **options: Any) -> str:
            assert going.wait(10)
            return super().complete(prompt, **options)

    background = Background()
    talk = memory.conversation("talk", model=Slow("short"), background=background)
    messages = [
        {"role": "user", "content": f"A long enough line about the deploy of service {n}. " * 3}
        for n in range(30)
    ]
    talk.save(messages)
    assert nodes(talk) == []
    going.set()
    assert background.close()
    assert background.failed == []
    assert len(nodes(talk, depth=0)) == 3


def test_f17_eight_conversations_work_at_once_and_a_ninth_is_caught_up_later(
    memory: Memory,
) -> None:
    going = threading.Event()
    background = Background()
    assert all(background.start(f"busy {n}", lambda: going.wait(10) and None) for n in range(8))
    talk = memory.conversation("ninth", background=background)
    talk.save([{"role": "user", "content": f"line {n}"} for n in range(10)])
    assert background.skipped == 1
    going.set()
    assert background.close()
    assert nodes(talk) == []
    after = Background()
    later = memory.conversation("ninth", background=after)
    later.save([{"role": "user", "content": f"line {n}"} for n in range(20)])
    assert after.close()
    assert_tiled(later)
    assert later.state().ingested_seq == 20  # type: ignore[union-attr]


def test_f17_work_that_fails_is_noted_and_nothing_else_fails() -> None:
    background = Background()

    def broken() -> None:
        raise RuntimeError("no network")

    assert background.start("talk", broken)
    assert background.close()
    assert background.failed == ["talk: RuntimeError: no network"]
    assert not background.start("talk", broken)


# -- archive ---------------------------------------------------------------------------------------


def test_f19_archiving_moves_the_oldest_batch_once_the_threshold_is_reached(memory: Memory) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 30, "archive_batch": 20})
    fill(talk, 29)
    assert talk.archive().messages == 0
    fill(talk, 1)
    done = talk.archive()
    assert (done.messages, done.start_seq, done.end_seq, done.hot_start_seq) == (20, 0, 19, 20)
    shown = manifest(talk)
    assert shown["hot_start_seq"] == 20
    (segment,) = shown["segments"]
    assert segment["file"] == "archive/messages_0_19.jsonl.gz"
    assert (segment["start_seq"], segment["end_seq"], segment["count"]) == (0, 19, 20)
    lines = gzip.decompress(memory.db.ask("select body from segment")[0][0]).decode().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(20))
    assert "Monday" in json.loads(lines[0])["parts"][0]["text"]


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
    assert [m.seq for m in load_archived(talk, 5, 24)] == list(range(5, 25))
    assert load_archived(talk, 40, 99) == []


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
    memory.db.write(steps, verb="archive", actor="test", at=NOW)
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


KILLED = """
import os, signal, sys
import cogmem
from cogmem.tokens import counting

path, at = sys.argv[1], int(sys.argv[2])
with cogmem.open(path, counter=counting.Simple()) as memory:
    talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 8})
    connection = memory.db.connection
    steps = 0

    class Dying:
        def __getattr__(self, name):
            return getattr(connection, name)

        def execute(self, *args, **options):
            global steps
            steps += 1
            if steps == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return connection.execute(*args, **options)

    memory.db._connection = Dying()
    talk.archive()
    memory.db._connection = connection
"""


def test_f21_killed_between_any_two_steps_nothing_is_lost_and_nothing_twice(tmp_path: Path) -> None:
    source = str(tmp_path / "source.db")
    with cogmem.open(source, counter=counting.Simple()) as memory:
        fill(memory.conversation("talk"), 24)
        expected = raw_parts(memory.db)
    seen = set()
    for at in range(1, 40):
        copy = str(tmp_path / f"killed_{at}.db")
        with open(source, "rb") as one, open(copy, "wb") as two:
            two.write(one.read())
        done = subprocess.run(
            [sys.executable, "-c", KILLED, copy, str(at)],
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
        with cogmem.open(copy, counter=counting.Simple()) as memory:
            talk = memory.conversation("talk", policy={"archive_threshold": 20, "archive_batch": 8})
            seen.add(memory.db.ask("select count(*) from segment")[0][0])
            assert talk.recover().messages == 0
            assert raw_parts(memory.db) == expected
            if not memory.db.ask("select count(*) from segment")[0][0]:
                assert talk.archive().messages == 8
            assert raw_parts(memory.db) == expected
            assert memory.db.ask("select sum(message_count) from segment") == [(8,)]
            assert memory.file.check() == []
        if done.returncode == 0:
            break
    assert seen == {0, 1}
    assert at > 15


# -- index, expand, tools --------------------------------------------------------------------------


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


def test_f24_maintenance_compacts_and_archives_as_asked_and_says_what_it_did(
    memory: Memory,
) -> None:
    talk = memory.conversation("talk", policy={"archive_threshold": 40, "archive_batch": 25})
    fill(talk, 60)
    talk.ingest()
    done = talk.maintain(archive=False)
    assert done.compact_result.leaf_pruned == 6
    assert done.archive_result is None
    done = talk.maintain(compact=False)
    assert done.compact_result is None
    assert done.archive_result.messages == 25
    assert json.loads(json.dumps(done.as_dict())) == done.as_dict()


# -- cache -----------------------------------------------------------------------------------------


def cache_of(memory: Memory, **options: Any) -> SummaryCache:
    talk = memory.conversation("talk")
    talk.append("user", "x")
    state = talk.state()
    assert state is not None
    return SummaryCache(memory.db, state.id, "test", **options)


def test_g41_an_answer_is_found_until_its_time_is_over(memory: Memory) -> None:
    cache = cache_of(memory)
    assert (cache.capacity, cache.ttl_ms) == (100, 1_800_000)
    assert cache.get("k", NOW) is None
    cache.put("k", "answer", (0, 9), NOW)
    cache.put("k", "another", (0, 9), NOW)
    assert cache.get("k", NOW + 1_799_999) == "answer"
    assert cache.get("k", NOW + 1_800_000) is None
    assert cache.stats() == {"size": 1, "hits": 1, "misses": 2, "hit_rate": 1 / 3}
    cache.put("other", "x", (0, 9), NOW + 1_800_000)
    assert cache.stats()["size"] == 1  # what is over was swept


def test_g41_the_least_recently_used_answer_goes_first(memory: Memory) -> None:
    cache = cache_of(memory, capacity=2, ttl_ms=0)
    cache.put("a", "1", (0, 9), NOW)
    cache.put("b", "2", (0, 9), NOW + 1)
    assert cache.get("a", NOW + 2) == "1"
    cache.put("c", "3", (0, 9), NOW + 3)
    assert [cache.get(key, NOW + 4 + 10**12) for key in "abc"] == ["1", None, "3"]
    cache.drop("a", NOW)
    assert cache.stats()["size"] == 1
    cache.drop(None, NOW)
    assert cache.stats()["size"] == 0
    nothing = cache_of(memory, capacity=0)
    nothing.put("a", "1", (0, 9), NOW)
    assert nothing.get("a", NOW) is None


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
