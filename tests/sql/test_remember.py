"""Writing by hand: two columns are enough, nothing is drawn by lot, and the guide tells what there is."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
from typing import TYPE_CHECKING

import pytest
import sqlite_utils
from space import NOW

import cogmem

if TYPE_CHECKING:
    from space import Space

PUT = "insert into remember (content, kind) values (?, ?)"


def test_two_columns_are_enough(space: Space) -> None:
    space.execute(PUT, ("Mara prefers tea.", "preference"))
    [row] = space.all("select uid, layer, kind, content, priority, source from memory")
    assert re.fullmatch("mem_[0-9a-f]{16}", str(row[0]))
    assert row[1:] == ("semantic", "preference", "Mara prefers tea.", 2, "user_explicit")
    assert space.found("teas") == [1]
    assert space.one("select count(*) from change where record = 'memory'") == 1


@pytest.mark.parametrize(
    ("word", "kind"), [("Preferences", "preference"), (" howto ", "procedure"), (None, "fact")]
)
def test_every_name_of_a_kind_is_understood(space: Space, word: str | None, kind: str) -> None:
    space.execute(PUT, ("Stir twice.", word))
    assert space.one("select kind from memory") == kind


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("x", "ornithology", None), "no kind is called so"),
        (("  ", "fact", None), "nothing to remember"),
        ((None, "fact", None), "nothing to remember"),
        (("x", "fact", "yesterday"), "UTC text"),
    ],
)
def test_what_cannot_be_remembered_is_refused_in_words(
    space: Space, values: tuple[str | None, ...], said: str
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=said):
        space.execute("insert into remember (content, kind, learned_at) values (?, ?, ?)", values)
    assert space.one("select count(*) from memory") == 0


def test_the_same_words_make_memories_of_their_own(space: Space) -> None:
    for _ in range(3):
        space.execute(PUT, ("Herons wade.", "fact"))
    space.execute(PUT, ("Herons wade" + "!" * 5000, "fact"))
    assert space.one("select count(distinct uid) from memory") == 4


def test_the_next_transaction_gives_its_instant_to_what_has_none(space: Space) -> None:
    space.execute(PUT, ("The oven is hot.", "event"))
    space.execute(
        "insert into remember (content, learned_at) values ('Long ago.', '2001-09-09 01:46:40')"
    )
    assert space.all("select memory_id from undated") == [(1,)]
    space.act(acted_at=NOW)
    space.act(acted_at=None)
    assert space.all("select created_at, reinforced_at from memory order by id") == [
        (NOW, NOW),
        (10**12, 10**12),
    ]
    assert space.one("select happened_at from episode") == NOW
    assert space.all(
        "select distinct verb, actor, changed_at from change where action = 'update'"
    ) == [("date", "cogmem", NOW)]
    assert space.all("select * from undated") == []


def test_a_memory_that_goes_before_it_was_dated_leaves_nothing(space: Space) -> None:
    space.execute(PUT, ("The oven is hot.", "fact"))
    space.execute("delete from memory")
    assert space.all("select * from undated") == []


def test_the_stock_shell_remembers_and_cogmem_goes_on_from_there(memory: cogmem.Memory) -> None:
    shell = shutil.which("sqlite3")
    if not shell:
        pytest.skip("this machine has no sqlite3 shell")
    memory.file.show()
    said = "insert into remember(content, kind) values ('Mara prefers green tea.', 'preferences');"
    subprocess.run([shell, "-bail", memory.path, said], check=True)
    assert [found.content for found in memory.recall("tea", now=NOW)] == ["Mara prefers green tea."]
    memory.learn("Herons wade.", now=NOW)
    assert {row.raw("created_at") for row in memory.list(now=NOW)} == {NOW}


def test_the_guide_lists_what_is_for_people_and_nothing_else(space: Space) -> None:
    listed = dict(space.all("select name, meaning from guide"))
    assert next(iter(listed)) == "remember"
    views = {str(row[0]) for row in space.all("select name from sqlite_schema where type = 'view'")}
    inside = {
        str(row[0])
        for row in space.all(
            "select name from sqlite_schema where type = 'view' and name glob 'inside_*'"
        )
    }
    assert set(listed) == views - inside - {"guide"}
    assert inside
    broken_off = {name: said for name, said in listed.items() if not str(said).endswith(".")}
    assert broken_off == {}, "the first line of a view's comment is a thought of its own"
    space.execute("create view mine as\n  -- My own list.\n  select 1 as one")
    assert dict(space.all("select name, meaning from guide"))["mine"] == "My own list."


def test_tools_that_look_for_an_index_find_it(memory: cogmem.Memory) -> None:
    memory.learn("Herons wade in the mill pond.", now=NOW)
    db = sqlite_utils.Database(memory.path)
    assert db.table("memory").detect_fts() == "memory_fts"
    assert db.table("message").detect_fts() == "message_fts"
    assert [row["content"] for row in db.table("memory").search("ponds")] == [
        "Herons wade in the mill pond."
    ]
    db.close()
