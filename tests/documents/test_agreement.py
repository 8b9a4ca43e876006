"""A saved memory as its file and its row tell it, and which of them is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.documents import agreement
from cogmem.documents.agreement import content_of, said, said_by_row, verdict

if TYPE_CHECKING:
    pass

texts = st.text(alphabet=st.sampled_from("ab é\n…#-\t"), max_size=14)


@settings(max_examples=examples(500), deadline=None)
@given(texts.filter(str.strip), texts, st.sampled_from(["user", "project"]), texts)
def test_a_file_and_its_row_say_the_same(name: str, about: str, type: str, body: str) -> None:
    told = said(name, about, type, body)
    row = said_by_row(
        told.type,
        "note/x",
        content_of(told),
        {"name": told.name, "description": told.description},
    )
    assert row == told
    assert said(told.name, told.description, told.type, told.shown_body) == told


@pytest.mark.parametrize(
    ("file", "row", "agreed", "expected"),
    [
        ("a", "a", "a", agreement.IN_STEP),
        ("b", "b", "a", agreement.IN_STEP),
        (None, None, "a", agreement.IN_STEP),
        ("a", None, None, agreement.NEW_FILE),
        (None, "a", None, agreement.NEW_MEMORY),
        ("b", "a", "a", agreement.FILE_CHANGED),
        ("a", "b", "a", agreement.MEMORY_CHANGED),
        (None, "a", "a", agreement.FILE_DELETED),
        ("a", None, "a", agreement.MEMORY_REMOVED),
        ("b", "c", "a", agreement.CONFLICT),
        (None, "b", "a", agreement.CONFLICT),
        ("b", None, "a", agreement.CONFLICT),
        ("a", "b", None, agreement.CONFLICT),
    ],
)
def test_who_alone_moved_is_followed(
    file: str | None, row: str | None, agreed: str | None, expected: str
) -> None:
    assert verdict(file, row, agreed) == expected
