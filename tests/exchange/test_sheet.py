"""Memories as a sheet, out and in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NOW
from lived import fresh

import cogmem
from cogmem import errors
from cogmem.exchange import form
from cogmem.exchange.sheet import export_csv, import_csv
from cogmem.file.pristine import pristine
from cogmem.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., cogmem.Memory]

EVERYTHING = Scope(everywhere=True)


def row(table: str, **given: Any) -> tuple[str, dict[str, Any]]:
    """A step that inserts a whole row."""
    return pristine().insert(table), form.whole(pristine(), table, given)


def test_a_sheet_comes_back_with_what_it_shows(path: str) -> None:
    with fresh(path=path) as mem:
        mem.learn(
            'He said "no", then\nleft; ü=1',
            key="quote",
            tags=["a", "b c"],
            priority="high",
            now=NOW,
        )
        mem.learn("=1+1", "policy", user="ann", topic="sums", now=NOW)
        mem.learn("It was heron.", "convention", valid_from=0, valid_to=NOW, now=NOW)
        mem.episode("It broke", "failure", now=NOW)
        mem.procedure("release", ["bump", "tag"], context="Mondays", now=NOW)
        data = "".join(export_csv(mem.db, EVERYTHING)).encode()
        assert mem.file.check() == []
    assert data.startswith(b"uid,kind,key,content,runtime,")
    with fresh() as other:
        result = other.file.import_(import_csv(data), as_is=True, now=NOW)
        assert (result.bad, result.added) == ([], {"memory": 5})
        with fresh(path=path) as mem:
            for row in mem.list(everywhere=True):
                came = other.list(everywhere=True, kind=row.kind)[0]
                for field in ("uid", "content", "key", "tags", "priority", "user", "created_at"):
                    assert getattr(came, field) == getattr(row, field), field
                for field in ("topic", "valid_from", "valid_to", "outcome", "context", "steps"):
                    assert came.detail.get(field) == row.detail.get(field)


def test_a_sheet_of_another_program_is_guarded_like_any_import(memory: cogmem.Memory) -> None:
    data = "content;kind;tags;priority\r\nTea at four;preference;tea, four;high\r\n".encode(
        "utf-8-sig"
    )
    result = memory.file.import_(import_csv(data), now=NOW)
    assert result.added == {"memory": 1}
    (row,) = memory.list()
    assert (row.content, row.kind, row.tags, row.priority) == (
        "Tea at four",
        "preference",
        ["tea", "four"],
        3,
    )
    assert row.state == "candidate"


def test_a_sheet_with_an_unknown_column_says_which_are_known(memory: cogmem.Memory) -> None:
    with pytest.raises(errors.InvalidInput, match=r'column "text": rename it to one of uid, kind'):
        memory.file.import_(import_csv(b"text,kind\nx,fact\n"), now=NOW)
    with pytest.raises(errors.InvalidInput, match=r"created_at is .*which is not an instant"):
        memory.file.import_(import_csv(b"content,created_at\nx,yesterday\n"), now=NOW)


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        (b'content\nHerons wade.\n"Cranes\ndance.\n', r"^the sheet is not CSV behind its row 2: "),
        (b'content\n"Herons" wade.\n', r"^the sheet is not CSV behind its row 1: "),
        (
            b"content,kind\nHerons wade.,fact\nTea, please,fact\n",
            r"^row 3: more cells than the head",
        ),
        (b"content,priority\nHerons wade.,urgent\n", r"^row 2: priority 'urgent' is not known"),
        (b"content\nGr\xfcn\n", r"^the sheet is not UTF-8 text \(byte 10\)"),
    ],
    ids=["open quote", "text behind a quote", "comma", "value", "latin 1"],
)
def test_a_sheet_that_is_broken_says_where_and_tells_nothing_of_its_texts(
    memory: cogmem.Memory, sheet: bytes, fault: str
) -> None:
    with pytest.raises(errors.InvalidInput, match=fault) as found:
        memory.file.import_(import_csv(sheet), now=NOW)
    assert not re.search("erons|Cranes|Tea", str(found.value))
    assert memory.list() == []


def test_a_page_of_markdown_has_what_holds_now_by_layer(memory: cogmem.Memory) -> None:
    memory.learn("Our staging host is heron", key="auto.host", now=NOW)
    memory.learn("We replaced heron with crane", now=NOW + 1)
    memory.procedure("release", ["bump", "tag"], now=NOW)
    memory.learn("It may rain", state="candidate", now=NOW)
    assert "".join(memory.file.export(form="md", now=NOW + 2)) == (
        "# Procedural memory\n\n- release: bump → tag\n\n"
        "# Semantic memory\n\n- We replaced heron with crane\n\n"
    )
    with pytest.raises(errors.InvalidInput, match="jsonl, csv or md"):
        memory.file.export(form="pdf")
