"""A statement that is confirmed or learned ends what it takes the place of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import DAY, NOW

if TYPE_CHECKING:
    import cogmem


def test_confirming_the_new_one_settles_the_old(memory: cogmem.Memory) -> None:
    old = memory.learn("Our staging host is heron", now=NOW).uid
    text = "Our staging host is now crane"
    new = memory.learn(text, source="inferred", state="candidate", now=NOW + DAY).uid
    assert memory.get(old, now=NOW + DAY).valid_to is None
    act = memory.restore(new, now=NOW + 2 * DAY)
    assert memory.get(old, now=NOW + 2 * DAY).valid_to is not None
    memory.undo(act, now=NOW + 2 * DAY)
    assert memory.get(old, now=NOW + 3 * DAY).valid_to is None
    memory.learn(text, now=NOW + 3 * DAY)
    assert memory.get(old, now=NOW + 4 * DAY).valid_to is not None


def test_who_moved_lives_elsewhere_whatever_the_words(memory: cogmem.Memory) -> None:
    old = memory.learn("I live in Braga", now=NOW).uid
    assert memory.learn("We relocated to Porto", now=NOW + DAY).other == old
