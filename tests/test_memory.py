"""A memory's life through the library: learned, found, changed, shadowed, put away, brought back.

Modules: space, verbs.areas, verbs.changing, verbs.learning, verbs.telling.
"""

from __future__ import annotations

import datetime
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from processes import ran

import cogmem
from cogmem.errors import InvalidInput, UnknownMemory
from cogmem.learn.experience import Tried
from cogmem.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Clock


def contents(memory: cogmem.Memory, **filters: object) -> list[str]:
    return [row.content for row in memory.list(now=NOW, **filters)]  # type: ignore[arg-type]


# -- what an entry is --------------------------------------------------------------------------------


def test_g01_an_entry_has_its_fields(memory: cogmem.Memory) -> None:
    learned = memory.learn(
        "Deploys need a green build.",
        kind="policy",
        key="deploy",
        tags=["ci"],
        project="p",
        now=NOW,
    )
    row = memory.list(everywhere=True, now=NOW)[0].as_dict()
    assert row["uid"] == learned.uid
    wanted = {
        "key": "deploy",
        "content": "Deploys need a green build.",
        "kind": "policy",
        "tags": ["ci"],
    }
    assert {name: row[name] for name in wanted} == wanted
    assert (row["created_at"], row["project"], row["layer"], row["state"]) == (
        "2027-01-15T08:00:00.000Z",
        "p",
        "semantic",
        "active",
    )


def test_g02_a_uid_is_mem_and_sixteen_hex_digits_and_equal_texts_get_different_ones(
    memory: cogmem.Memory,
) -> None:
    first = memory.learn("The same words.", user="a", now=NOW)
    second = memory.learn("The same words.", user="b", now=NOW)
    assert all(re.fullmatch(r"mem_[0-9a-f]{16}", learned.uid) for learned in (first, second))
    assert first.uid != second.uid


def test_what_one_process_learns_stands_side_by_side_in_the_indexes_of_uids(
    memory: cogmem.Memory,
) -> None:
    uids = {memory.learn(f"Thing number {n} is here.", now=NOW).uid for n in range(40)}
    assert len(uids) == 40
    assert len({uid[: len("mem_") + 3] for uid in uids}) <= 2


def test_g03_session_notes_end_with_their_session_and_the_rest_survives_a_reopening(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path, project="p", session="s1") as mem:
        mem.learn("only now", now=NOW)
        mem.learn("for the project", session="", now=NOW)
        mem.learn("for all", session="", project="", now=NOW)
        assert len(mem.sessions.end(now=NOW)) == 1
    with open_memory(path, project="p", session="s1") as mem:
        assert set(contents(mem)) == {"for the project", "for all"}
        assert mem.file.check() == []


def test_g03_another_session_never_sees_a_session_note(memory: cogmem.Memory) -> None:
    memory.learn("only in s1", session="s1", now=NOW)
    memory.scope = Scope(session="s2")
    assert contents(memory) == []
    with pytest.raises(InvalidInput, match="no session is named"):
        memory.sessions.end("", now=NOW)


# -- keys --------------------------------------------------------------------------------------------

PLACES = {"session": Scope("", "", "p", "s"), "project": Scope("", "", "p", ""), "global": Scope()}


def test_g06_the_same_key_overwrites_within_its_scope(memory: cogmem.Memory) -> None:
    for place, scope in PLACES.items():
        for version in ("old", "new"):
            memory.learn(f"{version} {place}", key="theme", now=NOW, **scope.owner())
    assert sorted(contents(memory, everywhere=True)) == ["new global", "new project", "new session"]


def test_g06_overwriting_by_key_reinforces_and_keeps_uid_and_age(
    memory: cogmem.Memory, clock: Clock
) -> None:
    first = memory.learn("dark", key="theme", now=clock.at)
    second = memory.learn("light", key="theme", now=clock.pass_days(9))
    row = memory.get("theme", now=clock.at)
    assert (second.outcome, second.uid, row.content) == ("updated", first.uid, "light")
    assert (row.reinforcement_count, row.raw("created_at"), row.raw("reinforced_at")) == (
        2,
        NOW,
        clock.at,
    )


def test_g07_a_key_finds_the_session_s_then_the_project_s_then_the_shared_memory(
    memory: cogmem.Memory,
) -> None:
    uids = {
        place: memory.learn(f"for {place}", key="theme", now=NOW, **scope.owner()).uid
        for place, scope in PLACES.items()
    }
    memory.scope = PLACES["session"]
    for place in ("session", "project", "global"):
        assert memory.get("theme", now=NOW).content == f"for {place}"
        assert memory.get(uids[place], now=NOW).content == f"for {place}"
        memory.remove(uids[place], now=NOW)
    with pytest.raises(UnknownMemory):
        memory.get("theme", now=NOW)


def test_g06_a_session_s_key_shadows_and_never_deletes_the_others(memory: cogmem.Memory) -> None:
    memory.learn("lasting", key="theme", project="p", now=NOW)
    memory.learn("passing", key="theme", project="p", session="s", now=NOW)
    memory.scope = PLACES["session"]
    memory.sessions.end(now=NOW)
    assert memory.get("theme", now=NOW).content == "lasting"


def test_a_key_that_another_memory_holds_is_not_taken_from_it(memory: cogmem.Memory) -> None:
    memory.learn("dark", key="theme", now=NOW)
    other = memory.learn("Herons wade.", now=NOW)
    with pytest.raises(InvalidInput, match="another living memory has this key"):
        memory.update(other.uid, key="theme", now=NOW)


def test_a_removed_memory_whose_key_was_taken_meanwhile_says_so_when_restored(
    memory: cogmem.Memory,
) -> None:
    first = memory.learn("dark", key="theme", now=NOW)
    memory.remove("theme", now=NOW)
    memory.learn("light", key="theme", now=NOW)
    with pytest.raises(InvalidInput, match="another living memory has this key"):
        memory.restore(first.uid, now=NOW)


# -- repetition, change, removal ---------------------------------------------------------------------


def test_learning_the_same_again_strengthens_and_resets_the_decay_timer(
    memory: cogmem.Memory, clock: Clock
) -> None:
    first = memory.learn("Herons wade.", now=clock.at)
    again = memory.learn("  herons   WADE. ", now=clock.pass_days(90))
    assert (again.outcome, again.uid) == ("reinforced", first.uid)
    row = memory.get(first.uid, now=clock.at)
    assert (row.reinforcement_count, row.strength) == (2, pytest.approx(0.9 * 2))


def test_an_update_changes_what_was_asked_and_nothing_else(
    memory: cogmem.Memory, clock: Clock
) -> None:
    learned = memory.learn("Herons wade.", tags=["bird"], priority=2, now=clock.at)
    before = memory.get(learned.uid, now=clock.at).as_dict()
    after = memory.update(learned.uid, priority="high", now=clock.tick()).as_dict()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"priority", "updated_at"}


def test_z12_an_archived_memory_is_no_longer_active_and_comes_back(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", kind="policy", now=NOW)
    memory.archive(learned.uid, reason="faded", now=NOW)
    row = memory.get(learned.uid, now=NOW)
    assert (row.state, row.archive_reason, row.raw("archived_at")) == ("archived", "faded", NOW)
    for injected in ("baseline", "fading"):
        assert memory.db.ask(f"select count(*) from {injected}") == [(0,)], injected
    found = memory.db.ask("select count(*) from memory_fts where memory_fts match 'heron'")
    assert found == [(1,)], "search still finds it"
    memory.restore(learned.uid, now=NOW)
    assert memory.get(learned.uid, now=NOW).archived_at is None


def test_a_removed_memory_is_out_of_sight_until_it_is_restored(memory: cogmem.Memory) -> None:
    learned = memory.learn("Herons wade.", key="heron", now=NOW)
    memory.remove("heron", now=NOW)
    assert contents(memory) == []
    assert contents(memory, state="deleted") == ["Herons wade."]
    with pytest.raises(InvalidInput, match="cogmem restore"):
        memory.remove(learned.uid, now=NOW)
    memory.restore(learned.uid, now=NOW)
    assert contents(memory) == ["Herons wade."]


# -- the three layers --------------------------------------------------------------------------------


def test_z22_an_episode_keeps_its_outcome_and_its_time(memory: cogmem.Memory) -> None:
    at = datetime.datetime(2026, 11, 20, 9, 30, tzinfo=datetime.UTC)
    learned = memory.episode(
        "The barn roof leaked",
        "patched with tar",
        happened_at=at,
        turns=3,
        session_name="s",
        now=NOW,
    )
    row = memory.get(learned.uid, now=NOW)
    assert row.layer == "episodic"
    assert row.detail["outcome"] == "patched with tar"
    assert row.detail["happened_at"] == int(at.timestamp() * 1000)


def test_z22_a_procedure_is_overwritten_by_name_and_keeps_its_record(memory: cogmem.Memory) -> None:
    memory.procedure("bake bread", ["knead", "wait", "bake"], context="on Saturdays", now=NOW)
    assert memory.tried("bake bread", success=True, now=NOW) == Tried(1, 0)
    assert memory.tried("bake bread", success=False, now=NOW) == Tried(1, 1)
    memory.procedure("bake bread", ["knead", "wait longer", "bake"], now=NOW)
    row = memory.get("bake bread", now=NOW)
    assert row.detail["steps"] == ["knead", "wait longer", "bake"]
    assert (row.detail["success_count"], row.detail["failure_count"]) == (1, 1)
    with pytest.raises(InvalidInput, match="not a procedure"):
        memory.tried(memory.learn("Herons wade.", now=NOW).uid, success=True)


def test_z30_the_views_show_each_layer_whole(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade.", topic="heron.gait", now=NOW)
    memory.episode("The barn roof leaked", "patched", now=NOW)
    memory.procedure("bake bread", ["knead", "bake"], now=NOW)
    ask = memory.db.ask
    assert ask("select content, topic, strength, created_at from semantic_memory") == [
        ("Herons wade.", "heron.gait", 0.9, "2027-01-15 08:00:00")
    ]
    assert ask("select event, outcome from episodic_memory") == [
        ("The barn roof leaked", "patched")
    ]
    assert ask("select name, steps from procedural_memory") == [("bake bread", '["knead", "bake"]')]


def test_z30_every_view_answers_over_memories_of_every_state(
    memory: cogmem.Memory, clock: Clock
) -> None:
    for state in ("remove", "archive"):
        getattr(memory, state)(memory.learn(f"to {state}", now=clock.at).uid, now=clock.at)
    memory.learn("maybe", state="candidate", now=clock.pass_days(1))
    for (view,) in memory.db.ask("select name from sqlite_schema where type = 'view'"):
        memory.db.ask(f'select * from "{view}"')
    assert memory.db.ask("select content, archive_reason from archived") == [
        ("to archive", "archived by hand")
    ]
    assert memory.db.ask("select content from candidate") == [("maybe",)]


def test_z23_stats_count_by_kind_and_add_up_tokens(memory: cogmem.Memory) -> None:
    for number in range(3):
        memory.learn(f"fact {number}", now=NOW)
    memory.learn("a rule", kind="policy", now=NOW)
    memory.remove(memory.learn("gone", now=NOW).uid, now=NOW)
    stats = memory.stats()
    assert stats.memories == 4
    assert stats.by_kind == {"fact": 3, "policy": 1}
    assert stats.by_state["deleted"] == 1
    assert stats.tokens == sum(row.tokens or 0 for row in memory.list(now=NOW))


# -- without anything else ---------------------------------------------------------------------------

OFFLINE = """
import socket, sys
def refuse(*_, **__): raise OSError("this test is offline")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import cogmem
with cogmem.open(sys.argv[1]) as mem:
    mem.learn("Deploys need a green build.", kind="policy")
    mem.episode("The build broke", "fixed")
    mem.procedure("deploy", ["build", "ship"])
    print(mem.stats().memories, mem.file.check())
"""


def test_z01_three_layers_work_without_service_network_or_model(path: str) -> None:
    done = ran([sys.executable, "-c", OFFLINE, path])
    assert (done.stdout.strip(), done.returncode) == ("3 []", 0), done.stderr


def test_a_home_and_a_relative_path_are_resolved_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    for given in ("~/m.db", "m.db", Path("m.db")):
        with cogmem.open(given) as mem:
            os.chdir(tmp_path / "elsewhere")
            mem.learn("The heron wades in the pond.")
            assert mem.path == str(tmp_path / "m.db")
        os.chdir(tmp_path)
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_relative_default_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COGMEM_DB", "m.db")
    with cogmem.open() as mem:
        assert any("COGMEM_DB is relative" in notice for notice in mem.notices)
    monkeypatch.setenv("COGMEM_DB", str(tmp_path / "m.db"))
    with cogmem.open() as mem:
        assert mem.notices == []


def test_a_memory_shows_its_file_and_for_whom_it_is_open(path: str) -> None:
    with cogmem.open(path, user="ann") as mem:
        assert repr(mem) == f"Memory({os.path.abspath(path)!r}, user='ann')"
