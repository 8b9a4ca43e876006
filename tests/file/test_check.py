"""check(): a sound file gives an empty list, and every kind of damage gives a sentence that names it.

The damage is done by a stock sqlite3 in a process of its own, as a person or a foreign tool would.

Modules: pristine, replay.
"""

from __future__ import annotations

import os
import sys

import pytest
from conftest import STOCK_PYTHON
from processes import ran

import cogmem
from cogmem.file import check
from cogmem.tokens import counting

NOW = 1_800_000_000_000


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file in which everything that check() looks at has happened."""
    path = str(tmp_path_factory.mktemp("check") / "lived-in.db")
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.file.show()
        first = mem.learn("Deploys need a green build.", kind="policy", now=NOW)
        mem.learn("Never push on a Friday.", kind="policy", now=NOW)
        mem.learn("The build runs on heron.", key="host", tags=["ci"], now=NOW + 1)
        mem.learn("The build runs on egret.", key="host", now=NOW + 2)
        mem.learn("Lunch is at noon.", topic="lunch", now=NOW + 3)
        mem.episode("The build broke", "a missing index", now=NOW + 4)
        mem.procedure("release", ["bump", "tag", "push"], now=NOW + 5)
        mem.tried("release", success=True, now=NOW + 6)
        mem.recall("build", now=NOW + 7)
        mem.remove(first.uid, now=NOW + 8)
        mem.store.set_setting("ledger_days", "30", now=NOW + 9)
        talk = mem.conversation("talk")
        for number in range(4):
            talk.append("user", f"word {number} about the build", at=NOW + number)
        mem.activate("How is the build?", session="s", now=NOW + 10)
        assert mem.file.check() == []
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture
def path(lived_in: bytes, path: str) -> str:
    with open(path, "wb") as file:
        file.write(lived_in)
    os.chmod(path, 0o600)
    return path


def damage(path: str, sql: str) -> None:
    done = ran([sys.executable, "-I", "-c", STOCK_PYTHON, path], input=sql)
    assert done.returncode == 0, done.stderr


def problems(path: str, driver: str = "apsw") -> list[str]:
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        return mem.file.check()


def test_a_file_in_use_is_sound_on_both_drivers(path: str, driver: str) -> None:
    assert problems(path, driver) == []


def test_a_file_opened_read_only_can_be_checked(path: str) -> None:
    with cogmem.open(path, read_only=True) as mem:
        assert mem.file.check() == []


def test_changes_of_a_stock_client_are_sound(path: str) -> None:
    damage(
        path,
        "update memory set priority = 4, content = 'The build runs on crane.' where key = 'host';\n"
        "delete from memory where content = 'Lunch is at noon.';\n"
        "insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)"
        " values ('mem_00000000000000aa', 'semantic', 'fact', 'By hand.', 1, 1, 1);\n"
        "update kind set weight = 1.0 / 3 where name = 'fact'",
    )
    assert problems(path) == []


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        (
            "drop trigger memory_au_search",
            "trigger memory_au_search is missing: `cogmem file rebuild`",
        ),
        ("drop trigger change_bu", "trigger change_bu is missing: restore a backup"),
        ("drop index fact_by_topic", "index fact_by_topic is missing"),
        ("drop view archived;\ncreate view archived as select 1", "view archived was changed"),
        ("alter table model_call drop column run", "table model_call has no column run"),
        (
            "delete from fact where memory_id = 4",
            "memories have not the one row of their layer: mem_",
        ),
        ("update kind set layer = 'episodic' where name = 'fact'", "another layer than their kind"),
        ("update memory set access_count = 3 where access_count = 0", "counters that contradict"),
        (
            "update sqlite_sequence set seq = 1 where name = 'memory'",
            "would give a number twice: memory",
        ),
        ("update context set act = 'act_x', verb = 'learn'", "act_x was never closed"),
        (
            "drop trigger setting_bu_number;\nupdate setting set value = 'much' where name = 'budget_tokens'",
            "budget_tokens is 'much'",
        ),
        ("update half_life set least = 1 where kind = 'decision'", "kinds have a wrong half-life"),
        (
            "insert into half_life values ('gone', 1.0, 1, 0.1)",
            "a wrong half-life (`cogmem file rebuild` mends it): gone",
        ),
        ("update fading set fades_at = fades_at + 1", "wrong instant of fading"),
        ("delete from baseline", "memories stand wrongly in the baseline"),
        (
            "update message_place set tokens = 999 where place % 2 = 0",
            "stand wrongly in the search index",
        ),
        ("update audience set messages = 77", "audiences or speakers are counted wrongly"),
        (
            "update conversation set next_seq = 2, captured_seq = 0, ingested_seq = 0",
            "a message twice: talk",
        ),
        ("update session set frozen_change = 999999", "frozen at a change that is yet to come: s"),
        (
            """update activation set shown = '[["mem_x","B",5000]]'""",
            "gave more tokens than allowed: turn_",
        ),
        (
            "update context set act = 'act_0000000000000001';\n"
            "update memory set content = 'Other.' where key = 'host';\nupdate context set act = null",
            "have the hash of another text",
        ),
        (
            "insert into memory_fts (memory_fts, rowid, key, content, tags, path_glob, terms)"
            " select 'delete', id, key, content, tags, path_glob, terms from memory where key = 'host'",
            "search index memory_fts differs",
        ),
        (
            "insert into link (from_id, relation, to_id, created_at) values (4, 'related', 4444, 1)",
            "rows that are gone: link",
        ),
    ],
)
def test_damage_by_a_stock_client_is_named(path: str, sql: str, sentence: str) -> None:
    damage(path, sql)
    found = problems(path)
    assert any(sentence in problem for problem in found), found


@pytest.mark.parametrize(
    ("trigger", "sql", "sentence"),
    [
        (
            "memory_au_history",
            "update memory set content = 'Other.' where key = 'host'",
            "(memory): content changed without leaving a change",
        ),
        (
            "fact_au_history",
            "update fact set topic = 'x' where memory_id = 4",
            "(fact): topic changed without leaving a change",
        ),
        (
            "memory_ad_history",
            "delete from memory where key = 'host'",
            "rows went without leaving a change",
        ),
        (
            "setting_au_history",
            "update setting set value = '7' where name = 'ledger_days'",
            "policy rows are not what their history says: setting ledger_days",
        ),
        (
            "setting_ad_history",
            "delete from setting where name = 'purge_days'",
            "setting purge_days",
        ),
        (
            "kind_ai_history",
            "insert into kind (name, layer, meaning) values ('mine', 'semantic', 'x')",
            "policy rows are not what their history says: kind mine",
        ),
    ],
)
def test_a_write_past_the_history_shows(path: str, trigger: str, sql: str, sentence: str) -> None:
    damage(path, f"drop trigger {trigger};\n{sql}")
    found = problems(path)
    assert any(sentence in problem for problem in found), found


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ("record = 'memory' and action = 'insert'", "its history begins with an update"),
        ("record = 'fact'", "topic changed without leaving a change"),
        ("record = 'memory' and action = 'update'", "changed without leaving a change"),
    ],
)
def test_history_with_a_hole_shows(path: str, changes: str, sentence: str) -> None:
    damage(
        path,
        "update context set verb = 'purge';\n"
        f"delete from change where {changes};\n"
        "update context set verb = null",
    )
    found = problems(path)
    assert any(sentence in problem for problem in found), found


def test_a_damaged_page_is_reported_and_not_more(path: str) -> None:
    with cogmem.open(path) as mem:
        [(page,)] = mem.db.ask("select rootpage from sqlite_schema where name = 'memory'")
        [(size,)] = mem.db.ask("pragma page_size")
    with open(path, "r+b") as file:
        file.seek(size * (page - 1))
        file.write(b"\xff" * size)
    with cogmem.open(path, read_only=True) as mem:
        found = mem.file.check()
    assert found
    assert all("damaged" in problem for problem in found), found


def test_many_faults_are_counted_out_only_a_few(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.file.import_(
            [f'{{"content": "Fact {number}.", "created_at": 1}}' for number in range(20)],
            as_is=True,
            now=NOW,
        )
    damage(path, "update fading set fades_at = 5")
    (sentence,) = [problem for problem in problems(path) if "fading" in problem]
    assert sentence.count("mem_") == check.FEW
    assert sentence.endswith("and more")


def test_a_history_longer_than_one_stretch_is_proved_whole(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "STRETCH", 2)
    assert problems(path) == []
    damage(path, "drop trigger memory_au_history;\nupdate memory set tags = '[\"x\"]' where id = 6")
    assert any("(memory): tags changed" in problem for problem in problems(path))


def test_rebuild_mends_what_can_be_derived(path: str) -> None:
    damage(
        path,
        "drop trigger memory_au_search;\ndrop view archived;\nupdate fading set fades_at = 1;\n"
        "update audience set messages = 77;\n"
        "insert into memory_fts (memory_fts) values ('delete-all')",
    )
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert mem.file.check() != []
        mem.file.rebuild()
        assert mem.file.check() == []


def test_a_person_s_own_tables_and_views_are_no_fault(path: str) -> None:
    damage(path, "create table mine (x);\ncreate view my_view as select * from memory")
    assert problems(path) == []


def test_a_check_does_not_wait_for_a_reader_nor_stop_a_writer(path: str) -> None:
    with cogmem.open(path, counter=counting.Simple()) as mem:
        other = cogmem.open(path, counter=counting.Simple())
        other.db.ask("begin")
        other.db.ask("select count(*) from memory")
        assert mem.file.check() == []
        mem.learn("Written while another reads.", now=NOW + 20)
        other.close()
        assert mem.file.check() == []
