"""What the person said in earlier sessions, chosen for a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import NOW

from cogmem.language.cue import read_cue
from cogmem.search.gate import Gate
from cogmem.search.messages import evidence
from cogmem.search.sayings import LATEST, LONGEST, NAMES, sayings, scored, weights
from cogmem.store.policy import Policy
from cogmem.strength import DAY_MS

if TYPE_CHECKING:
    from cogmem import Memory
    from cogmem.search.sayings import Saying

WISH = "No, retries of the uploader must go through backoff.py, not through a loop of their own."
ORDER = "Add a progress bar to the exporter."
PROMPT = "Give the uploader in upload.py retries as well, please."


def talked(memory: Memory) -> None:
    for name, of, said, at in (
        ("one", "uploader", WISH, NOW),
        ("two", "exporter", ORDER, NOW + DAY_MS),
    ):
        talk = memory.conversation(name)
        talk.append("user", said, at=at)
        talk.append("assistant", f"Done: {said} " * 20, at=at + 1)
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
    talked(memory)
    told = found(memory, "three")
    assert [text_of(memory, one.place) for one in told] == [WISH]
    assert all(one.score == scored(one.figures) for one in told)
    assert {*weights()} == {"bias", *NAMES}
    assert all({*one.figures} == {*NAMES} for one in told)


def test_nothing_comes_without_a_session_nor_what_the_session_has_said_itself(
    memory: Memory,
) -> None:
    talked(memory)
    assert found(memory, "") == []
    assert found(memory, "one") == []


def test_the_latest_conversations_are_looked_at_where_no_message_has_much_of_the_prompt(
    memory: Memory,
) -> None:
    talked(memory)
    rule = "No, the exporter must never write to the home folder."
    memory.conversation("later").append("user", rule, at=NOW + DAY_MS + 9)
    prompt = "Rewrite the changelog of yesterday's release in plain words, then translate it."
    memory.conversation("later").append("assistant", "The changelog stays.", at=NOW + DAY_MS + 10)
    texts = [text_of(memory, one.place) for one in found(memory, "three", prompt)]
    assert sorted(texts) == sorted([WISH, rule])
    for day in range(LATEST):
        memory.conversation(f"since {day}").append("user", "ok", at=NOW + DAY_MS + 10 + day)
    assert found(memory, "three", "Rewrite the glossary in plain words.") == []


def test_where_one_message_has_much_of_the_prompt_those_without_a_word_of_it_are_beside_the_point(
    memory: Memory,
) -> None:
    talked(memory)
    rule = "No, the exporter must never write to the home folder."
    memory.conversation("later").append("user", rule, at=NOW + DAY_MS + 9)
    prompt = "Let the uploader have retries of its own."
    assert [text_of(memory, one.place) for one in found(memory, "three", prompt)] == [WISH]


def test_what_another_user_said_is_not_heard(memory: Memory) -> None:
    talked(memory)
    theirs = memory.conversation("theirs", user="ada")
    theirs.append("user", "My own retries of the uploader go nowhere.", at=NOW)
    assert len(found(memory, "three")) == 1


def test_a_turn_tells_them_before_what_only_sounds_alike(memory: Memory) -> None:
    talked(memory)
    turn = memory.activate(PROMPT, session="three", now=NOW + 2 * DAY_MS)
    assert f"- user: {WISH}" in turn.volatile
    assert turn.chosen[0].line == f"- user: {WISH}\n"


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
        talk.append("assistant", "Done.", at=NOW + 2 * at + 1)
    assert [text_of(memory, one.place) for one in found(memory, "three")] == [WISH]


def test_a_question_is_told_with_the_answer_that_it_got_or_not_at_all(memory: Memory) -> None:
    talk = memory.conversation("one")
    said = (
        "Does the uploader keep a cap of five retries?",
        "Let me look. Yes: the uploader keeps a cap of five retries because the gateway bans a client after six.",
        "Will the uploader show its retries?",
        "Good.",
    )
    for at, text in enumerate(said):
        talk.append("assistant" if at % 2 else "user", text, at=NOW + at)
    told = memory.activate(PROMPT, session="three", now=NOW + 2 * DAY_MS).volatile
    assert f"- user: {said[0]} — assistant: Yes: the uploader keeps a cap" in told
    assert said[2] not in told
