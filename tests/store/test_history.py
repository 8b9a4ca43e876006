"""Whatever is done can be taken back: by the library, by a shell, in any order, and undone again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import CogmemError, Conflict, UnknownName
from cogmem.tokens import counting

if TYPE_CHECKING:
    from cogmem.store.history import Undone

RECORDED = ("memory", "fact", "episode", "procedure", "link", "kind", "setting", "capture_rule")


def durable(mem: cogmem.Memory) -> dict[str, list[Any]]:
    """Every row that history is kept of. Reals are compared to 12 digits: JSON keeps 15."""
    return {
        table: [
            tuple(round(value, 12) if isinstance(value, float) else value for value in row)
            for row in mem.db.ask(f"select * from {table} order by 1")
        ]
        for table in RECORDED
    }


def acts(mem: cogmem.Memory) -> list[str]:
    """All transactions, the newest first, by the names that undo takes."""
    return [entry.act or str(entry.id) for entry in mem.history.log(limit=0)]


# -- one act at a time -------------------------------------------------------------------------------


def test_an_insert_taken_back_is_gone_with_its_layer_and_its_words(memory: cogmem.Memory) -> None:
    before = durable(memory)
    learned = memory.learn("Herons wade.", topic="gait", now=NOW)
    undone = memory.undo(learned.act, now=NOW)
    assert (undone.uids, undone.conflicts) == ([learned.uid], [])
    assert durable(memory) == before
    assert memory.db.ask("select count(*) from memory_fts where memory_fts match 'heron'") == [(0,)]


def test_an_undo_can_be_undone(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", topic="gait", tags=["bird"], now=NOW)
    after = durable(memory)
    undone = memory.undo(learned.act, now=NOW)
    assert undone.act
    memory.undo(undone.act, now=NOW)
    assert durable(memory) == after


def test_an_undo_touches_only_what_the_change_touched(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", priority=1, now=NOW)
    memory.update(learned.uid, priority="high", now=NOW + 1)
    raised = memory.history.log(limit=1)[0].act
    memory.update(learned.uid, tags=["bird"], now=NOW + 5)
    undone = memory.undo(raised, now=NOW)
    row = memory.get(learned.uid, now=NOW)
    assert (row.priority, row.tags, undone.conflicts) == (1, ["bird"], [])


def test_a_conflict_changes_nothing_and_names_what_stands_in_the_way(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    memory.update(learned.uid, content="Herons stand.", now=NOW)
    before = durable(memory)
    with pytest.raises(Conflict, match=rf"{learned.uid} \(memory\) was changed since: .*content"):
        memory.undo(learned.act, now=NOW)
    assert durable(memory) == before


def test_what_a_person_wrote_into_a_layer_later_is_a_conflict_too(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    memory.db.ask("update fact set topic = 'gait'")
    with pytest.raises(Conflict, match=r"\(fact\) was changed since: topic"):
        memory.undo(learned.act, now=NOW)


def test_undoing_twice_changes_nothing_the_second_time(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    memory.undo(learned.act, now=NOW)
    before = acts(memory)
    again = memory.undo(learned.act, now=NOW)
    assert (again.act, again.rows) == (None, 0)
    assert acts(memory) == before


def test_a_dry_run_says_what_would_happen_and_does_nothing(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    before = acts(memory)
    shown = memory.undo(learned.act, dry_run=True, now=NOW)
    assert (shown.act, shown.uids) == (None, [learned.uid])
    assert acts(memory) == before
    assert memory.get(learned.uid, now=NOW).state == "active"


def test_a_whole_job_run_is_taken_back_at_once(memory: cogmem.Memory) -> None:
    uids = [memory.learn(f"heron {number}", now=NOW).uid for number in range(4)]
    before = durable(memory)
    memory.db.write(
        [
            (
                "insert into job_run (uid, job, period, started_at) values ('run_1', 'decay', '1', 1)",
                {},
            ),
            *(
                (
                    "store.set_state",
                    {"uid": uid, "state": "archived", "reason": "faded", "now": NOW},
                )
                for uid in uids
            ),
        ],
        verb="nightly",
        actor="night",
        at=NOW,
        run="run_1",
    )
    undone = memory.undo("run_1", now=NOW)
    assert sorted(undone.uids) == sorted(uids)
    assert durable(memory) == before


def test_policy_is_taken_back_like_memories(memory: cogmem.Memory) -> None:
    before = durable(memory)
    turned = memory.store.set_setting("budget_tokens", "500", now=NOW)
    added = memory.store.kinds.add(
        {
            "name": "rumour",
            "layer": "semantic",
            "meaning": "Hearsay.",
            "weight": 0.3,
            "default_priority": 1,
            "half_life_days": 7,
            "is_baseline": 0,
            "is_pinned": 0,
            "is_shared": 0,
            "needs_person": 0,
            "max_rows": None,
            "max_characters": None,
            "capacity_policy": "archive_oldest",
        },
        now=NOW,
    )
    memory.undo(turned, now=NOW)
    memory.undo(added, now=NOW)
    assert durable(memory) == before


def test_a_kind_that_is_in_use_is_not_taken_back(memory: cogmem.Memory) -> None:
    memory.db.ask(
        "insert into kind (name, layer, meaning) values ('rumour', 'semantic', 'Hearsay.')"
    )
    memory.learn("The mill is for sale.", kind="rumour", now=NOW)
    change = memory.db.ask("select id from change where record = 'kind'")[0][0]
    with pytest.raises(CogmemError, match="memories are of this kind"):
        memory.undo(change, now=NOW)


@pytest.mark.parametrize("name", ["act_0000000000000000", "12345", "nonsense", ""])
def test_an_unknown_change_is_named(memory: cogmem.Memory, name: str) -> None:
    with pytest.raises(UnknownName, match="cogmem log"):
        memory.undo(name, now=NOW)


# -- what log and diff tell ----------------------------------------------------------------------------


def test_the_log_tells_who_did_what_when_and_why(memory: cogmem.Memory) -> None:
    memory.db.actor = "Mara"
    learned = memory.learn("Herons wade.", now=NOW)
    memory.remove(learned.uid, reason="nonsense", now=NOW + 1)
    newest, oldest = memory.history.log()
    assert (newest.verb, newest.actor, newest.reason, newest.raw("at")) == (
        "remove",
        "Mara",
        "nonsense",
        NOW + 1,
    )
    assert (oldest.verb, oldest.uid, oldest.content) == (
        "learn",
        learned.uid,
        "Herons wade.",
    )
    assert [entry.verb for entry in memory.history.log(verb="learn")] == ["learn"]
    assert [entry.verb for entry in memory.history.log(uid=learned.uid, limit=1)] == ["remove"]
    assert [entry.verb for entry in memory.history.log(before=newest.id)] == ["learn"]


def test_the_log_says_what_is_undone_and_what_was_done_again(memory: cogmem.Memory) -> None:
    def is_undone() -> list[int]:
        return [entry.is_undone for entry in reversed(memory.history.log(limit=0))]

    learned = memory.learn("Herons wade.", now=NOW)
    undone = memory.undo(learned.act, now=NOW)
    assert is_undone() == [1, 0]
    assert undone.act
    memory.undo(undone.act, now=NOW)
    assert is_undone() == [0, 1, 0]


def test_a_change_made_by_a_shell_is_logged_and_marked_when_undone(memory: cogmem.Memory) -> None:
    memory.db.ask("update setting set value = '30' where name = 'half_life_days'")
    [entry] = memory.history.log()
    assert (entry.act, entry.actor, entry.raw("at")) == (None, "unknown", None)
    memory.undo(entry.id, now=NOW)
    assert [entry.is_undone for entry in memory.history.log()] == [0, 1]


def test_diff_shows_each_row_before_and_after(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", priority=1, now=NOW)
    memory.update(learned.uid, priority=4, now=NOW)
    [row] = memory.history.diff(memory.history.log(limit=1)[0].act)
    assert (row.record, row.before, row.after) == (
        "memory",
        {"priority": 1},
        {"priority": 4},
    )


# -- any sequence ------------------------------------------------------------------------------------

number = st.integers(0, 5)
word = st.sampled_from(["heron", "stork", "ibis", "Crane", "egret 'n' co", "水鳥", 'a "b" c'])
# What a person might type: each leaves history without an act, and is undone change by change.
SHELL = [
    "update memory set priority = 5 - priority where id = :n",
    "update memory set content = content || ' indeed', trust = 1.0 / 3 where id = :n",
    "delete from memory where id = :n",
    "update fact set topic = :word, confidence = 2.0 / 7 where memory_id = :n",
    "update procedure set success_count = success_count + 1 where memory_id = :n",
    "update kind set weight = weight + 0.1 where name = 'fact'",
    "update setting set value = '45' where name = 'half_life_days'",
    "update capture_rule set is_enabled = 1 - is_enabled where name = 'constraint.must_not'",
    "insert into link (from_id, relation, to_id, created_at) values (:n, 'related', :n + 1, 1)",
    "delete from link where from_id = :n or to_id = :n",
    "insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)"
    " select printf('mem_%016x', :n), 'episodic', 'event', :word, 1, 1, 1",
    "update memory set state = 'deleted' where content like :word || '%' and state = 'active'",
]
operations = st.one_of(
    st.tuples(
        st.just("learn"), word,
        st.sampled_from(["fact", "policy", "event", "profile"]), st.sampled_from(["", "k"]),
    ),
    st.tuples(st.just("episode"), word, word),
    st.tuples(st.just("procedure"), word, word),
    st.tuples(st.just("tried"), word, st.booleans()),
    st.tuples(st.just("update"), number, word),
    st.tuples(st.sampled_from(["remove", "archive", "restore"]), number),
    st.tuples(st.just("setting"), st.sampled_from(["500", "900"])),
    st.tuples(st.just("kind"), st.sampled_from(["rumour", "recipe"])),
    st.tuples(st.just("undo"), number),
    st.tuples(st.just("shell"), st.sampled_from(SHELL), number, word),
)  # fmt: skip


def perform(mem: cogmem.Memory, operation: tuple[Any, ...], now: int) -> None:
    """One operation; what is refused is refused and leaves nothing behind."""
    verb, *rest = operation
    uids = [row.uid for row in mem.list(state=None, limit=0, now=now)] or ["mem_none"]
    try:
        if verb == "learn":
            mem.learn(rest[0], kind=rest[1], key=rest[2], now=now)
        elif verb == "episode":
            mem.episode(*rest, now=now)
        elif verb == "procedure":
            mem.procedure(rest[0], [rest[1], "done"], now=now)
        elif verb == "tried":
            mem.tried(rest[0], success=rest[1], now=now)
        elif verb == "update":
            mem.update(uids[rest[0] % len(uids)], content=rest[1], tags=[rest[1]], now=now)
        elif verb in ("remove", "archive", "restore"):
            getattr(mem, verb)(uids[rest[0] % len(uids)], now=now)
        elif verb == "setting":
            mem.store.set_setting("budget_tokens", rest[0], now=now)
        elif verb == "kind":
            mem.db.ask(
                "insert into kind (name, layer, meaning) values (:k, 'semantic', 'x')",
                {"k": rest[0]},
            )
        elif verb == "undo":
            names = acts(mem)
            if names:
                mem.undo(names[rest[0] % len(names)], now=now)
        else:
            params = {
                name: value
                for name, value in (("n", rest[1]), ("word", rest[2]))
                if f":{name}" in rest[0]
            }
            mem.db.ask(rest[0], params)
    except CogmemError:
        pass


def take_back(mem: cogmem.Memory, names: list[str]) -> list[Undone]:
    return [mem.undo(name, now=NOW) for name in names]


@settings(max_examples=examples(60))
@given(
    steps=st.lists(operations, min_size=1, max_size=12), driver=st.sampled_from(["apsw", "sqlite3"])
)
def test_undoing_everything_restores_every_durable_row_and_doing_it_again_too(
    steps: list[tuple[Any, ...]],
    driver: str,
    empty_space: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = str(tmp_path_factory.mktemp("history") / "memory.db")
    shutil.copyfile(empty_space, path)
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        before = durable(mem)
        for place, operation in enumerate(steps):
            perform(mem, operation, NOW + place)
        after = durable(mem)
        assert mem.file.check() == []

        undone = take_back(mem, acts(mem))
        assert durable(mem) == before
        assert mem.file.check() == []

        take_back(mem, [result.act for result in reversed(undone) if result.act])
        assert durable(mem) == after
        assert mem.file.check() == []


@pytest.mark.parametrize(
    ("kind", "layer", "table", "says"),
    [
        ("fact", "semantic", "fact", "topic = 'gait'"),
        ("event", "episodic", "episode", "outcome = 'patched'"),
        ("procedure", "procedural", "procedure", "context = 'at dawn'"),
    ],
)
def test_a_layer_row_has_no_change_of_its_own_until_it_says_something(
    memory: cogmem.Memory, kind: str, layer: str, table: str, says: str
) -> None:
    memory.db.ask(
        "insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)"
        f" values ('mem_00000000000000aa', '{layer}', '{kind}', 'Herons wade.', 1, 1, 1)"
    )
    recorded = "select record, action from change order by id"
    assert memory.db.ask(recorded) == [("memory", "insert")]
    empty = memory.db.ask(f"select * from {table}")
    memory.db.ask(f"update {table} set {says}")
    told = memory.db.ask(f"select * from {table}")
    memory.db.ask(f"delete from {table}")
    marks = ", ".join("?" * len(told[0]))
    memory.db.connection.execute(f"insert into {table} values ({marks})", told[0])
    assert memory.file.check() == []
    assert [row[1] for row in memory.db.ask(recorded)] == ["insert", "update", "delete", "insert"]
    memory.db.ask(f"delete from {table}")
    memory.db.connection.execute(f"insert into {table} values ({marks})", empty[0])
    assert memory.file.check() == [], "what says nothing needs no change"
    assert [row[1] for row in memory.db.ask(recorded)][4:] == ["delete"]
    memory.undo(acts(memory)[0], now=NOW)
    assert memory.db.ask(f"select * from {table}") == told
    assert memory.file.check() == []


def test_being_recalled_meanwhile_does_not_stand_in_the_way_of_an_undo(
    memory: cogmem.Memory,
) -> None:
    learned = memory.learn("Herons wade.", now=NOW)
    again = memory.learn("Herons wade.", now=NOW + 1)
    memory.recall("herons", now=NOW + 2)
    memory.undo(again.act, now=NOW + 3)
    row = memory.get(learned.uid, now=NOW)
    assert (row.reinforcement_count, row.access_count, row.raw("accessed_at")) == (2, 1, NOW + 2)
    assert memory.undo(learned.act, now=NOW + 4).conflicts == []
    assert memory.list(now=NOW) == []
