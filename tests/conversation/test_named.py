"""A message whose answer was lost is sent again under its own name, and stands in the record once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    import cogmem

NOW = 1_800_000_000_000


def test_a_message_that_is_sent_twice_is_recorded_once(memory: cogmem.Memory) -> None:
    talk = memory.conversation("talk")
    first = talk.append("user", "Do herons wade?", at=NOW, uid="turn-7")
    talk.append("assistant", "They do.", at=NOW + 1)
    assert talk.append("user", "Do herons wade?", at=NOW + 2, uid="turn-7") == first
    assert [message.text for message in talk.messages()] == ["Do herons wade?", "They do."]


def test_a_name_belongs_to_one_conversation(memory: cogmem.Memory) -> None:
    memory.conversation("talk").append("user", "Do herons wade?", at=NOW, uid="turn-7")
    with pytest.raises(InvalidInput, match="another conversation"):
        memory.conversation("other").append("user", "Do herons wade?", at=NOW, uid="turn-7")
