"""What a short correction was said of is what is held and the message before names; else nothing is set right.

Modules: meant.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import DAY, NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem


def after(memory: cogmem.Memory, held: list[str], before: str, said: str) -> dict[str, bool]:
    """What is active after a person answered the agent so, and whether it still holds."""
    for text in held:
        memory.learn(text, now=NOW)
    talk = memory.conversation("s")
    if before:
        talk.append("assistant", before, at=NOW + DAY)
    talk.append("user", said, at=NOW + DAY + 1000)
    memory.capture_conversation("s", now=NOW + DAY + 1000)
    rows = memory.list(now=NOW + DAY + 2000)
    return {row.content: not row.detail.get("valid_to") for row in rows}


@pytest.mark.parametrize(
    ("held", "before", "said", "now"),
    [
        ("The API listens on port 8080", "I started the API on port 8080.",
         "No, use port 8081 instead.", "The API listens on port 8081"),
        ("The API listens on port 8080", "", "No, use port 8081 instead.",
         "The API listens on port 8081"),
        ("The API listens on port 8080", "It listens on port 8080.", "it's 8081 now",
         "The API listens on port 8081"),
        ("Our deploy tool is fabric", "I'll deploy with fabric.", "No, that's ansible now.",
         "Our deploy tool is ansible"),
        ("Tests run with unittest", "I'll run the tests with unittest.", "no, we use pytest",
         "Tests run with pytest"),
        ("The meeting is on Monday", "The meeting is on Monday at 10.", "No, Tuesday.",
         "The meeting is on Tuesday"),
        ("The staging server is called heron", "I deployed to heron.", "no, it's called crane",
         "The staging server is called crane"),
        ("The standup is at 9", "I blocked an hour for the standup at 9.", "actually it's 10, not 9",
         "The standup is at 10"),
        ("We deploy on Fridays", "You deploy on Fridays, so I prepared it.", "that's not true any more",
         "We deploy on Fridays: that's not true any more"),
        ("Our wiki is called heron", "Our wiki is called heron.", "that's not true any more",
         "Our wiki is called heron: that's not true any more"),
    ],
)  # fmt: skip
def test_a_correction_takes_its_matter_from_the_message_before(
    memory: cogmem.Memory, held: str, before: str, said: str, now: str
) -> None:
    assert after(memory, [held], before, said) == {held: False, now: True}


@pytest.mark.parametrize(
    ("held", "before", "said"),
    [
        (["The staging server is heron"], "I deployed to heron.", "No, it's flaky now."),
        (["The staging server is heron"], "I deployed to heron.", "Actually it's done."),
        (["The staging server is heron"], "All tests pass.", "No, it's Lisbon now."),
        (["We deploy on Fridays"], "All tests pass on Fridays.", "that's no longer true"),
        (["We deploy on Fridays", "We meet on Fridays"], "You deploy and meet on Fridays.",
         "that's no longer true"),
        (["The API listens on port 8080"], "I found 3 tests in the suite.", "No, it's 4 now."),
        (["she turned 40, likes climbing and lives in Porto now"],
         "A guidebook of climbs near Porto, or a course.", "she has all the guidebooks. a course then"),
        (["My brother lives in Leiden"], "Your brother in Leiden?", "he has the tickets now"),
        (["Anna works in Leiden"], "I wrote to Anna in Leiden.", "No, use Bruno instead."),
        (["Our tests run on pumpkin"], "I ran them on pumpkin.", "we use gloves instead"),
        (["The API listens on port 8080", "The proxy listens on port 8080"],
         "I started both on port 8080.", "No, use port 8081 instead."),
    ],
)  # fmt: skip
def test_what_names_nothing_that_is_held_sets_nothing_right(
    memory: cogmem.Memory, held: list[str], before: str, said: str
) -> None:
    found = after(memory, held, before, said)
    assert all(found[text] for text in held)
    assert not [text for text in found if text.lower().startswith(("it", "that"))]


KINDS = {
    "place": ("Porto", "Lisbon", "Berlin", "Paris"),
    "number": ("8080", "8081", "12", "40"),
    "day": ("Monday", "Tuesday", "Friday"),
    "thing": ("guidebooks", "gloves", "pumpkin", "lamps"),
    "somebody": ("Zorka", "Ilmari", "Nanna"),
}
HELD = (
    "my sister turned {number} and lives in {place}",
    "The API listens on port {number}",
    "The meeting in {place} is on {day}",
    "{somebody} packs the {thing} in {place}",
)
SHORT = (
    "No, use {} instead.", "it's {} now", "she has all the {}. a course then", "No, {}.",
    "we use {} instead", "actually {}", "no, they want {} now",
)  # fmt: skip


@given(data=st.data())
@settings(max_examples=examples(40))
def test_what_is_held_was_said_or_has_another_value_of_its_kind(data: st.DataObject) -> None:
    """No rule makes a sentence of its own: at most one value gives way to another of the same kind."""
    chosen = {kind: data.draw(st.sampled_from(values)) for kind, values in KINDS.items()}
    held = data.draw(st.sampled_from(HELD)).format(**chosen)
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    new = data.draw(st.sampled_from(KINDS[kind]))
    said = data.draw(st.sampled_from(SHORT)).format(new)
    before = f"I see: {held}." if data.draw(st.booleans()) else f"So {chosen[kind]} it is."
    with cogmem.open(":memory:") as memory:
        found = after(memory, [held], before, said)
    for text in found:
        if text.casefold().strip(" .") in f"{held}\n{said}".casefold():
            continue
        was, now = held.split(), text.split()
        assert len(was) == len(now), text
        (gone,) = [one for one, other in zip(was, now, strict=True) if one != other]
        assert gone in KINDS[kind], text
        assert new in now


SINCE = [
    ("the API listens on port 8081", ["no, it's 8082 since today", "no, 8082 from today on"]),
    ("die API liegt auf Port 8081", ["nein, 8082 seit heute", "nein, seit Montag 8082", "nein, ab heute 8082"]),
    ("la API escucha en el puerto 8081", ["no, es 8082 desde hoy", "no, desde el lunes es 8082"]),
    ("l'API écoute sur le port 8081", ["non, c'est 8082 depuis hier", "non, depuis lundi c'est 8082"]),
    ("a API escuta na porta 8081", ["não, é 8082 desde hoje", "não, desde segunda é 8082"]),
    ("l'API ascolta sulla porta 8081", ["no, è 8082 da oggi", "no, da lunedì è 8082"]),
    ("de API luistert op poort 8081", ["nee, het is 8082 sinds vandaag", "nee, 8082 sinds gisteren"]),
    ("API监听8081端口", ["不对，今天起是8082", "不，从昨天起是8082"]),
    ("APIはポート8081で待ち受けています", ["違います、昨日から8082です", "いや、今は8082です"]),
]  # fmt: skip


@pytest.mark.parametrize(("held", "said"), SINCE)
def test_what_is_so_since_a_day_was_otherwise_before(
    tmp_path: Path, held: str, said: list[str]
) -> None:
    """With a message before that names it, and without: then only what differs in its last digit is meant."""
    for number, one in enumerate(said):
        for before in (held, "Done."):
            with cogmem.open(tmp_path / "m.db", project=f"{number} {before}") as mem:
                new = held.replace("8081", "8082")
                assert after(mem, [held], before, one) == {held: False, new: True}, (before, one)


def test_a_number_that_the_talk_or_several_memories_explain_sets_nothing_near_right(
    memory: cogmem.Memory,
) -> None:
    one, other = "the API listens on port 8081", "the shop listens on port 8083"
    assert after(memory, [one], "The metrics are on port 8090.", "no, it's 8082 now") == {one: True}
    memory.learn(other, now=NOW)
    assert after(memory, [], "Done.", "no, 8082 since today") == {one: True, other: True}
