"""What is decided without any node: addresses, result codes, statements as they are sent, and where a copy lies."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from space import new_space

from cogmem.errors import Conflict, InvalidInput, of_driver
from cogmem.file import sql
from cogmem.file.cluster_copy import Recorder, is_write, plain
from cogmem.file.places import beside
from cogmem.file.rqlite import Address, Refused


def test_an_address_names_nodes_an_account_and_how_fresh_an_answer_is() -> None:
    one = Address("rqlite://ada:pa%3Ass@a:4001,b,[::1]:5/?level=none&ca=/x.pem")
    assert one.hosts == [("a", 4001), ("b", 4001), ("::1", 5)]
    assert (one.user, one.password, one.level, one.ca) == ("ada", "pa:ss", "none", "/x.pem")
    assert one.shown == "rqlite://ada@a:4001,b:4001,[::1]:5"
    assert not one.is_secure
    assert Address("rqlites://a").is_secure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rqlite://", "not a node"),
        ("rqlite://a:port", "not a node"),
        ("rqlite://a/?level=strong", "level=strong is not known"),
        ("rqlite://a?levle=weak", "not levle"),
        ("http://a", "begins with rqlite://"),
    ],
)
def test_an_address_that_is_none_says_why(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        Address(text)


def test_an_account_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGMEM_RQLITE_USER", "ada")
    monkeypatch.setenv("COGMEM_RQLITE_PASSWORD", "word")
    one = Address("rqlite://a")
    assert (one.user, one.password) == ("ada", "word")


def test_the_same_nodes_mean_the_same_copy() -> None:
    places = {
        beside(text)
        for text in (
            "rqlite://a:4001,b",
            "rqlites://ada:word@B:4001,a/?level=none",
            Address("rqlite://b,a").shown,
        )
    }
    assert len(places) == 1
    assert beside("rqlite://a") not in places
    assert beside("rqlite://[::1]") == beside(Address("rqlite://[::1]:4001").shown)


MADE = (
    "create table t (a integer primary key, b text not null unique, constraint b_is_short check (length(b) < 4))",
    "create trigger t_bd before delete on t begin select raise(abort, 'rows stay here'); end",
    "insert into t values (1, 'x')",
)


@pytest.mark.parametrize(
    "text",
    [
        "insert into t values (2, 'x')",
        "insert into t values (1, 'y')",
        "insert into t values (2, null)",
        "insert into t values (2, 'long one')",
        "delete from t",
        "select * from nothing",
        "selec",
        "insert into t (c) values (1)",
        "create table t (a)",
        "insert into t values (1)",
    ],
)
def test_an_error_is_the_same_with_and_without_a_result_code(text: str) -> None:
    db = sqlite3.connect(":memory:")
    for statement in MADE:
        db.execute(statement)
    with pytest.raises(sqlite3.Error) as caught:
        db.execute(text)
    db.close()
    told, by_words = of_driver(caught.value, "m"), of_driver(Refused(str(caught.value)), "m")
    assert (type(told), str(told)) == (type(by_words), str(by_words))


def test_what_no_longer_holds_is_a_conflict_by_its_words_alone() -> None:
    said = "CHECK constraint failed: what_was_decided_on_still_holds"
    assert isinstance(of_driver(Refused(said), "m"), Conflict)


NAMES = st.sampled_from(["a", "ab", "b"])
VALUES = st.one_of(
    st.integers(-5, 5), st.binary(max_size=3), st.text("a:?'x", max_size=4), st.none()
)


@given(st.dictionaries(NAMES, VALUES, min_size=3), st.lists(VALUES, min_size=3, max_size=3))
def test_bytes_become_literals_and_nothing_else_changes(
    named: dict[str, Any], placed: list[Any]
) -> None:
    db = sqlite3.connect(":memory:")
    for text, params in (
        ("select :a, ':ab', :ab, \":b\", :b -- :a\n, ':a?'", named),
        ("select ?, '?', ? -- ?\n, ?, '?'", placed),
    ):
        wanted = db.execute(text.replace('":b"', "'x'"), params).fetchall()
        [[sent, *values]] = plain([(text.replace('":b"', "'x'"), params)])
        given_values = values[0] if values and isinstance(values[0], dict) else values
        assert not any(isinstance(value, bytes) for value in values)
        assert db.execute(sent, given_values).fetchall() == wanted
    db.close()


def test_a_recorder_keeps_what_stands_and_forgets_what_was_rolled_back() -> None:
    kept: list[Any] = []
    recorder = Recorder(
        sqlite3.connect(":memory:", isolation_level=None), lambda: None, kept.extend
    )
    recorder.execute("create table t (a)")
    recorder.execute("begin immediate")
    recorder.execute("insert into t values (?)", (1,))
    recorder.execute("savepoint together")
    recorder.execute("insert into t values (?)", (2,))
    recorder.execute("savepoint step")
    recorder.execute("insert into t values (?)", (3,))
    recorder.execute("rollback to step")
    recorder.execute("release step")
    assert recorder.execute("select count(*) from t").fetchall() == [(2,)]
    recorder.execute("savepoint step")
    recorder.executemany("insert into t values (?)", [(4,), (5,)])
    recorder.execute("release step")
    recorder.execute("release together")
    recorder.execute("commit")
    assert [params for _, params in kept] == [(1,), (2,), (4,), (5,)]
    kept.clear()
    recorder.execute("rollback")
    recorder.execute("begin")  # a block of reads
    recorder.execute("rollback")
    assert kept == []
    recorder.actual.close()


def test_every_statement_that_writes_is_known_for_one() -> None:
    """What the recorder took for a read would be missing on the nodes: SQLite itself is asked."""
    space = new_space()
    seen: set[int] = set()

    def note(action: int, table: str | None, *_: object) -> int:
        if not (table or "").startswith("sqlite_"):  # a table-valued pragma makes its own
            seen.add(action)
        return sqlite3.SQLITE_OK

    writes = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
    texts = [
        sql.statement(name)
        for file in sorted(Path(sql.SCHEMA, "queries").glob("*.sql"))
        for name in sql.names(file.stem)
    ]
    texts += [one for _, text in sql.script("jobs") for one in sql.split(text)]
    space.set_authorizer(note)
    count = 0
    for text in texts:
        seen.clear()
        with suppress(sqlite3.Error):  # one that a text of the caller completes
            space.execute(f"explain {text}", dict.fromkeys(sql.parameters(text)))
        count += bool(seen & writes)
        assert is_write(text) or not seen & writes, text
    space.close()
    assert count > 100
    made = [text for folder in ("tables", "derived", "cluster") for _, text in sql.script(folder)]
    assert all(is_write(one) for text in made for one in sql.split(text))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "turn.activation",
            "turn.weighing",
            "turn.open_session",
            "turn.freeze",
            "turn.fold_notes",
        ),
        *("turn.advance_session", "turn.notes_shown", "turn.thaw", "act.tell", "act.drop_old"),
    ],
)
def test_what_a_turn_writes_names_no_row_by_its_number(name: str) -> None:
    """On a cluster it is written here first and there later, where a session may have another number."""
    assert not {"id", "session_id", "last"} & set(sql.parameters(sql.statement(name)))
