"""What was it before? Said, corrected, asked now and asked about before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import DAY, EVERYTHING, NOW

from cogmem.text.lines import held
from cogmem.tokens import bounds, counting
from cogmem.turn import block

if TYPE_CHECKING:
    from collections.abc import Callable

    import cogmem

STORIES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures" / "past_stories.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
MARK = "[past, until 2027-01-05] "


def told(memory: cogmem.Memory, said: str, then: str) -> tuple[str, str]:
    """Two statements about one thing, the second 10 days ago; the first gives way to it."""
    mine = {"source": "user_explicit"}
    old = memory.learn(said, now=NOW - 60 * DAY, **mine).uid
    new = memory.learn(then, now=NOW - 10 * DAY, **mine)
    if new.outcome != "superseded":
        memory.facts.supersede(old, new.uid, now=NOW - 10 * DAY)
    return old, new.uid


def test_each_story_is_answered_as_it_is_and_as_it_was(
    open_memory: Callable[..., cogmem.Memory], empty_space: str, tmp_path: Path
) -> None:
    wrong = []
    for number, story in enumerate(STORIES if EVERYTHING else STORIES[::2]):
        path = str(shutil.copy(empty_space, tmp_path / f"{number}.db"))
        with open_memory(path) as memory:
            told(memory, story["said"], story["then"])
            now = memory.activate(story["now"], now=NOW).volatile
            if story["new"] not in now or story["old"] in now:
                wrong.append((story["now"], now))
            before = memory.activate(story["before"], now=NOW).volatile
            if MARK not in before or story["old"] not in before.partition(MARK)[2].split("\n")[0]:
                wrong.append((story["before"], before))
            if MARK in before.replace(MARK, "", 1):
                wrong.append((story["before"], before))
            was = [one for one in memory.recall(story["before"], now=NOW) if one.is_past]
            if [story["old"] in one.content for one in was] != [True]:
                wrong.append((story["before"], repr(was)))
    assert wrong == []


def test_what_shares_no_word_with_the_question_is_found_through_what_took_its_place(
    memory: cogmem.Memory,
) -> None:
    told(memory, "I live in Berlin.", "My home is in Lisbon, near the river.")
    text = memory.activate("Where was my home before?", now=NOW).volatile
    assert f"- {MARK}I live in Berlin.\n" in text
    assert "Lisbon" in text


def test_a_chain_is_told_whole_and_each_with_its_time(memory: cogmem.Memory) -> None:
    told(memory, "The staging server is called heron.", "The staging server is called stork.")
    memory.learn("The staging server is called crane.", source="user_explicit", now=NOW - 4 * DAY)
    text = memory.activate("What was the staging server called before?", now=NOW).volatile
    assert f"{MARK}The staging server is called heron." in text
    assert "[past, 2027-01-05 to 2027-01-11] The staging server is called stork." in text
    assert "- The staging server is called crane." in text
    december = memory.activate("What was the staging server called in December?", now=NOW)
    assert "heron" in december.volatile
    assert "stork" not in december.volatile


def test_what_was_corrected_was_never_true_and_is_not_told_as_past(memory: cogmem.Memory) -> None:
    uid = memory.learn("The API listens on port 8080.", now=NOW - 9 * DAY).uid
    memory.facts.correct(uid, "The API listens on port 8081.", now=NOW - 8 * DAY)
    text = memory.activate("Which port did the API listen on before?", now=NOW).volatile
    assert "8081" in text
    assert "8080" not in text


def test_the_past_of_others_and_what_was_removed_stays_unseen(memory: cogmem.Memory) -> None:
    old, _ = told(memory, "The staging server is called heron.", "It is called stork: staging.")
    memory.remove(old, now=NOW)
    ask = "What was the staging server called before?"
    assert "heron" not in memory.activate(ask, now=NOW).volatile
    assert not [one for one in memory.recall(ask, history=True, now=NOW) if one.is_past]


def test_recall_tells_what_holds_no_more_where_it_is_asked_to(memory: cogmem.Memory) -> None:
    told(memory, "The staging server is called heron.", "The staging server is called stork.")
    ask = "staging server"
    assert [one.is_past for one in memory.recall(ask, now=NOW)] == [False]
    both = memory.recall(ask, history=True, now=NOW)
    assert [(one.is_past, one.past) for one in both] == [(False, ""), (True, MARK)]
    assert both[1].raw("valid_to") == NOW - 10 * DAY
    then = memory.recall(ask, as_of=NOW - 20 * DAY, now=NOW)
    assert [one.content for one in then] == ["The staging server is called heron."]
    # A name that only the past knows is not unknown.
    assert [one.past for one in memory.recall("heron", now=NOW)] == ["", MARK]


def test_what_is_past_is_not_strengthened_by_being_found(memory: cogmem.Memory) -> None:
    old, new = told(
        memory, "The staging server is called heron.", "The staging server is called stork."
    )
    memory.recall("staging server", history=True, now=NOW)
    memory.flush()
    assert memory.get(old, now=NOW).access_count == 0
    assert memory.get(new, now=NOW).access_count == 1


@pytest.mark.parametrize("since", [None, NOW - 400 * DAY])
def test_the_mark_of_the_past_costs_no_more_than_is_reckoned(since: int | None) -> None:
    mark = held(since, NOW - DAY)
    assert counting.O200k().count(mark) <= block.PAST_TOKENS
    assert bounds.Upper().count(mark) >= counting.O200k().count(mark)


def test_who_asks_in_the_words_of_an_older_fact_gets_the_newer_one(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    talk.append("user", "We use npm for the frontend.", at=NOW)
    memory.learn("We use npm for the frontend.", topic="packages", now=NOW)
    memory.learn("It is pnpm everywhere now.", topic="packages", now=NOW + DAY)
    asked = "Which package manager does the frontend use?"
    told = memory.activate(asked, session="a", now=NOW + 2 * DAY)
    assert [item.text for item in told.items] == ["It is pnpm everywhere now."]
    assert {item.stage for item in told.omitted if "npm for" in item.text} == {
        "superseded",
        "amended",
    }
    memory.learn("It is bun everywhere now.", topic="packages", now=NOW + 2 * DAY)
    later = memory.activate(asked, session="b", now=NOW + 3 * DAY)
    assert [item.text for item in later.items] == ["It is bun everywhere now."]


def test_an_older_fact_that_says_nothing_of_the_prompt_brings_nothing(
    memory: cogmem.Memory,
) -> None:
    memory.learn("We use npm for the frontend.", topic="packages", now=NOW)
    memory.learn("It is pnpm everywhere now.", topic="packages", now=NOW + DAY)
    assert memory.activate("What is for lunch?", now=NOW + 2 * DAY).text == ""
