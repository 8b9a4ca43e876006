"""What a short correction was said of is what is held and the message before names; else nothing is set right.

Modules: meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import DAY, NOW

if TYPE_CHECKING:
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
        (["The API listens on port 8080"], "I found 3 tests in the suite.", "No, it's 4 now."),
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
