"""What leaves the file comes back as it was.

Modules: form, whole.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from lived import fresh, lines, live_a_little, rows

import cogmem
from cogmem.exchange import intake
from cogmem.file.pristine import pristine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., cogmem.Memory]


@pytest.mark.parametrize("history", [False, True])
def test_a_whole_export_restores_to_the_same_bytes(
    memory: cogmem.Memory, driver: str, history: bool
) -> None:
    live_a_little(memory)
    out = lines(memory, history=history)
    with fresh(driver) as other:
        result = other.file.import_(out, now=NOW + 99)
        assert result.as_is
        assert (result.bad, result.skipped) == ([], {})
        assert lines(other, history=history) == out
        assert other.file.check() == []
        assert [row.content for row in other.list(everywhere=True)] == [
            row.content for row in memory.list(everywhere=True)
        ]


def test_a_restored_history_can_still_be_undone(memory: cogmem.Memory) -> None:
    learned = memory.learn("A fact.", now=NOW)
    memory.update(learned.uid, content="Another fact.", now=NOW + 1)
    last = memory.history.log(limit=1)[0].act
    with fresh() as other:
        result = other.file.import_(lines(memory, history=True), now=NOW + 2)
        assert result.act is None, "the import itself leaves nothing to undo"
        other.undo(last, now=NOW + 3)
        assert other.get(learned.uid).content == "A fact."
        assert other.file.check() == []


def test_with_the_history_every_durable_row_is_the_same(memory: cogmem.Memory) -> None:
    live_a_little(memory)
    with fresh() as other:
        other.file.import_(lines(memory, history=True), now=NOW + 99)
        for table in pristine().tables:
            if table not in LEFT_OUT and table != "context":
                text = f'select * from "{table}" order by 1, 2'
                assert other.db.ask(text) == memory.db.ask(text), table


LEFT_OUT = {  # and why: exchange/outward.py
    "activation",
    "weighing",
    "left_out_before",
    "told_at_act",
    "earning",
    "task",
    "model_call",
    "model_limit",
    "embedding",
    "summary_cache",
    "archiving",
    "said",
    "said_word",
    "resembling",
    "undated",
    "seal",
    "repository",
    "citation",
    "transcript",
    "checkpoint",
    "checkpoint_value",
    "checkpoint_write",
    "peer",
    "arrival",
    "claim",
}


def test_every_durable_table_goes_out_or_is_left_out_on_purpose() -> None:
    nested = {"fact", "episode", "procedure", "summary_source"}
    known = {*intake._TAKEN, *nested, *LEFT_OUT, "context"}
    assert set(pristine().tables) == known


@settings(max_examples=examples(25))
@given(st.lists(rows, max_size=8), st.booleans())
def test_whatever_rows_hold_they_come_back_exactly(
    drawn: list[dict[str, Any]], history: bool
) -> None:
    with fresh() as mem, fresh() as other:
        mem.file.import_([json.dumps(row) for row in drawn], as_is=True, keep_good=True, now=NOW)
        out = lines(mem, history=history)
        result = other.file.import_(out, now=NOW + 1)
        assert result.as_is
        assert result.bad == []
        assert lines(other, history=history) == out
        text = "select * from memory order by id"
        assert other.db.ask(text) == mem.db.ask(text)
        assert other.file.check() == []


def test_a_bulk_import_leaves_what_a_slow_one_leaves(
    memory: cogmem.Memory, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_a_little(memory)
    out = lines(memory)
    states = []
    for limit in (0, 10**9):
        monkeypatch.setattr(intake, "BULK", limit)
        with fresh(driver) as other:
            other.file.import_(out, now=NOW + 99)
            assert other.file.check() == []
            changes = other.db.ask(
                "select record, row_key, uid, action, verb, actor, changed_at from change"
                " where record in ('memory', 'link') order by 1, 2"
            )
            found = [one.uid for one in other.recall("heron", user="ann", now=NOW + 100)]
            named = other.db.ask(
                "select rowid from memory_fts where memory_fts match 'key : release'"
            )
            assert len(named) == 1, "keys are found too"
            states.append((lines(other), changes, found))
            act = next(
                one.act for one in other.history.log(everywhere=True) if one.verb == "import"
            )
            other.undo(act, everywhere=True, now=NOW + 101)
            assert other.stats(everywhere=True).memories == 0
            assert other.file.check() == []
    assert states[0] == states[1]


def test_a_bulk_import_refuses_what_a_slow_one_refuses(
    driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [
        {"content": "A heron.", "uid": "mem_00000000000000aa", "fact": {"topic": "bird"}},
        {"content": "Its uid again.", "uid": "mem_00000000000000aa"},
        {"content": "Backwards.", "fact": {"valid_from": 5, "valid_to": 4}},
        {"content": "Another layer.", "layer": "episodic"},
        {"content": "Named.", "key": "k"},
        {"content": "Its key again.", "key": "k"},
        {"content": "Told.", "kind": "episode", "episode": {"outcome": "well"}},
        {"content": "A stork."},
    ]
    states = []
    for limit in (0, 10**9):
        monkeypatch.setattr(intake, "BULK", limit)
        with fresh(driver) as other:
            result = other.file.import_(map(json.dumps, given), as_is=True, keep_good=True, now=NOW)
            assert other.file.check() == []
            rows = other.db.ask(
                "select m.content, m.key, f.topic, f.recorded_at, e.outcome, e.happened_at from memory m"
                " left join fact f on f.memory_id = m.id left join episode e on e.memory_id = m.id"
                " order by m.id"
            )
            states.append((rows, [fault.line for fault in result.bad], result.added))
            with pytest.raises(
                Exception, match="is there"
            ):  # what refuses to replace is awake again
                other.db.ask(
                    "insert or replace into change (id, record, row_key, action, after)"
                    " values (1, 'x', 1, 'insert', '{}')"
                )
    assert states[0] == states[1]
    assert [row[0] for row in states[0][0]] == ["A heron.", "Named.", "Told.", "A stork."]


def test_an_export_is_one_state_while_others_write(path: str) -> None:
    with fresh(path=path) as mem, fresh(path=path) as writer:
        mem.learn("Before.", now=NOW)
        out = mem.file.export()
        head = next(out)
        writer.learn("Meanwhile.", now=NOW + 1)
        rest = "".join(out)
        assert "Before." in rest
        assert "Meanwhile." not in rest
        assert json.loads(head)["scope"] == "everything"


def test_a_changed_working_directory_changes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with fresh(path="memory.db") as mem:
        mem.learn("Precious.", now=NOW)
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert "Precious." in "".join(lines(mem))
        assert mem.file.check() == []
        assert mem.file.query("select count(*) from memory").rows == [(1,)]
        assert os.path.dirname(mem.file.backup(now=NOW)) == str(tmp_path)
    assert os.listdir() == []


def test_nothing_derived_and_no_unchanged_policy_goes_out(memory: cogmem.Memory) -> None:
    memory.learn("A fact.", now=NOW)
    tables = [json.loads(line).get("table") for line in lines(memory)]
    assert tables == [None, "memory", None]


def test_a_scoped_export_holds_nothing_of_others(path: str) -> None:
    with fresh(path=path) as mem:
        mem.learn("Ann likes tea.", user="ann", key="drink", now=NOW)
        mem.learn("Everyone likes lunch.", now=NOW + 1)
        mem.learn("Bob likes coffee.", user="bob", now=NOW + 2)
        mem.conversation("bobs", user="bob").append("user", "coffee please", at=NOW)
        mem.learn("Ann likes green tea.", user="ann", key="drink", now=NOW + 3)
    with fresh(path=path, user="ann") as mem:
        text = "".join(mem.file.export(everywhere=False, history=True))
    assert "green tea" in text
    assert "lunch" in text
    assert "bob" not in text.lower()
    assert "coffee" not in text
