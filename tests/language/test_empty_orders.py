"""An order that names nothing is not kept, and a short one that does is."""

from __future__ import annotations

import pytest

import cogmem
from cogmem.language.empty_orders import is_empty_order

HOLLOW = [
    "never again", "from now on", "Always like this", "never do it", "nie wieder", "plus jamais",
    "nunca más", "下次不要这样", "二度としないでください",
]  # fmt: skip
TELLING = [
    "Use tabs", "No emojis", "be brief", "don't push", "ask first", "keep it short", "以后请用中文",
    "下次不要加表情", "always explain why", "nie ohne Tests", "toujours en français",
]  # fmt: skip


@pytest.mark.parametrize("text", HOLLOW)
def test_an_order_that_names_nothing_is_hollow(text: str) -> None:
    assert is_empty_order(text)


@pytest.mark.parametrize("text", TELLING)
def test_a_short_order_that_names_something_is_not(text: str) -> None:
    assert not is_empty_order(text)


def test_what_hangs_on_a_sentence_does_not_stand_in_every_prompt(memory: cogmem.Memory) -> None:
    memory.capture("We tried Celery last year and it lost jobs on restart, never again.")
    assert [row.kind for row in memory.list()] == ["rejected"]
    assert memory.capture("From now on.").learned == []
