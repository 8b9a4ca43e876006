"""Items of other programs in the conversation record: whole, in order, without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talks import OF_AN_AGENT as TALK

from cogmem.frameworks.items import Items, role_of

if TYPE_CHECKING:
    import cogmem


def test_items_come_back_whole_and_in_order(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    items.add(TALK[:2])
    items.add(TALK[2:])
    assert items.latest() == TALK
    assert Items(mem, "talk").latest(2) == TALK[-2:]
    assert items.latest(0) == []
    assert items.latest(99) == TALK
    assert Items(mem, "another").latest() == []
    assert [role_of(item) for item in TALK] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
    ]


def test_what_is_taken_back_is_gone_and_what_follows_stands(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    assert items.pop() is None
    items.add(TALK)
    assert items.pop() == TALK[-1]
    assert items.pop() == TALK[-2]
    items.add(TALK[:1])
    assert items.latest() == [*TALK[:3], TALK[0]]
    assert items.latest(2) == [TALK[2], TALK[0]]
    items.clear()
    assert items.latest() == []
    items.add(TALK)
    assert items.latest() == TALK


def test_what_was_said_in_a_framework_is_recalled(mem: cogmem.Memory) -> None:
    Items(mem, "talk").add(TALK)
    assert any("heron" in one.content for one in mem.recall("what is the staging host called?"))
    assert "heron" in mem.activate("what is the staging host called?").volatile


def test_secrets_stay_out_of_the_record(mem: cogmem.Memory) -> None:
    items = Items(mem, "talk")
    items.add([{"role": "user", "content": "my key is AKIAIOSFODNN7EXAMPLZ"}])
    assert "AKIAIOSFODNN7EXAMPLZ" not in str(items.latest())
