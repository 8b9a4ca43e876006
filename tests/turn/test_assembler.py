"""The block before the system text: what is in it, what it may cost, and when it is made anew.

Modules: caches, hybrid, project.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput
from cogmem.tokens import counting
from cogmem.turn.assembler import normalised
from cogmem.turn.caches import Cache, Throttle, change
from cogmem.turn.hybrid import Hybrid
from cogmem.turn.message_list import CLOSING, OPENING

if TYPE_CHECKING:
    from collections.abc import Sequence

ASK = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "How is the heron project?"},
]


def fill(mem: cogmem.Memory, count: int = 3) -> None:
    mem.learn("Ann is a bird watcher.", kind="profile", now=NOW)
    mem.learn("Ann prefers short answers.", kind="preference", now=NOW)
    for n in range(count):
        mem.learn(f"The heron project has part number {n}.", kind="entity", key=f"e{n}", now=NOW)
        mem.learn(f"The heron project was shown on day {n}.", kind="event", key=f"v{n}", now=NOW)


def texts(block: str) -> list[str]:
    return [row[2:] for row in block.splitlines() if row.startswith("- ")]


def kinds(entries: Sequence[Any]) -> list[str]:
    return [entry.kind for entry in entries]


# -- what is in it ---------------------------------------------------------------------------------


def test_f43_pinned_memories_come_always_and_others_by_the_query(memory: cogmem.Memory) -> None:
    fill(memory)
    entries = memory.turns.assembler().entries("heron project", now=NOW)
    assert kinds(entries[:2]) == ["profile", "preference"]
    assert set(kinds(entries[2:])) == {"entity", "event"}
    assert kinds(memory.turns.assembler().entries("  ", now=NOW)) == ["profile", "preference"]
    assert kinds(memory.turns.assembler().entries("walrus", now=NOW)) == ["profile", "preference"]


def test_f43_recall_gets_what_the_pinned_ones_leave_shared_by_kind(memory: cogmem.Memory) -> None:
    fill(memory, 8)
    entries = memory.turns.assembler().entries("heron project", now=NOW)
    assert (
        len(entries) == 10
    )  # 8 for recall, 8 // 2 + 1 of each of the two kinds that have some, if there is room
    assert kinds(entries)[2:] == ["entity"] * 5 + ["event"] * 3
    few = memory.turns.assembler(most=3).entries("heron project", now=NOW)
    assert kinds(few) == ["profile", "preference", "entity"]
    only = memory.turns.assembler(pinned=[], recalled=["event"], most=4).entries("heron", now=NOW)
    assert kinds(only) == ["event"] * 4


def test_the_block_knows_the_words_of_every_system_by_the_policy_of_their_kinds(
    memory: cogmem.Memory,
) -> None:
    memory.learn("Deploys of the heron project need a green build.", kind="policy", now=NOW)
    memory.learn("The heron project runs on port 80.", kind="fact", now=NOW)
    memory.db.ask(
        "insert into kind (name, layer, meaning, is_pinned) values ('vow', 'semantic', 'A vow.', 1)"
    )
    memory.learn("Never sell the boat.", kind="vow", now=NOW)
    assert kinds(memory.turns.assembler().entries("walrus", now=NOW)) == ["vow", "policy"]
    assert kinds(memory.turns.assembler().entries("heron", now=NOW)) == ["vow", "policy", "fact"]
    named = memory.turns.assembler(pinned=["rule"], recalled=["facts", "fact"])
    assert kinds(named.entries("heron", now=NOW)) == ["policy", "fact"]
    assert named.fault.startswith("facts: ")


def test_f43_the_order_is_the_same_every_time_and_nothing_stands_twice(
    memory: cogmem.Memory,
) -> None:
    fill(memory, 6)
    found = {
        tuple(entry.uid for entry in memory.turns.assembler().entries("heron project", now=NOW))
        for _ in range(5)
    }
    assert len(found) == 1
    both = memory.turns.assembler(
        pinned=["profile", "entity"], recalled=["entity", "event", "event"]
    )
    uids = [entry.uid for entry in both.entries("heron project", now=NOW)]
    assert len(uids) == len(set(uids))


def test_f43_a_kind_that_fails_is_left_out_and_named(memory: cogmem.Memory) -> None:
    fill(memory)

    def words(query: str, kind: str, limit: int, options: dict[str, Any]) -> Any:
        if kind == "entity":
            raise RuntimeError("with words")
        return memory.recall(query, kind=kind, limit=limit, strengthen=False, **options)

    assembler = memory.turns.assembler(search=Hybrid(words), pinned=["profile", "nonsense"])
    entries = assembler.entries("heron project", now=NOW)
    assert set(kinds(entries)) == {"profile", "event"}
    assert "with words" not in assembler.fault
    assert assembler.fault


def test_f43_what_is_over_superseded_or_waiting_is_not_pinned(memory: cogmem.Memory) -> None:
    memory.learn("Ann lives in Bonn.", kind="profile", topic="home", now=NOW)
    memory.learn("Ann lives in Rome.", kind="profile", topic="home", now=NOW + 1)
    memory.learn("Ann is on leave.", kind="profile", valid_to=NOW + 5, now=NOW)
    memory.learn("Ann may like jazz.", kind="profile", state="candidate", now=NOW)
    assert texts(memory.turns.assembler().block("", now=NOW + 10)) == ["Ann lives in Rome."]


def test_f34_f43_partitions_narrow_what_is_seen(memory: cogmem.Memory) -> None:
    memory.learn("The heron project is Ann's.", kind="entity", user="ann", now=NOW)
    memory.learn("The heron project is everyone's.", kind="entity", now=NOW)
    memory.learn("The heron project is Bob's.", kind="entity", user="bob", now=NOW)

    def seen(*partitions: str, **scope: str) -> set[str]:
        entries = memory.turns.assembler(partitions=partitions).entries("heron", now=NOW, **scope)
        return {entry.text.rpartition(" ")[2] for entry in entries}

    assert seen("user", user="ann") == {"Ann's."}
    assert seen("global", user="ann") == {"everyone's."}
    assert seen("global", " user", "user", user="ann") == {"everyone's.", "Ann's."}
    assert seen(user="ann") == {"Ann's."}
    assert seen("user") == set()
    assert (
        normalised(["user", "global"]) == normalised(["global", "user", ""]) == ("global", "user")
    )
    with pytest.raises(InvalidInput, match="partition"):
        memory.turns.assembler(partitions=["mine"])


@settings(max_examples=examples(25))
@given(st.integers(0, 300), st.lists(st.text(min_size=1, max_size=80), max_size=8))
def test_the_block_never_costs_more_than_its_budget(budget: int, said: list[str]) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        for text in said:
            if text.strip():
                try:
                    mem.learn(text, kind="profile", now=NOW)
                except cogmem.CogmemError:
                    continue
        before = [{"role": "user", "content": "hello"}]
        after = mem.turns.assembler(budget=budget).before(before, now=NOW)
        added = after[0]["content"] if len(after) > 1 else ""
        assert counting.Simple().count(added) <= budget
        assert after[-1] == before[0]


def test_a_memory_that_is_too_long_leaves_its_place_to_the_next(memory: cogmem.Memory) -> None:
    memory.learn("Ann " + "talks and talks " * 200, kind="profile", priority=4, now=NOW)
    memory.learn("Ann is brief.", kind="profile", priority=1, now=NOW)
    assert texts(memory.turns.assembler(budget=60).block("", now=NOW)) == ["Ann is brief."]


# -- before the messages ---------------------------------------------------------------------------


def test_f48_the_block_stands_before_the_system_text_with_its_kinds(memory: cogmem.Memory) -> None:
    fill(memory, 1)
    after = memory.turns.assembler().before(ASK, now=NOW)
    text = after[0]["content"]
    assert text.startswith(OPENING)
    assert text.endswith(f"{CLOSING}\n\nBe kind.")
    assert "not instructions" in text
    assert text.index("profile:") < text.index("preference:") < text.index("entity:")
    assert after[1:] == ASK[1:]
    assert memory.turns.assembler().before(ASK[1:], now=NOW)[0]["role"] == "system"


def test_f48_lists_of_parts_stay_lists_of_parts(memory: cogmem.Memory) -> None:
    fill(memory, 1)
    for name in ("parts", "content"):
        lead = {"role": "system", name: [{"type": "text", "text": "Be kind."}]}
        user = {"role": "user", name: [{"type": "text", "text": "heron project?"}]}
        after = memory.turns.assembler().before(
            [lead, user, {"role": "assistant", "content": None}], now=NOW
        )
        assert [part["text"][:9] for part in after[0][name]] == [OPENING[:9], "Be kind."]
        assert "part number 0" in after[0][name][0]["text"]


def test_f48_messages_are_unchanged_when_disabled_empty_or_at_fault(memory: cogmem.Memory) -> None:
    assert memory.turns.assembler().before(ASK, now=NOW) == ASK
    fill(memory)
    assert memory.turns.assembler(enabled=False).before(ASK, now=NOW) == ASK
    broken = memory.turns.assembler()
    memory.db.close()
    assert broken.before(ASK, now=NOW) == ASK
    assert broken.fault
    memory.__init__(memory.path, driver=memory.db.driver, counter=counting.Simple())  # type: ignore[misc]


def test_f45_the_query_comes_from_the_last_three_user_messages(memory: cogmem.Memory) -> None:
    fill(memory, 1)
    talk = [{"role": "user", "content": text} for text in ("The heron project?", "a", "b")]
    assert "part number 0" in str(memory.turns.assembler().before(talk, now=NOW))
    talk.append({"role": "user", "content": "c"})
    assert "part number 0" not in str(memory.turns.assembler().before(talk, now=NOW))


def test_what_was_shown_stands_in_the_ledger_and_is_not_learned_again(
    memory: cogmem.Memory,
) -> None:
    fill(memory, 1)
    after = memory.turns.assembler().before(ASK, now=NOW, session="s")
    (turn,) = memory.turns.list(session="s")
    shown = memory.turns.get(turn.turn)
    assert len(texts(after[0]["content"])) == len(
        [1 for one in shown.items if one.stage == "chosen"]
    )
    block = after[0]["content"].removeprefix(OPENING).partition(CLOSING)[0]
    assert "Ann is a bird watcher." not in memory.store.without_echo(block)[0]
    assert {row.reinforcement_count for row in memory.list(now=NOW)} == {1}


# -- caches and the throttle -----------------------------------------------------------------------


def test_f44_the_same_is_taken_from_the_caches_until_they_expire(memory: cogmem.Memory) -> None:
    fill(memory)
    assembler = memory.turns.assembler()
    other = {
        "role": "user",
        "content": "What about the day it was shown, then? And who came along?",
    }

    def look(at: int, *more: dict[str, str]) -> dict[str, int]:
        before = assembler.measures()
        assembler.before([*ASK, *more], now=NOW + at)
        return {name: count - before[name] for name, count in assembler.measures().items()}

    none = {"pinned_hits": 0, "pinned_misses": 0, "recall_hits": 0, "recall_misses": 0}
    assert look(0) == {**none, "pinned_misses": 2, "recall_misses": 2}
    assert look(4_999, other) == none  # whatever is asked within five seconds
    assert look(6_000) == none  # the same query
    assert look(7_000, other) == {**none, "pinned_hits": 2, "recall_misses": 2}
    assert look(16_900) == {**none, "pinned_hits": 2, "recall_misses": 2}
    assert look(31_000, other) == {**none, "pinned_misses": 2, "recall_misses": 2}


@pytest.mark.parametrize("how", ["learn", "remove", "another process"])
def test_f44_any_write_makes_the_block_anew(memory: cogmem.Memory, how: str) -> None:
    fill(memory)
    assembler = memory.turns.assembler()
    old = assembler.block("heron project", now=NOW)
    assert assembler.block("heron project", now=NOW + 1) == old
    if how == "learn":
        memory.learn("Ann owns a boat.", kind="profile", now=NOW + 2)
    elif how == "remove":
        memory.remove(memory.recall("bird watcher", now=NOW)[0].uid, now=NOW + 2)
    else:
        with cogmem.open(memory.path, driver=memory.db.driver, counter=counting.Simple()) as other:
            other.learn("Ann owns a boat.", kind="profile", now=NOW + 2)
    new = assembler.block("heron project", now=NOW + 3)
    assert new != old
    assert ("boat" in new) == (how != "remove")


def test_f44_another_scope_has_an_answer_of_its_own(memory: cogmem.Memory) -> None:
    memory.learn("The heron project is Ann's.", kind="entity", user="ann", now=NOW)
    assembler = memory.turns.assembler()
    assert "Ann" in assembler.block("heron project", now=NOW, user="ann")
    assert assembler.block("heron project", now=NOW, user="bob") == ""
    assert "Ann" in assembler.block("heron project", now=NOW + 1, user="ann")


def test_f44_a_cache_is_bounded_and_lets_go_what_expires_first() -> None:
    cache = Cache(ttl=100, most=3)
    for n in range(3):
        cache.put(n, 1, n, str(n))
    cache.put("new", 1, 3, "new")
    assert len(cache) == 3
    assert (cache.get(0, 1, 4), cache.get(1, 1, 4), cache.get("new", 1, 4)) == (None, "1", "new")
    assert cache.get(1, 2, 4) is None  # somebody wrote
    assert cache.get(1, 1, 101) is None
    cache.put("late", 1, 60_200, "late")
    assert len(cache) == 1
    nothing = Cache(ttl=0)
    nothing.put(1, 1, 1, "x")
    assert nothing.get(1, 1, 1) is None


def test_f44_the_share_of_a_query_that_changed() -> None:
    assert change("hello world", "hello") == pytest.approx(0.545, abs=0.001)
    assert change("abcd", "abce") == 0.25
    assert change("", "") == 0
    assert change("a", "") == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_share_that_changed_is_symmetric_and_between_none_and_all(one: str, other: str) -> None:
    assert 0 <= change(one, other) == change(other, one) <= 1
    assert change(one, one) == 0


def test_f44_the_throttle_s_rules() -> None:
    throttle = Throttle(most=2)
    assert throttle.reusable("s", "q", 1, NOW) is None
    throttle.put("s", "hello world", ("x",), 1, NOW)
    assert throttle.reusable("s", "other", 1, NOW + 4_999) == ("x",)
    assert throttle.reusable("s", "other words", 1, NOW + 5_000) is None
    assert throttle.reusable("s", "hello worlds", 1, NOW + 29_999) == ("x",)
    assert throttle.reusable("s", "hello world", 1, NOW + 30_000) is None
    assert throttle.reusable("s", "hello world", 2, NOW + 1) is None
    assert throttle.reusable("s", "hello world", 1, NOW - 1) is None
    throttle.put("s", "hello world", (), 1, NOW)
    assert throttle.reusable("s", "hello world", 1, NOW) is None
    for name in "abc":
        throttle.put(name, "q", ("x",), 1, NOW)
    assert throttle.reusable("a", "q", 1, NOW) is None


# -- side by side, and vectors ---------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 4])
def test_f46_no_more_searches_run_at_once_than_allowed(memory: cogmem.Memory, most: int) -> None:
    fill(memory)
    running: list[int] = [0, 0]
    lock = threading.Lock()

    def words(*_: Any) -> list[Any]:
        with lock:
            running[0] += 1
            running[1] = max(running)
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return []

    kinds = ["entity", "event", "case", "pattern", "fact", "decision", "note", "episode"]
    memory.turns.assembler(search=Hybrid(words), recalled=kinds, concurrency=most).entries(
        "heron", now=NOW
    )
    assert running[1] <= most
    assert running[1] == most or most == 4


def test_f46_the_query_s_vector_is_made_once(memory: cogmem.Memory) -> None:
    fill(memory)
    made: list[str] = []
    seen: list[Any] = []

    def embed(query: str) -> list[float]:
        made.append(query)
        return [1.0]

    def meanings(vector: Any, kind: str, *_: Any) -> list[Any]:
        seen.append((vector, kind))
        return []

    search = Hybrid(lambda *_: [], meanings, embed)
    memory.turns.assembler(search=search).entries("heron", now=NOW)
    assert made == ["heron"]
    assert [kind for _, kind in sorted(seen, key=lambda one: one[1])] == ["entity", "event"]
    memory.turns.assembler(search=search).entries("", now=NOW)
    assert len(made) == 1


class Counting:
    """An embedder that counts its calls."""

    model = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        time.sleep(0.01)
        return [[float(len(text)), 1.0] for text in texts]


def test_f46_an_embedder_of_the_memory_is_asked_once_for_all_kinds(memory: cogmem.Memory) -> None:
    fill(memory)
    memory.embedder = embedder = Counting()
    memory.models.embed(now=NOW)
    embedder.asked.clear()
    entries = memory.turns.assembler().entries("heron project", now=NOW)
    assert embedder.asked == ["heron project"]
    assert len(entries) > 2


class Found:
    """A thing found, as far as a hybrid search looks at it."""

    def __init__(self, uid: str) -> None:
        self.uid = uid


def hybrid(embed: Any = lambda _: [1.0], meanings: Any = None, limit: int = 3) -> list[str]:
    search = Hybrid(lambda *_: [Found("a"), Found("b")], meanings, embed)
    return [one.uid for one in search.search("q", "fact", limit, {}, search.vector("q"))]


def fails(*_: Any) -> Any:
    raise RuntimeError("down")


def test_f47_vectors_are_added_behind_the_words_each_uid_once() -> None:
    near = [Found("b"), Found("c"), Found("c"), Found("d")]
    assert hybrid(meanings=lambda *_: near) == ["a", "b", "c"]
    assert hybrid(meanings=lambda *_: near, limit=9) == ["a", "b", "c", "d"]
    assert hybrid(meanings=lambda *_: near, limit=1) == ["a"]


def test_f47_without_vectors_or_with_faults_the_words_stand_alone() -> None:
    assert hybrid() == ["a", "b"]
    assert hybrid(embed=None, meanings=lambda *_: [Found("c")]) == ["a", "b"]
    assert hybrid(embed=fails, meanings=lambda *_: [Found("c")]) == ["a", "b"]
    assert hybrid(embed=lambda _: [], meanings=lambda *_: [Found("c")]) == ["a", "b"]
    assert hybrid(meanings=fails) == ["a", "b"]


def test_f47_a_vector_that_is_there_needs_no_embedder_and_a_fault_of_the_words_is_told() -> None:
    search = Hybrid(lambda *_: [], lambda *_: [Found("c")])
    assert [one.uid for one in search.search("q", "fact", 3, {}, [1.0])] == ["c"]
    with pytest.raises(RuntimeError, match="down"):
        Hybrid(fails).search("q", "fact", 3, {})
    with pytest.raises(InvalidInput, match="search by words"):
        Hybrid(None)  # type: ignore[arg-type]


def test_threads_may_share_an_assembler(memory: cogmem.Memory) -> None:
    fill(memory)
    assembler = memory.turns.assembler()
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(5):
                memory.learn(f"Fact {number} {n} of the heron project.", kind="entity", now=NOW + n)
                assert "bird watcher" in assembler.block("heron project", now=NOW + DAY * n)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
