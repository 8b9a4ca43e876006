"""What the triggers do for any client: layers, history, search, fading, and what they refuse."""

from __future__ import annotations

import json
import random
import sqlite3
from typing import TYPE_CHECKING

import pytest
from space import NOW

if TYPE_CHECKING:
    from space import Space

DAY = 86_400_000


def changes(space: Space) -> list[tuple[object, ...]]:
    return space.all("select record, action, before, after from change order by id")


# -- layers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "table"), [("policy", "fact"), ("event", "episode"), ("procedure", "procedure")]
)
def test_a_plain_insert_into_memory_is_enough_for_its_layer(
    space: Space, kind: str, table: str
) -> None:
    row = space.remember(kind=kind)
    assert space.one(f"select count(*) from {table} where memory_id = ?", row) == 1
    others = {"fact", "episode", "procedure"} - {table}
    assert all(space.one(f"select count(*) from {other}") == 0 for other in others)


def test_z01_each_layer_has_its_table_its_view_and_one_search_index(space: Space) -> None:
    for kind, view in [
        ("fact", "semantic_memory"),
        ("episode", "episodic_memory"),
        ("procedure", "procedural_memory"),
    ]:
        row = space.remember(f"The heron of {view}", kind=kind)
        assert space.one(f"select memory_id from {view}") == row
    assert space.found("heron") == [1, 2, 3]


def test_a_memory_of_the_wrong_layer_is_refused(space: Space) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="layer of its kind"):
        space.remember(layer="episodic", kind="fact")
    row = space.remember()
    with pytest.raises(sqlite3.IntegrityError, match="layer of its kind"):
        space.execute("update memory set kind = 'event' where id = ?", (row,))


def test_deleting_a_memory_takes_its_rows_along_without_foreign_keys(space: Space) -> None:
    assert space.one("pragma foreign_keys") == 0, "as in a stock shell"
    old, new = space.remember("old"), space.remember("new")
    space.execute(
        "insert into link (from_id, relation, to_id, created_at) values (?, 'supersedes', ?, 1)",
        (new, old),
    )
    space.execute("update fact set valid_to = 2, superseded_by = ? where memory_id = ?", (new, old))
    space.execute(
        "insert into document (path, name, scope, hash, size, body, modified_at, seen_at, memory_id)"
        " values ('/a', 'a', 'saved', '', 0, '', 1, 1, ?)",
        (new,),
    )
    space.execute("delete from memory where id = ?", (new,))
    assert space.all("select memory_id, superseded_by from fact") == [(old, None)]
    assert space.one("select count(*) from link") == 0
    assert space.one("select memory_id from document") is None
    assert space.all("pragma foreign_key_check") == []


# -- what is refused ---------------------------------------------------------------------------------

REPLACED = [
    "insert or replace into memory select * from memory",
    "update or replace memory set uid = 'mem_00000000000000ff'",
    "update or replace memory set key = 'taken' where key = ''",
    "insert or replace into fact (memory_id, recorded_at) values (1, 5)",
    "insert or replace into setting (name, value, meaning) values ('half_life_days', '1', 'x')",
    "insert or replace into kind (name, layer, meaning) values ('fact', 'semantic', 'x')",
    "insert or replace into link (from_id, relation, to_id, created_at) values (1, 'related', 2, 9)",
    "insert or replace into change (id, record, row_key, action, after)"
    " values (1, 'memory', 'x', 'insert', '{}')",
    "insert or replace into message (conversation_id, seq, role, parts, text, said_at)"
    " values (1, 0, 'user', '[]', 'other words', 1)",
    "insert or replace into segment (conversation_id, start_seq, end_seq, message_count, body, created_at)"
    " values (1, 0, 0, 1, x'00', 1)",
    "update fact set memory_id = 9 where memory_id = 1",
    "update memory set id = 9 where id = 1",
    "update kind set name = 'thing' where name = 'fact'",
]
KEPT = [
    "update change set actor = 'nobody'",
    "delete from change",
    "delete from context",
    "update message set text = 'other words'",
    "update message set seq = 9",
    "delete from message",
    "delete from conversation",
    "delete from segment",
    "update segment set body = x'00'",
]


def fill(space: Space) -> None:
    space.remember("one")
    space.remember("two", key="taken")
    space.execute(
        "insert into link (from_id, relation, to_id, created_at) values (1, 'related', 2, 1)"
    )
    space.execute("insert into conversation (name, created_at, next_seq) values ('talk', 1, 2)")
    space.execute(
        "insert into message (conversation_id, seq, role, parts, text, said_at)"
        " values (1, 1, 'user', '[]', 'words', 1), (1, 0, 'user', '[]', 'words', 1)"
    )
    space.execute(
        "insert into segment (conversation_id, start_seq, end_seq, message_count, body, created_at)"
        " values (1, 0, 0, 1, x'1f8b', 1)"
    )


def snapshot(space: Space) -> dict[str, list[tuple[object, ...]]]:
    names = ["memory", "fact", "link", "kind", "setting", "change", "message", "segment", "context"]
    return {name: space.all(f"select * from {name} order by 1") for name in names}


def test_what_would_lose_history_or_the_record_is_refused_whole(space: Space) -> None:
    fill(space)
    before = snapshot(space)
    for statement in REPLACED + KEPT:
        with pytest.raises(sqlite3.IntegrityError):
            space.execute(statement)
        assert snapshot(space) == before, statement


def test_archiving_moves_the_parts_of_a_message_and_forget_removes_them(space: Space) -> None:
    fill(space)
    space.act(verb="archive")
    space.execute("update message set parts = null, segment_id = 1 where seq = 0")
    space.act(verb="forget")
    space.execute("delete from message where seq = 1")
    space.execute("update change set before = null, after = '{}' where action = 'insert'")
    assert space.all("select seq, parts from message") == [(0, None)]


def test_a_setting_that_is_a_number_stays_one(space: Space) -> None:
    for value in ["ninety", "", "-1", "1.2.3", ".", "1e400"]:
        with pytest.raises(sqlite3.IntegrityError, match="number of at least 0"):
            space.execute("update setting set value = ? where name = 'half_life_days'", (value,))
    space.execute("update setting set value = '30.5' where name = 'half_life_days'")


# -- history -----------------------------------------------------------------------------------------


def test_a_client_that_sets_no_context_is_recorded_as_unknown_without_an_instant(
    space: Space,
) -> None:
    space.remember("Herons wade.")
    assert space.all("select distinct actor, changed_at, act, run, verb from change") == [
        ("unknown", None, None, None, "")
    ]


def test_the_context_names_actor_instant_act_and_run(space: Space) -> None:
    space.act(act="act_1", verb="learn", actor="Mara", reason="asked", run="run_1", acted_at=NOW)
    space.remember()
    rows = space.all("select distinct act, verb, actor, reason, run, changed_at from change")
    assert rows == [("act_1", "learn", "Mara", "asked", "run_1", NOW)]


def test_an_insert_and_a_delete_leave_the_whole_row(space: Space) -> None:
    row = space.remember("Herons wade.")
    columns = [str(column[1]) for column in space.all("pragma table_info(memory)")]
    space.execute("delete from memory where id = ?", (row,))
    found = {(record, action): (was, now) for record, action, was, now in changes(space)}
    after = json.loads(str(found["memory", "insert"][1]))
    before = json.loads(str(found["memory", "delete"][0]))
    assert list(after) == columns
    assert before == after
    assert found["memory", "insert"][0] is None
    assert found["memory", "delete"][1] is None
    assert ("fact", "delete") in found


def test_an_update_leaves_only_the_columns_that_changed(space: Space) -> None:
    row = space.remember("Herons wade.", priority=1)
    space.execute(
        "update memory set content = 'Herons stand.', priority = 3, kind = kind where id = ?",
        (row,),
    )
    record, action, before, after = changes(space)[-1]
    assert (record, action) == ("memory", "update")
    assert json.loads(str(before)) == {"content": "Herons wade.", "priority": 1}
    assert json.loads(str(after)) == {"content": "Herons stand.", "priority": 3}


def test_an_update_that_changes_nothing_leaves_no_history(space: Space) -> None:
    space.remember()
    before = changes(space)
    space.execute("update memory set content = content, priority = priority")
    assert changes(space) == before


def test_policy_rows_have_a_history_too(space: Space) -> None:
    space.execute("update setting set value = '45' where name = 'half_life_days'")
    space.execute(
        "insert into kind (name, layer, meaning) values ('recipe', 'procedural', 'A dish.')"
    )
    space.execute("update capture_rule set is_enabled = 0 where name = 'remember.that'")
    rows = space.all("select record, row_key, action from change order by id")
    assert rows == [
        ("setting", "half_life_days", "update"),
        ("kind", "recipe", "insert"),
        ("capture_rule", "remember.that", "update"),
    ]


# -- search ------------------------------------------------------------------------------------------


def test_z02_the_index_covers_key_content_tags_and_path(space: Space) -> None:
    row = space.remember(
        "Wading birds", key="pond", tags='["heron"]', path_glob="src/marsh/**", terms="水鳥"
    )
    for word in ["wade", "pond", "heron", "marsh", "水鳥"]:
        assert space.found(word) == [row], word


# -- fading ------------------------------------------------------------------------------------------


def test_a_memory_fades_at_the_first_instant_below_the_archive_threshold(space: Space) -> None:
    row = space.remember(kind="decision", reinforcement_count=2)
    fades_at = space.one("select fades_at from fading where memory_id = ?", row)
    assert isinstance(fades_at, int)
    space.act(last_at=fades_at - 1)
    assert space.one("select strength >= 0.1 from strength where memory_id = ?", row) == 1
    space.act(last_at=fades_at)
    assert space.one("select strength < 0.1 from strength where memory_id = ?", row) == 1


def test_a_kind_that_never_fades_has_no_fading_instant(space: Space) -> None:
    space.remember(kind="profile")
    assert space.all("select * from fading") == []
    space.execute("update kind set half_life_days = 10 where name = 'profile'")
    assert len(space.all("select * from fading")) == 1


def test_with_an_archive_threshold_of_zero_nothing_fades(space: Space) -> None:
    space.remember("before")
    space.execute("update setting set value = '0' where name = 'archive_threshold'")
    space.remember("after")
    assert space.all("select * from fading") == []
    space.execute("update setting set value = '0.1' where name = 'archive_threshold'")
    assert len(space.all("select * from fading")) == 2


def test_the_half_life_of_a_kind_comes_changes_and_goes_with_it(space: Space) -> None:
    length = "select half_life_ms, least from half_life where kind = 'rumour'"
    space.execute("insert into kind (name, layer, meaning) values ('rumour', 'semantic', 'Heard.')")
    assert space.all(length) == [(90 * 86_400_000, 0.1)]
    space.execute("update setting set value = '30' where name = 'half_life_days'")
    assert space.all(length) == [(30 * 86_400_000, 0.1)]
    space.execute("update kind set half_life_days = 2 where name = 'rumour'")
    space.execute("update setting set value = '0.25' where name = 'archive_threshold'")
    assert space.all(length) == [(2 * 86_400_000, 0.25)]
    space.execute("delete from kind where name = 'rumour'")
    assert space.all(length) == []
    space.check_derived()


def test_strength_follows_a_setting_that_goes_comes_or_is_beyond_measure(space: Space) -> None:
    space.remember("heron")
    length = "select half_life_ms, least from half_life where kind = 'fact'"
    space.execute("update kind set half_life_days = null where name = 'fact'")
    space.execute("delete from setting where name = 'half_life_days'")
    space.execute("delete from setting where name = 'archive_threshold'")
    assert space.all(length) == [(90 * 86_400_000, 0.0)]
    space.check_derived()
    for days in ("30", "10000000000000"):
        space.execute(
            f"insert into setting (name, value, meaning) values ('half_life_days', '{days}', '.')"
        )
        assert space.all(length) == [(min(int(days), 36_525) * 86_400_000, 0.0)]
        space.remember(f"stork {days}")
        space.check_derived()
        space.execute("delete from setting where name = 'half_life_days'")


@pytest.mark.parametrize("number", [0, -1])
def test_no_row_has_a_number_that_a_replace_could_push_aside_unseen(
    space: Space, number: int
) -> None:
    """SQLite shows -1 to a trigger before the number of a new row is known."""
    for statement in (
        "insert into memory (id, uid, layer, kind, content, created_at, updated_at, reinforced_at)"
        f" values ({number}, 'mem_00000000000000ff', 'semantic', 'fact', 'heron', 1, 1, 1)",
        f"insert into change (id, record, row_key, action, after) values ({number}, 'x', 'y', 'insert', '{{}}')",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="ids_count_up_from_one"):
            space.execute(statement)


# -- all together ------------------------------------------------------------------------------------


@pytest.mark.alike
@pytest.mark.parametrize("seed", range(5))
def test_derived_rows_are_exact_after_any_sequence_of_statements(space: Space, seed: int) -> None:
    draw = random.Random(seed)
    kinds = ["fact", "policy", "preference", "profile", "profile", "decision"]
    words = ["heron", "stork", "ibis", "crane", "egret"]
    for number in range(120):
        target = draw.randrange(1, 12)
        statement = draw.choice(
            [
                f"update memory set content = '{draw.choice(words)} {number}' where id = {target}",
                f"update memory set kind = '{draw.choice(kinds)}' where id = {target}",
                f"update memory set reinforcement_count = {draw.randrange(1, 9)} where id = {target}",
                f"update memory set accessed_at = {NOW + draw.randrange(DAY)} where id = {target}",
                f"update memory set priority = {draw.randrange(1, 5)} where id = {target}",
                f"update memory set state = 'deleted', archived_at = null where id = {target}",
                f"update memory set state = 'archived', archived_at = 1 where id = {target}",
                f"update memory set state = 'active', archived_at = null where id = {target}",
                f"update memory set path_glob = 'src/{draw.choice(words)}' where id = {target}",
                f"update memory set user = '{draw.choice(words)}', project = 'p' where id = {target}",
                f"delete from memory where id = {target}",
                f"update kind set half_life_days = {draw.choice(['null', '0', '30'])}"
                f" where name = '{draw.choice(kinds)}'",
                f"update kind set weight = {draw.randrange(1, 5)} where name = '{draw.choice(kinds)}'",
                f"update kind set is_pinned = 1 - is_pinned where name = '{draw.choice(kinds)}'",
                f"update setting set value = '{draw.randrange(3)}' where name = 'archive_threshold'",
                f"update setting set value = '{draw.randrange(60)}' where name = 'half_life_days'",
                "remember",
                "remember",
            ]
        )
        if statement == "remember":
            space.remember(
                f"{draw.choice(words)} {number}", kind=draw.choice(kinds), uid=f"mem_{number:016x}"
            )
        else:
            space.execute(statement)
        if number % 10 == 0:
            space.check_derived()


def test_a_kind_of_ones_own_is_a_wish_from_the_moment_that_its_row_says_so(space: Space) -> None:
    space.execute(
        "insert into kind (name, layer, meaning) values ('habit', 'semantic', 'What I do.')"
    )
    space.execute(
        "insert into memory (uid, layer, kind, content, source, created_at, updated_at, reinforced_at)"
        " values ('mem_00000000000000f1', 'semantic', 'habit', 'Tea first.', 'user_explicit', 1, 1, 1)"
    )
    assert space.all("select memory_id from baseline") == []
    space.execute("update kind set is_wish = 1 where name = 'habit'")
    assert len(space.all("select memory_id from baseline")) == 1
    space.execute("update kind set is_wish = 0 where name = 'habit'")
    assert space.all("select memory_id from baseline") == []


def test_turning_a_setting_leaves_no_trace_on_the_kinds_that_it_concerns(space: Space) -> None:
    before = space.one("select half_life_ms from half_life where kind = 'fact'")
    space.execute("update setting set value = '45' where name = 'half_life_days'")
    assert space.one("select half_life_ms from half_life where kind = 'fact'") * 2 == before
    assert space.all("select record, row_key from change") == [("setting", "half_life_days")]
    assert space.all("select act from context where act is not null") == []
