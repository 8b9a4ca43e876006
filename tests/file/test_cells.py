"""A broken value costs its own row: every text column is spoilt in turn, and everybody goes on.

Modules: text.cell.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from processes import ran

import cogmem
from cogmem.errors import CogmemError, DatabaseProblem
from cogmem.exchange.salvage import salvage
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPOIL = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("pragma ignore_check_constraints = on")
db.execute("pragma recursive_triggers = off")
for (name,) in db.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
    db.execute(f'drop trigger "{name}"')
db.execute(sys.argv[2], (sys.argv[3],) if len(sys.argv) > 3 else ())
db.close()
"""
BROKEN = ('{"half', "[1, 2", "\x01\x02", "null", "17", '"text"', "[[[]]]", '{"steps": {}}')


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cells") / "memory.db"
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.learn("Herons wade.", key="bird", tags=["heron"], data={"seen": 3}, now=NOW)
        mem.learn("Storks stalk.", key="stork", now=NOW)
        mem.procedure("watch herons", ["sit", "wait"], now=NOW)
        mem.episode("The heron came back.", now=NOW)
        talk = mem.conversation("talk")
        talk.append("user", "Where do herons wade?", at=NOW)
        talk.append("assistant", "In the lake.", at=NOW)
        mem.sessions.notes("s").pin("Mind the heron.", at=NOW)
        mem.activate("Where do herons wade?", session="s", now=NOW)
        mem.update("stork", content="Storks stalk slowly.", now=NOW + 1)
    return path


def doings() -> list[tuple[str, Callable[[cogmem.Memory], object]]]:
    return [
        ("list", lambda mem: [row.content for row in mem.list(limit=0, now=NOW)]),
        ("get", lambda mem: mem.get("bird", now=NOW)),
        ("recall", lambda mem: mem.recall("heron", now=NOW)),
        ("activate", lambda mem: mem.activate("Where do herons wade?", session="s", now=NOW)),
        ("log", lambda mem: mem.history.log(limit=20)),
        (
            "undo",
            lambda mem: mem.undo(
                next((one.act for one in mem.history.log(limit=1)), "none"), now=NOW
            ),
        ),
        ("messages", lambda mem: mem.conversation("talk").messages()),
        ("turns", lambda mem: mem.turns.list()),
        ("learn", lambda mem: mem.learn("Ibises eat.", now=NOW)),
        ("export", lambda mem: list(mem.file.export())),
        ("stats", lambda mem: mem.stats()),
        ("doctor", lambda mem: mem.file.doctor()),
    ]


def json_columns(path: Path) -> list[tuple[str, str]]:
    """Columns that hold JSON, as their constraints or their values say."""
    db = sqlite3.connect(path)
    found = []
    for (table,) in db.execute(
        "select name from sqlite_schema where type = 'table' and sql like '%strict%'"
    ).fetchall():
        for _, column, kind, *_ in db.execute(f'pragma table_xinfo("{table}")').fetchall():
            if kind != "TEXT":
                continue
            for (value,) in db.execute(
                f'select "{column}" from "{table}" where "{column}" is not null limit 3'
            ).fetchall():
                with suppress(ValueError):  # a pattern may begin with a bracket as well
                    if value[:1] in ("[", "{") and isinstance(json.loads(value), (list, dict)):
                        found.append((table, column))
                        break
    db.close()
    return found


def spoilt(whole: Path, tmp_path: Path, table: str, column: str, value: str) -> Path:
    path = tmp_path / "memory.db"
    shutil.copyfile(whole, path)
    last = f'(select max(rowid) from "{table}" where "{column}" is not null)'
    text = f'update "{table}" set "{column}" = ? where rowid = {last}'
    done = ran([sys.executable, "-I", "-c", SPOIL, str(path), text, value.replace("\x01", "x")])
    assert done.returncode == 0, done.stderr
    return path


def test_a_broken_value_in_any_column_raises_nothing_of_the_standard_library(
    whole: Path, tmp_path: Path
) -> None:
    wrong = []
    for number, (table, column) in enumerate(json_columns(whole)):
        path = spoilt(whole, tmp_path, table, column, BROKEN[number % 2])
        with cogmem.open(path, counter=counting.Simple()) as mem:
            for name, doing in doings():
                try:
                    doing(mem)
                except CogmemError as error:
                    if name in ("list", "recall", "activate", "learn", "messages"):
                        wrong.append(
                            f"{table}.{column}: {name}: {type(error).__name__} {error}"[:160]
                        )
                except Exception as error:
                    wrong.append(
                        f"{table}.{column}: {name}: raw {type(error).__name__} {error}"[:160]
                    )
            try:
                told = mem.file.check()
            except Exception as error:
                told = [f"{table}.{column}"]
                wrong.append(f"{table}.{column}: check: raw {type(error).__name__} {error}"[:160])
            if not any(f"{table}.{column}" in line for line in told):
                wrong.append(f"{table}.{column}: check says nothing")
    assert len(json_columns(whole)) > 8
    assert not wrong, "\n".join(wrong)


def test_what_is_damaged_is_emptied_on_request_and_all_else_stays(
    whole: Path, tmp_path: Path
) -> None:
    path = spoilt(whole, tmp_path, "memory", "tags", BROKEN[1])
    with cogmem.open(path, counter=counting.Simple()) as mem:
        before = {row.uid: row.content for row in mem.list(limit=0, now=NOW)}
        assert any("memory.tags of row" in line and "--repair" in line for line in mem.file.check())
        [mended] = mem.file.repair(now=NOW + 2)
        assert mended.startswith("memory.tags of row")
        assert {row.uid: row.content for row in mem.list(limit=0, now=NOW)} == before
        assert not any("memory.tags" in line for line in mem.file.check())
        assert mem.file.repair() == []


@pytest.mark.parametrize("value", BROKEN)
def test_steps_of_any_shape_cost_only_themselves(whole: Path, tmp_path: Path, value: str) -> None:
    path = spoilt(whole, tmp_path, "procedure", "steps", value)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert len(mem.list(limit=0, now=NOW)) == 4
        assert mem.activate("How do I watch herons?", session="t", now=NOW).text


def text_columns(path: Path) -> list[tuple[str, str]]:
    """All columns that hold a text somewhere."""
    found = []
    with closing(sqlite3.connect(path)) as db:
        tables = "select name from sqlite_schema where type = 'table' and sql like '%strict' and name <> 'derivation'"
        for (table,) in db.execute(tables).fetchall():
            for _, column, kind, *_ in db.execute(f'pragma table_xinfo("{table}")').fetchall():
                some = f'select 1 from "{table}" where "{column}" <> \'\' limit 1'
                if kind == "TEXT" and db.execute(some).fetchone():
                    found.append((table, column))
    return found


@pytest.mark.alike
@pytest.mark.parametrize("part", range(2))
def test_a_flipped_byte_in_any_text_is_told_and_never_repeated(
    whole: Path, tmp_path: Path, driver: str, part: int
) -> None:
    columns = text_columns(whole)
    assert len(columns) > 60
    wrong = []
    for table, column in columns[part::20]:
        path = tmp_path / "memory.db"
        shutil.copyfile(whole, path)
        flip = f"cast(cast('Herons' as blob) || x'e8' || cast(\"{column}\" as blob) as text)"
        text = f'update "{table}" set "{column}" = {flip} where "{column}" <> \'\''
        words = [sys.executable, "-I", "-c", SPOIL, str(path), text]
        if subprocess.run(words, capture_output=True, check=False).returncode:
            continue  # a rule that no pragma lifts stands in the way
        try:
            mem = cogmem.open(path, driver=driver, counter=counting.Simple())
        except CogmemError:
            continue
        with suppress(CogmemError), mem:
            for name, doing in (*doings(), ("check", lambda mem: mem.file.check())):
                try:
                    doing(mem)
                except CogmemError as error:
                    if "Herons" in str(error):
                        wrong.append(f"{table}.{column}: {name} repeats it")
                except Exception as error:
                    wrong.append(f"{table}.{column}: {name}: raw {type(error).__name__} {error}")
    assert not wrong, "\n".join(wrong)


def test_a_text_with_damaged_bytes_costs_its_row_is_named_and_all_the_rest_is_salvaged(
    whole: Path, tmp_path: Path, driver: str
) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(whole, path)
    text = "update memory set content = cast(x'48e872' as text) where key = 'stork'"
    subprocess.run([sys.executable, "-I", "-c", SPOIL, str(path), text], check=True)
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        shown = {row.content for row in mem.list(now=NOW)}
        assert {"H\ufffdr", "Herons wade."} <= shown
        assert "Herons wade." in {one.content for one in mem.recall("herons", now=NOW)}
        assert "Herons wade." in mem.activate("Where do herons wade?", now=NOW).text
        assert any(line.startswith("memory.content of row ") for line in mem.file.check())
    salvage(str(path), str(tmp_path / "new.db"))
    with cogmem.open(tmp_path / "new.db", counter=counting.Simple()) as mem:
        assert "Herons wade." in {row.content for row in mem.list(now=NOW)}


@pytest.mark.parametrize(
    ("place", "mended"),
    [
        ("memory.content where key = 'stork'", "Storks stalk slowly."),
        ("memory.tags where key = 'bird'", '["heron"]'),
        ("procedure.steps", '["sit", "wait"]'),
        ("message.text where role = 'user'", "H\ufffdr"),
        ("session.buffer", "[]"),
    ],
)
def test_damaged_text_becomes_what_the_history_last_said_or_what_can_be_read_of_it(
    whole: Path, tmp_path: Path, driver: str, place: str, mended: str
) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(whole, path)
    what, _, where = place.partition(" where ")
    table, column = what.split(".")
    suffix = f" where {where}" if where else ""
    text = f"update {table} set {column} = cast(x'48e872' as text){suffix}"
    subprocess.run([sys.executable, "-I", "-c", SPOIL, str(path), text], check=True)
    with cogmem.open(path, driver=driver, counter=counting.Simple()) as mem:
        assert any("`cogmem doctor --repair` mends it" in line for line in mem.file.check())
        past = mem.db.ask("select count(*) from change")
        assert mem.file.repair(now=NOW + 2)
        assert mem.db.ask(f"select {column} from {table}{suffix}") == [(mended,)]
        assert mem.db.ask("select count(*) from change") == past
        told = "\n".join(mem.file.check())
        assert "no text any more" not in told
        assert "search index" not in told
        assert "history" not in told


def test_text_that_no_history_keeps_whole_is_told_by_a_change_that_can_be_read(
    whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(whole, path)
    for text in (
        "update memory set content = cast(x'48e872' as text) where key = 'stork'",
        "update change set after = null, before = null where action = 'update'",
        "update change set after = json_remove(after, '$.content') where action = 'insert'",
    ):
        subprocess.run([sys.executable, "-I", "-c", SPOIL, str(path), text], check=True)
    with cogmem.open(path, counter=counting.Simple()) as mem:
        assert mem.file.repair(now=NOW + 2)
        assert mem.get("stork", now=NOW + 3).content == "H\ufffdr"
        [(verb, after)] = mem.db.ask("select verb, after from change order by id desc limit 1")
        assert (verb, json.loads(after)) == ("repair", {"content": "H\ufffdr"})


def test_a_setting_that_is_no_number_any_more_is_told_by_its_name(
    whole: Path, tmp_path: Path
) -> None:
    for name in ("merge_threshold", "budget_tokens", "backups_kept"):
        path = tmp_path / "memory.db"
        shutil.copyfile(whole, path)
        with cogmem.open(path, counter=counting.Simple()) as mem:
            mem.learn("Storks stalk by the new lake.", now=NOW)
        text = f"update setting set value = 'much' where name = '{name}'"
        subprocess.run([sys.executable, "-I", "-c", SPOIL, str(path), text], check=True)
        with cogmem.open(path, counter=counting.Simple()) as mem:
            told = []
            for doing in (
                lambda mem: mem.learn("Storks stalk by the old lake.", now=NOW),
                lambda mem: mem.activate("Where do herons wade?", session="t", now=NOW),
            ):
                try:
                    doing(mem)
                except DatabaseProblem as error:
                    told.append(str(error))
            told += [str(job.note) for job in mem.nightly(now=NOW + 1).jobs]
            assert any(f"the setting {name} is" in line for line in told)
