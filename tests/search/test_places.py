"""A place means the same in Python as in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as some

from cogmem.file import sql
from cogmem.search.ground import SEQS, conversation_of, seq_of

if TYPE_CHECKING:
    import cogmem


@given(some.integers(1, 1 << 38), some.integers(0, SEQS - 1))
def test_a_place_leads_back_to_its_conversation_and_seq(conversation: int, seq: int) -> None:
    place = conversation * SEQS + seq
    assert (conversation_of(place), seq_of(place)) == (conversation, seq)


def test_sql_and_python_count_places_alike(memory: cogmem.Memory) -> None:
    said = sql.expand("select {place 7, 5}, {conversation_of {place 7, 5}}, {seq_of {place 7, 5}}")
    ((place, conversation, seq),) = memory.db.ask(said)
    assert (conversation_of(place), seq_of(place)) == (conversation, seq) == (7, 5)
