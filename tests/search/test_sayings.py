"""What the person said in earlier sessions, chosen for a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import NOW
from talks import talked

from cogmem.language.cue import read_cue
from cogmem.search.gate import Gate
from cogmem.search.matters import of_life
from cogmem.search.messages import Search, evidence
from cogmem.search.sayings import LATEST, LONGEST, NAMES, OF_LIFE, sayings, scored, weights
from cogmem.store.policy import Policy
from cogmem.strength import DAY_MS

if TYPE_CHECKING:
    from cogmem import Memory
    from cogmem.search.sayings import Saying

WISH = "No, retries of the uploader must go through backoff.py, not through a loop of their own."
ORDER = "Add a progress bar to the exporter."
PROMPT = "Give the uploader in upload.py retries as well, please."


def worked(memory: Memory) -> None:
    for name, of, said, at in (
        ("one", "uploader", WISH, NOW),
        ("two", "exporter", ORDER, NOW + DAY_MS),
    ):
        talk = memory.conversation(name)
        talk.append("user", said, at=at)
        talk.append("assistant", f"Done in `{of}.py`: {said} " * 20, at=at + 1)
        talk.append("user", f"The {of} logs: " + "progress 1 of 3, " * LONGEST, at=at + 2)


def found(memory: Memory, session: str, prompt: str = PROMPT) -> list[Saying]:
    db, now = memory.db, NOW + 2 * DAY_MS
    policy = Policy.of(db)
    cue = read_cue(prompt, now, policy.stop_words())
    gate = Gate(prompt, cue, policy.weights, 0.0, db.stems)
    evidence(
        db, cue, memory.scope, now, limit=20, session=session, prompt=prompt, gate=gate
    )  # fmt: skip
    return sayings(db, memory.scope, gate, now)


def text_of(memory: Memory, place: int) -> str:
    rows = memory.db.read("messages.lines", {**memory.scope.hearer(), "places": f"[{place}]"})
    return str(rows[0][3])


def test_the_persons_short_messages_come_the_most_fitting_first(memory: Memory) -> None:
    worked(memory)
    told = found(memory, "three")
    assert [text_of(memory, one.place) for one in told] == [WISH]
    assert all(one.score == scored(one.figures) for one in told)
    assert {*weights()} == {"bias", *NAMES, *OF_LIFE}
    assert all({*one.figures} == {*NAMES} for one in told)


def test_nothing_comes_without_a_session_nor_what_the_session_has_said_itself(
    memory: Memory,
) -> None:
    worked(memory)
    assert found(memory, "") == []
    assert found(memory, "one") == []


def test_the_latest_conversations_are_looked_at_where_no_message_has_much_of_the_prompt(
    memory: Memory,
) -> None:
    worked(memory)
    rule = "No, the exporter must never write to the home folder."
    memory.conversation("later").append("user", rule, at=NOW + DAY_MS + 9)
    prompt = "Rewrite the changelog of yesterday's release in plain words, then translate it."
    memory.conversation("later").append("assistant", "The `changelog` stays.", at=NOW + DAY_MS + 10)
    texts = [text_of(memory, one.place) for one in found(memory, "three", prompt)]
    assert sorted(texts) == sorted([WISH, rule])
    for day in range(LATEST):
        memory.conversation(f"since {day}").append("user", "ok", at=NOW + DAY_MS + 10 + day)
    assert found(memory, "three", "Rewrite the glossary in plain words.") == []


def test_where_one_message_has_much_of_the_prompt_those_without_a_word_of_it_are_beside_the_point(
    memory: Memory,
) -> None:
    worked(memory)
    rule = "No, the exporter must never write to the home folder."
    memory.conversation("later").append("user", rule, at=NOW + DAY_MS + 9)
    prompt = "Let the uploader have retries of its own."
    assert [text_of(memory, one.place) for one in found(memory, "three", prompt)] == [WISH]


def test_what_another_user_said_is_not_heard(memory: Memory) -> None:
    worked(memory)
    theirs = memory.conversation("theirs", user="ada")
    theirs.append("user", "My own retries of the uploader go nowhere.", at=NOW)
    assert len(found(memory, "three")) == 1


def test_a_turn_tells_them_before_what_only_sounds_alike(memory: Memory) -> None:
    worked(memory)
    turn = memory.activate(PROMPT, session="three", now=NOW + 2 * DAY_MS)
    assert f"- user: {WISH}" in turn.volatile
    assert turn.chosen[0].line == f"- user: {WISH}\n"


def test_what_is_told_whole_costs_what_was_counted_when_it_was_said(memory: Memory) -> None:
    worked(memory)
    turn = memory.activate(PROMPT, session="new", now=NOW)
    told = [item for item in turn.items if item.kind == "message"]
    said = {
        f"msg_{number}": tokens
        for number, tokens in memory.db.ask("select id, tokens from message")
    }
    assert told
    assert all(item.tokens == said[item.ref] for item in told if " — " not in item.text)


def test_what_says_nothing_to_a_later_session_is_not_told(memory: Memory) -> None:
    talk = memory.conversation("one")
    empty = (
        "Go ahead with the uploader.",
        "Address 3 of the uploader.",
        "[Image #1] uploader",
        "/srv/uploader/retries",
    )
    for at, said in enumerate((*empty, WISH)):
        talk.append("user", said, at=NOW + 2 * at)
        talk.append("assistant", "Done in `uploader.py`.", at=NOW + 2 * at + 1)
    assert [text_of(memory, one.place) for one in found(memory, "three")] == [WISH]


def test_a_question_is_told_with_the_answer_that_it_got_or_not_at_all(memory: Memory) -> None:
    said = (
        "Does the uploader keep a cap of five retries?",
        "Let me look. Yes: the `uploader` keeps a cap of five retries because the gateway bans a client after six.",
        "Will the uploader show its retries?",
        "Good.",
    )
    talked(memory, "one", NOW, *said)
    told = memory.activate(PROMPT, session="three", now=NOW + 2 * DAY_MS).volatile
    assert f"- user: {said[0]} — assistant: Yes: the `uploader` keeps a cap" in told
    assert said[2] not in told


GARDEN = "I want a vegetable garden on the balcony that gets by with an hour a week."
LIVES = (
    ("garden", GARDEN, "A good plan: start with herbs and two tubs of tomatoes."),
    ("garden 2", "The tubs must not be heavier than forty kilos, the landlord says.", "Then plastic ones."),
    ("choir", "My choir sings in Lyon in May, and I must learn the alto part by then.", "Half an hour a day."),
    ("tax", "Help me to sort the receipts for the tax of last year.", "By month, in envelopes."),
)  # fmt: skip


def lived(memory: Memory) -> None:
    for day, (name, *said) in enumerate(LIVES):
        talked(memory, name, NOW + day * DAY_MS, *said)


def test_who_takes_up_a_matter_of_their_life_is_told_the_wish_that_it_began_with(
    memory: Memory,
) -> None:
    lived(memory)
    prompt = (
        "Hello again. About the garden on my balcony: I was at the market on Saturday, and the seedlings there looked"
        " fine. The tubs have come as well. I would like to know what we do next with all of this before summer."
    )
    told = memory.activate(prompt, session="now", now=NOW + 9 * DAY_MS).volatile
    assert f"- user: {GARDEN}" in told
    assert "envelopes" not in told
    # A short question about something else begins no matter of theirs.
    assert not memory.activate(
        "What is the capital of Peru?", session="new", now=NOW + 9 * DAY_MS
    ).volatile


def test_talk_is_of_work_where_answers_mark_code_and_where_there_are_none(memory: Memory) -> None:
    db, scope = memory.db, memory.scope
    memory.conversation("alone").append("user", "The bakery opens at six.", at=NOW)
    assert of_life(db, scope) == 0.0
    lived(memory)
    assert of_life(db, scope) == 1.0
    for at in range(8):
        memory.conversation("work").append("assistant", "Look at `main.py`.", at=NOW + at)
    assert of_life(db, scope) == 0.0


def test_what_a_turn_read_is_noted_and_read_again_only_where_it_changed(memory: Memory) -> None:
    worked(memory)
    noted = "select place from message_place where worth is not null"
    assert memory.db.ask(noted) == []
    first = memory.activate(PROMPT, session="new", now=NOW + DAY_MS)
    read = memory.db.ask(noted)
    assert read
    told = found(memory, "three")
    memory.db.ask("update message_place set worth = null")
    again = found(memory, "three")
    assert [(one.place, one.asks, one.lasts) for one in told] == [
        (one.place, one.asks, one.lasts) for one in again
    ]
    assert [one.score for one in told] == pytest.approx([one.score for one in again])
    assert f"- user: {WISH}" in first.volatile
    assert memory.activate(PROMPT, session="newer", now=NOW + DAY_MS).volatile == first.volatile


def test_what_is_noted_of_a_message_goes_with_its_words(memory: Memory) -> None:
    worked(memory)
    memory.activate(PROMPT, session="new", now=NOW + DAY_MS)
    memory.conversation("one").edit(0, "Never mind.")
    places = {
        place for (place,) in memory.db.ask("select place from message_place where worth > 0")
    }
    assert {text_of(memory, place) for place in places}.isdisjoint({WISH, "Never mind."})


def test_what_is_heard_is_read_before_anybody_waits_for_a_turn(memory: Memory) -> None:
    worked(memory)
    memory.capture_conversation("one", now=NOW + DAY_MS)
    asked = "select place, worth from message_place where worth is not null order by place"
    first = memory.db.ask(asked)
    assert len(first) == 1  # the other is a paste
    memory.activate(PROMPT, session="new", now=NOW + DAY_MS)
    assert memory.db.ask(asked)[0] == first[0]


def test_within_a_session_nothing_is_ranked_of_which_no_line_may_be_told(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(memory)
    long = PROMPT + " Do it as we do it all the time, and say what you have done." * 3
    ranked: list[object] = []
    rank = Search._ranked
    monkeypatch.setattr(Search, "_ranked", lambda self: ranked.append(self) or rank(self))
    told = memory.activate(long, session="three", now=NOW + 2 * DAY_MS)
    assert WISH in told.volatile
    assert ranked == []
    memory.activate(long, session="four", now=NOW + 2 * DAY_MS, explain=True)
    assert len(ranked) == 1  # who asks why is told of all that was found
