"""A saved memory as its file and its row tell it, and which of them is followed."""

from __future__ import annotations

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem.documents import in_step
from cogmem.documents.in_step import verdict
from cogmem.documents.said import content_of, said, said_by_row

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
        ("a", "a", "a", in_step.IN_STEP),
        ("b", "b", "a", in_step.IN_STEP),
        (None, None, "a", in_step.IN_STEP),
        ("a", None, None, in_step.NEW_FILE),
        (None, "a", None, in_step.NEW_MEMORY),
        ("b", "a", "a", in_step.FILE_CHANGED),
        ("a", "b", "a", in_step.MEMORY_CHANGED),
        (None, "a", "a", in_step.FILE_DELETED),
        ("a", None, "a", in_step.MEMORY_REMOVED),
        ("b", "c", "a", in_step.CONFLICT),
        (None, "b", "a", in_step.CONFLICT),
        ("b", None, "a", in_step.CONFLICT),
        ("a", "b", None, in_step.CONFLICT),
    ],
)
def test_who_alone_moved_is_followed(
    file: str | None, row: str | None, agreed: str | None, expected: str
) -> None:
    assert verdict(file, row, agreed) == expected
