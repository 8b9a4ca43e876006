"""What a session was shown stands in its window, and is not shown again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW

if TYPE_CHECKING:
    import cogmem

ASK = "what is the staging server called?"


@pytest.fixture
def staged(memory: cogmem.Memory) -> cogmem.Memory:
    memory.learn("The staging server is called heron.", key="staging", now=NOW - 1000)
    return memory


def ask(memory: cogmem.Memory, at: int, prompt: str = ASK, session: str = "s") -> str:
    return memory.activate(prompt, session=session, now=NOW + at).volatile


def test_a_memory_is_shown_once(staged: cogmem.Memory) -> None:
    assert "heron" in ask(staged, 1)
    assert ask(staged, 2) == ""
    assert "heron" in ask(staged, 3, session="another")


def test_without_a_session_everything_is_news(staged: cogmem.Memory) -> None:
    for at in (1, 2):
        assert "heron" in staged.activate(ASK, now=NOW + at).volatile


def test_it_comes_again_when_it_is_asked_for_after_so_many_turns(staged: cogmem.Memory) -> None:
    staged.store.set_setting("repeat_after_turns", "3", now=NOW)
    assert "heron" in ask(staged, 1)
    assert [bool(ask(staged, at)) for at in (2, 3, 4)] == [False, False, False]
    assert "heron" in ask(staged, 5)


def test_at_0_it_comes_every_time(staged: cogmem.Memory) -> None:
    staged.store.set_setting("repeat_after_turns", "0", now=NOW)
    assert all("heron" in ask(staged, at) for at in (1, 2, 3))


def test_what_changed_is_shown_again(staged: cogmem.Memory) -> None:
    assert "heron" in ask(staged, 1)
    staged.update("staging", content="The staging server is called stork.", now=NOW + 2)
    assert "stork" in ask(staged, 3)


def test_being_used_is_no_change(staged: cogmem.Memory) -> None:
    assert "heron" in ask(staged, 1)
    staged.recall("staging server", now=NOW + 2)
    assert ask(staged, 3) == ""


def test_a_compacted_session_starts_anew(staged: cogmem.Memory) -> None:
    assert "heron" in ask(staged, 1)
    staged.turns.compacted("s", now=NOW + 2)
    assert "heron" in ask(staged, 3)
    assert ask(staged, 4) == ""


def test_a_message_is_shown_once_too(memory: cogmem.Memory) -> None:
    memory.conversation("monday").append("user", "The logo is done, it is blue.", at=NOW - 1000)
    prompt = "What does the logo look like?"
    assert "blue" in ask(memory, 1, prompt)
    assert ask(memory, 2, prompt) == ""


def test_why_not_names_the_turn_that_showed_it(staged: cogmem.Memory) -> None:
    first = staged.activate(ASK, session="s", now=NOW + 1)
    again = staged.activate(ASK, session="s", now=NOW + 2)
    told = staged.why(staged.get("staging", now=NOW).uid, again.turn)
    assert told.stage == "shown"
    assert first.turn in told.sentence


def test_why_not_weighs_it_as_the_next_turn_of_a_session_would(staged: cogmem.Memory) -> None:
    uid = staged.get("staging", now=NOW).uid
    assert staged.why_not(uid, ASK, session="s", now=NOW + 1).shown  # the session has not begun
    first = staged.activate(ASK, session="s", now=NOW + 2)
    told = staged.why_not(uid, ASK, session="s", now=NOW + 3)
    assert told.stage == "shown"
    assert first.turn in told.sentence
    assert staged.why_not(uid, ASK, now=NOW + 3).shown
    assert len(staged.turns.list(session="s")) == 1  # nothing was recorded


def test_a_rule_about_a_file_is_shown_once(memory: cogmem.Memory) -> None:
    memory.learn("Use tabs in Go files.", path="**/*.go", now=NOW - 1000)
    for at, is_shown in ((1, True), (2, False)):
        text = memory.activate("go on", files=["cmd/main.go"], session="s", now=NOW + at).volatile
        assert ("tabs" in text) is is_shown


def test_what_is_not_learned_yet_is_not_shown(memory: cogmem.Memory) -> None:
    memory.learn("The staging server is called heron.", now=NOW)
    memory.learn("Deploys need a green build.", kind="policy", now=NOW)
    memory.learn("Use tabs in Go files.", path="**/*.go", now=NOW)
    before = memory.activate(ASK, files=["main.go"], now=NOW - 1)
    assert before.text == ""
    assert all(
        word in memory.activate(ASK, files=["main.go"], now=NOW).text
        for word in ("heron", "green", "tabs")
    )


def test_what_only_stands_beside_a_message_is_not_shown_without_it(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    for number, text in enumerate(
        (
            "Feature flags live in a table.",
            "Our minimum Python is 3.10.",
            "Leave the proto files alone.",
        )
    ):
        talk.append("user", text, at=NOW + number)
    asked = "Which minimum Python do we support?"
    alone = memory.activate(asked, session="a", now=NOW + 86_400_000)
    assert "proto" in alone.text, "what stands beside the answer may belong to it"
    memory.learn("Our minimum Python is 3.10.", now=NOW + 10)
    told = memory.activate(asked, session="b", now=NOW + 86_400_000)
    assert [item.kind for item in told.items] == ["fact"]
    assert {item.stage for item in told.omitted if item.kind == "message"} <= {"duplicate", "rank"}
