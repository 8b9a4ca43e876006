"""Messages parted into what a person typed and what was pasted, in any language.

Modules: typed, worth, unit, telling, mood, languages, empty_orders.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem.language.typed import LINES, WINDOW, parts, read, typed

TRACE = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    foo()\nValueError: x'
LOG = (
    "[12:01:22] npm ERR! code 1\n[12:01:23] npm ERR! exit status 7\n[12:01:23] npm ERR! ./run.js:12"
)
SHELL = (
    "[01/28/26 8:37 main ~/src/shop] make test\n📦 Version: 2.1.17\n"
    "⏭️ 0 sessions up to date (skipped)\n102 projects · 50 unattributed"
)
REVIEW = (
    "## Summary\n\n- **Missing guard** — `validateFlags()` only runs in `syncCmd.PreRunE`\n"
    "- ⚠️ Issue: this could allow unauthenticated users to run `--only-sync` (line 1846)\n"
)


@pytest.mark.parametrize("paste", [TRACE, LOG, SHELL, REVIEW, "```\nWe use pnpm.\n```"])
@pytest.mark.parametrize(
    "said",
    [
        "always use pnpm here",
        "We want beautiful, fun, human friendly output.",
        "Bitte ab jetzt immer Tabs.",
        "a partir de ahora responde siempre en español",
        "以后请始终用中文回答。",
    ],
)
def test_what_stands_around_a_paste_is_typed(said: str, paste: str) -> None:
    assert typed(f"{said}\n\n{paste}").strip() == said
    assert typed(f"{said}\n\n{paste}\n\n{said}").split("\n\n")[-1].strip().endswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "first fix the build\nthen run the tests\nand never push to main without asking me",
        "- use tabs\n- no emojis\n- ask me before you delete anything",
        "1. the former\n2. just the id\n3. error, and say that the session exists already",
        "what do you think?",
        "ok",
    ],
)
def test_what_a_person_types_over_several_lines_stays_theirs(text: str) -> None:
    assert typed(text) == text


@given(st.text(st.sampled_from("ab .\n`#[|{é漢9/—<\t\r"), max_size=200))
def test_the_parts_cover_a_message_and_follow_one_another(text: str) -> None:
    found = parts(text)
    assert "".join([text[part.start : part.end] for part in found]) == text
    assert all(a.is_typed != b.is_typed for a, b in pairwise(found))


def test_of_a_very_long_message_only_its_ends_are_read() -> None:
    text = (
        "please look at this:\n\n" + "2026-01-01 10:00:00 INFO 0x12ab\n" * 30_000 + "\nwhy is that?"
    )
    lines = read(text)
    assert len(lines) <= 4 * LINES
    assert all(line.end <= 2 * WINDOW or line.start >= len(text) - 2 * WINDOW for line in lines)
    assert typed(text).split("\n")[-1] == "why is that?"
