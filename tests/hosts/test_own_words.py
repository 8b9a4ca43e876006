"""No host's record of a talk says what memory brought: it is known by its form, wherever a host puts it.

Modules: own_words.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.hosts import transcript
from cogmem.hosts.own_words import without
from cogmem.text.lines import DATA, MEMORY

WORD = st.text(
    st.characters(exclude_characters="\n<>:#", exclude_categories=["Cc", "Cs", "Z"]), min_size=1
)
WORDS = (
    st.lists(WORD, min_size=1, max_size=6).map(" ".join).filter(lambda text: text[0] not in "-#")
)
LINES = st.lists(
    st.one_of(WORDS.map("- {}".format), WORDS.map("## {}".format), st.just("")), max_size=5
)
BLOCK = st.builds(
    lambda head, lines: "\n".join([head, *lines, ""]),
    st.sampled_from([MEMORY[:-1], f"# Memory: about this file ({DATA})"]),
    LINES,
)
WRAPS = (
    "{said}\n\n{block}",
    "{block}\n{said}",
    "<hook_context>{block}</hook_context>\n{said}",
    "{said}\n<system-reminder>\nUserPromptSubmit hook additional context: {block}</system-reminder>",
    "{said}\n\nTool guidance from postToolUse hooks:\n{block}",
    '{said}\n<extra source="cogmem">{block}\n</extra>',
)


@given(BLOCK, WORDS, st.sampled_from(WRAPS))
def test_what_a_person_said_is_left_and_nothing_else(block: str, said: str, wrap: str) -> None:
    left = without(wrap.format(block=block, said=said))
    assert DATA not in left
    assert said in left
    assert not [line for line in left.split("\n") if line.startswith(("- ", "## "))]


@given(WORDS)
def test_a_text_without_them_is_left_as_it_is(said: str) -> None:
    for text in (said, f"What does ({DATA}) mean?", f"# Memory\n{said} ({DATA})"):
        assert without(text) == text


@pytest.mark.parametrize("role", ["user", "tool_result"])
def test_a_later_version_of_a_host_changes_nothing_about_it(role: str) -> None:
    """Qwen Code 0.24 puts it into the person's own part of the message."""
    text = f"Go on.\n\nAdditional context from hooks:\n{MEMORY}## Always\n- Use tabs.\n"
    part = (
        {"text": text}
        if role == "user"
        else {"functionResponse": {"id": "1", "response": {"output": text}}}
    )
    line = json.dumps({"sessionId": "s", "cwd": "/", "type": role, "message": {"parts": [part]}})
    ((_, parts, *_),) = transcript.messages(line, 7)
    assert parts[0].get("text", parts[0].get("content")) == "Go on."
