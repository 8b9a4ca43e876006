"""Blocks for hosts that hand over a list of messages."""

from __future__ import annotations

from conftest import DAY, NOW

import cogmem
from cogmem.turn.message_list import CLOSING, OPENING, before_system, query_from


def test_f45_the_query_is_the_last_three_user_messages_cut_to_five_hundred_characters() -> None:
    said = [{"role": "user", "content": text} for text in ("one", "two", "three", "four")]
    said.insert(2, {"role": "assistant", "content": "no"})
    assert query_from(said) == "two\nthree\nfour"
    assert len(query_from([{"role": "user", "content": "x" * 900}])) == 500
    assert query_from([{"role": "assistant", "content": "x"}]) == ""


def test_f48_the_block_stands_before_the_system_text_or_as_a_new_first_message() -> None:
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"}]
    got = before_system(messages, "- a fact\n")
    assert got[0]["content"] == f"{OPENING}\n- a fact\n{CLOSING}\n\nBe kind."
    assert got[1:] == messages[1:]
    assert before_system(messages[1:], "- a fact")[0]["role"] == "system"


def test_f48_nothing_to_say_leaves_the_messages_unchanged() -> None:
    messages = [{"role": "user", "content": "hi"}]
    assert before_system(messages, " \n") == messages


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
