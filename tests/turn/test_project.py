"""A project assistant's two blocks, grouped by lifetime."""

from __future__ import annotations

from conftest import DAY, NOW

import cogmem


def test_g14_memories_are_grouped_by_lifetime(path: str) -> None:
    with cogmem.open(path, project="p", session="s") as mem:
        mem.learn("Of this session.", session="s", project="p", now=NOW)
        mem.learn("Of this project.", key="proj", project="p", session="", now=NOW)
        mem.learn("Of all projects.", project="", session="", now=NOW)
        block = mem.turns.project_block("", now=NOW)
    assert (
        block.index("Current Session")
        < block.index("Project Knowledge")
        < block.index("User Prefer")
    )
    assert "- **proj**: Of this project.\n" in block


def test_g15_the_turn_s_block_is_relevant_and_glue_words_find_nothing(
    memory: cogmem.Memory,
) -> None:
    for number in range(20):
        memory.learn(f"Walrus fact number {number}: " + "x" * 300, now=NOW - number * DAY)
    block = memory.turns.project_block("tell me about the walrus", now=NOW)
    relevant, _, hot = block.partition("###")
    assert relevant.count("\n- ") == 6
    assert hot.count("\n- ") == 12
    assert max(len(line) for line in block.splitlines()) <= 222
    assert "Relevant" not in memory.turns.project_block("what is it with the of and", now=NOW)


def test_g14_nothing_known_gives_no_block(memory: cogmem.Memory) -> None:
    assert memory.turns.project_block("anything", now=NOW) == ""
