"""Which notes of a model a prompt is told, and what they stand for.

Modules: noted, turn.told_notes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW

from cogmem.models.recorded import Scripted
from cogmem.search.noted import MOST, NAMES, Noted
from cogmem.text.data import weights

if TYPE_CHECKING:
    from cogmem import Memory

CAUSE = (
    "heron's health check fails with 503 because the probe asks /healthz before db/migrate.py ends."
)
TALK = (
    ("user", "Why does the health check of heron fail with 503?"),
    ("assistant", "The 503 comes from the probe: it asks /healthz before the migration in db/migrate.py ends."),
)  # fmt: skip


def leave(
    memory: Memory, session: str, notes: list[dict[str, Any]], at: int, talk: Any = TALK
) -> Any:
    conversation = memory.conversation(session)
    for place, (role, text) in enumerate(talk):
        conversation.append(role, text, at=at + place)
    model = Scripted(json.dumps({"notes": notes}))
    done = memory.notes.read(session, model=model, now=at + 9)
    assert [one.outcome for one in done.notes] == ["kept"] * len(notes), [
        one.reason for one in done.notes
    ]
    return done


@pytest.fixture
def memory(memory: Memory) -> Memory:
    for span in ("day", "run"):
        memory.store.set_setting(f"model_calls_per_{span}", "99", now=NOW)
    return memory


PROMPT = "heron answers 503 again after the deploy, /healthz is red: have a look please"


def test_a_note_is_told_instead_of_the_messages_that_it_came_from(memory: Memory) -> None:
    done = leave(
        memory,
        "monday",
        [{"kind": "cause", "text": CAUSE, "messages": [1], "names": ["/healthz"]}],
        NOW,
    )
    turn = memory.activate(PROMPT, session="tuesday", now=NOW + DAY)
    assert CAUSE in turn.text
    assert "assistant:" not in turn.text
    assert "user:" not in turn.text
    stages = {item.stage for item in turn.items if item.ref.startswith("msg_")}
    assert stages <= {"noted", "silent", "rank", "amended"}
    memory.undo(done.runs[0], now=NOW + DAY + 1)
    assert (
        "The 503 comes from the probe"
        in memory.activate(PROMPT, session="friday", now=NOW + DAY + 2).text
    )


def test_a_talk_of_which_nothing_was_worth_a_note_is_not_told(
    memory: Memory,
) -> None:
    turns = []
    for session, notes in (("read", True), ("unread", False)):
        memory.scope = memory.scope.replacing(project=session)
        if notes:
            leave(memory, "monday", [], NOW)
        else:
            talk = memory.conversation("monday")
            for place, (role, text) in enumerate(TALK):
                talk.append(role, text, at=NOW + place)
        turns.append(memory.activate(PROMPT, session=f"later {session}", now=NOW + DAY).text)
    read, unread = turns
    assert "The 503 comes from the probe" in unread
    assert read == ""


def test_a_note_is_told_with_the_words_that_bear_it_out_the_person_s_before_the_agent_s(
    memory: Memory,
) -> None:
    talk = [
        ("user", "No, don't vendor sqlite into the image of heron, Adelaide from release would refuse it."),
        ("assistant", "Then sqlite is not vendored, the image of heron links the system library of Debian."),
    ]  # fmt: skip
    note = {
        "kind": "rejection",
        "text": "sqlite is not vendored into the image of heron.",
        "messages": [0, 1],
        "names": ["sqlite", "heron"],
    }
    leave(memory, "monday", [note], NOW, talk)
    prompt = "Vendor sqlite into the image of heron, so that it is the same everywhere"
    told = memory.activate(prompt, session="tuesday", now=NOW + DAY).text
    assert f"{note['text']} (" in told
    assert "; the user: “No, don't vendor sqlite" in told
    assert "Adelaide" in told
    assert "Debian" not in told


def test_a_question_is_told_the_message_that_answers_it_in_its_own_words(memory: Memory) -> None:
    note = {
        "kind": "decision",
        "text": "The queue of heron keeps 500 entries.",
        "messages": [0],
        "names": ["heron"],
    }
    said = "The queue of heron keeps 500 entries, and grandmother Adelaide chose that number."
    leave(memory, "monday", [note], NOW, [("user", said), ("assistant", "Fine.")])
    turn = memory.activate("Which number did Adelaide choose?", session="tuesday", now=NOW + DAY)
    assert "grandmother Adelaide" in turn.text


def test_few_notes_are_told_and_none_twice_in_a_session_or_where_nothing_is_shared(
    memory: Memory,
) -> None:
    names = "alder beech cedar maple elm fir".split()
    talk = [("user", f"The {name} worker of heron keeps its queue in Redis.") for name in names]
    notes = [
        {"kind": "decision", "text": talk[at][1], "messages": [at], "names": [name]}
        for at, name in enumerate(names)
    ]  # fmt: skip
    leave(memory, "monday", notes, NOW, talk)
    first = memory.activate(
        "The workers of heron lose their queue in Redis when it restarts.",
        session="tuesday",
        now=NOW + DAY,
    )
    told = [item.ref for item in first.chosen]
    assert 0 < len(told) <= MOST
    again = memory.activate(
        "And the queue in Redis of the heron worker?", session="tuesday", now=NOW + DAY + 9
    )
    assert not set(told) & {item.ref for item in again.chosen}
    assert (
        memory.activate(
            "thanks, that is all for today", session="wednesday", now=NOW + DAY
        ).volatile
        == ""
    )


def test_another_person_s_notes_are_neither_told_nor_in_the_place_of_anything(
    memory: Memory,
) -> None:
    leave(
        memory,
        "monday",
        [{"kind": "cause", "text": CAUSE, "messages": [1], "names": ["/healthz"]}],
        NOW,
    )
    other = memory.scope.replacing(user="mara")
    mine, memory.scope = memory.scope, memory.scope.replacing(user="ann")
    leave(
        memory,
        "hers",
        [{"kind": "cause", "text": CAUSE, "messages": [1], "names": ["/healthz"]}],
        NOW,
    )
    memory.scope = other
    assert (
        memory.activate(PROMPT, session="tuesday", now=NOW + DAY).text.count(CAUSE) == 1
    )  # what belongs to all
    memory.scope = mine


def test_every_figure_has_its_weight() -> None:
    assert set(weights("noted")) == {"bias", *NAMES}


def test_a_few_readings_leave_what_was_said_elsewhere_as_it_is() -> None:
    talks = frozenset(range(1, 7))
    assert not Noted([], {1: 9, 2: 9, 3: 9, 20: 9}, talks).are_most_read
    assert Noted([], {1: 9, 2: 9, 3: 9, 4: 9}, talks).are_most_read
    assert not Noted([], {}).are_most_read
