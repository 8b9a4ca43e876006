"""Summaries behind a save: it returns before them, and close() waits for them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from talks import Scripted, assert_tiled

from cogmem.conversation.background import Background
from cogmem.conversation.dag import nodes

if TYPE_CHECKING:
    from cogmem import Memory


def test_f17_a_save_returns_before_its_summaries_and_close_waits_for_them(memory: Memory) -> None:
    going = threading.Event()

    class Slow(Scripted):
        def complete(self, prompt: str, **options: Any) -> str:
            assert going.wait(10)
            return super().complete(prompt, **options)

    background = Background()
    talk = memory.conversation("talk", model=Slow("short"), background=background)
    messages = [
        {"role": "user", "content": f"A long enough line about the deploy of service {n}. " * 3}
        for n in range(30)
    ]
    talk.save(messages)
    assert nodes(talk) == []
    going.set()
    assert background.close()
    assert background.failed == []
    assert len(nodes(talk, depth=0)) == 3


def test_f17_eight_conversations_work_at_once_and_a_ninth_is_caught_up_later(
    memory: Memory,
) -> None:
    going = threading.Event()
    background = Background()
    assert all(background.start(f"busy {n}", lambda: going.wait(10) and None) for n in range(8))
    talk = memory.conversation("ninth", background=background)
    talk.save([{"role": "user", "content": f"line {n}"} for n in range(10)])
    assert background.skipped == 1
    going.set()
    assert background.close()
    assert nodes(talk) == []
    after = Background()
    later = memory.conversation("ninth", background=after)
    later.save([{"role": "user", "content": f"line {n}"} for n in range(20)])
    assert after.close()
    assert_tiled(later)
    assert later.state().ingested_seq == 20  # type: ignore[union-attr]


def test_f17_work_that_fails_is_noted_and_nothing_else_fails() -> None:
    background = Background()

    def broken() -> None:
        raise RuntimeError("no network")

    assert background.start("talk", broken)
    assert background.close()
    assert background.failed == ["talk: RuntimeError: no network"]
    assert not background.start("talk", broken)
