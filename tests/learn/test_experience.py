"""What was learned by doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW

from cogmem.errors import GuardRefused, InvalidInput

if TYPE_CHECKING:
    from conftest import Clock

    import cogmem

SECRET = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2"


def test_g18_a_command_s_success_rate_is_a_moving_average_from_one(
    memory: cogmem.Memory, clock: Clock
) -> None:
    done = memory.experience
    for success, duration in ((True, 1000), (False, 2000), (True, None)):
        row = done.command("make test", success=success, duration_ms=duration, now=clock.tick())
    assert row.data == {"usage_count": 3, "success_rate": 0.79, "average_ms": 1300.0}
    assert (row.detail["success_count"], row.detail["failure_count"]) == (2, 1)
    assert (row.key, row.layer, row.reinforcement_count) == ("make test", "procedural", 3)


def test_g18_a_pattern_keeps_its_last_five_examples(memory: cogmem.Memory, clock: Clock) -> None:
    for number in range(7):
        row = memory.experience.pattern(
            "guard clause",
            "Return early",
            example=f"example {number}",
            tags=["style"],
            now=clock.tick(),
        )
    assert row.data["examples"] == [f"example {number}" for number in range(2, 7)]
    assert (row.data["usage_count"], row.data["last_used"]) == (7, clock.at)
    assert (row.content, row.tags) == ("Return early", ["style"])


def test_g18_a_convention_of_a_file_type_is_told_with_its_files(memory: cogmem.Memory) -> None:
    memory.learn("Type hints everywhere.", kind="file_type", path="**/*.py", now=NOW)
    shown = memory.activate("Add a function", files=["src/app.py"], now=NOW)
    assert "Type hints" in shown.text


def test_a_learned_record_needs_a_name_and_is_guarded(memory: cogmem.Memory) -> None:
    done = memory.experience
    with pytest.raises(InvalidInput, match="needs a name"):
        done.command("  ", success=True, now=NOW)
    done.pattern("p", "d", now=NOW)
    for change in (
        lambda: done.pattern("p", "d", example=f"token {SECRET}", now=NOW),
        lambda: done.command(f"export TOKEN={SECRET}", success=True, now=NOW),
    ):
        with pytest.raises(GuardRefused):
            change()
