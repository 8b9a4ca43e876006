"""What two files that meet make of each other's acts.

Modules: acts, admission, fold, settle, well_formed, sync.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from conftest import EVERYTHING

import cogmem
from cogmem.errors import InvalidInput
from cogmem.file import seal
from cogmem.sync import acts
from cogmem.sync.admission import _PLAIN, Door
from cogmem.sync.exchange import NOWHERE, Side
from cogmem.tokens import counting

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000_000
DAY = 86_400_000


def texts(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list(limit=0, everywhere=True, now=NOW + DAY)}


def meet(one: cogmem.Memory, other: cogmem.Memory, now: int = NOW + 1_000) -> tuple[int, int]:
    done = one.sync.exchange(other.path, now=now)
    return done.sent, done.received


Opened = "Callable[[str], cogmem.Memory]"


def test_both_know_in_the_end_what_each_knew(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    laptop.learn("The build takes an hour.", now=NOW)
    server.learn("Deploy on Fridays is forbidden.", "policy", now=NOW)
    assert meet(laptop, server) == (1, 1)
    assert (
        texts(laptop)
        == texts(server)
        == {
            "The build takes an hour.",
            "Deploy on Fridays is forbidden.",
        }
    )


def test_an_act_keeps_its_name_its_actor_and_its_instant(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    laptop.learn("The build takes an hour.", now=NOW)
    meet(laptop, server, NOW + DAY)
    mine, theirs = laptop.history.log()[0], server.history.log()[0]
    same = ("act", "verb", "actor", "at", "content")
    assert [getattr(mine, name) for name in same] == [getattr(theirs, name) for name in same]
    assert theirs.actor == "laptop"


def test_nothing_new_moves_nothing_and_writes_nothing(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    laptop.learn("The build takes an hour.", now=NOW)
    meet(laptop, server)
    before = [mem.db.ask("pragma data_version") for mem in (laptop, server)]
    assert meet(laptop, server) == meet(laptop, server) == (0, 0)
    assert [mem.db.ask("pragma data_version") for mem in (laptop, server)] == before


def test_only_what_is_new_goes(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    for number in range(20):
        laptop.learn(f"Host {number} has rack {number * 7}.", now=NOW + number)
    meet(laptop, server)
    laptop.learn("The build takes an hour.", now=NOW + 50)
    assert meet(laptop, server) == (1, 0)
    assert meet(server, laptop) == (0, 0)


def test_columns_are_what_their_last_writer_said_and_counts_add_up(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    meet(laptop, server)
    laptop.update(uid, tags=["ci"], now=NOW + 2_000)
    server.update(uid, content="The build takes two hours.", now=NOW + 3_000)
    for mem in (laptop, server):
        mem.learn(mem.get(uid, now=NOW + 4_000).content, now=NOW + 4_000)
    meet(laptop, server, NOW + 5_000)
    for mem in (laptop, server):
        row = mem.get(uid, now=NOW + 6_000)
        assert (row.content, row.tags) == ("The build takes two hours.", ["ci"])
        assert row.reinforcement_count == 3


def test_a_key_goes_to_whom_claimed_it_last_and_comes_back_when_it_is_free(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    first = laptop.learn("Branch is main.", key="branch", now=NOW).uid
    second = server.learn("Branch is trunk.", key="branch", now=NOW + 1).uid
    done = laptop.sync.exchange(server.path, now=NOW + 1_000)
    assert (done.conflicts, done.without_key, done.overwritten) == (0, 1, 0)
    for mem in (laptop, server):
        assert mem.get("branch", now=NOW + 2).uid == second
        assert mem.get(first, now=NOW + 2).key == ""
    server.remove(second, now=NOW + 4)
    meet(laptop, server, NOW + 5)
    assert laptop.get("branch", now=NOW + 6).uid == server.get("branch", now=NOW + 6).uid == first


def test_a_key_comes_back_when_its_holder_is_forgotten(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    first = laptop.learn("Branch is main.", key="branch", now=NOW).uid
    second = server.learn("Branch is trunk.", key="branch", now=NOW + 1).uid
    meet(laptop, server)
    laptop.forget(second, now=NOW + 2_000)
    meet(laptop, server, NOW + 3_000)
    assert laptop.get("branch", now=NOW + 6).uid == server.get("branch", now=NOW + 6).uid == first


def test_a_text_that_was_written_over_unseen_is_told(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    meet(laptop, server)
    laptop.update(uid, content="The build takes three hours.", now=NOW + 2_000)
    server.update(uid, content="The build takes two hours.", now=NOW + 3_000)
    done = laptop.sync.exchange(server.path, now=NOW + 4_000)
    assert (done.conflicts, done.without_key, done.overwritten) == (0, 0, 1)
    for mem in (laptop, server):
        [row] = mem.sync.overwritten()
        assert (row.lost, row.kept) == (
            "The build takes three hours.",
            "The build takes two hours.",
        )
        assert (row.lost_by, row.kept_by) == ("laptop", "server")
    laptop.update(uid, content="The build takes two or three hours.", now=NOW + 5_000)
    meet(laptop, server, NOW + 6_000)
    assert laptop.sync.overwritten() == server.sync.overwritten() == []


def test_undo_of_an_act_that_came_works_and_travels_back(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    laptop.update(uid, content="The build takes two hours.", now=NOW + 1)
    meet(laptop, server)
    server.undo(server.history.log()[0].act, now=NOW + 2_000)
    assert server.get(uid, now=NOW + 3_000).content == "The build takes an hour."
    meet(laptop, server, NOW + 4_000)
    assert laptop.get(uid, now=NOW + 5_000).content == "The build takes an hour."
    assert laptop.history.log()[0].verb == "undo"


def test_an_undone_insert_stays_gone_whatever_comes_late(opened: Opened) -> None:
    laptop, server, phone = opened("laptop"), opened("server"), opened("phone")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    meet(laptop, server)
    meet(phone, server)
    laptop.undo(laptop.history.log()[0].act, now=NOW + 2_000)
    phone.update(uid, tags=["late"], now=NOW + 3_000)
    for _ in range(2):
        meet(laptop, server, NOW + 4_000)
        meet(phone, server, NOW + 5_000)
    assert texts(laptop) == texts(server) == texts(phone) == set()


def test_what_is_forgotten_in_one_file_is_forgotten_in_all(opened: Opened, tmp_path: Path) -> None:
    laptop, server, phone = opened("laptop"), opened("server"), opened("phone")
    uid = laptop.learn("Ann is allergic to marzipan.", now=NOW).uid
    meet(laptop, server)
    meet(phone, server)
    laptop.forget(uid, now=NOW + 2_000)
    phone.update(uid, content="Ann is allergic to marzipan and nuts.", now=NOW + 3_000)
    meet(phone, server, NOW + 4_000)
    for _ in range(2):
        meet(laptop, server, NOW + 5_000)
        meet(phone, server, NOW + 6_000)
    for mem in (laptop, server, phone):
        assert texts(mem) == set()
        assert not mem.db.ask("select 1 from change where uid = ?", (uid,))
        assert not mem.db.ask("select 1 from arrival where subject = ?", (uid,))
        mem.file.scrub()
        mem.db.fold_log(1_000)
    for file in tmp_path.glob("*.db*"):
        assert b"marzipan" not in file.read_bytes(), file.name


def test_words_that_are_forgotten_go_from_texts_that_never_travelled(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The code word is Zanzibar.", now=NOW).uid
    server.learn("Somebody spoke of ZANZIBAR at lunch.", now=NOW + 1)
    server.learn("The build takes an hour.", now=NOW + 2)
    laptop.forget(uid, words=["Zanzibar"], now=NOW + 3)
    assert b"anzibar" not in repr(laptop.db.ask("select * from receipt")).encode()
    meet(laptop, server)
    assert texts(server) == {"The build takes an hour."} == texts(laptop)


def test_another_client_s_change_gets_an_act_and_travels(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    meet(laptop, server)
    laptop.db.connection.execute("update memory set priority = 4 where uid = ?", (uid,))
    laptop.db.ask("insert into remember (content) values ('Terns dive.')")
    meet(laptop, server, NOW + 2_000)
    assert not laptop.db.ask("select 1 from change where act is null")
    assert server.get(uid, now=NOW + 3_000).priority == 4
    assert "Terns dive." in texts(server)
    acts = {act for (act,) in server.db.ask("select act from change where actor = 'unknown'")}
    assert len(acts) == 2


@pytest.mark.alike
@pytest.mark.parametrize("days", [-400, -60, -2, 0.01, 1, 30, 60])
def test_a_clock_that_is_wrong_loses_and_delays_nothing(opened: Opened, days: float) -> None:
    wrong, server, phone = opened("wrong"), opened("server"), opened("phone")
    at = NOW + int(days * DAY)
    wrong.learn("Terns dive.", now=at)
    phone.learn("Herons wade.", now=NOW)
    meet(wrong, server, at)
    meet(phone, server, NOW)
    wrong.learn("Storks stalk.", now=at + 1)
    meet(wrong, server, at + 2)
    meet(phone, server, NOW + 1)
    found = {text for (text,) in phone.db.ask("select content from memory")}
    assert found == {"Terns dive.", "Herons wade.", "Storks stalk."}


def test_acts_of_a_clock_years_ahead_wait_and_stop_nobody_else(opened: Opened) -> None:
    mad, server, phone = opened("mad"), opened("server"), opened("phone")
    mad.learn("Terns dive.", now=NOW)
    meet(mad, phone)
    mad.learn("The future is bright.", now=NOW + 500 * DAY)
    phone.learn("Herons wade.", now=NOW)
    done = mad.sync.exchange(server.path, now=NOW)
    assert list(done.ahead.values()) == [500 * DAY]
    meet(phone, server, NOW + 1)
    mad.sync.exchange(server.path, now=NOW + 2)
    assert texts(server) == {"Terns dive.", "Herons wade."} == texts(phone)
    assert not acts.is_ahead(server.db.read("sync.clock")[0][0], NOW)
    meet(mad, server, NOW + 450 * DAY)
    assert "The future is bright." in {
        text for (text,) in server.db.ask("select content from memory")
    }


def test_a_doctor_tells_of_a_clock_that_is_far_ahead(opened: Opened) -> None:
    laptop = opened("laptop")
    laptop.learn("Terns dive.", now=int(time.time() * 1000))
    assert not [one for one in laptop.file.doctor().warnings if "days ahead" in one]
    laptop.learn("The future is bright.", now=int(time.time() * 1000) + 30 * DAY)
    assert [one for one in laptop.file.doctor().warnings if "29 days ahead" in one]


def test_what_one_does_after_he_has_seen_an_act_wins_over_it_whatever_his_clock(
    opened: Opened,
) -> None:
    fast, slow = opened("fast"), opened("slow")
    uid = fast.learn("The build takes an hour.", now=NOW + DAY).uid
    meet(fast, slow, NOW)
    slow.update(uid, content="The build takes two hours.", now=NOW - DAY)
    meet(fast, slow, NOW)
    assert texts(fast) == texts(slow) == {"The build takes two hours."}


def test_only_what_a_user_sees_goes_for_that_user(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    laptop.learn("Ann likes tea.", user="ann", now=NOW)
    laptop.learn("Ben likes coffee.", user="ben", now=NOW + 1)
    laptop.learn("All like cake.", now=NOW + 2)
    would = laptop.sync.what(server.path, user="ann", now=NOW + 3)
    assert {one.content for one in would.leaving} == {"Ann likes tea.", "All like cake."}
    assert texts(server) == set(), "a preview moves nothing"
    laptop.sync.exchange(server.path, user="ann", now=NOW + 4)
    assert texts(server) == {"Ann likes tea.", "All like cake."}
    meet(laptop, server)
    assert "Ben likes coffee." in texts(server), "a wider look later brings the rest"


def test_a_private_project_never_leaves_until_it_is_given_to_another(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    row = {"name": "private_projects", "value": "diary payroll"}
    laptop.db.write([("store.set_setting", row)], verb="setting", actor="x", at=NOW)
    secret = laptop.learn("I slept badly.", project="diary", now=NOW + 1).uid
    laptop.learn("The build takes an hour.", project="app", now=NOW + 2)
    meet(laptop, server)
    assert texts(server) == {"The build takes an hour."}
    laptop.scope = laptop.scope.replacing(everywhere=True)
    laptop.move(secret, project="app", now=NOW + 2_000)
    meet(laptop, server, NOW + 3_000)
    assert texts(server) == {"The build takes an hour.", "I slept badly."}


def test_a_secret_neither_leaves_nor_enters(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    secret = "ghp_" + "a1B2c3D4e5" * 4
    laptop.db.ask(f"insert into remember (content) values ('The key is {secret}.')")
    laptop.learn("Terns dive.", now=NOW)
    meet(laptop, server)
    assert texts(server) == {"Terns dive."}
    here = Side(server.db, Door(), now=NOW + 2)
    there = Side(laptop.db, Door(), now=NOW + 2)
    act = there.batch(there.known("nobody", ""), None, Open())[0]["acts"]
    here.take({"acts": act, "receipts": []}, "org_0", "", dict(NOWHERE), there.heads())
    assert here.refused == {"it holds a secret": 1}
    assert secret not in repr(server.db.ask("select * from arrival"))


class Open(Door):
    """A door without a guard, as a hostile program would have it."""

    def leaving(self, db: object, names: object, act: dict[str, object]) -> dict[str, object]:  # noqa: ARG002
        return act


def test_a_copy_of_a_file_is_another_file(opened: Opened, tmp_path: Path) -> None:
    laptop = opened("laptop")
    uid = laptop.learn("The build takes an hour.", now=NOW).uid
    meet(laptop, opened("server"))
    laptop.db.fold_log(1_000)
    shutil.copy(laptop.path, tmp_path / "copy.db")
    copy = opened("copy")
    copy.update(uid, content="The build takes two hours.", now=NOW + 2_000)
    laptop.learn("Terns dive.", now=NOW + 3_000)
    meet(laptop, copy, NOW + 4_000)
    assert laptop.sync.peers() != copy.sync.peers()
    assert texts(laptop) == texts(copy) == {"The build takes two hours.", "Terns dive."}


def test_what_two_copies_both_recorded_bears_out_what_one_of_them_learned(
    opened: Opened, tmp_path: Path
) -> None:
    laptop = opened("laptop")
    talk = laptop.conversation("birds")
    talk.append("user", "Herons wade, as we said.", at=NOW)
    talk.append("user", "Terns dive.", at=NOW)
    laptop.db.fold_log(1_000)
    shutil.copy(laptop.path, tmp_path / "copy.db")
    copy = opened("copy")
    for mem, text in ((laptop, "Gulls rob."), (copy, "Owls hunt at night.")):
        mem.conversation("birds").append("user", text, at=NOW + 1)
        uid = mem.learn(text, now=NOW + 2).uid
        for message in (2, 3):
            step = ("jobs.bear_out", {"uid": uid, "message": message, "now": NOW + 2})
            mem.db.write([step], verb="capture", actor="test", at=NOW + 2)
    meet(laptop, copy, NOW + 4_000)
    said = (
        "select m.content, g.text from link l"
        " join memory m on m.id = l.from_id join message g on g.id = l.message_id"
    )
    shared = [("Gulls rob.", "Terns dive."), ("Owls hunt at night.", "Terns dive.")]
    assert sorted(laptop.db.ask(said)) == sorted([*shared, ("Gulls rob.", "Gulls rob.")])
    assert sorted(copy.db.ask(said)) == sorted([*shared, ("Owls hunt at night.",) * 2])


@pytest.mark.parametrize("subjects", [2_500, 10_000] if EVERYTHING else [2_500])
def test_an_act_of_very_many_subjects_arrives_whole(opened: Opened, subjects: int) -> None:
    laptop, server = opened("laptop"), opened("server")
    insert = (
        "insert into remember (content) select 'Host ' || n.value || ' is a heron.' from (with recursive n (value) as"
        " (select 1 union all select value + 1 from n where value < :last) select value from n) n"
    )
    laptop.db.write([(insert, {"last": subjects})], verb="import", actor="ann", at=NOW)
    assert laptop.db.ask("select count(distinct act) from change") == [(1,)]
    meet(laptop, server)
    assert server.db.ask("select count(*) from memory") == [(subjects,)]
    assert meet(laptop, server) == (0, 0)
    assert meet(server, laptop) == (0, 0)


def test_a_kind_that_one_file_removed_comes_back_with_the_memory_that_needs_it(
    opened: Opened,
) -> None:
    laptop, server = opened("laptop"), opened("server")
    added = "insert into kind (name, layer, meaning) values ('rumour', 'semantic', 'Hearsay.')"
    laptop.db.write([(added, {})], verb="kind", actor="ann", at=NOW)
    meet(laptop, server, NOW + 1)
    server.db.write(
        [("delete from kind where name = 'rumour'", {})], verb="undo", actor="bob", at=NOW + 2
    )
    laptop.reread()
    laptop.learn("Terns dive.", "rumour", now=NOW + 3)
    meet(laptop, server, NOW + 4)
    meet(server, laptop, NOW + 5)
    assert texts(server) == texts(laptop) == {"Terns dive."}
    assert server.file.check() == laptop.file.check() == []


@pytest.mark.parametrize("way", ["sync", "repair"])
def test_what_arrived_and_never_came_into_the_tables_is_noticed_and_comes_back(
    opened: Opened, way: str
) -> None:
    laptop, server, phone = opened("laptop"), opened("server"), opened("phone")
    meet(laptop, server)
    for number in range(3):
        phone.learn(f"Host {number} stands in rack {number * 7}.", now=NOW + number)
    for act in Side(phone.db, Door(), now=NOW).batch(dict(NOWHERE), None, Door())[0]["acts"]:
        for subject, changes in act["subjects"].items():
            told = {"subject": subject, "changes": json.dumps(changes), "changed_at": act["at"]}
            row = {name: value for name, value in act.items() if name not in ("at", "subjects")}
            step = ("sync.arrive", {**row, **told})
            server.db.write([step], verb="sync", actor="sync", at=NOW)
    assert texts(server) == set()
    assert "3 memories" in server.file.check()[0]
    if way == "sync":
        meet(laptop, server)
    else:
        assert len(server.file.repair()) == 3
    assert texts(server) == texts(phone)


def test_a_file_that_was_restored_gets_its_own_back_from_a_third(
    opened: Opened, tmp_path: Path
) -> None:
    server, phone = opened("server"), opened("phone")
    with cogmem.open(str(tmp_path / "old.db")) as mem:
        mem.learn("Terns dive.", now=NOW)
    shutil.copy(tmp_path / "old.db", tmp_path / "restored.db")
    with cogmem.open(str(tmp_path / "old.db")) as mem:
        mem.learn("Herons wade.", now=NOW + 1)
        meet(mem, phone, NOW + 2)
    meet(phone, server, NOW + 3)
    restored = opened("restored")
    restored.learn("Storks stalk.", now=NOW + 4)
    meet(restored, server, NOW + 5)
    meet(phone, server, NOW + 6)
    assert texts(restored) == texts(server) == texts(phone)
    assert len(texts(phone)) == 3


def test_receipts_of_a_restored_file_are_told_anew(opened: Opened, tmp_path: Path) -> None:
    server = opened("server")
    with cogmem.open(str(tmp_path / "old.db")) as mem:
        kept = [mem.learn(f"Host {n} stands in rack {n * 7}.", now=NOW + n).uid for n in range(3)]
        meet(mem, server)
    shutil.copy(tmp_path / "old.db", tmp_path / "restored.db")
    with cogmem.open(str(tmp_path / "old.db")) as mem:
        mem.forget(kept[0], now=NOW + 5)
        meet(mem, server, NOW + 6)
    restored = opened("restored")
    restored.forget(kept[1], now=NOW + 7)
    for at in range(2):
        meet(restored, server, NOW + 8 + at)
    assert texts(restored) == texts(server) == {"Host 2 stands in rack 14."}


def test_what_was_taken_out_of_a_private_place_leaves_without_its_past(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    row = {"name": "private_projects", "value": "diary"}
    laptop.db.write([("store.set_setting", row)], verb="setting", actor="x", at=NOW)
    laptop.scope = laptop.scope.replacing(everywhere=True)
    uid = laptop.learn("I was fired for the Marzipan affair.", project="diary", now=NOW + 1).uid
    laptop.db.actor = "therapist"
    laptop.update(uid, content="I left my former work.", now=NOW + 2)
    laptop.db.actor = "laptop"
    laptop.move(uid, project="app", now=NOW + 3)
    laptop.update(uid, content="I left my former work in May.", now=NOW + 4)
    would = laptop.sync.what(server.path, now=NOW + 5)
    (one,) = [one for one in would.leaving if one.subject == uid]
    assert "I left my former work." in one.texts
    meet(laptop, server, NOW + 5)
    assert texts(server) == {"I left my former work in May."}
    told = repr(server.db.ask("select * from arrival") + server.db.ask("select * from change"))
    assert "Marzipan" not in told
    assert "therapist" not in told
    assert "diary" not in told
    meet(server, laptop, NOW + 6)
    server.scope = server.scope.replacing(everywhere=True)
    server.update(uid, tags=["work"], now=NOW + 7)
    meet(server, laptop, NOW + 8)
    assert laptop.get(uid, now=NOW + 9).tags == ["work"]
    assert laptop.get(uid, now=NOW + 9).content == "I left my former work in May."


def test_which_projects_are_private_each_file_says_of_itself(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    server.learn("I slept badly.", project="diary", now=NOW)
    row = {"name": "private_projects", "value": "diary"}
    server.db.write([("store.set_setting", row)], verb="setting", actor="x", at=NOW)
    row = {"name": "private_projects", "value": ""}
    laptop.db.write([("store.set_setting", row)], verb="setting", actor="x", at=NOW + 1)
    meet(laptop, server)
    assert texts(laptop) == set(), "also who is asked keeps what is private to it"
    assert server.store.settings()["private_projects"] == "diary"


def test_what_would_leave_names_every_text_that_leaves(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    uid = laptop.learn("The first words.", key="the-key", tags=["tagged"], now=NOW).uid
    laptop.db.actor = "somebody"
    laptop.update(uid, content="The second words.", now=NOW + 1)
    laptop.procedure("deploy", ["the step"], now=NOW + 2)
    would = laptop.sync.what(server.path, now=NOW + 3)
    shown = "\n".join(
        [text for one in would.leaving for text in (*one.texts, one.content)] + would.reasons
    )
    meet(laptop, server, NOW + 3)
    for text in (
        "The first words.",
        "The second words.",
        "the-key",
        "tagged",
        "the step",
        "somebody",
    ):
        assert text in shown
    names = {"mem_", "act_", "org_"}
    for (told,) in server.db.ask("select changes from arrival"):
        for change in json.loads(told):
            for side in change[2:]:
                for name, value in (side or {}).items():
                    if isinstance(value, str) and value[:4] not in names and name not in PLAIN:
                        assert value in shown or value in ("", "[]", "{}"), (name, value)


SHAPES = [
    lambda act: act.pop("act"),
    lambda act: act.update(clock="soon"),
    lambda act: act.update(clock=1 << 70),
    lambda act: act.update(clock=-1),
    lambda act: act.update(clock=True),
    lambda act: act.update(origin=7),
    lambda act: act.update(actor=None),
    lambda act: act.update(reason="x" * 5_000_000),
    lambda act: act.update(at="now"),
    lambda act: act.update(subjects=[]),
    lambda act: act.update(subjects={"sqlite_schema x": []}),
    lambda act: act.update(subjects={"mem_0123456789abcdef": [["memory", "update", {}, None]]}),
    lambda act: act.update(subjects={"mem_0123456789abcdef": [["memory", "insert", None, {}]]}),
    lambda act: act.update(subjects={"mem_0123456789abcdef": [["peer", "delete", {}, None]]}),
    lambda act: row_of(act).update(content=None),
    lambda act: row_of(act).update(content=["a"]),
    lambda act: row_of(act).update(content="\ud800"),
    lambda act: row_of(act).update(content=" "),
    lambda act: row_of(act).update(trust=float("nan")),
    lambda act: row_of(act).update(trust=1 << 70),
    lambda act: row_of(act).update(trust=10**400),
    lambda act: row_of(act).update(trust="1"),
    lambda act: row_of(act).update(priority=99),
    lambda act: row_of(act).update(access_count=1 << 80),
    lambda act: row_of(act).update(layer="dream"),
    lambda act: row_of(act).update(state="weird"),
    lambda act: row_of(act).update(data="[" * 2_000),
    lambda act: row_of(act).update(tags="x"),
    lambda act: row_of(act).update(source="hearsay"),
    lambda act: row_of(act).update({"content\"; drop table memory": "x"}),
    lambda act: row_of(act).update(uid="mem_ffffffffffffffff"),
]  # fmt: skip
PLAIN = _PLAIN


def row_of(act: dict[str, Any]) -> dict[str, Any]:
    ((changes,),) = [act["subjects"].values()]
    row: dict[str, Any] = changes[0][3]
    return row


def test_an_act_of_no_shape_stays_outside_and_all_else_goes_on(opened: Opened) -> None:
    laptop = opened("laptop")
    for text in ("Terns dive.", "Herons wade.", "Storks stalk."):
        laptop.learn(text, now=NOW)
    there = Side(laptop.db, Door(), now=NOW)
    sound, upto = there.batch(dict(NOWHERE), None, Door())
    for number, broken in enumerate(SHAPES):
        batch = copy.deepcopy(sound)
        broken(batch["acts"][1])
        server = opened(f"server{number}")
        here = Side(server.db, Door(), now=NOW)
        here.take(batch, there.self, "", dict(NOWHERE), upto)
        assert texts(server) == {"Terns dive.", "Storks stalk."}, number
        assert len(here.refused) == 1, number
        if number % 8 == 0:
            meet(laptop, server)


def test_a_number_that_breaks_a_rule_of_several_columns_stays_outside_before_its_memory_is_here(
    opened: Opened,
) -> None:
    laptop, server = opened("laptop"), opened("server")
    laptop.procedure("deploy", ["build", "push"], now=NOW)
    laptop.tried("deploy", success=False, now=NOW + 1)
    there = Side(laptop.db, Door(), now=NOW + 2)
    batch, _ = there.batch(dict(NOWHERE), None, Door())
    forged = json.loads(json.dumps(batch["acts"][1]))
    row_of(forged)["recent_failures"] = -1
    here = Side(server.db, Door(), now=NOW + 3)
    here.take_in({"acts": [forged], "receipts": []}, there.self)
    assert list(here.refused) == [
        f"{forged['act']}: procedure.recent_failures breaks a rule of the schema"
    ]
    meet(laptop, server)
    assert server.get("deploy").detail["failure_count"] == 1


def test_a_file_that_began_with_what_another_told_is_no_copy_of_it(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{name}.db") for name in ("laptop", "server", "desk")]
    for path in (*paths, *paths):  # each notes at its end how far it has come
        with cogmem.open(path, counter=counting.Simple()) as mem:
            if path != paths[0]:
                mem.sync.exchange(paths[0], now=NOW + 1)
            mem.learn(f"A bird of {os.path.basename(path)} wades.", now=NOW)
    for path in paths:
        with cogmem.open(path) as mem:
            assert list(seal.copies(mem.db)) == []
            assert mem.file.check() == []


def test_a_memory_cannot_meet_itself(opened: Opened) -> None:
    laptop = opened("laptop")
    with pytest.raises(InvalidInput, match="this memory itself"):
        laptop.sync.exchange(laptop.path)


KILLED = """
import sys, cogmem
print("here", flush=True)
with cogmem.open(sys.argv[1]) as mem:
    mem.sync.exchange(sys.argv[2])
"""


def test_who_is_killed_amid_an_exchange_goes_on_where_he_was(opened: Opened) -> None:
    laptop, server = opened("laptop"), opened("server")
    for number in range(150):
        laptop.learn(f"Host {number * 7919 % 100_003} stands in rack {number}.", now=NOW + number)
        server.learn(f"Port {number * 104_729 % 100_003} is of line {number}.", now=NOW + number)
    for wait in (0.15, 0.3, 0.45):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, laptop.path, server.path], stdout=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(wait)
            os.kill(child.pid, signal.SIGKILL)
    meet(laptop, server, NOW + DAY)
    assert len(texts(laptop)) == 300
    assert texts(laptop) == texts(server)
    assert meet(server, laptop, NOW + DAY) == (0, 0)


def merged_apart(opened: Opened, names: tuple[str, ...]) -> list[cogmem.Memory]:
    """Files that all hold as many notes, of which each merges one into another, in a round."""
    mems = [opened(name) for name in names]
    for word in names:
        mems[0].learn(f"The heron of {word} wades in the pond.", key=word, now=NOW)
    for other in mems[1:]:
        meet(mems[0], other)
    uids = [mems[0].get(word, now=NOW).uid for word in names]
    for place, mem in enumerate(mems):
        mem.facts.merge(uids[place], uids[place - 1], now=NOW + 2_000 + place)
    return mems


def standing(mem: cogmem.Memory) -> dict[str, str]:
    found = mem.db.ask(
        "select uid, state || ' ' || archive_reason || ' ' || key from memory order by uid"
    )
    return dict(found)


@pytest.mark.parametrize("names", [("laptop", "server"), ("laptop", "server", "desk")])
def test_of_merges_that_go_round_one_memory_stays_with_all_words(
    opened: Opened, names: tuple[str, ...]
) -> None:
    mems = merged_apart(opened, names)
    for at in range(3):
        for other in mems[1:]:
            meet(mems[0], other, NOW + DAY + at)
    for mem in mems:
        assert standing(mem) == standing(mems[0])
    (one,) = mems[0].list(state="active", now=NOW + DAY)
    assert all(word in one.content + str(one.data) for word in names[-2:])
    # What brings another one of the round back lets this one rest.
    gone = next(uid for uid, told in standing(mems[1]).items() if told.startswith("archived"))
    mems[1].restore(gone, now=NOW + 2 * DAY)
    for at in range(3):
        for other in mems[1:]:
            meet(mems[0], other, NOW + 2 * DAY + at + 1)
    for mem in mems:
        assert standing(mem) == standing(mems[0])
    states = [told.split()[0] for told in standing(mems[0]).values()]
    assert states.count("active") == 1
    assert standing(mems[0])[gone].startswith("active")
    assert one.uid != gone
