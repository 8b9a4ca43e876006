"""A memory on a node that answers as rqlite does: what a client makes of answers, lost ones and refusals.

Modules: file.cluster, file.cluster_nodes.
"""

from __future__ import annotations

import base64
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import NOW
from one_node import OneNode

import cogmem
from cogmem.errors import Conflict, ForeignFile, InvalidInput, Locked, ReadOnly, Unreachable
from cogmem.exchange.copies import restore_backup, set_aside
from cogmem.exchange.moving import moved, of_tables
from cogmem.file import cluster, cluster_copy
from cogmem.tokens import counting

Open = Callable[..., cogmem.Memory]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a new memory on a cluster is, made once."""
    node = OneNode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        cogmem.open(node.address, counter=counting.Simple()).close()
    holds = node.db.serialize()
    node.close()
    return holds


@pytest.fixture
def empty() -> Iterator[OneNode]:
    """A node that holds nothing."""
    one = OneNode()
    yield one
    one.close()


@pytest.fixture
def node(made: bytes) -> Iterator[OneNode]:
    """A node that holds an empty memory."""
    one = OneNode(made)
    yield one
    one.close()


@pytest.fixture
def opened(node: OneNode, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Open]:
    """Opens the memory of the node, from as many machines as are named."""
    memories: list[cogmem.Memory] = []

    def opened(machine: str = "one", **options: object) -> cogmem.Memory:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / machine))
        given = {"user": "ada", "counter": counting.Simple(), **options}
        memories.append(cogmem.open(str(given.pop("address", node.address)), **given))  # type: ignore[arg-type]
        return memories[-1]

    yield opened
    for memory in memories:
        memory.close()


def contents(mem: cogmem.Memory) -> set[str]:
    return {row.content for row in mem.list()}


def test_what_one_machine_learns_the_other_knows(opened: Open) -> None:
    one, two = opened("one"), opened("two")
    one.learn("The heron waits at the lake.", now=NOW)
    two.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(two) == {"The heron waits at the lake."}
    two.learn("The otter sleeps in the reeds.", now=NOW + 1)
    one.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(one) == {"The heron waits at the lake.", "The otter sleeps in the reeds."}
    assert one.file.check() == two.file.check() == []


def test_both_drivers_keep_a_copy(opened: Open) -> None:
    one, two = opened("one", driver="sqlite3"), opened("two", driver="apsw")
    one.learn("The heron waits at the lake.", now=NOW)
    two.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert len(contents(two)) == 2
    assert one.file.check() == two.file.check() == []


def test_a_write_that_was_decided_on_old_rows_is_decided_anew(opened: Open) -> None:
    one, two = opened("one"), opened("two")
    first = one.learn("The heron waits at the lake.", now=NOW)
    second = two.learn("The heron waits at the lake.", now=NOW + 1)
    assert second.uid == first.uid  # its own decision was to add it: the other copy had none yet
    assert len(contents(two)) == 1


def test_an_answer_that_is_lost_doubles_nothing(node: OneNode, opened: Open) -> None:
    mem = opened()
    talk = mem.conversation("talk")
    for number in range(8):
        node.faults = ["lost"]
        talk.append("user", f"message {number}", at=NOW + number)
    said = [text for (text,) in node.rows("select text from message order by seq")]
    assert said == [f"message {n}" for n in range(8)]
    assert mem.file.check() == []


@pytest.mark.parametrize(
    "said",
    [
        "leader not found",
        "store not open",
        "node failed to process Execute on remote node at 127.0.0.1:4102: EOF",
        "leadership lost while committing log",
    ],
)
def test_what_a_node_without_a_leader_says_is_tried_again(
    node: OneNode, opened: Open, said: str
) -> None:
    mem = opened()
    node.faults = [f"says {said}"] * 2
    mem.learn("The heron waits at the lake.", now=NOW)
    assert node.rows("select content from memory") == [("The heron waits at the lake.",)]


def test_a_redirection_is_followed(node: OneNode, opened: Open) -> None:
    mem = opened()
    node.faults = ["redirect"]
    mem.learn("The heron waits at the lake.", now=NOW)
    assert len(node.rows("select 1 from memory")) == 1


def test_without_a_leader_reads_and_turns_go_on_and_a_write_says_so(
    node: OneNode, opened: Open
) -> None:
    mem = opened(patience_ms=75)
    mem.learn("The heron waits at the lake every morning.", kind="policy", priority=3, now=NOW)
    node.is_led = False
    turn = mem.activate("Where does the heron wait?", session="s", now=NOW + 1)
    assert "heron" in turn.text
    with pytest.raises(Unreachable, match="nothing of this write was stored"):
        mem.learn("The otter sleeps in the reeds.", now=NOW + 2)
    assert contents(mem) == {"The heron waits at the lake every morning."}
    node.is_led = True
    mem.learn("The otter sleeps in the reeds.", now=NOW + 3)
    assert node.rows("select turn from activation") == [(turn.turn,)]  # it went with the write


def test_a_memory_opens_from_its_copy_while_nobody_answers(node: OneNode, opened: Open) -> None:
    opened().learn("The heron waits at the lake.", now=NOW)
    node.is_led = False
    mem = opened()
    assert contents(mem) == {"The heron waits at the lake."}
    assert "does not answer" in mem.notices[0]


def test_turns_are_sent_together_and_once(node: OneNode, opened: Open) -> None:
    mem = opened()
    mem.learn("The heron waits at the lake every morning.", kind="policy", priority=3, now=NOW)
    before = len(node.rows("select 1 from cluster_batch"))
    mem.db._asked_at = float("inf")  # type: ignore[attr-defined]  # however slow, nobody looks meanwhile
    turns = [
        mem.activate(f"Where does heron {n} wait?", session="s", now=NOW + n).turn
        for n in range(cluster_copy.MOST)
    ]
    assert node.rows("select 1 from activation") == []
    assert len(mem.db.ask("select 1 from activation")) == len(turns)  # but here they are
    mem.db._asked_at = 0.0  # type: ignore[attr-defined]
    mem.list()
    assert {turn for (turn,) in node.rows("select turn from activation")} == set(turns)
    assert len(node.rows("select 1 from cluster_batch")) == before + 1
    assert node.rows("select turn_count from session") == [(cluster_copy.MOST,)]
    assert mem.db.ask("select turn_count from session") == [(cluster_copy.MOST,)]


def test_a_block_of_writes_is_one_batch_and_keeps_others_waiting(
    node: OneNode, opened: Open
) -> None:
    one, two = opened("one"), opened("two", patience_ms=75)
    one.learn("The heron waits at the lake.", now=NOW)
    batches = len(node.rows("select 1 from cluster_batch"))
    with one.db.together():
        one.learn("The otter sleeps in the reeds.", now=NOW + 1)
        one.learn("The kite circles over the weir.", now=NOW + 2)
        assert len(contents(one)) == 3
        assert len(node.rows("select 1 from memory")) == 1
        with pytest.raises(Locked):
            two.learn("The pike lies under the bridge.", now=NOW + 3)
    assert len(node.rows("select 1 from cluster_batch")) == batches + 1
    two.learn("The pike lies under the bridge.", now=NOW + 4)
    assert len(contents(two)) == 4
    assert node.rows("select held_by from cluster") == [(None,)]


def test_who_died_at_work_keeps_nobody_waiting_for_ever(node: OneNode, opened: Open) -> None:
    mem = opened()
    node.rows("update cluster set held_by = 'cpy_gone', held_until = 1")
    mem.learn("The heron waits at the lake.", now=NOW)
    assert node.rows("select held_by from cluster where held_until = 1") == [("cpy_gone",)]
    with mem.db.together():
        mem.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert node.rows("select held_by from cluster") == [(None,)]


def test_a_rehearsal_never_leaves_this_machine(node: OneNode, opened: Open) -> None:
    mem = opened()
    uid = mem.learn("The heron waits at the lake.", now=NOW).uid
    node.asked.clear()
    assert mem.nightly(now=NOW + 1, dry_run=True).jobs
    assert mem.forget(uid, dry_run=True, now=NOW + 2).uids == [uid]
    assert not [path for path in node.asked if "execute" in path]


def test_nights_undo_and_forgetting_work_as_on_a_file(node: OneNode, opened: Open) -> None:
    one, two = opened("one"), opened("two")
    kept = one.learn("The heron waits at the lake.", now=NOW)
    gone = one.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert {job.outcome for job in one.nightly(now=NOW + 2).jobs} == {"done"}
    assert {job.outcome for job in two.nightly(now=NOW + 3).jobs} == {"already"}
    two.undo(kept.act, now=NOW + 4)
    receipt = two.forget(gone.uid, now=NOW + 5)
    assert receipt.is_scrubbed
    assert any("log of each node" in place for place in receipt.files)
    assert b"otter" not in node.db.serialize()
    assert b"otter" not in Path(two.path).read_bytes()
    one.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(one) == set()
    assert b"otter" not in Path(one.path).read_bytes()
    assert one.file.check() == two.file.check() == []


def test_what_another_client_wrote_into_the_cluster_is_seen_and_named(
    node: OneNode, opened: Open
) -> None:
    mem = opened()
    uid = mem.learn("The heron waits at the lake.", now=NOW).uid
    node.rows(f"update memory set priority = 3 where uid = '{uid}'")
    mem.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert mem.get(uid).priority == 3
    assert node.rows("select 1 from change where act is null") == []
    assert mem.file.check() == []


def test_what_is_written_to_the_copy_alone_is_undone(
    opened: Open, stock: Callable[..., str]
) -> None:
    mem = opened()
    uid = mem.learn("The heron waits at the lake.", now=NOW).uid
    stock(mem.path, f"update memory set priority = 3 where uid = '{uid}'")
    mem.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert mem.get(uid).priority != 3


def test_the_copy_is_no_memory_of_its_own(opened: Open) -> None:
    mem = opened()
    with pytest.raises(InvalidInput, match="this machine's copy of a cluster"):
        cogmem.open(mem.path)


def test_a_copy_that_is_far_behind_is_fetched_whole(node: OneNode, opened: Open) -> None:
    one, two = opened("one"), opened("two")
    turn = two.activate("Where does the heron wait?", session="s", now=NOW)
    one.learn("The heron waits at the lake.", now=NOW)
    node.rows("delete from cluster_batch")
    two.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(two) == {"The heron waits at the lake."}
    assert two.db.ask("select turn from activation") == [(turn.turn,)]  # what waited came along
    two.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert node.rows("select turn from activation") == [(turn.turn,)]


def test_another_cluster_under_the_same_address_is_told_apart(node: OneNode, opened: Open) -> None:
    mem = opened()
    mem.learn("The heron waits at the lake.", now=NOW)
    node.rows("update cluster set uid = 'clu_0000000000000000', at = 1")
    node.rows("delete from cluster_batch")
    mem.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert mem.db.ask("select uid, at from cluster") == [("clu_0000000000000000", 1)]


def test_a_name_and_a_password_are_sent_and_never_shown(
    node: OneNode, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    node.account = "Basic " + base64.b64encode(b"ada:s3cret-word").decode()
    with pytest.raises(InvalidInput, match="wants a name and a password"):
        opened()
    address = node.address.replace("//", "//ada:s3cret-word@")
    opened(address=address).learn("The heron waits at the lake.", now=NOW)
    monkeypatch.setenv("COGMEM_RQLITE_PASSWORD", "s3cret-word")
    mem = opened(address=node.address.replace("//", "//ada@"))
    assert contents(mem) == {"The heron waits at the lake."}
    assert "s3cret-word" not in f"{mem.db.ask('select address from cluster_copy')}"


def test_a_cluster_of_another_program_is_left_alone(empty: OneNode, opened: Open) -> None:
    empty.rows("create table customer (id integer primary key)")
    with pytest.raises(ForeignFile, match="another program"):
        opened(address=empty.address)
    assert empty.rows("select name from sqlite_schema") == [("customer",)]


def test_without_foreign_keys_nothing_is_made(empty: OneNode, opened: Open) -> None:
    empty.rows("pragma foreign_keys = off")
    with pytest.raises(InvalidInput, match="-fk"):
        opened(address=empty.address)


def test_read_only_nothing_is_written(node: OneNode, opened: Open) -> None:
    opened().learn("The heron waits at the lake.", now=NOW)
    mem = opened(read_only=True)
    node.asked.clear()
    mem.activate("Where does the heron wait?", session="s", now=NOW + 1)
    with pytest.raises(ReadOnly):
        mem.learn("The otter sleeps in the reeds.", now=NOW + 1)
    assert not [path for path in node.asked if "execute" in path]


def test_threads_and_processes_of_one_machine_share_the_copy(node: OneNode, opened: Open) -> None:
    memories = [opened(), opened()]

    def work(mem: cogmem.Memory, first: int) -> None:
        for number in range(first, first + 10):
            mem.learn(f"Heron {number} waits at lake {number * 7}.", key=f"k{number}", now=NOW)

    threads = [
        threading.Thread(target=work, args=(mem, place * 100)) for place, mem in enumerate(memories)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(node.rows("select 1 from memory")) == 20
    assert memories[0].file.check() == []


def test_a_large_batch_is_no_step_for_others(
    node: OneNode, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LARGEST", 100)
    one, two = opened("one"), opened("two")
    one.learn("The heron waits at the lake.", now=NOW)
    assert node.rows("select distinct steps is null from cluster_batch") == [(1,)]
    two.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(two) == {"The heron waits at the lake."}


def test_conflicts_are_the_same_as_on_a_file(opened: Open) -> None:
    mem = opened()
    with pytest.raises((Conflict, InvalidInput)):
        mem.db.write([("update context set holds = 0 where id = 1", {})], verb="learn", at=NOW)


def test_a_file_moves_onto_a_cluster_and_off_it_and_holds_the_same(
    node: OneNode, opened: Open, path: str, tmp_path: Path
) -> None:
    with cogmem.open(path, user="ada", counter=counting.Simple()) as mem:
        mem.learn("The heron waits at the lake.", now=NOW)
        gone = mem.learn("The otter sleeps in the reeds.", now=NOW + 1)
        mem.undo(gone.act, now=NOW + 2)
        mem.conversation("talk").append("user", "Where is the kite?", at=NOW + 3)
        mem.activate("Where does the heron wait?", session="s", now=NOW + 4)
    before = opened("before")
    done = moved(path, node.address)
    assert done["tables"] > 40
    before.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(before) == {"The heron waits at the lake."}  # who had an older copy fetches it
    with pytest.raises(InvalidInput, match="--replace"):
        moved(path, node.address)
    back = str(tmp_path / "back.db")
    moved(node.address, back)
    with cogmem.open(path) as one, cogmem.open(back) as two:
        assert of_tables(one.db) == of_tables(two.db)
        assert two.file.check() == []
    before.learn("The kite circles over the weir.", now=NOW + 5)
    moved(back, node.address, replaces=True)
    before.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(before) == {"The heron waits at the lake."}
    assert before.file.check() == []


def test_a_whole_whose_answer_is_lost_is_there(
    node: OneNode, opened: Open, path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("The heron waits at the lake.", now=NOW)
    node.faults = ["", "lost"]  # of the hold, and of the whole
    moved(path, node.address)
    assert contents(opened()) == {"The heron waits at the lake."}
    assert len([asked for asked in node.asked if "load" in asked]) == 1


def test_a_backup_goes_back_as_a_whole_and_the_error_says_how(opened: Open) -> None:
    mem = opened()
    mem.learn("The heron waits at the lake.", now=NOW)
    backup = mem.file.backup()
    with pytest.raises(InvalidInput, match="cogmem bulk move"):
        mem.file.restore(backup)
    with cogmem.open(backup, user="ada") as plain:
        assert contents(plain) == {"The heron waits at the lake."}


def test_what_is_for_files_alone_says_so(opened: Open, tmp_path: Path) -> None:
    mem = opened()
    with pytest.raises(InvalidInput, match="cogmem bulk move"):
        mem.sync.exchange(str(tmp_path / "other.db"))
    with (
        cogmem.open(tmp_path / "file.db", counter=counting.Simple()) as file,
        pytest.raises(InvalidInput, match="cogmem bulk move"),
    ):
        file.sync.exchange(mem.place)
    with pytest.raises(InvalidInput, match="is no loss: remove"):
        set_aside(mem.place, now=NOW)
    with pytest.raises(InvalidInput, match="--replace"):
        restore_backup(mem.place, now=NOW)


def test_doctor_says_how_this_machine_stands_to_the_nodes(node: OneNode, opened: Open) -> None:
    mem = opened()
    mem.learn("The heron waits at the lake.", now=NOW)
    mem.activate("Where does the heron wait?", session="s", now=NOW + 1)
    standing = mem.file.doctor(now=NOW + 2).cluster
    name = node.address.removeprefix("rqlite://")
    [(at,)] = node.rows("select at from cluster")
    assert standing == {
        "address": node.address,
        "at": at,
        "unsent": len(mem.db.ask("select 1 from cluster_unsent")),
        "nodes": {name: at},
    }
    away = opened(address=f"{node.address},127.0.0.1:9")
    found = away.file.doctor(now=NOW + 3)
    assert found.cluster["nodes"]["127.0.0.1:9"] is None
    assert [told for told in found.warnings if "127.0.0.1:9 does not answer" in told]


def test_forgetting_lets_go_of_the_log_of_a_node_that_has_come_so_far(
    node: OneNode, opened: Open
) -> None:
    mem = opened()
    gone = mem.learn("The heron waits at the lake.", now=NOW)
    node.asked.clear()
    assert mem.forget(gone.uid, now=NOW + 1).is_scrubbed
    asked = [path for path in node.asked if "snapshot" in path]
    assert asked == ["/snapshot?trailing_logs=1"] * 2
    with_one_away = opened(address=f"{node.address},127.0.0.1:9")
    gone = with_one_away.learn("The otter sleeps in the reeds.", now=NOW + 2)
    assert not with_one_away.forget(gone.uid, now=NOW + 3).is_scrubbed


def test_a_node_that_has_yet_to_read_its_log_is_no_empty_cluster(
    node: OneNode, opened: Open
) -> None:
    mem = opened(address=f"{node.address}/?level=none")
    mem.learn("The heron waits at the lake.", now=NOW)
    fresh = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    whole, do = node.db, node.do

    def late(path: str, body: bytes) -> tuple[int, bytes]:
        node.db = fresh if "level=none" in path else whole
        return do(path, body)

    node.do = late  # type: ignore[method-assign]
    mem.db._asked_at = 0.0  # type: ignore[attr-defined]
    assert contents(mem) == {"The heron waits at the lake."}
    node.db = whole
    fresh.close()
