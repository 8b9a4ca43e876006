"""What a list shows: nothing that is over, unless it is asked for.

Modules: store, kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import DAY, NOW

import cogmem

if TYPE_CHECKING:
    from pathlib import Path

OVER = "The pelican wharf opens at nine."
HELD = "The pelican wharf is painted green."


def told(memory: cogmem.Memory, **filters: str) -> set[str]:
    return {row.content for row in memory.list(now=NOW, **filters)}


def test_what_has_expired_is_listed_only_when_asked_for(memory: cogmem.Memory) -> None:
    gone = memory.learn(OVER, expires_at=NOW - DAY, now=NOW - 3 * DAY)
    memory.learn(HELD, now=NOW - 2 * DAY)
    assert told(memory) == told(memory, state="active") == {HELD}
    assert told(memory, state="expired") == {OVER}
    assert memory.count(now=NOW) == memory.count(state="expired", now=NOW) == 1
    assert memory.get(gone.uid, now=NOW).content == OVER  # by its name it can still be looked at


def test_before_it_expired_it_was_listed(memory: cogmem.Memory) -> None:
    memory.learn(OVER, expires_at=NOW - DAY, now=NOW - 3 * DAY)
    assert {row.content for row in memory.list(now=NOW - 2 * DAY)} == {OVER}
    assert memory.list(state="expired", now=NOW - 2 * DAY) == []


def test_what_has_expired_hides_nobodys_key(tmp_path: Path) -> None:
    with cogmem.open(tmp_path / "m.db", session="monday") as memory:
        memory.learn(OVER, key="opening", expires_at=NOW - DAY, now=NOW - 3 * DAY)
        memory.learn("The wharf opens at seven.", key="opening", session="", now=NOW - 5 * DAY)
        assert memory.get("opening", now=NOW - 2 * DAY).content == OVER
        assert "seven" in memory.get("opening", now=NOW).content
        assert memory.file.check() == []
