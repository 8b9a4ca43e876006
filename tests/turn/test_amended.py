"""The newer decision wins: what a later message takes back is not shown beside it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from conftest import DAY, NOW
from talks import talked

from cogmem.search.ground import SEQS
from cogmem.turn.chosen import may_be_told

if TYPE_CHECKING:
    import cogmem

OLD = "We decided to use Redis for the session cache."
NEW = "The session cache goes to Memcached instead."
ASK = "what do we use for the session cache?"


@pytest.fixture
def decided(memory: cogmem.Memory) -> cogmem.Memory:
    """A decision, another matter, and the decision's amendment a month later."""
    talked(
        memory, "first", NOW - 60 * DAY, OLD, "Understood, Redis for the session cache.", "Done."
    )
    talked(memory, "other", NOW - 50 * DAY, "The build cache lives on a disk of its own.", "Noted.")
    talked(memory, "second", NOW - 30 * DAY, NEW, "Understood, the session cache is on Memcached.")
    return memory


def test_a_decision_that_was_amended_is_not_shown(decided: cogmem.Memory) -> None:
    text = decided.activate(ASK, now=NOW).volatile
    assert NEW in text
    assert "the session cache is on Memcached" in text  # the closing turn of the deciding talk
    assert "Redis" not in text


@pytest.mark.parametrize(
    "prompt",
    [
        "what did we use for the session cache before?",
        "why did we change the session cache?",
        "which session cache did we decide on at first?",
    ],
)
def test_who_asks_for_history_gets_both(decided: cogmem.Memory, prompt: str) -> None:
    text = decided.activate(prompt, now=NOW).volatile
    assert OLD in text
    assert NEW in text


def test_before_the_amendment_the_decision_holds(decided: cogmem.Memory) -> None:
    assert OLD in decided.activate(ASK, now=NOW - 40 * DAY).volatile


def test_what_something_was_moved_to_takes_the_place_of_where_it_was(memory: cogmem.Memory) -> None:
    talked(
        memory,
        "first",
        NOW - 60 * DAY,
        "We cache sessions in Redis with a TTL of 20 minutes.",
        "OK.",
    )
    talked(
        memory,
        "second",
        NOW - 30 * DAY,
        "We moved the session cache to Memcached, Redis cost more.",
    )
    text = memory.activate("where do we cache sessions?", now=NOW).volatile
    assert "Memcached" in text
    assert "TTL" not in text


def test_what_is_said_anew_takes_the_place_of_what_was_said(memory: cogmem.Memory) -> None:
    talked(memory, "first", NOW - 60 * DAY, "Standup is at nine.", "Noted.")
    talked(memory, "second", NOW - 30 * DAY, "Standup starts at ten, nine was too early for Priya.")
    text = memory.activate("when is standup?", now=NOW).volatile
    assert "at ten" in text
    assert "is at nine" not in text


def test_a_question_takes_the_place_of_no_statement(memory: cogmem.Memory) -> None:
    talked(memory, "first", NOW - 60 * DAY, "Standup is at nine.", "Noted.")
    talked(memory, "second", NOW - 30 * DAY, "Is the standup at nine in the big room?")
    assert "is at nine" in memory.activate("when is standup?", now=NOW).volatile


def test_among_people_what_is_told_later_amends_nothing(memory: cogmem.Memory) -> None:
    """Two friends tell of many walks; that somebody walks elsewhere now takes no walk back."""
    for at, text in (
        (60, "I walked the old harbour trail with Noor."),
        (30, "I walked the old quarry trail with Noor instead."),
    ):
        memory.conversation(f"day {at}").append("user", text, speaker="Mila", at=NOW - at * DAY)
    text = memory.activate("Which old trail did Mila walk with Noor?", now=NOW).volatile
    assert "harbour" in text
    assert "quarry" in text


def test_another_matter_is_left_alone(decided: cogmem.Memory) -> None:
    assert (
        "disk of its own" in decided.activate("where does the build cache live?", now=NOW).volatile
    )


def test_why_not_says_that_it_was_taken_back(decided: cogmem.Memory) -> None:
    told = decided.why_not("msg_1", ASK, now=NOW)
    assert told.stage == "amended"
    assert "later on the same matter" in told.sentence


def test_an_amendment_is_amended_in_its_turn(decided: cogmem.Memory) -> None:
    talked(
        decided,
        "third",
        NOW - 10 * DAY,
        "The session cache was moved to Valkey, no longer Memcached.",
    )
    text = decided.activate(ASK, now=NOW).volatile
    assert "Valkey" in text
    assert NEW not in text


def test_of_two_that_cannot_both_hold_the_newer_is_shown_until_a_person_settles_it(
    memory: cogmem.Memory,
) -> None:
    older = memory.learn("The lamp in the hall is on", now=NOW).uid
    newer = memory.learn("The lamp in the hall is off", now=NOW + DAY).uid
    wishes = [
        memory.learn(text, kind="preference", now=NOW).uid
        for text in ("I like coriander", "I hate coriander")
    ]
    turn = memory.activate("Is the lamp in the hall on?", now=NOW + 2 * DAY)
    assert "- The lamp in the hall is off (earlier: The lamp in the hall is on)\n" in turn.volatile
    assert "- The lamp in the hall is on" not in turn.volatile
    assert [uid in {item.ref for item in turn.items} for uid in wishes] == [False, True]
    assert len(memory.facts.conflicts()) == 2
    memory.facts.settle(older, newer, now=NOW + 2 * DAY)
    both = memory.activate("Is the lamp in the hall on?", now=NOW + 3 * DAY).volatile
    assert "is off" in both
    assert "is on" in both


def test_a_statement_of_another_matter_sets_nothing_right(memory: cogmem.Memory) -> None:
    """ "I don't think that's his name" is not about the name of the band, whatever words they share."""
    band = "I think the name of our band should be Wet Paint, it sounds like us."
    talked(memory, "first", NOW - 9 * DAY, band, "It does.")
    talked(memory, "second", NOW - 2 * DAY, "Otto, hey Otto. I don't think that's his name.", "No.")
    shown = memory.activate("what did I think the name of our band should be?", now=NOW).volatile
    assert band in shown


@pytest.mark.parametrize(
    ("old", "new", "prompt"),
    [
        (
            "I chose walnut for the bookshelf.",
            "I dropped the walnut and ordered ash for the bookshelf.",
            "which wood did I choose for the bookshelf?",
        ),
        (
            "Invoices are sent to customers by courier.",
            "Invoices go out as PDF, no courier.",
            "how are invoices sent to customers?",
        ),
    ],
)
def test_what_names_what_is_over_is_shown_in_its_place(
    memory: cogmem.Memory, old: str, new: str, prompt: str
) -> None:
    talked(memory, "first", NOW - 60 * DAY, old, "Noted.")
    talked(
        memory, "other", NOW - 50 * DAY, "The hallway gets a mirror from floor to ceiling.", "OK."
    )
    talked(memory, "second", NOW - 30 * DAY, new, "Understood.")
    shown = memory.activate(prompt, now=NOW).volatile
    assert new in shown
    assert old not in shown
    assert old in memory.activate(prompt, now=NOW - 40 * DAY).volatile


def test_what_says_more_of_a_decision_leaves_it_in_its_place(memory: cogmem.Memory) -> None:
    old = "I chose walnut for the bookshelf."
    talked(memory, "first", NOW - 60 * DAY, old, "Noted.")
    talked(memory, "second", NOW - 30 * DAY, "The walnut for the bookshelf came today.", "Nice.")
    assert old in memory.activate("which wood did I choose for the bookshelf?", now=NOW).volatile


@pytest.mark.parametrize(
    ("old", "later", "prompt"),
    [
        (
            "Always give the units and the day of each measurement when I ask about the yield of a greenhouse.",
            "I try to compare the greenhouse with the field, and without units for every bed it is hard to"
            " say which of both does better, so please show me how to set up a table for it",
            "what yield does the greenhouse give?",
        ),
        (
            "I met Rosa at the market in Lund and she thinks that our greenhouse should open on Sundays as"
            " well, but I am not sure that it is worth the work, can you help me to weigh it up",
            "I got seeds from Rosa at the market for the greenhouse.",
            "what did Rosa think of our greenhouse?",
        ),
    ],
    ids=["a wish for the future", "a long message that asks for help"],
)
def test_what_only_shares_words_with_a_change_stays(
    memory: cogmem.Memory, old: str, later: str, prompt: str
) -> None:
    talked(memory, "first", NOW - 60 * DAY, old, "Understood.")
    talked(memory, "second", NOW - 30 * DAY, later, "Let us look at it.")
    assert old in memory.activate(prompt, now=NOW).volatile


def test_messages_without_a_sentence_are_no_obstacle(memory: cogmem.Memory) -> None:
    for day in (1, 2):
        text = "```\nheron\n```" if day == 1 else "| heron |"
        memory.conversation(f"day {day}").append("user", text, at=NOW - day * 86_400_000)
    memory.activate("Where is heron?", now=NOW)


def test_a_memory_that_a_later_message_changes_says_so(memory: cogmem.Memory) -> None:
    memory.learn("The director wants the report online by October 15.", now=NOW - 60 * DAY)
    talked(
        memory,
        "later",
        NOW - 30 * DAY,
        "The director says November 30 for the report online, October was too early.",
    )
    (line,) = [
        line
        for line in memory.activate("When must the report be online?", now=NOW).text.splitlines()
        if "October 15" in line
    ]
    assert "check: changed on" in line
    memory.learn("The director wants the report online by October 15.", now=NOW - DAY)
    assert "check:" not in memory.activate("When must the report be online?", now=NOW).text


@pytest.mark.parametrize(
    ("within", "matter", "own", "told"),
    [
        (False, False, False, {1, 2, 3}),  # outside of a session all may be told
        (True, False, False, {1, 2}),  # within it what is of the likeliest conversation
        (True, False, True, set()),  # beside the person's own words nothing
        (True, True, False, {1, 2, 3}),
        (True, True, True, {2}),  # beside a matter and their words what has most of the prompt
    ],
)
def test_which_messages_may_be_told_is_known_before_any_is_judged(
    within: bool, matter: bool, own: bool, told: set[int]
) -> None:
    places = {1: 1, 2: 2, 3: SEQS + 3}  # the third stands in another conversation
    likeliest = [SimpleNamespace(conversation=0, value=1.0)]
    gate: Any = SimpleNamespace(is_within=within, outstanding={2}, matters=likeliest)
    wanted: Any = SimpleNamespace(gate=gate, matter={"msg_9"} if matter else set(), is_own_told=own)
    assert may_be_told(wanted, places.values()) == {places[one] for one in told}
