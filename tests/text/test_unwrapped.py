"""What a host puts between tags around a person's words is nobody's talk.

Modules: lines.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.language.typed import parts, typed
from cogmem.text.lines import unwrapped

NOW = 1_770_000_000_000
OPENED = "<ide_opened_file>The user opened the file /src/clock.c in the IDE.</ide_opened_file>"
SAID = "Never push to main on Fridays."


@pytest.mark.parametrize(
    "text",
    [
        f"{OPENED}\n{SAID}",
        f"{OPENED} {SAID}",
        f"{OPENED}<ide_selection>lines 1 to 3:\n\nint a;\n</ide_selection>\n{SAID}",
        f"{SAID}\n<system-reminder>\nBe brief.\n</system-reminder>\n",
        f"<user_query>\n{SAID}\n</user_query>",
        f"<additional_data>\nclock.c\n</additional_data>\n\n<user_query>\n{SAID}\n</user_query>",
    ],
)
def test_a_person_is_heard_without_what_the_host_put_around(
    memory: cogmem.Memory, text: str
) -> None:
    assert unwrapped(text).strip() == typed(text).strip() == SAID
    assert [text[one.start : one.end].count(SAID) for one in parts(text) if one.is_typed] == [1]
    talk = memory.conversation("monday")
    talk.append("user", text, at=NOW)
    memory.capture_conversation("monday", now=NOW)
    assert [one.content for one in memory.list(now=NOW)] == [SAID.rstrip(".")]


@pytest.mark.parametrize(
    "text",
    ["<div>a</div> b", "use <my-tag>x</my-tag> here", "a </b>", "<task-notification>\na\n</task-notification>",
     "<ide_selection>never closed", "x</", "</ide_selection>"],
)  # fmt: skip
def test_other_tags_are_left(text: str) -> None:
    assert unwrapped(text) == text


PIECES = ["<a_b>", "</a_b>", "<a-b c='1'>", "</a-b>", "<user_q>", "</user_q>", *"\n x<>"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_text_stays_as_long_as_it_was(text: str) -> None:
    left = unwrapped(text)
    assert len(left) == len(text)
    assert all(new == old or new in " \n" for new, old in zip(left, text, strict=True))
    assert bool(left.strip()) == bool(text.strip())


def test_what_is_told_of_such_a_message_is_what_was_said(memory: cogmem.Memory) -> None:
    talk = memory.conversation("monday")
    talk.append("user", f"{OPENED}\nThe clock chip sits on pin D7 of the sensor board.", at=NOW)
    talk.append("assistant", "I read the clock chip on pin D7 now.", at=NOW)
    told = memory.activate(
        "Which pin of the sensor board has the clock chip?", session="tuesday", now=NOW + 86_400_000
    )
    assert "D7" in told.volatile
    assert "ide_opened" not in told.volatile


def test_a_prompt_that_comes_again_is_not_told_to_itself(memory: cogmem.Memory) -> None:
    asked = "Why does the licence server of the clinic time out while the installer runs on the new host"
    talk = memory.conversation("monday")
    talk.append("user", asked, at=NOW)
    talk.append("assistant", "The licence server of the clinic needs port 7070 opened.", at=NOW)
    told = memory.activate(f"{asked} today?", session="tuesday", now=NOW + 86_400_000)
    assert "port 7070" in told.volatile
    assert "time out" not in told.volatile
