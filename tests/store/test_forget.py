"""What is forgotten is gone from the file, to the byte, and a receipt says so.

Modules: erase, documents.saved.
"""

from __future__ import annotations

import glob
import json
from typing import TYPE_CHECKING

import pytest
from conftest import NOW

import cogmem
from cogmem.errors import InvalidInput, UnknownMemory

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("zanzibar", "quokka")
SECRET = "The locker word is zanzibar quokka"


def places(path: str) -> list[str]:
    """The files (main, log, index of the log) in which a word still stands, in plain or gzip."""
    found = []
    for name in (path, path + "-wal", path + "-shm"):
        if glob.glob(glob.escape(name)):
            with open(name, "rb") as file:
                raw = file.read().lower()
            found += [f"{name}: {word}" for word in WORDS if word.encode() in raw]
    return found


def everywhere(mem: cogmem.Memory) -> str:
    """Put the words into every table that can hold them; returns the uid of the memory."""
    talk = mem.conversation("talk")
    for number in range(6):
        talk.append("user", f"number {number}", at=NOW)
    talk.append("user", f"Remember: {SECRET}.", at=NOW)
    talk.append("tool", [{"type": "tool_result", "tool_call_id": "1", "content": SECRET}], at=NOW)
    mem.learn("The heron nests by the mill", now=NOW)
    uid = mem.learn(SECRET, key="locker", tags=["zanzibar"], now=NOW).uid
    mem.update(uid, content=f"{SECRET}, spelled so", now=NOW)
    mem.learn(f"{SECRET}, spelled so", user="u", now=NOW)
    mem.activate("What is the locker word?", session="s", now=NOW)
    mem.activate(f"Is it so that {SECRET}?", session="s", now=NOW)
    mem.learn(SECRET, kind="preferences", now=NOW)
    mem.activate("Anything pinned?", session="t", now=NOW)
    mem.episode(f"We spoke: {SECRET}.", kind="session_summary", session_name="s", now=NOW)
    payload, words = json.dumps({"text": SECRET}), json.dumps([SECRET, "fine"])
    for statement in (
        "insert into summary (uid, conversation_id, depth, content, earliest_seq, latest_seq, tokens, method,"
        f" created_at) select 'sum_1', id, 0, '{SECRET}', 5, 7, 1, 'extract', 1 from conversation",
        "insert into summary_cache (conversation_id, input_hash, content, earliest_seq, latest_seq, used_at,"
        f" expires_at) select id, 'h', '{SECRET}', 5, 7, 1, 9 from conversation",
        "insert into task (uid, purpose, subject, payload, ready_at, created_at)"
        f" values ('task_1', 'judge', 'x', '{payload}', 1, 1)",
        f"update session set pinned = '{SECRET}', buffer = '{words}' where name = 's'",
        f"insert into pending_update (session_id, note, created_at) select id, '{SECRET}', 1 from session",
    ):
        mem.db.write([(statement, {})], verb="t", at=NOW)
    return uid


def test_not_a_byte_of_the_words_is_left_in_the_file(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path) as mem:
        uid = everywhere(mem)
        talk = mem.conversation("talk")
        assert places(path)
        mem.scope = mem.scope.replacing(everywhere=True)
        receipt = mem.forget(uid, words=WORDS, reason="asked for", now=NOW)
        assert receipt.is_scrubbed
        assert places(path) == []
        assert mem.file.check() == []
        assert [m.text for m in talk.messages()][-2:] == ["[forgotten]", "[forgotten]"]
        assert [m.text for m in talk.messages()][:6] == [f"number {n}" for n in range(6)]
        assert mem.db.ask("select buffer, pinned from session where name = 's'") == [
            ('["fine"]', "")
        ]
        assert [row.content for row in mem.list(now=NOW)] == ["The heron nests by the mill"]
        with pytest.raises(UnknownMemory):
            mem.get(uid, now=NOW)
        proof = mem.history.receipts()[-1]
        assert (proof.reason, proof.actor) == ("asked for", "library")
        assert proof.removed["memory"] == 4
    assert places(path) == []


def test_an_archived_message_leaves_its_segment(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    import gzip

    with open_memory(path) as mem:
        talk = mem.conversation("talk")
        for number in range(3):
            talk.append("user", f"{SECRET} {number}" if number == 1 else f"line {number}", at=NOW)
        rows = mem.db.ask(
            "select id, seq, version, role, speaker, said_at, parts from message order by id"
        )
        names = ("id", "seq", "version", "role", "speaker", "at")
        body = "".join(
            json.dumps({**dict(zip(names, row, strict=False)), "parts": json.loads(row[6])}) + "\n"
            for row in rows
        )
        steps = [
            (
                "insert into segment (conversation_id, start_seq, end_seq, message_count, body, created_at)"
                " select id, 0, 2, 3, :body, 1 from conversation",
                {"body": gzip.compress(body.encode())},
            ),
            ("update message set parts = null, segment_id = (select id from segment)", {}),
            ("update conversation set hot_start_seq = 3", {}),
        ]
        mem.db.write(steps, verb="archive", at=NOW)
        receipt = mem.forget(f"msg_{rows[1][0]}", now=NOW)
        assert receipt.removed["segment"] == 1
        kept = gzip.decompress(mem.db.ask("select body from segment")[0][0]).decode().splitlines()
        assert [json.loads(line)["parts"] for line in kept] == [
            [None],  # its words are in its row
            [{"type": "text", "text": "[forgotten]"}],
            [None],
        ]
        assert kept[0] + "\n" == body.splitlines(keepends=True)[0]
        assert places(path) == []


def test_a_forgotten_message_keeps_its_place_and_names_what_it_taught(
    memory: cogmem.Memory,
) -> None:
    talk = memory.conversation("talk")
    seq = talk.append("user", "The mill was sold in spring.", at=NOW)
    uid = memory.learn("The mill was sold in spring.", now=NOW).uid
    number = memory.db.ask("select id from message")[0][0]
    receipt = memory.forget(f"msg_{number}", now=NOW)
    assert (receipt.messages, receipt.left) == ([f"msg_{number}"], [uid])
    assert talk.append("user", "next", at=NOW) == seq + 1
    assert memory.db.ask("select count(*) from message_fts where message_fts match 'mill'") == [
        (0,)
    ]


def test_what_a_person_said_in_other_words_stays_and_is_named(memory: cogmem.Memory) -> None:
    gone = memory.learn("The mill was sold", now=NOW).uid
    stays = memory.learn("Bo says: the mill was sold to Ada", kind="entities", now=NOW).uid
    receipt = memory.forget(gone, now=NOW)
    assert receipt.left == [stays]
    assert memory.get(stays, now=NOW).content == "Bo says: the mill was sold to Ada"


def test_what_a_forgotten_fact_superseded_is_named(memory: cogmem.Memory) -> None:
    old = memory.learn("The mill is red", topic="mill", now=NOW).uid
    new = memory.learn("The mill is blue", topic="mill", now=NOW + 1).uid
    assert memory.forget(new, now=NOW + 2).left == [old]


def test_what_was_merged_and_derived_goes_too(memory: cogmem.Memory) -> None:
    source = memory.learn("The mill was sold", now=NOW).uid
    loser = memory.learn("Sold: that old mill", user="x", now=NOW).uid
    derived = memory.learn("Property changed hands", kind="entities", now=NOW).uid
    for a, relation, b in ((source, "merged_from", loser), (derived, "derived_from", source)):
        step = {"uid": a, "relation": relation, "other": b, "now": NOW}
        memory.db.write([("learn.link", step)], verb="t", at=NOW)
    receipt = memory.forget(source, now=NOW)
    assert sorted(receipt.uids) == sorted([source, loser, derived])
    assert memory.list(everywhere=True, now=NOW) == []


def test_a_dry_run_says_what_would_go_and_changes_nothing(memory: cogmem.Memory) -> None:
    uid = memory.learn("The mill was sold", now=NOW).uid
    receipt = memory.forget(uid, dry_run=True, now=NOW)
    assert receipt.removed["memory"] == 1
    assert memory.get(uid, now=NOW).content == "The mill was sold"
    assert memory.history.receipts() == []


def test_a_receipt_never_holds_a_secret(memory: cogmem.Memory) -> None:
    uid = memory.learn("The mill was sold", now=NOW).uid
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    memory.forget(uid, reason=f"it held {token}", now=NOW)
    assert token not in memory.history.receipts()[0].reason


def test_nothing_and_nobody_are_named(memory: cogmem.Memory) -> None:
    with pytest.raises(InvalidInput, match="name at least one"):
        memory.forget(now=NOW)
    for name in ("mem_0000000000000000", "msg_77", "msg_x", "nobody"):
        with pytest.raises(UnknownMemory):
            memory.forget(name, now=NOW)
    uid = memory.learn("The mill was sold", now=NOW).uid
    with pytest.raises(InvalidInput, match="longer one"):
        memory.forget(uid, words=["ab"], now=NOW)


def test_a_reader_in_the_way_is_told_and_scrubbing_can_be_finished_later(path: str) -> None:
    with cogmem.open(path) as mem, cogmem.open(path) as other:
        uid = mem.learn(SECRET, now=NOW).uid
        mem.db.ask("pragma busy_timeout = 10")
        other.db.ask("begin")
        other.db.ask("select count(*) from memory")
        receipt = mem.forget(uid, now=NOW)
        other.db.ask("rollback")
        assert not receipt.is_scrubbed
        assert "scrubbed" not in mem.history.receipts()[0].removed
        assert mem.file.scrub(now=NOW) == []
        assert places(path) == []


def test_forgetting_leaves_an_older_act_undoable_for_the_rest(memory: cogmem.Memory) -> None:
    with memory.db.together(run="run_0123456789abcdef"):
        gone = memory.learn("The mill was sold", now=NOW)
        kept = memory.learn("The heron left", now=NOW)
    memory.forget(gone.uid, now=NOW)
    memory.undo(kept.act, now=NOW)
    assert memory.list(now=NOW) == []
