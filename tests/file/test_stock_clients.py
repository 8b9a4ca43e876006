"""A person with a stock SQLite reads and writes the file, and everything is still exact afterwards.

Each stock client runs in a process of its own, as it would in life.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, EVERYTHING, NOW, STOCK

import cogmem
from cogmem.file import sql
from cogmem.text import lines
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Stock = Callable[[str, str], str]

# As schema/README.md shows it: the uid is drawn in the statement, never in the schema.
INSERT = """\
insert into memory (uid, layer, kind, content, created_at, updated_at, reinforced_at)
values ('mem_' || lower(hex(randomblob(8))), 'semantic', 'fact', 'The shop closes at six.',
        unixepoch() * 1000, unixepoch() * 1000, unixepoch() * 1000);
"""


@pytest.fixture
def space(path: str) -> Iterator[str]:
    """A file with three memories, found sound by cogmem when the stock client is done with it."""
    with cogmem.open(path, counter=counting.Simple()) as mem:
        mem.file.show()
        mem.learn("Herons wade.", key="heron", tags=["bird"], topic="gait", now=NOW)
        mem.episode("The barn roof leaked.", "patched", now=NOW)
        mem.procedure("bake bread", ["knead", "bake"], now=NOW)
    yield path
    with cogmem.open(path) as mem:
        assert mem.file.check() == []


def search(stock: Stock, path: str, word: str) -> str:
    return stock(
        path,
        "select m.content from memory_fts f join memory m on m.id = f.rowid"
        f" where memory_fts match '{word}' order by m.id;\n",
    )


def last_change(stock: Stock, path: str) -> str:
    return stock(
        path,
        "select record, action, actor, ifnull(changed_at, 'no instant') from change order by id desc limit 1;\n",
    )


def undo_all_by_unknown(path: str) -> None:
    """Take back, newest first, what was changed without a context."""
    with cogmem.open(path) as mem:
        for (change,) in mem.db.ask(
            "select id from change where actor = 'unknown' order by id desc"
        ):
            mem.undo(change, now=NOW)


def test_every_view_and_table_reads_in_a_stock_client(space: str, stock: Stock) -> None:
    names = stock(
        space, "select name from sqlite_schema where type in ('table', 'view');\n"
    ).split()
    assert "semantic_memory" in names
    stock(space, "".join(f'select count(*) from "{name}";\n' for name in names))
    assert stock(space, "select content, topic from semantic_memory;\n") == "Herons wade.|gait"
    assert (
        stock(space, "select event, outcome from episodic_memory;\n")
        == "The barn roof leaked.|patched"
    )
    assert (
        stock(space, "select name, steps from procedural_memory;\n")
        == 'bake bread|["knead", "bake"]'
    )
    assert stock(space, "pragma integrity_check;\n") == "ok"


def test_z02_a_stock_insert_is_whole_found_and_undone(space: str, stock: Stock) -> None:
    stock(space, INSERT)
    assert search(stock, space, "shop") == "The shop closes at six."
    assert stock(
        space,
        "select content, topic from semantic_memory where kind = 'fact' order by memory_id desc limit 1;\n",
    ) == ("The shop closes at six.|")
    assert last_change(stock, space) == "memory|insert|unknown|no instant"
    with cogmem.open(space) as mem:
        [row] = [row for row in mem.list() if row.content.startswith("The shop")]
        assert re.fullmatch("mem_[0-9a-f]{16}", row.uid)
        assert row.reinforcement_count == 1
    undo_all_by_unknown(space)
    assert search(stock, space, "shop") == ""


def test_z02_a_stock_update_is_found_by_its_new_words_and_undone(space: str, stock: Stock) -> None:
    stock(space, "update memory set content = 'Storks stalk.', priority = 4 where key = 'heron';\n")
    assert search(stock, space, "herons") == "Storks stalk.", "the key is still heron"
    assert search(stock, space, "wade") == ""
    assert last_change(stock, space) == "memory|update|unknown|no instant"
    before, after = stock(
        space, "select before, after from change order by id desc limit 1;\n"
    ).split("|")
    gone = {"content_hash": "", "tokens": None, "token_counter": ""}
    assert {"content": "Herons wade.", "priority": 1}.items() <= json.loads(before).items()
    assert json.loads(after) == {"content": "Storks stalk.", "priority": 4, **gone}
    undo_all_by_unknown(space)
    assert search(stock, space, "wade") == "Herons wade."


ALL_ROWS = "select * from memory order by id;\nselect * from procedure;\nselect * from episode;\n"


@pytest.mark.alike
@pytest.mark.parametrize(
    "edit",
    [
        "update memory set content = 'Ann is allergic to peanuts.' where key = 'heron'",
        "update memory set content = 'HERONS  wade.', priority = 2 where key = 'heron'",
        "update memory set key = 'crane' where key = 'heron'",
        "update memory set tokens = 77, content = 'Cranes dance.' where key = 'heron'",
        "update procedure set steps = json_array('knead', 'rest', 'bake')",
        "update episode set outcome = 'patched twice'",
    ],
)
def test_z23_what_was_worked_out_of_a_text_does_not_outlive_it(
    space: str, stock: Stock, edit: str
) -> None:
    before = stock(space, ALL_ROWS)
    stock(space, f"{edit};\n")
    with cogmem.open(space) as mem:
        assert mem.file.check() == []
        for uid, name, layer, key, content, counted, length, outcome, steps in mem.db.ask(
            "select m.uid, m.content_hash, layer, key, content, token_counter, tokens, coalesce(outcome, ''), steps"
            " from memory m left join episode e on e.memory_id = m.id left join procedure p on p.memory_id = m.id"
        ):
            assert name in ("", lines.content_hash(content)), content
            said = lines.memory_text(layer, key, content, outcome, json.loads(steps or "[]"))
            if counted and "tokens = 77" not in edit:
                assert length == counting.Simple().count(lines.line(said)), uid
    undo_all_by_unknown(space)
    whole = stock(space, ALL_ROWS)
    if edit.startswith("update memory"):
        assert whole == before


def test_z23_a_night_does_not_take_another_text_for_the_one_that_was_there(
    space: str, stock: Stock
) -> None:
    with cogmem.open(space) as mem:
        mem.learn("The staging server is called heron.", now=NOW)
    stock(
        space,
        "update memory set content = 'Ann is allergic to peanuts.' where content like 'The staging%';\n",
    )
    with cogmem.open(space) as mem:
        assert mem.learn("The staging server is called heron.", now=NOW).outcome == "inserted"
        assert mem.db.ask("select * from duplicate") == []
        mem.nightly(now=NOW + DAY)
        assert {"Ann is allergic to peanuts.", "The staging server is called heron."} <= {
            row.content for row in mem.list(now=NOW + DAY)
        }


def test_z11_a_text_made_longer_by_a_shell_stays_within_the_budget(
    space: str, stock: Stock
) -> None:
    with cogmem.open(space, counter=counting.Simple()) as mem:
        mem.learn("Use tabs in Go files.", kind="policy", now=NOW)
    long = "replace(hex(zeroblob(900)), '00', 'It is broken. ')"
    stock(space, f"update memory set content = 'Never. ' || {long} where kind = 'policy';\n")
    stock(space, f"update procedure set steps = json_array({long});\n")
    with cogmem.open(space, counter=counting.Simple()) as mem:
        turn = mem.activate("How do I bake bread?", now=NOW)
        assert counting.Simple().count(turn.text) <= turn.budget


def test_what_a_text_was_searched_by_goes_with_it(space: str, stock: Stock) -> None:
    with cogmem.open(space) as mem:
        mem.learn("日本語の犬が走る", now=NOW)
        assert [row.content for row in mem.recall("日本語", now=NOW)] == ["日本語の犬が走る"]
    stock(space, "update memory set content = 'A cat sleeps here.' where content like '%犬%';\n")
    with cogmem.open(space) as mem:
        assert mem.recall("日本語", now=NOW) == []
        assert [row.content for row in mem.recall("cat", now=NOW)] == ["A cat sleeps here."]


def test_z02_a_stock_delete_takes_everything_along_and_is_undone(space: str, stock: Stock) -> None:
    stock(space, "delete from memory where key = 'heron';\n")
    assert search(stock, space, "wade") == ""
    assert stock(space, "select count(*) from fact;\n") == "0"
    undo_all_by_unknown(space)
    assert stock(space, "select content, topic from semantic_memory;\n") == "Herons wade.|gait"
    assert search(stock, space, "wade") == "Herons wade."


def test_a_stock_client_removes_and_restores_by_state(space: str, stock: Stock) -> None:
    stock(space, "update memory set state = 'deleted' where key = 'heron';\n")
    assert search(stock, space, "wade") == ""
    stock(space, "update memory set state = 'active' where key = 'heron';\n")
    assert search(stock, space, "wade") == "Herons wade."


def test_a_stock_client_writes_while_cogmem_has_the_file_open(space: str, stock: Stock) -> None:
    with cogmem.open(space, counter=counting.Simple()) as mem:
        mem.learn("Ibises probe.", now=NOW)
        stock(space, INSERT)
        mem.learn("Cranes dance.", now=NOW)
        assert {"Ibises probe.", "Cranes dance.", "The shop closes at six."} <= {
            row.content for row in mem.list()
        }


def test_a_stock_client_dumps_the_file_and_it_comes_back_whole(
    space: str, tmp_path: object
) -> None:
    import os
    import subprocess

    shell = "/usr/bin/sqlite3"
    if not os.path.exists(shell):
        pytest.skip("this machine has no /usr/bin/sqlite3")
    copy = f"{tmp_path}/copy.db"
    subprocess.run([shell, space, f"vacuum into '{copy}'"], check=True, timeout=60)
    with cogmem.open(copy) as mem:
        assert mem.get("heron", now=NOW).content == "Herons wade."
        assert mem.file.check() == []


# -- schema/README.md executes -----------------------------------------------------------------------


def test_what_the_schema_s_readme_shows_can_be_typed(space: str, stock: Stock) -> None:
    text = (Path(sql.SCHEMA) / "README.md").read_text(encoding="utf-8")
    learn, find, change, away, policy = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    stock(space, learn)
    assert stock(space, find).endswith("|Mara prefers tea to coffee.")
    told = [row.split("|") for row in stock(space, change).splitlines()]
    insert, update, dated = (row for row in told[-4:] if row[1] == "memory")
    assert insert[1:4] == ["memory", "insert", "unknown"]
    assert update[1:4] == ["memory", "update", "Mara"]
    assert "green tea" in "|".join(update)
    assert dated[1:4] == ["memory", "update", "cogmem"]
    stock(space, away)
    assert stock(space, find).endswith("|Mara prefers green tea to coffee.")
    stock(space, policy)
    assert stock(space, "select count(*) from kind where name = 'rumour';\n") == "1"


def test_a_second_memory_of_one_process_leaves_the_locks_of_the_first(
    space: str, stock: Stock
) -> None:
    with cogmem.open(space) as first:
        cogmem.open(space).close()
        # A client that takes itself for the last one moves the log into the file and removes it.
        stock(space, "select count(*) from memory;\n")
        first.learn("The dog barks.")
        assert stock(space, "select content from memory where content like 'The dog%';\n")


WRITES = {  # of one text under a number: how it comes, and how it changes
    "memory_fts": (
        "insert into memory (id, uid, layer, kind, content, created_at, updated_at, reinforced_at) values"
        " ({n}, 'mem_' || printf('%016x', {n}), 'semantic', 'fact', '{text}', 1, 1, 1);\n",
        "update memory set content = '{text}' where id = {n};\n",
    ),
    "message_fts": (
        "insert into message (conversation_id, seq, role, text, parts, said_at) values"
        " (1, {n}, 'user', '{text}', '[]', 1);\n",
        "update message set is_current = 0 where seq = {n} and is_current = 1;"
        " insert into message (conversation_id, seq, version, role, text, parts, said_at)"
        " select 1, {n}, max(version) + 1, 'user', '{text}', '[]', 1 from message where seq = {n};\n",
    ),
    "document_fts": (
        "insert into document_section (id, document_id, position, content) values ({n}, 1, {n}, '{text}');\n",
        "update document_section set content = '{text}' where id = {n};\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("index", WRITES)
@pytest.mark.parametrize("stock", STOCK if EVERYTHING else STOCK[1:], indirect=True)
def test_an_older_sqlite_beside_a_newer_one_brings_no_deleted_word_back(
    path: str, stock: Stock, index: str
) -> None:
    """FTS5 of 3.44 notes deleted words otherwise; an older one may not merge what a newer one wrote."""
    come, change = WRITES[index]

    def many(first: int, count: int) -> str:
        return "".join(
            come.format(n=n, text=" ".join(f"w{n * k % 997}" for k in range(1, 9)))
            for n in range(first, first + count)
        )

    with cogmem.open(path) as mem:
        newer = mem.db.ask
        newer(
            "insert into conversation (id, name, created_at, next_seq) values (1, 'talk', 1, 9999)"
        )
        newer(
            "insert into document (id, path, name, scope, hash, size, body, modified_at, seen_at)"
            " values (1, '/a.md', 'a', 'project', '', 0, '', 1, 1)"
        )
        with mem.db.together():
            for line in (many(100, 1_500) + come.format(n=1, text="guvel alpha")).splitlines():
                newer(line)
        newer(f"insert into {index} ({index}) values ('optimize')")
        newer(change.format(n=1, text="beta"))
        newer(change.format(n=1, text="guvel gamma"))
        for line in many(5_000, 20).splitlines():
            newer(line)
        newer(change.format(n=1, text="delta"))
    stock(path, many(6_000, 40))
    with cogmem.open(path) as mem:
        assert mem.db.ask(f"select rowid from {index} where {index} match 'guvel OR alpha'") == []
        assert mem.file.check() == []
